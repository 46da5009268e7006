// The worker where several players choose at once.
#include <algorithm>

#include "search/worker.h"

namespace treewise {

namespace {

// How much less a score may be, on the scale [0, 1], to count as a tie between players who choose at once.
constexpr double kNearlyEqual = 0.01;

}  // namespace

NodeId Worker::joint_step(Slot& slot, NodeId id) {
  Node& node = tree_.node(id);
  const int players = search_.info.num_players;
  std::array<Action, kMaxPlayers> joint{};
  std::array<EdgeId, kMaxPlayers> edges{};
  {
    const NodeLock lock(node, shared_);
    EdgeId first = node.first_edge;
    for (int p = 0; p < players; ++p) {
      EdgeId last = first;
      while (last < node.first_edge + node.num_edges && tree_.chooser(last) == p) ++last;
      edges[static_cast<std::size_t>(p)] = select_at_once(node, first, last - first);
      first = last;
    }
    for (int p = 0; p < players; ++p) {
      const auto i = static_cast<std::size_t>(p);
      visit(slot, id, edges[i], p, p > 0);
      joint[i] = tree_.action(edges[i]);
    }
  }
  slot.simultaneous.of(*slot.state)->apply_joint({joint.data(), static_cast<std::size_t>(players)});
  if (after_apply(slot, slot.state->is_terminal())) return kNoNode;
  const std::span<const EdgeId> chosen(edges.data(), static_cast<std::size_t>(players));
  const NodeId child = tree_.joint_child(id, chosen);
  if (child != kNoNode) return !dice_ || fits(slot, child) ? child : kNoNode;
  if (steps_left(slot) == 0) return kNoNode;
  const NodeId made = expand(slot, 0);
  if (made == kNoNode) return kNoNode;
  const NodeId kept = tree_.add_joint_child(id, chosen, made);
  if (!slot.settled && slot.leaf == kNoNode && slot.state->current_player() == kChance) return kept;
  end_in(slot, kept);
  return kNoNode;
}

// Where several choose at once, all that is nearly as good as the best has the same chance: players whose statistics
// mirror each other would else turn to other actions at the same moment, and meet in the same pairs for ever.
EdgeId Worker::select_at_once(const Node& node, EdgeId first, std::uint32_t count) {
  if (count == 1) return first;
  const Children children = children_of(node, first, count);
  scores_.resize(count);
  search_.selection->score(children, scores_);
  for (const auto& bonus : search_.score_bonuses) bonus->add(children, scores_);
  const double least = *std::max_element(scores_.begin(), scores_.end()) - kNearlyEqual;
  const auto ties = std::count_if(scores_.begin(), scores_.end(), [=](double score) { return score >= least; });
  std::uint32_t skip = ties > 1 ? rng_.below(static_cast<std::uint32_t>(ties)) : 0;
  std::uint32_t i = 0;
  while (i + 1 < count && (scores_[i] < least || skip-- > 0)) ++i;
  return first + i;
}

}  // namespace treewise
