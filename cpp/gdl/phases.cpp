// Games in which time alone decides who may do what: facts that follow from each other without any action (whose turn
// it is, a counter of steps) run through the same sequence in every match. Where each role's actions are open in turns,
// actions of different roles whose times fit together form a set of which exactly one is made in every step.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "gdl/turns.h"

namespace treewise::gdl {

namespace {

using Times = std::vector<bool>;  // of each step of the sequence: whether something holds

class Clockwork {
 public:
  Clockwork(const Program& program, const Gates& gates) : program_(program), gates_(gates) {
    find_facts();
    run();
  }

  // When a fact (or its absence) holds; empty if actions have a say in it.
  Times times(Ref r) const {
    const std::uint32_t fact = node_of(r) - 1;
    Times out;
    if (!inside_[fact]) return out;
    for (const auto& state : sequence_) out.push_back(state.contains(fact) != is_negated(r));
    return out;
  }

 private:
  static constexpr std::size_t kMaxSteps = 2000;
  static constexpr std::size_t kMaxGates = 2000;

  // The facts that depend on facts of this kind only, and on no action.
  void find_facts() {
    const auto num_facts = static_cast<std::uint32_t>(program_.facts.size());
    inside_.assign(num_facts, true);
    std::vector<std::vector<std::uint32_t>> needs(num_facts);
    for (std::uint32_t f = 0; f < num_facts; ++f) inside_[f] = collect(gates_.atom(program_.next[f]), needs[f]);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t f = 0; f < num_facts; ++f) {
        const auto outside = [&](std::uint32_t need) { return !inside_[need]; };
        if (!inside_[f] || std::none_of(needs[f].begin(), needs[f].end(), outside)) continue;
        inside_[f] = false;
        changed = true;
      }
    }
  }

  // The facts below a reference; false if there are actions, too, or too much of everything.
  bool collect(Ref r, std::vector<std::uint32_t>& facts) const {
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> todo{node_of(r)};
    while (!todo.empty()) {
      const std::uint32_t node = todo.back();
      todo.pop_back();
      if (node == 0 || !seen.insert(node).second) continue;
      if (seen.size() > kMaxGates || gates_.in_loop(node)) return false;
      if (const Gate* gate = gates_.find(ref(node)))
        for (const Ref input : gate->inputs) todo.push_back(node_of(input));
      else if (node <= program_.facts.size())
        facts.push_back(node - 1);
      else
        return false;
    }
    return true;
  }

  void run() {
    std::set<std::uint32_t> state;
    for (const int fact : program_.initial)
      if (inside_[static_cast<std::size_t>(fact)]) state.insert(static_cast<std::uint32_t>(fact));
    std::set<std::set<std::uint32_t>> seen;
    while (seen.insert(state).second && sequence_.size() < kMaxSteps) {
      sequence_.push_back(state);
      std::unordered_map<std::uint32_t, bool> known;
      std::set<std::uint32_t> next;
      for (std::uint32_t f = 0; f < inside_.size(); ++f)
        if (inside_[f] && holds(gates_.atom(program_.next[f]), state, known)) next.insert(f);
      state = std::move(next);
    }
    if (sequence_.size() == kMaxSteps) inside_.assign(inside_.size(), false);
  }

  bool holds(Ref r, const std::set<std::uint32_t>& state, std::unordered_map<std::uint32_t, bool>& known) const {
    const std::uint32_t node = node_of(r);
    const Gate* gate = gates_.find(ref(node));
    if (!gate) return (node != 0 && state.contains(node - 1)) != is_negated(r);
    const auto found = known.find(node);
    if (found != known.end()) return found->second != is_negated(r);
    bool on = gate->all;
    for (const Ref input : gate->inputs)
      if (holds(input, state, known) != gate->all) {
        on = !gate->all;
        break;
      }
    known[node] = on;
    return on != is_negated(r);
  }

  const Program& program_;
  const Gates& gates_;
  std::vector<bool> inside_;
  std::vector<std::set<std::uint32_t>> sequence_;
};

// A role's actions by the times at which they are open; empty if that is not known of one of them, or if they overlap.
std::map<Times, std::vector<int>> open_times(const std::vector<int>& legal, int first, const Gates& gates,
                                             const Clockwork& clockwork) {
  std::map<Times, std::vector<int>> out;
  for (std::size_t i = 0; i < legal.size(); ++i) {
    Times open;
    for (const Ref condition : gates.fact_conditions(gates.atom(legal[i])))
      if (open.empty()) open = clockwork.times(condition);
    if (open.empty()) return {};
    out[open].push_back(first + static_cast<int>(i));
  }
  for (auto a = out.begin(); a != out.end(); ++a)
    for (auto b = std::next(a); b != out.end(); ++b)
      for (std::size_t t = 0; t < a->first.size(); ++t)
        if (a->first[t] && b->first[t]) return {};
  return out;
}

bool is_complement(const Times& a, const Times& b) {
  for (std::size_t t = 0; t < a.size(); ++t)
    if (a[t] == b[t]) return false;
  return true;
}

}  // namespace

std::vector<std::vector<int>> find_phases(const Program& program, const Gates& gates) {
  if (program.roles.size() != 2) return {};
  const Clockwork clockwork(program, gates);
  const auto first = open_times(program.legal[0], 0, gates, clockwork);
  const auto second = open_times(program.legal[1], static_cast<int>(program.legal[0].size()), gates, clockwork);
  std::vector<std::vector<int>> universes;
  for (const auto& [times, actions] : first)
    for (const auto& [other_times, other_actions] : second) {
      if (!is_complement(times, other_times)) continue;
      universes.push_back(actions);
      universes.back().insert(universes.back().end(), other_actions.begin(), other_actions.end());
    }
  return universes;
}

}  // namespace treewise::gdl
