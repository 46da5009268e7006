// Backup: folds a simulation's result into every edge of its path. Visits were added on the way down.
#pragma once

#include <memory>

#include "search/outcome.h"
#include "search/part.h"
#include "search/path.h"
#include "search/record.h"

namespace treewise {

class Solver;

class Backup {
 public:
  virtual ~Backup() = default;
  // `outcome` may be changed on the way up. `shared`: other threads use the tree. `proof`, where there is one, raises
  // results that fall below what a player on the path has proven.
  virtual void fold(Tree& tree, const Path& path, Outcome& outcome, bool shared, const Solver* proof) const = 0;
  // Whether it adds the outcome, as it is, to every edge.
  virtual bool adds_the_result() const { return false; }
  // Not 1: playouts and the path must keep step rewards where the game has them.
  virtual double discount() const { return 1; }
};

std::shared_ptr<const Backup> make_backup(const PartSpec& spec, const Scale& scale, int num_players);

// Adds the outcome to one edge.
inline void add_outcome(Tree& tree, const PathStep& step, const Outcome& outcome, bool shared) {
  const auto p = static_cast<std::size_t>(step.player);
  const NodeLock lock(tree.node(step.node), shared);
  tree.value(step.edge) += outcome.sum[p];
  if (!tree.keeps_more()) return;
  if (tree.columns().squares) tree.squares(step.edge) += outcome.squares[p];
  if (tree.columns().has_ranges()) tree.see(step.node, step.player, outcome.sum[p] / outcome.weight);
}

}  // namespace treewise
