// Queens among blocked squares on boards of up to 10x10: where they can go, counted by four table lookups.
#pragma once

#include <array>
#include <cstring>

#include "base/bits.h"
#include "base/rng.h"

namespace treewise::queens {

inline constexpr int kMaxSize = 10;
inline constexpr std::uint64_t kOnes = 0x0101010101010101, kTops = 0x8080808080808080;

// Squares are 16 * row + column.
inline constexpr int kSteps[8] = {1, -1, 16, -16, 17, -17, -15, 15};

// sight[place][blocked]: how far one sees in a line of ten from `place`, upwards and, eight bits higher,
// downwards.
using Sight = std::array<std::array<std::uint16_t, 1 << kMaxSize>, kMaxSize>;
inline constexpr Sight kSight = [] {
  Sight sight{};
  for (unsigned place = 0; place < kMaxSize; ++place) {
    for (unsigned blocked = 0; blocked < 1 << kMaxSize; ++blocked) {
      unsigned up = 0, down = 0;
      while (place + up + 1 < kMaxSize && !(blocked >> (place + up + 1) & 1)) ++up;
      while (down < place && !(blocked >> (place - down - 1) & 1)) ++down;
      sight[place][blocked] = static_cast<std::uint16_t>(up | down << 8);
    }
  }
  return sight;
}();

// Where a queen can go from a square: in each byte the number of free squares in one direction of kSteps.
struct Reach {
  int from = 0;
  std::uint64_t sums = 0;  // running sums of the eight counts

  int total() const { return static_cast<int>(sums >> 56); }
  // The free squares in the direction whose byte starts at bit `shift`.
  std::uint64_t count(int shift) const { return (sums - (sums << 8)) >> shift & 0xff; }
  // The direction of the k-th square, k < total(), as the bit where its byte starts.
  int direction(int k) const {
    const std::uint64_t passed = ((static_cast<std::uint64_t>(k) * kOnes | kTops) - sums) & kTops;
    return std::countr_zero(passed ^ kTops) & ~7;
  }
  int square(int k) const {
    const int shift = direction(k);
    const int before = static_cast<int>((sums << 8) >> shift & 0xff);
    return from + kSteps[shift / 8] * (k - before + 1);
  }
  int sample(Rng& rng) const { return square(static_cast<int>(rng.below(static_cast<std::uint32_t>(total())))); }
};

// The blocked squares of every row, column and diagonal, each line a word. Rows have the bits past the board
// set and a full row on either side, so that a square's neighbours are one load away.
class Lines {
 public:
  explicit Lines(int size) {
    for (int i = 0; i < kLines; ++i) words_[i] = i < kColumns ? 0xffff : (1 << kMaxSize) - 1;
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) flip(16 * row + column);
  }
  void flip(int square) {
    const int row = square >> 4, column = square & 15;
    const auto b = static_cast<std::uint16_t>(1u << column);
    words_[kRows + row] ^= b;
    words_[kColumns + column] ^= static_cast<std::uint16_t>(1u << row);
    words_[kFalling + column - row] ^= b;
    words_[kRising + column + row] ^= b;
  }
  bool blocked(int square) const { return words_[kRows + (square >> 4)] >> (square & 15) & 1; }
  bool has_free_neighbour(int square) const { return free_neighbours(square) != 0; }
  // Three bits in each of three rows of sixteen, around the square.
  std::uint64_t free_neighbours(int square) const {
    std::uint64_t rows;
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&rows, &words_[kRows - 1 + (square >> 4)], sizeof rows);
    return ~((rows << 1 | 1) >> (square & 15)) & 0x0000000700050007;
  }
  Reach reach(int square) const {
    const auto row = static_cast<std::size_t>(square >> 4), column = static_cast<std::size_t>(square & 15);
    const auto& across = kSight[column];
    const std::uint64_t counts = std::uint64_t{across[words_[kRows + row] & ((1u << kMaxSize) - 1)]} |
                                 std::uint64_t{kSight[row][words_[kColumns + column]]} << 16 |
                                 std::uint64_t{across[words_[kFalling + column - row]]} << 32 |
                                 std::uint64_t{across[words_[kRising + column + row]]} << 48;
    return {square, counts * kOnes};
  }
  // Where an amazon may shoot after its k-th move: also back over the square that it left.
  Reach shots(const Reach& moves, int k) const {
    Reach shots = reach(moves.square(k));
    const int back = moves.direction(k) ^ 8;
    shots.sums += ((moves.count(back) + 1) << back) * kOnes;
    return shots;
  }
  std::uint64_t hash() const {
    std::uint64_t key = 0, word;
    // The last load ends in the padding row and a column's word.
    for (int row = 0; row < kMaxSize; row += 4) {
      std::memcpy(&word, &words_[kRows + row], sizeof word);
      key = mix(key, word);
    }
    return key;
  }

 private:
  static constexpr int kRows = 1, kColumns = 12, kFalling = 22 + 9, kRising = 41, kLines = 60;
  std::uint16_t words_[kLines];
};

}  // namespace treewise::queens
