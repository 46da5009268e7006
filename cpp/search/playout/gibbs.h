// Drawing by the Gibbs distribution, exp(value / temperature).
#pragma once

#include <cmath>
#include <vector>

#include "base/rng.h"

namespace treewise {

class GibbsDraw {
 public:
  explicit GibbsDraw(double temperature) : temperature_(temperature) {}

  // The index of one of the values; `greatest` is theirs, which is taken from all so that nothing overflows.
  std::size_t operator()(const std::vector<float>& values, float greatest, Rng& rng) {
    sums_.clear();
    double total = 0;
    for (const float value : values)
      sums_.push_back(total += std::exp(static_cast<double>(value - greatest) / temperature_));
    const double u = rng.uniform() * total;
    std::size_t i = 0;
    while (i + 1 < sums_.size() && sums_[i] <= u) ++i;
    return i;
  }

 private:
  double temperature_;
  std::vector<double> sums_;
};

}  // namespace treewise
