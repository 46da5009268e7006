// TD-MCTS (Ilhan & Etaner-Uyar 2017): playouts that learn a linear value function while they play, by true online
// Sarsa(lambda), and choose by it. Line numbers are those of the paper's Algorithms 3 and 4.
//
// One value function, seen from player 0, where one or two play: player 1 takes the least. With more players each has
// one of its own over the same features. Chance, and moments at which several choose at once, are a part of the step
// that leads to them.
#include "search/playout/true_online_sarsa.h"

namespace treewise {

// Line 1 of Algorithm 2, and the features that there are: once in a match.
void TrueOnlineSarsa::prepare(const State& root, std::uint64_t seed) {
  features_.find(root, wanted_, info_.has(Capability::kDice), seed, allowed_);
  learner_.emplace(rates_, features_.size(), rewards_.size());
  for (Numbers* numbers : {&root_values_, &path_values_, &trial_values_, &now_.values, &then_.values})
    numbers->assign(features_.size(), 0);
  constexpr std::size_t kMostNumbers = std::size_t{1} << 22;
  const std::size_t row = root_values_.padded() * rewards_.size();
  if (has_blocks_)
    blocks_.emplace(info_, std::clamp<std::size_t>(kMostNumbers / std::max<std::size_t>(row, 1), 1, 65536));
  learner_->reach(0);
  for (std::size_t i = 0; i < own_.size() && !by_state_; ++i) {
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
    const Psi next = psi_of(then_);
    learner_->learn(psi_of(now_), rewards_, at == Arrival::kChoice || ends_count_ ? &next : nullptr);
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
  if (by_state_ || by_moves_ || fresh_) return here_->state->apply(now_.action);
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

// Line 73.
void TrueOnlineSarsa::add_value_of_cut(Run& run, Values& total) {
  if (!now_.greedy || chooses_ == By::kWeights) {  // and weights have changed since that choice
    Turn turn{*here_->state, mover(), actions_, run.trace ? *run.trace : no_trace_, run.rng};
    if (by_state_) describe(now_);
    choose_best(turn, now_, cuts_);
  }
  for (std::size_t p = 0; p < players_; ++p)
    total[p] += run.factor * (middle_ + value(psi_of(now_), static_cast<int>(p), cuts_));
}

std::unique_ptr<Playout> make_true_online_sarsa(const PartSpec& spec, const GameInfo& info) {
  return std::make_unique<TrueOnlineSarsa>(spec, info);
}

}  // namespace treewise
