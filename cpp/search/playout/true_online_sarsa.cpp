// TD-MCTS (Ilhan & Etaner-Uyar 2017): playouts that learn a linear value function while they play, by true online
// Sarsa(lambda), and choose by it. Line numbers are those of the paper's Algorithms 3 and 4.
//
// One value function, seen from player 0, where one or two play: player 1 takes the least. With more players each has
// one of its own over the same features. Chance, and moments at which several choose at once, are a part of the step
// that leads to them.
#include <array>
#include <limits>
#include <optional>

#include "search/playout/action_blocks.h"
#include "search/playout/state_features.h"

namespace treewise {

namespace {

// A state and what is asked of it, looked up once.
struct Place {
  State* state = nullptr;
  const HasFeatures* features = nullptr;
  const HasOwnMoves* moves = nullptr;
  const HasScore* score = nullptr;
  HasDice* dice = nullptr;

  void look_at(State& other) {
    if (state == &other) return;
    state = &other;
    features = &dynamic_cast<const HasFeatures&>(other);
    moves = dynamic_cast<const HasOwnMoves*>(&other);
    score = dynamic_cast<const HasScore*>(&other);
    dice = dynamic_cast<HasDice*>(&other);
  }
};

// An action with its features.
struct Choice {
  Action action = kNoAction;
  int player = 0;
  bool greedy = false;
  Numbers values;
  std::size_t block = 0;

  Psi psi() const { return {values.data(), block}; }
};

class TrueOnlineSarsa final : public PlayoutWrapper {
 public:
  TrueOnlineSarsa(const PartSpec& spec, const GameInfo& info)
      : PlayoutWrapper(make_playout(spec.part("inner"), info)),
        rates_{spec.number("alpha"),          spec.number("lam"),  spec.number("gamma"), spec.number("initial"),
               spec.text("q_old") == "first", spec.flag("restart")},
        epsilon_(spec.number("epsilon")),
        by_blocks_(spec.text("psi") == "action_blocks"),
        by_moves_(spec.text("psi") == "own_moves" && info.has(Capability::kOwnMoves)),
        fresh_(spec.flag("fresh") && info.has(Capability::kDice)),
        ends_count_(spec.text("ends") == "features"),
        floors_(spec.flag("floors")),
        discover_(static_cast<int>(spec.integer("discover"))),
        info_(info),
        players_(static_cast<std::size_t>(info.num_players)),
        alone_(info.num_players == 1 && !info.has(Capability::kChance) && !info.has(Capability::kSimultaneous)),
        scored_(info.num_players == 1 && info.has(Capability::kScore)),
        rewarded_(info.has(Capability::kRewards) || info.has(Capability::kScore)),
        rewards_(players_ <= 2 ? 1 : players_) {
    // What is learned of two is how far they are from the middle between them.
    if (players_ == 2 && !rewarded_) middle_ = (info.min_utility + info.max_utility) / 2;
  }

  void allow(double seconds) override {
    inner().allow(seconds);
    allowed_ = seconds;
  }
  void start(const State& root, std::uint64_t seed) override {
    inner().start(root, seed);
    if (!learner_) prepare(root, derive_seed(seed, 0));
    learner_->take_snapshot();
    read(root, root_values_);
    if (by_moves_) own_[0].state->assign(root);
    begin();
  }
  bool wants_path() const override { return true; }
  void leave_cuts() override { judges_ = false; }

  void begin() override {
    learner_->begin();
    path_values_ = root_values_;
    from_ = &own_[0];
    led_ = true;
  }
  void follow(const State& after, Action action, int player) override {
    if (player >= 0 && by_moves_) take_own_move(*from_, action, path_values_);
    if (player >= 0 && (by_blocks_ || by_moves_)) learner_->trace({path_values_.data(), block_of(player, action)});
    read(after, path_values_);
    if (player >= 0 && !by_blocks_ && !by_moves_) learner_->trace({path_values_.data()});
    if (!by_moves_) return;
    from_ = &own_[1];
    from_->state->assign(after);
  }

  PlayoutResult play(State& state, Rng& rng, Trace* trace, int max_length, const Values& cut) override;

  // Block after block, in the order in which their actions were met.
  std::vector<double> weights() const override {
    std::vector<double> all;
    for (std::size_t block = 0; learner_ && block < learner_->num_blocks(); ++block) {
      for (std::size_t head = 0; head < rewards_.size(); ++head) {
        const auto part = learner_->weights(block, head);
        all.insert(all.end(), part.begin(), part.end());
      }
    }
    return all;
  }

 private:
  struct Run {
    Rng& rng;
    Trace* trace;
    int max_length;
    int length = 0;
    double factor = 1;  // gamma to the number of choices so far
  };

  void prepare(const State& root, std::uint64_t seed);
  void read(const State& state, Numbers& out) { features_.read(*followed_.of(state), out); }
  std::size_t block_of(int player, Action action) {
    if (!by_blocks_) return 0;
    const std::size_t block = blocks_->of(player, action);
    learner_->reach(block);
    return block;
  }

  // Where a playout has come to: to a player's choice, to the end of the match, or to its limit elsewhere.
  enum class Arrival { kChoice, kOver, kNobody };

  void begin_at(State& state);
  Arrival play_on(Run& run, Values& total);
  Arrival settle(Run& run);
  int mover() const { return alone_ ? 0 : here_->state->current_player(); }
  void step(Run& run);
  void collect(bool over);
  void choose(Run& run, Choice& choice);
  void choose_best(Turn& turn, Choice& choice);
  void describe(Choice& choice);
  void describe_end();
  void take_own_move(const Place& from, Action action, Numbers& values);
  void change(std::span<const FeatureChange> changes, Numbers& values) const;
  double worth_of(std::span<const FeatureChange> changes, const Numbers& values, int player) const;
  void choose_own_move(Turn& turn, Choice& choice);
  void look_ahead(Action action, Rng& rng);
  void keep(Choice& choice, Action action);
  void add_value_of_cut(Run& run, Values& total);
  // By the snapshot, for this player.
  double value(const Psi& psi, int player) const {
    if (players_ > 2) return learner_->value(psi, static_cast<std::size_t>(player));
    return player == 0 ? learner_->value(psi, 0) : -learner_->value(psi, 0);
  }

  LinearSarsa::Rates rates_;
  double epsilon_;
  bool by_blocks_, by_moves_, fresh_, ends_count_, floors_;
  int discover_;
  double allowed_ = std::numeric_limits<double>::infinity();  // seconds, to discover
  GameInfo info_;
  std::size_t players_;
  bool alone_, scored_, rewarded_;
  bool judges_ = true;  // what a state is worth where the playout is cut off
  double middle_ = 0;

  std::optional<LinearSarsa> learner_;
  std::optional<ActionBlocks> blocks_;
  StateFeatures features_;
  Numbers root_values_, path_values_, trial_values_;
  bool led_ = false;  // `path_values_` are those of the leaf
  Cached<const HasFeatures> followed_;

  // With own moves, the state on the way down the tree: the root, then copies.
  Place* from_ = nullptr;
  FeatureChanges changes_;

  // The playout under way: in the given state, or from one copy to the next.
  Place given_;
  std::array<Place, 3> own_;
  std::array<std::unique_ptr<State>, 3> states_;
  Place* here_ = nullptr;
  Place* next_ = nullptr;   // after the chosen action
  Place* trial_ = nullptr;  // after the one that is looked at
  Choice now_, then_;
  Values before_{}, gained_{};
  double score_ = 0;
  std::vector<double> rewards_;
  ActionList actions_;
  Trace no_trace_;
};

// Line 1 of Algorithm 2, and the features that there are: once in a match.
void TrueOnlineSarsa::prepare(const State& root, std::uint64_t seed) {
  features_.find(root, discover_, floors_, info_.has(Capability::kDice), seed, allowed_);
  learner_.emplace(rates_, features_.size(), rewards_.size());
  for (Numbers* numbers : {&root_values_, &path_values_, &trial_values_, &now_.values, &then_.values})
    numbers->assign(features_.size(), 0);
  constexpr std::size_t kMostNumbers = std::size_t{1} << 22;
  const std::size_t row = root_values_.padded() * rewards_.size();
  if (by_blocks_)
    blocks_.emplace(info_, std::clamp<std::size_t>(kMostNumbers / std::max<std::size_t>(row, 1), 1, 65536));
  learner_->reach(0);
  for (std::size_t i = 0; i < own_.size() && !by_blocks_; ++i) {
    states_[i] = root.clone();
    own_[i].look_at(*states_[i]);
  }
}

// Lines 52 to 76.
PlayoutResult TrueOnlineSarsa::play(State& state, Rng& rng, Trace* trace, int max_length, const Values& cut) {
  if (!learner_) start(state, rng.next());
  begin_at(state);
  Run run{rng, trace, max_length};
  PlayoutResult result;
  if (!discounts_rewards()) result.utilities = before_;
  const Arrival end = play_on(run, result.utilities);
  result.length = run.length;
  result.finished = end == Arrival::kOver;
  if (judges_ && end == Arrival::kChoice) {
    add_value_of_cut(run, result.utilities);
  } else if (!result.finished && !rewarded_) {
    result.utilities = cut;
    result.unresolved = true;
  }
  if (here_ != &given_) state.assign(*here_->state);
  led_ = false;
  return result;
}

// Lines 53 to 55.
void TrueOnlineSarsa::begin_at(State& state) {
  given_.look_at(state);
  here_ = &given_;
  next_ = &own_[0];
  trial_ = &own_[1];
  learner_->begin_playout();
  now_.greedy = false;
  before_.fill(0);
  if (rewarded_) state.returns(before_);
  if (scored_) score_ = here_->score->score();
}

// Lines 56 to 71; the discounted rewards are added to `total`.
TrueOnlineSarsa::Arrival TrueOnlineSarsa::play_on(Run& run, Values& total) {
  Arrival at = settle(run);
  if (at == Arrival::kChoice && run.length < run.max_length) choose(run, now_);
  while (at == Arrival::kChoice && run.length < run.max_length) {
    step(run);
    watch(run.length);
    at = settle(run);
    collect(at == Arrival::kOver);
    for (std::size_t p = 0; p < players_; ++p) total[p] += run.factor * gained_[p];
    if (at == Arrival::kNobody) break;
    if (at == Arrival::kChoice) {
      choose(run, then_);
    } else if (ends_count_) {
      describe_end();
    }
    const Psi next = then_.psi();
    learner_->learn(now_.psi(), rewards_, at == Arrival::kChoice || ends_count_ ? &next : nullptr);
    std::swap(now_, then_);
    run.factor *= rates_.gamma;
  }
  return at;
}

// Goes on to a state in which one player is to choose. Chance may take a playout past its limit, for such a state is
// what can be judged.
TrueOnlineSarsa::Arrival TrueOnlineSarsa::settle(Run& run) {
  constexpr int kMostChance = 64;
  State& state = *here_->state;
  while (!state.is_terminal()) {
    const int player = mover();
    if (player >= 0) return Arrival::kChoice;
    if (run.length >= run.max_length + (player == kChance ? kMostChance : 0)) return Arrival::kNobody;
    Playout::step(state, player, run.rng, run.trace);
    ++run.length;
    led_ = false;
  }
  return Arrival::kOver;
}

void TrueOnlineSarsa::step(Run& run) {
  if (run.trace) run.trace->push_back({now_.action, now_.player});
  ++run.length;
  led_ = false;
  if (by_blocks_ || by_moves_ || fresh_) return here_->state->apply(now_.action);
  Place* before = here_;
  here_ = next_;
  next_ = before == &given_ ? &own_[2] : before;
}

// Lines 61 and 86 to 102: R_e, what the step has changed of the returns, and R, what is learned from.
void TrueOnlineSarsa::collect(bool over) {
  for (std::size_t p = 0; p < players_; ++p) gained_[p] = 0;
  if (rewarded_ || over) {
    Values now{};
    here_->state->returns(now);
    // One by one: copied as a whole, they would have to wait until the single writes have reached the cache.
    for (std::size_t p = 0; p < players_; ++p) gained_[p] = now[p] - std::exchange(before_[p], now[p]);
  }
  if (scored_) {
    const double score = here_->score->score();
    rewards_[0] = score - score_;
    score_ = score;
  } else if (players_ == 2) {
    rewards_[0] = (gained_[0] - gained_[1]) / 2;
  } else {
    std::copy_n(gained_.begin(), players_, rewards_.begin());
  }
}

// Lines 78 to 85.
void TrueOnlineSarsa::choose(Run& run, Choice& choice) {
  Turn turn{*here_->state, mover(), actions_, run.trace ? *run.trace : no_trace_, run.rng};
  choice.player = turn.player;
  choice.greedy = run.rng.uniform() >= epsilon_;
  if (by_blocks_) describe(choice);
  if (choice.greedy) return choose_best(turn, choice);
  const Action action = inner().choose(turn);
  if (by_moves_) {
    turn.actions.clear();
    turn.actions.push_back(action);
    choose_own_move(turn, choice);
  } else if (by_blocks_) {
    choice.action = action;
    choice.block = block_of(turn.player, action);
  } else {
    look_ahead(action, run.rng);
    keep(choice, action);
  }
}

// Of equally good actions each with the same probability.
void TrueOnlineSarsa::choose_best(Turn& turn, Choice& choice) {
  inner().list(turn);
  if (by_moves_) return choose_own_move(turn, choice);
  double best = 0;
  std::uint32_t ties = 0;
  for (const Action action : turn.actions) {
    Psi psi{choice.values.data()};
    if (by_blocks_) {
      psi.block = block_of(turn.player, action);
    } else {
      look_ahead(action, turn.rng);
      psi.values = trial_values_.data();
    }
    const double worth = value(psi, turn.player);
    if (ties > 0 && worth < best) continue;
    ties = ties > 0 && worth == best ? ties + 1 : 1;
    if (ties > 1 && turn.rng.below(ties) != 0) continue;
    best = worth;
    if (!by_blocks_) keep(choice, action);
    choice.action = action;
    choice.block = psi.block;
  }
}

// The same among the actions in the list, where each of them changes a few features of the state by itself.
void TrueOnlineSarsa::choose_own_move(Turn& turn, Choice& choice) {
  const std::span<const Action> actions(turn.actions.begin(), turn.actions.end());
  if (led_) {
    choice.values = path_values_;
    here_->moves->own_moves(actions, {}, changes_);
  } else {
    features_.read(*here_->moves, actions, choice.values, changes_);
  }
  double best = 0;
  std::uint32_t ties = 0;
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const double worth = worth_of(changes_.of(i), choice.values, turn.player);
    if (ties > 0 && worth < best) continue;
    ties = ties > 0 && worth == best ? ties + 1 : 1;
    if (ties > 1 && turn.rng.below(ties) != 0) continue;
    best = worth;
    chosen = i;
  }
  choice.action = actions[chosen];
  choice.block = 0;
  change(changes_.of(chosen), choice.values);
}

// How much more these changes are worth to a player, by the snapshot.
double TrueOnlineSarsa::worth_of(std::span<const FeatureChange> changes, const Numbers& values, int player) const {
  const double* weights = learner_->snapshot(players_ > 2 ? static_cast<std::size_t>(player) : 0);
  double worth = 0;
  for (const FeatureChange& each : changes)
    if (const int place = features_.place(each.feature); place >= 0)
      worth += weights[place] * (each.value - values.data()[place]);
  return players_ == 2 && player == 1 ? -worth : worth;
}

void TrueOnlineSarsa::change(std::span<const FeatureChange> changes, Numbers& values) const {
  for (const FeatureChange& each : changes)
    if (const int place = features_.place(each.feature); place >= 0) values.data()[place] = each.value;
}

// From the features of a state to those of what an action makes of it by itself.
void TrueOnlineSarsa::take_own_move(const Place& from, Action action, Numbers& values) {
  from.moves->own_moves({&action, 1}, {}, changes_);
  change(changes_.of(0), values);
}

void TrueOnlineSarsa::describe(Choice& choice) {
  if (led_) {
    choice.values = path_values_;
  } else {
    features_.read(*here_->features, choice.values);
  }
}

// As published, a state in which the match is over has the value of its features: no action changes it any more.
void TrueOnlineSarsa::describe_end() {
  features_.read(*here_->features, then_.values);
  then_.block = now_.block;
}

// The state after an action, and its features. A copy draws what its original would: without `fresh`, an action is
// looked at with the very dice that it will be played with.
void TrueOnlineSarsa::look_ahead(Action action, Rng& rng) {
  trial_->state->assign(*here_->state);
  if (fresh_) trial_->dice->reseed(rng.next());
  trial_->state->apply(action);
  features_.read(*trial_->features, trial_values_);
}

void TrueOnlineSarsa::keep(Choice& choice, Action action) {
  choice.action = action;
  choice.block = 0;
  choice.values.swap(trial_values_);
  std::swap(trial_, next_);
}

// Line 73.
void TrueOnlineSarsa::add_value_of_cut(Run& run, Values& total) {
  if (!now_.greedy) {
    Turn turn{*here_->state, mover(), actions_, run.trace ? *run.trace : no_trace_, run.rng};
    if (by_blocks_) describe(now_);
    choose_best(turn, now_);
  }
  for (std::size_t p = 0; p < players_; ++p)
    total[p] += run.factor * (middle_ + value(now_.psi(), static_cast<int>(p)));
}

}  // namespace

std::unique_ptr<Playout> make_true_online_sarsa(const PartSpec& spec, const GameInfo& info) {
  return std::make_unique<TrueOnlineSarsa>(spec, info);
}

}  // namespace treewise
