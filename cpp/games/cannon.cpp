// Cannon (David E. Whitcher, 2003). Player 0 starts at the bottom. An action is 36 * from + code, where
// `from` is a point and the code says what its soldier does in which direction, seen from its player; for
// shots, `from` is the muzzle.
#include "game/rules.h"
#include "game/text.h"
#include "games/cannon_board.h"

namespace treewise::games {
namespace {

using namespace cannon_board;

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
          threats[player][column] = threats_to(player, column, clear_path);
        }
      }
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
  Set free_places(int p) const { return config->places[p] & ~occupied(); }
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

  // What can be done: for each code the soldiers that can do it or, for slides and shots, the centres of
  // their cannons. Codes that nobody can do are left out. Under the mate rule these actions may expose the
  // own town.
  struct Groups {
    Set sets[kCodes];
    int codes[kCodes];
    int number = 0;

    void add(int code, Set set) {
      sets[number] = set;
      codes[number] = code;
      number += set != 0;
    }
  };
  template <int p, int d>
  void add_cannons(Groups& groups, Set centres, Set empty, Set prey) const {
    const Set ready = centres & before<p, d, 2>(empty);
    if (ready == 0) return;
    const Set beyond = config->clear_path ? empty : kBoard;
    groups.add(kSlide + d, ready);
    groups.add(kNear + d, ready & before<p, d, 3>(prey));
    groups.add(kFar + d, ready & before<p, d, 3>(beyond) & before<p, d, 4>(prey));
  }
  template <int p, int d>
  void add_axis(Groups& groups, Set own, Set empty, Set prey) const {
    const Set centres = own & before<p, d>(own) & before<p, 7 - d>(own);
    if (centres == 0) return;
    add_cannons<p, d>(groups, centres, empty, prey);
    add_cannons<p, 7 - d>(groups, centres, empty, prey);
  }
  template <int p>
  void add_all(Groups& groups) const {
    const Set own = soldiers[p], foe = soldiers[p ^ 1], empty = kBoard & ~occupied();
    const Set prey = config->mate_rule ? foe : foe | towns[p ^ 1];
    const Set wide = foe | foe << 1 | foe >> 1;
    const Set scared = own & (wide | wide << kStride | wide >> kStride);
    [&]<int... d>(std::integer_sequence<int, d...>) {
      (groups.add(kStep + d, own & before<p, d>(empty)), ...);
      if (scared) (groups.add(kRetreat + d, scared & before<p, 5 + d>(empty) & before<p, 5 + d, 2>(empty)), ...);
    }(std::make_integer_sequence<int, 3>());
    [&]<int... d>(std::integer_sequence<int, d...>) {
      (groups.add(kCapture + d, own & before<p, d>(prey)), ...);
    }(std::make_integer_sequence<int, 5>());
    [&]<int... d>(std::integer_sequence<int, d...>) {
      (add_axis<p, d>(groups, own, empty, prey), ...);
    }(std::make_integer_sequence<int, 4>());
  }
  Groups gather() const {
    Groups groups;
    if (towns[player] == 0)
      groups.add(kTown, free_places(player));
    else if (player == 0)
      add_all<0>(groups);
    else
      add_all<1>(groups);
    return groups;
  }

  int from_of(int code, int place) const { return place - sign() * kCode[static_cast<std::size_t>(code)].centre; }
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
  // Points whose emptying may expose the mover's town: all of them while it is threatened.
  Set risky() const {
    if (!config->mate_rule || towns[player] == 0) return 0;
    if (threatened(player, soldiers[player ^ 1], occupied())) return kBoard;
    return config->threats[player][columns[player]].paths;
  }
  bool legal(Action action, Set risky) const {
    const int emptied = action % kCodes < kNear ? action / kCodes : target_of(action);
    if (!(point(emptied) & risky)) return true;
    const auto [own, foe] = after(action);
    return !threatened(player, foe, own | foe | towns[0] | towns[1]);
  }
  bool gives_check(Action action) const {
    const auto [own, foe] = after(action);
    return threatened(player ^ 1, own, own | foe | towns[0] | towns[1]);
  }
  // The quiet actions that may threaten the other town: they end where a threat comes from, or clear a path.
  Groups near_town(const Groups& groups) const {
    if (threatened(player ^ 1, soldiers[player], occupied())) return groups;
    const Threats& threats = config->threats[player ^ 1][columns[player ^ 1]];
    const auto seen = [](Set set, int offset) { return offset > 0 ? set >> offset : set << -offset; };
    Groups near;
    for (int g = 0; g < groups.number; ++g) {
      const auto [target, centre] = kCode[static_cast<std::size_t>(groups.codes[g])];
      if (is_hit(groups.codes[g])) continue;
      near.add(groups.codes[g], groups.sets[g] & (seen(threats.paths, -sign() * centre) |
                                                  seen(threats.places, sign() * (target - centre))));
    }
    return near;
  }

  // Calls visit(action) for the actions of the wanted kinds.
  enum Wanted { kQuiet = 1, kHits = 2, kAll = 3 };
  template <class Visit>
  void each_action(const Groups& groups, Wanted wanted, Visit&& visit) const {
    for (int g = 0; g < groups.number; ++g) {
      const int code = groups.codes[g];
      if (!(wanted & (is_hit(code) ? kHits : kQuiet))) continue;
      each(groups.sets[g], [&](int place) { visit(kCodes * from_of(code, place) + code); });
    }
  }
  // Appends those that `keep` keeps.
  template <class Keep>
  void list_if(const Groups& groups, Wanted wanted, ActionList& out, Keep&& keep) const {
    each_action(groups, wanted, [&](Action action) {
      if (keep(action)) out.push_back(action);
    });
  }
  // One of them in proportion to `weigh(action)`, kNoAction if all weigh nothing.
  template <class Weigh>
  Action draw_by(const Groups& groups, Wanted wanted, Rng& rng, Weigh&& weigh) const {
    Action choice = kNoAction;
    std::uint32_t total = 0;
    each_action(groups, wanted, [&](Action action) {
      const std::uint32_t weight = weigh(action);
      total += weight;
      if (weight && rng.below(total) < weight) choice = action;
    });
    return choice;
  }
  // One in proportion to `weigh(code)`, legal or not; kNoAction if all weigh nothing.
  template <class Weigh>
  Action draw_by_code(const Groups& groups, Rng& rng, Weigh&& weigh) const {
    int weights[kCodes], total = 0;
    for (int g = 0; g < groups.number; ++g) total += weights[g] = weigh(groups.codes[g]) * size(groups.sets[g]);
    if (total == 0) return kNoAction;
    int k = static_cast<int>(rng.below(static_cast<std::uint32_t>(total)));
    int g = 0;
    while (k >= weights[g]) k -= weights[g++];
    const int code = groups.codes[g];
    return kCodes * from_of(code, member(groups.sets[g], k / weigh(code))) + code;
  }
  static bool is_hit(int code) { return (code >= kCapture && code < kRetreat) || (code >= kNear && code < kTown); }
  void legal_actions(ActionList& out) const {
    const Set risk = risky();
    list_if(gather(), kAll, out, [&](Action a) { return legal(a, risk); });
  }
  // The soldiers with a free point straight or diagonally ahead.
  Set steppers(int p) const {
    const Set empty = kBoard & ~occupied(), wide = empty | empty << 1 | empty >> 1;
    return soldiers[p] & (p == 0 ? wide << kStride : wide >> kStride);
  }
  bool can_act() const {
    const Set risk = risky();
    if (steppers(player) & ~risk) return true;
    const Groups groups = gather();
    bool found = false;
    for (int g = 0; g < groups.number && !found; ++g) {
      const int code = groups.codes[g];
      each(groups.sets[g], [&](int place) { found = found || legal(kCodes * from_of(code, place) + code, risk); });
    }
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
      if (to == towns[other]) {
        towns[other] = 0;
        winner = player;
      }
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
    const Groups groups = gather();
    const Set risk = risky();
    while (true) {
      const Action action = draw_by_code(groups, rng, [](int) { return 1; });
      if (legal(action, risk)) return action;
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

  // Taking the town wins; so does leaving the opponent without action. No action takes the steps of more than
  // three soldiers: those who could only enter the point that it fills, or the one that it removes.
  void winning_actions(ActionList& out) const {
    const Set town = towns[player ^ 1], risk = risky();
    const bool may_shut_in = config->mate_rule || size(steppers(player ^ 1)) <= 3;
    list_if(gather(), may_shut_in ? kAll : kHits, out, [&](Action action) {
      if (point(target_of(action)) == town) return true;
      if (!may_shut_in || !legal(action, risk)) return false;
      Cannon next = *this;
      next.apply(action);
      return next.winner == player;
    });
  }
  // Taking the town; else quiet actions that threaten it; else captures once and shots four times; else all.
  void playout_candidates(Rng&, ActionList& out) const {
    if (towns[player] == 0) return legal_actions(out);
    const Groups groups = gather();
    const Set town = towns[player ^ 1], risk = risky();
    if (!config->mate_rule) list_if(groups, kHits, out, [&](Action a) { return point(target_of(a)) == town; });
    if (!out.empty()) return;
    list_if(near_town(groups), kQuiet, out, [&](Action a) { return gives_check(a) && legal(a, risk); });
    if (!out.empty()) return;
    list_if(groups, kHits, out, [&](Action a) {
      if (!legal(a, risk)) return false;
      for (int extra = hit_weight(a % kCodes) - 1; extra > 0; --extra) out.push_back(a);
      return true;
    });
    if (out.empty()) list_if(groups, kQuiet, out, [&](Action a) { return legal(a, risk); });
  }
  static int hit_weight(int code) { return code >= kNear ? 4 : 1; }
  // A draw from the same.
  Action policy_action(Rng& rng) const {
    if (towns[player] == 0) return playout_action(rng);
    const Groups groups = gather();
    const Set town = towns[player ^ 1], risk = risky();
    Action action = kNoAction;
    if (!config->mate_rule) action = draw_by(groups, kHits, rng, [&](Action a) { return point(target_of(a)) == town; });
    if (action == kNoAction)
      action = draw_by(near_town(groups), kQuiet, rng, [&](Action a) { return gives_check(a) && legal(a, risk); });
    if (action == kNoAction) action = draw_legal(groups, kHits, risk, rng, hit_weight);
    return action == kNoAction ? draw_legal(groups, kQuiet, risk, rng, [](int) { return 1; }) : action;
  }
  // Most actions are legal: one is drawn from all, and only if it is not, another from those that are.
  template <class Weigh>
  Action draw_legal(const Groups& groups, Wanted wanted, Set risk, Rng& rng, Weigh&& weigh) const {
    const Action action = draw_by_code(
        groups, rng, [&](int code) { return wanted == (is_hit(code) ? kHits : kQuiet) ? weigh(code) : 0; });
    if (action == kNoAction || legal(action, risk)) return action;
    return draw_by(groups, wanted, rng, [&](Action a) { return legal(a, risk) ? weigh(a % kCodes) : 0; });
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
      return soldiers[0] & at ? '1' : soldiers[1] & at ? '2' : towns[0] & at ? 't' : towns[1] & at ? 'T' : '.';
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
    for (int p = 0; p < 2; ++p)
      if (!state.towns[p] && !state.free_places(p))
        throw std::invalid_argument("board: player " + std::to_string(p) + " has no free point for a town");
    state.player = static_cast<std::int8_t>(player);
    state.ply = static_cast<std::int16_t>((state.towns[0] != 0) + (state.towns[1] != 0));
    state.settle();
    return state;
  }
  void place_town(int p, int row, int column) {
    if (towns[p]) throw std::invalid_argument("board: a player has two towns");
    if (!(config->places[p] & point(row, column)))
      throw std::invalid_argument(
          "board: a town stands on its player's back row ('t' in the last, 'T' in the first), not on a corner unless "
          "corners=True");
    towns[p] = point(row, column);
    columns[p] = static_cast<std::int8_t>(column);
  }
};

}  // namespace

GameEntry cannon() {
  return entry<Cannon>("cannon", "Soldiers in threes are cannons; take or corner the enemy's town.");
}

}  // namespace treewise::games
