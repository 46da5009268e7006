// Playouts that nobody traces may take another path through the rules (`fast_playout`), which Python cannot reach. In
// distribution they must be the traced ones: same mean length, same mean returns. Every game of the catalogue is held
// to it. (Hex, whose untraced lengths differ on purpose, has a file of its own.)
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "games/catalogue.h"
#include "tests/tests.h"

namespace treewise {

namespace {

constexpr double kDeviations = 5;

struct Sample {
  double sum = 0, squares = 0, number = 0;
  void add(double x) {
    sum += x;
    squares += x * x;
    ++number;
  }
  double mean() const { return sum / number; }
  double variance_of_mean() const { return std::max(0.0, squares / number - mean() * mean()) / number; }
};

bool agree(const Sample& a, const Sample& b) {
  const double error = std::sqrt(a.variance_of_mean() + b.variance_of_mean());
  return std::abs(a.mean() - b.mean()) <= kDeviations * error + 1e-9;
}

// From a state some steps into a match, so that every player comes to be first.
bool agrees_from(const Game& game, int steps, int playouts) {
  const GameInfo& info = game.info();
  Rng rng(derive_seed(7, static_cast<std::uint64_t>(steps)));
  const auto start = game.initial_state();
  Trace trace;
  start->playout(rng, steps, &trace);
  const auto state = start->clone();
  Sample lengths[2], returns[2][kMaxPlayers];
  for (int i = 0; i < 2 * playouts; ++i) {
    const int traced = i % 2;
    state->assign(*start);
    trace.clear();
    const int length = state->playout(rng, info.max_length, traced ? &trace : nullptr);
    if (!state->is_terminal() && length != info.max_length) return false;
    Values values{};
    state->returns(values);
    lengths[traced].add(length);
    for (std::size_t p = 0; p < static_cast<std::size_t>(info.num_players); ++p) returns[traced][p].add(values[p]);
  }
  bool ok = info.name == "hex" || agree(lengths[0], lengths[1]);
  for (int p = 0; p < info.num_players; ++p) ok &= agree(returns[0][p], returns[1][p]);
  if (!ok) {
    std::fprintf(stderr, "%s after %d steps: length %g and return %g, traced %g and %g\n", info.name.c_str(), steps,
                 lengths[0].mean(), returns[0][0].mean(), lengths[1].mean(), returns[1][0].mean());
  }
  return ok;
}

}  // namespace

bool test_fast_playouts(int playouts) {
  using Given = std::map<std::string, ParameterValue>;
  const auto whole = [](int x) { return ParameterValue(std::int64_t{x}); };
  std::vector<std::pair<std::string, Given>> games;
  for (const GameEntry& entry : game_catalogue()) games.emplace_back(entry.name, Given{});
  games.push_back({"breakthrough", {{"rows", whole(6)}, {"columns", whole(5)}}});
  games.push_back({"breakthrough", {{"rows", whole(5)}, {"columns", whole(12)}}});
  games.push_back({"connect_four", {{"rows", whole(4)}, {"columns", whole(5)}, {"line", whole(3)}}});
  games.push_back({"gomoku", {{"size", whole(6)}, {"line", whole(4)}, {"exact", true}}});
  games.push_back({"knightthrough", {{"rows", whole(6)}, {"columns", whole(5)}}});
  games.push_back({"amazons", {{"size", whole(8)}, {"plies", whole(3)}}});
  games.push_back({"pentalath", {{"swap", true}}});
  bool ok = true;
  for (const auto& [name, parameters] : games) {
    const auto game = make_game(name, parameters);
    for (const int steps : {0, 3, 7}) ok &= agrees_from(*game, steps, playouts);
  }
  return ok;
}

}  // namespace treewise
