// Numbers that describe a state for linear value functions (Ilhan and Etaner-Uyar, "Monte Carlo Tree Search with
// Temporal-Difference Learning for General Video Game Playing", section V-A): for each pair of visible types, the
// square of 1 - d / D, where d is the smallest distance between cells that they stand in, and D the grid's diagonal. A
// pair of which one has no sprites gets 0.
#pragma once

#include <span>

#include "vgdl/block.h"

namespace treewise::vgdl {

class Features {
 public:
  Features(const Program& program, const Tables& tables);

  int size() const { return static_cast<int>(types_.size() * (types_.size() - (types_.empty() ? 0 : 1)) / 2); }
  // The types whose pairs are looked at, ascending; (0, 1), (0, 2), (1, 2), (0, 3) … by their places here.
  const std::vector<int>& types() const { return types_; }
  void compute(const Block& block, bool shows_hidden, std::span<double> out) const;

 private:
  std::vector<int> types_;
  const Tables& tables_;
  std::vector<double> proximity_;  // of each squared distance in cells
};

}  // namespace treewise::vgdl
