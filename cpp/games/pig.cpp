// Pig (Scarne, 1945): roll and add, or hold and keep; a one loses the turn's points. A chance state follows
// each roll. Actions: 0 roll, 1 hold; outcomes are the faces of the die less one.
#include <algorithm>

#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

// More than any match can give; sums of such numbers stay within 32 bits.
constexpr int kMostPoints = 100'000'000;

struct Pig {
  struct Config {
    int goal, sides, players, horizon;
    explicit Config(const Parameters& p)
        : goal(p.integer("goal")),
          sides(p.integer("sides")),
          players(p.integer("players")),
          horizon(p.integer("horizon")) {}
    GameInfo info() const {
      return {.name = "pig", .num_players = players, .num_action_ids = std::max(sides, 2), .max_length = horizon + 1};
    }
  };
  static std::vector<Parameter> parameters() {
    return {{"goal", std::int64_t{100}, "points that win", 2, 10000},
            {"sides", std::int64_t{6}, "sides of the die", 2, 100},
            {"players", std::int64_t{2}, "number of players", 2, kMaxPlayers},
            {"horizon", std::int64_t{1000}, "steps, rolls of the die included, after which the match is a draw", 10,
             1000000}};
  }

  const Config* config;
  std::int32_t scores[kMaxPlayers] = {};
  std::int32_t turn_total = 0;
  std::int8_t player = 0;
  bool rolling = false;
  std::int8_t winner = -1;
  std::int32_t steps = 0;

  explicit Pig(const Config& c) : config(&c) {}

  bool is_terminal() const { return winner >= 0 || steps >= config->horizon; }
  int current_player() const { return is_terminal() ? kTerminal : rolling ? kChance : player; }
  void legal_actions(ActionList& out) const {
    for (int i = 0; i < (rolling ? config->sides : 2); ++i) out.push_back(i);
  }
  void chance_probabilities(std::vector<double>& out) const {
    out.assign(static_cast<std::size_t>(config->sides), 1.0 / config->sides);
  }
  void apply(Action action) {
    ++steps;
    if (rolling) {
      rolling = false;
      if (action == 0) {
        turn_total = 0;
        pass_turn();
      } else {
        turn_total += action + 1;
      }
    } else if (action == 0) {
      rolling = true;
    } else {
      scores[player] += turn_total;
      turn_total = 0;
      if (scores[player] >= config->goal) {
        winner = player;
      } else {
        pass_turn();
      }
    }
  }
  void pass_turn() { player = static_cast<std::int8_t>((player + 1) % config->players); }
  void returns(Values& out) const {
    for (int p = 0; p < config->players; ++p)
      out[static_cast<std::size_t>(p)] = winner < 0 ? 0 : winner == p ? 1 : -1.0 / (config->players - 1);
  }
  std::uint64_t hash() const {
    std::uint64_t h = mix(static_cast<std::uint64_t>(steps), static_cast<std::uint64_t>(turn_total));
    h = mix(h, static_cast<std::uint64_t>(2 * player + rolling));
    for (int p = 0; p < config->players; ++p) h = mix(h, static_cast<std::uint64_t>(scores[p]));
    return h;
  }
  std::string action_name(Action action) const {
    return rolling ? std::to_string(action + 1) : action == 0 ? "roll" : "hold";
  }
  std::string draw() const {
    std::string out = "scores";
    for (int p = 0; p < config->players; ++p) out += ' ' + std::to_string(scores[p]);
    out += ", turn total " + std::to_string(turn_total) + ", player " + std::to_string(player);
    return out + (is_terminal() ? " (over)\n" : rolling ? " rolls\n" : " to choose\n");
  }

  // "12 30/8": the scores and the turn's total; "12 30/8/rolls": the die rolls.
  static Pig parse(const Config& config, std::string_view text, int player) {
    check_player(player, config.players);
    const auto rows = split(text, '/');
    const bool rolls = rows.size() == 3 && rows[2] == "rolls";
    const auto scores = parse_numbers(rows[0], 0, kMostPoints, "a score");
    const auto total = parse_numbers(rows.size() > 1 ? rows[1] : "", 0, kMostPoints, "the turn's total");
    if (static_cast<int>(scores.size()) != config.players || total.size() != 1 || (rows.size() > 2 && !rolls))
      throw std::invalid_argument("board: write a score for each of " + std::to_string(config.players) +
                                  " players, '/' and the turn's total, then '/rolls' if the die rolls: \"12 30/8\"");
    Pig state(config);
    std::copy(scores.begin(), scores.end(), state.scores);
    state.turn_total = total[0];
    state.player = static_cast<std::int8_t>(player);
    state.rolling = rolls;
    state.find_winner();
    return state;
  }
  void find_winner() {
    for (int p = 0; p < config->players; ++p) {
      if (scores[p] < config->goal) continue;
      if (winner >= 0 || turn_total != 0 || rolling)
        throw std::invalid_argument("board: who has " + std::to_string(config->goal) +
                                    " points has won: nobody else can have them too, nor is there a turn's total");
      winner = static_cast<std::int8_t>(p);
    }
  }
};

}  // namespace

GameEntry pig() {
  return entry<Pig>("pig", "Roll a die and add, or hold: push your luck.");
}

}  // namespace treewise::games
