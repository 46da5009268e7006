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

#include <algorithm>
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
    if constexpr (W == 2) {  // without a branch that depends on k
      const int low = count(words[0]);
      const bool high = k >= low;
      const Bits mask = -Bits{high};
      return (high << 6) + nth(words[0] ^ ((words[0] ^ words[1]) & mask), k - (low & -static_cast<int>(high)));
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
  // Holds a point and a count of liberties, which is at most the number of pairs of neighbours on the board.
  using Cell = std::conditional_t<(2 * N * (N - 1) < 256), std::uint8_t, std::uint16_t>;
  static_assert(kCells - 1 <= static_cast<Cell>(-1));

  // Colours are bits, so that a set of them fits in a cell. A player's is player + 1.
  static constexpr Cell kEmpty = 0, kBlack = 1, kWhite = 2, kBorder = 4;
  static constexpr Cell colour_of(int player) { return static_cast<Cell>(player + 1); }
  static constexpr Cell opposite(Cell colour) { return colour ^ (kBlack | kWhite); }

  static constexpr int point(int row, int column) { return (row + 1) * kStride + column; }
  static constexpr std::array<int, 4> neighbours(int p) { return {p - kStride, p - 1, p + 1, p + kStride}; }

  Set empty;
  Set stones[2];
  Cell colour[kCells];
  Cell chain[kCells];      // the border's is cell 0, whose count means nothing
  Cell liberties[kCells];  // by name of chain

  explicit GoBoard(int size) {
    std::fill_n(colour, kCells, kBorder);
    std::fill_n(chain, kCells, Cell{0});
    std::fill_n(liberties, kCells, Cell{0});
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) {
        const int p = point(row, column);
        empty.add(p);
        colour[p] = kEmpty;
        chain[p] = static_cast<Cell>(p);
        liberties[p] = static_cast<Cell>((row > 0) + (column > 0) + (row < size - 1) + (column < size - 1));
      }
  }

  // What a stone at an empty point would meet; arrays are by neighbour.
  struct Touch {
    Cell own;   // the stone's colour
    bool free;  // an empty neighbour
    Cell colour[4], chain[4];
    Cell left[4];                           // liberties of the neighbours' chains once the stone stands
    Cell colours = 0, alive = 0, dead = 0;  // colours among the neighbours: all, with liberties left, without

    bool captures() const { return dead & opposite(own); }
    bool lives() const { return free | ((alive & own) != 0); }
    bool suicide() const { return !(captures() | lives()); }
    bool joins() const { return colours & own; }
  };
  [[gnu::always_inline]] Touch touch(int p, int player) const {
    Touch t;
    t.own = colour_of(player);
    t.free = liberties[p] != 0;
    const auto around = neighbours(p);
    for (std::size_t i = 0; i < 4; ++i) {
      t.colour[i] = colour[around[i]];
      t.chain[i] = chain[around[i]];
    }
    const int a = t.chain[0], b = t.chain[1], c = t.chain[2], d = t.chain[3];
    const int ab = a == b, ac = a == c, ad = a == d, bc = b == c, bd = b == d, cd = c == d;
    t.left[0] = static_cast<Cell>(liberties[a] - (1 + ab + ac + ad));
    t.left[1] = static_cast<Cell>(liberties[b] - (1 + ab + bc + bd));
    t.left[2] = static_cast<Cell>(liberties[c] - (1 + ac + bc + cd));
    t.left[3] = static_cast<Cell>(liberties[d] - (1 + ad + bd + cd));
    for (int i = 0; i < 4; ++i) {
      const Cell dead = static_cast<Cell>(-(t.left[i] == 0));
      t.colours |= t.colour[i];
      t.alive |= t.colour[i] & static_cast<Cell>(~dead);
      t.dead |= t.colour[i] & dead;
    }
    return t;
  }

  // Puts a stone where `touch` was taken, and takes off what it captures: calls `fallen(point)` for each
  // stone and returns how many. A suicide stays, for the caller to take off.
  template <class Fallen>
  [[gnu::always_inline]] int place(int p, int player, const Touch& t, Fallen fallen) {
    empty.remove(p);
    stones[player].add(p);
    colour[p] = t.own;
    for (int i = 0; i < 4; ++i) liberties[t.chain[i]] = t.left[i];
    if (t.joins()) join(p, t);
    if (!t.captures()) return 0;
    unsigned taken = 0;
    for (int i = 0; i < 4; ++i)
      taken |= static_cast<unsigned>((t.colour[i] == opposite(t.own)) & (t.left[i] == 0)) << i;
    int captured = 0;
    const auto around = neighbours(p);
    for (; taken; taken &= taken - 1) {
      const int q = around[static_cast<std::size_t>(std::countr_zero(taken))];
      if (colour[q] != kEmpty) captured += remove(q, fallen);  // else of a chain that has just been taken
    }
    return captured;
  }

  [[gnu::always_inline]] void join(int p, const Touch& t) {
    Cell names[4];
    for (int i = 0; i < 4; ++i) {
      const Cell own = static_cast<Cell>(-(t.colour[i] == t.own));
      // Moved, not added: a chain that comes twice has nothing left the second time.
      const Cell more = liberties[t.chain[i]] & own;
      liberties[t.chain[i]] = static_cast<Cell>(liberties[t.chain[i]] - more);
      liberties[p] = static_cast<Cell>(liberties[p] + more);
      names[i] = static_cast<Cell>((t.chain[i] & own) | (p & ~own));
    }
    const Cell a = names[0], b = names[1], c = names[2], d = names[3], to = static_cast<Cell>(p);
    for (int q = 0; q < kCells; ++q) {
      const Cell name = chain[q];
      chain[q] = (name == a) | (name == b) | (name == c) | (name == d) ? to : name;
    }
  }

  // Takes the chain of the stone at p off the board.
  template <class Fallen>
  int remove(int p, Fallen fallen) {
    const Cell owner = colour[p];
    Cell list[kCells];
    int size = 1;
    list[0] = static_cast<Cell>(p);
    colour[p] = kEmpty;
    for (int i = 0; i < size; ++i) {
      const int stone = list[i];
      // No branches: most chains are small and of any shape, which nothing can predict.
      for (const int q : neighbours(stone)) {
        const bool same = colour[q] == owner;
        list[size] = static_cast<Cell>(q);
        size += same;
        colour[q] = static_cast<Cell>(colour[q] & (same - 1));
      }
      stones[owner - 1].remove(stone);
      empty.add(stone);
      chain[stone] = static_cast<Cell>(stone);
      liberties[stone] = 0;
      fallen(stone);
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
    if (inside.empty()) return inside;
    const Set& other = stones[player ^ 1];
    const Set a = other.template up<kStride - 1>(), b = other.template up<kStride + 1>();
    const Set c = other.template down<kStride - 1>(), d = other.template down<kStride + 1>();
    const Set two = (a & b) | (c & d) | ((a | b) & (c | d));
    return inside & ~(two | (edge & (a | b | c | d)));
  }

  // The points of `through` that `from` reaches along neighbours, and `from` itself.
  static Set flood(Set from, const Set& through) {
    for (;;) {
      const Set next = from | ((from.template up<1>() | from.template down<1>() | from.template up<kStride>() |
                                from.template down<kStride>()) &
                               through);
      if (next == from) return from;
      from = next;
    }
  }
  // Area scoring: stones, and empty points that reach only one player's stones. Black's less White's.
  int area() const {
    const Set black = flood(stones[0], empty), white = flood(stones[1], empty);
    return (black & ~white).size() - (white & ~black).size();
  }
};

}  // namespace treewise::games
