// Chinese checkers on the small star: 73 cells, six pieces a player. Cells are numbered in reading order; an
// action is 73 * from + to (chains of hops to the same cell are one action), and 73 * 73 passes, which only a
// player without any other action may do.
#include <algorithm>

#include "game/rules.h"
#include "game/text.h"
#include "games/chinese_checkers_star.h"

namespace treewise::games {
namespace {

using namespace star;

constexpr Action kPass = kCells * kCells;

struct ChineseCheckers {
  struct Config {
    int players, horizon;
    bool not_farther;
    std::vector<Seat> seats;
    Star star;

    explicit Config(const Parameters& p)
        : players(p.integer("players")),
          horizon(p.integer("horizon")),
          not_farther(p.text("restrict") == "not_farther") {
      if (players == 5)
        throw std::invalid_argument("chinese_checkers: players must be 2, 3, 4 or 6; the star has no places for 5");
      constexpr int kTriangles[7][6] = {{}, {}, {0, 3}, {0, 2, 4}, {0, 1, 3, 4}, {}, {0, 1, 2, 3, 4, 5}};
      for (int seat = 0; seat < players; ++seat) seats.emplace_back(kTriangles[players][seat]);
    }
    GameInfo info() const {
      return {.name = "chinese_checkers", .num_players = players, .num_action_ids = kPass + 1, .max_length = horizon};
    }
  };

  static std::vector<Parameter> parameters() {
    return {{"players", std::int64_t{2}, "number of players: 2, 3, 4 or 6", 2, 6},
            {"restrict",
             std::string("none"),
             "none: all actions; not_farther: only actions that do not lead away from the player's goal "
             "cell, where "
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

  // Where the piece on `from` may not go. It may not leave its target, not even between two hops.
  Cells closed_to(int from) const {
    const Cells target = seat().target;
    return occupied | ~(target.has(from) ? target : config->star.board);
  }
  // Calls visit(cells, hops) with the cells that so many hops lead to and fewer do not, for 1, 2, … hops.
  template <class Visit>
  void each_hop(int from, Cells closed, Visit visit) const {
    const Cells others = occupied ^ Cells::of(from);
    Cells last = Cells::of(from);  // where the chains so far ended
    for (int hops = 1; last.any(); ++hops) {
      Cells reached;
      while (last.any()) reached = reached | config->star.landings_of(last.pop(), others);
      last = reached & ~closed;
      closed = closed | last;
      if (last.any()) visit(last, hops);
    }
  }
  Cells targets_of(int from) const {
    const Cells closed = closed_to(from);
    Cells targets = config->star.neighbours[static_cast<std::size_t>(from)] & ~closed;
    each_hop(from, closed, [&](Cells to, int) { targets = targets | to; });
    return targets;
  }
  // The table of cells not farther from the first empty goal cell (the tip if all are full).
  const NearTable& near() const {
    const Seat& own = seat();
    return own.near[own.first_goal[pattern_of(occupied, own.target)]];
  }

  bool is_terminal() const { return winner >= 0 || steps >= config->horizon; }
  int current_player() const { return is_terminal() ? kTerminal : player; }

  void legal_actions(ActionList& out) const {
    if (config->not_farther) list_targets(&near(), out);
    if (out.empty()) list_all(out);
  }
  void list_all(ActionList& out) const {
    list_targets(nullptr, out);
    if (out.empty()) out.push_back(kPass);
  }
  void list_targets(const NearTable* kept, ActionList& out) const {
    for (Cells own = cells_of(player); own.any();) {
      const int from = own.pop();
      Cells targets = targets_of(from);
      if (kept) targets = targets & (*kept)[static_cast<std::size_t>(from)];
      while (targets.any()) out.push_back(kCells * from + targets.pop());
    }
  }

  void apply(Action action) {
    if (action != kPass) move(*std::find(pieces[player], pieces[player] + kPieces, action / kCells), action % kCells);
    end_turn();
  }
  void move(std::int8_t& piece, int to) {
    const int from = piece;
    piece = static_cast<std::int8_t>(to);
    occupied = occupied ^ (Cells::of(from) | Cells::of(to));
    const Cells target = seat().target;
    if (target.has(to) && !target.has(from) && !(target & ~occupied).any()) winner = player;
  }
  void end_turn() {
    ++steps;
    player = static_cast<std::int8_t>(player + 1 == config->players ? 0 : player + 1);
  }

  void returns(Values& out) const {
    for (int p = 0; p < config->players; ++p)
      out[static_cast<std::size_t>(p)] = winner < 0 ? 0 : winner == p ? 1 : -1.0 / (config->players - 1);
  }

  Action playout_action(Rng& rng) const {
    const Action action = config->not_farther ? draw_action(&near(), rng) : kPass;
    return action == kPass ? draw_action(nullptr, rng) : action;
  }
  Action draw_action(const NearTable* kept, Rng& rng) const {
    Cells targets[kPieces];
    int total = 0;
    for (std::size_t i = 0; i < kPieces; ++i) {
      const int from = pieces[player][i];
      targets[i] = targets_of(from);
      if (kept) targets[i] = targets[i] & (*kept)[static_cast<std::size_t>(from)];
      total += targets[i].size();
    }
    if (total == 0) return kPass;
    int k = static_cast<int>(rng.below(static_cast<std::uint32_t>(total)));
    std::size_t i = 0;
    for (; k >= targets[i].size(); ++i) k -= targets[i].size();
    return kCells * pieces[player][i] + targets[i].nth(k);
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
    for (int i = 0; i < kPieces && out.empty(); ++i) list_weighted(pieces[player][(first + i) % kPieces], kept, out);
    if (out.empty()) list_all(out);
  }
  void list_weighted(int from, const NearTable& kept, ActionList& out) const {
    const Cells closed = closed_to(from), ahead = kept[static_cast<std::size_t>(from)];
    const Cells entry = seat().target.has(from) ? Cells{} : seat().target;
    bool enters = false;
    const auto list = [&](Cells to, int hops) {
      to = to & ahead;
      if (!enters && (to & entry).any()) {
        enters = true;
        out.clear();
      }
      list_times(enters && hops > 0 ? hops : 1 + hops, from, enters ? to & entry : to, out);
    };
    list(config->star.neighbours[static_cast<std::size_t>(from)] & ~closed, 0);
    each_hop(from, closed, list);
  }
  // A draw from the same: the weights of the cells by hops are summed, then one is found.
  Action policy_action(Rng& rng) const {
    const auto [piece, to] = draw_move(rng);
    return piece < 0 ? draw_action(nullptr, rng) : kCells * pieces[player][piece] + to;
  }
  void policy_step(Rng& rng) {
    const auto [piece, to] = draw_move(rng);
    if (piece < 0) return apply(draw_action(nullptr, rng));
    move(pieces[player][piece], to);
    end_turn();
  }
  struct Move {
    int piece, to;
  };
  // Without a piece if none has an action that is kept.
  Move draw_move(Rng& rng) const {
    const auto& kept = near();
    int piece = static_cast<int>(rng.below(kPieces));
    for (int tried = 0; tried < kPieces; ++tried) {
      if (const int to = draw_weighted(pieces[player][piece], kept, rng); to >= 0) return {piece, to};
      piece = piece + 1 == kPieces ? 0 : piece + 1;
    }
    return {-1, -1};
  }
  int draw_weighted(int from, const NearTable& kept, Rng& rng) const {
    const Cells closed = closed_to(from), ahead = kept[static_cast<std::size_t>(from)];
    const Cells entry = seat().target.has(from) ? Cells{} : seat().target;
    Bits low[kCells], high[kCells];  // of the cells by hops; filled as far as chains go
    int most = 0, total = 0, total_entering = 0;
    const auto see = [&](Cells to, int hops) {
      to = to & ahead;
      low[hops] = to.low;
      high[hops] = to.high;
      most = hops;
      total += (1 + hops) * to.size();
      total_entering += std::max(hops, 1) * (to & entry).size();
    };
    see(config->star.neighbours[static_cast<std::size_t>(from)] & ~closed, 0);
    each_hop(from, closed, see);
    if (total == 0) return -1;
    const bool enters = total_entering > 0;
    int k = static_cast<int>(rng.below(static_cast<std::uint32_t>(enters ? total_entering : total)));
    for (int hops = 0; hops <= most; ++hops) {
      const Cells all{low[hops], high[hops]}, cells = enters ? all & entry : all;
      const int weight = enters ? std::max(hops, 1) : 1 + hops, here = weight * cells.size();
      if (k < here) return cells.nth(k / weight);
      k -= here;
    }
    return -1;  // not reached
  }
  static void list_times(int times, int from, Cells to, ActionList& out) {
    while (to.any()) {
      const int cell = to.pop();
      for (int i = 0; i < times; ++i) out.push_back(kCells * from + cell);
    }
  }

  void winning_actions(ActionList& out) const {
    Cells open = seat().target & ~occupied;
    if (open.size() != 1) return;
    const int last = open.pop();
    for (Cells b = cells_of(player) & ~seat().target; b.any();) {
      const int from = b.pop();
      if (targets_of(from).has(last)) out.push_back(kCells * from + last);
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
    const auto rows = parse_rows(board, std::vector<int>(std::begin(kLength), std::end(kLength)),
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
        throw std::invalid_argument("board: player " + std::to_string(p) + " has " + std::to_string(cells[p].size()) +
                                    " pieces, 6 expected");
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
  return entry<ChineseCheckers>("chinese_checkers", "Bring six pieces across a small star by steps and hops.");
}

}  // namespace treewise::games
