// Breakthrough (Dan Troyka, 2000). Two sets of bits; row 0 is the top, player 0 starts at the bottom and
// moves up. An action is 3 * from + direction (0 straight, 1 towards column a, 2 away from it).
#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

struct Breakthrough {
  struct Config {
    int rows, columns;
    Bits board = 0, not_first_column = 0, not_last_column = 0;
    Bits home[2] = {0, 0};  // the two starting rows of each player
    Bits goal[2] = {0, 0};  // the row each player wants to reach

    explicit Config(const Parameters& p) : rows(p.integer("rows")), columns(p.integer("columns")) {
      if (rows * columns > 64) throw std::invalid_argument("breakthrough: rows * columns must be at most 64");
      for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
          const Bits b = bit(row * columns + column);
          board |= b;
          if (column > 0) not_first_column |= b;
          if (column < columns - 1) not_last_column |= b;
          if (row >= rows - 2) home[0] |= b;
          if (row < 2) home[1] |= b;
          if (row == 0) goal[0] |= b;
          if (row == rows - 1) goal[1] |= b;
        }
      }
    }
    GameInfo info() const {
      GameInfo info{.name = "breakthrough", .num_action_ids = 3 * rows * columns};
      info.max_length = 2 * (2 * columns) * rows;  // every step brings a piece a row forward
      return info;
    }
  };

  static std::vector<Parameter> parameters() {
    return {{"rows", std::int64_t{8}, "rows of the board (rows * columns at most 64)", 5, 16},
            {"columns", std::int64_t{8}, "columns of the board", 2, 12}};
  }

  const Config* config;
  Bits pieces[2];
  std::int8_t player = 0;
  std::int8_t winner = -1;

  explicit Breakthrough(const Config& c) : config(&c), pieces{c.home[0], c.home[1]} {}

  // Target squares of the mover's steps in the three directions.
  struct Targets {
    Bits straight, left, right;
    int total() const { return count(straight) + count(left) + count(right); }
  };
  Targets targets() const { return player == 0 ? targets<0>(pieces[0], pieces[1]) : targets<1>(pieces[1], pieces[0]); }
  template <int mover, int width = 0>
  Targets targets(Bits own, Bits other) const {
    const int w = width ? width : config->columns;
    const Bits lefts = own & config->not_first_column, rights = own & config->not_last_column;
    // The board drops what a shift would push past the last row of boards smaller than 64 squares.
    const Bits open = config->board & ~own, empty = open & ~other;
    if (mover == 0) return {(own >> w) & empty, (lefts >> (w + 1)) & open, (rights >> (w - 1)) & open};
    return {(own << w) & empty, (lefts << (w - 1)) & open, (rights << (w + 1)) & open};
  }
  // How far back the start square lies from a target square.
  int start_of(int target, int direction) const {
    const int side = direction == 0 ? 0 : direction == 1 ? 1 : -1;
    return player == 0 ? target + config->columns + side : target - config->columns + side;
  }
  int target_of(Action action) const {
    const int from = action / 3, direction = action % 3;
    const int side = direction == 0 ? 0 : direction == 1 ? -1 : 1;
    return (player == 0 ? from - config->columns : from + config->columns) + side;
  }

  int current_player() const { return winner >= 0 ? kTerminal : player; }
  bool is_terminal() const { return winner >= 0; }

  void legal_actions(ActionList& out) const { list(targets(), out); }
  void list(Targets t, ActionList& out) const {
    Action* write = out.room(static_cast<std::size_t>(t.total()));
    Action* const first = write;
    for (Bits b = t.straight; b;) *write++ = 3 * start_of(pop(b), 0);
    for (Bits b = t.left; b;) *write++ = 3 * start_of(pop(b), 1) + 1;
    for (Bits b = t.right; b;) *write++ = 3 * start_of(pop(b), 2) + 2;
    out.commit(static_cast<std::size_t>(write - first));
  }

  void apply(Action action) { step(action / 3, target_of(action)); }
  void step(int from, int to) {
    const int other = player ^ 1;
    pieces[player] ^= bit(from) | bit(to);
    pieces[other] &= ~bit(to);
    if ((bit(to) & config->goal[player]) || pieces[other] == 0) winner = player;
    player = static_cast<std::int8_t>(other);
  }

  void returns(Values& out) const {
    out[0] = winner < 0 ? 0 : winner == 0 ? 1 : -1;
    out[1] = -out[0];
  }

  Action playout_action(Rng& rng) const {
    const Targets t = targets();
    return nth_action(t, static_cast<int>(rng.below(static_cast<std::uint32_t>(t.total()))));
  }
  // In the order of `list`.
  Action nth_action(Targets t, int k) const {
    const int straight = count(t.straight), left = count(t.left);
    if (k < straight) return 3 * start_of(nth(t.straight, k), 0);
    k -= straight;
    if (k < left) return 3 * start_of(nth(t.left, k), 1) + 1;
    return 3 * start_of(nth(t.right, k - left), 2) + 2;
  }

  Action draw_action(Rng& rng) const { return playout_action(rng); }

  // The same choices as by playout_action, but on sets all through. An index must fit into a set, and a side with the
  // pieces of this many columns has at most 60 actions.
  static constexpr int kMostColumns = 10;
  int fast_playout(Rng& rng, int max_length) {
    if (winner >= 0) return 0;
    if (config->columns > kMostColumns) return step_by_step(rng, max_length);
    return config->columns == 8 ? play_out<8>(rng, max_length) : play_out<0>(rng, max_length);
  }
  // `width` is the number of columns where the compiler shall know it, else 0.
  template <int width>
  int play_out(Rng& rng, int max_length) {
    Bits sets[2] = {pieces[0], pieces[1]};
    int length = 0;
    bool won = false;
    if (player == 1 && max_length > 0) won = (++length, random_step<1, width>(sets[1], sets[0], rng));
    while (!won && length < max_length) {
      won = (++length, random_step<0, width>(sets[0], sets[1], rng));
      if (won || length == max_length) break;
      won = (++length, random_step<1, width>(sets[1], sets[0], rng));
    }
    pieces[0] = sets[0];
    pieces[1] = sets[1];
    player = static_cast<std::int8_t>(player ^ (length & 1));
    if (won) winner = static_cast<std::int8_t>(player ^ 1);
    return length;
  }
  int step_by_step(Rng& rng, int max_length) {
    int length = 0;
    for (; length < max_length && winner < 0; ++length) apply(playout_action(rng));
    return length;
  }
  // One uniform step; true if it wins. The index as a set {k}, shifted by what the sets before hold, falls into
  // exactly one of the three, so no branch depends on the draw.
  template <int mover, int width>
  bool random_step(Bits& own, Bits& other, Rng& rng) const {
    const Targets t = targets<mover, width>(own, other);
    const int straight = count(t.straight), left = count(t.left), right = count(t.right);
    const Bits one = bit(static_cast<int>(rng.below(static_cast<std::uint32_t>(straight + left + right))));
    const Bits s = deposit(one, t.straight), l = deposit(one >> straight, t.left);
    const Bits r = deposit(one >> (straight + left), t.right);
    const int w = width ? width : config->columns;
    own ^= s | l | r;
    own ^= mover == 0 ? s << w | l << (w + 1) | r << (w - 1) : s >> w | l >> (w - 1) | r >> (w + 1);
    other &= ~(l | r);
    return ((s | l | r) & config->goal[mover]) || other == 0;
  }

  std::uint64_t hash() const { return mix(mix(mix(0, pieces[0]), pieces[1]), static_cast<std::uint64_t>(player)); }

  // (winner's pieces - loser's) / 16 on the standard board (Pepels et al., section 5).
  double quality() const {
    const int difference = count(pieces[winner]) - count(pieces[winner ^ 1]);
    return static_cast<double>(difference) / (2 * config->columns);
  }

  // What speaks for player 0, and against player 1 as its negative: pieces that far advanced, pieces that others guard,
  // pieces past all that could stop them, and pieces that can be captured now.
  int num_features() const { return config->rows + 3; }
  void features(std::span<double> out) const {
    const auto rows = static_cast<std::size_t>(config->rows);
    const double unit = 1.0 / config->columns;
    const Bits top = config->goal[0];
    for (std::size_t row = 0; row < rows; ++row) {
      const int from_top = static_cast<int>(row), from_bottom = config->rows - 1 - from_top;
      const int far = count(pieces[0] & (top << from_bottom * config->columns));
      out[row] = unit * (far - count(pieces[1] & (top << from_top * config->columns)));
    }
    const Bits reach[2] = {diagonals<0>(pieces[0]), diagonals<1>(pieces[1])};
    out[rows] = unit * (count(pieces[0] & reach[0]) - count(pieces[1] & reach[1]));
    const int past = count(pieces[0] & ~shadow<1>(pieces[1])) - count(pieces[1] & ~shadow<0>(pieces[0]));
    out[rows + 1] = unit * past;
    const int loose = count(pieces[player ^ 1] & reach[player]);
    out[rows + 2] = unit * (player == 0 ? loose : -loose);
  }
  // The squares diagonally ahead of a player's pieces.
  template <int mover>
  Bits diagonals(Bits own) const {
    const int w = config->columns;
    const Bits lefts = own & config->not_first_column, rights = own & config->not_last_column;
    if (mover == 0) return (lefts >> (w + 1)) | (rights >> (w - 1));
    return ((lefts << (w - 1)) | (rights << (w + 1))) & config->board;
  }
  // The squares that a player's pieces can come to by their own steps, those they stand on included: what stands
  // elsewhere is past them.
  template <int mover>
  Bits shadow(Bits own) const {
    for (int row = 1; row < config->rows; ++row) {
      const Bits straight = mover == 0 ? own >> config->columns : (own << config->columns) & config->board;
      own |= diagonals<mover>(own) | straight;
    }
    return own;
  }

  void winning_actions(ActionList& out) const {
    Targets t = targets();
    if (count(pieces[player ^ 1]) > 1) {
      const Bits goal = config->goal[player];
      t = {t.straight & goal, t.left & goal, t.right & goal};
    } else {
      const Bits wins = config->goal[player] | pieces[player ^ 1];
      t = {t.straight & wins, t.left & wins, t.right & wins};
    }
    list(t, out);
  }

  // The other player wins with a piece one step from its goal, which can always go there, or by taking the last piece.
  Safety safe_actions(ActionList& out) const {
    const int w = config->columns, other = player ^ 1;
    const Bits goal = config->goal[other], threats = pieces[other] & (other == 0 ? goal << w : goal >> w);
    if (count(pieces[player]) == 1) return safe_by_looking(*this, out);
    if (threats == 0) return Safety::kAll;
    if (count(threats) > 1) return Safety::kListed;
    const Targets t = targets();
    list({0, t.left & threats, t.right & threats}, out);
    return Safety::kListed;
  }

  // A step to the far row, else captures from the own home row, else weights: quiet 1, capture 2, or 5 where
  // nothing stands diagonally ahead of the target.
  struct Candidates {
    Targets once, again, thrice;  // an action counts in each that it is in
  };
  Candidates candidates() const {
    const Targets t = targets();
    const Bits goal = config->goal[player], other = pieces[player ^ 1];
    const Targets wins{t.straight & goal, t.left & goal, t.right & goal};
    if (wins.total() > 0) return {first_of(wins), {}, {}};
    const int w = config->columns;
    const Bits own_row = config->goal[player ^ 1];
    const Bits second = player == 0 ? own_row >> w : own_row << w;  // where captures from the home row land
    const Targets captures{0, t.left & other, t.right & other};
    const Targets saving{0, captures.left & second, captures.right & second};
    if (saving.total() > 0) return {saving, {}, {}};
    const Bits all = pieces[0] | pieces[1];
    Bits guarded;  // squares with a piece diagonally ahead of them, seen from the mover
    if (player == 0) {
      guarded = ((all & config->not_last_column) << (w + 1)) | ((all & config->not_first_column) << (w - 1));
    } else {
      guarded = ((all & config->not_first_column) >> (w + 1)) | ((all & config->not_last_column) >> (w - 1));
    }
    return {t, captures, {0, captures.left & ~guarded, captures.right & ~guarded}};
  }
  static Targets first_of(Targets t) {
    if (t.straight) return {t.straight & (~t.straight + 1), 0, 0};
    if (t.left) return {0, t.left & (~t.left + 1), 0};
    return {0, 0, t.right & (~t.right + 1)};
  }
  void playout_candidates(Rng&, ActionList& out) const {
    const Candidates found = candidates();
    list(found.once, out);
    list(found.again, out);
    for (int i = 0; i < 3; ++i) list(found.thrice, out);
  }
  Action policy_action(Rng& rng) const {
    const Candidates found = candidates();
    const int once = found.once.total(), again = found.again.total(), thrice = found.thrice.total();
    int k = static_cast<int>(rng.below(static_cast<std::uint32_t>(once + again + 3 * thrice)));
    if (k < once) return nth_action(found.once, k);
    k -= once;
    return k < again ? nth_action(found.again, k) : nth_action(found.thrice, (k - again) % thrice);
  }

  std::string action_name(Action action) const {
    const int from = action / 3, to = target_of(action), w = config->columns;
    return square_name(from / w, from % w, config->rows) + square_name(to / w, to % w, config->rows);
  }

  std::string draw() const {
    return draw_board(config->rows, config->columns, [&](int row, int column) {
      const Bits b = bit(row * config->columns + column);
      return pieces[0] & b ? '1' : pieces[1] & b ? '2' : '.';
    });
  }

  static Breakthrough parse(const Config& config, std::string_view board, int player) {
    check_player(player, 2);
    const auto rows = parse_rows(board, std::vector<int>(static_cast<std::size_t>(config.rows), config.columns), ".12");
    Breakthrough state(config);
    state.pieces[0] = state.pieces[1] = 0;
    for (int row = 0; row < config.rows; ++row) {
      for (int column = 0; column < config.columns; ++column) {
        const char cell = rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
        if (cell != '.') state.pieces[cell - '1'] |= bit(row * config.columns + column);
      }
    }
    for (int p = 0; p < 2; ++p) {
      if (count(state.pieces[p]) > 2 * config.columns)
        throw std::invalid_argument("board: player " + std::to_string(p) + " has more than " +
                                    std::to_string(2 * config.columns) + " pieces");
    }
    state.player = static_cast<std::int8_t>(player);
    for (int p = 0; p < 2; ++p) {
      if ((state.pieces[p] & config.goal[p]) || state.pieces[p ^ 1] == 0) state.winner = static_cast<std::int8_t>(p);
    }
    if (state.pieces[0] == 0 && state.pieces[1] == 0) throw std::invalid_argument("board: no pieces");
    return state;
  }
};

}  // namespace

GameEntry breakthrough() {
  return entry<Breakthrough>("breakthrough", "Race a piece to the far row; captures are diagonal.");
}

}  // namespace treewise::games
