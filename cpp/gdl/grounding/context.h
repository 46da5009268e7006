// Gates that only matter while a fact holds are kept still while it does not.
//
// Where all who ask for an atom ask for the same fact besides ("the king stands here, and nothing threatens it here"),
// the atom may as well be false without that fact. Then what it asks for in turn is looked at through the fact, too, so
// that changes far from it end at the first gate, in place of running through all that hangs on them.
#pragma once

#include <span>
#include <vector>

#include "gdl/grounding/budget.h"

namespace treewise::gdl {

struct Still {
  std::vector<int> heads, starts, body;
  int num_atoms = 0;
};
// The same program for those who read the `outputs`. At most one atom of `share` is looked at through one fact.
Still keep_still(std::size_t num_atoms, std::span<const int> heads, std::span<const int> starts,
                 std::span<const int> body, std::span<const int> outputs, std::span<const int> facts, std::size_t share,
                 Budget& budget);

}  // namespace treewise::gdl
