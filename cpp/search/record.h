// The record of a finished simulation: made once, read by everything that learns.
#pragma once

#include <cmath>
#include <limits>

#include "game/game.h"
#include "search/scale.h"

namespace treewise {

constexpr double kNoQuality = std::numeric_limits<double>::quiet_NaN();

// Stands where the utilities of a playout that is cut off could be fixed: then they are what was collected so far.
constexpr double kCollected = std::numeric_limits<double>::quiet_NaN();

inline void cut_utilities(const State& state, const Values& cut, Values& out) {
  if (std::isnan(cut[0])) {
    state.returns(out);
  } else {
    out = cut;
  }
}

struct Record {
  const Trace* trace = nullptr;  // every step from the root on; empty unless a part asked for it
  int tree_steps = 0;            // how many of them lie in the tree
  int length = 0;                // steps from the root to the end; a joint action is one
  // The simulation itself came to a terminal state and `outcome` is that state's. False where it was cut off, where an
  // evaluator judged it, and where a proof said the result.
  bool finished = false;
  int winner = kNobody;             // who alone has the greatest outcome, if finished
  double raw_quality = kNoQuality;  // of the win, by the game's formula; kNoQuality unless a part asked for it
  Values outcome{};                 // the result on the scale [0, 1], unaltered
  Values base{};                    // what bonuses are added to: the outcome, or what a part has put in its place
  Values values{};                  // what is backed up: the base and the bonuses
  int num_players = 2;
  std::int64_t before = 0;  // simulations of this worker and run that came before
  double expected = 0;      // how many it will be in the end: infinite until one can say, 0 if one never can

  // Puts a player's result in place of its base; bonuses that have been added stay.
  void replace(std::size_t player, double result) {
    values[player] += result - base[player];
    base[player] = result;
  }
  double quality(bool clip) const { return clip ? HasQuality::clip(raw_quality) : raw_quality; }
  // Whether the first `share` of the expected simulations is over.
  bool past(double share) const { return share <= 0 || static_cast<double>(before) >= share * expected; }
};

}  // namespace treewise
