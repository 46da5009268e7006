// Pentalath (Ndengrod, found by Cameron Browne's program Ludi): five in a row on a hexagon, with captures as
// in Go. Cells are numbered in reading order; an action is the cell.
#include <array>

#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

constexpr int kRow = 5;           // stones in a row that win
constexpr int kMaxCells = 61;     // side 5
constexpr Bits kNever = bit(63);  // in a window that no stones fill
constexpr int kMaxWindows = 16;   // 3 axes * 5 windows through a cell, filled up to whole vectors

// The board on a grid on which each axis is a shift; the tenth column keeps rows apart. It is cut into bands of six
// rows that overlap, so that every five rows, and so every window, are whole in one of them.
using Bands [[gnu::vector_size(32)]] = Bits;
constexpr int kGridRow = 10, kBandRows = 6;
constexpr std::array kBandStarts = {0, 2, 3};

bool any(const Bands& bands) {
  return (bands[0] | bands[1] | bands[2]) != 0;
}

struct Pentalath {
  struct Config {
    int side, horizon;
    bool swap;
    int cells = 0;
    Bits board = 0;
    Bits interior = 0;  // cells with six neighbours
    Bits neighbours[kMaxCells] = {};
    // The windows of five cells through each cell, on the three axes.
    std::array<std::array<Bits, kMaxWindows>, kMaxCells> windows;
    struct Band {
      int before = 0;  // cells above it
      Bits cells = 0;  // where they lie on the grid
    };
    std::array<Band, kBandStarts.size()> bands{};
    std::vector<int> row_lengths, row_of, column_of;

    explicit Config(const Parameters& p)
        : side(p.integer("side")), horizon(p.integer("horizon")), swap(p.flag("swap")) {
      const int edge = side - 1;
      for (int r = -edge; r <= edge; ++r) {
        row_lengths.push_back(2 * side - 1 - std::abs(r));
        for (int i = 0; i < row_lengths.back(); ++i) {
          row_of.push_back(r + edge);
          column_of.push_back(i);
        }
      }
      cells = static_cast<int>(row_of.size());
      board = ~Bits{0} >> (64 - cells);
      find_neighbours();
      find_windows();
      find_grid();
    }
    // The cell at axial coordinates (q, r), both 0 in the centre, or -1.
    int cell_at(int q, int r) const {
      const int edge = side - 1;
      if (std::abs(q) > edge || std::abs(r) > edge || std::abs(q + r) > edge) return -1;
      int cell = q - std::max(-edge, -edge - r);
      for (int row = 0; row < r + edge; ++row) cell += row_lengths[static_cast<std::size_t>(row)];
      return cell;
    }
    void find_neighbours() {
      constexpr int kSteps[6][2] = {{0, -1}, {1, -1}, {1, 0}, {0, 1}, {-1, 1}, {-1, 0}};
      for (int r = 1 - side; r < side; ++r) {
        for (int q = 1 - side; q < side; ++q) {
          const int cell = cell_at(q, r);
          if (cell < 0) continue;
          for (const auto& [dq, dr] : kSteps)
            if (const int other = cell_at(q + dq, r + dr); other >= 0) neighbours[cell] |= bit(other);
          if (count(neighbours[cell]) == 6) interior |= bit(cell);
        }
      }
    }
    void find_windows() {
      constexpr int kAxes[3][2] = {{1, 0}, {0, 1}, {1, -1}};
      std::array<std::size_t, kMaxCells> filled{};
      for (auto& list : windows) list.fill(kNever);
      for (const auto& [dq, dr] : kAxes) {
        for (int r = 1 - side; r < side; ++r) {
          for (int q = 1 - side; q < side; ++q) {
            if (cell_at(q, r) < 0 || cell_at(q + (kRow - 1) * dq, r + (kRow - 1) * dr) < 0) continue;
            Bits window = 0;
            for (int i = 0; i < kRow; ++i) window |= bit(cell_at(q + i * dq, r + i * dr));
            for (Bits cells_of_window = window; cells_of_window;) {
              const auto c = static_cast<std::size_t>(pop(cells_of_window));
              windows[c][filled[c]++] = window;
            }
          }
        }
      }
    }
    void find_grid() {
      for (int r = 1 - side; r < side; ++r) {
        for (int q = 1 - side; q < side; ++q) {
          if (cell_at(q, r) < 0) continue;
          for (std::size_t i = 0; i < bands.size(); ++i) {
            const int row = r + side - 1 - kBandStarts[i];
            if (row < 0) ++bands[i].before;
            if (row >= 0 && row < kBandRows) bands[i].cells |= bit(row * kGridRow + q + side - 1);
          }
        }
      }
    }
    // By reference: how vectors are returned depends on the machine that is compiled for.
    void put_on_grid(Bits set, Bands& grid) const {
      const auto band = [&](std::size_t i) { return deposit(set >> bands[i].before, bands[i].cells); };
      grid = Bands{band(0), band(1), band(2), 0};
    }
    // "c4": the third row from the top, the fourth cell from the left.
    std::string cell_name(int cell) const {
      std::string name(1, static_cast<char>('a' + row_of[static_cast<std::size_t>(cell)]));
      name += std::to_string(column_of[static_cast<std::size_t>(cell)] + 1);
      return name;
    }
    GameInfo info() const { return {.name = "pentalath", .num_action_ids = cells, .max_length = horizon}; }
  };

  static std::vector<Parameter> parameters() {
    return {{"side", std::int64_t{5}, "cells on each side of the hexagon", 3, 5},
            {"swap", false, "player 1 may answer the first stone by making it their own"},
            {"horizon", std::int64_t{1000}, "steps after which the match is a draw", 10, 1000000}};
  }

  const Config* config;
  Bits stones[2] = {0, 0};
  std::int32_t steps = 0;
  std::int8_t player = 0;
  std::int8_t winner = -1;
  bool over = false;

  explicit Pentalath(const Config& c) : config(&c) {}

  Bits empty() const { return config->board & ~(stones[0] | stones[1]); }
  // Only before the second stone: later a single stone of player 0 cannot be alone on the board.
  Bits swappable() const {
    return config->swap && player == 1 && stones[1] == 0 && count(stones[0]) == 1 ? stones[0] : 0;
  }

  // The group of `colour` that holds the stone `cell`, or nothing as soon as it is seen to touch `open`.
  Bits group_without(int cell, Bits colour, Bits open) const {
    Bits group = bit(cell), todo = group;
    while (todo) {
      const Bits around = config->neighbours[pop(todo)];
      if (around & open) return 0;
      const Bits more = around & colour & ~group;
      group |= more;
      todo |= more;
    }
    return group;
  }
  // The enemy stones that a stone of the player to move on the empty `cell` would capture.
  Bits captures(int cell) const {
    const Bits other = stones[player ^ 1], open = empty() & ~bit(cell);
    Bits captured = 0;
    for (Bits b = config->neighbours[cell] & other; b;) {
      const Bits group = group_without(pop(b), other, open);
      captured |= group;
      b &= ~group;
    }
    return captured;
  }
  // A stone must have freedom: an empty neighbour, a group that has one, or a capture.
  bool is_legal(int cell) const {
    const Bits open = empty() & ~bit(cell);
    if (config->neighbours[cell] & open) return true;
    return !group_without(cell, stones[player], open) || captures(cell);
  }
  bool has_legal() const {
    for (Bits b = empty(); b;)
      if (is_legal(pop(b))) return true;
    return false;
  }
  bool makes_row(int cell, Bits own) const {
    bool row = false;
    for (const Bits window : config->windows[static_cast<std::size_t>(cell)]) row |= (own & window) == window;
    return row;
  }

  int current_player() const { return over ? kTerminal : player; }
  bool is_terminal() const { return over; }

  Bits legal() const {
    Bits found = 0;
    for (Bits b = empty(); b;)
      if (const int cell = pop(b); is_legal(cell)) found |= bit(cell);
    return found | swappable();
  }
  void legal_actions(ActionList& out) const {
    for (Bits b = legal(); b;) out.push_back(pop(b));
  }

  void apply(Action action) {
    place(action);
    if (!over && !has_legal()) over = true;
  }
  // All of `apply` but the test whether the next player can move.
  void place(int cell) {
    if (stones[player ^ 1] & bit(cell)) {  // swap
      stones[player ^ 1] = 0;
    } else {
      stones[player ^ 1] &= ~captures(cell);
    }
    stones[player] |= bit(cell);
    if (makes_row(cell, stones[player])) winner = player;
    player ^= 1;
    over = winner >= 0 || ++steps >= config->horizon;
  }

  void returns(Values& out) const {
    out[0] = winner < 0 ? 0 : winner == 0 ? 1 : -1;
    out[1] = -out[0];
  }

  // A uniformly drawn legal cell, or kNoAction.
  Action draw_cell(Rng& rng) const {
    const Bits extra = swappable();
    for (Bits b = empty() | extra; b;) {
      const int cell = nth(b, static_cast<int>(rng.below(static_cast<std::uint32_t>(count(b)))));
      if ((bit(cell) & extra) || is_legal(cell)) return cell;
      b ^= bit(cell);
    }
    return kNoAction;
  }
  Action playout_action(Rng& rng) const { return draw_cell(rng); }
  Action draw_action(Rng& rng) const {
    const Bits cells = legal();
    return nth(cells, static_cast<int>(rng.below(static_cast<std::uint32_t>(count(cells)))));
  }
  SetOfActions playout_set(std::span<Bits> out) const {
    out[0] = legal();
    return SetOfActions::kExact;
  }
  // Learns that nobody can move only when no cell is left to draw.
  int fast_playout(Rng& rng, int max_length) {
    int length = 0;
    for (; length < max_length && !over; ++length) {
      const Action cell = draw_cell(rng);
      if (cell == kNoAction) {
        over = true;
        break;
      }
      place(cell);
    }
    if (!over) over = !has_legal();
    return length;
  }

  std::uint64_t hash() const {
    return mix(mix(mix(0, stones[0]), stones[1]),
               static_cast<std::uint64_t>(steps) << 1 | static_cast<std::uint64_t>(player));
  }

  // (5 - L) / 5, L the loser's longest row that still has room to grow to five (Pepels et al., section 5).
  double quality() const {
    Bands own, room;
    config->put_on_grid(stones[winner ^ 1], own);
    config->put_on_grid(config->board & ~stones[winner], room);
    Rows rows;
    find_rows<1>(own, room, rows);
    find_rows<kGridRow>(own, room, rows);
    find_rows<kGridRow - 1>(own, room, rows);
    const int longest = any(rows.four) + any(rows.three) + any(rows.two) + any(rows.one);
    return static_cast<double>(kRow - longest) / kRow;
  }
  // First cells of rows that have room to grow to five; a row of four has rows of three in it, and so on.
  struct Rows {
    Bands one{}, two{}, three{}, four{};
  };
  // A row counts if a window of five without enemies holds it. The axis is the shift from a cell to the next, which the
  // compiler must know to make it cheap; a branch would cost more than all of it.
  template <int axis>
  static void find_rows(const Bands& own, const Bands& room, Rows& rows) {
    const Bands two = own & own >> axis, three = two & own >> 2 * axis, four = two & two >> 2 * axis;
    const Bands pairs = room & room >> axis, windows = pairs & pairs >> 2 * axis & room >> 4 * axis;
    const Bands hold_four = windows | windows << axis, hold_three = hold_four | windows << 2 * axis;
    const Bands hold_two = hold_three | windows << 3 * axis, hold_one = hold_two | windows << 4 * axis;
    rows.one |= own & hold_one;
    rows.two |= two & hold_two;
    rows.three |= three & hold_three;
    rows.four |= four & hold_four;
  }

  // Every legal cell, those with six neighbours twice.
  void playout_candidates(Rng&, ActionList& out) const {
    legal_actions(out);
    const int legal = out.size();
    for (std::size_t i = 0; i < static_cast<std::size_t>(legal); ++i)
      if (config->interior & bit(out[i])) out.push_back(Action{out[i]});
  }

  // Draws cells by their weights until one is legal.
  Action policy_action(Rng& rng) const {
    const Bits extra = swappable();
    for (Bits b = empty() | extra; b;) {
      const Bits twice = b & config->interior;
      const int all = count(b), k = static_cast<int>(rng.below(static_cast<std::uint32_t>(all + count(twice))));
      const int cell = k < all ? nth(b, k) : nth(twice, k - all);
      if ((bit(cell) & extra) || is_legal(cell)) return cell;
      b ^= bit(cell);
    }
    return kNoAction;  // not reached: a state without legal cells is terminal
  }

  // The empty cells with which the owner of `own` has a row.
  Bits row_cells(Bits own) const {
    if (count(own) < kRow - 1) return 0;
    Bands stones_of, found{};
    config->put_on_grid(own, stones_of);
    find_gaps<1>(stones_of, found);
    find_gaps<kGridRow>(stones_of, found);
    find_gaps<kGridRow - 1>(stones_of, found);
    Bits cells_found = 0;
    for (std::size_t i = 0; i < kBandStarts.size(); ++i)
      cells_found |= extract(found[i], config->bands[i].cells) << config->bands[i].before;
    return cells_found & empty();
  }
  // Places with four stones around them along an axis: i on one side, the rest on the other.
  template <int axis>
  static void find_gaps(const Bands& own, Bands& found) {
    Bands above[kRow], below = ~Bands{};  // above[i]: places with i stones next to them on the higher side
    above[0] = ~Bands{};
    for (int i = 1; i < kRow; ++i) above[i] = (own & above[i - 1]) >> axis;
    for (int i = kRow - 1; i >= 0; --i) {
      found |= above[i] & below;
      below = (own & below) << axis;
    }
  }
  Bits wins() const {
    Bits found = row_cells(stones[player]);
    for (Bits b = found; b;)
      if (const int cell = pop(b); !is_legal(cell)) found &= ~bit(cell);
    return found;
  }
  void winning_actions(ActionList& out) const {
    for (Bits b = wins(); b;) out.push_back(pop(b));
  }
  // Where the other player could complete a row, one must play there, or capture, or it must not be legal. No stone
  // makes another such cell.
  Safety safe_actions(ActionList& out) const {
    const Bits threats = row_cells(stones[player ^ 1]);
    if (threats == 0) return Safety::kAll;
    Bits firm = 0;  // those that stay legal next to any stone, for they have two empty neighbours
    for (Bits b = threats; b;)
      if (const int cell = pop(b); count(config->neighbours[cell] & empty()) >= 2) firm |= bit(cell);
    for (Bits b = legal(); b;) {
      const int cell = pop(b);
      if ((firm & ~bit(cell)) && !captures(cell)) continue;
      Pentalath next = *this;
      next.apply(cell);
      if (next.over || next.wins() == 0) out.push_back(cell);
    }
    return Safety::kListed;
  }

  std::string action_name(Action action) const {
    const bool swaps = stones[player ^ 1] & bit(action);
    return (swaps ? "swap " : "") + config->cell_name(action);
  }

  std::string draw() const {
    std::string out;
    int cell = 0;
    for (std::size_t row = 0; row < config->row_lengths.size(); ++row) {
      const int length = config->row_lengths[row];
      out += static_cast<char>('a' + row);
      out += std::string(static_cast<std::size_t>(2 * config->side - 1 - length), ' ');
      for (int i = 0; i < length; ++i, ++cell)
        out += stones[0] & bit(cell) ? " 1" : stones[1] & bit(cell) ? " 2" : " .";
      out += '\n';
    }
    return out;
  }

  static Pentalath parse(const Config& config, std::string_view board, int player) {
    check_player(player, 2);
    const auto rows = parse_rows(board, config.row_lengths, ".12");
    Pentalath state(config);
    state.player = static_cast<std::int8_t>(player);
    int cell = 0;
    for (const std::string& row : rows) {
      for (const char c : row) {
        if (c != '.') state.stones[c - '1'] |= bit(cell);
        ++cell;
      }
    }
    state.check();
    return state;
  }
  // Refuses positions that no match can reach, and ends the match where it is over.
  void check() {
    for (int p = 0; p < 2; ++p) {
      for (Bits b = stones[p]; b;) {
        const int cell = pop(b);
        if (group_without(cell, stones[p], empty()))
          throw std::invalid_argument("board: the group of " + config->cell_name(cell) +
                                      " has no empty neighbour; take captured stones off the board");
        if (!makes_row(cell, stones[p])) continue;
        if (p == player)
          throw std::invalid_argument("board: player " + std::to_string(p) +
                                      " has five in a row and is to move; the other player must be");
        winner = static_cast<std::int8_t>(p);
      }
    }
    over = winner >= 0 || !has_legal();
  }
};

}  // namespace

GameEntry pentalath() {
  return entry<Pentalath>("pentalath", "Five in a row on a hexagon; surrounded groups are captured.");
}

}  // namespace treewise::games
