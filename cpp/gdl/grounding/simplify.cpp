#include "gdl/grounding/simplify.h"

#include <algorithm>

#include "gdl/components.h"

namespace treewise::gdl {

namespace {

std::uint64_t hash_of(std::span<const int> literals, std::uint64_t h) {
  for (const int literal : literals) h = mix(h, static_cast<std::uint32_t>(literal));
  return mix(h, literals.size());
}

}  // namespace

bool Simplifier::simplify(AtomId atom, std::span<const int> bodies) {
  text_.clear();
  bodies_.clear();
  for (std::size_t at = 0; at < bodies.size();) {
    const auto count = static_cast<std::size_t>(bodies[at]);
    const auto begin = static_cast<std::uint32_t>(text_.size());
    bool met = true;
    for (const int raw : bodies.subspan(at + 1, count)) {
      const int literal = find(raw);
      if (literal == kTrue) continue;
      met = met && literal != kFalse && literal != static_cast<int>(atom);
      text_.push_back(literal);
    }
    at += 1 + count;
    const auto by_atom = [](int a, int b) { return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a < b; };
    std::sort(text_.begin() + begin, text_.end(), by_atom);
    text_.erase(std::unique(text_.begin() + begin, text_.end()), text_.end());
    for (std::size_t i = begin; met && i + 1 < text_.size(); ++i) met = text_[i] != -text_[i + 1];
    if (!met) {
      text_.resize(begin);
      continue;
    }
    if (text_.size() == begin) return false;
    bodies_.emplace_back(begin, static_cast<std::uint32_t>(text_.size()));
  }
  const auto literals = [&](const auto& b) { return std::span<const int>(text_).subspan(b.first, b.second - b.first); };
  std::ranges::sort(bodies_, [&](const auto& a, const auto& b) {
    const auto left = literals(a), right = literals(b);
    return left.size() != right.size() ? left.size() < right.size() : std::ranges::lexicographical_compare(left, right);
  });
  const auto same = std::ranges::unique(
      bodies_, [&](const auto& a, const auto& b) { return std::ranges::equal(literals(a), literals(b)); });
  bodies_.erase(same.begin(), same.end());
  kept_.clear();  // what holds alone makes longer bodies needless
  for (const auto& b : bodies_)
    if (b.second - b.first == 1) kept_.push_back(text_[b.first]);
  if (!kept_.empty())
    std::erase_if(bodies_, [&](const auto& b) {
      return b.second - b.first > 1 &&
             std::ranges::any_of(literals(b), [&](int l) { return std::ranges::binary_search(kept_, l); });
    });
  return true;
}

void Simplifier::define(AtomId atom, std::span<const int> bodies) {
  if (!simplify(atom, bodies)) {
    same_[atom] = kTrue;
    return;
  }
  if (bodies_.empty()) {
    same_[atom] = kFalse;
    return;
  }
  if (std::ranges::find(text_, -static_cast<int>(atom)) != text_.end()) {  // it contradicts itself; others will say so
    emit(atom);
    return;
  }
  if (bodies_.size() == 1 && bodies_[0].second - bodies_[0].first == 1) {
    same_[atom] = text_[bodies_[0].first];
    return;
  }
  share_parts();
  const std::uint64_t hash = hash_bodies();
  if (const AtomId known = find_known(hash)) {
    same_[atom] = static_cast<int>(known);
    return;
  }
  known_.add(hash, atom);
  emit(atom);
}

std::uint64_t Simplifier::hash_bodies() const {
  std::uint64_t hash = bodies_.size();
  for (const auto& [begin, end] : bodies_)
    hash = hash_of(std::span<const int>(text_).subspan(begin, end - begin), hash);
  return hash;
}

// The atom whose rules are `bodies_`; 0: none.
AtomId Simplifier::find_known(std::uint64_t hash) const {
  return known_.find(hash, [&](AtomId other) {
    const bool is_part = other >= static_cast<AtomId>(kFirstPart);
    std::size_t rule = is_part ? part_rules_[other - static_cast<AtomId>(kFirstPart)] : first_[other];
    for (const auto& [begin, end] : bodies_) {
      if (rule == heads.size() || heads[rule] != static_cast<int>(other)) return false;
      if (!std::equal(text_.begin() + begin, text_.begin() + end, body.begin() + starts[rule],
                      body.begin() + starts[rule + 1]))
        return false;
      ++rule;
    }
    return rule == heads.size() || heads[rule] != static_cast<int>(other);
  });
}

bool Simplifier::is_derived(int literal) const {
  const int atom = std::abs(literal);
  if (atom >= kFirstPart) return true;
  const std::uint32_t rule = first_[static_cast<std::size_t>(atom)];
  return rule < heads.size() && heads[rule] == atom;
}

// The cuts depend on the literals around them only, so that lists that differ in one literal share most parts.
void Simplifier::share_parts() {
  if (!shares_) return;
  constexpr std::size_t kMany = 12;
  constexpr std::uint64_t kEach = 4;  // literals of a part, on average
  const auto is_single = [&](const auto& b) { return b.second - b.first == 1 && is_derived(text_[b.first]); };
  std::vector<int> all;
  for (const auto& b : bodies_)
    if (is_single(b)) all.push_back(text_[b.first]);
  if (all.size() < kMany) return;
  std::erase_if(bodies_, is_single);
  const std::vector<int> text = text_;
  const auto bodies = bodies_;
  std::vector<int> parts;
  for (std::size_t begin = 0, end; begin < all.size(); begin = end) {
    end = begin + 1;
    while (end < all.size() && mix(7, static_cast<std::uint32_t>(all[end - 1])) % kEach != 0) ++end;
    parts.push_back(end - begin == 1 ? all[begin] : part_of(std::span<const int>(all).subspan(begin, end - begin)));
  }
  text_ = text;
  bodies_ = bodies;
  for (const int part : parts) {
    text_.push_back(part);
    const auto end = static_cast<std::uint32_t>(text_.size());
    bodies_.emplace_back(end - 1, end);
  }
}

int Simplifier::part_of(std::span<const int> literals) {
  text_.assign(literals.begin(), literals.end());
  bodies_.clear();
  for (std::uint32_t i = 0; i < text_.size(); ++i) bodies_.emplace_back(i, i + 1);
  const std::uint64_t hash = hash_bodies();
  if (const AtomId known = find_known(hash)) return static_cast<int>(known);
  const int part = kFirstPart + static_cast<int>(part_rules_.size());
  part_rules_.push_back(static_cast<std::uint32_t>(heads.size()));
  known_.add(hash, static_cast<AtomId>(part));
  for (const int literal : text_) {
    heads.push_back(part);
    body.push_back(literal);
    starts.push_back(static_cast<int>(body.size()));
  }
  return part;
}

int Simplifier::finish(const std::vector<int*>& outputs) {
  const auto place = [](int literal) { return static_cast<std::size_t>(std::abs(literal) - kFirstPart); };
  std::vector<std::uint32_t> uses(part_rules_.size());
  const auto use = [&](int literal, std::uint32_t times) {
    if (std::abs(literal) >= kFirstPart) uses[place(literal)] += times;
  };
  for (std::size_t rule = 0; rule < heads.size(); ++rule)
    for (int at = starts[rule]; at < starts[rule + 1]; ++at) {
      const int literal = body[static_cast<std::size_t>(at)];
      use(literal, starts[rule + 1] - starts[rule] == 1 && literal > 0 ? 1 : 2);
    }
  for (const int* output : outputs) use(*output, 2);
  const auto is_undone = [&](int atom) { return atom >= kFirstPart && uses[place(atom)] < 2; };

  std::vector<int> number(same_.size()), part_number(part_rules_.size());
  int count = 0;
  const auto renumbered = [&](int literal) {
    int& own = std::abs(literal) >= kFirstPart ? part_number[place(literal)]
                                               : number[static_cast<std::size_t>(std::abs(literal))];
    if (own == 0) own = ++count;
    return literal < 0 ? -own : own;
  };
  Simplifier found(0, *budget_);
  const auto add = [&](auto&& self, int head, std::size_t rule) -> void {
    const auto begin = static_cast<std::size_t>(starts[rule]), end = static_cast<std::size_t>(starts[rule + 1]);
    if (end - begin == 1 && is_undone(body[begin])) {
      for (std::size_t inner = part_rules_[place(body[begin])]; inner < heads.size() && heads[inner] == body[begin];
           ++inner)
        self(self, head, inner);
      return;
    }
    found.heads.push_back(renumbered(head));
    for (std::size_t at = begin; at < end; ++at) found.body.push_back(renumbered(body[at]));
    found.starts.push_back(static_cast<int>(found.body.size()));
  };
  for (std::size_t rule = 0; rule < heads.size(); ++rule)
    if (!is_undone(heads[rule])) add(add, heads[rule], rule);
  heads = std::move(found.heads);
  starts = std::move(found.starts);
  body = std::move(found.body);
  for (int* output : outputs)
    if (*output) *output = renumbered(*output);
  return count;
}

void Simplifier::define_in_loop(AtomId atom, std::span<const int> bodies) {
  if (!simplify(atom, bodies)) bodies_.assign(1, {0, 0});
  emit(atom);
}

void Simplifier::emit(AtomId atom) {
  same_[atom] = static_cast<int>(atom);
  first_[atom] = static_cast<std::uint32_t>(heads.size());
  for (const auto& [begin, end] : bodies_) {
    heads.push_back(static_cast<int>(atom));
    body.insert(body.end(), text_.begin() + begin, text_.begin() + end);
    starts.push_back(static_cast<int>(body.size()));
  }
  budget_->count_rules(heads.size());
}

int Simplifier::output(AtomId atom) {
  const int literal = find(static_cast<int>(atom));
  if (literal == kFalse) return 0;
  if (literal == kTrue && always_) return always_;
  if (literal > 0 && literal != kTrue) return literal;
  const std::uint64_t hash = mix(1, static_cast<std::uint32_t>(-literal));
  if (literal != kTrue) {
    const auto known = negation_of_.find(hash, [&](std::uint32_t n) { return negations_[n - 1].first == literal; });
    if (known) return negations_[known - 1].second;
    negations_.emplace_back(literal, static_cast<int>(atom));
    negation_of_.add(hash, static_cast<std::uint32_t>(negations_.size()));
    body.push_back(literal);
  } else {
    always_ = static_cast<int>(atom);
  }
  heads.push_back(static_cast<int>(atom));
  starts.push_back(static_cast<int>(body.size()));
  return static_cast<int>(atom);
}

Merged merge_rules(std::size_t num_atoms, std::span<const int> heads, std::span<const int> starts,
                   std::span<const int> body, std::vector<int>& outputs, Budget& budget) {
  Simplifier simplifier(num_atoms, budget);
  std::vector<std::uint32_t> begins(num_atoms + 2), rules(heads.size());
  for (const int head : heads) ++begins[static_cast<std::size_t>(head) + 1];
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  auto at = begins;
  for (std::size_t rule = 0; rule < heads.size(); ++rule)
    rules[at[static_cast<std::size_t>(heads[rule])]++] = static_cast<std::uint32_t>(rule);
  const auto own = [&](std::uint32_t atom) {
    return std::span<const std::uint32_t>(rules).subspan(begins[atom], begins[atom + 1] - begins[atom]);
  };
  const auto literals = [&](std::uint32_t rule) {
    const auto begin = static_cast<std::size_t>(starts[rule]);
    return body.subspan(begin, static_cast<std::size_t>(starts[rule + 1]) - begin);
  };
  const auto targets = [&](std::uint32_t atom, auto visit) {
    budget.step();
    for (const std::uint32_t rule : own(atom))
      for (const int literal : literals(rule)) visit(static_cast<std::uint32_t>(std::abs(literal)));
  };
  std::vector<std::uint32_t> roots;
  for (const int output : outputs)
    if (output > 0) roots.push_back(static_cast<std::uint32_t>(output));
  Bodies bodies;
  const auto define = [&](std::uint32_t atom, bool in_loop) {
    bodies.clear();
    for (const std::uint32_t rule : own(atom)) {
      const auto read = literals(rule);
      bodies.push_back(static_cast<int>(read.size()));
      bodies.insert(bodies.end(), read.begin(), read.end());
    }
    if (in_loop)
      simplifier.define_in_loop(atom, bodies);
    else if (own(atom).empty())
      simplifier.set_free(atom);
    else
      simplifier.define(atom, bodies);
  };
  find_components(static_cast<std::uint32_t>(num_atoms + 1), roots, targets, [&](const auto& component) {
    for (const std::uint32_t atom : component) define(atom, component.size() > 1);
  });
  for (int& output : outputs)
    if (output > 0) output = simplifier.output(static_cast<AtomId>(output));
  return {std::move(simplifier.heads), std::move(simplifier.starts), std::move(simplifier.body)};
}

}  // namespace treewise::gdl
