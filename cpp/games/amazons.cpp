// Amazons (Walter Zamkauskas, 1988). Row 0 is the top, player 0 starts at the bottom. With plies=1 an action
// is a whole turn, (35 * from + move) * 35 + shot on the 10x10 board, where move and shot number the squares
// that a queen reaches on an empty board. With plies=3, as in OpenSpiel, a turn is three actions of the same
// player, each a square: the amazon, where it goes, where it shoots.
#include <algorithm>

#include "game/rules.h"
#include "game/text.h"
#include "games/queen_lines.h"

namespace treewise::games {
namespace {

using queens::kMaxSize, queens::Lines, queens::Reach;
constexpr int kMaxAmazons = 4;

struct AmazonsConfig {
  int size, plies;
  bool engine_end;
  int most = 0;                                             // squares a queen reaches from the best square
  std::vector<std::uint8_t> squares;                        // by row * size + column
  std::array<std::array<std::uint8_t, 160>, 160> number{};  // of a target among those of a square
  std::array<std::array<std::uint8_t, 36>, 160> target{};
  std::array<std::uint64_t, 160> open{};  // Reach::sums on the empty board

  explicit AmazonsConfig(const Parameters& p)
      : size(p.integer("size")), plies(p.integer("plies")), engine_end(p.text("end_rule") == "engine") {
    if (plies != 1 && plies != 3) throw std::invalid_argument("amazons: plies must be 1 or 3");
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) squares.push_back(static_cast<std::uint8_t>(16 * row + column));
    const Lines empty(size);
    for (const std::size_t from : squares) {
      const Reach reach = empty.reach(static_cast<int>(from));
      most = std::max(most, reach.total());
      open[from] = reach.sums;
      for (std::size_t k = 0; k < static_cast<std::size_t>(reach.total()); ++k) {
        const int to = reach.square(static_cast<int>(k));
        target[from][k] = static_cast<std::uint8_t>(to);
        number[from][static_cast<std::size_t>(to)] = static_cast<std::uint8_t>(k);
      }
    }
  }
  GameInfo info() const {
    GameInfo info{.name = "amazons", .num_action_ids = size * size};
    if (plies == 1) info.num_action_ids *= most * most;
    info.max_length = plies * (size * size - 2);  // a turn fills a square, and each player has an amazon
    return info;
  }
  int index(int square) const { return (square >> 4) * size + (square & 15); }
  std::string name(int square) const { return square_name(square >> 4, square & 15, size); }
};

template <int kPlies>
struct Amazons {
  using Config = AmazonsConfig;
  static std::vector<Parameter> parameters() {
    return {{"size", std::int64_t{10}, "rows and columns of the board", 5, kMaxSize},
            {"end_rule",
             "standard",
             "standard: who cannot move at their turn loses; engine: a match also ends when the player who is "
             "not to move is shut in",
             0,
             0,
             {"standard", "engine"}},
            {"plies", std::int64_t{1}, "actions a turn: 1, or 3 (amazon, destination, arrow)", 1, 3}};
  }

  static constexpr std::size_t at(int square) { return static_cast<std::size_t>(square); }

  // One turn: the number of the amazon among its player's, where it goes, where it shoots.
  struct Turn {
    int amazon, to, arrow;
  };
  enum Phase : std::int8_t { kChoose, kGo, kShoot };

  const Config* config;
  Lines lines;
  std::uint8_t amazons[2][kMaxAmazons];
  std::int8_t number[2] = {kMaxAmazons, kMaxAmazons};
  std::int8_t player = 0;
  std::int8_t winner = -1;
  Phase phase = kChoose;   // of a turn in three plies
  std::int8_t active = 0;  // the amazon of a turn in progress

  explicit Amazons(const Config& c) : config(&c), lines(c.size) {
    const int last = c.size - 1, inset = last / 3;
    const int rows[kMaxAmazons] = {0, 0, inset, inset}, columns[kMaxAmazons] = {inset, last - inset, 0, last};
    for (int i = 0; i < kMaxAmazons; ++i) {
      amazons[0][i] = static_cast<std::uint8_t>(16 * (last - rows[i]) + columns[i]);
      amazons[1][i] = static_cast<std::uint8_t>(16 * rows[i] + columns[i]);
    }
    for (const auto& side : amazons)
      for (const int square : side) lines.flip(square);
  }

  int current_player() const { return winner >= 0 ? kTerminal : player; }
  bool is_terminal() const { return winner >= 0; }

  bool can_move(int p) const {
    for (int i = 0; i < number[p]; ++i)
      if (lines.has_free_neighbour(amazons[p][i])) return true;
    return false;
  }
  void settle() {
    if (config->engine_end) {
      winner = !can_move(0) ? 1 : !can_move(1) ? 0 : -1;
    } else if (!can_move(player)) {
      winner = static_cast<std::int8_t>(player ^ 1);
    }
  }

  void go(int amazon, int to) {
    std::uint8_t& square = amazons[player][amazon];
    lines.flip(square);
    square = static_cast<std::uint8_t>(to);
    lines.flip(to);
  }
  void shoot(int arrow) {
    lines.flip(arrow);
    player ^= 1;
    settle();
  }
  void play(Turn turn) {
    go(turn.amazon, turn.to);
    shoot(turn.arrow);
  }
  int amazon_at(int square) const {
    int i = 0;
    while (amazons[player][i] != square) ++i;
    return i;
  }

  // The id of the move's shot number 0.
  Action encode(int from, int to) const {
    return (config->index(from) * config->most + config->number[at(from)][at(to)]) * config->most;
  }
  Action encode(Turn turn) const {
    return encode(amazons[player][turn.amazon], turn.to) + config->number[at(turn.to)][at(turn.arrow)];
  }
  Turn decode(Action action) const {
    const auto most = static_cast<std::size_t>(config->most), id = static_cast<std::size_t>(action);
    const std::size_t from = config->squares[id / (most * most)];
    const std::size_t to = config->target[from][id / most % most];
    return {amazon_at(static_cast<int>(from)), static_cast<int>(to), config->target[to][id % most]};
  }

  void apply(Action action) {
    if constexpr (kPlies == 1) return play(decode(action));
    const int square = config->squares[static_cast<std::size_t>(action)];
    if (phase == kChoose) {
      active = static_cast<std::int8_t>(amazon_at(square));
      phase = kGo;
    } else if (phase == kGo) {
      go(active, square);
      phase = kShoot;
    } else {
      phase = kChoose;
      shoot(square);
    }
  }

  void legal_actions(ActionList& out) const {
    if constexpr (kPlies == 1) {
      for (int i = 0; i < number[player]; ++i) list_turns(i, out);
    } else if (phase == kChoose) {
      for (int i = 0; i < number[player]; ++i)
        if (lines.has_free_neighbour(amazons[player][i])) out.push_back(config->index(amazons[player][i]));
    } else {
      const Reach reach = lines.reach(amazons[player][active]);
      for (int k = 0; k < reach.total(); ++k) out.push_back(config->index(reach.square(k)));
    }
  }
  void list_turns(int amazon, ActionList& out) const {
    const int from = amazons[player][amazon];
    const Reach moves = lines.reach(from);
    for (int k = 0; k < moves.total(); ++k) {
      const Reach shots = lines.shots(moves, k);
      const Action first = encode(from, shots.from);
      const std::uint64_t numbers = config->open[at(shots.from)] << 8;  // of the first shot in each direction
      // Shots in one direction have consecutive numbers; writing all that there could be saves the branches.
      Action* write = out.room(static_cast<std::size_t>(shots.total()) + kMaxSize);
      for (int shift = 0; shift < 64; shift += 8) {
        const Action next = first + static_cast<Action>(numbers >> shift & 0xff);
        for (int i = 0; i < kMaxSize; ++i) write[i] = next + i;
        write += shots.count(shift);
      }
      out.commit(static_cast<std::size_t>(shots.total()));
    }
  }

  void returns(Values& out) const {
    out[0] = winner < 0 ? 0 : winner == 0 ? 1 : -1;
    out[1] = -out[0];
  }

  // An amazon that can move, each with the same probability.
  int sample_amazon(Rng& rng) const {
    const int i = static_cast<int>(rng.below(static_cast<std::uint32_t>(number[player])));
    if (lines.has_free_neighbour(amazons[player][i])) [[likely]]
      return i;
    Bits able = 0;
    for (int j = 0; j < number[player]; ++j)
      if (lines.has_free_neighbour(amazons[player][j])) able |= bit(j);
    return nth(able, static_cast<int>(rng.below(static_cast<std::uint32_t>(count(able)))));
  }

  // One of all turns, each with the same probability.
  Turn sample_turn(Rng& rng) const {
    Reach moves[kMaxAmazons];
    int total = 0;
    for (int i = 0; i < number[player]; ++i) {
      moves[i] = lines.reach(amazons[player][i]);
      total += moves[i].total();
    }
    return total > kFewMoves ? sample_by_rejection(rng, moves, total) : sample_by_counting(rng, moves, number[player]);
  }

  // Draws a move and the number of a shot, below the most there can be, until there is such a shot. Fast
  // while the board is open.
  Turn sample_by_rejection(Rng& rng, const Reach* moves, int total) const {
    while (true) {
      int k = static_cast<int>(rng.below(static_cast<std::uint32_t>(total)));
      int i = 0;
      while (k >= moves[i].total()) k -= moves[i++].total();
      const Reach shots = lines.shots(moves[i], k);
      const int shot = static_cast<int>(rng.below(static_cast<std::uint32_t>(config->most)));
      if (shot < shots.total()) return {i, shots.from, shots.square(shot)};
    }
  }
  Turn sample_by_counting(Rng& rng, const Reach* moves, int amazons_given) const {
    Reach shots[kFewMoves];
    int mover[kFewMoves], found = 0, total = 0;
    for (int i = 0; i < amazons_given; ++i) {
      for (int k = 0; k < moves[i].total(); ++k) {
        mover[found] = i;
        shots[found] = lines.shots(moves[i], k);
        total += shots[found++].total();
      }
    }
    int k = static_cast<int>(rng.below(static_cast<std::uint32_t>(total)));
    int m = 0;
    while (k >= shots[m].total()) k -= shots[m++].total();
    return {mover[m], shots[m].from, shots[m].square(k)};
  }
  static constexpr int kFewMoves = 16;

  Action playout_action(Rng& rng) const {
    if constexpr (kPlies == 1) return encode(sample_turn(rng));
    if (phase == kChoose) return config->index(amazons[player][sample_amazon(rng)]);
    return config->index(lines.reach(amazons[player][active]).sample(rng));
  }

  Action draw_action(Rng& rng) const
    requires(kPlies == 1)
  {
    return playout_action(rng);
  }

  // Draws the same random numbers as step by step, so that a seed gives the same playout either way.
  int fast_playout(Rng& shared, int max_length) {
    Rng rng = shared;
    int length = 0;
    while (length < max_length && winner < 0) {
      if (kPlies == 1) {
        play(sample_turn(rng));
      } else if (phase == kChoose && length + 3 <= max_length) {
        const int amazon = sample_amazon(rng);
        go(amazon, lines.reach(amazons[player][amazon]).sample(rng));
        shoot(lines.reach(amazons[player][amazon]).sample(rng));
        length += 2;
      } else {
        apply(playout_action(rng));
      }
      ++length;
    }
    shared = rng;
    return length;
  }

  std::uint64_t hash() const {
    std::uint64_t sides[2] = {0, 0};  // sums, for the order of the amazons does not matter
    for (int p = 0; p < 2; ++p)
      for (int i = 0; i < number[p]; ++i) sides[p] += mix(1, amazons[p][i]);
    const int turn = player | phase << 1 | (phase == kChoose ? 0 : amazons[player][active] << 3);
    return mix(mix(mix(lines.hash(), sides[0]), sides[1]), static_cast<std::uint64_t>(turn));
  }

  // The squares that the winner's amazons could still go to, / 16 (Pepels et al., section 5).
  double quality() const {
    int moves = 0;
    for (int i = 0; i < number[winner]; ++i) moves += lines.reach(amazons[winner][i]).total();
    return moves / 16.0;
  }

  // Squares next to a player's amazons that are free: all of them, or more than `most`, of which it says only that.
  struct Room {
    int squares[2], number = 0;
    bool within(int a, int b) const {
      for (int i = 0; i < number; ++i)
        if (squares[i] != a && squares[i] != b) return false;
      return true;
    }
  };
  bool find_room(int p, int most, Room& room) const {
    for (int i = 0; i < number[p]; ++i) {
      Bits free = lines.free_neighbours(amazons[p][i]);
      if (count(free) > most) return false;
      while (free) {
        const int square = amazons[p][i] - 17 + pop(free);  // bits of rows of sixteen, from the square up and left on
        if (std::find(room.squares, room.squares + room.number, square) != room.squares + room.number) continue;
        if (room.number == most) return false;
        room.squares[room.number++] = square;
      }
    }
    return true;
  }

  // To shut the opponent in, a turn must fill all the room that it has: two squares at most, with the arrow one.
  void winning_actions(ActionList& out) const {
    if (kPlies == 3 && phase != kShoot) return;
    Room room;
    if (!find_room(player ^ 1, kPlies == 3 ? 1 : 2, room)) return;
    if constexpr (kPlies == 1) {
      for (int i = 0; i < number[player]; ++i) list_filling_turns(i, room, out);
    } else {
      legal_actions(out);
    }
    Action* write = out.begin();
    for (const Action action : out)
      if (wins(action)) *write++ = action;
    out.resize(static_cast<std::size_t>(write - out.begin()));
  }
  // The turns that fill the room; where there are two squares, the amazon itself must go to one of them.
  void list_filling_turns(int amazon, const Room& room, ActionList& out) const {
    const Reach moves = lines.reach(amazons[player][amazon]);
    for (int k = 0; k < moves.total(); ++k) {
      const int to = moves.square(k);
      if (room.number == 2 && to != room.squares[0] && to != room.squares[1]) continue;
      const Reach shots = lines.shots(moves, k);
      for (int shot = 0; shot < shots.total(); ++shot)
        if (const int arrow = shots.square(shot); room.within(to, arrow)) out.push_back(encode({amazon, to, arrow}));
    }
  }
  bool wins(Action action) const {
    Amazons next = *this;
    next.apply(action);
    return next.winner == player;
  }

  // All turns of one amazon: one drawn from all, or the next that can move. In three plies its destinations
  // get their numbers of shots as weights, which comes to the same.
  void playout_candidates(Rng& rng, ActionList& out) const {
    if (kPlies == 3 && phase == kShoot) return legal_actions(out);
    if (kPlies == 3 && phase == kGo) {
      const Reach moves = lines.reach(amazons[player][active]);
      for (int k = 0; k < moves.total(); ++k)
        for (int weight = lines.shots(moves, k).total(); weight > 0; --weight)
          out.push_back(config->index(moves.square(k)));
      return;
    }
    const int i = policy_amazon(rng);
    if (kPlies == 3) return out.push_back(config->index(amazons[player][i]));
    list_turns(i, out);
  }
  int policy_amazon(Rng& rng) const {
    int i = static_cast<int>(rng.below(static_cast<std::uint32_t>(number[player])));
    while (!lines.has_free_neighbour(amazons[player][i])) i = (i + 1) % number[player];
    return i;
  }
  Action policy_action(Rng& rng) const
    requires(kPlies == 1)
  {
    const int i = policy_amazon(rng);
    const Reach moves = lines.reach(amazons[player][i]);
    const int total = moves.total();
    Turn turn = total > kFewMoves ? sample_by_rejection(rng, &moves, total) : sample_by_counting(rng, &moves, 1);
    turn.amazon = i;
    return encode(turn);
  }

  std::string action_name(Action action) const {
    if constexpr (kPlies == 1) {
      const Turn turn = decode(action);
      return config->name(amazons[player][turn.amazon]) + "-" + config->name(turn.to) + "/" + config->name(turn.arrow);
    }
    const char* sign[] = {"", "-", "/"};
    return sign[phase] + config->name(config->squares[static_cast<std::size_t>(action)]);
  }

  std::string draw() const {
    return draw_board(config->size, config->size, [&](int row, int column) {
      const int square = 16 * row + column;
      for (int p = 0; p < 2; ++p)
        if (std::find(amazons[p], amazons[p] + number[p], square) != amazons[p] + number[p])
          return static_cast<char>('1' + p);
      return lines.blocked(square) ? 'x' : '.';
    });
  }

  static Amazons parse(const Config& config, std::string_view board, int player) {
    check_player(player, 2);
    const auto rows = parse_rows(board, std::vector<int>(static_cast<std::size_t>(config.size), config.size), ".12x");
    Amazons state(config);
    state.lines = Lines(config.size);
    state.number[0] = state.number[1] = 0;
    for (const int square : config.squares) {
      const char cell = rows[static_cast<std::size_t>(square >> 4)][static_cast<std::size_t>(square & 15)];
      if (cell == '.') continue;
      state.lines.flip(square);
      if (cell == 'x') continue;
      const int p = cell - '1';
      if (state.number[p] == kMaxAmazons)
        throw std::invalid_argument("board: player " + std::to_string(p) + " has more than 4 amazons");
      state.amazons[p][state.number[p]++] = static_cast<std::uint8_t>(square);
    }
    for (int p = 0; p < 2; ++p)
      if (state.number[p] == 0)
        throw std::invalid_argument("board: player " + std::to_string(p) + " has no amazon (write '" +
                                    std::string(1, static_cast<char>('1' + p)) + "')");
    state.player = static_cast<std::int8_t>(player);
    state.settle();
    return state;
  }
};

}  // namespace

GameEntry amazons() {
  GameEntry one = entry<Amazons<1>>("amazons", "Move like a queen and shoot away the board; who cannot move loses.");
  one.make = [](const Parameters& parameters) -> std::unique_ptr<Game> {
    if (parameters.integer("plies") == 3) return std::make_unique<GameOf<Amazons<3>>>(parameters);
    return std::make_unique<GameOf<Amazons<1>>>(parameters);
  };
  return one;
}

}  // namespace treewise::games
