// Breakthrough and UCT written by hand, in one file, for nothing but speed: what the engine is measured against.
//
//   g++ -O3 -march=native -ffast-math -std=c++20 breakthrough_by_hand.cpp && ./a.out uct 100000 1
//
// Arguments: playouts or uct, a count, a seed. Prints "count CPU-seconds check": the mean length of playouts, or the
// value of the best action. Everything that a general engine has to leave open is fixed here: the 8x8 board, two
// players, UCB1, uniform playouts, all children at the second visit, one thread.
#include <immintrin.h>
#include <sys/mman.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

using Bits = std::uint64_t;

constexpr Bits kNotLeft = 0xfefefefefefefefe, kNotRight = 0x7f7f7f7f7f7f7f7f;
constexpr Bits kTop = 0xff, kBottom = Bits{0xff} << 56;

// Row 0 is the top; player 0 starts at the bottom and moves up.
struct Board {
  Bits pieces[2] = {Bits{0xffff} << 48, 0xffff};
};

// wyrand
struct Rng {
  std::uint64_t state;
  std::uint64_t next() {
    state += 0xa0761d6478bd642f;
    const auto product = static_cast<unsigned __int128>(state) * (state ^ 0xe7037ed1a0b428db);
    return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
  }
};

template <int player>
Bits forward(Bits bits, int by) {
  return player == 0 ? bits >> by : bits << by;
}

// The squares that the mover reaches straight ahead, 7 and 9 squares ahead.
template <int player>
struct Targets {
  Bits straight, seven, nine;
  Targets(Bits own, Bits other) {
    const Bits open = ~own, empty = open & ~other;
    straight = forward<player>(own, 8) & empty;
    seven = forward<player>(own & (player == 0 ? kNotRight : kNotLeft), 7) & open;
    nine = forward<player>(own & (player == 0 ? kNotLeft : kNotRight), 9) & open;
  }
};

// One uniform step; true if it wins.
template <int player>
inline bool random_step(Bits& own, Bits& other, Rng& rng) {
  const Targets<player> t(own, other);
  const int a = std::popcount(t.straight), b = std::popcount(t.seven), c = std::popcount(t.nine);
  const auto k = static_cast<unsigned>(((rng.next() >> 32) * static_cast<unsigned>(a + b + c)) >> 32);
  // The index as a set, shifted by what the sets before hold, falls into one of the three only: no branch is needed.
  const Bits one = Bits{1} << k;
  const Bits straight = _pdep_u64(one, t.straight), seven = _pdep_u64(one >> a, t.seven);
  const Bits nine = _pdep_u64(one >> (a + b), t.nine);
  const Bits taken = seven | nine, to = straight | taken;
  own ^= to;
  own ^= forward<1 - player>(straight, 8) | forward<1 - player>(seven, 7) | forward<1 - player>(nine, 9);
  other &= ~taken;
  return (to & (player == 0 ? kTop : kBottom)) || other == 0;
}

// The winner of a uniform playout with `player` to move.
__attribute__((always_inline)) inline int playout(Board board, int player, Rng& shared, int& length) {
  Bits white = board.pieces[0], black = board.pieces[1];
  Rng rng = shared;
  int steps = 0, winner = 0;
  if (player == 1) {
    ++steps;
    if (random_step<1>(black, white, rng)) winner = 2;
  }
  while (winner == 0) {
    ++steps;
    if (random_step<0>(white, black, rng)) {
      winner = 1;
      break;
    }
    ++steps;
    if (random_step<1>(black, white, rng)) winner = 2;
  }
  shared = rng;
  length += steps;
  return winner - 1;
}

// Zeroed memory in large pages, given back at the end.
template <class T>
class Column {
 public:
  explicit Column(std::size_t cells) : bytes_((cells * sizeof(T) + kPage - 1) / kPage * kPage) {
    void* got = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) std::abort();
    madvise(got, bytes_, MADV_HUGEPAGE);
    data_ = static_cast<T*>(got);
  }
  ~Column() { munmap(data_, bytes_); }
  Column(const Column&) = delete;
  T& operator[](std::size_t i) { return data_[i]; }
  T* at(std::size_t i) { return data_ + i; }

 private:
  static constexpr std::size_t kPage = 1 << 21;
  std::size_t bytes_;
  T* data_;
};

// The tree: the children of a node are contiguous; 16 bytes a node. What selection reads of all children lies in two
// columns, what only the chosen one needs in a third.
struct Node {
  std::uint32_t first = 0;
  std::uint16_t size = 0;
  std::uint8_t from = 0, to = 0;
};
struct Tree {
  explicit Tree(std::size_t capacity) : visits(capacity), wins(capacity), nodes(capacity) {}
  Column<float> visits;  // exact up to 2^24
  Column<float> wins;    // for the player who moved to this node
  Column<Node> nodes;
  std::uint32_t used = 1;
};

template <int player>
void expand(Tree& tree, Node& node, const Board& board) {
  const Targets<player> t(board.pieces[player], board.pieces[1 - player]);
  Node* const begin = tree.nodes.at(tree.used);
  Node* next = begin;
  const auto add = [&](Bits bits, int by) {
    for (; bits; bits &= bits - 1) {
      const int to = std::countr_zero(bits);
      *next++ = {0, 0, static_cast<std::uint8_t>(player == 0 ? to + by : to - by), static_cast<std::uint8_t>(to)};
    }
  };
  add(t.straight, 8);
  add(t.seven, 7);
  add(t.nine, 9);
  node.first = tree.used;
  node.size = static_cast<std::uint16_t>(next - begin);
  tree.used += node.size;
}

// UCB1 on wins in [0, 1]; unvisited children first, in their order. The loops are made for vector instructions.
inline std::uint32_t select(Tree& tree, const Node& node, float parent_visits, float c) {
  const std::uint32_t size = node.size;
  const auto seen = static_cast<std::uint32_t>(parent_visits) - 1;  // one visit came before the children
  if (seen < size) return node.first + seen;
  const float spread = c * std::sqrt(std::log(parent_visits));
  const float* __restrict visits = tree.visits.at(node.first);
  const float* __restrict wins = tree.wins.at(node.first);
  alignas(64) float scores[64];
  for (std::uint32_t i = 0; i < size; ++i) {
    const float r = 1 / std::sqrt(visits[i]);
    scores[i] = r * (wins[i] * r + spread);
  }
  float top = scores[0];
  for (std::uint32_t i = 1; i < size; ++i) top = scores[i] > top ? scores[i] : top;
  std::uint32_t best = 0;
  while (scores[best] != top) ++best;
  return node.first + best;
}

std::uint32_t uct(Tree& tree, int simulations, float c, Rng& rng) {
  std::uint32_t path[256];
  int length = 0;
  tree.visits[0] = 1;
  for (int simulation = 0; simulation < simulations; ++simulation) {
    Board board;
    int player = 0, depth = 0, winner = -1;
    std::uint32_t node = 0;
    while (winner < 0) {
      path[depth++] = node;
      const float visits = tree.visits[node];
      if (visits == 0) break;
      Node& here = tree.nodes[node];
      if (here.size == 0) player == 0 ? expand<0>(tree, here, board) : expand<1>(tree, here, board);
      node = select(tree, here, visits, c);
      const Bits to = Bits{1} << tree.nodes[node].to;
      board.pieces[player] ^= to | Bits{1} << tree.nodes[node].from;
      board.pieces[1 - player] &= ~to;
      if ((to & (player == 0 ? kTop : kBottom)) || board.pieces[1 - player] == 0) {
        winner = player;
        path[depth++] = node;
      }
      player ^= 1;
    }
    if (winner < 0) winner = playout(board, player, rng, length);
    for (int i = 0; i < depth; ++i) {  // path[i] was moved to by player 1 - i % 2
      tree.visits[path[i]] += 1;
      tree.wins[path[i]] += static_cast<float>(winner ^ (i & 1));
    }
  }
  const Node& root = tree.nodes[0];
  std::uint32_t best = root.first;
  for (std::uint32_t i = root.first; i < root.first + root.size; ++i)
    if (tree.visits[i] > tree.visits[best]) best = i;
  return best;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: playouts|uct COUNT SEED\n"), 2;
  const int count = std::atoi(argv[2]);
  Rng rng{std::strtoull(argv[3], nullptr, 10)};
  double check = 0;
  const double start = cpu_seconds();
  if (std::strcmp(argv[1], "playouts") == 0) {
    int length = 0;
    for (int i = 0; i < count; ++i) playout(Board(), 0, rng, length);
    check = static_cast<double>(length) / count;
  } else {
    Tree tree(static_cast<std::size_t>(count) * 48 + 64);
    const std::uint32_t best = uct(tree, count, 1.0f, rng);
    check = tree.wins[best] / tree.visits[best];
  }
  std::printf("%d %.6f %.4f\n", count, cpu_seconds() - start, check);
}
