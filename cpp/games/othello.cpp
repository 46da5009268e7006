// Othello (Hasegawa, 1971). Two sets of bits on the 8 x 8 grid, whatever the size of the board in its corner;
// row 0 is the top, player 0 (Black) begins. An action is row * size + column; size * size passes, which a
// player does when, and only when, there is nothing to flip and the other player still can.
#include <algorithm>
#include <array>

#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

// The eight directions are four distances taken both ways. Where the machine shifts four words by four
// distances in one instruction they are the lanes of one vector, else four words one after the other: the
// code is the same, the vector twice as fast. `inner` is what a run may pass through without leaving its row:
// any row for the vertical, else not the outer columns.
constexpr Bits kColumns = 0x7e7e7e7e7e7e7e7eULL;
#ifdef __AVX2__
using Lanes = Bits __attribute__((vector_size(32)));
#else
using Lanes = Bits;
#endif
struct Axes {
  Lanes distance, inner;
};
#ifdef __AVX2__
constexpr Axes kAxes[] = {{{1, 7, 8, 9}, {kColumns, kColumns, ~Bits{0}, kColumns}}};
#else
constexpr Axes kAxes[] = {{1, kColumns}, {7, kColumns}, {8, ~Bits{0}}, {9, kColumns}};
#endif
[[gnu::always_inline]] inline Bits unite(const Lanes& lanes) {
#ifdef __AVX2__
  return (lanes[0] | lanes[1]) | (lanes[2] | lanes[3]);
#else
  return lanes;
#endif
}

// The discs of `other` in unbroken runs that begin next to `from`: `up` towards higher squares, `down`
// towards lower. A run has at most six, which a step, its double and two steps of two cover.
struct Runs {
  Lanes up, down;

  [[gnu::always_inline]] Runs(Bits from, Bits other, const Axes& axes) {
    const Lanes distance = axes.distance, through = other & axes.inner, start = from | Lanes{};
    const Lanes pairs_up = through & (through << distance), pairs_down = through & (through >> distance);
    up = through & (start << distance);
    down = through & (start >> distance);
    up |= through & (up << distance);
    down |= through & (down >> distance);
    for (int i = 0; i < 2; ++i) {
      up |= pairs_up & (up << 2 * distance);
      down |= pairs_down & (down >> 2 * distance);
    }
  }
};

inline Bits placements(Bits own, Bits other, Bits empty) {
  Lanes ends{};
  for (const Axes& axes : kAxes) {
    const Runs runs(own, other, axes);
    ends |= runs.up << axes.distance | runs.down >> axes.distance;
  }
  return unite(ends) & empty;
}

// The discs that turn: the runs from `disc` that end at an own disc.
inline Bits flips(Bits disc, Bits own, Bits other) {
  Lanes turned{};
  for (const Axes& axes : kAxes) {
    const Runs runs(disc, other, axes);
    turned |= (own & (runs.up << axes.distance)) != 0 ? runs.up : Lanes{};
    turned |= (own & (runs.down >> axes.distance)) != 0 ? runs.down : Lanes{};
  }
  return unite(turned);
}

// The discs of `other` that a disc on one of the `empty` squares would turn.
inline Bits turnable(Bits empty, Bits own, Bits other) {
  Lanes turned{};
  for (const Axes& axes : kAxes) {
    const Runs from_own(own, other, axes), from_empty(empty, other, axes);
    turned |= (from_own.up & from_empty.down) | (from_own.down & from_empty.up);
  }
  return unite(turned);
}

// The lines through each square, in all directions.
constexpr std::array<Bits, 64> kLines = [] {
  std::array<Bits, 64> lines{};
  for (int a = 0; a < 64; ++a) {
    for (int b = 0; b < 64; ++b) {
      const int down = b / 8 - a / 8, right = b % 8 - a % 8;
      if (down == 0 || right == 0 || down == right || down == -right) lines[static_cast<std::size_t>(a)] |= bit(b);
    }
  }
  return lines;
}();
// The squares on whose lines all of `discs` lie.
inline Bits common_lines(Bits discs) {
  Bits common = ~Bits{0};
  while (discs && common) common &= kLines[static_cast<std::size_t>(pop(discs))];
  return common;
}

struct Othello {
  struct Config {
    int size;
    Bits board = 0;

    explicit Config(const Parameters& p) : size(p.integer("size")) {
      if (size % 2) throw std::invalid_argument("othello: size must be even");
      for (int row = 0; row < size; ++row) board |= (bit(size - 1) * 2 - 1) << (8 * row);
    }
    int pass() const { return size * size; }
    int square(Action action) const { return action / size * 8 + action % size; }
    Action action(int square) const { return square / 8 * size + square % 8; }
    GameInfo info() const {
      // No two passes follow each other.
      return {.name = "othello", .num_action_ids = size * size + 1, .max_length = 2 * (size * size - 4)};
    }
  };

  static std::vector<Parameter> parameters() {
    return {{"size", std::int64_t{8}, "rows and columns of the board, even", 4, 8}};
  }

  const Config* config;
  Bits discs[2] = {0, 0};
  Bits open = 0;  // where the player to move may place a disc
  std::int8_t player = 0;
  bool over = false;

  explicit Othello(const Config& c) : config(&c) {
    const int middle = c.size / 2;
    discs[0] = bit(8 * (middle - 1) + middle) | bit(8 * middle + middle - 1);
    discs[1] = bit(8 * (middle - 1) + middle - 1) | bit(8 * middle + middle);
    settle();
  }

  Bits open_to(int p) const { return placements(discs[p], discs[p ^ 1], config->board & ~(discs[0] | discs[1])); }
  void settle() {
    open = open_to(player);
    over = open == 0 && open_to(player ^ 1) == 0;
  }

  int current_player() const { return over ? kTerminal : player; }
  bool is_terminal() const { return over; }
  void legal_actions(ActionList& out) const {
    if (open == 0) out.push_back(config->pass());
    for (Bits b = open; b;) out.push_back(config->action(pop(b)));
  }
  void apply(Action action) {
    if (action != config->pass()) place(bit(config->square(action)));
    player ^= 1;
    settle();
  }
  void place(Bits disc) {
    const Bits turned = flips(disc, discs[player], discs[player ^ 1]);
    discs[player] |= disc | turned;
    discs[player ^ 1] &= ~turned;
  }

  void returns(Values& out) const {
    const int lead = over ? count(discs[0]) - count(discs[1]) : 0;
    out[0] = lead > 0 ? 1 : lead < 0 ? -1 : 0;
    out[1] = -out[0];
  }

  Action playout_action(Rng& rng) const {
    if (open == 0) return config->pass();
    return config->action(nth(open, static_cast<int>(rng.below(static_cast<std::uint32_t>(count(open))))));
  }
  // As from a list: who must pass draws, too.
  Action draw_action(Rng& rng) const {
    const Bits choices = open ? open : 1;
    const int square = nth(choices, static_cast<int>(rng.below(static_cast<std::uint32_t>(count(choices)))));
    return open ? config->action(square) : config->pass();
  }
  SetOfActions playout_set(std::span<Bits> out) const {
    std::fill(out.begin(), out.end(), Bits{0});
    const int size = config->size;
    for (int row = 0; row < size; ++row) out[0] |= (open >> (8 * row) & 0xff) << (size * row);
    if (open == 0) out[static_cast<std::size_t>(config->pass()) / 64] |= bit(config->pass() % 64);
    return SetOfActions::kExact;
  }
  int fast_playout(Rng& rng, int max_length) {
    int length = 0;
    for (; length < max_length && !over; ++length) {
      if (open) place(bit(nth(open, static_cast<int>(rng.below(static_cast<std::uint32_t>(count(open)))))));
      player ^= 1;
      settle();
    }
    return length;
  }

  // Where a disc might end the match. Nobody can place one then, so it turns all that any disc could turn: most often
  // no square has all of that on its lines.
  static Bits ending(Bits empty, Bits own, Bits other) { return common_lines(turnable(empty, own, other)) & empty; }
  // The actions that end it with more own discs.
  Bits wins() const {
    const Bits own = discs[player], other = discs[player ^ 1], empty = config->board & ~(own | other);
    Bits found = ending(empty, own, other) & open;
    for (Bits b = found; b;)
      if (const Bits disc = bit(pop(b)); !wins_by(disc)) found &= ~disc;
    return found;
  }
  bool wins_by(Bits disc) const {
    const Bits turned = flips(disc, discs[player], discs[player ^ 1]);
    const Bits own = discs[player] | disc | turned, other = discs[player ^ 1] & ~turned;
    const Bits empty = config->board & ~(own | other);
    return placements(other, own, empty) == 0 && placements(own, other, empty) == 0 && count(own) > count(other);
  }
  void list(Bits squares, ActionList& out) const {
    while (squares) out.push_back(config->action(pop(squares)));
  }
  void winning_actions(ActionList& out) const { list(wins(), out); }

  // A pass is the only action.
  bool surely_safe(Action action) const { return action == config->pass() || !lets_win(bit(config->square(action))); }
  bool lets_win(Bits disc) const {
    const Bits turned = flips(disc, discs[player], discs[player ^ 1]);
    const Bits own = discs[player] | disc | turned, other = discs[player ^ 1] & ~turned;
    if (ending(config->board & ~(own | other), other, own) == 0) return false;
    Othello next = *this;
    next.place(disc);
    next.player ^= 1;
    next.settle();
    return next.wins() != 0;
  }

  std::uint64_t hash() const { return mix(mix(mix(0, discs[0]), discs[1]), static_cast<std::uint64_t>(player)); }

  // Othello counts rows from the top.
  std::string action_name(Action action) const {
    if (action == config->pass()) return "pass";
    return static_cast<char>('a' + action % config->size) + std::to_string(action / config->size + 1);
  }

  std::string draw() const {
    std::string header = " ", out;
    for (int column = 0; column < config->size; ++column) header += {' ', static_cast<char>('a' + column)};
    for (int row = 0; row < config->size; ++row) {
      out += std::to_string(row + 1);
      for (int column = 0; column < config->size; ++column) {
        const Bits b = bit(8 * row + column);
        out += {' ', discs[0] & b ? '1' : discs[1] & b ? '2' : '.'};
      }
      out += '\n';
    }
    return header + '\n' + out;
  }

  static Othello parse(const Config& config, std::string_view board, int player) {
    check_player(player, 2);
    const auto rows = parse_rows(board, std::vector<int>(static_cast<std::size_t>(config.size), config.size), ".12");
    Othello state(config);
    state.discs[0] = state.discs[1] = 0;
    for (int action = 0; action < config.pass(); ++action) {
      const char c =
          rows[static_cast<std::size_t>(action / config.size)][static_cast<std::size_t>(action % config.size)];
      if (c != '.') state.discs[c - '1'] |= bit(config.square(action));
    }
    if ((state.discs[0] | state.discs[1]) == 0) throw std::invalid_argument("board: no discs");
    state.player = static_cast<std::int8_t>(player);
    state.settle();
    return state;
  }
};

}  // namespace

GameEntry othello() {
  return entry<Othello>("othello", "Flip the discs that you enclose; the most discs win.");
}

}  // namespace treewise::games
