// What a finished run says: the roots of all its trees added up.
#include <algorithm>
#include <map>

#include "search/search.h"

namespace treewise {

std::vector<RootChild> Search::merged_root() const {
  std::vector<RootChild> merged;
  std::map<std::pair<int, Action>, std::size_t> index;
  for (const auto& tree : trees_) {
    if (tree->root() == kNoNode) continue;
    const Node& node = tree->node(tree->root());
    for (EdgeId e = node.first_edge; e < node.first_edge + node.num_edges; ++e) {
      const int player = node.player == kSimultaneous ? tree->chooser(e) : node.player;
      const auto [entry, added] = index.try_emplace({player, tree->action(e)}, merged.size());
      if (added) merged.push_back({.action = tree->action(e), .player = player});
      RootChild& child = merged[entry->second];
      child.visits += tree->visits(e);
      child.value += tree->value(e);  // a sum for now
      if (composition_.columns.prior)
        child.prior += static_cast<double>(tree->prior(e)) / static_cast<double>(trees_.size());
      // A proof in one of several worlds proves nothing about the others.
      if (composition_.proof && composition_.worlds == 0 && Solver::is_proven(*tree, e))
        child.proven = Solver::proof(*tree, e)[static_cast<std::size_t>(player)];
    }
  }
  for (RootChild& child : merged) {
    if (child.visits > 0) child.value /= static_cast<double>(child.visits);
    if (child.proven) child.value = *child.proven;
    child.utility = composition_.scale.to_utility(child.value);
  }
  return merged;
}

// Whether a line goes on by one edge rather than by another: by what the node is proven to give, and else by what was
// visited more.
bool Search::leads_on(const Tree& tree, NodeId id, EdgeId edge, EdgeId other) const {
  if (composition_.proof && tree.node(id).player >= 0) {
    if (const auto exact = composition_.proof->result(tree, id)) {
      const auto player = static_cast<std::size_t>(tree.node(id).player);
      const auto gives = [&](EdgeId e) {
        return Solver::is_proven(tree, e) && Solver::proof(tree, e)[player] >= (*exact)[player];
      };
      if (gives(edge) != gives(other)) return gives(edge);
    }
  }
  return tree.visits(edge) > tree.visits(other);
}

std::vector<Action> Search::line_from(const Tree& tree, Action first) const {
  std::vector<Action> line;
  NodeId id = tree.root();
  while (id < kExpanding) {
    const Node& node = tree.node(id);
    if (node.player < 0 && !line.empty()) break;  // the line ends where chance or several players decide
    EdgeId best = node.first_edge;
    for (EdgeId e = node.first_edge; e < node.first_edge + node.num_edges; ++e) {
      if (line.empty() ? tree.action(e) == first : leads_on(tree, id, e, best)) best = e;
    }
    if (!line.empty() && tree.visits(best) == 0) break;
    line.push_back(tree.action(best));
    // What follows in a drawn world may be impossible in the real one.
    if (node.player < 0 || composition_.worlds > 0) break;
    id = tree.child(best);
  }
  return line;
}

bool Search::has_root() const {
  return std::any_of(trees_.begin(), trees_.end(), [](const auto& tree) { return tree->root() != kNoNode; });
}

Report Search::report(std::uint64_t seed) const {
  if (!has_root()) throw std::logic_error("nothing was searched yet");
  Report report;
  report.player = player_;
  report.children = merged_root();
  report.simulations = simulations_;
  report.seconds = seconds_;
  Rng rng(derive_seed(seed, 1u << 21));
  const int players = composition_.info.num_players;
  for (int p = 0; p < players; ++p) {
    std::vector<RootChild> own;
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < report.children.size(); ++i) {
      if (report.children[i].player != p) continue;
      own.push_back(report.children[i]);
      indices.push_back(i);
    }
    if (!own.empty()) report.chosen.push_back(indices[decide(*composition_.decision, own, rng)]);
  }
  std::int64_t visits = 0, depth = 0;
  double sum = 0;
  for (const RootChild& child : report.children) {
    if (child.player != report.children[0].player) continue;
    visits += child.visits;
    sum += child.value * static_cast<double>(child.visits);
  }
  report.root_value = visits > 0 ? sum / static_cast<double>(visits) : 0.5;
  for (const RootChild& child : report.children)  // who has a sure result need not take what looks worse
    if (child.player == report.children[0].player && child.proven)
      report.root_value = std::max(report.root_value, *child.proven);
  for (const auto& tree : trees_) {
    report.nodes += tree->num_nodes();
    report.edges += tree->num_edges();
    report.memory += tree->memory_used();
    report.memory_full |= tree->full();
  }
  report.bytes_per_edge = trees_[0]->bytes_per_edge();
  bool proven = false;
  for (const Crew& crew : crews_) {
    for (const auto& worker : crew.workers) {
      report.max_depth = std::max(report.max_depth, worker->max_depth());
      depth += worker->total_depth();
      report.discarded += worker->discarded();
      proven |= worker->root_proven();
    }
  }
  if (simulations_ > 0) report.mean_depth = static_cast<double>(depth) / static_cast<double>(simulations_);
  report.stopped = was_interrupted_ ? "interrupted" : proven ? "proven" : "limit";
  if (composition_.proof && composition_.worlds == 0) {
    for (const auto& tree : trees_) {
      if (tree->root() == kNoNode) continue;
      const auto exact = composition_.proof->result(*tree, tree->root());
      if (!exact) continue;
      report.proven = Values{};
      for (std::size_t p = 0; p < exact->size(); ++p) (*report.proven)[p] = composition_.scale.to_utility((*exact)[p]);
      if (player_ >= 0) report.root_value = (*exact)[static_cast<std::size_t>(player_)];
    }
  }
  const Action first = report.children[report.chosen[0]].action;
  const Tree* widest = nullptr;
  for (const auto& tree : trees_) {
    if (tree->root() == kNoNode) continue;
    if (!widest || tree->node(tree->root()).visits > widest->node(widest->root()).visits) widest = tree.get();
  }
  report.line = line_from(*widest, first);
  return report;
}

}  // namespace treewise
