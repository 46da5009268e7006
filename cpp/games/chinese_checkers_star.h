// The small star of Chinese checkers: sets of its 73 cells, their places, hops, and the six players' seats.
#pragma once

#include <array>
#include <cstdlib>

#include "base/bits.h"

namespace treewise::games::star {

constexpr int kCells = 73, kRows = 13, kPieces = 6;
constexpr int kNowhere = -1;

struct Cells {
  Bits low = 0, high = 0;

  static Cells of(int cell) { return cell < 64 ? Cells{bit(cell), 0} : Cells{0, bit(cell - 64)}; }
  bool has(int cell) const { return ((cell < 64 ? low : high) >> (cell & 63)) & 1; }
  bool any() const { return low | high; }
  int size() const { return count(low) + count(high); }
  int nth(int k) const {
    const int in_low = count(low);
    return k < in_low ? treewise::nth(low, k) : 64 + treewise::nth(high, k - in_low);
  }
  int pop() { return low ? treewise::pop(low) : 64 + treewise::pop(high); }
  Cells operator&(Cells o) const { return {low & o.low, high & o.high}; }
  Cells operator|(Cells o) const { return {low | o.low, high | o.high}; }
  Cells operator^(Cells o) const { return {low ^ o.low, high ^ o.high}; }
  Cells operator~() const { return {~low, ~high}; }
};

// "Offset" coordinates: odd rows are shifted half a cell to the right.
constexpr int kFirstColumn[kRows] = {5, 4, 4, 0, 1, 1, 2, 1, 1, 0, 4, 4, 5};
constexpr int kLength[kRows] = {1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1};
struct Place {
  int row, column;
};

inline int cell_at(Place p) {
  if (p.row < 0 || p.row >= kRows) return kNowhere;
  const int i = p.column - kFirstColumn[p.row];
  if (i < 0 || i >= kLength[p.row]) return kNowhere;
  int cell = i;
  for (int row = 0; row < p.row; ++row) cell += kLength[row];
  return cell;
}
inline Place place_of(int cell) {
  int row = 0;
  for (; cell >= kLength[row]; ++row) cell -= kLength[row];
  return {row, kFirstColumn[row] + cell};
}
// Axial coordinates around the centre (6, 5): neighbours differ by the same six steps everywhere.
struct Axial {
  int q, r;
};
inline Axial axial_of(Place p) {
  return {p.column - 2 - (p.row - (p.row & 1)) / 2, p.row - 6};
}
inline Place place_of(Axial a) {
  const int row = a.r + 6;
  return {row, a.q + 2 + (row - (row & 1)) / 2};
}
// The place a sixth of a turn clockwise.
inline Place turned(Place p) {
  const Axial a = axial_of(p);
  return place_of(Axial{-a.r, a.q + a.r});
}
inline int step_length(Place a, Place b) {
  return std::abs(a.row - b.row) + std::abs(a.column - b.column);
}

// Which cells of a small set are occupied, as a number.
inline Bits pattern_of(Cells occupied, Cells set) {
  return extract(occupied.low, set.low) | extract(occupied.high, set.high) << count(set.low);
}

// For the cell of a piece: the cells that are not farther from a goal.
using NearTable = std::array<Cells, kCells>;

// What one player sees: the top player's cells, turned to the player's triangle, and mirrored for odd ones.
struct Seat {
  Cells home, target;
  std::array<int, kPieces> goals;           // the target's cells from the tip on
  std::array<std::uint8_t, 64> first_goal;  // the first that is empty, or the tip, by the occupied cells of the target
  std::array<NearTable, kPieces> near;

  // Triangles are numbered clockwise from the top.
  explicit Seat(int triangle) {
    constexpr Place kGoals[kPieces] = {{12, 5}, {11, 4}, {11, 5}, {10, 4}, {10, 5}, {10, 6}};
    const bool mirrored = triangle % 2 == 1;
    std::array<Place, kCells> view;  // each cell as the player sees it from the top
    for (int cell = 0; cell < kCells; ++cell) {
      Place p = place_of(cell);
      for (int turn = (mirrored ? 9 - triangle : 6 - triangle) % 6; turn > 0; --turn) p = turned(p);
      if (mirrored) p.row = kRows - 1 - p.row;
      view[static_cast<std::size_t>(cell)] = p;
      if (p.row < 3) home = home | Cells::of(cell);
      if (p.row >= kRows - 3) target = target | Cells::of(cell);
      for (std::size_t g = 0; g < kPieces; ++g)
        if (p.row == kGoals[g].row && p.column == kGoals[g].column) goals[g] = cell;
    }
    for (std::size_t pattern = 0; pattern < 64; ++pattern) {
      std::size_t goal = 0;
      while (goal < kPieces && pattern >> pattern_place(goals[goal]) & 1) ++goal;
      first_goal[pattern] = static_cast<std::uint8_t>(goal % kPieces);
    }
    for (std::size_t g = 0; g < kPieces; ++g) {
      for (std::size_t a = 0; a < kCells; ++a) {
        for (std::size_t b = 0; b < kCells; ++b) {
          if (step_length(view[b], kGoals[g]) <= step_length(view[a], kGoals[g]))
            near[g][a] = near[g][a] | Cells::of(static_cast<int>(b));
        }
      }
    }
  }

 private:
  // Where a cell of the target stands in its pattern.
  int pattern_place(int cell) const {
    int place = 0;
    for (Cells before = target; before.any();) {
      if (before.pop() == cell) return place;
      ++place;
    }
    return place;
  }
};

// The neighbours of every cell, and hops.
struct Star {
  Cells board;
  std::array<Cells, kCells> neighbours;

  Star() {
    for (int cell = 0; cell < kCells; ++cell) {
      board = board | Cells::of(cell);
      find_neighbours(cell);
    }
  }
  void find_neighbours(int cell) {
    constexpr Axial kSteps[6] = {{0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}};
    const Axial at = axial_of(place_of(cell));
    Cells& around = neighbours[static_cast<std::size_t>(cell)];
    auto& [over, landings, low_over, low_landings] = hops_[static_cast<std::size_t>(cell)];
    for (const auto& [dq, dr] : kSteps) {
      const int near = cell_at(place_of({at.q + dq, at.r + dr}));
      if (near == kNowhere) continue;
      around = around | Cells::of(near);
      const int to = cell_at(place_of({at.q + 2 * dq, at.r + 2 * dr}));
      if (to == kNowhere) continue;
      over = over | Cells::of(near);
      landings = landings | Cells::of(to);
    }
    low_over = count(over.low);
    low_landings = count(landings.low);
  }
  // Where one hop leads from a cell. Its landings lie in the same order as what they are reached over.
  Cells landings_of(int cell, Cells occupied) const {
    const auto& [over, landings, low_over, low_landings] = hops_[static_cast<std::size_t>(cell)];
    const Bits pattern = extract(occupied.low, over.low) | extract(occupied.high, over.high) << low_over;
    return {deposit(pattern, landings.low), deposit(pattern >> low_landings, landings.high)};
  }

 private:
  struct Hops {
    Cells over, landings;
    int low_over = 0, low_landings = 0;  // how many of them are in the low word
  };
  std::array<Hops, kCells> hops_;
};

}  // namespace treewise::games::star
