// The members that rules must have, and those that give a capability, in code; `rules.h` says the same in words.
#pragma once

#include <concepts>
#include <string_view>
#include <vector>

#include "game/game.h"

namespace treewise {

template <class R>
concept Rules = std::copyable<R> && requires(R r, const R c, ActionList& list, Values& values, Action action,
                                             const Parameters& parameters, const typename R::Config& config) {
  typename R::Config;
  { typename R::Config(parameters) };
  { config.info() } -> std::same_as<GameInfo>;
  { R::parameters() } -> std::same_as<std::vector<Parameter>>;
  { R(config) };
  { c.current_player() } -> std::same_as<int>;
  { c.is_terminal() } -> std::same_as<bool>;
  c.legal_actions(list);
  r.apply(action);
  c.returns(values);
  { c.action_name(action) } -> std::same_as<std::string>;
  { c.draw() } -> std::same_as<std::string>;
};

template <class R>
concept HashRules = requires(const R r) {
  { r.hash() } -> std::same_as<std::uint64_t>;
};
template <class R>
concept ChanceRules = requires(const R r, std::vector<double>& p) { r.chance_probabilities(p); };
template <class R>
concept SimultaneousRules = requires(R r, std::span<const Action> joint, ActionList& list) {
  r.apply_joint(joint);
  r.legal_actions(0, list);
};
template <class R>
concept RewardRules = requires(const R r, Values& v) { r.rewards(v); };
template <class R>
concept HiddenRules = requires(R r, Rng& rng) {
  r.resample(0, rng);
  { r.observation(0) } -> std::same_as<std::string>;
};
template <class R>
concept QualityRules = requires(const R r) {
  { r.quality() } -> std::same_as<double>;
};
template <class R>
concept PolicyRules = requires(const R r, Rng& rng, ActionList& list) { r.playout_candidates(rng, list); };
template <class R>
concept PolicyActionRules = requires(const R r, Rng& rng) {
  { r.policy_action(rng) } -> std::same_as<Action>;
};
template <class R>
concept PolicyStepRules = requires(R r, Rng& rng) { r.policy_step(rng); };
template <class R>
concept WinningRules = requires(const R r, ActionList& list) { r.winning_actions(list); };
template <class R>
concept SafetyRules = requires(const R r, ActionList& list) {
  { r.safe_actions(list) } -> std::same_as<Safety>;
};
template <class R>
concept SurelySafeRules = requires(const R r, Action action) {
  { r.surely_safe(action) } -> std::same_as<bool>;
};
template <class R>
concept DiceRules = requires(R r) { r.reseed(std::uint64_t{0}); };
template <class R>
concept ScoreRules = requires(const R r) {
  { r.score() } -> std::same_as<double>;
};
template <class R>
concept FeatureRules = requires(const R r, std::span<double> out) {
  { r.num_features() } -> std::same_as<int>;
  r.features(out);
};
template <class R>
concept SceneRules = requires(const R r, Scene& out) { r.scene(out, true); };
template <class R>
concept HeapRules = requires(const R r) {
  { r.heap_bytes() } -> std::same_as<std::size_t>;
};
template <class R>
concept ParseRules = requires(const typename R::Config& config) {
  { R::parse(config, std::string_view(), 0) } -> std::same_as<R>;
};
template <class R>
concept PlayoutActionRules = requires(R r, Rng& rng) {
  { r.playout_action(rng) } -> std::same_as<Action>;
};
template <class R>
concept PlayoutListRules = requires(const R r, ActionList& list) { r.playout_actions(list); };
template <class R>
concept DrawRules = requires(const R r, Rng& rng) {
  { r.draw_action(rng) } -> std::same_as<Action>;
};
template <class R>
concept PlayoutSetRules = requires(const R r, std::span<Bits> out) {
  { r.playout_set(out) } -> std::same_as<SetOfActions>;
};
template <class R>
concept MayPlayRules = requires(const R r, Action action) {
  { r.may_play(action) } -> std::same_as<bool>;
};
template <class R>
concept FastPlayoutRules = requires(R r, Rng& rng) {
  { r.fast_playout(rng, 1) } -> std::same_as<int>;
};

}  // namespace treewise
