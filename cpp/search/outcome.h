// What the playouts from one leaf gave, added up.
#pragma once

#include "base/types.h"

namespace treewise {

// The results of the `weight` playouts from one leaf: for each player their sum and the sum of their squares,
// on the scale [0, 1].
struct Outcome {
  Values sum{};
  Values squares{};
  int weight = 0;

  void add(const Values& values, int num_players) {
    for (std::size_t p = 0; p < static_cast<std::size_t>(num_players); ++p) {
      sum[p] += values[p];
      squares[p] += values[p] * values[p];
    }
    ++weight;
  }
};

}  // namespace treewise
