// Connect Four (Howard Wexler, Ned Strongin, 1974). A column is rows + 1 bits, lowest cell first; the extra
// bit on top stays empty, so that shifts never carry a line from one column into the next (John Tromp's
// layout). An action is the cell where the stone lands, row * columns + column with row 0 at the top: the
// same id is always the same stone, which a column is not.
#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

struct ConnectFour {
  struct Config {
    int rows, columns, line;
    Bits board = 0, bottom = 0;
    std::int8_t cell_of[64] = {};  // from bits to action ids and back
    std::int8_t bit_of[64] = {};
    int directions[4];   // vertical, horizontal, and the two diagonals, as distances between bits
    int doubling[3][4];  // shifts that join stones to runs of `line`: see has_line

    explicit Config(const Parameters& p)
        : rows(p.integer("rows")), columns(p.integer("columns")), line(p.integer("line")) {
      if ((rows + 1) * columns > 64)
        throw std::invalid_argument("connect_four: (rows + 1) * columns must be at most 64");
      if (line > std::max(rows, columns))
        throw std::invalid_argument("connect_four: a line must fit on the board; make line smaller");
      for (int column = 0; column < columns; ++column) {
        bottom |= bit(column * (rows + 1));
        for (int row = 0; row < rows; ++row) {
          const int square = column * (rows + 1) + rows - 1 - row, cell = row * columns + column;
          board |= bit(square);
          cell_of[square] = static_cast<std::int8_t>(cell);
          bit_of[cell] = static_cast<std::int8_t>(square);
        }
      }
      const int height = rows + 1;
      const int all[4] = {1, height, height + 1, height - 1};
      std::copy(all, all + 4, directions);
      for (int k = 0, joined = 1; k < 3; ++k) {
        const int more = std::min(joined, line - joined);
        joined += more;
        // A shift past the word finds no line; neither does one by 63, because bit 63 is never a stone.
        for (int d = 0; d < 4; ++d) doubling[k][d] = std::min(more * directions[d], 63);
      }
    }
    GameInfo info() const {
      return {.name = "connect_four", .num_action_ids = rows * columns, .max_length = rows * columns};
    }
    // Runs of j stones and runs of j shifted by k <= j make runs of j + k: 1, 2, 4, at most 8.
    bool has_line(Bits stones) const {
      if (line == 4) return has_four(stones);
      Bits found = 0;
      for (int d = 0; d < 4; ++d) {
        Bits runs = stones;
        for (int k = 0; k < 3; ++k) runs &= runs >> doubling[k][d];
        found |= runs;
      }
      return found != 0;
    }
    bool has_four(Bits stones) const {
      const int height = rows + 1;
      const Bits vertical = stones & (stones >> 1);
      const Bits horizontal = stones & (stones >> height);
      const Bits rising = stones & (stones >> (height + 1));
      const Bits falling = stones & (stones >> (height - 1));
      return ((vertical & (vertical >> 2)) | (horizontal & (horizontal >> (2 * height))) |
              (rising & (rising >> (2 * height + 2))) | (falling & (falling >> (2 * height - 2)))) != 0;
    }
  };

  static std::vector<Parameter> parameters() {
    return {{"rows", std::int64_t{6}, "rows of the board ((rows + 1) * columns at most 64)", 2, 20},
            {"columns", std::int64_t{7}, "columns of the board", 2, 20},
            {"line", std::int64_t{4}, "stones in a row that win", 2, 8}};
  }

  const Config* config;
  Bits stones[2] = {0, 0};
  std::int8_t player = 0;
  std::int8_t winner = -1;

  explicit ConnectFour(const Config& c) : config(&c) {}

  // The lowest empty cell of each column that has one.
  Bits landings() const { return ((stones[0] | stones[1]) + config->bottom) & config->board; }

  bool is_terminal() const { return winner >= 0 || landings() == 0; }
  int current_player() const { return is_terminal() ? kTerminal : player; }

  void legal_actions(ActionList& out) const {
    for (Bits b = landings(); b;) out.push_back(config->cell_of[pop(b)]);
  }
  void apply(Action action) {
    stones[player] |= bit(config->bit_of[action]);
    if (config->has_line(stones[player])) winner = player;
    player ^= 1;
  }
  void returns(Values& out) const {
    out[0] = winner < 0 ? 0 : winner == 0 ? 1 : -1;
    out[1] = -out[0];
  }

  Action playout_action(Rng& rng) const {
    const Bits b = landings();
    return config->cell_of[nth(b, static_cast<int>(rng.below(static_cast<std::uint32_t>(count(b)))))];
  }
  int fast_playout(Rng& rng, int max_length) {
    return config->line == 4 ? play(rng, max_length, [this](Bits own) { return config->has_four(own); })
                             : play(rng, max_length, [this](Bits own) { return config->has_line(own); });
  }
  // The uniform playout without translating bits to action ids and back.
  template <class HasLine>
  int play(Rng& rng, int max_length, HasLine has_line) {
    if (winner >= 0) return 0;
    Bits own = stones[player], other = stones[player ^ 1];
    int length = 0;
    bool won = false;
    while (length < max_length && !won) {
      const Bits free = ((own | other) + config->bottom) & config->board;
      if (free == 0) break;
      own |= nth_bit(free, static_cast<int>(rng.below(static_cast<std::uint32_t>(count(free)))));
      won = has_line(own);
      std::swap(own, other);
      ++length;
    }
    if (length & 1) player ^= 1;
    stones[player] = own;
    stones[player ^ 1] = other;
    if (won) winner = static_cast<std::int8_t>(player ^ 1);
    return length;
  }

  Action draw_action(Rng& rng) const { return playout_action(rng); }

  // Cells with `line` - 1 own stones around them along a direction: i on one side, the rest on the other.
  Bits gaps(Bits own) const {
    Bits found = 0;
    for (const int d : config->directions) {
      Bits above[8], below = ~Bits{0};  // above[i]: cells with i own stones next to them on the higher side
      above[0] = ~Bits{0};
      for (int i = 1; i < config->line; ++i) above[i] = (own & above[i - 1]) >> d;
      for (int i = config->line - 1; i >= 0; --i) {
        found |= above[i] & below;
        below = (own & below) << d;
      }
    }
    return found;
  }
  void list(Bits cells, ActionList& out) const {
    while (cells) out.push_back(config->cell_of[pop(cells)]);
  }
  void winning_actions(ActionList& out) const { list(gaps(stones[player]) & landings(), out); }
  // What the other player can win by now must be the cell that is filled; and it must not open a cell to win by above.
  Safety safe_actions(ActionList& out) const {
    const Bits open = landings(), theirs = gaps(stones[player ^ 1]);
    const Bits now = theirs & open, opens = open & (theirs & config->board) >> 1;
    if (now == 0 && opens == 0) return Safety::kAll;
    if (now == 0) {
      list(open & ~opens, out);
    } else if (count(now) == 1) {
      list(now & ~opens, out);
    }
    return Safety::kListed;
  }

  std::uint64_t hash() const { return mix(mix(0, stones[0]), stones[1]); }
  std::string action_name(Action action) const {
    return std::string(1, static_cast<char>('a' + action % config->columns));
  }
  std::string draw() const {
    return draw_board(config->rows, config->columns, [&](int row, int column) {
      const Bits b = bit(config->bit_of[row * config->columns + column]);
      return stones[0] & b ? 'x' : stones[1] & b ? 'o' : '.';
    });
  }

  static ConnectFour parse(const Config& config, std::string_view board, int player) {
    check_player(player, 2);
    const auto rows =
        parse_rows(board, std::vector<int>(static_cast<std::size_t>(config.rows), config.columns), ".12xo");
    ConnectFour state(config);
    for (int cell = 0; cell < config.rows * config.columns; ++cell) {
      const char c =
          rows[static_cast<std::size_t>(cell / config.columns)][static_cast<std::size_t>(cell % config.columns)];
      if (c != '.') state.stones[c == '2' || c == 'o'] |= bit(config.bit_of[cell]);
    }
    const Bits all = state.stones[0] | state.stones[1];
    if (((all >> 1) & config.board & ~all) != 0)
      throw std::invalid_argument("board: a stone has an empty cell below it; stones fall to the bottom");
    if (count(state.stones[0]) - count(state.stones[1]) != player)
      throw std::invalid_argument("board: with player " + std::to_string(player) + " to move, player 0 must have " +
                                  (player ? "one stone more than" : "as many stones as") + " player 1");
    for (const int p : {0, 1}) {
      if (!config.has_line(state.stones[p])) continue;
      if (state.winner >= 0) throw std::invalid_argument("board: both players have a line");
      state.winner = static_cast<std::int8_t>(p);
    }
    state.player = static_cast<std::int8_t>(player);
    return state;
  }
};

}  // namespace

GameEntry connect_four() {
  return entry<ConnectFour>("connect_four", "Drop stones into columns; four in a row win.");
}

}  // namespace treewise::games
