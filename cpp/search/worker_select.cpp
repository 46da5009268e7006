// The worker's choice among the children of a node.
#include <algorithm>
#include <limits>

#include "search/worker.h"

namespace treewise {

EdgeId Worker::select(const Node& node) {
  if (!widens_) return select_scored(node, node.first_edge, node.num_edges);
  const std::uint32_t count = search_.expansion->active(node.num_edges, node.visits);
  if (search_.expansion->takes_new_children() && !tree_.visited(node.first_edge + count - 1))
    return first_unvisited(node.first_edge, count);
  return select_scored(node, node.first_edge, count);
}

// Unvisited children are taken in order, so the visited ones are a prefix. Bisection without branches, since nobody can
// foretell which way they would go.
EdgeId Worker::first_unvisited(EdgeId first, std::uint32_t count) const {
  while (count > 1) {
    const std::uint32_t half = count / 2;
    first += half * static_cast<std::uint32_t>(tree_.visited(first + half - 1));
    count -= half;
  }
  return first;
}

Children Worker::children_of(const Node& node, EdgeId first, std::uint32_t count) {
  Children children{};
  children.visits = {tree_.visits_from(first), count};
  children.values = {&tree_.value(first), count};
  if (search_.columns.inverse_root) children.inverse_roots = {tree_.inverse_roots_from(first), count};
  if (search_.columns.squares) children.squares = {&tree_.squares(first), count};
  if (search_.columns.prior) children.priors = {&tree_.prior(first), count};
  children.parent_visits = std::max<double>(node.visits, 1);
  children.first_play =
      unvisited_first_ ? std::numeric_limits<double>::infinity() : search_.first_play->value(children);
  if (looks_around_) [[unlikely]] {
    look_around(node, first);
    children.outlook = &outlook_;
  }
  return children;
}

void Worker::look_around(const Node& node, EdgeId first) {
  const Bounds bounds = search_.columns.bounds;
  const int player = node.player == kSimultaneous ? tree_.chooser(first) : node.player;
  outlook_.seen = bounds == Bounds::kGame   ? Range{0, 1}
                  : bounds == Bounds::kNone ? Range{}
                                            : tree_.range(tree_.id_of(node), player);
}

EdgeId Worker::select_scored(const Node& node, EdgeId first, std::uint32_t count) {
  if (count == 1) return first;
  if (unvisited_first_ && !tree_.visited(first + count - 1)) return first_unvisited(first, count);
  const Children children = children_of(node, first, count);
  if (!adds_bonuses_) {
    const EdgeId best = first + search_.selection->best(children, scores_);
    if (!search_.proof || !Solver::any_proven(node) || !Solver::is_proven(tree_, best)) return best;
  }
  scores_.resize(count);
  search_.selection->score(children, scores_);
  for (const auto& bonus : search_.score_bonuses) bonus->add(children, scores_);
  if (search_.proof) exclude_proven(node, first, count);
  return first + first_of_the_best(scores_);
}

// A proven child has nothing left to show: the others are searched, and the backup sees to it that the player is
// believed to take the proven result rather than a worse one.
void Worker::exclude_proven(const Node& node, EdgeId first, std::uint32_t count) {
  if (node.player < 0) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (Solver::is_proven(tree_, first + i)) scores_[i] = -1e300;
  }
}

}  // namespace treewise
