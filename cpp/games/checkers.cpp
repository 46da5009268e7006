// English draughts. Row 0 is the top, a1 is a dark square, player 0 starts at the bottom and moves up.
//
// The 32 dark squares lie in 35 bits of a word: after each two rows one bit stays free, so that a diagonal
// step is the same shift everywhere and a step over an edge falls on a free bit (Samuel, 1959).
//
//      0   1   2   3          up-left >> 5, up-right >> 4
//    4   5   6   7            down-left << 4, down-right << 5
//      9  10  11  12
//   13  14  15  16   ...      8, 17 and 26 are free
//
// An action is 32 * path + start square (0 to 31 in reading order). The path of a step is its direction; that
// of a capture is a 1 followed by two bits for each jump, the first jump lowest. A route has at most nine
// jumps: all jumped squares share the parities of row and column, and only nine such lie off the edges.
#include <algorithm>

#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

constexpr Bits kBoard = 0x7FBFDFEFFULL;
constexpr Bits kCrownRow[2] = {0xFULL, 0xFULL << 31};
constexpr Bits kHome[2] = {kBoard & ~Bits{0x3FFFFF}, 0x1EFF};
constexpr int kMaxJumps = 9;

constexpr int place_of(int square) {
  return square + square / 8;
}
constexpr int square_of(int place) {
  return place - place / 9;
}
// The squares of a set side by side, without the free bits.
constexpr Bits packed(Bits b) {
  return (b & 0xFF) | (b >> 1 & 0xFF00) | (b >> 2 & 0xFF0000) | (b >> 3 & 0xFF000000);
}

// Directions: 0 up-left, 1 up-right, 2 down-left, 3 down-right. What leaves the board wraps to high bits.
constexpr int kShift[4] = {-5, -4, 4, 5};
constexpr Bits shift(Bits b, int direction) {
  return std::rotl(b, kShift[direction]);
}
constexpr Bits unshift(Bits b, int direction) {
  return std::rotr(b, kShift[direction]);
}

struct Checkers {
  struct Config {
    int no_progress;
    bool lone_kings_draw;
    explicit Config(const Parameters& p)
        : no_progress(p.integer("no_progress")), lone_kings_draw(p.flag("lone_kings_draw")) {}
    GameInfo info() const {
      GameInfo info{.name = "checkers", .num_action_ids = 32 << (2 * kMaxJumps + 1)};
      // Between two draw limits lies a capture (24 at most) or a man's step (7 at most for each).
      info.max_length = (24 + 24 * 7 + 1) * no_progress;
      return info;
    }
  };

  static std::vector<Parameter> parameters() {
    return {{"no_progress", std::int64_t{25},
             "successive steps of kings, both players together, after which the match is a draw", 1, 10000},
            {"lone_kings_draw", true, "one king against one king is a draw at once"}};
  }

  const Config* config;
  Bits own = kHome[0], other = kHome[1];  // the pieces of the player to move, and of the other player
  Bits kings = 0;
  std::int16_t quiet = 0;  // successive steps of kings up to now
  std::int8_t player = 0;
  std::int8_t winner = -1;
  bool over = false;

  explicit Checkers(const Config& c) : config(&c) {}

  Bits pieces(int p) const { return p == player ? own : other; }
  Bits empty() const { return kBoard & ~(own | other); }
  // The pieces of the player to move that may go in `direction`, blocked or not.
  Bits facing(int direction) const { return (direction >> 1) == player ? own : own & kings; }
  Bits steppers(int direction) const { return facing(direction) & unshift(empty(), direction); }
  Bits jumpers(int direction) const {
    return facing(direction) & unshift(other & unshift(empty(), direction), direction);
  }
  bool can_jump() const { return jumpers(0) | jumpers(1) | jumpers(2) | jumpers(3); }
  bool can_step() const { return steppers(0) | steppers(1) | steppers(2) | steppers(3); }

  // What stays the same along a capture route.
  struct Route {
    Bits free;   // empty squares, the start among them
    Bits crown;  // where the route ends at once: the last row for a man, nothing for a king
    int start, first_direction, last_direction;
  };
  // Calls visit(action) for each route that goes on from `piece` with a jump in `direction`; `prey` are the
  // enemies not yet jumped.
  template <class Visit>
  static void extend(const Route& route, Bits piece, Bits prey, int direction, int path, int jumps, Visit& visit) {
    const Bits jumped = shift(piece, direction), land = shift(jumped, direction);
    path |= direction << (2 * jumps);
    ++jumps;
    bool goes_on = false;
    if (!(land & route.crown)) {
      for (int d = route.first_direction; d <= route.last_direction; ++d) {
        if (!(shift(shift(land, d) & prey & ~jumped, d) & route.free)) continue;
        goes_on = true;
        extend(route, land, prey & ~jumped, d, path, jumps, visit);
      }
    }
    if (!goes_on) visit((path | 1 << (2 * jumps)) * 32 + route.start);
  }
  template <class Visit>
  void each_capture(Visit visit) const {
    for (int d = 0; d < 4; ++d) {
      for (Bits b = jumpers(d); b;) {
        const int place = pop(b);
        const Bits piece = bit(place);
        Route route{empty() | piece, 0, square_of(place), 0, 3};
        if (!(piece & kings)) {
          route.crown = kCrownRow[player];
          route.first_direction = 2 * player;
          route.last_direction = 2 * player + 1;
        }
        extend(route, piece, other, d, 0, 0, visit);
      }
    }
  }

  int current_player() const { return over ? kTerminal : player; }
  bool is_terminal() const { return over; }

  void legal_actions(ActionList& out) const {
    if (can_jump()) return each_capture([&](Action action) { out.push_back(action); });
    for (int d = 0; d < 4; ++d)
      for (Bits b = steppers(d); b;) out.push_back(32 * d + square_of(pop(b)));
  }

  void apply(Action action) {
    perform(action);
    settle();
  }
  // All of `apply` but the test for the end.
  void perform(Action action) {
    const int path = action >> 5;
    Bits piece = bit(place_of(action & 31));
    const bool king = kings & piece;
    own ^= piece;
    kings &= ~piece;
    if (path < 4) {
      piece = shift(piece, path);
      quiet = static_cast<std::int16_t>(king ? quiet + 1 : 0);
    } else {
      Bits jumped = 0;
      for (int rest = path; rest > 1; rest >>= 2) {
        piece = shift(piece, rest & 3);
        jumped |= piece;
        piece = shift(piece, rest & 3);
      }
      other &= ~jumped;
      kings &= ~jumped;
      quiet = 0;
    }
    own |= piece;
    if (king || (piece & kCrownRow[player])) kings |= piece;
    player ^= 1;
    std::swap(own, other);
  }
  // Ends the match if the player to move cannot, or by a draw rule.
  void settle() {
    if (!can_step() && !can_jump()) {
      winner = player ^ 1;
      over = true;
    } else if (is_drawn()) {
      over = true;
    }
  }
  // By rule, unless the player to move cannot, which is a loss.
  bool is_drawn() const {
    return quiet >= config->no_progress ||
           ((own | other) == kings && config->lone_kings_draw && count(own) == 1 && count(other) == 1);
  }

  void returns(Values& out) const {
    out[0] = winner < 0 ? 0 : winner == 0 ? 1 : -1;
    out[1] = -out[0];
  }

  Action playout_action(Rng& rng) const { return can_jump() ? draw_capture(rng) : draw_step(rng); }
  // One route of unknown many, uniformly: the n-th replaces the choice with probability 1/n.
  Action draw_capture(Rng& rng) const {
    Action choice = kNoAction;
    std::uint32_t seen = 0;
    each_capture([&](Action action) {
      if (++seen == 1 || rng.below(seen) == 0) choice = action;
    });
    return choice;
  }
  // kNoAction if no piece can step. A word holds the steps in two directions, squares side by side, so that the number
  // of a bit in them is that of its action.
  Action draw_step(Rng& rng) const {
    const auto both = [&](int d) { return packed(steppers(d)) | packed(steppers(d + 1)) << 32; };
    const Bits up = both(0), down = both(2);
    const int upward = count(up), total = upward + count(down);
    if (total == 0) return kNoAction;
    const int k = static_cast<int>(rng.below(static_cast<std::uint32_t>(total)));
    const bool ups = k < upward;
    return nth(ups ? up : down, ups ? k : k - upward) + (ups ? 0 : 64);
  }
  // Looks for the end once, after the last step.
  int fast_playout(Rng& rng, int max_length) {
    if (over) return 0;
    int length = 0;
    for (; length < max_length && !is_drawn(); ++length) {
      const Action action = playout_action(rng);
      if (action == kNoAction) break;
      perform(action);
    }
    settle();
    return length;
  }

  std::uint64_t hash() const {
    return mix(mix(mix(0, own), other), kings | static_cast<Bits>(player) << 40 | static_cast<Bits>(quiet) << 41);
  }

  // The winner's pieces / 12 (Pepels et al., section 5).
  double quality() const { return count(pieces(winner)) / 12.0; }

  void playout_candidates(Rng&, ActionList& out) const { legal_actions(out); }

  // Whether the other player can surely move after any step: one fills no more than one of the squares to step to.
  bool leaves_a_move() const {
    Bits targets = 0;
    for (int d = 0; d < 4; ++d) targets |= shift((d >> 1) == player ? other & kings : other, d) & empty();
    return targets & (targets - 1);
  }
  void winning_actions(ActionList& out) const {
    if (!can_jump() && leaves_a_move()) return;
    legal_actions(out);
    std::size_t wins = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(out.size()); ++i) {
      Checkers next = *this;
      next.apply(out[i]);
      if (next.winner >= 0) out[wins++] = out[i];
    }
    out.resize(wins);
  }

  static std::string name_of(Bits piece) {
    const int square = square_of(lowest(piece)), row = square / 4;
    return square_name(row, 2 * (square % 4) + 1 - row % 2, 8);
  }
  // "c3d4" for a step; "c3xe5xg7" with every landing square for a capture.
  std::string action_name(Action action) const {
    const int path = action >> 5;
    Bits piece = bit(place_of(action & 31));
    std::string name = name_of(piece);
    if (path < 4) return name + name_of(shift(piece, path));
    for (int rest = path; rest > 1; rest >>= 2) {
      piece = shift(shift(piece, rest & 3), rest & 3);
      name += 'x' + name_of(piece);
    }
    return name;
  }

  std::string draw() const {
    return draw_board(8, 8, [&](int row, int column) {
      if ((row + column) % 2 == 0) return '.';
      const Bits b = bit(place_of(4 * row + column / 2));
      const bool king = kings & b;
      return pieces(0) & b ? (king ? '3' : '1') : pieces(1) & b ? (king ? '4' : '2') : '.';
    });
  }

  // The board with all pieces on dark squares. Some write it on the light ones, as its mirror image, and so may you.
  static std::vector<std::string> dark_squares(std::vector<std::string> rows) {
    bool dark = false, light = false;
    for (std::size_t row = 0; row < 8; ++row) {
      for (std::size_t column = 0; column < 8; ++column) {
        if (rows[row][column] != '.') ((row + column) % 2 ? dark : light) = true;
      }
    }
    if (dark && light)
      throw std::invalid_argument("board: pieces stand on dark and on light squares; they use one colour, a1 is dark");
    if (light) {
      for (std::string& row : rows) std::reverse(row.begin(), row.end());
    }
    return rows;
  }
  static Checkers parse(const Config& config, std::string_view board, int player) {
    check_player(player, 2);
    const auto rows = dark_squares(parse_rows(board, std::vector<int>(8, 8), ".1234"));
    Checkers state(config);
    state.player = static_cast<std::int8_t>(player);
    state.own = state.other = 0;
    for (int row = 0; row < 8; ++row) {
      for (int column = 0; column < 8; ++column) {
        const char cell = rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
        if (cell == '.') continue;
        const Bits b = bit(place_of(4 * row + column / 2));
        const int owner = (cell - '1') % 2;
        if (cell <= '2' && (b & kCrownRow[owner]))
          throw std::invalid_argument("board: the man on " + square_name(row, column, 8) +
                                      " must be a king (3 for player 0, 4 for player 1)");
        (owner == player ? state.own : state.other) |= b;
        if (cell >= '3') state.kings |= b;
      }
    }
    state.check_pieces();
    return state;
  }
  void check_pieces() {
    for (int p = 0; p < 2; ++p) {
      if (count(pieces(p)) > 12)
        throw std::invalid_argument("board: player " + std::to_string(p) + " has more than 12 pieces");
    }
    if (!(own | other)) throw std::invalid_argument("board: no pieces");
    settle();
    if (other == 0) {
      winner = player;
      over = true;
    }
  }
};

}  // namespace

GameEntry checkers() {
  return entry<Checkers>("checkers", "English draughts: captures are compulsory, men become kings.");
}

}  // namespace treewise::games
