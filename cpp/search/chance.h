// Drawing an outcome at a chance state through the virtual contract.
#pragma once

#include "game/game.h"

namespace treewise {

// The index of an entry drawn by weights that sum to one (up to rounding).
template <class Weights>
std::size_t draw_index(const Weights& weights, Rng& rng) {
  double u = rng.uniform();
  std::size_t i = 0;
  for (; i + 1 < weights.size(); ++i) {
    if (u < static_cast<double>(weights[i])) break;
    u -= static_cast<double>(weights[i]);
  }
  return i;
}

inline Action sample_outcome(const State& state, Rng& rng, ActionList& list, std::vector<double>& probabilities) {
  state.legal_actions(list);
  dynamic_cast<const HasChance&>(state).chance_probabilities(probabilities);
  return list[draw_index(probabilities, rng)];
}

}  // namespace treewise
