// Knightthrough: breakthrough with pieces that jump like knights, forwards only (a game of the general game
// playing competitions). Two sets of bits; row 0 is the top, player 0 starts at the bottom and moves up. An
// action is 4 * from + direction: 0, 1 two rows forward and one column towards or away from a; 2, 3 one row
// forward and two columns.
#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

constexpr int kDirections = 4;
constexpr int kForward[kDirections] = {2, 2, 1, 1};
constexpr int kSideways[kDirections] = {-1, 1, -2, 2};

struct Knightthrough {
  struct Config {
    int rows, columns;
    Bits board = 0;
    Bits home[2] = {0, 0};          // the two starting rows of each player
    Bits goal[2] = {0, 0};          // the row each player wants to reach
    Bits can_go[kDirections] = {};  // squares from which a jump stays within the columns
    int distance[2][kDirections];   // from a target square back to its start

    explicit Config(const Parameters& p) : rows(p.integer("rows")), columns(p.integer("columns")) {
      if (rows * columns > 64) throw std::invalid_argument("knightthrough: rows * columns must be at most 64");
      for (int square = 0; square < rows * columns; ++square) {
        const int row = square / columns, column = square % columns;
        board |= bit(square);
        if (row >= rows - 2) home[0] |= bit(square);
        if (row < 2) home[1] |= bit(square);
        if (row == 0) goal[0] |= bit(square);
        if (row == rows - 1) goal[1] |= bit(square);
        for (int d = 0; d < kDirections; ++d)
          if (column + kSideways[d] >= 0 && column + kSideways[d] < columns) can_go[d] |= bit(square);
      }
      for (int d = 0; d < kDirections; ++d) {
        distance[0][d] = kForward[d] * columns - kSideways[d];
        distance[1][d] = -kForward[d] * columns - kSideways[d];
      }
    }
    GameInfo info() const {
      GameInfo info{.name = "knightthrough", .num_action_ids = kDirections * rows * columns};
      info.max_length = 2 * (2 * columns) * rows;  // every step brings a piece a row forward
      return info;
    }
  };

  // From four columns on, the piece furthest ahead always has a jump of one row.
  static std::vector<Parameter> parameters() {
    return {{"rows", std::int64_t{8}, "rows of the board (rows * columns at most 64)", 5, 16},
            {"columns", std::int64_t{8}, "columns of the board", 4, 12}};
  }

  const Config* config;
  Bits pieces[2];
  std::int8_t player = 0;
  std::int8_t winner = -1;

  explicit Knightthrough(const Config& c) : config(&c), pieces{c.home[0], c.home[1]} {}

  // Target squares of the mover's jumps in each direction.
  struct Targets {
    Bits to[kDirections];
    Targets operator&(Bits wanted) const { return {{to[0] & wanted, to[1] & wanted, to[2] & wanted, to[3] & wanted}}; }
  };
  template <int mover>
  Targets targets_of() const {
    const Bits own = pieces[mover];
    Targets t;
    for (int d = 0; d < kDirections; ++d) {
      const Bits starts = own & config->can_go[d];
      t.to[d] = mover == 0 ? starts >> config->distance[0][d] : starts << -config->distance[1][d];
    }
    return t & (config->board & ~own);
  }
  Targets targets() const { return player == 0 ? targets_of<0>() : targets_of<1>(); }
  int target_of(Action action) const { return action / kDirections - config->distance[player][action % kDirections]; }
  Action action_to(int target, int direction) const {
    return kDirections * (target + config->distance[player][direction]) + direction;
  }

  int current_player() const { return winner >= 0 ? kTerminal : player; }
  bool is_terminal() const { return winner >= 0; }

  void legal_actions(ActionList& out) const { list(targets(), out); }
  void list(const Targets& t, ActionList& out) const {
    for (int d = 0; d < kDirections; ++d)
      for (Bits b = t.to[d]; b;) out.push_back(action_to(pop(b), d));
  }

  void apply(Action action) {
    const int other = player ^ 1;
    const Bits from = bit(action / kDirections), to = bit(target_of(action));
    pieces[player] ^= from | to;
    pieces[other] &= ~to;
    if ((to & config->goal[player]) || pieces[other] == 0) winner = player;
    player = static_cast<std::int8_t>(other);
  }

  void returns(Values& out) const {
    out[0] = winner < 0 ? 0 : winner == 0 ? 1 : -1;
    out[1] = -out[0];
  }

  // A direction and its k-th target, uniform over all jumps.
  struct Choice {
    int direction;
    Bits to;
  };
  static Choice choose(const Targets& t, Rng& rng) {
    const int first = count(t.to[0]), second = first + count(t.to[1]), third = second + count(t.to[2]);
    const int k = static_cast<int>(rng.below(static_cast<std::uint32_t>(third + count(t.to[3]))));
    if (k < first) return {0, nth_bit(t.to[0], k)};
    if (k < second) return {1, nth_bit(t.to[1], k - first)};
    if (k < third) return {2, nth_bit(t.to[2], k - second)};
    return {3, nth_bit(t.to[3], k - third)};
  }
  Action playout_action(Rng& rng) const {
    const Choice choice = choose(targets(), rng);
    return action_to(lowest(choice.to), choice.direction);
  }
  Action draw_action(Rng& rng) const { return playout_action(rng); }
  // The mover is known to the compiler, so that both sets of pieces stay in registers.
  template <int mover>
  void playout_step(Rng& rng) {
    const auto [d, to] = choose(targets_of<mover>(), rng);
    pieces[mover] ^= to | (mover == 0 ? to << config->distance[0][d] : to >> -config->distance[1][d]);
    pieces[mover ^ 1] &= ~to;
    if ((to & config->goal[mover]) || pieces[mover ^ 1] == 0) winner = mover;
    player = mover ^ 1;
  }
  int fast_playout(Rng& rng, int max_length) {
    int length = 0;
    for (; length < max_length && winner < 0; ++length) {
      if (player == 0) {
        playout_step<0>(rng);
      } else {
        playout_step<1>(rng);
      }
    }
    return length;
  }

  void winning_actions(ActionList& out) const {
    const Bits last = count(pieces[player ^ 1]) == 1 ? pieces[player ^ 1] : 0;
    list(targets() & (config->goal[player] | last), out);
  }
  // The other player wins with a piece a jump from its goal, where nothing can stand in its way, or by taking the last
  // piece. Only who takes the one that threatens is safe.
  Safety safe_actions(ActionList& out) const {
    const int other = player ^ 1;
    if (count(pieces[player]) == 1) return safe_by_looking(*this, out);
    const Targets t = (other == 0 ? targets_of<0>() : targets_of<1>()) & config->goal[other];
    Bits threats = 0;
    for (int d = 0; d < kDirections; ++d) {
      const int distance = config->distance[other][d];
      threats |= distance > 0 ? t.to[d] << distance : t.to[d] >> -distance;
    }
    if (threats == 0) return Safety::kAll;
    if (count(threats) == 1) list(targets() & threats, out);
    return Safety::kListed;
  }

  std::uint64_t hash() const { return mix(mix(mix(0, pieces[0]), pieces[1]), static_cast<std::uint64_t>(player)); }

  std::string action_name(Action action) const {
    const int from = action / kDirections, to = target_of(action), w = config->columns;
    return square_name(from / w, from % w, config->rows) + square_name(to / w, to % w, config->rows);
  }

  std::string draw() const {
    return draw_board(config->rows, config->columns, [&](int row, int column) {
      const Bits b = bit(row * config->columns + column);
      return pieces[0] & b ? '1' : pieces[1] & b ? '2' : '.';
    });
  }

  static Knightthrough parse(const Config& config, std::string_view board, int player) {
    check_player(player, 2);
    const auto rows = parse_rows(board, std::vector<int>(static_cast<std::size_t>(config.rows), config.columns), ".12");
    Knightthrough state(config);
    state.pieces[0] = state.pieces[1] = 0;
    for (int square = 0; square < config.rows * config.columns; ++square) {
      const char cell =
          rows[static_cast<std::size_t>(square / config.columns)][static_cast<std::size_t>(square % config.columns)];
      if (cell != '.') state.pieces[cell - '1'] |= bit(square);
    }
    if ((state.pieces[0] | state.pieces[1]) == 0) throw std::invalid_argument("board: no pieces");
    state.player = static_cast<std::int8_t>(player);
    for (int p = 0; p < 2; ++p) {
      if (count(state.pieces[p]) > 2 * config.columns)
        throw std::invalid_argument("board: player " + std::to_string(p) + " has more than " +
                                    std::to_string(2 * config.columns) + " pieces");
      if (!(state.pieces[p] & config.goal[p]) && state.pieces[p ^ 1] != 0) continue;
      if (state.winner >= 0) throw std::invalid_argument("board: both players have won");
      state.winner = static_cast<std::int8_t>(p);
    }
    return state;
  }
};

}  // namespace

GameEntry knightthrough() {
  return entry<Knightthrough>("knightthrough", "Breakthrough with forward knights: reach the far row.");
}

}  // namespace treewise::games
