// Goofspiel (Merrill Flood, 1930s): all players bid one card of their hand at once for the prize on the
// table. Cards are numbered from 1; an action, or a chance outcome, is the card less one. The last round
// leaves no choice and is played together with the one before it.
#include <algorithm>

#include "base/bits.h"
#include "game/rules.h"

namespace treewise::games {
namespace {

struct Goofspiel {
  enum class Order { kRandom, kDescending, kAscending };

  struct Config {
    int cards, players;
    Order order;

    explicit Config(const Parameters& p)
        : cards(p.integer("cards")),
          players(p.integer("players")),
          order(p.text("points_order") == "random"       ? Order::kRandom
                : p.text("points_order") == "descending" ? Order::kDescending
                                                         : Order::kAscending) {}
    GameInfo info() const {
      return {.name = "goofspiel",
              .num_players = players,
              .num_action_ids = cards,
              .max_length = (order == Order::kRandom ? 2 : 1) * (cards - 1)};
    }
  };

  static std::vector<Parameter> parameters() {
    return {{"cards", std::int64_t{13}, "cards in each hand, and prizes", 2, 32},
            {"players", std::int64_t{2}, "number of players", 2, kMaxPlayers},
            {"points_order",
             std::string("random"),
             "the order in which the prizes come up",
             0,
             0,
             {"random", "descending", "ascending"}}};
  }

  const Config* config;
  std::uint32_t hands[kMaxPlayers] = {};
  std::uint32_t prizes;  // not yet turned up
  std::int16_t points[kMaxPlayers] = {};
  std::int8_t prize = 0;  // on the table; 0 where chance is to turn one up
  bool over = false;

  explicit Goofspiel(const Config& c) : config(&c), prizes(~0u >> (32 - c.cards)) {
    for (int p = 0; p < c.players; ++p) hands[p] = prizes;
    turn_up();
  }

  int num_players() const { return config->players; }
  bool is_terminal() const { return over; }
  int current_player() const { return over ? kTerminal : prize == 0 ? kChance : kSimultaneous; }

  void legal_actions(ActionList& out) const { list(prizes, out); }
  void legal_actions(int player, ActionList& out) const { list(hands[player], out); }
  static void list(Bits cards, ActionList& out) {
    while (cards) out.push_back(pop(cards));
  }
  void chance_probabilities(std::vector<double>& out) const {
    out.assign(static_cast<std::size_t>(count(prizes)), 1.0 / count(prizes));
  }

  void apply(Action outcome) { show(outcome); }
  void show(int card) {
    prizes &= ~(1u << card);
    prize = static_cast<std::int8_t>(card + 1);
  }
  // Shows the next prize if the order of the prizes is fixed.
  void turn_up() {
    prize = 0;
    if (config->order == Order::kDescending) show(std::bit_width(prizes) - 1);
    if (config->order == Order::kAscending) show(lowest(prizes));
  }

  void apply_joint(std::span<const Action> bids) {
    bid(bids);
    if (std::has_single_bit(prizes)) {
      show(lowest(prizes));
      std::array<Action, kMaxPlayers> last;
      for (int p = 0; p < config->players; ++p) last[static_cast<std::size_t>(p)] = lowest(hands[p]);
      bid({last.data(), bids.size()});
      over = true;
    } else {
      turn_up();
    }
  }
  // The highest bid takes the prize; nobody does if it was made twice.
  void bid(std::span<const Action> bids) {
    int highest = -1, winner = -1;
    for (int p = 0; p < config->players; ++p) {
      const int card = bids[static_cast<std::size_t>(p)];
      hands[p] &= ~(1u << card);
      if (card == highest) winner = -1;
      if (card > highest) {
        highest = card;
        winner = p;
      }
    }
    if (winner >= 0) points[winner] = static_cast<std::int16_t>(points[winner] + prize);
  }

  // Winners share 1 and the others share -1; all zero if everybody has the same.
  void returns(Values& out) const {
    const int best = *std::max_element(points, points + config->players);
    const auto winners = std::count(points, points + config->players, best);
    const auto losers = config->players - winners;
    for (int p = 0; p < config->players; ++p) {
      double& value = out[static_cast<std::size_t>(p)];
      if (!over || losers == 0) {
        value = 0;
      } else {
        value = points[p] == best ? 1.0 / static_cast<double>(winners) : -1.0 / static_cast<double>(losers);
      }
    }
  }

  int fast_playout(Rng& rng, int max_length) {
    int length = 0;
    for (; length < max_length && !over; ++length) {
      if (prize == 0) {
        show(draw_card(prizes, rng));
      } else {
        std::array<Action, kMaxPlayers> bids;
        for (int p = 0; p < config->players; ++p) bids[static_cast<std::size_t>(p)] = draw_card(hands[p], rng);
        apply_joint({bids.data(), static_cast<std::size_t>(config->players)});
      }
    }
    return length;
  }
  static int draw_card(Bits cards, Rng& rng) {
    return nth(cards, static_cast<int>(rng.below(static_cast<std::uint32_t>(count(cards)))));
  }

  std::uint64_t hash() const {
    std::uint64_t h = mix(prizes, static_cast<std::uint64_t>(prize));
    for (int p = 0; p < config->players; ++p)
      h = mix(h, std::uint64_t{hands[p]} << 16 | static_cast<std::uint16_t>(points[p]));
    return h;
  }
  std::string action_name(Action action) const { return std::to_string(action + 1); }
  std::string draw() const {
    std::string out = over         ? "the match is over\n"
                      : prize == 0 ? "the next prize is turned up\n"
                                   : "prize " + std::to_string(prize) + '\n';
    for (int p = 0; p < config->players; ++p) {
      out += "player " + std::to_string(p) + ": " + std::to_string(points[p]) + " points, hand";
      for (Bits cards = hands[p]; cards;) out += ' ' + std::to_string(pop(cards) + 1);
      out += '\n';
    }
    return out;
  }
};

}  // namespace

GameEntry goofspiel() {
  return entry<Goofspiel>("goofspiel", "Bid your cards for prizes, all players at once.");
}

}  // namespace treewise::games
