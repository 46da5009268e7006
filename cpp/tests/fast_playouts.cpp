// Playouts that nobody traces may take another path through the rules (`fast_playout`), which Python cannot
// reach. In distribution they must be the traced ones: same mean length, same mean returns.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "games/catalogue.h"

namespace treewise {
namespace {

constexpr int kPlayouts = 2000;
constexpr double kDeviations = 5;

struct Sample {
  double sum = 0, squares = 0;
  void add(double x) {
    sum += x;
    squares += x * x;
  }
  double mean() const { return sum / kPlayouts; }
  double variance_of_mean() const { return std::max(0.0, squares / kPlayouts - mean() * mean()) / kPlayouts; }
};

bool agree(const Sample& a, const Sample& b) {
  const double error = std::sqrt(a.variance_of_mean() + b.variance_of_mean());
  return std::abs(a.mean() - b.mean()) <= kDeviations * error + 1e-9;
}

bool check(const Game& game) {
  const GameInfo& info = game.info();
  const auto start = game.initial_state();
  const auto state = start->clone();
  Sample samples[2][1 + kMaxPlayers];
  bool ok = true;
  Trace trace;
  for (const int traced : {0, 1}) {
    Rng rng(derive_seed(7, static_cast<std::uint64_t>(traced)));
    for (int i = 0; i < kPlayouts; ++i) {
      state->assign(*start);
      trace.clear();
      const int length = state->playout(rng, info.max_length, traced ? &trace : nullptr);
      Values values{};
      state->returns(values);
      samples[traced][0].add(length);
      for (int p = 0; p < info.num_players; ++p)
        samples[traced][1 + p].add(values[static_cast<std::size_t>(p)]);
      ok &= state->is_terminal() || length == info.max_length;
    }
  }
  for (int k = 0; k <= info.num_players; ++k) ok &= agree(samples[0][k], samples[1][k]);
  std::printf("%-24s %s  length %.2f and %.2f traced\n", info.name.c_str(), ok ? "ok    " : "DIFFER",
              samples[0][0].mean(), samples[1][0].mean());
  return ok;
}

}  // namespace
}  // namespace treewise

int main() {
  bool ok = true;
  for (const auto& entry : treewise::game_catalogue())
    ok &= treewise::check(*treewise::make_game(entry.name, {}));
  return ok ? 0 : 1;
}
