// The board of Go and its chains, kept up to date stone by stone. It knows captures and eyes; turns, ko and
// the end of a match are the rules' (go.cpp).
//
// Points lie in rows of N + 1 cells with a border above, below and between the rows, so that the four
// neighbours of a point always exist and shifts of a set never run into the next row:
//
//     index = (row + 1) * (N + 1) + column        row 0 is the top
//
// Every point has a chain, and every chain a count of liberties in which a liberty counts once for each stone
// it touches ("pseudo-liberties": zero exactly when the chain has none). An empty point is a chain of its own
// whose liberties are its empty neighbours. So a stone takes one off the count of each neighbour's chain,
// whatever stands there, and finds its own count ready. A chain's name is the point of its latest stone;
// joining renames cells in one pass over the array, which the compiler turns into a few vector instructions.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "base/bits.h"

namespace treewise::games {

// A set of up to 64 * W points; what does not fit falls off both ends of a shift.
template <int W>
struct PointSet {
  Bits words[W] = {};

  bool has(int p) const { return words[p >> 6] >> (p & 63) & 1; }
  void add(int p) { words[p >> 6] |= bit(p & 63); }
  void remove(int p) { words[p >> 6] &= ~bit(p & 63); }
  bool empty() const {
    Bits any = 0;
    for (int i = 0; i < W; ++i) any |= words[i];
    return any == 0;
  }
  int size() const {
    int total = 0;
    for (int i = 0; i < W; ++i) total += count(words[i]);
    return total;
  }
  // The k-th point, k from 0; k < size().
  int select(int k) const {
    if constexpr (W == 2) {
      const int low = count(words[0]);
      const bool high = k >= low;
      const Bits mask = -Bits{high};
      return (high << 6) +
             nth(words[0] ^ ((words[0] ^ words[1]) & mask), k - (low & -static_cast<int>(high)));
    }
    int i = 0;
    for (; i < W - 1; ++i) {
      const int here = count(words[i]);
      if (k < here) break;
      k -= here;
    }
    return 64 * i + nth(words[i], k);
  }
  template <class Visit>
  void each(Visit visit) const {
    for (int i = 0; i < W; ++i)
      for (Bits b = words[i]; b;) visit(64 * i + pop(b));
  }

  // Towards higher indices, 0 < distance < 64.
  template <int distance>
  PointSet up() const {
    PointSet out;
    out.words[0] = words[0] << distance;
    for (int i = 1; i < W; ++i) out.words[i] = words[i] << distance | words[i - 1] >> (64 - distance);
    return out;
  }
  template <int distance>
  PointSet down() const {
    PointSet out;
    for (int i = 0; i < W - 1; ++i) out.words[i] = words[i] >> distance | words[i + 1] << (64 - distance);
    out.words[W - 1] = words[W - 1] >> distance;
    return out;
  }

  friend PointSet operator&(PointSet a, const PointSet& b) {
    for (int i = 0; i < W; ++i) a.words[i] &= b.words[i];
    return a;
  }
  friend PointSet operator|(PointSet a, const PointSet& b) {
    for (int i = 0; i < W; ++i) a.words[i] |= b.words[i];
    return a;
  }
  friend PointSet operator~(PointSet a) {
    for (int i = 0; i < W; ++i) a.words[i] = ~a.words[i];
    return a;
  }
  friend bool operator==(const PointSet&, const PointSet&) = default;
};

// Boards up to N x N.
template <int N>
struct GoBoard {
  static constexpr int kStride = N + 1;
  static constexpr int kWords = ((N + 1) * kStride + N + 63) / 64;
  static constexpr int kCells = 64 * kWords;
  using Set = PointSet<kWords>;
  using Point = std::conditional_t<(kCells <= 256), std::uint8_t, std::uint16_t>;
  // A count of liberties is at most the number of pairs of neighbours on the board.
  using Count = std::conditional_t<(2 * N * (N - 1) < 256), std::uint8_t, std::uint16_t>;
  enum Colour : std::uint8_t { kBlack, kWhite, kEmpty, kBorder };

  static constexpr int point(int row, int column) { return (row + 1) * kStride + column; }
  static constexpr std::array<int, 4> neighbours(int p) { return {p - kStride, p - 1, p + 1, p + kStride}; }

  Set empty;
  Set stones[2];
  Colour colour[kCells];
  Count liberties[kCells];  // by name of chain
  Point chain[kCells];      // the border's is cell 0, whose count means nothing

  explicit GoBoard(int size) {
    for (int p = 0; p < kCells; ++p) colour[p] = kBorder, chain[p] = 0, liberties[p] = 0;
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) {
        const int p = point(row, column);
        empty.add(p);
        colour[p] = kEmpty;
        chain[p] = static_cast<Point>(p);
        liberties[p] = static_cast<Count>((row > 0) + (column > 0) + (row < size - 1) + (column < size - 1));
      }
  }

  // What a stone at an empty point would meet.
  struct Touch {
    Point chain[4];   // of the neighbours
    Count left[4];    // their liberties once the stone stands
    bool repeats[4];  // this chain has come before in the list
    bool own[4], taken[4];
    bool captures;  // some chain of the other player loses its last liberty
    bool lives;     // an empty neighbour, or an own chain that keeps a liberty
    bool joins() const { return own[0] | own[1] | own[2] | own[3]; }
  };
  [[gnu::always_inline]] Touch touch(int p, int player) const {
    Touch t;
    const auto around = neighbours(p);
    bool same[4][4];
    for (int i = 0; i < 4; ++i) t.chain[i] = chain[around[static_cast<std::size_t>(i)]];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j) same[i][j] = same[j][i] = t.chain[i] == t.chain[j];
    t.captures = false;
    t.lives = liberties[p] != 0;
    for (int i = 0; i < 4; ++i) {
      int lost = 1;
      t.repeats[i] = false;
      for (int j = 0; j < 4; ++j) {
        if (j != i) lost += same[i][j];
        if (j < i) t.repeats[i] |= same[i][j];
      }
      t.left[i] = static_cast<Count>(liberties[t.chain[i]] - lost);
      const Colour c = colour[around[static_cast<std::size_t>(i)]];
      t.own[i] = c == player;
      t.taken[i] = (c == (player ^ 1)) & (t.left[i] == 0);
      t.captures |= t.taken[i];
      t.lives |= t.own[i] & (t.left[i] != 0);
    }
    return t;
  }

  // Puts a stone where `touch` was taken; calls `fallen(point)` for each stone captured and returns how many.
  template <class Fallen>
  [[gnu::always_inline]] int place(int p, int player, const Touch& t, Fallen fallen) {
    empty.remove(p);
    stones[player].add(p);
    colour[p] = static_cast<Colour>(player);
    int total = liberties[p];
    Point joined[4];
    for (int i = 0; i < 4; ++i) {
      liberties[t.chain[i]] = t.left[i];
      total += t.left[i] & -static_cast<int>(t.own[i] & !t.repeats[i]);
      joined[i] = static_cast<Point>(p ^ ((p ^ t.chain[i]) & -static_cast<int>(t.own[i])));
    }
    liberties[p] = static_cast<Count>(total);
    if (t.joins()) rename(joined, static_cast<Point>(p));
    int captured = 0;
    if (t.captures) {
      const auto around = neighbours(p);
      for (int i = 0; i < 4; ++i)
        if (t.taken[i] & !t.repeats[i]) captured += remove(around[static_cast<std::size_t>(i)], fallen);
    }
    return captured;
  }

  void rename(const Point (&from)[4], Point to) {
    const Point a = from[0], b = from[1], c = from[2], d = from[3];
    for (int q = 0; q < kCells; ++q) {
      const Point name = chain[q];
      chain[q] = (name == a) | (name == b) | (name == c) | (name == d) ? to : name;
    }
  }

  // Takes the chain of the stone at p off the board.
  template <class Fallen>
  int remove(int p, Fallen fallen) {
    const Colour owner = colour[p];
    Point list[kCells];
    int size = 1;
    list[0] = static_cast<Point>(p);
    colour[p] = kEmpty;
    for (int i = 0; i < size; ++i)
      for (const int q : neighbours(list[i]))
        if (colour[q] == owner) {
          colour[q] = kEmpty;
          list[size++] = static_cast<Point>(q);
        }
    for (int i = 0; i < size; ++i) {
      const int q = list[i];
      stones[owner].remove(q);
      empty.add(q);
      chain[q] = static_cast<Point>(q);
      liberties[q] = 0;
      fallen(q);
    }
    for (int i = 0; i < size; ++i)
      for (const int q : neighbours(list[i])) ++liberties[chain[q]];
    return size;
  }

  // The player's single-point eyes: empty, all neighbours own or border, and at most one diagonal point (none
  // at the edge) the other player's.
  [[gnu::always_inline]] Set eyes(int player, const Set& board, const Set& edge) const {
    const Set wall = stones[player] | ~board;
    const Set inside = empty & wall.template up<1>() & wall.template down<1>() & wall.template up<kStride>() &
                       wall.template down<kStride>();
    const Set& other = stones[player ^ 1];
    const Set a = other.template up<kStride - 1>(), b = other.template up<kStride + 1>();
    const Set c = other.template down<kStride - 1>(), d = other.template down<kStride + 1>();
    const Set two = (a & b) | (c & d) | ((a | b) & (c | d));
    return inside & ~(two | (edge & (a | b | c | d)));
  }

  // The points of `through` that `from` reaches along neighbours, and `from` itself.
  static Set flood(Set from, const Set& through) {
    for (;;) {
      const Set next = from | ((from.template up<1>() | from.template down<1>() |
                                from.template up<kStride>() | from.template down<kStride>()) &
                               through);
      if (next == from) return from;
      from = next;
    }
  }
  // Area scoring: stones, and empty points that reach only one player's stones. Black's less White's.
  int area() const {
    const Set black = flood(stones[kBlack], empty), white = flood(stones[kWhite], empty);
    return (black & ~white).size() - (white & ~black).size();
  }
};

}  // namespace treewise::games
