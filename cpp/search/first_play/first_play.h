// First play: what to believe of a child that no simulation has visited.
#pragma once

#include <limits>
#include <memory>

#include "search/part.h"

namespace treewise {

class FirstPlay {
 public:
  virtual ~FirstPlay() = default;
  // `parent_value` is the mean of the node for the player who chooses there, on the scale [0, 1].
  virtual double value(double parent_value) const = 0;
  // Unvisited children come before all others, in the order of the edges.
  virtual bool is_infinite() const { return false; }
};

std::shared_ptr<const FirstPlay> make_first_play(const PartSpec& spec);

}  // namespace treewise
