#include "search/playout/playout.h"

#include <cstdio>

#include "search/chance.h"

namespace treewise {

void QualityReader::refuse(double quality) {
  char text[128];
  std::snprintf(text, sizeof text, "quality() gave %g; qualities lie in [0, 1], and at most a million beyond it",
                quality);
  throw std::invalid_argument(text);
}

void end_playout(const State& state, const Values& cut, PlayoutResult& result) {
  result.finished = state.is_terminal();
  result.unresolved = !result.finished;
  if (result.finished) {
    state.returns(result.utilities);
  } else {
    cut_utilities(state, cut, result.utilities);
  }
}

PlayoutResult Playout::play(State& state, Rng& rng, Trace* trace, int max_length, const Values& cut) {
  if (discounts_rewards()) return play_for_rewards(state, rng, trace, max_length);
  PlayoutResult result;
  bool over = state.is_terminal();
  while (result.length < max_length && !over) {
    over = step(state, state.current_player(), rng, trace);
    watch(++result.length);
  }
  end_playout(state, cut, result);
  return result;
}

PlayoutResult Playout::play_for_rewards(State& state, Rng& rng, Trace* trace, int max_length) {
  const auto& rules = dynamic_cast<const HasRewards&>(state);
  PlayoutResult result;
  double factor = 1;
  Values reward{};
  while (result.length < max_length && !state.is_terminal()) {
    step(state, state.current_player(), rng, trace);
    watch(++result.length);
    rules.rewards(reward);
    for (std::size_t p = 0; p < reward.size(); ++p) result.utilities[p] += factor * reward[p];
    factor *= reward_discount_;
  }
  result.finished = state.is_terminal();
  return result;
}

bool Playout::step(State& state, int player, Rng& rng, Trace* trace) {
  if (player == kSimultaneous) {
    joint_step(state, rng, trace);
    return state.is_terminal();
  }
  Action action;
  if (player == kChance) {
    action = sample_outcome(state, rng, actions_, probabilities_);
  } else {
    Turn turn{state, player, actions_, trace ? *trace : no_trace_, rng};
    action = choose(turn);
  }
  if (trace) trace->push_back({action, player});
  return state.apply_and_end(action);
}

void Playout::joint_step(State& state, Rng& rng, Trace* trace) {
  HasSimultaneous& rules = *simultaneous_.of(state);
  std::array<Action, kMaxPlayers> joint{};
  const int players = rules.num_players();
  for (int p = 0; p < players; ++p) {
    Turn turn{state, p, actions_, trace ? *trace : no_trace_, rng, &rules};
    joint[static_cast<std::size_t>(p)] = choose(turn);
  }
  if (trace) {
    for (int p = 0; p < players; ++p) trace->push_back({joint[static_cast<std::size_t>(p)], p, p > 0});
  }
  rules.apply_joint({joint.data(), static_cast<std::size_t>(players)});
}

std::unique_ptr<Playout> make_playout(const PartSpec& spec, const GameInfo& info) {
  if (spec.foreign) return spec.foreign->playout();
  static const std::map<std::string, PlayoutFactory> catalogue = {
      {"uniform", &make_uniform},
      {"game_policy", &make_game_policy},
      {"mast", &make_mast},
      {"ngram", &make_ngram},
      {"last_good_reply", &make_last_good_reply},
      {"decisive", &make_decisive},
      {"cut_off", &make_cut_off},
      {"foraging", &make_foraging},
      {"true_online_sarsa", &make_true_online_sarsa},
  };
  return find_part(catalogue, "playout", spec.name)(spec, info);
}

}  // namespace treewise
