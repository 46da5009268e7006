// Goofspiel (Merrill Flood, 1930s): all players bid one card of their hand at once for the prize on the
// table. Cards are numbered from 1; an action, or a chance outcome, is the card less one. The last round
// leaves no choice and is played together with the one before it.
#include <algorithm>

#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

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
      prize = 0;
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
    std::string out = over         ? "the match is over"
                      : prize == 0 ? "to come"
                                   : "prize " + std::to_string(prize) + ", to come";
    out += names(prizes) + '\n';
    for (int p = 0; p < config->players; ++p) {
      out +=
          "player " + std::to_string(p) + ": " + std::to_string(points[p]) + " points, hand" + names(hands[p]) + '\n';
    }
    return out;
  }
  static std::string names(Bits cards) {
    std::string out;
    while (cards) out += ' ' + std::to_string(pop(cards) + 1);
    return out;
  }

  // "3: 1 2/0: 1 2 4/4: 1 2 3": the prize on the table (0: chance turns one up) and those to come, then each player's
  // points and hand.
  static Goofspiel parse(const Config& config, std::string_view text, int player) {
    if (player != 0) throw std::invalid_argument("player to move: all bid at once; leave the player at 0");
    const auto rows = split(text, '/');
    if (static_cast<int>(rows.size()) != config.players + 1)
      throw std::invalid_argument("board: " + std::to_string(rows.size()) + " rows given, " +
                                  std::to_string(config.players + 1) + " expected: \"prize: prizes to come\", then " +
                                  "\"points: hand\" for each player, joined by '/'");
    Goofspiel state(config);
    const Pile table = parse_pile(rows[0], config.cards, config.cards, "the prize");
    state.prize = static_cast<std::int8_t>(table.number);
    state.prizes = table.cards;
    for (int p = 0; p < config.players; ++p) {
      const Pile own = parse_pile(rows[static_cast<std::size_t>(p) + 1], sum(state.all()), config.cards, "the points");
      state.points[p] = static_cast<std::int16_t>(own.number);
      state.hands[p] = own.cards;
    }
    state.check_prizes();
    state.check_players();
    state.over = state.rounds() == 0;
    return state;
  }

  struct Pile {
    int number;
    std::uint32_t cards;
  };
  static Pile parse_pile(std::string_view row, int most, int cards, const std::string& what) {
    const auto parts = split(row, ':');
    const auto number = parse_numbers(parts[0], 0, most, what);
    if (parts.size() != 2 || number.size() != 1)
      throw std::invalid_argument("board: a row has " + what + ", ':' and a list of cards");
    Pile pile{number[0], 0};
    for (const int card : parse_numbers(parts[1], 1, cards, "a card")) {
      if (pile.cards >> (card - 1) & 1u)
        throw std::invalid_argument("board: card " + std::to_string(card) + " is there twice in one row");
      pile.cards |= 1u << (card - 1);
    }
    return pile;
  }

  std::uint32_t all() const { return ~0u >> (32 - config->cards); }
  std::uint32_t on_table() const { return prize ? 1u << (prize - 1) : 0; }
  int rounds() const { return count(prizes | on_table()); }
  static int sum(Bits cards) {
    int total = 0;
    while (cards) total += pop(cards) + 1;
    return total;
  }
  void check_prizes() const {
    if (prizes & on_table()) throw std::invalid_argument("board: the prize on the table is not still to come");
    if (rounds() == 1)
      throw std::invalid_argument("board: the last round plays itself; leave at least two prizes, or none");
    if (rounds() == 0 || config->order == Order::kRandom) return;
    const std::uint32_t left = prizes | on_table();
    const int next = (config->order == Order::kDescending ? std::bit_width(left) - 1 : lowest(left)) + 1;
    if (prize != next)
      throw std::invalid_argument("board: the prize on the table must be " + std::to_string(next) +
                                  ", the next one in the order of the prizes");
  }
  void check_players() const {
    int given = 0;
    for (int p = 0; p < config->players; ++p) {
      given += points[p];
      if (count(hands[p]) != rounds())
        throw std::invalid_argument("board: player " + std::to_string(p) + " has " + std::to_string(count(hands[p])) +
                                    " cards, but " + std::to_string(rounds()) + " prizes are left");
    }
    if (given > sum(all() & ~(prizes | on_table())))
      throw std::invalid_argument("board: the players have more points than the prizes that are gone");
  }
};

}  // namespace

GameEntry goofspiel() {
  return entry<Goofspiel>("goofspiel", "Bid your cards for prizes, all players at once.");
}

}  // namespace treewise::games
