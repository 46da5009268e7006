// Chinese checkers on the small star: 73 cells, six pieces a player. Cells are numbered in reading order; an
// action is 73 * from + to (chains of hops to the same cell are one action), and 73 * 73 passes, which only a
// player without any other action may do.
#include <algorithm>
#include <array>

#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

constexpr int kCells = 73, kRows = 13, kPieces = 6;
constexpr Action kPass = kCells * kCells;
constexpr int kNowhere = 127;  // a cell index outside every set of cells of the board

struct Cells {
  Bits low = 0, high = 0;

  static Cells of(int cell) { return cell < 64 ? Cells{bit(cell), 0} : Cells{0, bit(cell - 64)}; }
  bool has(int cell) const { return ((cell < 64 ? low : high) >> (cell & 63)) & 1; }
  bool any() const { return low | high; }
  int size() const { return count(low) + count(high); }
  int pop() { return low ? treewise::pop(low) : 64 + treewise::pop(high); }
  Cells operator&(Cells o) const { return {low & o.low, high & o.high}; }
  Cells operator|(Cells o) const { return {low | o.low, high | o.high}; }
  Cells operator^(Cells o) const { return {low ^ o.low, high ^ o.high}; }
  Cells operator~() const { return {~low, ~high}; }
};

// "Offset" coordinates: odd rows are shifted half a cell to the right.
constexpr int kFirstColumn[kRows] = {5, 4, 4, 0, 1, 1, 2, 1, 1, 0, 4, 4, 5};
constexpr int kLength[kRows] = {1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1};
struct Place {
  int row, column;
};

int cell_at(Place p) {
  if (p.row < 0 || p.row >= kRows) return kNowhere;
  const int i = p.column - kFirstColumn[p.row];
  if (i < 0 || i >= kLength[p.row]) return kNowhere;
  int cell = i;
  for (int row = 0; row < p.row; ++row) cell += kLength[row];
  return cell;
}
Place place_of(int cell) {
  int row = 0;
  for (; cell >= kLength[row]; ++row) cell -= kLength[row];
  return {row, kFirstColumn[row] + cell};
}
// Axial coordinates around the centre (6, 5).
Place from_axial(int q, int r) {
  return {r + 6, q + 2 + (r + 6 - ((r + 6) & 1)) / 2};
}
// The cell a sixth of a turn clockwise.
Place turned(Place p) {
  const int r = p.row - 6, q = p.column - 2 - (p.row - (p.row & 1)) / 2;
  return from_axial(-r, q + r);
}
int step_length(Place a, Place b) {
  return std::abs(a.row - b.row) + std::abs(a.column - b.column);
}

// What one player sees: the spec of the top player, turned (and for odd triangles mirrored) to the triangle.
struct Seat {
  Cells home, target;
  std::array<int, kPieces> goals;  // the target's cells from the tip on
  // For the current goal and the cell of a piece: the cells that are not farther from the goal.
  std::array<std::array<Cells, kCells>, kPieces> near;

  // Triangles are numbered clockwise from the top.
  explicit Seat(int triangle) {
    constexpr Place kGoals[kPieces] = {{12, 5}, {11, 4}, {11, 5}, {10, 4}, {10, 5}, {10, 6}};
    const bool mirrored = triangle % 2 == 1;
    std::array<Place, kCells> view;  // each cell as the player sees it from the top
    for (int cell = 0; cell < kCells; ++cell) {
      Place p = place_of(cell);
      for (int turn = (mirrored ? 9 - triangle : 6 - triangle) % 6; turn > 0; --turn) p = turned(p);
      if (mirrored) p.row = kRows - 1 - p.row;
      view[static_cast<std::size_t>(cell)] = p;
      if (p.row < 3) home = home | Cells::of(cell);
      if (p.row >= kRows - 3) target = target | Cells::of(cell);
      for (std::size_t g = 0; g < kPieces; ++g)
        if (p.row == kGoals[g].row && p.column == kGoals[g].column) goals[g] = cell;
    }
    for (std::size_t g = 0; g < kPieces; ++g) {
      for (std::size_t a = 0; a < kCells; ++a) {
        for (std::size_t b = 0; b < kCells; ++b) {
          if (step_length(view[b], kGoals[g]) <= step_length(view[a], kGoals[g]))
            near[g][a] = near[g][a] | Cells::of(static_cast<int>(b));
        }
      }
    }
  }
};

struct ChineseCheckers {
  struct Config {
    int players, horizon;
    bool not_farther;
    std::vector<Seat> seats;
    Cells board;
    Cells neighbours[kCells];
    std::uint8_t landing[kCells][kCells];  // where a hop from a cell over its neighbour ends

    explicit Config(const Parameters& p)
        : players(p.integer("players")),
          horizon(p.integer("horizon")),
          not_farther(p.text("restrict") == "not_farther") {
      if (players == 5)
        throw std::invalid_argument(
            "chinese_checkers: players must be 2, 3, 4 or 6; the star has no places for 5");
      constexpr int kTriangles[7][6] = {{}, {}, {0, 3}, {0, 2, 4}, {0, 1, 3, 4}, {}, {0, 1, 2, 3, 4, 5}};
      for (int seat = 0; seat < players; ++seat) seats.emplace_back(kTriangles[players][seat]);
      constexpr int kSteps[6][2] = {{0, -1}, {1, -1}, {1, 0}, {0, 1}, {-1, 1}, {-1, 0}};
      for (auto& row : landing) std::fill(std::begin(row), std::end(row), std::uint8_t{kNowhere});
      for (int r = -6; r <= 6; ++r) {
        for (int q = -6; q <= 6; ++q) {
          const int cell = cell_at(from_axial(q, r));
          if (cell == kNowhere) continue;
          board = board | Cells::of(cell);
          for (const auto& [dq, dr] : kSteps) {
            const int next = cell_at(from_axial(q + dq, r + dr));
            if (next == kNowhere) continue;
            neighbours[cell] = neighbours[cell] | Cells::of(next);
            landing[cell][next] = static_cast<std::uint8_t>(cell_at(from_axial(q + 2 * dq, r + 2 * dr)));
          }
        }
      }
    }
    GameInfo info() const {
      return {.name = "chinese_checkers",
              .num_players = players,
              .num_action_ids = kPass + 1,
              .max_length = horizon};
    }
  };

  static std::vector<Parameter> parameters() {
    return {
        {"players", std::int64_t{2}, "number of players: 2, 3, 4 or 6", 2, 6},
        {"restrict",
         std::string("none"),
         "none: all moves; not_farther: only moves that do not lead away from the player's goal cell, where "
         "there are any",
         0,
         0,
         {"none", "not_farther"}},
        {"horizon", std::int64_t{1000}, "steps after which the match is a draw", 10, 1000000}};
  }

  const Config* config;
  // The cells of each player's pieces. The order matters to the playout policy only, which goes round it.
  std::int8_t pieces[kMaxPlayers][kPieces] = {};
  Cells occupied;
  std::int32_t steps = 0;
  std::int8_t player = 0;
  std::int8_t winner = -1;

  explicit ChineseCheckers(const Config& c) : config(&c) {
    for (int p = 0; p < c.players; ++p) put(p, seat(p).home);
  }
  void put(int p, Cells cells) {
    occupied = occupied | cells;
    for (std::int8_t& piece : pieces[p]) piece = static_cast<std::int8_t>(cells.pop());
  }
  Cells cells_of(int p) const {
    Cells cells;
    for (const int cell : pieces[p]) cells = cells | Cells::of(cell);
    return cells;
  }

  const Seat& seat(int p) const { return config->seats[static_cast<std::size_t>(p)]; }
  const Seat& seat() const { return seat(player); }

  // Calls visit(to, hops) for each cell that the piece on `from` can reach, with the fewest hops (0: a step).
  // It may not leave its target, not even between two hops.
  template <class Visit>
  void each_target(int from, Visit visit) const {
    const Cells target = seat().target;
    Cells closed = occupied | ~(target.has(from) ? target : config->board);
    for (Cells b = config->neighbours[from] & ~closed; b.any();) visit(b.pop(), 0);
    const Cells others = occupied ^ Cells::of(from);
    std::uint8_t queue[kCells] = {static_cast<std::uint8_t>(from)};
    int head = 0, tail = 1;
    for (int hops = 1; head < tail; ++hops) {
      for (const int end = tail; head < end; ++head) {
        const int cell = queue[head];
        for (Cells b = config->neighbours[cell] & others; b.any();) {
          const int to = config->landing[cell][b.pop()];
          if (closed.has(to)) continue;
          closed = closed | Cells::of(to);
          queue[tail++] = static_cast<std::uint8_t>(to);
          visit(to, hops);
        }
      }
    }
  }
  // The table of cells not farther from the first empty goal cell (the tip if all are full).
  const std::array<Cells, kCells>& near() const {
    std::size_t goal = 0;
    while (goal < kPieces && occupied.has(seat().goals[goal])) ++goal;
    return seat().near[goal % kPieces];
  }

  bool is_terminal() const { return winner >= 0 || steps >= config->horizon; }
  int current_player() const { return is_terminal() ? kTerminal : player; }

  void legal_actions(ActionList& out) const {
    if (config->not_farther) {
      const auto& kept = near();
      for (Cells own = cells_of(player); own.any();) {
        const int from = own.pop();
        const Cells ahead = kept[static_cast<std::size_t>(from)];
        each_target(from, [&](int to, int) {
          if (ahead.has(to)) out.push_back(kCells * from + to);
        });
      }
    }
    if (out.empty()) list_all(out);
  }
  void list_all(ActionList& out) const {
    for (Cells own = cells_of(player); own.any();) {
      const int from = own.pop();
      each_target(from, [&](int to, int) { out.push_back(kCells * from + to); });
    }
    if (out.empty()) out.push_back(kPass);
  }

  void apply(Action action) {
    if (action != kPass) {
      const int from = action / kCells, to = action % kCells;
      const Cells change = Cells::of(from) | Cells::of(to);
      *std::find(pieces[player], pieces[player] + kPieces, from) = static_cast<std::int8_t>(to);
      occupied = occupied ^ change;
      const Cells target = seat().target;
      if (target.has(to) && !target.has(from) && !(target & ~occupied).any()) winner = player;
    }
    ++steps;
    player = static_cast<std::int8_t>(player + 1 == config->players ? 0 : player + 1);
  }

  void returns(Values& out) const {
    for (int p = 0; p < config->players; ++p)
      out[static_cast<std::size_t>(p)] = winner < 0 ? 0 : winner == p ? 1 : -1.0 / (config->players - 1);
  }

  std::uint64_t hash() const {
    std::uint64_t h = mix(static_cast<std::uint64_t>(steps), static_cast<std::uint64_t>(player));
    for (int p = 0; p < config->players; ++p) {
      const Cells cells = cells_of(p);
      h = mix(mix(h, cells.low), cells.high);
    }
    return h;
  }

  // (6 - n) / 6, n the pieces of any player in the loser's target (Pepels et al., section 5); with several
  // losers, the mean.
  double quality() const {
    int missing = 0;
    for (int p = 0; p < config->players; ++p)
      if (p != winner) missing += (seat(p).target & ~occupied).size();
    return static_cast<double>(missing) / (kPieces * (config->players - 1));
  }

  // A random piece, or the next in turn that has an action that is kept: its entries into the target, a step
  // once, a chain once for each hop; without entries all its kept actions, once and once for each hop.
  void playout_candidates(Rng& rng, ActionList& out) const {
    const auto& kept = near();
    const int first = static_cast<int>(rng.below(kPieces));
    for (int i = 0; i < kPieces && out.empty(); ++i)
      list_weighted(pieces[player][(first + i) % kPieces], kept, out);
    if (out.empty()) list_all(out);
  }
  void list_weighted(int from, const std::array<Cells, kCells>& kept, ActionList& out) const {
    const Cells ahead = kept[static_cast<std::size_t>(from)], target = seat().target;
    const bool outside = !target.has(from);
    bool enters = false;
    each_target(from, [&](int to, int hops) {
      if (!ahead.has(to)) return;
      const bool entry = outside && target.has(to);
      if (enters && !entry) return;
      if (entry && !enters) out.clear();
      enters |= entry;
      const int weight = entry && hops > 0 ? hops : 1 + hops;
      for (int i = 0; i < weight; ++i) out.push_back(kCells * from + to);
    });
  }

  void winning_actions(ActionList& out) const {
    Cells open = seat().target & ~occupied;
    if (open.size() != 1) return;
    const int last = open.pop();
    for (Cells b = cells_of(player) & ~seat().target; b.any();) {
      const int from = b.pop();
      each_target(from, [&](int to, int) {
        if (to == last) out.push_back(kCells * from + to);
      });
    }
  }

  // "d4": the fourth row from the top, the fourth cell from the left.
  static std::string cell_name(int cell) {
    const auto [row, column] = place_of(cell);
    std::string name(1, static_cast<char>('a' + row));
    name += std::to_string(column - kFirstColumn[row] + 1);
    return name;
  }
  std::string action_name(Action action) const {
    return action == kPass ? "pass" : cell_name(action / kCells) + "-" + cell_name(action % kCells);
  }

  std::string draw() const {
    std::string marks(kCells, '.');
    for (int p = 0; p < config->players; ++p)
      for (const int cell : pieces[p]) marks[static_cast<std::size_t>(cell)] = static_cast<char>('1' + p);
    std::string out;
    auto mark = marks.begin();
    for (int row = 0; row < kRows; ++row) {
      out += static_cast<char>('a' + row);
      out += std::string(static_cast<std::size_t>(2 * kFirstColumn[row] + (row & 1)), ' ');
      for (int i = 0; i < kLength[row]; ++i) {
        out += ' ';
        out += *mark++;
      }
      out += '\n';
    }
    return out;
  }

  static ChineseCheckers parse(const Config& config, std::string_view board, int player) {
    check_player(player, config.players);
    const auto rows =
        parse_rows(board, std::vector<int>(std::begin(kLength), std::end(kLength)),
                   std::string_view(".123456").substr(0, static_cast<std::size_t>(config.players) + 1));
    Cells cells[kMaxPlayers];
    int cell = 0;
    for (const std::string& row : rows) {
      for (const char c : row) {
        if (c != '.') cells[c - '1'] = cells[c - '1'] | Cells::of(cell);
        ++cell;
      }
    }
    ChineseCheckers state(config);
    state.player = static_cast<std::int8_t>(player);
    state.occupied = {};
    for (int p = 0; p < config.players; ++p) {
      if (cells[p].size() != kPieces)
        throw std::invalid_argument("board: player " + std::to_string(p) + " has " +
                                    std::to_string(cells[p].size()) + " pieces, 6 expected");
      state.put(p, cells[p]);
    }
    state.find_winner();
    return state;
  }
  // For positions from text: a full target with a piece of its owner in it is a win if the owner moved last.
  void find_winner() {
    const int last = (player + config->players - 1) % config->players;
    for (int p = 0; p < config->players; ++p) {
      if (p != last && !(seat(p).target & ~cells_of(p)).any())
        throw std::invalid_argument("board: player " + std::to_string(p) +
                                    " has won already; the next player must be to move");
    }
    if ((seat(last).target & cells_of(last)).any() && !(seat(last).target & ~occupied).any())
      winner = static_cast<std::int8_t>(last);
  }
};

}  // namespace

GameEntry chinese_checkers() {
  return entry<ChineseCheckers>("chinese_checkers",
                                "Bring six pieces across a small star by steps and hops.");
}

}  // namespace treewise::games
