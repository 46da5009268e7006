// Tic-tac-toe. An action is the cell, 0 to 8 in reading order.
#include <array>

#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

constexpr Bits kLines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

// A bit for each of the 512 sets of cells: whether it holds a line.
constexpr std::array<Bits, 8> kHasLine = [] {
  std::array<Bits, 8> table{};
  for (Bits stones = 0; stones < 512; ++stones)
    for (const Bits line : kLines)
      if ((stones & line) == line) table[stones / 64] |= bit(static_cast<int>(stones % 64));
  return table;
}();

bool has_line(Bits stones) {
  return kHasLine[stones / 64] >> (stones % 64) & 1;
}

struct TicTacToe {
  struct Config {
    explicit Config(const Parameters&) {}
    GameInfo info() const { return {.name = "tic_tac_toe", .num_action_ids = 9, .max_length = 9}; }
  };
  static std::vector<Parameter> parameters() { return {}; }

  std::uint16_t stones[2] = {0, 0};
  std::int8_t player = 0;
  std::int8_t winner = -1;
  bool over = false;

  explicit TicTacToe(const Config&) {}

  Bits empty() const { return 0777 & ~Bits{static_cast<Bits>(stones[0] | stones[1])}; }
  int current_player() const { return over ? kTerminal : player; }
  bool is_terminal() const { return over; }
  void legal_actions(ActionList& out) const {
    for (Bits b = empty(); b;) out.push_back(pop(b));
  }
  void apply(Action action) {
    stones[player] = static_cast<std::uint16_t>(stones[player] | (1u << action));
    settle();
    player ^= 1;
  }
  // Looks for the mover's line.
  void settle() {
    if (has_line(stones[player])) winner = player;
    over = winner >= 0 || empty() == 0;
  }
  void returns(Values& out) const {
    out[0] = winner < 0 ? 0 : winner == 0 ? 1 : -1;
    out[1] = -out[0];
  }
  Action playout_action(Rng& rng) const {
    const Bits cells = empty();
    return nth(cells, static_cast<int>(rng.below(static_cast<std::uint32_t>(count(cells)))));
  }
  Action draw_action(Rng& rng) const { return playout_action(rng); }
  SetOfActions playout_set(std::span<Bits> out) const {
    out[0] = empty();
    return SetOfActions::kExact;
  }
  Bits wins_of(int p) const {
    Bits wins = 0;
    for (Bits b = empty(); b;) {
      const int cell = pop(b);
      if (has_line(stones[p] | bit(cell))) wins |= bit(cell);
    }
    return wins;
  }
  void winning_actions(ActionList& out) const {
    for (Bits b = wins_of(player); b;) out.push_back(pop(b));
  }
  // A stone takes nothing from the other player but its cell.
  Safety safe_actions(ActionList& out) const {
    const Bits threats = wins_of(player ^ 1);
    if (threats == 0) return Safety::kAll;
    if (count(threats) == 1) out.push_back(lowest(threats));
    return Safety::kListed;
  }
  std::uint64_t hash() const { return mix(mix(0, stones[0]), stones[1]); }
  std::string action_name(Action action) const { return square_name(action / 3, action % 3, 3); }
  std::string draw() const {
    return draw_board(3, 3, [&](int row, int column) {
      const Bits b = bit(3 * row + column);
      return stones[0] & b ? 'x' : stones[1] & b ? 'o' : '.';
    });
  }
  static TicTacToe parse(const Config& config, std::string_view board, int player) {
    check_player(player, 2);
    const auto rows = parse_rows(board, {3, 3, 3}, ".12xo");
    TicTacToe state(config);
    for (int cell = 0; cell < 9; ++cell) {
      const char c = rows[static_cast<std::size_t>(cell / 3)][static_cast<std::size_t>(cell % 3)];
      if (c == '.') continue;
      std::uint16_t& own = state.stones[c == '2' || c == 'o'];
      own = static_cast<std::uint16_t>(own | (1u << cell));
    }
    const int difference = count(state.stones[0]) - count(state.stones[1]);
    if (difference != player)
      throw std::invalid_argument("board: with player " + std::to_string(player) + " to move, player 0 must have " +
                                  (player ? "one stone more than" : "as many stones as") + " player 1");
    if (has_line(state.stones[0]) && has_line(state.stones[1]))
      throw std::invalid_argument("board: both players have a line");
    for (const int p : {0, 1}) {
      state.player = static_cast<std::int8_t>(p);
      state.settle();
    }
    state.player = static_cast<std::int8_t>(player);
    return state;
  }
};

}  // namespace

GameEntry tic_tac_toe() {
  return entry<TicTacToe>("tic_tac_toe", "Three in a row on nine cells.");
}

}  // namespace treewise::games
