// First play: what to believe of a child that no simulation has visited.
#pragma once

#include <limits>
#include <memory>

#include "search/part.h"
#include "search/selection/selection.h"

namespace treewise {

class FirstPlay {
 public:
  virtual ~FirstPlay() = default;
  // Of the children of a node (whose own `first_play` is not known yet), on the scale [0, 1].
  virtual double value(const Children& children) const = 0;
  // Unvisited children come before all others, in the order of the edges.
  virtual bool is_infinite() const { return false; }
};

std::shared_ptr<const FirstPlay> make_first_play(const PartSpec& spec);

}  // namespace treewise
