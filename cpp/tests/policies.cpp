// A game may draw from its playout policy without listing the candidates (`policy_action`). Both ways must give the
// same actions equally often: here roughly, for the whole catalogue; tests/games/test_policy_draws.py looks closely at
// six games.
#include <cmath>
#include <cstdio>
#include <map>

#include "games/catalogue.h"
#include "tests/tests.h"

namespace treewise {

namespace {

constexpr double kDeviations = 6;

using Given = std::map<std::string, ParameterValue>;

// Two samples of the same size agree on an action if its two counts could be of one Poisson distribution; rare actions
// are taken together.
bool draws_agree(const State& state, int draws, Rng& rng) {
  const auto& policy = dynamic_cast<const HasPolicy&>(state);
  ActionList list;
  std::map<Action, std::pair<double, double>> counts;
  for (int i = 0; i < draws; ++i) {
    policy.playout_candidates(rng, list);
    ++counts[list[rng.below(static_cast<std::uint32_t>(list.size()))]].first;
    ++counts[policy.policy_action(rng, list)].second;
  }
  const auto equal = [](double a, double b) { return std::abs(a - b) <= kDeviations * std::sqrt(a + b + 1); };
  double rare[2] = {0, 0};
  bool ok = true;
  for (const auto& [action, pair] : counts) {
    ok &= equal(pair.first, pair.second);
    if (pair.first + pair.second >= 20) continue;
    rare[0] += pair.first;
    rare[1] += pair.second;
  }
  return ok && equal(rare[0], rare[1]);
}

bool test_game(const std::string& name, const Given& parameters, int draws) {
  const auto game = make_game(name, parameters);
  if (!game->info().has(Capability::kPolicy)) return true;
  Rng rng(5);
  ActionList list;
  for (int match = 0; match < 3; ++match) {
    const auto state = game->initial_state();
    while (!state->is_terminal()) {
      if (rng.below(8) == 0 && !draws_agree(*state, draws, rng)) {
        std::fprintf(stderr, "%s: policy_action does not draw as playout_candidates lists:\n%s\n", name.c_str(),
                     state->draw().c_str());
        return false;
      }
      state->apply(dynamic_cast<const HasPolicy&>(*state).policy_action(rng, list));
    }
  }
  return true;
}

}  // namespace

bool test_policies(int draws) {
  bool ok = true;
  for (const GameEntry& entry : game_catalogue()) ok &= test_game(entry.name, {}, draws);
  ok &= test_game("pentalath", {{"swap", true}}, draws);
  ok &= test_game("cannon", {{"mate_rule", true}}, draws);
  return ok & test_game("amazons", {{"plies", std::int64_t{3}}}, draws);
}

}  // namespace treewise
