// The record of a finished simulation: made once, read by everything that learns.
#pragma once

#include "base/types.h"

namespace treewise {

struct Record {
  const Trace* trace = nullptr;  // every step from the root on; empty unless a part asked for it
  int tree_steps = 0;            // how many of them lie in the tree
  int length = 0;                // steps from the root to the end
  bool finished = false;         // reached a terminal state, not cut off
  Values outcome{};              // the result on the scale [0, 1], unaltered
  Values values{};               // what is backed up: the outcome and the bonuses
  int num_players = 2;
};

// The scale on which the tree keeps values: 0 is the least utility of the game and 1 the greatest, so that
// one exploration constant means the same in every game.
struct Scale {
  double low = -1, range = 2;
  double to_unit(double utility) const { return (utility - low) / range; }
  double to_utility(double unit) const { return low + unit * range; }
};

}  // namespace treewise
