// The scale on which the tree keeps values: 0 is the least utility of the game and 1 the greatest, so that one
// exploration constant means the same in every game.
#pragma once

namespace treewise {

struct Scale {
  double low = -1, range = 2;
  double to_unit(double utility) const { return (utility - low) / range; }
  double to_utility(double unit) const { return low + unit * range; }
};

}  // namespace treewise
