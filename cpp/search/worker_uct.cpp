// The way down of plain UCT, which most searches are: what `descend` does, where no part has anything to add to it.
#include <limits>
#include <tuple>

#include "search/parallel/hot_nodes.h"
#include "search/parallel/leaf_team.h"
#include "search/selection/ucb1.h"
#include "search/worker.h"

namespace treewise {

const Ucb1* Worker::plain_uct() const {
  const bool plain = unvisited_first_ && plain_ && !widens_ && !adds_bonuses_ && !search_.proof &&
                     search_.backup->adds_the_result() && !search_.step_rewards && !wanted_.path && !wanted_.trace &&
                     !search_.info.has(Capability::kChance) && !search_.info.has(Capability::kSimultaneous);
  return plain ? search_.selection->ucb1() : nullptr;
}

void Worker::descend_uct(Slot& slot) {
  const int weight = team_ ? team_->size() : search_.virtual_loss;
  State& state = *slot.state;
  NodeId id = tree_.root();
  while (true) {
    EdgeId edge;
    int before;
    if (HotNodes::Copy* const copy = hot_ ? hot_->find(id) : nullptr) {
      std::tie(edge, before) = hot_->visit(*copy, *uct_, weight);
      slot.path.steps.push_back({id, edge, copy->player, false, true});
    } else {
      Node& node = tree_.node(id);
      const NodeLock lock(node, shared_);
      const EdgeId first = node.first_edge, last = first + node.num_edges - 1;
      if (first == last) {
        edge = first;
      } else if (!tree_.visited(last)) [[unlikely]] {
        edge = first_unvisited(first, node.num_edges);
      } else {
        edge = first + uct_->best(tree_.inverse_roots_from(first), &tree_.value(first), node.num_edges, node.visits,
                                  std::numeric_limits<double>::infinity());
      }
      before = tree_.visits(edge);
      slot.path.steps.push_back({id, edge, node.player});
      node.visits += weight;
      tree_.set_visits(edge, before + weight);
      if (hot_) hot_->consider(node);
    }
    tree_.expect_value(edge);
    if (state.apply_and_end(tree_.action(edge))) {
      settle_terminal(slot);
      return;
    }
    id = std::atomic_ref<NodeId>(tree_.child(edge)).load(std::memory_order_acquire);
    if (id < kExpanding) continue;
    id = child_or_expand(slot, edge, before);
    if (id == kNoNode) return;
  }
}

void Worker::fold_hot(const Path& path, const Outcome& outcome) {
  for (const PathStep& step : path.steps) {
    if (step.hot) {
      hot_->add(step, outcome);
    } else {
      add_outcome(tree_, step, outcome, true);
    }
  }
}

}  // namespace treewise
