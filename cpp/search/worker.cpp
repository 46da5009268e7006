#include "search/worker.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/chance.h"
#include "search/parallel/hot_nodes.h"
#include "search/parallel/leaf_team.h"

namespace treewise {

namespace {

constexpr int kEnough = 1 << 30;  // results for a mean

}  // namespace

Worker::Worker(const Composition& search, Tree& tree, bool shared)
    : search_(search), tree_(tree), shared_(shared), playout_(make_playout(*search.playout, search.info)) {
  unvisited_first_ = search.first_play->is_infinite();
  widens_ = search.expansion->widens();
  dice_ = search.info.has(Capability::kDice);
  plain_ = !dice_ && !search.closed_loop;
  looks_around_ = search.selection->wants_outlook();
  adds_bonuses_ = !search.score_bonuses.empty();
  if (search.closed_loop) kept_ = std::make_unique<KeptStates>();
  wanted_.trace = playout_->wants_trace();
  wanted_.path = playout_->wants_path() && !search.evaluator;
  for (const PartPointer& spec : search.result_bonuses) {
    const auto& bonus = bonuses_.emplace_back(make_result_bonus(*spec));
    wanted_.trace |= bonus->wants_trace() || (bonus->wants_length() && !search.info.true_lengths);
    wanted_.quality |= bonus->wants_quality() && search.info.has(Capability::kQuality);
  }
  wanted_.record = wanted_.trace || !bonuses_.empty();
  uct_ = plain_uct();
  // The copies of all threads together: a sixteenth of what the tree may take.
  if (uct_ && shared)
    hot_ = std::make_unique<HotNodes>(tree, tree.memory_cap() / (16 * static_cast<std::size_t>(search.threads)));
  if (search.step_rewards) playout_->discount_rewards(search.backup->discount());
  slots_.resize(search.evaluator ? static_cast<std::size_t>(search.evaluator->batch_size()) : 1);
  outlook_ = {.scale = search.scale, .seen = {}, .clamped = shared || slots_.size() > 1, .rng = &rng_};
  if (search.parallel == Parallel::kLeaf && !search.evaluator) team_ = std::make_unique<LeafTeam>(search);
}

Worker::~Worker() = default;

void Worker::start(const State& root, std::uint64_t seed, const Halt& halt) {
  root_ = &root;
  heed(halt);
  rng_ = Rng(seed);
  root_proven_ = false;
  max_depth_ = 0;
  total_depth_ = 0;
  simulations_ = 0;
  discarded_ = 0;
  known_ = {};
  for (const auto& bonus : bonuses_) {
    bonus->start(std::max(root.current_player(), 0));
    if (!bonus->wants_returns()) continue;
    Values returns{};
    root.returns(returns);
    for (double& r : returns) r = search_.scale.to_unit(r);
    bonus->measure(returns, 1 / search_.scale.range);
  }
  for (Slot& slot : slots_) slot.state = root.clone();
  if (kept_ && tree_.root() == kNoNode) kept_->clear();
  if (!search_.evaluator && !team_) playout_->start(root, derive_seed(seed, 0));
  if (team_) team_->start(root, seed, halt);
}

void Worker::heed(const Halt& halt) {
  halt_ = &halt;
  if (!team_) playout_->heed(halt_);
}

// Whoever plays the playouts.
template <class Call>
void Worker::tell(Call&& call) {
  if (team_) return team_->for_each_playout(call);
  call(*playout_);
}

void Worker::limit_memory(std::size_t bytes) {
  const std::size_t each = bytes / static_cast<std::size_t>(team_ ? team_->size() : 1);
  tell([each](Playout& playout) { playout.limit_memory(each); });
}

void Worker::allow(double seconds) {
  const double each = seconds / (team_ ? team_->size() : 1);
  tell([each](Playout& playout) { playout.allow(each); });
}

void Worker::rest() {
  if (team_) team_->stop();
  halt_ = nullptr;
  tell([](Playout& playout) { playout.heed(nullptr); });
  if (hot_) hot_->give_back();
}

void Worker::decay() {
  tell([](Playout& playout) { playout.decay(); });
}

void Worker::make_root() {
  Slot& slot = slots_[0];
  set_state(slot, *root_);
  // What is left of an earlier tree may have been made with other draws than the match's.
  if (dice_ && tree_.root() != kNoNode && !fits(slot, tree_.root())) tree_.clear();
  if (tree_.root() == kNoNode) {
    slot.path.clear();
    const NodeId root = expand(slot, 0);
    if (root == kNoNode) throw std::invalid_argument("memory_mb is too small for the root of this search");
    tree_.set_root(root);
    if (search_.evaluator && slot.leaf != kNoNode) {
      pending_.assign(1, &slot);
      evaluate_batch(1);
    }
  }
  if (search_.proof && search_.proof->result(tree_, tree_.root())) root_proven_ = true;
}

bool Worker::counts_are_full() const {
  constexpr int kMost = std::numeric_limits<int>::max() - (1 << 28);
  if (tree_.root() == kNoNode) return false;
  Node& root = tree_.node(tree_.root());
  const NodeLock lock(root, shared_);
  return root.visits > kMost;
}

int Worker::simulate(std::int64_t most) {
  try {
    return search_.evaluator ? simulate_batch(most) : simulate_one();
  } catch (...) {
    for (Slot& slot : slots_)
      if (slot.open) undo_visits(slot);
    throw;
  }
}

int Worker::simulate_one() {
  Slot& slot = slots_[0];
  descend(slot);
  if (!slot.settled) play_out(slot);
  finish(slot);
  return team_ ? team_->size() : 1;
}

// The batched form: gather leaves, ask about all of them, receive the answers.
int Worker::simulate_batch(std::int64_t most) {
  pending_.clear();
  int done = 0;
  for (Slot& slot : slots_) {
    if (done == most || root_proven_) break;
    descend(slot);
    ++done;
    if (slot.settled) {
      finish(slot);
    } else {
      pending_.push_back(&slot);
    }
  }
  if (!pending_.empty()) evaluate_batch(static_cast<int>(pending_.size()));
  for (Slot* slot : pending_) finish(*slot);
  return done;
}

// ---- 1. Select: walk down by the selection rule, applying actions to the working state. ----------------------------
// ---- 2. Expand: give the leaf its children, if the expansion rule says so (worker_expand.cpp). ---------------------

void Worker::descend(Slot& slot) {
  if (kept_) [[unlikely]] {
    slot.at = root_;
  } else {
    set_state(slot, *root_);
  }
  slot.path.clear();
  slot.trace.clear();
  slot.settled = slot.discarded = slot.counted = false;
  slot.leaf = slot.end = kNoNode;
  slot.open = true;
  if (wanted_.path) tell([](Playout& playout) { playout.begin(); });
  if (uct_) {
    descend_uct(slot);
  } else {
    NodeId node = tree_.root();
    while (node != kNoNode) node = step(slot, node);
  }
  const auto depth = static_cast<int>(slot.path.steps.size());
  max_depth_ = std::max(max_depth_, depth);
  total_depth_ += depth;
}

// One level down: the next node, or kNoNode where the simulation leaves the tree.
NodeId Worker::step(Slot& slot, NodeId id) {
  const int player = tree_.node(id).player;
  if (player == kSimultaneous) return joint_step(slot, id);
  EdgeId edge;
  int before;
  {
    Node& node = tree_.node(id);
    const NodeLock lock(node, shared_);
    if (player == kChance) {
      const std::span<const float> weights(&tree_.prior(node.first_edge), node.num_edges);
      edge = node.first_edge + static_cast<EdgeId>(draw_index(weights, rng_));
    } else {
      edge = select(node);
    }
    before = visit(slot, id, edge, player, false);
  }
  if (!plain_) [[unlikely]]
    return chancy_step(slot, edge, before);
  const bool over = slot.state->apply_and_end(tree_.action(edge));
  if (after_apply(slot, over)) return kNoNode;
  return child_or_expand(slot, edge, before);
}

// Counts the simulation in, under the node's lock. Returns how often the edge was visited before.
int Worker::visit(Slot& slot, NodeId id, EdgeId edge, int player, bool joint) {
  const int weight = team_ ? team_->size() : search_.virtual_loss;
  const int before = tree_.visits(edge);
  if (!joint) tree_.node(id).visits += weight;
  tree_.set_visits(edge, before + weight);
  tree_.expect_value(edge);
  slot.path.steps.push_back({id, edge, player, joint});
  if (wanted_.trace) slot.trace.push_back({tree_.action(edge), player, joint});
  return before;
}

// Keeps the step's rewards and looks whether the result is known. True if the simulation ends here.
bool Worker::after_apply(Slot& slot, bool over) {
  if (search_.step_rewards) {
    Values reward{};
    rewards_.of(slot.at ? *slot.at : *slot.state)->rewards(reward);
    while (slot.path.rewards.size() < slot.path.steps.size()) slot.path.rewards.push_back(reward);
  }
  const EdgeId edge = slot.path.steps.back().edge;
  if (wanted_.path && !over) {
    const int player = slot.path.steps.back().joint ? kSimultaneous : slot.path.steps.back().player;
    tell([&](Playout& playout) { playout.follow(slot.at ? *slot.at : *slot.state, tree_.action(edge), player); });
  }
  // Another thread has proven the edge since it was selected.
  if (search_.proof && Solver::is_proven(tree_, edge)) {
    settle_exact(slot, Solver::proof(tree_, edge));
    return true;
  }
  return over && settle_terminal(slot);
}

bool Worker::settle_terminal(Slot& slot) {
  const int players = search_.info.num_players;
  if (search_.discards && !slot.state->has_result()) return slot.settled = slot.discarded = true;
  slot.state->returns(slot.utilities);
  slot.record.finished = true;
  slot.record.raw_quality = wanted_.quality ? quality_.read(*slot.state, slot.utilities, players) : kNoQuality;
  slot.settled = true;
  if (search_.proof) {
    const int winner = winner_of(slot.utilities, players);
    settle_exact(slot, slot.utilities);
    // What this state settles further up may be another result than its own.
    slot.record.finished = winner_of(slot.utilities, players) == winner;
  }
  // With step rewards the last step's own reward is on the path already.
  if (search_.step_rewards) slot.utilities.fill(0);
  return true;
}

// The last edge of the path (or the root) has the exact result `utilities`: marks what follows from it.
void Worker::settle_exact(Slot& slot, const Values& utilities) {
  slot.utilities = search_.proof->prove(tree_, slot.path, utilities);
  if (tree_.root() == kNoNode || search_.proof->result(tree_, tree_.root())) root_proven_ = true;
  slot.record.finished = false;
  slot.settled = true;
}

// ---- 3. Evaluate: terminal returns, a playout, or an evaluator's answer. -------------------------------------------

void Worker::play_out(Slot& slot) {
  const int most = steps_left(slot);
  if (team_) return team_->play(*slot.state, slot.trace, wanted_, most);
  const PlayoutResult result =
      playout_->play(*slot.state, rng_, wanted_.trace ? &slot.trace : nullptr, most, search_.cut);
  // One by one: copied as a whole, they would have to wait until the single writes have reached the cache.
  for (std::size_t p = 0; p < static_cast<std::size_t>(search_.info.num_players); ++p)
    slot.utilities[p] = result.utilities[p];
  slot.record.finished = result.finished;
  slot.record.length = result.length;
  slot.discarded = search_.is_discarded(result, *slot.state);
  if (wanted_.quality && result.finished && !slot.discarded)
    slot.record.raw_quality = quality_.read(*slot.state, result.utilities, search_.info.num_players);
}

void Worker::evaluate_batch(int count) {
  questions_.clear();
  answers_.resize(static_cast<std::size_t>(count));
  for (const Slot* slot : pending_) {
    const bool alone = slot->leaf != kNoNode && tree_.node(slot->leaf).player >= 0;
    questions_.push_back({slot->state.get(), alone ? slot->actions.span() : std::span<const Action>()});
  }
  search_.evaluator->evaluate(questions_, answers_, {rng_, search_.max_length, search_.cut, halt_});
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    Slot& slot = *pending_[i];
    slot.utilities = answers_[i].utilities;
    slot.record.finished = false;
    if (search_.step_rewards) {  // what was collected on the way is on the path already
      Values so_far{};
      slot.state->returns(so_far);
      for (std::size_t p = 0; p < so_far.size(); ++p) slot.utilities[p] -= so_far[p];
    }
    if (slot.leaf == kNoNode || !search_.columns.prior || answers_[i].priors.empty()) continue;
    Node& node = tree_.node(slot.leaf);
    const NodeLock lock(node, shared_);
    for (std::uint32_t k = 0; k < node.num_edges; ++k) tree_.prior(node.first_edge + k) = answers_[i].priors[k];
  }
}

// ---- 4. Backup: fold the value into every column that the parts declared. ------------------------------------------

void Worker::finish(Slot& slot) {
  Record& record = slot.record;
  record.trace = &slot.trace;
  record.tree_steps = static_cast<int>(slot.path.steps.size());
  record.num_players = search_.info.num_players;
  const int depth = search_.info.has(Capability::kSimultaneous) ? slot.path.length() : record.tree_steps;
  Outcome outcome;
  if (team_ && !slot.settled) {
    team_->for_each([&](const PlayoutResult& result, const Trace& trace, Playout& playout) {
      record.trace = &trace;
      record.length = depth + result.length;
      record.finished = result.finished;
      record.raw_quality = result.raw_quality;
      if (result.unresolved) return add_stand_in(slot, outcome);
      add_result(slot, result.utilities, outcome);
      if (wanted_.trace) playout.learn(record);
    });
  } else {
    record.length = slot.settled || search_.evaluator ? depth : depth + record.length;
    const int copies = team_ ? team_->size() : 1;
    for (int k = 0; k < copies; ++k)
      slot.discarded ? add_stand_in(slot, outcome) : add_result(slot, slot.utilities, outcome);
    if (wanted_.trace && !slot.discarded) tell([&record](Playout& playout) { playout.learn(record); });
  }
  slot.open = false;
  if (hot_) {
    fold_hot(slot.path, outcome);
  } else {
    search_.backup->fold(tree_, slot.path, outcome, shared_, search_.proof.get());
  }
  if (search_.virtual_loss == 1 || team_) return;
  for (const PathStep& step : slot.path.steps) {  // a larger virtual loss goes back to the one real visit
    uncount(step, search_.virtual_loss - 1);
  }
}

void Worker::add_result(Slot& slot, const Values& utilities, Outcome& outcome) {
  Record& record = slot.record;
  for (std::size_t p = 0; p < static_cast<std::size_t>(record.num_players); ++p)
    record.values[p] = record.base[p] = record.outcome[p] = search_.scale.to_unit(utilities[p]);
  if (wanted_.record) {
    record.winner = record.finished ? winner_of(record.outcome, record.num_players) : kNobody;
    if (record.winner == kNobody) record.raw_quality = kNoQuality;
    record.before = simulations_++;
    record.expected = expected_;
    for (const auto& bonus : bonuses_) bonus->adjust(record);
  }
  outcome.add(record);
  if (search_.discards && known_.weight < kEnough) known_.add(record);
}

// A simulation without a result says nothing: it counts as what the others said on average. Before there are any it
// counts as the worst, so that no action looks good because nothing is known of it.
void Worker::add_stand_in(Slot& slot, Outcome& outcome) {
  Record& record = slot.record;
  const double weight = std::max(known_.weight, 1);
  for (std::size_t p = 0; p < static_cast<std::size_t>(record.num_players); ++p) {
    record.values[p] = known_.sum[p] / weight;
    record.outcome[p] = known_.unaltered[p] / weight;
  }
  outcome.add(record);
  ++discarded_;
  if (wanted_.record) ++simulations_;
}

void Worker::undo_visits(Slot& slot) {
  slot.open = false;
  const int weight = team_ ? team_->size() : search_.virtual_loss;
  for (const PathStep& step : slot.path.steps) uncount(step, weight);
  if (slot.counted) uncount_joint(slot.path);
  if (slot.end == kNoNode) return;
  const NodeLock lock(tree_.node(slot.end), shared_);
  tree_.node(slot.end).visits -= team_ ? team_->size() : 1;
}

void Worker::uncount(const PathStep& step, int weight) {
  if (step.hot) return hot_->uncount(step, weight);
  Node& node = tree_.node(step.node);
  const NodeLock lock(node, shared_);
  tree_.set_visits(step.edge, tree_.visits(step.edge) - weight);
  if (!step.joint) node.visits -= weight;
}

}  // namespace treewise
