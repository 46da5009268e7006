// A composed search, built for one game: all parts that the workers share. Immutable while they run.
#pragma once

#include "search/backup/backup.h"
#include "search/bonus/bonus.h"
#include "search/decision/decision.h"
#include "search/evaluator/evaluator.h"
#include "search/expansion/expansion.h"
#include "search/first_play/first_play.h"
#include "search/limit/limit.h"
#include "search/playout/playout.h"
#include "search/proof/solver.h"
#include "search/selection/selection.h"

namespace treewise {

// What the parts want to know of a simulation beyond its result, asked once.
struct Wanted {
  bool record = false, trace = false, quality = false, path = false;
};

enum class Parallel { kOne, kRoot, kLeaf, kTree };

struct Composition {
  // `spec` is the record of the whole search, one entry for each family.
  Composition(const PartSpec& spec, const GameInfo& info);

  GameInfo info;
  Scale scale;
  std::shared_ptr<const Selection> selection;
  std::shared_ptr<const FirstPlay> first_play;
  std::shared_ptr<const Expansion> expansion;
  PartPointer playout;                   // built anew for each worker
  std::shared_ptr<Evaluator> evaluator;  // instead of playouts; may be null
  std::vector<std::shared_ptr<const ScoreBonus>> score_bonuses;
  std::vector<PartPointer> result_bonuses;  // built anew for each worker
  std::shared_ptr<const Backup> backup;
  std::shared_ptr<const Solver> proof;  // may be null
  std::shared_ptr<const Decision> decision;
  std::shared_ptr<const Limit> limit;

  Parallel parallel = Parallel::kOne;
  int threads = 1;
  int virtual_loss = 1;
  int worlds = 0;  // determinizations of hidden information; 0: the state is taken as it is
  std::size_t memory_bytes = 0;
  bool closed_loop = false;  // edges keep the states that they led to when they were first tried
  int max_length = 0;
  int horizon = 0;             // the most steps of a simulation, in the tree and after it; 0: no end but max_length
  Values cut{};                // utilities of a playout that is cut off; see `cut_utilities`
  bool discards = false;       // terminal states may lack a result, and simulations that come to one are discarded
  bool discards_cuts = false;  // so are playouts that are cut off
  bool is_discarded(const PlayoutResult& result, const State& end) const {
    return discards && (result.finished ? !end.has_result() : result.unresolved && discards_cuts);
  }
  Columns columns;
  bool step_rewards = false;  // keep them along the path, for a discounted backup
};

}  // namespace treewise
