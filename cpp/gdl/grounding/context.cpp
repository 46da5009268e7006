#include "gdl/grounding/context.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "gdl/components.h"

namespace treewise::gdl {

namespace {

using Facts = std::vector<int>;  // ascending

class Contexts {
 public:
  Contexts(std::size_t num_atoms, std::span<const int> heads, std::span<const int> starts, std::span<const int> body,
           std::span<const int> facts, Budget& budget)
      : heads_(heads),
        starts_(starts),
        body_(body),
        budget_(budget),
        is_fact_(num_atoms + 1),
        begins_(num_atoms + 2),
        rules_(heads.size()),
        context_(num_atoms + 1),
        implied_(num_atoms + 1),
        is_read_(num_atoms + 1) {
    for (const int fact : facts)
      if (fact > 0) is_fact_[static_cast<std::size_t>(fact)] = true;
    for (const int head : heads) ++begins_[static_cast<std::size_t>(head) + 1];
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    auto at = begins_;
    for (std::size_t rule = 0; rule < heads.size(); ++rule)
      rules_[at[static_cast<std::size_t>(heads[rule])]++] = static_cast<std::uint32_t>(rule);
  }

  // Of each atom the fact to look at it through; 0: none.
  std::vector<int> choose(std::span<const int> outputs, std::size_t share) {
    std::vector<std::uint32_t> roots, order;
    for (const int output : outputs)
      if (output > 0) {
        roots.push_back(static_cast<std::uint32_t>(output));
        is_read_[static_cast<std::size_t>(output)] = true;  // by everybody, in any context
      }
    std::vector<bool> in_loop(is_fact_.size());
    const auto targets = [&](std::uint32_t atom, auto visit) {
      for (const std::uint32_t rule : rules_of(atom))
        for (const int literal : body_of(rule)) visit(static_cast<std::uint32_t>(std::abs(literal)));
    };
    find_components(static_cast<std::uint32_t>(is_fact_.size()), roots, targets, [&](const auto& component) {
      for (const std::uint32_t atom : component) {
        order.push_back(atom);
        in_loop[atom] = component.size() > 1;
      }
    });
    for (const std::uint32_t atom : order)
      if (in_loop[atom]) {
        is_read_[atom] = true;
        context_[atom].clear();
      }
    for (const std::uint32_t atom : order)
      if (!in_loop[atom]) imply(atom);
    for (auto atom = order.rbegin(); atom != order.rend(); ++atom) {
      budget_.step();
      for (const std::uint32_t rule : rules_of(*atom)) pass_on(context_[*atom], rule, in_loop);
    }
    return rarest(order, share);
  }

  std::span<const std::uint32_t> rules_of(std::uint32_t atom) const {
    return std::span<const std::uint32_t>(rules_).subspan(begins_[atom], begins_[atom + 1] - begins_[atom]);
  }
  std::span<const int> body_of(std::uint32_t rule) const {
    const auto begin = static_cast<std::size_t>(starts_[rule]);
    return body_.subspan(begin, static_cast<std::size_t>(starts_[rule + 1]) - begin);
  }
  bool implies(int atom, int fact) const {
    return std::ranges::binary_search(implied_[static_cast<std::size_t>(atom)], fact);
  }

 private:
  // The facts without which an atom does not hold: those that all its rules need.
  void imply(std::uint32_t atom) {
    Facts& own = implied_[atom];
    if (is_fact_[atom]) own.assign(1, static_cast<int>(atom));
    bool first = true;
    for (const std::uint32_t rule : rules_of(atom)) {
      Facts needed;
      add_implied(needed, rule);
      if (first) own = std::move(needed);
      std::erase_if(own, [&](int fact) { return !first && !std::ranges::binary_search(needed, fact); });
      first = false;
      if (own.empty()) break;
    }
  }
  void add_implied(Facts& facts, std::uint32_t rule) const {
    constexpr std::size_t kMany = 16;  // is enough; fewer are right, too
    for (const int literal : body_of(rule))
      if (literal > 0 && facts.size() < kMany) {
        const Facts& more = implied_[static_cast<std::size_t>(literal)];
        facts.insert(facts.end(), more.begin(), more.end());
      }
    std::ranges::sort(facts);
    facts.erase(std::ranges::unique(facts).begin(), facts.end());
  }

  // What is asked for by a rule is asked for in the context of its head, and of the facts beside it.
  void pass_on(const Facts& of_head, std::uint32_t rule, const std::vector<bool>& in_loop) {
    Facts own = of_head;
    add_implied(own, rule);
    for (const int literal : body_of(rule)) {
      const auto atom = static_cast<std::size_t>(std::abs(literal));
      if (is_fact_[atom] || in_loop[atom]) continue;
      if (!is_read_[atom]) {
        is_read_[atom] = true;
        context_[atom] = own;
      } else {
        std::erase_if(context_[atom], [&](int fact) { return !std::ranges::binary_search(own, fact); });
      }
    }
  }

  // A fact that few atoms hang on, so that its own changes cost little.
  std::vector<int> rarest(const std::vector<std::uint32_t>& order, std::size_t share) const {
    std::vector<std::uint32_t> count(is_fact_.size());
    for (const std::uint32_t atom : order)
      for (const int fact : context_[atom]) ++count[static_cast<std::size_t>(fact)];
    std::vector<int> chosen(is_fact_.size());
    for (const std::uint32_t atom : order) {
      if (rules_of(atom).empty()) continue;
      for (const int fact : context_[atom]) {
        const auto own = count[static_cast<std::size_t>(fact)];
        int& best = chosen[atom];
        if (own * share <= order.size() && (best == 0 || own < count[static_cast<std::size_t>(best)])) best = fact;
      }
    }
    return chosen;
  }

  std::span<const int> heads_, starts_, body_;
  Budget& budget_;
  std::vector<bool> is_fact_;
  std::vector<std::uint32_t> begins_, rules_;
  std::vector<Facts> context_, implied_;
  std::vector<bool> is_read_;
};

}  // namespace

Still keep_still(std::size_t num_atoms, std::span<const int> heads, std::span<const int> starts,
                 std::span<const int> body, std::span<const int> outputs, std::span<const int> facts, std::size_t share,
                 Budget& budget) {
  Contexts contexts(num_atoms, heads, starts, body, facts, budget);
  const std::vector<int> through = contexts.choose(outputs, share);
  Still found{.heads = {}, .starts = {0}, .body = {}, .num_atoms = static_cast<int>(num_atoms)};
  std::unordered_map<std::uint64_t, int> looks;  // literal and fact: the atom of both
  std::vector<std::pair<int, int>> made;
  const auto look = [&](int literal, int fact) {
    const auto key = (std::uint64_t{static_cast<std::uint32_t>(literal)} << 32) | static_cast<std::uint32_t>(fact);
    const auto [at, is_new] = looks.try_emplace(key, found.num_atoms + 1);
    if (is_new) {
      ++found.num_atoms;
      made.emplace_back(literal, fact);
    }
    return at->second;
  };
  const auto end_rule = [&](int head) {
    found.heads.push_back(head);
    found.starts.push_back(static_cast<int>(found.body.size()));
  };
  for (std::size_t rule = 0; rule < heads.size(); ++rule) {
    budget.step();
    const auto own = contexts.body_of(static_cast<std::uint32_t>(rule));
    const int fact = through[static_cast<std::size_t>(heads[rule])];
    const auto is_still = [&](int literal) {
      return literal > 0 && (through[static_cast<std::size_t>(literal)] == fact || contexts.implies(literal, fact));
    };
    if (fact == 0 || std::ranges::any_of(own, is_still)) {
      found.body.insert(found.body.end(), own.begin(), own.end());
    } else if (own.empty()) {
      found.body.push_back(fact);
    } else {
      found.body.push_back(look(own[0], fact));
      found.body.insert(found.body.end(), own.begin() + 1, own.end());
    }
    end_rule(heads[rule]);
  }
  for (std::size_t i = 0; i < made.size(); ++i) {
    found.body.push_back(made[i].first);
    found.body.push_back(made[i].second);
    end_rule(static_cast<int>(num_atoms + 1 + i));
  }
  return found;
}

}  // namespace treewise::gdl
