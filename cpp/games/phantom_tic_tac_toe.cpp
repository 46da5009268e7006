// Phantom tic-tac-toe: nobody sees the other's stones. A try at a taken cell reveals the stone there to the
// player who tried, and to nobody else, and the same player goes on. An action is the cell, 0 to 8 in
// reading order.
#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

constexpr Bits kBoard = 0777;
constexpr Bits kLines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

bool has_line(Bits stones) {
  bool line = false;
  for (const Bits l : kLines) line |= (stones & l) == l;
  return line;
}

struct PhantomTicTacToe {
  struct Config {
    explicit Config(const Parameters&) {}
    GameInfo info() const {
      // Nine stones, and each of the first eight stones can be bumped into once.
      return {.name = "phantom_tic_tac_toe", .num_action_ids = 9, .max_length = 17};
    }
  };
  static std::vector<Parameter> parameters() { return {}; }

  std::uint16_t stones[2] = {0, 0};
  std::uint16_t found[2] = {0, 0};  // the stones of the other that each player has bumped into
  std::int8_t player = 0;
  std::int8_t winner = -1;
  bool over = false;

  explicit PhantomTicTacToe(const Config&) {}

  Bits untried(int p) const { return kBoard & ~Bits{static_cast<Bits>(stones[p] | found[p])}; }
  int current_player() const { return over ? kTerminal : player; }
  bool is_terminal() const { return over; }
  void legal_actions(ActionList& out) const {
    for (Bits b = untried(player); b;) out.push_back(pop(b));
  }
  void apply(Action action) {
    const auto cell = static_cast<std::uint16_t>(1u << action);
    if (stones[player ^ 1] & cell) {
      found[player] |= cell;
      return;
    }
    stones[player] |= cell;
    settle();
    player ^= 1;
  }
  // Looks for the mover's line.
  void settle() {
    if (has_line(stones[player])) winner = player;
    over = winner >= 0 || (stones[0] | stones[1]) == kBoard;
  }
  void returns(Values& out) const {
    out[0] = winner < 0 ? 0 : winner == 0 ? 1 : -1;
    out[1] = -out[0];
  }
  Action playout_action(Rng& rng) const {
    const Bits cells = untried(player);
    return nth(cells, static_cast<int>(rng.below(static_cast<std::uint32_t>(count(cells)))));
  }

  // `observer` knows the own stones and tries and, because turns alternate, how many stones the other has;
  // and that nobody has a line. Cells not tried so far were never known to be empty, so every placing of the
  // rest of the other's stones there fits, whenever they were placed. Which of the observer's stones the
  // other has found, the observer cannot know at all: the other has had a turn since each of them was placed.
  // All states that fit are equally likely. A finished match is open: nothing changes.
  void resample(int observer, Rng& rng) {
    if (over) return;
    const int other = observer ^ 1;
    const int hidden = count(stones[other]) - count(found[observer]);
    Bits drawn;
    do {
      drawn = found[observer];
      Bits cells = untried(observer);
      for (int i = 0; i < hidden; ++i) {
        const int cell = nth(cells, static_cast<int>(rng.below(static_cast<std::uint32_t>(count(cells)))));
        cells ^= bit(cell);
        drawn |= bit(cell);
      }
    } while (has_line(drawn));
    stones[other] = static_cast<std::uint16_t>(drawn);
    found[other] = static_cast<std::uint16_t>(rng.next() >> 48 & stones[observer]);
  }

  // The own stones and those found; the rest of the other's stones only as a number.
  std::string observation(int observer) const {
    const char own = observer == 0 ? 'x' : 'o', other = observer == 0 ? 'o' : 'x';
    std::string out = draw_board(3, 3, [&](int row, int column) {
      const Bits b = bit(3 * row + column);
      return stones[observer] & b ? own : found[observer] & b ? other : '.';
    });
    out += "stones of the other player: " + std::to_string(count(stones[observer ^ 1])) + '\n';
    if (!over) return out + (player == observer ? "your turn\n" : "the other player's turn\n");
    return out + (winner < 0 ? "a draw\n" : winner == observer ? "you won\n" : "you lost\n");
  }

  std::uint64_t hash() const {
    return mix(mix(0, Bits{stones[0]} << 16 | stones[1]),
               Bits{found[0]} << 16 | Bits{found[1]} << 1 | static_cast<Bits>(player));
  }
  std::string action_name(Action action) const { return square_name(action / 3, action % 3, 3); }
  // A capital is a stone that the other player has found.
  std::string draw() const {
    return draw_board(3, 3, [&](int row, int column) {
      const Bits b = bit(3 * row + column);
      if (stones[0] & b) return found[1] & b ? 'X' : 'x';
      if (stones[1] & b) return found[0] & b ? 'O' : 'o';
      return '.';
    });
  }

  static PhantomTicTacToe parse(const Config& config, std::string_view board, int player) {
    check_player(player, 2);
    const auto rows = parse_rows(board, {3, 3, 3}, ".xoXO");
    PhantomTicTacToe state(config);
    for (int cell = 0; cell < 9; ++cell) {
      const char c = rows[static_cast<std::size_t>(cell / 3)][static_cast<std::size_t>(cell % 3)];
      if (c == '.') continue;
      const int owner = c == 'o' || c == 'O';
      const auto b = static_cast<std::uint16_t>(1u << cell);
      state.stones[owner] |= b;
      if (c == 'X' || c == 'O') state.found[owner ^ 1] |= b;
    }
    state.check_reachable(player);
    for (const int p : {player, player ^ 1}) {
      state.player = static_cast<std::int8_t>(p);
      state.settle();
    }
    state.player = static_cast<std::int8_t>(player);
    return state;
  }
  void check_reachable(int to_move) const {
    if (count(stones[0]) - count(stones[1]) != to_move)
      throw std::invalid_argument("board: with player " + std::to_string(to_move) + " to move, player 0 must have " +
                                  (to_move ? "one stone more than" : "as many stones as") + " player 1");
    if (has_line(stones[to_move]))
      throw std::invalid_argument("board: the player to move has a line already, so the match was over before");
  }
};

}  // namespace

GameEntry phantom_tic_tac_toe() {
  return entry<PhantomTicTacToe>("phantom_tic_tac_toe", "Tic-tac-toe in which nobody sees the other's stones.");
}

}  // namespace treewise::games
