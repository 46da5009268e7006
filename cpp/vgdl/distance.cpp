#include "vgdl/distance.h"

#include <algorithm>

namespace treewise::vgdl {

namespace {

constexpr int kNobody = INT32_MAX;

}  // namespace

// Rows of up to 64 cells.
std::uint64_t Grid::word_of_row(const std::uint64_t* set, int row) const {
  const std::size_t first = static_cast<std::size_t>(row) << row_bits_;
  return (set[first / 64] >> (first % 64)) & (~std::uint64_t{0} >> (64 - stride_));
}

// Where the nearest cell of a row is, seen from a column: negative to the left; kNobody if the row is empty.
int Grid::along_row(const std::uint64_t* set, int row, int column) const {
  if (fits_word()) {
    const std::uint64_t bits = word_of_row(set, row);
    if (bits == 0) return kNobody;
    const int right = std::countr_zero(bits >> column), left = std::countl_zero(bits << (63 - column));
    return left < right ? -left : right;
  }
  const std::uint64_t* words = set + (static_cast<std::size_t>(row) << row_bits_) / 64;
  const int num_words = static_cast<int>(stride_ / 64), own = column / 64, bit = column % 64;
  int best = kNobody;
  for (int w = own; w < num_words && best == kNobody; ++w)
    if (const std::uint64_t bits = w == own ? words[w] >> bit << bit : words[w])
      best = 64 * w + std::countr_zero(bits) - column;
  for (int w = own; w >= 0; --w)
    if (const std::uint64_t bits = w == own ? words[w] << (63 - bit) >> (63 - bit) : words[w]) {
      const int left = column - (64 * w + 63 - std::countl_zero(bits));
      return left < best ? -left : best;
    }
  return best;
}

Distance Grid::nearest(std::size_t cell, const std::uint64_t* set, Distance best, std::size_t* found) const {
  const int x = column(cell), y = row(cell);
  const auto look = [&](int other) {
    const int along = along_row(set, other, x);
    if (along == kNobody || square(along) + square(other - y) >= best) return;
    best = square(along) + square(other - y);
    if (found) *found = (static_cast<std::size_t>(other) << row_bits_) + static_cast<std::size_t>(x + along);
  };
  look(y);
  for (int d = 1; square(d) < best && (d <= y || y + d < height_); ++d) {
    if (d <= y) look(y - d);
    if (y + d < height_) look(y + d);
  }
  return best;
}

Distance Grid::nearest(const std::uint64_t* a, const std::uint64_t* b) const {
  Distance best = kNever;
  if (!fits_word()) {
    each(a, [&](std::size_t cell) {
      best = nearest(cell, b, best);
      return best <= 1;
    });
    return best;
  }
  // Two rows at a time, near ones first; one is widened until it meets the other or comes too late.
  const auto compare = [&](std::uint64_t one, std::uint64_t other, Distance apart) {
    if (one == 0 || other == 0) return;
    for (int d = 0; d < 64 && square(d) + apart < best; ++d)
      if (((one << d) | (one >> d)) & other) best = square(d) + apart;
  };
  for (int d = 0; d < height_ && square(d) < best; ++d)
    for (int y = 0; y + d < height_; ++y) {
      compare(word_of_row(a, y), word_of_row(b, y + d), square(d));
      if (d > 0) compare(word_of_row(a, y + d), word_of_row(b, y), square(d));
    }
  return best;
}

bool Grid::meet(const std::uint64_t* a, const std::uint64_t* b) const {
  std::uint64_t both = 0;
  for (std::size_t w = 0; w < num_words_; ++w) both |= a[w] & b[w];
  return both != 0;
}

int Grid::count(const std::uint64_t* set) const {
  int n = 0;
  for (std::size_t w = 0; w < num_words_; ++w) n += std::popcount(set[w]);
  return n;
}

}  // namespace treewise::vgdl
