// TD-MCTS: which action a playout takes, and what the features of an action are. Line numbers are those of the paper's
// Algorithm 4.
#include "search/playout/true_online_sarsa.h"

namespace treewise {

// Lines 78 to 85.
void TrueOnlineSarsa::choose(Run& run, Choice& choice) {
  Turn turn{*here_->state, mover(), actions_, run.trace ? *run.trace : no_trace_, run.rng};
  choice.player = turn.player;
  choice.greedy = run.rng.uniform() >= epsilon_;
  if (by_state_) describe(choice);
  if (choice.greedy) return choose_best(turn, choice, chooses_);
  const Action action = inner().choose(turn);
  if (by_moves_) {
    turn.actions.clear();
    turn.actions.push_back(action);
    choose_own_move(turn, choice, chooses_);
  } else if (by_state_) {
    choice.action = action;
    choice.block = block_of(turn.player, action);
  } else {
    look_ahead(action, run.rng);
    keep(choice, action);
  }
}

// Of equally good actions each with the same probability.
void TrueOnlineSarsa::choose_best(Turn& turn, Choice& choice, By by) {
  inner().list(turn);
  if (by_moves_) return choose_own_move(turn, choice, by);
  double best = 0;
  std::uint32_t ties = 0;
  for (const Action action : turn.actions) {
    Psi psi{choice.values.data(), 0, shared_};
    if (by_state_) {
      psi.block = block_of(turn.player, action);
    } else {
      look_ahead(action, turn.rng);
      psi.values = trial_values_.data();
    }
    const double worth = value(psi, turn.player, by);
    if (ties > 0 && worth < best) continue;
    ties = ties > 0 && worth == best ? ties + 1 : 1;
    if (ties > 1 && turn.rng.below(ties) != 0) continue;
    best = worth;
    if (!by_state_) keep(choice, action);
    choice.action = action;
    choice.block = psi.block;
  }
}

// The same among the actions in the list, where each of them changes a few features of the state by itself.
void TrueOnlineSarsa::choose_own_move(Turn& turn, Choice& choice, By by) {
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
    const double worth = worth_of(changes_.of(i), choice.values, turn.player, by);
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

// How much more these changes are worth to a player.
double TrueOnlineSarsa::worth_of(std::span<const FeatureChange> changes, const Numbers& values, int player,
                                 By by) const {
  const double* weights = learner_->first_block(players_ > 2 ? static_cast<std::size_t>(player) : 0, by);
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

}  // namespace treewise
