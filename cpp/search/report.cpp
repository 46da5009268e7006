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
        child.exact = Solver::proof(*tree, e)[static_cast<std::size_t>(player)];
    }
  }
  for (RootChild& child : merged) {
    if (child.visits > 0) child.value /= static_cast<double>(child.visits);
    if (child.exact) child.value = composition_.scale.to_unit(*child.exact);
    child.utility = child.exact ? *child.exact : composition_.scale.to_utility(child.value);
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

// The edges by which a line goes on at a node, one for each player who chooses there: those of the given actions, or
// the best.
std::vector<EdgeId> Search::line_step(const Tree& tree, NodeId id, std::span<const Action> given) const {
  const Node& node = tree.node(id);
  std::vector<EdgeId> best;
  for (EdgeId e = node.first_edge; e < node.first_edge + node.num_edges; ++e) {
    const std::size_t player = node.player == kSimultaneous ? static_cast<std::size_t>(tree.chooser(e)) : 0;
    if (player == best.size()) best.push_back(e);  // the edges of the players follow each other
    if (given.empty() ? leads_on(tree, id, e, best[player]) : tree.action(e) == given[player]) best[player] = e;
  }
  return best;
}

std::vector<std::vector<Action>> Search::line_from(const Tree& tree, const std::vector<Action>& first) const {
  std::vector<std::vector<Action>> line = {first};
  // What follows in a drawn world may be impossible in the real one.
  if (composition_.worlds > 0) return line;
  std::vector<EdgeId> edges = line_step(tree, tree.root(), first);
  for (NodeId id = tree.root();;) {
    id = tree.node(id).player == kSimultaneous ? tree.joint_child(id, edges) : tree.child(edges[0]);
    if (id >= kExpanding || tree.node(id).player == kChance) return line;  // nobody decides what chance does
    edges = line_step(tree, id, {});
    if (std::ranges::any_of(edges, [&](EdgeId e) { return tree.visits(e) == 0; })) return line;
    std::vector<Action>& step = line.emplace_back();
    for (const EdgeId e : edges) step.push_back(tree.action(e));
  }
}

bool Search::has_root() const {
  return std::any_of(trees_.begin(), trees_.end(), [](const auto& tree) { return tree->root() != kNoNode; });
}

// Each player's choice, by the decision.
void Search::choose(Report& report, std::uint64_t seed) const {
  Rng rng(derive_seed(seed, 1u << 21));
  for (int p = 0; p < composition_.info.num_players; ++p) {
    std::vector<std::size_t> indices;
    const std::vector<RootChild> own = children_of_player(report.children, p, indices);
    if (!own.empty()) report.chosen.push_back(indices[decide(*composition_.decision, own, rng)]);
  }
}

void Search::value_root(Report& report) const {
  std::vector<std::size_t> indices;
  const auto own = children_of_player(report.children, report.children[0].player, indices);
  std::int64_t visits = 0;
  double sum = 0;
  for (const RootChild& child : own) {
    visits += child.visits;
    sum += child.value * static_cast<double>(child.visits);
  }
  report.value = composition_.scale.to_utility(visits > 0 ? sum / static_cast<double>(visits) : 0.5);
  for (const RootChild& child : own)  // who has a sure result need not take what looks worse
    if (child.exact) report.value = std::max(report.value, *child.exact);
  if (!composition_.proof || composition_.worlds > 0) return;
  for (const auto& tree : trees_) {
    if (tree->root() == kNoNode) continue;
    const auto exact = composition_.proof->result(*tree, tree->root());
    if (exact) report.proven = exact;
  }
  if (report.proven && player_ >= 0) report.value = (*report.proven)[static_cast<std::size_t>(player_)];
}

void Search::count_work(Report& report) const {
  report.simulations = simulations_;
  report.seconds = seconds_;
  for (const auto& tree : trees_) {
    report.nodes += tree->num_nodes();
    report.edges += tree->num_edges();
    report.memory += tree->memory_used();
    report.memory_full |= tree->full();
  }
  report.bytes_per_edge = trees_[0]->bytes_per_edge();
  std::int64_t depth = 0;
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
}

Report Search::report(std::uint64_t seed) const {
  if (!has_root()) throw std::logic_error("nothing was searched yet");
  Report report;
  report.player = player_;
  report.children = merged_root();
  choose(report, seed);
  value_root(report);
  count_work(report);
  std::vector<Action> first;
  for (const std::size_t index : report.chosen) first.push_back(report.children[index].action);
  const Tree* widest = nullptr;
  for (const auto& tree : trees_) {
    if (tree->root() == kNoNode) continue;
    if (!widest || tree->node(tree->root()).visits > widest->node(widest->root()).visits) widest = tree.get();
  }
  report.line = line_from(*widest, first);
  return report;
}

}  // namespace treewise
