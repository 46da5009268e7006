// Gomoku (five in a row) without opening rules. Every row, column and diagonal is a word for each player, so
// that a stone sets one bit in four words and a line is found in those four alone. An action is the cell,
// row * size + column, row 0 at the top.
#include <algorithm>
#include <cstring>

#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

constexpr int kMaxSize = 19;
using Word = std::uint32_t;

// Several lines at a time.
constexpr int kPack = 8;
using Pack [[gnu::vector_size(4 * kPack)]] = Word;

// What counts as a line. Runs of j stones and runs of j shifted by k <= j make runs of j + k: 1, 2, 4, at
// most 8.
struct Goal {
  int shifts[3];
  int line;
  bool exact;

  Goal(int line, bool exact) : line(line), exact(exact) {
    for (int k = 0, joined = 1; k < 3; ++k) {
      shifts[k] = std::min(joined, line - joined);
      joined += shifts[k];
    }
  }
  // Whether one of the runs of bits wins. The words of several lines may be packed: zeros lie between them.
  bool in(std::uint64_t word) const {
    std::uint64_t runs = word;
    for (const int shift : shifts) runs &= runs >> shift;
    return (exact ? runs & ~(word << 1) & ~(word >> line) : runs) != 0;
  }
  // Where a stone has `line` - 1 others directly above and below it, i above and the rest below; longer runs count.
  [[gnu::always_inline]] Pack gaps(const Pack& stones) const {
    Pack above[8];
    above[0] = ~Pack{};
    for (int i = 1; i < line; ++i) above[i] = (stones & above[i - 1]) >> 1;
    Pack found{}, below = ~Pack{};
    for (int i = line - 1; i >= 0; --i) {
      found |= above[i] & below;
      below = (stones & below) << 1;
    }
    return found & ~stones;
  }
};

// One player's stones four times over. Bits are columns, in columns they are rows.
struct Lines {
  Word rows[kMaxSize] = {};
  Word columns[kMaxSize] = {};
  Word falling[2 * kMaxSize - 1] = {};  // diagonals by row - column + kMaxSize - 1
  Word rising[2 * kMaxSize - 1] = {};   // diagonals by row + column

  // Returns whether the stone makes a winning line.
  bool place(int row, int column, const Goal& goal) {
    const Word here = Word{1} << column;
    const std::uint64_t a = rows[row] |= here;
    const std::uint64_t b = columns[column] |= Word{1} << row;
    const std::uint64_t c = falling[row - column + kMaxSize - 1] |= here;
    const std::uint64_t d = rising[row + column] |= here;
    return goal.in(a | b << 32) | goal.in(c | d << 32);
  }
};

struct Gomoku {
  struct Config {
    int size;
    Goal goal;
    std::int8_t row_of[kMaxSize * kMaxSize] = {};

    explicit Config(const Parameters& p) : size(p.integer("size")), goal(p.integer("line"), p.flag("exact")) {
      if (goal.line > size) throw std::invalid_argument("gomoku: a line must fit on the board; make line smaller");
      for (int cell = 0; cell < size * size; ++cell) row_of[cell] = static_cast<std::int8_t>(cell / size);
    }
    GameInfo info() const { return {.name = "gomoku", .num_action_ids = size * size, .max_length = size * size}; }
  };

  static std::vector<Parameter> parameters() {
    return {{"size", std::int64_t{15}, "rows and columns of the board", 3, kMaxSize},
            {"line", std::int64_t{5}, "stones in a row that win", 3, 8},
            {"exact", false, "longer rows than `line` do not win"}};
  }

  const Config* config;
  Lines stones[2];
  std::int16_t filled = 0;
  std::int8_t player = 0;
  std::int8_t winner = -1;

  explicit Gomoku(const Config& c) : config(&c) {}

  Word board_row() const { return (Word{1} << config->size) - 1; }
  Word empty(int row) const { return board_row() & ~(stones[0].rows[row] | stones[1].rows[row]); }

  bool is_terminal() const { return winner >= 0 || filled == config->size * config->size; }
  int current_player() const { return is_terminal() ? kTerminal : player; }
  void legal_actions(ActionList& out) const {
    for (int row = 0; row < config->size; ++row)
      for (Bits b = empty(row); b;) out.push_back(row * config->size + pop(b));
  }
  void apply(Action action) {
    const int row = config->row_of[action];
    if (stones[player].place(row, action - row * config->size, config->goal)) winner = player;
    ++filled;
    player ^= 1;
  }
  void returns(Values& out) const {
    out[0] = winner < 0 ? 0 : winner == 0 ? 1 : -1;
    out[1] = -out[0];
  }

  // Throws at the board until an empty cell is hit; on a nearly full board, counts.
  Action playout_action(Rng& rng) const {
    const int cells = config->size * config->size, left = cells - filled;
    if (8 * left > cells) {
      while (true) {
        const int cell = static_cast<int>(rng.below(static_cast<std::uint32_t>(cells)));
        const int row = config->row_of[cell];
        if (empty(row) >> (cell - row * config->size) & 1) return cell;
      }
    }
    return draw_action(rng);
  }

  // The k-th cell of `legal_actions`, k drawn.
  Action draw_action(Rng& rng) const {
    const int left = config->size * config->size - filled;
    int k = static_cast<int>(rng.below(static_cast<std::uint32_t>(left))), row = 0;
    for (int here = count(empty(0)); k >= here; here = count(empty(row))) {
      k -= here;
      ++row;
    }
    return row * config->size + nth(empty(row), k);
  }
  SetOfActions playout_set(std::span<Bits> out) const {
    Bits word = 0;
    int used = 0;
    auto write = out.begin();
    for (int row = 0; row < config->size; ++row) {
      const Bits cells = empty(row);
      word |= cells << used;
      used += config->size;
      if (used < 64) continue;
      *write++ = word;
      used -= 64;
      word = cells >> (config->size - used);
    }
    if (write != out.end()) *write = word;
    return SetOfActions::kExact;
  }

  // Draws from a list of the empty cells, with all that changes in locals.
  int fast_playout(Rng& rng, int max_length) {
    if (winner >= 0) return 0;
    std::uint16_t cells[kMaxSize * kMaxSize];  // row and column in a byte each
    int left = 0;
    for (int row = 0; row < config->size; ++row)
      for (Bits b = empty(row); b;) cells[left++] = static_cast<std::uint16_t>(row << 8 | pop(b));
    const Goal goal = config->goal;
    Lines *own = &stones[player], *other = &stones[player ^ 1];
    int length = 0;
    bool won = false;
    while (left > 0 && length < max_length && !won) {
      std::uint16_t& drawn = cells[rng.below(static_cast<std::uint32_t>(left))];
      const int cell = drawn;
      drawn = cells[--left];
      won = own->place(cell >> 8, cell & 255, goal);
      std::swap(own, other);
      ++length;
    }
    filled = static_cast<std::int16_t>(filled + length);
    player = own == &stones[1];
    if (won) winner = player ^ 1;
    return length;
  }

  // Empty cells with which a player has a line, as rows.
  struct Wins {
    Word rows[kMaxSize] = {};
    int total = 0;
  };
  void find_wins(int p, Wins& wins) const {
    const Lines& own = stones[p];
    const int n = config->size;
    const auto add = [&](int row, int column) {
      if (row < 0 || row >= n || column < 0 || column >= n || !(empty(row) >> column & 1)) return;
      wins.rows[row] |= Word{1} << column;
    };
    const int first = kMaxSize - n;  // of the falling diagonals in use
    completions(own.rows, n, [&](int row, int column) { add(row, column); });
    completions(own.columns, n, [&](int column, int row) { add(row, column); });
    completions(own.falling + first, 2 * n - 1, [&](int i, int column) { add(column + i - (n - 1), column); });
    completions(own.rising, 2 * n - 1, [&](int i, int column) { add(i - column, column); });
    for (int row = 0; row < n; ++row) wins.total += count(wins.rows[row]);
  }
  // Calls `each(index, bit)` for the places where one more stone makes a line in one of the `words`. Eight words at a
  // time, since most have none.
  template <class Each>
  void completions(const Word* words, int number, Each each) const {
    for (int first = 0; first < number; first += kPack) {
      Pack pack{};
      std::memcpy(&pack, words + first, sizeof(Word) * static_cast<std::size_t>(std::min(kPack, number - first)));
      const Pack found = config->goal.gaps(pack);
      for (int i = 0; i < kPack; ++i) {
        for (Bits b = found[i]; b;) {
          const int at = pop(b);
          if (!config->goal.exact || config->goal.in(pack[i] | Word{1} << at)) each(first + i, at);
        }
      }
    }
  }
  void list(const Wins& wins, ActionList& out) const {
    for (int row = 0; row < config->size; ++row)
      for (Bits b = wins.rows[row]; b;) out.push_back(row * config->size + pop(b));
  }
  void winning_actions(ActionList& out) const {
    Wins wins;
    find_wins(player, wins);
    if (wins.total > 0) list(wins, out);
  }
  // A stone takes nothing from the other player but its cell.
  Safety safe_actions(ActionList& out) const {
    Wins threats;
    find_wins(player ^ 1, threats);
    if (threats.total == 0) return Safety::kAll;
    if (threats.total == 1) list(threats, out);
    return Safety::kListed;
  }

  std::uint64_t hash() const {
    std::uint64_t h = 0;
    for (int row = 0; row < config->size; ++row)
      h = mix(h, std::uint64_t{stones[0].rows[row]} << 32 | stones[1].rows[row]);
    return h;
  }
  std::string action_name(Action action) const {
    return square_name(action / config->size, action % config->size, config->size);
  }
  std::string draw() const {
    return draw_board(config->size, config->size, [&](int row, int column) {
      return stones[0].rows[row] >> column & 1 ? 'x' : stones[1].rows[row] >> column & 1 ? 'o' : '.';
    });
  }

  static Gomoku parse(const Config& config, std::string_view board, int player) {
    check_player(player, 2);
    const auto rows = parse_rows(board, std::vector<int>(static_cast<std::size_t>(config.size), config.size), ".12xo");
    Gomoku state(config);
    int number[2] = {0, 0};
    bool won[2] = {false, false};
    for (int cell = 0; cell < config.size * config.size; ++cell) {
      const int row = cell / config.size, column = cell % config.size;
      const char c = rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      if (c == '.') continue;
      const int owner = c == '2' || c == 'o';
      state.stones[owner].place(row, column, config.goal);
      ++state.filled;
      ++number[owner];
    }
    if (number[0] - number[1] != player)
      throw std::invalid_argument("board: with player " + std::to_string(player) + " to move, player 0 must have " +
                                  (player ? "one stone more than" : "as many stones as") + " player 1");
    for (int p = 0; p < 2; ++p) {
      const Lines& own = state.stones[p];
      for (const Word word : own.rows) won[p] |= config.goal.in(word);
      for (const Word word : own.columns) won[p] |= config.goal.in(word);
      for (const Word word : own.falling) won[p] |= config.goal.in(word);
      for (const Word word : own.rising) won[p] |= config.goal.in(word);
    }
    if (won[0] && won[1]) throw std::invalid_argument("board: both players have a line");
    if (won[0] || won[1]) state.winner = won[1];
    state.player = static_cast<std::int8_t>(player);
    return state;
  }
};

}  // namespace

GameEntry gomoku() {
  return entry<Gomoku>("gomoku", "Five in a row on a large board.");
}

}  // namespace treewise::games
