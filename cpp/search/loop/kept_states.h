// Closed loop: the states that edges led to when they were first tried.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "game/game.h"
#include "tree/tree.h"

namespace treewise {

// Of one tree that is never rerooted. Its states count against the tree's memory; at the cap no more are kept. The
// objects are used again after `clear`, since copying into a state is cheaper than making one.
class KeptStates {
 public:
  const State* find(EdgeId edge) const {
    return edge < places_.size() && places_[edge] != 0 ? states_[places_[edge] - 1].get() : nullptr;
  }
  void keep(EdgeId edge, const State& state, Tree& tree);
  void clear();

 private:
  std::vector<std::uint32_t> places_;  // by edge: one more than the place in `states_`, or 0
  std::vector<std::unique_ptr<State>> states_;
  std::size_t used_ = 0;
};

}  // namespace treewise
