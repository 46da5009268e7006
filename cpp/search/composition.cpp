#include "search/composition.h"

namespace treewise {

namespace {

Parallel parallel_kind(const std::string& name) {
  static const std::map<std::string, Parallel> kinds = {
      {"one", Parallel::kOne}, {"root", Parallel::kRoot}, {"leaf", Parallel::kLeaf}, {"tree", Parallel::kTree}};
  return find_part(kinds, "parallel", name);
}

}  // namespace

Composition::Composition(const PartSpec& spec, const GameInfo& game_info) : info(game_info) {
  scale = {info.min_utility, info.max_utility - info.min_utility};
  if (!(scale.range > 0)) throw std::invalid_argument(info.name + ": max_utility must be greater than min_utility");
  selection = make_selection(spec.part("selection"));
  first_play = make_first_play(spec.part("first_play"));
  expansion = make_expansion(spec.part("expansion"));
  playout = std::get<PartPointer>(spec.at("playout"));
  if (!spec.is_none("evaluator")) evaluator = make_evaluator(spec.part("evaluator"), info);
  for (const PartPointer& bonus : spec.parts("bonus")) {
    if (bonus->foreign && bonus->foreign->score_bonus) score_bonuses.push_back(bonus->foreign->score_bonus);
    if (!bonus->foreign || bonus->foreign->result_bonus) result_bonuses.push_back(bonus);
  }
  backup = make_backup(spec.part("backup"), scale, info.num_players);
  if (!spec.is_none("proof")) proof = make_proof(spec.part("proof"), scale);
  decision = make_decision(spec.part("decision"));
  limit = make_limit(spec.part("limit"));

  const PartSpec& par = spec.part("parallel");
  parallel = parallel_kind(par.name);
  if (parallel != Parallel::kOne) threads = static_cast<int>(par.integer("threads"));
  if (parallel == Parallel::kTree) virtual_loss = static_cast<int>(par.integer("virtual_loss"));
  if (!spec.is_none("information")) worlds = static_cast<int>(spec.part("information").integer("worlds"));
  memory_bytes = static_cast<std::size_t>(spec.number("memory_mb") * 1e6);
  max_length = spec.is_none("max_length") ? info.max_length : static_cast<int>(spec.integer("max_length"));
  if (!spec.is_none("horizon")) horizon = static_cast<int>(spec.integer("horizon"));
  // Unless told otherwise, a match that is cut off counts as what was collected, where anything can be, and else as the
  // middle between the best and the worst result.
  const bool collects = info.has(Capability::kRewards) || info.has(Capability::kScore);
  cut.fill(!spec.is_none("cut_value") ? spec.number("cut_value") : collects ? kCollected : scale.to_utility(0.5));
  discards_cuts = info.lacks_results && spec.is_none("cut_value") && horizon == 0 && !collects;
  closed_loop = spec.part("loop").name == "closed";

  columns = selection->needs();
  for (const auto& bonus : score_bonuses) columns = columns | bonus->needs();
  columns = columns | Columns{.prior = info.has(Capability::kChance),
                              .chooser = info.has(Capability::kSimultaneous),
                              .proof = proof != nullptr};
  step_rewards = backup->discount() != 1 && info.has(Capability::kRewards);
  discards = info.lacks_results && !step_rewards;
}

}  // namespace treewise
