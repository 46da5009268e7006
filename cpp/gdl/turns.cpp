#include "gdl/turns.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

namespace treewise::gdl {

namespace {

// An attempt to prove that exactly one of the roles' control facts holds in every state: it does in the initial one,
// and if it does in a state, it does in the next. Gates deep in the rules are taken to be on or off at will.
class Proof {
 public:
  Proof(const Program& program, const Gates& gates, const Turns& turns)
      : program_(program), gates_(gates), turns_(turns) {
    for (std::size_t r = 0; r < turns.control.size(); ++r) {
      first_action_.push_back(num_actions_);
      num_actions_ += static_cast<int>(program.actions[r].size());
    }
    find_decided();
  }

  bool holds() {
    int on = 0;
    for (const Ref c : turns_.control) {
      const int fact = static_cast<int>(node_of(c)) - 1;
      const bool initially = std::binary_search(program_.initial.begin(), program_.initial.end(), fact);
      on += initially != is_negated(c);
      goals_.push_back(gates_.atom(program_.next[static_cast<std::size_t>(fact)]) ^ (is_negated(c) ? 1u : 0u));
    }
    if (on != 1) return false;
    for (int depth = 1; depth <= 5; ++depth)
      if (proven(depth)) return true;
    return false;
  }

 private:
  static constexpr std::size_t kMaxFree = 12;

  bool is_control(std::uint32_t node) const {
    return std::any_of(turns_.control.begin(), turns_.control.end(), [&](Ref c) { return node_of(c) == node; });
  }

  // Which nodes depend on nothing but actions.
  void find_decided() {
    only_actions_.assign(gates_.num_nodes(), false);
    for (std::uint32_t node = 0; node < gates_.first_gate(); ++node)
      only_actions_[node] = node == 0 || node > program_.facts.size();
    for (const std::uint32_t node : gates_.order()) {
      const std::vector<Ref>& inputs = gates_.find(ref(node))->inputs;
      only_actions_[node] = !gates_.in_loop(node) &&
                            std::all_of(inputs.begin(), inputs.end(), [&](Ref r) { return only_actions_[node_of(r)]; });
    }
  }

  // Splits the formula's leaves into those that actions decide and those that may be anything.
  bool collect(std::uint32_t node, int depth) {
    if (node == 0 || is_control(node)) return true;
    auto& kind = only_actions_[node] ? decided_ : free_;
    const Gate* gate = gates_.find(ref(node));
    if (&kind == &free_ && gate && depth > 0 && !gates_.in_loop(node)) {
      for (const Ref input : gate->inputs)
        if (!collect(node_of(input), depth - 1)) return false;
      return true;
    }
    if (std::find(kind.begin(), kind.end(), node) == kind.end()) kind.push_back(node);
    return free_.size() <= kMaxFree;
  }

  bool proven(int depth) {
    free_.clear();
    decided_.clear();
    for (const Ref goal : goals_)
      if (!collect(node_of(goal), depth)) return false;
    find_cone();
    for (std::size_t role = 0; role < turns_.control.size(); ++role) {
      std::map<std::vector<bool>, bool> done;
      for (int i = 0; i < static_cast<int>(program_.actions[role].size()); ++i) {
        const int action = first_action_[role] + i;
        if (action == turns_.idle[role] && turns_.idle_to_move[role] == 0) continue;
        std::vector<bool> signature = signature_of(role, action);
        if (!done.emplace(signature, true).second) continue;
        for (std::uint32_t assignment = 0; assignment < (1u << free_.size()); ++assignment)
          if (!exactly_one(role, signature, assignment, depth)) return false;
      }
    }
    return true;
  }

  // The gates that decide the decided leaves, inputs first.
  void find_cone() {
    std::vector<bool> inside(gates_.num_nodes(), false);
    std::vector<std::uint32_t> todo(decided_);
    while (!todo.empty()) {
      const std::uint32_t node = todo.back();
      todo.pop_back();
      const Gate* gate = inside[node] ? nullptr : gates_.find(ref(node));
      inside[node] = true;
      if (!gate) continue;
      for (const Ref input : gate->inputs) todo.push_back(node_of(input));
    }
    cone_.clear();
    std::ranges::copy_if(gates_.order(), std::back_inserter(cone_), [&](std::uint32_t node) { return inside[node]; });
  }

  // The values of the decided leaves if `role` makes `action` and the others are idle.
  std::vector<bool> signature_of(std::size_t role, int action) {
    on_.assign(gates_.num_nodes(), false);
    for (std::size_t other = 0; other < turns_.idle.size(); ++other)
      on_[gates_.action_nodes()[static_cast<std::size_t>(other == role ? action : turns_.idle[other])]] = true;
    for (const std::uint32_t node : cone_) {
      const Gate& gate = *gates_.find(ref(node));
      const auto is_on = [&](Ref input) { return on_[node_of(input)] != is_negated(input); };
      on_[node] = gate.all ? std::ranges::all_of(gate.inputs, is_on) : std::ranges::any_of(gate.inputs, is_on);
    }
    std::vector<bool> out;
    for (const std::uint32_t node : decided_) out.push_back(on_[node]);
    return out;
  }

  bool exactly_one(std::size_t role, const std::vector<bool>& signature, std::uint32_t assignment, int depth) {
    int on = 0;
    for (const Ref goal : goals_) on += value(goal, role, signature, assignment, depth);
    return on == 1;
  }

  bool value(Ref r, std::size_t role, const std::vector<bool>& signature, std::uint32_t assignment, int depth) {
    const std::uint32_t node = node_of(r);
    bool on = false;
    if (node == 0) {
      on = false;
    } else if (is_control(node)) {
      for (std::size_t q = 0; q < turns_.control.size(); ++q)
        if (node_of(turns_.control[q]) == node) on = (q == role) != is_negated(turns_.control[q]);
    } else if (const auto d = std::find(decided_.begin(), decided_.end(), node); d != decided_.end()) {
      on = signature[static_cast<std::size_t>(d - decided_.begin())];
    } else if (const auto f = std::find(free_.begin(), free_.end(), node); f != free_.end()) {
      on = ((assignment >> (f - free_.begin())) & 1) != 0;
    } else {
      const Gate* gate = gates_.find(ref(node));
      on = gate->all;
      for (const Ref input : gate->inputs)
        if (value(input, role, signature, assignment, depth - 1) != gate->all) {
          on = !gate->all;
          break;
        }
    }
    return on != is_negated(r);
  }

  const Program& program_;
  const Gates& gates_;
  const Turns& turns_;
  std::vector<int> first_action_;
  int num_actions_ = 0;
  std::vector<Ref> goals_;
  std::vector<std::uint32_t> free_, decided_, cone_;
  std::vector<bool> only_actions_, on_;
};

// Whether one of the conditions says that it is another role's turn.
bool excluded(const std::vector<Ref>& conditions, const std::vector<Ref>& control, std::size_t role) {
  return std::any_of(conditions.begin(), conditions.end(), [&](Ref condition) {
    for (std::size_t other = 0; other < control.size(); ++other)
      if (other == role ? condition == (control[other] ^ 1) : condition == control[other]) return true;
    return false;
  });
}

}  // namespace

Turns find_turns(const Program& program, const Gates& gates) {
  Turns turns;
  std::vector<std::size_t> first_actions;
  int first = 0;
  for (const auto& legal : program.legal) {
    std::unordered_map<Ref, int> votes;
    std::vector<std::vector<Ref>> conditions;
    for (const int atom : legal) {
      conditions.push_back(gates.fact_conditions(gates.atom(atom)));
      for (const Ref condition : conditions.back()) ++votes[condition];
    }
    Ref control = kTrue;
    for (const auto& [condition, count] : votes)
      if (count == static_cast<int>(legal.size()) - 1 && (control == kTrue || condition < control)) control = condition;
    if (control == kTrue) return {};
    for (std::size_t i = 0; i < conditions.size(); ++i)
      if (std::find(conditions[i].begin(), conditions[i].end(), control) == conditions[i].end())
        turns.idle.push_back(first + static_cast<int>(i));
    turns.control.push_back(control);
    first_actions.push_back(static_cast<std::size_t>(first));
    first += static_cast<int>(legal.size());
  }
  if (turns.control.size() < 2) return {};
  for (std::size_t role = 0; role < turns.idle.size(); ++role) {
    const int atom = program.legal[role][static_cast<std::size_t>(turns.idle[role]) - first_actions[role]];
    const Ref legal = gates.atom(atom);
    if (legal == kTrue) return {};  // anyone may always be idle: nothing follows from whose turn it is
    turns.idle_to_move.push_back(excluded(gates.fact_conditions(legal), turns.control, role) ? 0 : atom);
  }
  return Proof(program, gates, turns).holds() ? turns : Turns{};
}

}  // namespace treewise::gdl
