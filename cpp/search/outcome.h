// What the playouts from one leaf gave, added up.
#pragma once

#include "search/record.h"

namespace treewise {

// The results of the `weight` playouts from one leaf: for each player their sum and the sum of their squares,
// on the scale [0, 1], which bonuses may leave; and the sum without bonuses, which proofs are compared with.
struct Outcome {
  Values sum{};
  Values squares{};
  Values unaltered{};
  int weight = 0;

  void add(const Record& record) {
    for (std::size_t p = 0; p < static_cast<std::size_t>(record.num_players); ++p) {
      sum[p] += record.values[p];
      squares[p] += record.values[p] * record.values[p];
      unaltered[p] += record.outcome[p];
    }
    ++weight;
  }
};

}  // namespace treewise
