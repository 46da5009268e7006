// The way down of plain UCT, which most searches are: what `descend` does, where no part has anything to add to it.
#include <limits>

#include "search/parallel/leaf_team.h"
#include "search/selection/ucb1.h"
#include "search/worker.h"

namespace treewise {

const Ucb1* Worker::plain_uct() const {
  const bool plain = unvisited_first_ && plain_ && !widens_ && !adds_bonuses_ && !search_.proof &&
                     !search_.step_rewards && !wanted_.path && !wanted_.trace &&
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
    {
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

}  // namespace treewise
