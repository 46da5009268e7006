// The worker's states: where they come from, whether the tree fits them, how far they may go.
#include <algorithm>

#include "search/worker.h"

namespace treewise {

// Closed loop: goes to the state that the edge led to when it was first tried; now, if that is now. Copies are made
// only where somebody looks: at what follows for the first time, and at the end. True if the match is over there.
bool Worker::enter(Slot& slot, EdgeId edge) {
  if (const State* known = kept_->find(edge)) {
    slot.at = known;
    const bool over = known->is_terminal();
    if (over || tree_.child(edge) >= kExpanding) set_state(slot, *known);
    return over;
  }
  if (slot.at) set_state(slot, *slot.at);
  const bool over = slot.state->apply_and_end(tree_.action(edge));
  kept_->keep(edge, *slot.state, tree_);
  return over;
}

// One level down where there are dice, or states are kept.
NodeId Worker::chancy_step(Slot& slot, EdgeId edge, int before) {
  const bool over = kept_ ? enter(slot, edge) : slot.state->apply_and_end(tree_.action(edge));
  if (after_apply(slot, over)) return kNoNode;
  const NodeId child = child_or_expand(slot, edge, before);
  return child == kNoNode || !dice_ || fits(slot, child) ? child : kNoNode;
}

// With dice, the same actions may lead to states where others choose, or have other actions, than where the node was
// made. Such a simulation leaves the tree.
bool Worker::fits(Slot& slot, NodeId id) {
  if (slot.at) return true;
  const Node& node = tree_.node(id);
  if (slot.state->current_player() != node.player) return false;
  if (node.player != kSimultaneous) {
    slot.state->legal_actions(list_);
    return same_actions(node.first_edge, node.num_edges);
  }
  EdgeId first = node.first_edge, last = first;
  for (int p = 0; p < search_.info.num_players; ++p, first = last) {
    while (last < node.first_edge + node.num_edges && tree_.chooser(last) == p) ++last;
    slot.simultaneous.of(*slot.state)->legal_actions(p, list_);
    if (!same_actions(first, last - first)) return false;
  }
  return true;
}

// Whether the edges are those of `list_`, which is sorted.
bool Worker::same_actions(EdgeId first, std::size_t count) {
  if (static_cast<std::size_t>(list_.size()) != count) return false;
  sorted_.resize(count);
  for (std::size_t i = 0; i < count; ++i) sorted_[i] = tree_.action(first + static_cast<EdgeId>(i));
  std::sort(sorted_.begin(), sorted_.end());
  std::sort(list_.begin(), list_.end());
  return std::equal(sorted_.begin(), sorted_.end(), list_.begin());
}

int Worker::steps_to_horizon(const Slot& slot) const {
  const bool joint = search_.info.has(Capability::kSimultaneous);
  const int depth = joint ? slot.path.length() : static_cast<int>(slot.path.steps.size());
  return std::min(search_.max_length, std::max(0, search_.horizon - depth));
}

}  // namespace treewise
