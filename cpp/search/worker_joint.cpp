// The worker where several players choose at once.
#include <algorithm>

#include "search/parallel/leaf_team.h"
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
  const bool chance = slot.state->current_player() == kChance;
  const int before = chance || search_.evaluator ? 0 : evaluated_before(slot, id, chosen);
  if (before < 0) return kNoNode;
  const NodeId made = expand(slot, before);
  if (made == kNoNode) return kNoNode;
  const NodeId kept = tree_.add_joint_child(id, chosen, made);
  if (!slot.settled && slot.leaf == kNoNode && chance) return kept;
  end_in(slot, kept);
  return kNoNode;
}

// How often a joint action without a node was evaluated, or -1 if it shall not get one yet. This evaluation counts: a
// node made now needs no other visit to be of use, since it is the place where visits of the joint action are kept.
int Worker::evaluated_before(Slot& slot, NodeId id, std::span<const EdgeId> chosen) {
  if (search_.expansion->ready(1)) return 0;
  const int weight = team_ ? team_->size() : 1;
  const int before = tree_.count_joint(id, chosen, weight);
  slot.counted = true;
  return search_.expansion->ready(before + weight) ? before : -1;
}

void Worker::uncount_joint(const Path& path) {
  const auto players = static_cast<std::size_t>(search_.info.num_players);
  std::array<EdgeId, kMaxPlayers> chosen{};
  const std::size_t first = path.steps.size() - players;
  for (std::size_t p = 0; p < players; ++p) chosen[p] = path.steps[first + p].edge;
  tree_.count_joint(path.steps[first].node, {chosen.data(), players}, team_ ? -team_->size() : -1);
}

// Where several choose at once, all that is nearly as good as the best has the same chance: players whose statistics
// mirror each other would else turn to other actions at the same moment, and meet in the same pairs for ever.
EdgeId Worker::select_at_once(const Node& node, EdgeId first, std::uint32_t count) {
  if (widens_) {
    count = search_.expansion->active(count, node.visits);
    if (search_.expansion->takes_new_children() && !tree_.visited(first + count - 1))
      return first_unvisited(first, count);
  }
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
