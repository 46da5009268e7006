// MCTS-Solver (Winands, Bjornsson & Saito 2008) for wins, losses and draws and any number of players: exact
// results of terminal states climb the tree as far as they settle it.
#pragma once

#include <optional>

#include "search/outcome.h"
#include "search/part.h"
#include "search/path.h"

namespace treewise {

class Solver {
 public:
  explicit Solver(bool one_ply) : one_ply_(one_ply) {}

  // Look for winning actions whenever a node is made, where the game lists them.
  bool one_ply() const { return one_ply_; }

  // The last edge of `path` (or the root, if the path is empty) has the exact result `values`, on the scale
  // [0, 1]. Marks what follows from it and returns the exact result of the highest edge that it settles.
  Values prove(Tree& tree, const Path& path, Values values) const;

  // The exact result of a node, if its edges settle it: the chooser has an edge with the greatest result, or
  // all edges are proven (then the chooser takes the best, and chance the mean).
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
  static void mark(Tree& tree, NodeId node, EdgeId edge, const Values& values);

 private:
  bool one_ply_;
};

std::shared_ptr<const Solver> make_proof(const PartSpec& spec);  // nullptr for "none"

}  // namespace treewise
