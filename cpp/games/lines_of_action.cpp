// Lines of Action (Claude Soucie, about 1960). Two sets of bits, square = row * 8 + column, row 0 at the top.
// A piece goes as many squares along a line as there are pieces of both players on that line; it may jump
// over own pieces, not over others. An action is 64 * from + to.
#include <algorithm>
#include <array>

#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

constexpr int kSide = 8, kPieces = 12, kDirections = 8;
constexpr int kDown[kDirections] = {-1, -1, 0, 1, 1, 1, 0, -1};  // direction d + 4 is opposite to d
constexpr int kRight[kDirections] = {0, 1, 1, 1, 0, -1, -1, -1};

struct Tables {
  std::array<std::array<Bits, kDirections>, 64> ray{};       // the squares ahead, without the square itself
  std::array<std::array<Bits, kDirections / 2>, 64> line{};  // the whole line through a square
};
constexpr Tables kTables = [] {
  Tables t;
  for (int square = 0; square < 64; ++square) {
    const auto s = static_cast<std::size_t>(square);
    for (std::size_t d = 0; d < kDirections; ++d) {
      int row = square / kSide + kDown[d], column = square % kSide + kRight[d];
      for (; row >= 0 && row < kSide && column >= 0 && column < kSide; row += kDown[d], column += kRight[d])
        t.ray[s][d] |= bit(row * kSide + column);
    }
    for (std::size_t d = 0; d < kDirections / 2; ++d) t.line[s][d] = t.ray[s][d] | t.ray[s][d + 4] | bit(square);
  }
  return t;
}();
constexpr Bits ray(int square, int direction) {
  return kTables.ray[static_cast<std::size_t>(square)][static_cast<std::size_t>(direction)];
}

// The squares next to those of `set`, in eight directions, some of its own among them.
Bits around(Bits set) {
  constexpr Bits kFirstColumn = 0x0101010101010101, kLastColumn = 0x8080808080808080;
  const Bits beside = ((set & ~kLastColumn) << 1) | ((set & ~kFirstColumn) >> 1);
  const Bits three = set | beside;
  return beside | three << kSide | three >> kSide;
}
// Whether some square touches all groups of `pieces` but one at most, that of a piece that goes there: otherwise one
// move cannot connect them.
bool nearly_connected(Bits pieces) {
  Bits one = 0, two = 0;  // squares that so many groups do not touch, at least
  while (pieces) {
    Bits group = pieces & (~pieces + 1);
    for (Bits grown = group; (grown = (group | around(group)) & pieces) != group;) group = grown;
    pieces &= ~group;
    const Bits away = ~around(group);
    two |= one & away;
    one |= away;
    if (!~two) return false;
  }
  return true;
}
bool connected(Bits pieces) {
  Bits group = pieces & (~pieces + 1);
  if (group == pieces) return true;
  if (pieces & ~around(pieces)) return false;  // a lone piece: most positions end here
  while (true) {
    const Bits grown = group | (around(group) & pieces);
    if (grown == group) return group == pieces;
    group = grown;
  }
}

// The boards since the last capture, by their keys. Most boards are new, and the filter says so at once.
class Past {
 public:
  void clear() {
    filter_.fill(0);
    keys_.clear();
  }
  void add(std::uint64_t key) {
    filter_[word(key)] |= Bits{1} << (key & 63);
    keys_.push_back(key);
  }
  bool has(std::uint64_t key) const {
    return filter_[word(key)] >> (key & 63) & 1 && std::find(keys_.begin(), keys_.end(), key) != keys_.end();
  }
  // The same for any order of the boards.
  std::uint64_t sum() const {
    std::uint64_t total = 0;
    for (const std::uint64_t key : keys_) total += key;
    return total;
  }

 private:
  static std::size_t word(std::uint64_t key) { return key >> 61; }

  std::array<Bits, 8> filter_{};
  std::vector<std::uint64_t> keys_;
};

struct LinesOfAction {
  struct Config {
    int max_length;
    bool repetition;
    explicit Config(const Parameters& p) : max_length(p.integer("max_length")), repetition(p.flag("repetition")) {}
    GameInfo info() const { return {.name = "lines_of_action", .num_action_ids = 64 * 64, .max_length = max_length}; }
  };
  static std::vector<Parameter> parameters() {
    return {{"max_length", std::int64_t{1000}, "steps after which the match is a draw", 1, 100000},
            {"repetition", true, "a board that comes back, whoever is to move, ends the match as a draw"}};
  }

  const Config* config;
  Bits pieces[2] = {0x7e0000000000007e, 0x0081818181818100};
  std::int32_t steps = 0;
  std::int8_t player = 0;
  std::int8_t winner = -1;
  bool over = false;
  Past past;  // with the present board; empty where repetition does not matter

  explicit LinesOfAction(const Config& c) : config(&c) {
    if (config->repetition) past.add(key(pieces[0], pieces[1]));
  }

  static std::uint64_t key(Bits first, Bits second) { return mix(mix(0, first), second); }
  // Where the piece on `from` lands, or -1.
  static int target(Bits own, Bits other, int from, int direction) {
    const Bits ahead = ray(from, direction);
    const int distance =
        count((own | other) & kTables.line[static_cast<std::size_t>(from)][static_cast<std::size_t>(direction % 4)]);
    if (distance > count(ahead)) return -1;
    const int to = from + distance * (kDown[direction] * kSide + kRight[direction]);
    const Bits between = ahead & ~ray(to, direction) & ~bit(to);
    return (own & bit(to)) || (other & between) ? -1 : to;
  }
  // Calls `each(from, to)` for the moves of the owner of `own` until it returns true; returns whether it did.
  template <class Each>
  static bool any_move(Bits own, Bits other, Each each) {
    for (Bits b = own; b;) {
      const int from = pop(b);
      for (int d = 0; d < kDirections; ++d) {
        const int to = target(own, other, from, d);
        if (to >= 0 && each(from, to)) return true;
      }
    }
    return false;
  }
  static bool can_move(Bits own, Bits other) {
    return any_move(own, other, [](int, int) { return true; });
  }

  int current_player() const { return over ? kTerminal : player; }
  bool is_terminal() const { return over; }
  void legal_actions(ActionList& out) const {
    any_move(pieces[player], pieces[player ^ 1], [&](int from, int to) {
      out.push_back(64 * from + to);
      return false;
    });
  }

  void apply(Action action) {
    const int mover = player, other = player ^ 1;
    const Bits to = bit(action % 64);
    const bool capture = pieces[other] & to;
    pieces[mover] ^= bit(action / 64) | to;
    pieces[other] &= ~to;
    player = static_cast<std::int8_t>(other);
    ++steps;
    over = steps >= config->max_length || (config->repetition && remember(capture));
    if (!over) settle(mover, capture);
  }
  // Returns whether the board has been there before. Before a capture there were more pieces.
  bool remember(bool capture) {
    const std::uint64_t board = key(pieces[0], pieces[1]);
    if (capture) past.clear();
    const bool again = past.has(board);
    past.add(board);
    return again;
  }
  // After a step of `mover`. A step without a capture cannot connect the other player.
  void settle(int mover, bool capture) {
    const int other = mover ^ 1;
    if (connected(pieces[mover])) {
      win(mover);
    } else if (capture && connected(pieces[other])) {
      win(other);
    } else if (!can_move(pieces[other], pieces[mover])) {
      win(mover);
    }
  }
  void win(int p) {
    winner = static_cast<std::int8_t>(p);
    over = true;
  }

  void returns(Values& out) const {
    out[0] = winner < 0 ? 0 : winner == 0 ? 1 : -1;
    out[1] = -out[0];
  }

  // A random piece in a random direction until the move is legal; about every third is.
  Action playout_action(Rng& rng) const {
    const Bits own = pieces[player], other = pieces[player ^ 1];
    const auto ways = static_cast<std::uint32_t>(kDirections * count(own));
    while (true) {
      const int k = static_cast<int>(rng.below(ways));
      const int from = nth(own, k / kDirections), to = target(own, other, from, k % kDirections);
      if (to >= 0) return 64 * from + to;
    }
  }

  Action draw_action(Rng& rng) const { return playout_action(rng); }

  // Whether the owner of `own` can surely move after any one step of the other player. That changes what happens on two
  // of the four lines through a piece at most, and captures one: two pieces that can move on three lines are enough.
  static bool stays_mobile(Bits own, Bits other) {
    int mobile = 0;
    for (Bits b = own; b;) {
      const int from = pop(b);
      int ways = 0;
      for (int d = 0; d < kDirections / 2; ++d)
        ways += target(own, other, from, d) >= 0 || target(own, other, from, d + kDirections / 2) >= 0;
      mobile += ways >= 3;
      if (mobile == 2) return true;
    }
    return false;
  }
  bool surely_safe(Action action) const {
    if (steps + 2 >= config->max_length) return true;
    const Bits to = bit(action % 64);
    const Bits own = pieces[player] ^ bit(action / 64) ^ to, other = pieces[player ^ 1] & ~to;
    return !nearly_connected(other) && stays_mobile(own, other);
  }
  void winning_actions(ActionList& out) const {
    if (steps + 1 >= config->max_length) return;
    if (!nearly_connected(pieces[player]) && stays_mobile(pieces[player ^ 1], pieces[player])) return;
    any_move(pieces[player], pieces[player ^ 1], [&](int from, int to) {
      if (wins(from, to)) out.push_back(64 * from + to);
      return false;
    });
  }
  bool wins(int from, int to) const {
    const Bits own = pieces[player] ^ bit(from) ^ bit(to), other = pieces[player ^ 1] & ~bit(to);
    if (connected(own)) return true;
    if (connected(other) || can_move(other, own)) return false;
    return !past.has(player == 0 ? key(own, other) : key(other, own));
  }

  std::uint64_t hash() const {
    const auto rest = static_cast<std::uint64_t>(2 * std::int64_t{steps} + player);
    return mix(mix(key(pieces[0], pieces[1]), past.sum()), rest);
  }

  std::string action_name(Action action) const {
    const int from = action / 64, to = action % 64;
    return square_name(from / kSide, from % kSide, kSide) + (pieces[player ^ 1] & bit(to) ? 'x' : '-') +
           square_name(to / kSide, to % kSide, kSide);
  }
  std::string draw() const {
    return draw_board(kSide, kSide, [&](int row, int column) {
      const Bits b = bit(row * kSide + column);
      return pieces[0] & b ? 'x' : pieces[1] & b ? 'o' : '.';
    });
  }

  static LinesOfAction parse(const Config& config, std::string_view board, int player) {
    check_player(player, 2);
    const auto rows = parse_rows(board, std::vector<int>(kSide, kSide), ".12xo");
    LinesOfAction state(config);
    state.pieces[0] = state.pieces[1] = 0;
    for (int square = 0; square < 64; ++square) {
      const char c = rows[static_cast<std::size_t>(square / kSide)][static_cast<std::size_t>(square % kSide)];
      if (c != '.') state.pieces[c == '2' || c == 'o'] |= bit(square);
    }
    for (int p = 0; p < 2; ++p) {
      if (state.pieces[p] == 0 || count(state.pieces[p]) > kPieces)
        throw std::invalid_argument("board: player " + std::to_string(p) + " has " +
                                    std::to_string(count(state.pieces[p])) + " pieces, expected 1 to " +
                                    std::to_string(kPieces));
    }
    state.past.clear();
    if (config.repetition) state.past.add(key(state.pieces[0], state.pieces[1]));
    state.player = static_cast<std::int8_t>(player);
    state.settle(player ^ 1, true);
    return state;
  }
};

}  // namespace

GameEntry lines_of_action() {
  return entry<LinesOfAction>("lines_of_action", "Bring all your pieces together in one group.");
}

}  // namespace treewise::games
