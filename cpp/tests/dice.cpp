// A game that draws within its steps, for the sanitizers: who moves, what may be done and what it gives depend on the
// dice, and its states hold memory of their own.
#include "game/rules.h"
#include "tests/tests.h"

namespace treewise {

namespace {

struct Dice {
  struct Config {
    explicit Config(const Parameters&) {}
    GameInfo info() const {
      return {.name = "dice",
              .num_players = 2,
              .min_utility = 0,
              .max_utility = 200,
              .num_action_ids = 6,
              .max_length = 50};
    }
  };
  static std::vector<Parameter> parameters() { return {}; }

  explicit Dice(const Config&) { draw(); }

  int current_player() const { return is_terminal() ? kTerminal : player; }
  bool is_terminal() const { return steps == 40; }
  void legal_actions(ActionList& out) const {
    for (int a = 0; a < choices; ++a) out.push_back((a + first) % 6);
  }
  void apply(Action action) {
    last = action;
    points[static_cast<std::size_t>(player)] += action;
    mover = player;
    ++steps;
    draw();
  }
  void returns(Values& out) const {
    for (std::size_t p = 0; p < 2; ++p) out[p] = points[p];
  }
  void rewards(Values& out) const {
    out = {};
    out[static_cast<std::size_t>(mover)] = last;
  }
  void reseed(std::uint64_t seed) { rng = Rng(seed); }
  std::size_t heap_bytes() const { return points.size() * sizeof(double); }
  std::string action_name(Action action) const { return std::to_string(action); }
  std::string draw() const { return std::to_string(steps); }

  // Mostly all is as usual, so that trees grow deep.
  void draw() {
    player = rng.below(8) == 0 ? 0 : 1 - player;
    choices = rng.below(4) == 0 ? 2 : 3;
    first = rng.below(8) == 0 ? 3 : 0;
  }

  int player = 1, mover = 0, choices = 3, first = 0, steps = 0, last = 0;
  std::vector<double> points = {0, 0};
  Rng rng{0};
};

}  // namespace

std::shared_ptr<const Game> dice_game() {
  return std::make_shared<GameOf<Dice>>(Parameters());
}

}  // namespace treewise
