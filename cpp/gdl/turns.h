// Whose turn it is, where the rules let it be proven, and which sets of actions hold exactly one that is made.
//
// Every role makes exactly one action a step. In games that take turns more is true: of all actions but the idle ones,
// exactly one is made. So "one of these actions is made" may also be asked as "none of the others is", whichever is
// shorter. That is what makes rules of the kind "every cell that no action touches stays as it is" cheap.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/gates.h"

namespace treewise::gdl {

// Sets of which exactly one is on in every step.
struct Turns {
  // Each role's fact (or absence of a fact) that says it is to move; empty if turns are not taken, or not provably.
  std::vector<Ref> control;
  std::vector<int> idle;          // of each role, the action of those that are not to move
  std::vector<int> idle_to_move;  // of each role, the atom that allows the same to the one to move; 0 if none does

  // Where that fails: sets of actions, of which exactly one is made in every step; time alone decides of whom.
  std::vector<std::vector<int>> phases;

  bool known() const { return !control.empty(); }
};

// `gates` of `program`. Actions are counted through all roles.
Turns find_turns(const Program& program, const Gates& gates);

std::vector<std::vector<int>> find_phases(const Program& program, const Gates& gates);

}  // namespace treewise::gdl
