// A short search of every game with every kind of part: for the sanitizers, which see more than the results do.
#include <cstdio>

#include "games/catalogue.h"
#include "search/search.h"
#include "tests/tests.h"

namespace treewise {

namespace {

using Values_ = std::map<std::string, PartValue>;

PartPointer part(std::string name, Values_ values = {}) {
  auto spec = std::make_shared<PartSpec>();
  spec->name = std::move(name);
  spec->values = std::move(values);
  return spec;
}
PartValue whole(std::int64_t x) {
  return x;
}

PartPointer ucb1(const char* bounds, double epsilon = 0) {
  return part("ucb1", {{"c", 1.0}, {"bounds", std::string(bounds)}, {"epsilon", epsilon}, {"offset", 0.0}});
}
PartPointer discounted(const char* given) {
  return part("discounted", {{"gamma", 0.9}, {"alone", std::monostate()}, {"given", std::string(given)}});
}
PartPointer uniform() {
  return part("uniform");
}
PartPointer mast(PartPointer inner) {
  return part("mast", {{"epsilon", 0.4},
                       {"mode", std::string("greedy")},
                       {"temperature", 1.0},
                       {"unseen", 1.0},
                       {"decay", 0.2},
                       {"tree_only", false},
                       {"inner", std::move(inner)}});
}
PartPointer ngram(const char* mode = "greedy") {
  return part("ngram", {{"length", whole(3)},
                        {"min_visits", 7.0},
                        {"epsilon", 0.4},
                        {"mode", std::string(mode)},
                        {"temperature", 0.1},
                        {"unseen", 1.0},
                        {"decay", 0.2},
                        {"inner", uniform()}});
}
PartPointer last_good_reply() {
  return part("last_good_reply", {{"length", whole(2)}, {"forgetting", true}, {"inner", uniform()}});
}
PartPointer decisive(PartPointer inner) {
  return part("decisive", {{"anti", true}, {"inner", std::move(inner)}});
}
PartPointer sarsa(const char* psi, PartPointer inner) {
  return part("true_online_sarsa", {{"alpha", 0.05},
                                    {"lam", 0.5},
                                    {"gamma", 0.99},
                                    {"epsilon", 0.2},
                                    {"psi", std::string(psi)},
                                    {"initial", 1.0},
                                    {"q_old", std::string("zero")},
                                    {"ends", std::string("features")},
                                    {"discover", whole(10)},
                                    {"fresh", true},
                                    {"inner", std::move(inner)},
                                    {"floors", false},
                                    {"restart", false},
                                    {"snapshot", std::string("values")},
                                    {"keep", true},
                                    {"discovers", std::string("kinds")},
                                    {"fixed", std::string("not_together")},
                                    {"hidden", false}});
}
PartPointer foraging(PartPointer inner) {
  return part("foraging", {{"gamma", 0.97},
                           {"curiosity", 1.0},
                           {"doubt", 5.0},
                           {"epsilon", 0.5},
                           {"danger", whole(10)},
                           {"end", 10.0},
                           {"tedium", 0.01},
                           {"fading", 0.99},
                           {"inner", std::move(inner)}});
}
std::vector<PartPointer> clipped() {
  return {part("clipped_result", {{"size", 20.0}, {"fading", 0.85}})};
}
PartPointer parallel_part(const std::string& kind) {
  return part(kind, {{"threads", whole(3)}, {"virtual_loss", whole(2)}});
}

// Both of them, and the combination.
std::vector<PartPointer> bonuses(const GameInfo& info) {
  std::vector<PartPointer> parts = {
      part("relative_result"), part("relative_bonus", {{"k", 2.0}, {"a", std::string("online")}, {"warm_up", 0.05}})};
  if (!info.has(Capability::kQuality)) return parts;
  parts.push_back(part("quality_bonus", {{"k", 2.0}, {"a", 0.25}, {"warm_up", 0.05}, {"clip", true}}));
  parts.push_back(part("combined_bonus", {{"k_length", 2.0}, {"k_quality", 2.0}, {"warm_up", 0.05}, {"clip", false}}));
  parts.push_back(part("quality_only", {{"clip", true}}));
  return parts;
}

// The whole record of a search; `changes` replace single entries.
PartSpec search_spec(std::int64_t simulations, Values_ changes) {
  PartSpec spec;
  spec.name = "mcts";
  spec.values = {{"selection", ucb1("game")},
                 {"first_play", part("infinite")},
                 {"expansion", part("all", {{"after", whole(1)}})},
                 {"playout", uniform()},
                 {"evaluator", std::monostate()},
                 {"bonus", std::vector<PartPointer>()},
                 {"backup", part("mean")},
                 {"proof", std::monostate()},
                 {"decision", part("robust", {{"ties", std::string("value")}})},
                 {"limit", part("simulations", {{"count", whole(simulations)}})},
                 {"parallel", part("one")},
                 {"information", std::monostate()},
                 {"loop", part("open")},
                 {"horizon", std::monostate()},
                 {"memory_mb", 8.0},
                 {"max_length", whole(60)},
                 {"cut_value", std::monostate()}};
  for (auto& [key, value] : changes) spec.values[key] = value;
  return spec;
}

void pass_chance(State& state, Rng& rng, Search* search) {
  ActionList outcomes;
  while (state.current_player() == kChance) {
    state.legal_actions(outcomes);
    const Action outcome = outcomes[rng.below(static_cast<std::uint32_t>(outcomes.size()))];
    state.apply(outcome);
    if (search) search->advance({&outcome, 1});
  }
}

// Plays what the search has chosen.
void go_on(State& state, Search& search, const Report& report, Rng& rng) {
  std::vector<Action> actions;
  for (const std::size_t i : report.chosen) actions.push_back(report.children[i].action);
  if (auto* rules = dynamic_cast<HasSimultaneous*>(&state); rules && state.current_player() == kSimultaneous) {
    rules->apply_joint(actions);
  } else {
    state.apply(actions[0]);
  }
  search.advance(actions);
  pass_chance(state, rng, &search);
}

bool runs(const std::shared_ptr<const Game>& game, const char* what, std::int64_t simulations, Values_ changes) {
  try {
    if (game->info().has(Capability::kHidden)) changes["information"] = part("determinization", {{"worlds", whole(3)}});
    Search search(game, search_spec(simulations, changes));
    const auto state = game->initial_state();
    Rng rng(5);
    pass_chance(*state, rng, nullptr);
    for (int run = 0; run < 3 && !state->is_terminal(); ++run) {  // the later ones on what the first left
      search.run(*state, 7, {});
      const Report report = search.report(7);
      const bool settled = report.proven.has_value() || report.stopped == "proven";
      if (report.simulations != simulations && !settled) {
        std::fprintf(stderr, "%s, %s: %lld simulations\n", game->info().name.c_str(), what,
                     static_cast<long long>(report.simulations));
        return false;
      }
      if (run > 0) go_on(*state, search, report, rng);
    }
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s, %s: %s\n", game->info().name.c_str(), what, error.what());
    return false;
  }
}

bool may_prove(const GameInfo& info) {
  return !info.has(Capability::kHidden) && !info.has(Capability::kDice);
}

bool serial_searches(const std::shared_ptr<const Game>& game) {
  const GameInfo& info = game->info();
  bool ok = runs(game, "uct", 300, {});
  ok &= runs(game, "ucb1-tuned, mast", 120,
             {{"selection", part("ucb1_tuned", {{"c", 1.0}})}, {"playout", mast(uniform())}});
  ok &= runs(game, "puct, n-grams", 120,
             {{"selection", part("puct", {{"c", 1.25}, {"base", 19652.0}})},
              {"first_play", part("parent", {{"reduction", 0.1}})},
              {"playout", ngram()}});
  ok &= runs(game, "unexplored actions, n-grams by chance", 120,
             {{"first_play", part("unexplored", {{"c", 0.4}, {"average", 0.5}})}, {"playout", ngram("gibbs")}});
  ok &= runs(game, "one child at a time, replies", 120, {{"expansion", part("one")}, {"playout", last_good_reply()}});
  for (const char* given : {"discounted", "whole"}) ok &= runs(game, given, 120, {{"backup", discounted(given)}});
  for (const char* bounds : {"none", "node", "tree", "global"})
    ok &= runs(game, bounds, 120, {{"selection", ucb1(bounds, 1e-6)}, {"horizon", whole(10)}});
  if (!info.has(Capability::kSimultaneous)) {
    ok &= runs(game, "closed loop", 200, {{"loop", part("closed")}});
    ok &= runs(game, "closed loop, small memory", 200, {{"loop", part("closed")}, {"memory_mb", 0.15}});
    ok &= runs(game, "sample controller", 100,
               {{"loop", part("closed")},
                {"selection", ucb1("node", 1e-6)},
                {"decision", part("robust", {{"ties", std::string("noise")}})},
                {"horizon", whole(10)}});
  }
  ok &= runs(game, "evaluator", 60, {{"evaluator", part("playouts", {{"count", whole(1)}, {"seed", whole(0)}})}});
  ok &= runs(game, "memory at its cap", 400, {{"memory_mb", 0.15}});
  if (!info.has(Capability::kSimultaneous)) ok &= runs(game, "decisive", 20, {{"playout", decisive(uniform())}});
  if (may_prove(info)) ok &= runs(game, "solver", 300, {{"proof", part("solver", {{"one_ply", true}})}});
  if (info.num_players > 1) ok &= runs(game, "bonuses", 200, {{"bonus", bonuses(info)}});
  if (info.has(Capability::kPolicy)) ok &= runs(game, "policy", 60, {{"playout", mast(part("game_policy"))}});
  if (info.has(Capability::kFeatures)) {
    ok &= runs(game, "after-states", 100, {{"playout", sarsa("after_states", uniform())}});
    ok &= runs(game, "action blocks", 100, {{"playout", sarsa("action_blocks", decisive(uniform()))}});
  }
  if (info.has(Capability::kScene)) {
    ok &= runs(
        game, "foraging", 300,
        {{"playout", foraging(uniform())}, {"bonus", clipped()}, {"selection", ucb1("node")}, {"horizon", whole(10)}});
    ok &=
        runs(game, "foraging, discounted", 100,
             {{"playout", foraging(mast(uniform()))}, {"backup", discounted("discounted")}, {"loop", part("closed")}});
  }
  return ok;
}

bool parallel_searches(const std::shared_ptr<const Game>& game) {
  bool ok = true;
  for (const char* kind : {"root", "tree"}) {
    ok &= runs(game, kind, 600, {{"parallel", parallel_part(kind)}});
    ok &= runs(game, kind, 150, {{"parallel", parallel_part(kind)}, {"playout", mast(uniform())}});
    if (may_prove(game->info()))
      ok &= runs(game, kind, 300, {{"parallel", parallel_part(kind)}, {"proof", part("solver", {{"one_ply", true}})}});
  }
  for (const char* kind : {"root", "tree", "leaf"}) {
    if (game->info().num_players > 1)
      ok &= runs(game, "bonuses", 300, {{"parallel", parallel_part(kind)}, {"bonus", bonuses(game->info())}});
    if (game->info().has(Capability::kFeatures))
      ok &= runs(game, "Sarsa", 90, {{"parallel", parallel_part(kind)}, {"playout", sarsa("after_states", uniform())}});
    if (game->info().has(Capability::kScene))
      ok &= runs(game, "foraging", 90, {{"parallel", parallel_part(kind)}, {"playout", foraging(uniform())}});
  }
  for (const char* bounds : {"node", "tree", "global"})
    ok &= runs(game, bounds, 300, {{"parallel", parallel_part("tree")}, {"selection", ucb1(bounds)}});
  if (!game->info().has(Capability::kSimultaneous))
    ok &= runs(game, "root, closed loop", 300, {{"parallel", parallel_part("root")}, {"loop", part("closed")}});
  ok &= runs(game, "tree, small memory", 300, {{"parallel", parallel_part("tree")}, {"memory_mb", 0.15}});
  ok &= runs(game, "leaf", 300, {{"parallel", parallel_part("leaf")}, {"playout", mast(uniform())}});
  return ok;
}

}  // namespace

bool test_searches(bool parallel) {
  std::vector<std::shared_ptr<const Game>> games = gdl_games();
  for (auto& game : vgdl_games()) games.push_back(std::move(game));
  for (const GameEntry& entry : game_catalogue()) games.push_back(make_game(entry.name, {}));
  games.push_back(dice_game());
  bool ok = true;
  for (const auto& game : games) ok &= parallel ? parallel_searches(game) : serial_searches(game);
  return ok;
}

}  // namespace treewise
