// Lists of cells, and distances between them eight at a time, in grids where all distances are small numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "vgdl/distance.h"

namespace treewise::vgdl {

using Near = std::int16_t;  // a distance; or a column or row
constexpr Distance kMostNear = INT16_MAX;
constexpr std::size_t kNearLanes = 8;
using NearLanes = Near __attribute__((vector_size(kNearLanes * sizeof(Near))));
using CellLanes = std::uint16_t __attribute__((vector_size(kNearLanes * sizeof(std::uint16_t))));

inline NearLanes load_near(const Near* from) {
  NearLanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
inline NearLanes lesser(NearLanes a, NearLanes b) {
  return a < b ? a : b;
}
inline Near least(NearLanes lanes) {
  lanes = lesser(lanes, __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7, 0, 1, 2, 3));
  lanes = lesser(lanes, __builtin_shufflevector(lanes, lanes, 2, 3, 0, 1, 6, 7, 4, 5));
  return std::min<Near>(lanes[0], lanes[1]);
}

// One list after another. A cell may stand in a list several times.
class CellLists {
 public:
  struct List {
    std::size_t first = 0, size = 0;
    std::size_t padded() const { return (size + kNearLanes - 1) / kNearLanes * kNearLanes; }
  };

  void clear() { used_ = 0; }
  // Room for one more list, of at most so many cells: returns where they are to be written.
  std::uint16_t* open(std::size_t most) {
    const std::size_t needed = used_ + most + kNearLanes;
    if (needed > cells_.size()) {
      cells_.resize(2 * needed);
      columns_.resize(2 * needed);
      rows_.resize(2 * needed);
    }
    return cells_.data() + used_;
  }
  // What was written up to `end` is the list. It is filled up with one of its cells, so that it can be taken in blocks.
  List close(const std::uint16_t* end, const Grid& grid) {
    const List list{used_, static_cast<std::size_t>(end - (cells_.data() + used_))};
    if (list.size == 0) return list;
    std::fill(cells_.data() + used_ + list.size, cells_.data() + used_ + list.padded(), cells_[used_]);
    used_ += list.padded();
    for (std::size_t i = list.first; i < used_; i += kNearLanes) {
      CellLanes cells;
      std::memcpy(&cells, &cells_[i], sizeof cells);
      const CellLanes columns = cells & grid.last_column(), rows = cells >> grid.row_bits();
      std::memcpy(&columns_[i], &columns, sizeof columns);
      std::memcpy(&rows_[i], &rows, sizeof rows);
    }
    return list;
  }

  std::span<const std::uint16_t> cells(const List& list) const { return {cells_.data() + list.first, list.size}; }

  // From a cell to a list that is not empty.
  Near nearest(Near column, Near row, const List& many) const {
    NearLanes best = NearLanes{} + static_cast<Near>(kMostNear);
    for (std::size_t j = many.first; j < many.first + many.padded(); j += kNearLanes) {
      const NearLanes across = load_near(columns_.data() + j) - column, down = load_near(rows_.data() + j) - row;
      best = lesser(best, across * across + down * down);
    }
    return least(best);
  }
  // Between two lists, neither of them empty.
  Near nearest(const List& few, const List& many) const {
    NearLanes best = NearLanes{} + static_cast<Near>(kMostNear);
    for (std::size_t j = many.first; j < many.first + many.padded(); j += kNearLanes) {
      const NearLanes columns = load_near(columns_.data() + j), rows = load_near(rows_.data() + j);
      for (std::size_t i = few.first; i < few.first + few.size; ++i) {
        const NearLanes across = columns - columns_[i], down = rows - rows_[i];
        best = lesser(best, across * across + down * down);
      }
    }
    return least(best);
  }

 private:
  std::size_t used_ = 0;
  std::vector<std::uint16_t> cells_;
  std::vector<Near> columns_, rows_;
};

}  // namespace treewise::vgdl
