// Parts on their own, without a search: what the unit tests of formulas and the notebooks of the curious use.
#include <cmath>
#include <ctime>

#include "bind/arrays.h"
#include "bind/claim.h"
#include "bind/python_parts.h"
#include "search/bonus/bonus.h"
#include "search/decision/decision.h"
#include "search/limit/limit.h"
#include "search/playout/linear_sarsa.h"
#include "search/playout/playout.h"
#include "search/selection/selection.h"

namespace treewise {

namespace {

// The scores that a rule gives, and the child that it takes where nothing else has a say.
std::pair<std::vector<double>, std::uint32_t> score(nb::tuple part, std::vector<std::int32_t> visits,
                                                    std::vector<double> values, double parent_visits, double first_play,
                                                    std::vector<double> squares, std::vector<float> priors,
                                                    const std::vector<double>& utilities,
                                                    const std::vector<double>& seen, std::uint64_t seed) {
  const std::size_t size = visits.size();
  if (utilities.size() != 2 || seen.size() != 2) throw std::invalid_argument("bounds are two numbers");
  const auto rule = make_selection(*to_spec(part, nullptr, nullptr));
  if (values.size() != size || (rule->needs().squares && squares.size() != size) ||
      (rule->needs().prior && priors.size() != size))
    throw std::invalid_argument("one value (square, prior) is needed for each child");
  std::vector<float> inverse_roots;
  for (const std::int32_t n : visits) inverse_roots.push_back(inverse_root(n));
  const std::size_t padded = size + kBlock;
  visits.resize(padded);
  values.resize(padded);
  squares.resize(padded);
  priors.resize(padded);
  inverse_roots.resize(padded);
  Rng rng(seed);
  const Scale scale{utilities[0], utilities[1] - utilities[0]};
  const Outlook outlook{scale, {scale.to_unit(seen[0]), scale.to_unit(seen[1])}, false, &rng};
  const Children children{.visits = {visits.data(), size},
                          .values = {values.data(), size},
                          .priors = {priors.data(), size},
                          .squares = {squares.data(), size},
                          .inverse_roots = {inverse_roots.data(), size},
                          .parent_visits = std::max(parent_visits, 1.0),
                          .first_play = first_play,
                          .outlook = &outlook};
  std::vector<double> scores(size), buffer;
  rule->score(children, scores);
  return {scores, size == 0 ? 0 : rule->best(children, buffer)};
}

// Children as (visits, value on the scale [0, 1], proven or None).
std::size_t decide_among(nb::tuple part,
                         const std::vector<std::tuple<std::int64_t, double, std::optional<double>>>& given,
                         std::uint64_t seed) {
  if (given.empty()) throw std::invalid_argument("no children to decide among");
  std::vector<RootChild> children;
  for (const auto& [visits, value, proven] : given) {
    RootChild child;
    child.visits = visits;
    child.value = child.utility = proven.value_or(value);
    child.exact = proven;
    children.push_back(child);
  }
  Rng rng(seed);
  return decide(*make_decision(*to_spec(part, nullptr, nullptr)), children, rng);
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class PlayoutProbe {
 public:
  using Steps = std::vector<std::pair<int, Action>>;

  PlayoutProbe(std::shared_ptr<const Game> game, nb::tuple part)
      : game_(game), playout_(make_playout(*to_spec(part, game, &references_), game->info())) {}

  void learn(const Steps& steps, const std::vector<double>& outcome, int tree_steps, bool at_once) {
    if (static_cast<int>(outcome.size()) != game_->info().num_players)
      throw std::invalid_argument("one outcome is needed for each player");
    if (tree_steps < 0 || tree_steps > static_cast<int>(steps.size()))
      throw std::invalid_argument("tree_steps must be between 0 and the number of steps");
    const Trace trace = to_trace(steps, at_once);
    const Claim claimed = claim();
    Record record;
    record.trace = &trace;
    record.tree_steps = tree_steps;
    record.length = static_cast<int>(trace.size());
    record.finished = true;
    record.num_players = game_->info().num_players;
    std::copy(outcome.begin(), outcome.end(), record.outcome.begin());
    record.values = record.outcome;
    playout_->learn(record);
  }

  // `player` is the one to move where several are.
  template <class Question>
  auto ask(const StateHandle& h, const Steps& steps, std::uint64_t seed, int player, Question question) {
    if (h.game != game_) throw std::invalid_argument("the state belongs to another game object");
    const int mover = h.state->current_player();
    const bool at_once = mover == kSimultaneous && player >= 0 && player < game_->info().num_players;
    if (h.state->is_terminal() || (mover < 0 && !at_once)) throw std::invalid_argument("no single player is to move");
    const auto state = h.state->clone();
    const Claim claimed = claim();
    Rng rng(seed);
    ActionList actions;
    const Trace trace = to_trace(steps, at_once);
    const auto* rules = at_once ? dynamic_cast<const HasSimultaneous*>(state.get()) : nullptr;
    Turn turn{*state, at_once ? player : mover, actions, trace, rng, rules};
    return question(turn);
  }
  std::pair<Action, std::vector<Action>> choose(const StateHandle& h, const Steps& steps, std::uint64_t seed,
                                                int player) {
    return ask(h, steps, seed, player, [&](Turn& turn) {
      playout_->list(turn);
      const Action chosen = playout_->pick(turn);
      return std::pair(chosen, std::vector<Action>(turn.actions.begin(), turn.actions.end()));
    });
  }
  Action draw(const StateHandle& h, const Steps& steps, std::uint64_t seed, int player) {
    return ask(h, steps, seed, player, [&](Turn& turn) { return playout_->choose(turn); });
  }

  void decay() {
    const Claim claimed = claim();
    playout_->decay();
  }

  void start(const StateHandle& h, std::uint64_t seed) {
    require_own(h);
    const auto root = h.state->clone();
    const Claim claimed = claim();
    playout_->start(*root, seed);
    started_ = true;
  }
  void begin() {
    const Claim claimed = claim();
    if (started_) playout_->begin();
  }
  void follow(const StateHandle& h, Action action, int player) {
    require_own(h);
    const auto after = h.state->clone();
    const Claim claimed = claim();
    if (started_) playout_->follow(*after, action, player);
  }
  std::tuple<std::vector<double>, int, bool> play(const StateHandle& h, std::uint64_t seed, int max_length,
                                                  double discount) {
    require_own(h);
    const auto state = h.state->clone();
    const Claim claimed = claim();
    Rng rng(seed);
    if (discount > 0) playout_->discount_rewards(discount);
    const PlayoutResult result = playout_->play(*state, rng, nullptr, max_length, Values{});
    const auto players = static_cast<std::size_t>(game_->info().num_players);
    return {{result.utilities.begin(), result.utilities.begin() + players}, result.length, result.finished};
  }
  // A search from this state would begin all its simulations with such playouts.
  std::pair<double, std::int64_t> time(const StateHandle& h, std::int64_t count, std::uint64_t seed, int max_length) {
    start(h, seed);
    const auto root = h.state->clone(), state = h.state->clone();
    const Claim claimed = claim();
    auto* dice = game_->info().has(Capability::kDice) ? dynamic_cast<HasDice*>(state.get()) : nullptr;
    Rng rng(seed);
    std::int64_t steps = 0;
    const double begun = thread_seconds();
    for (std::int64_t i = 0; i < count; ++i) {
      state->assign(*root);
      if (dice) dice->reseed(rng.next());
      playout_->begin();
      steps += playout_->play(*state, rng, nullptr, max_length, Values{}).length;
    }
    return {thread_seconds() - begun, steps};
  }
  std::vector<double> weights() {
    const Claim claimed = claim();
    return playout_->weights();
  }

  int traverse(visitproc visit, void* arg) const { return references_.traverse(visit, arg); }
  void clear() { references_.clear(); }

 private:
  // A part written in Python may come back here, or let another thread.
  Claim claim() { return {taken_, "this probe is at work already"}; }

  void require_own(const StateHandle& h) const {
    if (h.game != game_) throw std::invalid_argument("the state belongs to another game object");
    if (h.state->is_terminal()) throw std::invalid_argument("the match is over");
  }

  // `at_once`: always one step of every player makes a moment.
  Trace to_trace(const Steps& steps, bool at_once) const {
    Trace trace;
    const auto players = static_cast<std::size_t>(game_->info().num_players);
    for (const auto& [player, action] : steps) {
      if (player >= game_->info().num_players) throw std::invalid_argument("no such player");
      if (action < 0 || (game_->info().num_action_ids > 0 && action >= game_->info().num_action_ids))
        throw std::invalid_argument("no such action");
      trace.push_back({action, player, at_once && trace.size() % players != 0});
    }
    return trace;
  }

  std::shared_ptr<const Game> game_;
  References references_;
  std::unique_ptr<Playout> playout_;
  bool started_ = false;
  std::atomic<bool> taken_ = false;
};

// True online Sarsa(lambda) as TD-MCTS has it, fed by hand.
class SarsaProbe {
 public:
  SarsaProbe(std::size_t features, double alpha, double lam, double gamma, double initial, std::size_t blocks,
             bool old_is_first, bool restarts)
      : learner_({alpha, lam, gamma, initial, old_is_first, restarts}, features, 1), blocks_(blocks) {
    if (features < 1 || blocks < 1 || features * blocks > 1 << 20) throw std::invalid_argument("no such size");
    learner_.reach(blocks - 1);
  }

  void begin() { learner_.begin(); }
  void begin_playout() { learner_.begin_playout(); }
  void trace(const std::vector<double>& psi, std::size_t block) { learner_.trace(features(psi, block, now_)); }
  void learn(const std::vector<double>& psi, double reward, const std::optional<std::vector<double>>& next,
             std::size_t block, std::size_t next_block) {
    const Psi from = features(psi, block, now_);
    if (!next) return learner_.learn(from, {&reward, 1}, nullptr);
    const Psi to = features(*next, next_block, then_);
    learner_.learn(from, {&reward, 1}, &to);
  }
  void take_snapshot() { learner_.take_snapshot(); }
  double value(const std::vector<double>& psi, std::size_t block) {
    return learner_.value(features(psi, block, now_), 0);
  }
  std::vector<double> weights(std::size_t block) const {
    const auto all = learner_.weights(checked(block), 0);
    return {all.begin(), all.end()};
  }
  std::vector<double> traces(std::size_t block) const {
    const auto all = learner_.traces(checked(block));
    return {all.begin(), all.end()};
  }

 private:
  std::size_t checked(std::size_t block) const {
    if (block >= blocks_) throw std::invalid_argument("no such block");
    return block;
  }
  Psi features(const std::vector<double>& psi, std::size_t block, Numbers& out) const {
    if (psi.size() != learner_.features()) throw std::invalid_argument("one number is needed for each feature");
    out.assign(psi.size(), 0);
    std::copy(psi.begin(), psi.end(), out.data());
    return {out.data(), checked(block)};
  }

  LinearSarsa learner_;
  std::size_t blocks_;
  Numbers now_, then_;
};

class BonusProbe {
 public:
  BonusProbe(nb::tuple part, int num_players) : bonus_(make_result_bonus(*to_spec(part, nullptr, &references_))) {
    if (num_players < 1 || num_players > kMaxPlayers) throw std::invalid_argument("no such number of players");
    record_.num_players = num_players;
    start(0);
  }

  void start(int player) {
    if (player < 0 || player >= record_.num_players) throw std::invalid_argument("no such player");
    const Claim claimed = claim();
    record_.before = 0;
    bonus_->start(player);
  }

  void measure(const std::vector<double>& returns, double unit) {
    if (static_cast<int>(returns.size()) != record_.num_players)
      throw std::invalid_argument("the returns of each player are needed");
    Values values{};
    std::copy(returns.begin(), returns.end(), values.begin());
    const Claim claimed = claim();
    bonus_->measure(values, unit);
  }

  std::vector<double> result(const std::vector<double>& outcome, int length, double quality, bool finished,
                             double expected) {
    const int players = record_.num_players;
    if (static_cast<int>(outcome.size()) != players)
      throw std::invalid_argument("one outcome is needed for each player");
    const Claim claimed = claim();
    std::copy(outcome.begin(), outcome.end(), record_.outcome.begin());
    record_.values = record_.base = record_.outcome;
    record_.length = length;
    record_.raw_quality = quality;
    record_.finished = finished;
    record_.winner = finished ? winner_of(record_.outcome, players) : kNobody;
    record_.expected = expected;
    bonus_->adjust(record_);
    ++record_.before;
    return {record_.values.begin(), record_.values.begin() + players};
  }

  int traverse(visitproc visit, void* arg) const { return references_.traverse(visit, arg); }
  void clear() { references_.clear(); }

 private:
  Claim claim() { return {taken_, "this probe is at work already"}; }

  References references_;
  std::shared_ptr<ResultBonus> bonus_;
  Record record_;
  std::atomic<bool> taken_ = false;
};

// None where the limit never can say.
std::optional<double> expected_simulations(nb::tuple part, std::int64_t simulations, double seconds) {
  const double expected = make_limit(*to_spec(part, nullptr, nullptr))
                              ->expected({.simulations = simulations, .seconds = seconds, .cpu_seconds = seconds});
  return std::isnan(expected) ? std::nullopt : std::optional<double>(expected);
}

// One playout, with the features after every step where they are wanted.
int play(State& state, Rng& rng, int max_length, std::vector<double>& features) {
  if (features.empty()) return state.playout(rng, max_length, nullptr);
  const auto& described = dynamic_cast<const HasFeatures&>(state);
  int length = 0;
  for (; length < max_length && !state.is_terminal(); ++length) {
    state.playout(rng, 1, nullptr);
    described.features(features);
  }
  return length;
}

std::pair<double, std::int64_t> time_playouts(const StateHandle& h, std::int64_t count, std::uint64_t seed,
                                              std::optional<int> max_length, bool features) {
  const auto root = h.state->clone(), state = h.state->clone();
  const int limit = max_length.value_or(h.game->info().max_length);
  std::vector<double> room;
  if (features) room.resize(static_cast<std::size_t>(require<HasFeatures>(h, Capability::kFeatures).num_features()));
  auto* dice = h.game->info().has(Capability::kDice) ? dynamic_cast<HasDice*>(state.get()) : nullptr;
  Rng rng(seed);
  std::int64_t steps = 0;
  const Unlocked unlocked;
  const double start = thread_seconds();
  for (std::int64_t i = 0; i < count; ++i) {
    state->assign(*root);
    if (dice) dice->reseed(rng.next());
    steps += play(*state, rng, limit, room);
  }
  return {thread_seconds() - start, steps};
}

}  // namespace

void bind_probe(nb::module_& m) {
  m.def("score", &score, nb::arg("part"), nb::arg("visits"), nb::arg("values"), nb::arg("parent_visits"),
        nb::arg("first_play"), nb::arg("squares") = std::vector<double>(), nb::arg("priors") = std::vector<float>(),
        nb::arg("utilities") = std::vector{0.0, 1.0}, nb::arg("seen") = std::vector{0.0, 1.0}, nb::arg("seed") = 0,
        "The scores that a selection rule gives to children, and which it takes. `utilities` are the game's bounds; "
        "`seen`, in utilities, is "
        "the range that values are normalised by.");
  m.def("decide", &decide_among, nb::arg("part"), nb::arg("children"), nb::arg("seed") = 0,
        "The index that a decision rule takes, of children (visits, value on [0, 1], proven or None).");
  m.def("expected_simulations", &expected_simulations, nb::arg("part"), nb::arg("simulations"), nb::arg("seconds"),
        "How many simulations a limit expects of a run that has done so many in so many seconds.");
  m.def(
      "time_playouts", &time_playouts, nb::arg("state"), nb::arg("count"), nb::arg("seed") = 0,
      nb::arg("max_length") = nb::none(), nb::arg("features") = false,
      "Runs uniform playouts: (CPU seconds of this thread, steps in all). `features`: of every state on the way, too.");
  nb::class_<BonusProbe>(m, "BonusProbe", nb::type_slots(collected<BonusProbe>()), "A bonus on results on its own.")
      .def(nb::init<nb::tuple, int>(), nb::arg("part"), nb::arg("num_players") = 2)
      .def("start", &BonusProbe::start, nb::arg("player") = 0, "A run begins, for this player.")
      .def("measure", &BonusProbe::measure, nb::arg("returns"), nb::arg("unit"),
           "The returns at the root, and one unit of utility, on [0, 1].")
      .def("result", &BonusProbe::result, nb::arg("outcome"), nb::arg("length") = 0, nb::arg("quality") = 0.0,
           nb::arg("finished") = true, nb::arg("expected") = 0.0,
           "What is backed up for a simulation: each player's result on [0, 1] before and after. `expected` is the "
           "number of simulations of the run.");
  nb::class_<PlayoutProbe>(m, "PlayoutProbe", nb::type_slots(collected<PlayoutProbe>()), "A playout policy on its own.")
      .def(nb::init<std::shared_ptr<const Game>, nb::tuple>(), nb::arg("game"), nb::arg("part"))
      .def("learn", &PlayoutProbe::learn, nb::arg("steps"), nb::arg("outcome"), nb::arg("tree_steps") = 0,
           nb::arg("at_once") = false,
           "A finished simulation: (player, action) of every step, and each player's result on [0, 1]. `at_once`: "
           "always one step of every player makes a moment.")
      .def("choose", &PlayoutProbe::choose, nb::arg("state"), nb::arg("steps") = PlayoutProbe::Steps(),
           nb::arg("seed") = 0, nb::arg("player") = -1,
           "(the action it takes, the actions it considered). `player` is the one to move where several are.")
      .def("draw", &PlayoutProbe::draw, nb::arg("state"), nb::arg("steps") = PlayoutProbe::Steps(), nb::arg("seed") = 0,
           nb::arg("player") = -1, "The action it takes where nobody asks what it considered, as in a playout.")
      .def("decay", &PlayoutProbe::decay)
      .def("start", &PlayoutProbe::start, nb::arg("root"), nb::arg("seed") = 0, "A search begins at this state.")
      .def("begin", &PlayoutProbe::begin, "A simulation begins.")
      .def("follow", &PlayoutProbe::follow, nb::arg("after"), nb::arg("action"), nb::arg("player") = 0,
           "A step in the tree has led to this state.")
      .def("play", &PlayoutProbe::play, nb::arg("state"), nb::arg("seed") = 0, nb::arg("max_length") = 1000,
           nb::arg("discount") = 0.0,
           "Plays out: (each player's utility, steps, whether the match is over). With `discount`, utilities are "
           "rewards from this state on.")
      .def("time", &PlayoutProbe::time, nb::arg("root"), nb::arg("count"), nb::arg("seed") = 0,
           nb::arg("max_length") = 1000,
           "Starts a search at this state and plays out from it, again and again: (CPU seconds of this thread, steps "
           "in all).")
      .def_prop_ro("weights", &PlayoutProbe::weights, "What a linear value function has learned.");
  nb::class_<SarsaProbe>(m, "SarsaProbe", "True online Sarsa(lambda) on its own.")
      .def(nb::init<std::size_t, double, double, double, double, std::size_t, bool, bool>(), nb::arg("features"),
           nb::arg("alpha"), nb::arg("lam"), nb::arg("gamma"), nb::arg("initial") = 1.0, nb::arg("blocks") = 1,
           nb::arg("old_is_first") = false, nb::arg("restarts") = true)
      .def("begin", &SarsaProbe::begin, "A simulation begins.")
      .def("begin_playout", &SarsaProbe::begin_playout, "Its playout begins.")
      .def("trace", &SarsaProbe::trace, nb::arg("psi"), nb::arg("block") = 0, "A step in the tree.")
      .def("learn", &SarsaProbe::learn, nb::arg("psi"), nb::arg("reward"), nb::arg("next").none(), nb::arg("block") = 0,
           nb::arg("next_block") = 0, "A step of the playout; `next` is None where it ends the match.")
      .def("take_snapshot", &SarsaProbe::take_snapshot)
      .def("value", &SarsaProbe::value, nb::arg("psi"), nb::arg("block") = 0, "By the weights of the snapshot.")
      .def("weights", &SarsaProbe::weights, nb::arg("block") = 0)
      .def("traces", &SarsaProbe::traces, nb::arg("block") = 0);
}

}  // namespace treewise
