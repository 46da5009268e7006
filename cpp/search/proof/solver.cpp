#include "search/proof/solver.h"

namespace treewise {

Values Solver::proof(const Tree& tree, EdgeId edge) {
  Values values{};
  for (int p = 0; p < tree.num_players(); ++p)
    values[static_cast<std::size_t>(p)] = static_cast<double>(peek(tree.proof(edge)[p]));
  return values;
}

void Solver::mark(Tree& tree, NodeId node, EdgeId edge, const Values& values) {
  for (int p = 0; p < tree.num_players(); ++p)
    poke(tree.proof(edge)[p], static_cast<float>(values[static_cast<std::size_t>(p)]));
  // Two threads may prove the last two edges of a node at once: in a single order of all such marks, the one who comes
  // second sees both. With less than that, each could miss the other's and nobody would carry the proof on.
  std::atomic_ref<std::uint8_t>(tree.proven(edge)).store(1, std::memory_order_seq_cst);
  poke(tree.node(node).proven, std::uint8_t{1});
}

std::optional<Values> Solver::result(const Tree& tree, NodeId id) const {
  const Node& node = tree.node(id);
  if (node.player == kSimultaneous || !any_proven(node)) return std::nullopt;
  const auto chooser = static_cast<std::size_t>(node.player < 0 ? 0 : node.player);
  Values best{}, mean{};
  bool any = false, all = true;
  for (EdgeId e = node.first_edge; e < node.first_edge + node.num_edges; ++e) {
    if (!is_proven(tree, e)) {
      all = false;
      continue;
    }
    const Values values = proof(tree, e);
    if (node.player == kChance) {
      for (std::size_t p = 0; p < mean.size(); ++p) mean[p] += static_cast<double>(tree.prior(e)) * values[p];
      continue;
    }
    if (!any || values[chooser] > best[chooser]) best = values;
    any = true;
    if (values[chooser] >= 1) return values;
  }
  if (!all) return std::nullopt;
  return node.player == kChance ? mean : best;
}

void Solver::raise(const Tree& tree, NodeId id, Outcome& outcome) const {
  const Node& node = tree.node(id);
  if (node.player < 0 || !any_proven(node)) return;
  const auto chooser = static_cast<std::size_t>(node.player);
  double best = outcome.unaltered[chooser] / outcome.weight;
  for (EdgeId e = node.first_edge; e < node.first_edge + node.num_edges; ++e) {
    if (!is_proven(tree, e)) continue;
    const Values values = proof(tree, e);
    if (values[chooser] <= best) continue;
    best = values[chooser];
    for (std::size_t p = 0; p < values.size(); ++p) {
      outcome.sum[p] = outcome.unaltered[p] = outcome.weight * values[p];
      outcome.squares[p] = outcome.weight * values[p] * values[p];
    }
  }
}

Values Solver::prove(Tree& tree, const Path& path, Values values) const {
  for (std::size_t i = path.steps.size(); i-- > 0;) {
    const PathStep& step = path.steps[i];
    // A joint action settles nothing for the single choices it is made of.
    if (tree.node(step.node).player == kSimultaneous) break;
    mark(tree, step.node, step.edge, values);
    const std::optional<Values> above = result(tree, step.node);
    if (!above) break;
    values = *above;
  }
  return values;
}

std::shared_ptr<const Solver> make_proof(const PartSpec& spec) {
  if (spec.name == "none") return nullptr;
  if (spec.name != "solver") throw std::invalid_argument("unknown proof '" + spec.name + "'");
  return std::make_shared<Solver>(spec.flag("one_ply"));
}

}  // namespace treewise
