// Unrecorded uniform playouts that a game plays in its own way, which Python does not reach: their returns
// and lengths must be spread like those of recorded ones, which go step by step through the rules. (Hex,
// whose lengths differ on purpose, has a file of its own.)
#include <cmath>
#include <cstdio>

#include "games/catalogue.h"

namespace treewise {

namespace {

struct Sample {
  double sum = 0, squares = 0, number = 0;
  void add(double x) {
    sum += x;
    squares += x * x;
    ++number;
  }
  double mean() const { return sum / number; }
  double error() const { return (squares / number - mean() * mean()) / number; }  // squared, of the mean
};

bool alike(const Sample& a, const Sample& b) {
  return std::abs(a.mean() - b.mean()) <= 5 * std::sqrt(a.error() + b.error()) + 1e-9;
}

// From states some steps into a match, so that both players come to be first.
bool test_game(const char* name, const std::map<std::string, ParameterValue>& parameters) {
  const auto game = make_game(name, parameters);
  Rng rng(11);
  for (int steps = 0; steps < 12; steps += 3) {
    const auto start = game->initial_state();
    Trace trace;
    start->playout(rng, steps, &trace);
    if (start->is_terminal()) continue;
    const auto state = start->clone();
    Sample returns[2], lengths[2];
    for (int i = 0; i < 40000; ++i) {
      trace.clear();
      state->assign(*start);
      lengths[i % 2].add(state->playout(rng, game->info().max_length, i % 2 ? &trace : nullptr));
      Values values{};
      state->returns(values);
      returns[i % 2].add(values[0]);
      if (state->is_terminal()) continue;
      std::fprintf(stderr, "%s: a playout did not end the match\n", name);
      return false;
    }
    if (alike(returns[0], returns[1]) && alike(lengths[0], lengths[1])) continue;
    std::fprintf(stderr, "%s after %d steps: mean return %g and length %g, recorded %g and %g\n", name, steps,
                 returns[0].mean(), lengths[0].mean(), returns[1].mean(), lengths[1].mean());
    return false;
  }
  return true;
}

}  // namespace

bool test_fast_playouts() {
  bool good = test_game("connect_four", {});
  good = test_game("connect_four",
                   {{"rows", std::int64_t{4}}, {"columns", std::int64_t{5}}, {"line", std::int64_t{3}}}) &&
         good;
  good = test_game("gomoku", {}) && good;
  good = test_game("gomoku", {{"size", std::int64_t{6}}, {"line", std::int64_t{4}}, {"exact", true}}) && good;
  good = test_game("knightthrough", {}) && good;
  good = test_game("knightthrough", {{"rows", std::int64_t{6}}, {"columns", std::int64_t{5}}}) && good;
  return good;
}

}  // namespace treewise
