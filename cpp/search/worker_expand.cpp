// The worker's second step: a leaf becomes a node with its edges.
#include <algorithm>

#include "search/parallel/leaf_team.h"
#include "search/worker.h"

namespace treewise {

NodeId Worker::child_or_expand(Slot& slot, EdgeId edge, int before) {
  const NodeId child =
      shared_ ? std::atomic_ref<NodeId>(tree_.child(edge)).load(std::memory_order_acquire) : tree_.child(edge);
  if (child < kExpanding) return child;
  // An evaluator answers for the new node itself; a playout starts one step below it. Chance states are
  // always passed through, so that a leaf has somebody to move.
  const bool chance = slot.state->current_player() == kChance;
  if (child == kExpanding || (!chance && !search_.evaluator && !search_.expansion->ready(before))) return kNoNode;
  if (steps_left(slot) == 0) return kNoNode;
  if (shared_) {
    NodeId none = kNoNode;
    if (!std::atomic_ref<NodeId>(tree_.child(edge)).compare_exchange_strong(none, kExpanding)) return kNoNode;
  }
  NodeId made = kNoNode;
  try {
    made = expand(slot, std::max(before, 0));
  } catch (...) {
    if (shared_) std::atomic_ref<NodeId>(tree_.child(edge)).store(kNoNode, std::memory_order_release);
    throw;
  }
  if (made != kNoNode && search_.columns.bounds == Bounds::kNode) inherit_range(slot, edge, before, made);
  const bool ends = made == kNoNode || slot.settled || slot.leaf != kNoNode;
  if (ends && made != kNoNode) end_in(slot, made);
  std::atomic_ref<NodeId>(tree_.child(edge)).store(made, std::memory_order_release);
  return ends ? kNoNode : made;
}

// The range of a new node begins with the result that its leaf has had, if the same player chose there.
void Worker::inherit_range(const Slot& slot, EdgeId edge, int before, NodeId made) {
  const int player = tree_.node(made).player;
  if (before == 0 || shared_ || player != slot.path.steps.back().player) return;
  tree_.see(made, player, tree_.value(edge) / before);
}

// Simulations that go on from a node are counted there on their way down; this one stops in it.
void Worker::end_in(Slot& slot, NodeId node) {
  const NodeLock lock(tree_.node(node), shared_);
  tree_.node(node).visits += team_ ? team_->size() : 1;
  slot.end = node;
}

NodeId Worker::expand(Slot& slot, int visits) {
  const int player = slot.state->current_player();
  const NodeId node = player == kSimultaneous ? add_joint_node(slot, visits) : add_choice_node(slot, player, visits);
  if (node == kNoNode) return kNoNode;
  if (search_.proof && search_.proof->one_ply() && prove_one_ply(slot, node)) return node;
  if (search_.evaluator && player != kChance) slot.leaf = node;
  return node;
}

// The edges are shuffled, so that "the first of the best" is a random one.
NodeId Worker::add_choice_node(Slot& slot, int player, int visits) {
  slot.state->legal_actions(slot.actions);
  if (slot.actions.empty()) throw std::invalid_argument("a state that is not terminal has no legal actions");
  if (player != kChance) rng_.shuffle(slot.actions.begin(), slot.actions.size());
  const NodeId id = tree_.add_node(player, slot.actions.span(), visits);
  if (id == kNoNode || !search_.columns.prior) return id;
  const Node& node = tree_.node(id);
  if (player == kChance) {
    dynamic_cast<const HasChance&>(*slot.state).chance_probabilities(probabilities_);
    for (std::uint32_t i = 0; i < node.num_edges; ++i)
      tree_.prior(node.first_edge + i) = static_cast<float>(probabilities_[i]);
  } else {
    for (std::uint32_t i = 0; i < node.num_edges; ++i)
      tree_.prior(node.first_edge + i) = 1.0f / static_cast<float>(node.num_edges);
  }
  return id;
}

// The edges of all players, one player after the other.
NodeId Worker::add_joint_node(Slot& slot, int visits) {
  const HasSimultaneous& rules = *slot.simultaneous.of(*slot.state);
  std::array<int, kMaxPlayers> counts{};
  slot.actions.clear();
  for (int p = 0; p < search_.info.num_players; ++p) {
    rules.legal_actions(p, list_);
    if (list_.empty()) throw std::invalid_argument("a player has no legal actions at a simultaneous state");
    rng_.shuffle(list_.begin(), list_.size());
    for (const Action a : list_) slot.actions.push_back(a);
    counts[static_cast<std::size_t>(p)] = list_.size();
  }
  const NodeId id = tree_.add_node(kSimultaneous, slot.actions.span(), visits);
  if (id == kNoNode) return id;
  EdgeId edge = tree_.node(id).first_edge;
  for (int p = 0; p < search_.info.num_players; ++p) {
    const int count = counts[static_cast<std::size_t>(p)];
    for (int i = 0; i < count; ++i, ++edge) {
      tree_.chooser(edge) = static_cast<std::int8_t>(p);
      if (search_.columns.prior) tree_.prior(edge) = 1.0f / static_cast<float>(count);
    }
  }
  return id;
}

// Marks the winning actions that the game lists here as proven. True if they settle the node, and with it what follows:
// a win that is not the greatest there is leaves open whether another action gives more.
bool Worker::prove_one_ply(Slot& slot, NodeId id) {
  const Node& node = tree_.node(id);
  if (node.player < 0 || !search_.info.has(Capability::kWinning)) return false;
  winning_.of(*slot.state)->winning_actions(wins_);
  if (wins_.empty()) return false;
  if (!scratch_) scratch_ = slot.state->clone();
  std::optional<Values> exact;
  for (int i = 0; i < wins_.size() && !exact; ++i) {
    const Action win = wins_[static_cast<std::size_t>(i)];
    scratch_->assign(*slot.state);
    scratch_->apply(win);
    if (!scratch_->is_terminal()) throw std::logic_error("winning_actions lists an action that does not end the match");
    Values utilities{};
    scratch_->returns(utilities);
    for (EdgeId e = node.first_edge; e < node.first_edge + node.num_edges; ++e) {
      if (tree_.action(e) == win) Solver::mark(tree_, id, e, utilities);
    }
    exact = search_.proof->result(tree_, id);
  }
  if (exact) settle_exact(slot, *exact);
  return exact.has_value();
}

}  // namespace treewise
