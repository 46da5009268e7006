// Cannon (David E. Whitcher, 2003). Points are 11 * row + column, row 0 at the top; the eleventh column is
// always empty and stops lines at the edge. Player 0 starts at the bottom. An action is 36 * from + code,
// where the code says what a soldier does in which direction, seen from its player; for shots, `from` is the
// muzzle.
#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

constexpr int kSide = 10, kStride = 11, kSoldiers = 15;

using Set = unsigned __int128;

constexpr Set point(int p) {
  return Set{1} << p;
}
constexpr Set point(int row, int column) {
  return point(kStride * row + column);
}
constexpr int size(Set set) {
  return count(static_cast<Bits>(set)) + count(static_cast<Bits>(set >> 64));
}
inline int member(Set set, int k) {
  const int low = count(static_cast<Bits>(set));
  return k < low ? nth(static_cast<Bits>(set), k) : 64 + nth(static_cast<Bits>(set >> 64), k - low);
}
constexpr Set kBoard = [] {
  Set board = 0;
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) board |= point(row, column);
  return board;
}();

// Player 0's directions: three forward, two sideways, three back; 7 - d is the opposite of d. Player 1 has
// the same ones turned by half a circle.
constexpr int kDelta[8] = {-12, -11, -10, 1, -1, 10, 11, 12};

// The codes of actions: the first of each kind, then a code for each direction.
enum Kind : int {
  kStep = 0,
  kCapture = 3,
  kRetreat = 8,
  kSlide = 11,
  kNear = 19,
  kFar = 27,
  kTown = 35,
  kCodes
};
constexpr const char* kMarks = "---xxxxx<<<========****************@";

struct Code {
  int target;  // from the soldier that acts to the point it goes to or hits
  int centre;  // from the soldier that acts to the centre of its cannon
};
constexpr std::array<Code, kCodes> kCode = [] {
  std::array<Code, kCodes> code{};
  for (int d = 0; d < 3; ++d) code[kStep + d] = {kDelta[d], 0};
  for (int d = 0; d < 5; ++d) code[kCapture + d] = {kDelta[d], 0};
  for (int d = 5; d < 8; ++d) code[kRetreat + d - 5] = {2 * kDelta[d], 0};
  for (int d = 0; d < 8; ++d) code[kSlide + d] = {3 * kDelta[d], kDelta[d]};
  for (int d = 0; d < 8; ++d) code[kNear + d] = {2 * kDelta[d], -kDelta[d]};
  for (int d = 0; d < 8; ++d) code[kFar + d] = {3 * kDelta[d], -kDelta[d]};
  return code;
}();

// What threatens a town on a certain point.
struct Threats {
  struct Battery {
    Set soldiers = ~Set{0};  // impossible, where the board is too small
    Set path = 0;            // points that must be empty
  };
  Set neighbours = 0;  // from where a soldier captures
  Set centres = 0;     // of the cannons
  Battery cannons[10];
};

struct Cannon {
  struct Config {
    bool mate_rule, clear_path;
    int horizon;
    Set places[2] = {0, 0};  // for the town
    Threats threats[2][kSide];

    explicit Config(const Parameters& p)
        : mate_rule(p.flag("mate_rule")), clear_path(p.flag("clear_path")), horizon(p.integer("horizon")) {
      const int edge = p.flag("corners") ? 0 : 1;
      for (int player = 0; player < 2; ++player) {
        for (int column = 0; column < kSide; ++column) {
          if (column >= edge && column < kSide - edge) places[player] |= point(home_row(player), column);
          threats[player][column] = threats_to(player, column);
        }
      }
    }
    static int home_row(int player) { return player == 0 ? kSide - 1 : 0; }

    Threats threats_to(int player, int column) const {
      const int town = kStride * home_row(player) + column;
      Threats threats;
      for (int d = 0; d < 5; ++d) {
        Set line[6] = {};  // the points from the town in this direction
        int length = 0;
        for (int at = town; length < 6 && at >= 0 && (kBoard & point(at));
             at += player ? -kDelta[d] : kDelta[d])
          line[length++] = point(at);
        threats.neighbours |= line[1];
        threats.centres |= line[3] | line[4];
        if (length > 4) threats.cannons[2 * d] = {line[2] | line[3] | line[4], line[1]};
        if (length > 5)
          threats.cannons[2 * d + 1] = {line[3] | line[4] | line[5],
                                        clear_path ? line[1] | line[2] : line[2]};
      }
      return threats;
    }
    GameInfo info() const {
      return {.name = "cannon", .num_action_ids = kStride * kSide * kCodes, .max_length = horizon};
    }
  };

  static std::vector<Parameter> parameters() {
    return {{"mate_rule", false, "towns are never taken: who cannot keep the own town safe has lost"},
            {"corners", false, "a town may be put on a corner"},
            {"clear_path", false, "a shot at the third point needs the second point empty"},
            {"horizon", std::int64_t{1000}, "plies after which a match is a draw", 2, 10000}};
  }

  const Config* config;
  Set soldiers[2] = {0, 0};
  Set towns[2] = {0, 0};
  std::int8_t columns[2] = {-1, -1};  // of the towns
  std::int16_t ply = 0;
  std::int8_t player = 0;
  std::int8_t winner = -1;
  bool over = false;

  explicit Cannon(const Config& c) : config(&c) {
    for (int row = 1; row <= 3; ++row) {
      for (int column = 0; column < kSide; column += 2) {
        soldiers[0] |= point(row + 5, column + 1);
        soldiers[1] |= point(row, column);
      }
    }
  }

  int current_player() const { return over ? kTerminal : player; }
  bool is_terminal() const { return over; }
  Set occupied() const { return soldiers[0] | soldiers[1] | towns[0] | towns[1]; }
  int sign() const { return player == 0 ? 1 : -1; }

  // `set` seen from points that are `distance` steps behind it in direction d of player p.
  template <int p, int d, int distance = 1>
  static constexpr Set before(Set set) {
    constexpr int shift = (p == 0 ? 1 : -1) * distance * kDelta[d];
    if constexpr (shift > 0)
      return set >> shift;
    else
      return set << -shift;
  }

  // Calls visit(code, set) for every code; the set has the soldiers that can do it or, for slides and shots,
  // the centres of their cannons. Under the mate rule these actions may still expose the own town.
  template <int p, class Visit>
  void visit_steps(Set own, Set empty, Visit&& visit) const {
    [&]<int... d>(std::integer_sequence<int, d...>) {
      (visit(kStep + d, own & before<p, d>(empty)), ...);
    }(std::make_integer_sequence<int, 3>());
  }
  template <int p, class Visit>
  void visit_retreats(Set own, Set empty, Visit&& visit) const {
    const Set foe = soldiers[p ^ 1], wide = foe | foe << 1 | foe >> 1;
    own &= wide | wide << kStride | wide >> kStride;
    if (own == 0) return;
    [&]<int... d>(std::integer_sequence<int, d...>) {
      (visit(kRetreat + d, own & before<p, 5 + d>(empty) & before<p, 5 + d, 2>(empty)), ...);
    }(std::make_integer_sequence<int, 3>());
  }
  template <int p, class Visit>
  void visit_captures(Set own, Set prey, Visit&& visit) const {
    [&]<int... d>(std::integer_sequence<int, d...>) {
      (visit(kCapture + d, own & before<p, d>(prey)), ...);
    }(std::make_integer_sequence<int, 5>());
  }
  template <int p, int d, class Visit>
  void visit_cannons(Set centres, Set empty, Set prey, Visit&& visit) const {
    const Set ready = centres & before<p, d, 2>(empty);
    if (ready == 0) return;
    visit(kSlide + d, ready);
    visit(kNear + d, ready & before<p, d, 3>(prey));
    visit(kFar + d, ready & before<p, d, 3>(config->clear_path ? empty : kBoard) & before<p, d, 4>(prey));
  }
  template <int p, class Visit>
  void visit_all(Visit&& visit) const {
    const Set own = soldiers[p], empty = kBoard & ~occupied();
    const Set prey = config->mate_rule ? soldiers[p ^ 1] : soldiers[p ^ 1] | towns[p ^ 1];
    visit_steps<p>(own, empty, visit);
    visit_captures<p>(own, prey, visit);
    visit_retreats<p>(own, empty, visit);
    [&]<int... d>(std::integer_sequence<int, d...>) {
      (
          [&] {
            const Set centres = own & before<p, d>(own) & before<p, 7 - d>(own);
            if (centres == 0) return;
            visit_cannons<p, d>(centres, empty, prey, visit);
            visit_cannons<p, 7 - d>(centres, empty, prey, visit);
          }(),
          ...);
    }(std::make_integer_sequence<int, 4>());
  }
  template <class Visit>
  void visit_mine(Visit&& visit) const {
    if (player == 0)
      visit_all<0>(visit);
    else
      visit_all<1>(visit);
  }

  int from_of(int code, int place) const {
    return place - sign() * kCode[static_cast<std::size_t>(code)].centre;
  }
  int target_of(Action action) const {
    return action / kCodes + sign() * kCode[static_cast<std::size_t>(action % kCodes)].target;
  }

  // What an action leaves on the board: the mover's soldiers and the other player's.
  struct After {
    Set own, foe;
  };
  After after(Action action) const {
    const Set to = point(target_of(action)), own = soldiers[player];
    const bool goes = action % kCodes < kNear;
    return {goes ? own ^ point(action / kCodes) ^ to : own, soldiers[player ^ 1] & ~to};
  }
  bool threatened(int p, Set attackers, Set all) const {
    const Threats& threats = config->threats[p][columns[p]];
    if (attackers & threats.neighbours) return true;
    if (!(attackers & threats.centres)) return false;
    for (const auto& [cannon, path] : threats.cannons)
      if ((attackers & cannon) == cannon && !(all & path)) return true;
    return false;
  }
  bool legal(Action action) const {
    if (!config->mate_rule) return true;
    const auto [own, foe] = after(action);
    return !threatened(player, foe, own | foe | towns[0] | towns[1]);
  }
  bool gives_check(Action action) const {
    const auto [own, foe] = after(action);
    return threatened(player ^ 1, own, own | foe | towns[0] | towns[1]);
  }

  template <class Keep>
  void list_if(Keep&& keep, int code, Set set, ActionList& out) const {
    for (; set; set &= set - 1) {
      const Action action = kCodes * from_of(code, member(set, 0)) + code;
      if (keep(action)) out.push_back(action);
    }
  }
  void legal_actions(ActionList& out) const {
    if (towns[player] == 0) return list_if([](Action) { return true; }, kTown, config->places[player], out);
    visit_mine([&](int code, Set set) { list_if([&](Action a) { return legal(a); }, code, set, out); });
  }
  int open_steps(int p) const {
    const Set empty = kBoard & ~occupied();
    int total = 0;
    const auto add = [&](int, Set set) { total += size(set); };
    if (p == 0)
      visit_steps<0>(soldiers[0], empty, add);
    else
      visit_steps<1>(soldiers[1], empty, add);
    return total;
  }
  bool can_act() const {
    if (!config->mate_rule && open_steps(player) > 0) return true;
    bool found = false;
    visit_mine([&](int code, Set set) {
      for (; set && !found; set &= set - 1) found = legal(kCodes * from_of(code, member(set, 0)) + code);
    });
    return found;
  }

  void apply(Action action) {
    const int other = player ^ 1;
    if (action % kCodes == kTown) {
      towns[player] = point(action / kCodes);
      columns[player] = static_cast<std::int8_t>(action / kCodes % kStride);
    } else {
      const Set to = point(target_of(action));
      const auto [own, foe] = after(action);
      soldiers[player] = own;
      soldiers[other] = foe;
      if (to == towns[other]) winner = player;
    }
    ++ply;
    player = static_cast<std::int8_t>(other);
    settle();
  }
  void settle() {
    if (winner < 0 && towns[player] && !can_act()) winner = static_cast<std::int8_t>(player ^ 1);
    over = winner >= 0 || ply >= config->horizon;
  }

  void returns(Values& out) const {
    out[0] = winner < 0 ? 0 : winner == 0 ? 1 : -1;
    out[1] = -out[0];
  }

  Action playout_action(Rng& rng) const {
    if (towns[player] == 0) {
      const Set places = config->places[player];
      return kCodes * member(places, static_cast<int>(rng.below(static_cast<std::uint32_t>(size(places))))) +
             kTown;
    }
    Set sets[kCodes];
    int codes[kCodes], sizes[kCodes], groups = 0, total = 0;
    visit_mine([&](int code, Set set) {
      sets[groups] = set;
      codes[groups] = code;
      total += sizes[groups] = size(set);
      groups += set != 0;
    });
    while (true) {
      int k = static_cast<int>(rng.below(static_cast<std::uint32_t>(total)));
      int g = 0;
      while (k >= sizes[g]) k -= sizes[g++];
      const Action action = kCodes * from_of(codes[g], member(sets[g], k)) + codes[g];
      if (legal(action)) return action;
    }
  }

  std::uint64_t hash() const {
    std::uint64_t key = 0;
    for (const Set set : {soldiers[0], soldiers[1], towns[0] | towns[1]})
      key = mix(mix(key, static_cast<std::uint64_t>(set)), static_cast<std::uint64_t>(set >> 64));
    return mix(key, static_cast<std::uint64_t>(2 * ply + player));
  }

  // (winner's soldiers - loser's) / 15 (Pepels et al., section 5).
  double quality() const {
    return static_cast<double>(size(soldiers[winner]) - size(soldiers[winner ^ 1])) / kSoldiers;
  }

  // An action takes at most three steps from the opponent: one soldier's, or those to one point.
  void winning_actions(ActionList& out) const {
    if (towns[player ^ 1] == 0) return;
    const bool may_shut_in = config->mate_rule || open_steps(player ^ 1) <= 3;
    const auto wins = [&](Action action) {
      if (!may_shut_in) return point(target_of(action)) == towns[player ^ 1];
      Cannon next = *this;
      next.apply(action);
      return next.winner == player;
    };
    visit_mine([&](int code, Set set) {
      if (may_shut_in || is_hit(code)) list_if([&](Action a) { return legal(a) && wins(a); }, code, set, out);
    });
  }
  static bool is_hit(int code) { return (code >= kCapture && code < kRetreat) || code >= kNear; }

  // Taking the town; else quiet actions that threaten it; else captures once and shots four times; else all.
  void playout_candidates(Rng&, ActionList& out) const {
    if (towns[player] == 0) return legal_actions(out);
    const Set town = towns[player ^ 1];
    visit_mine([&](int code, Set set) {
      if (is_hit(code)) list_if([&](Action a) { return point(target_of(a)) == town; }, code, set, out);
    });
    if (!out.empty()) return;
    visit_mine([&](int code, Set set) {
      if (!is_hit(code)) list_if([&](Action a) { return gives_check(a) && legal(a); }, code, set, out);
    });
    if (!out.empty()) return;
    visit_mine([&](int code, Set set) {
      for (int weight = is_hit(code) ? code >= kNear ? 4 : 1 : 0; weight > 0; --weight)
        list_if([&](Action a) { return legal(a); }, code, set, out);
    });
    if (out.empty()) legal_actions(out);
  }

  static std::string name(int at) { return square_name(at / kStride, at % kStride, kSide); }
  std::string action_name(Action action) const {
    const int from = action / kCodes, code = action % kCodes;
    if (code == kTown) return kMarks[code] + name(from);
    return name(from) + kMarks[code] + name(target_of(action));
  }

  std::string draw() const {
    return draw_board(kSide, kSide, [&](int row, int column) {
      const Set at = point(row, column);
      return soldiers[0] & at   ? '1'
             : soldiers[1] & at ? '2'
             : towns[0] & at    ? 't'
             : towns[1] & at    ? 'T'
                                : '.';
    });
  }

  static Cannon parse(const Config& config, std::string_view board, int player) {
    check_player(player, 2);
    const auto rows = parse_rows(board, std::vector<int>(kSide, kSide), ".12tT");
    Cannon state(config);
    state.soldiers[0] = state.soldiers[1] = 0;
    for (int row = 0; row < kSide; ++row) {
      for (int column = 0; column < kSide; ++column) {
        const char cell = rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
        if (cell == '1' || cell == '2') state.soldiers[cell - '1'] |= point(row, column);
        if (cell == 't' || cell == 'T') state.place_town(cell == 'T', row, column);
      }
    }
    for (const Set set : state.soldiers)
      if (size(set) > kSoldiers) throw std::invalid_argument("board: a player has more than 15 soldiers");
    if (!state.towns[0] && (state.towns[1] || player == 1))
      throw std::invalid_argument("board: player 0 puts the first town ('t')");
    if (state.towns[0] && !state.towns[1] && player == 0)
      throw std::invalid_argument("board: player 1 puts the second town ('T')");
    state.player = static_cast<std::int8_t>(player);
    state.ply = static_cast<std::int16_t>((state.towns[0] != 0) + (state.towns[1] != 0));
    state.settle();
    return state;
  }
  void place_town(int p, int row, int column) {
    if (towns[p]) throw std::invalid_argument("board: a player has two towns");
    if (!(config->places[p] & point(row, column)))
      throw std::invalid_argument(
          "board: a town stands on its player's back row ('t' in the last, 'T' in the first), not on a "
          "corner "
          "unless corners=True");
    towns[p] = point(row, column);
    columns[p] = static_cast<std::int8_t>(column);
  }
};

}  // namespace

GameEntry cannon() {
  return entry<Cannon>("cannon", "Soldiers in threes are cannons; take or corner the enemy's town.");
}

}  // namespace treewise::games
