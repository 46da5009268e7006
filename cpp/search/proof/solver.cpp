#include "search/proof/solver.h"

namespace treewise {

Values Solver::proof(const Tree& tree, EdgeId edge) {
  Values values{};
  for (int p = 0; p < tree.num_players(); ++p) values[static_cast<std::size_t>(p)] = peek(tree.proof(edge)[p]);
  return values;
}

void Solver::mark(Tree& tree, NodeId node, EdgeId edge, const Values& utilities) {
  for (int p = 0; p < tree.num_players(); ++p) poke(tree.proof(edge)[p], utilities[static_cast<std::size_t>(p)]);
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
  double total = 0;  // of the probabilities, which are kept in single precision
  bool any = false, all = true;
  for (EdgeId e = node.first_edge; e < node.first_edge + node.num_edges; ++e) {
    if (!is_proven(tree, e)) {
      all = false;
      continue;
    }
    const Values values = proof(tree, e);
    if (node.player == kChance) {
      const auto probability = static_cast<double>(tree.prior(e));
      total += probability;
      for (std::size_t p = 0; p < mean.size(); ++p) mean[p] += probability * values[p];
      continue;
    }
    if (!any || values[chooser] > best[chooser]) best = values;
    any = true;
    if (scale_.to_unit(values[chooser]) >= 1) return values;
  }
  if (!all) return std::nullopt;
  if (node.player != kChance) return best;
  for (double& utility : mean) utility /= total;
  return mean;
}

void Solver::raise(const Tree& tree, NodeId id, Outcome& outcome) const {
  const Node& node = tree.node(id);
  if (node.player < 0 || !any_proven(node)) return;
  const auto chooser = static_cast<std::size_t>(node.player);
  double best = outcome.unaltered[chooser] / outcome.weight;
  for (EdgeId e = node.first_edge; e < node.first_edge + node.num_edges; ++e) {
    if (!is_proven(tree, e)) continue;
    const Values values = proof(tree, e);
    if (scale_.to_unit(values[chooser]) <= best) continue;
    best = scale_.to_unit(values[chooser]);
    for (std::size_t p = 0; p < values.size(); ++p) {
      const double unit = scale_.to_unit(values[p]);
      outcome.sum[p] = outcome.unaltered[p] = outcome.weight * unit;
      outcome.squares[p] = outcome.weight * unit * unit;
    }
  }
}

Values Solver::prove(Tree& tree, const Path& path, Values utilities) const {
  for (std::size_t i = path.steps.size(); i-- > 0;) {
    const PathStep& step = path.steps[i];
    // A joint action settles nothing for the single choices it is made of.
    if (tree.node(step.node).player == kSimultaneous) break;
    mark(tree, step.node, step.edge, utilities);
    const std::optional<Values> above = result(tree, step.node);
    if (!above) break;
    utilities = *above;
  }
  return utilities;
}

std::shared_ptr<const Solver> make_proof(const PartSpec& spec, const Scale& scale) {
  if (spec.name == "none") return nullptr;
  if (spec.name != "solver") throw std::invalid_argument("unknown proof '" + spec.name + "'");
  return std::make_shared<Solver>(spec.flag("one_ply"), scale);
}

}  // namespace treewise
