// What kind each gate of a circuit is: which are kept up to date, which are guarded, which are switched.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/gates.h"
#include "gdl/program.h"

namespace treewise::gdl {

class GateKinds {
 public:
  // `gates` in order; `outputs`: what is asked of the circuit in every state; `goals`: what is asked at the end.
  GateKinds(const Program& program, const Gates& gates, const std::vector<Ref>& outputs, const std::vector<Ref>& goals);

  bool is_kept(std::uint32_t node) const { return wanted_[node] == kAlways; }
  bool is_for_goals(std::uint32_t node) const { return wanted_[node] == kGoals; }
  bool is_guarded(std::uint32_t node) const { return guarded_[node]; }
  bool is_switched(std::uint32_t node) const { return switch_of_[node] != kFalse; }
  bool is_plain(std::uint32_t node) const { return !is_guarded(node) && !is_switched(node); }
  // Depends on actions.
  bool is_moved(std::uint32_t node) const { return moved_[node]; }
  // Of a switched gate: its switch, and the node of its fact.
  Ref switch_of(std::uint32_t node) const { return switch_of_[node]; }
  std::uint32_t fact_of(const Gate& gate) const { return node_of(gate.inputs[is_fact(gate.inputs[0]) ? 0 : 1]); }

 private:
  enum Wanted : std::uint8_t { kNever, kAlways, kGoals };

  void mark(const std::vector<Ref>& outputs, const std::vector<Ref>& goals);
  int goal_depth() const;
  void reach(std::uint32_t first, Wanted by);
  void find_guarded();
  void find_switched();
  Ref possible_switch(std::uint32_t node, const Gate& gate) const;
  bool is_fact(Ref r) const { return node_of(r) >= 1 && node_of(r) <= program_.facts.size(); }

  const Program& program_;
  const Gates& gates_;
  std::vector<Wanted> wanted_;
  std::vector<bool> moved_;
  std::vector<bool> guarded_;
  std::vector<Ref> switch_of_;  // kFalse for gates that are not switched
};

}  // namespace treewise::gdl
