// MCTS-Solver (Winands, Bjornsson & Saito 2008) for wins, losses and draws and any number of players: exact
// results of terminal states climb the tree as far as they settle it.
#pragma once

#include <optional>

#include "search/outcome.h"
#include "search/part.h"
#include "search/path.h"
#include "search/scale.h"

namespace treewise {

class Solver {
 public:
  Solver(bool one_ply, const Scale& scale) : one_ply_(one_ply), scale_(scale) {}

  // Look for winning actions whenever a node is made, where the game lists them.
  bool one_ply() const { return one_ply_; }

  // Exact results are utilities as the game gives them, not numbers on the tree's scale, so that none is rounded.

  // The last edge of `path` (or the root, if the path is empty) has the exact result `utilities`. Marks what follows
  // from it and returns the exact result of the highest edge that it settles.
  Values prove(Tree& tree, const Path& path, Values utilities) const;

  // The exact result of a node, if its edges settle it: the chooser has an edge with the greatest result, or
  // all edges are proven (then the chooser takes the best, the first of equals, and chance the mean).
  std::optional<Values> result(const Tree& tree, NodeId node) const;

  // A player with a proven result at hand need not accept less: raises a worse `outcome` at `node` to the best one
  // that its chooser has proven. What comes from unproven actions above that stays as it is. Bonuses do not count here:
  // a loss with a malus is no worse than a proven loss.
  void raise(const Tree& tree, NodeId node, Outcome& outcome) const;

  static bool is_proven(const Tree& tree, EdgeId edge) {
    return std::atomic_ref<std::uint8_t>(const_cast<Tree&>(tree).proven(edge)).load(std::memory_order_seq_cst) != 0;
  }
  // Without looking at the edges: most nodes have none that is proven.
  static bool any_proven(const Node& node) { return peek(node.proven) != 0; }
  static Values proof(const Tree& tree, EdgeId edge);
  static void mark(Tree& tree, NodeId node, EdgeId edge, const Values& utilities);

 private:
  bool one_ply_;
  Scale scale_;
};

std::shared_ptr<const Solver> make_proof(const PartSpec& spec, const Scale& scale);  // nullptr for "none"

}  // namespace treewise
