// Distances in cells, squared, between sets of cells.
#pragma once

#include <bit>
#include <cstdint>

#include "vgdl/tables.h"

namespace treewise::vgdl {

using Distance = std::uint32_t;
constexpr Distance kNever = UINT32_MAX;  // one of the sets is empty

// The shape of sets: rows of cells, each filled up to a power of two.
class Grid {
 public:
  explicit Grid(const Tables& tables)
      : height_(tables.height), row_bits_(tables.row_bits), stride_(tables.stride), num_words_(tables.num_words) {}

  int row(std::size_t cell) const { return static_cast<int>(cell >> row_bits_); }
  int column(std::size_t cell) const { return static_cast<int>(cell & (stride_ - 1)); }
  // The same for cells in lanes, in levels with few enough of them: cell & last_column, cell >> row_bits.
  std::uint16_t last_column() const { return static_cast<std::uint16_t>(stride_ - 1); }
  std::uint16_t row_bits() const { return static_cast<std::uint16_t>(row_bits_); }
  Distance between(std::size_t a, std::size_t b) const {
    return square(column(a) - column(b)) + square(row(a) - row(b));
  }

  // From a cell to a set, or `best` if that is not more. `found`: which cell that is.
  Distance nearest(std::size_t cell, const std::uint64_t* set, Distance best, std::size_t* found = nullptr) const;
  // Between two sets of some cells that have none in common.
  Distance nearest(const std::uint64_t* a, const std::uint64_t* b) const;
  bool meet(const std::uint64_t* a, const std::uint64_t* b) const;

  // Calls `see` with each cell of a set until it says that this is enough.
  template <class See>
  void each(const std::uint64_t* set, See see) const {
    for (std::size_t w = 0; w < num_words_; ++w)
      for (std::uint64_t bits = set[w]; bits; bits &= bits - 1)
        if (see(64 * w + static_cast<std::size_t>(std::countr_zero(bits)))) return;
  }
  int count(const std::uint64_t* set) const;

  static Distance square(int x) { return static_cast<Distance>(x) * static_cast<Distance>(x); }

 private:
  bool fits_word() const { return stride_ <= 64; }
  std::uint64_t word_of_row(const std::uint64_t* set, int row) const;
  int along_row(const std::uint64_t* set, int row, int column) const;

  int height_, row_bits_;
  std::size_t stride_, num_words_;
};

}  // namespace treewise::vgdl
