#include "gdl/gate_kinds.h"

#include <algorithm>
#include <unordered_map>

namespace treewise::gdl {

namespace {

constexpr int kMaxGoalDepth = 500;  // goals are worked out by calls within calls, which must not run out of stack

// The facts that are tied to one gate by gates of two inputs.
struct Fan {
  int facts = 0, initially = 0;
  bool is_wide() const { return facts >= 16 && initially <= facts / 8; }
};

}  // namespace

GateKinds::GateKinds(const Program& program, const Gates& gates, const std::vector<Ref>& outputs,
                     const std::vector<Ref>& goals)
    : program_(program),
      gates_(gates),
      wanted_(gates.num_nodes(), kNever),
      moved_(gates.num_nodes(), false),
      guarded_(gates.num_nodes(), false),
      switch_of_(gates.num_nodes(), kFalse) {
  mark(outputs, goals);
  find_guarded();
  if (gates.loops().empty()) find_switched();
}

// Which gates must always be up to date, and which only goals need.
void GateKinds::mark(const std::vector<Ref>& outputs, const std::vector<Ref>& goals) {
  for (const Ref output : outputs) reach(node_of(output), kAlways);
  for (const Ref goal : goals) reach(node_of(goal), kGoals);
  // What a loop needs is always kept up to date, so that goals are worked out without going in circles.
  for (std::uint32_t node = 0; node < wanted_.size(); ++node)
    if (is_for_goals(node) && gates_.in_loop(node)) reach(node, kAlways);
  if (goal_depth() > kMaxGoalDepth)
    for (std::uint32_t node = 0; node < wanted_.size(); ++node)
      if (is_for_goals(node)) reach(node, kAlways);
}

int GateKinds::goal_depth() const {
  std::vector<int> depth(gates_.num_nodes(), 0);
  int deepest = 0;
  for (const std::uint32_t node : gates_.order()) {
    if (!is_for_goals(node)) continue;
    for (const Ref input : gates_.find(ref(node))->inputs)
      depth[node] = std::max(depth[node], depth[node_of(input)] + 1);
    deepest = std::max(deepest, depth[node]);
  }
  return deepest;
}

void GateKinds::reach(std::uint32_t first, Wanted by) {
  std::vector<std::uint32_t> todo{first};
  while (!todo.empty()) {
    const std::uint32_t node = todo.back();
    todo.pop_back();
    if (is_kept(node) || wanted_[node] == by) continue;
    wanted_[node] = by;
    if (const Gate* gate = gates_.find(ref(node)))
      for (const Ref input : gate->inputs) todo.push_back(node_of(input));
  }
}

// Which gates are off whenever nobody acts, and of these, which have inputs that no action changes.
void GateKinds::find_guarded() {
  std::vector<bool> pulse(gates_.num_nodes(), false);
  for (std::size_t node = 1 + program_.facts.size(); node < gates_.first_gate(); ++node)
    pulse[node] = moved_[node] = true;
  const auto is_pulse = [&](Ref r) { return pulse[node_of(r)] && !is_negated(r); };
  for (const std::vector<std::uint32_t>& loop : gates_.loops())
    for (const std::uint32_t node : loop) moved_[node] = true;  // to be safe
  for (const std::uint32_t node : gates_.order()) {
    const Gate& gate = *gates_.find(ref(node));
    const auto begin = gate.inputs.begin(), end = gate.inputs.end();
    const bool looped = gates_.in_loop(node);
    moved_[node] = looped || std::any_of(begin, end, [&](Ref r) { return moved_[node_of(r)]; });
    pulse[node] = !looped && (gate.all ? std::any_of(begin, end, is_pulse) : std::all_of(begin, end, is_pulse));
    guarded_[node] =
        is_kept(node) && gate.all && pulse[node] && std::any_of(begin, end, [&](Ref r) { return !moved_[node_of(r)]; });
  }
}

// Gates that are one fact and one gate, where that gate has many of them and few of the facts are true at a time.
void GateKinds::find_switched() {
  std::unordered_map<std::uint32_t, Fan> fans;
  gates_.for_each([&](std::uint32_t node, const Gate& gate) {
    const Ref other = possible_switch(node, gate);
    if (other == kFalse) return;
    Fan& fan = fans[node_of(other)];
    const int fact = static_cast<int>(fact_of(gate)) - 1;
    ++fan.facts;
    fan.initially += std::binary_search(program_.initial.begin(), program_.initial.end(), fact);
  });
  gates_.for_each([&](std::uint32_t node, const Gate& gate) {
    const Ref other = possible_switch(node, gate);
    if (other == kFalse || !fans[node_of(other)].is_wide()) return;
    switch_of_[node] = other;
    guarded_[node] = false;
  });
}

// The gate beside the fact, if the gate is no more than these two.
Ref GateKinds::possible_switch(std::uint32_t node, const Gate& gate) const {
  if (!is_kept(node) || !gate.all || gate.inputs.size() != 2) return kFalse;
  const bool first = is_fact(gate.inputs[0]), second = is_fact(gate.inputs[1]);
  if (first == second || is_negated(gate.inputs[first ? 0 : 1])) return kFalse;
  const Ref other = gate.inputs[first ? 1 : 0];
  return gates_.find(other) ? other : kFalse;
}

}  // namespace treewise::gdl
