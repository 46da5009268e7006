// Selection: scores all children of a node in one call; the greatest score is followed.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/rng.h"
#include "search/part.h"
#include "search/scale.h"
#include "tree/tree.h"

namespace treewise {

// What a rule may ask for beyond the columns.
struct Outlook {
  Scale scale;           // from the tree's values to utilities
  Range seen;            // results for the player who chooses, on the scale [0, 1]; which ones is said by `Bounds`
  bool clamped = false;  // simulations under way count as visits, with nothing added to the values yet
  Rng* rng = nullptr;
};

// The children of a node as a rule sees them, for the player who chooses there. They may be read on
// to the next multiple of kBlock, so that loops over whole vectors need no ragged end.
struct Children {
  std::span<const std::int32_t> visits;
  std::span<const double> values;        // sums on the scale [0, 1]
  std::span<const float> priors;         // empty unless the tree has the column
  std::span<const double> squares;       // empty unless the tree has the column
  std::span<const float> inverse_roots;  // empty unless the tree has the column
  double parent_visits;                  // at least 1
  double first_play;                     // what to believe of an unvisited child; may be infinite
  const Outlook* outlook = nullptr;      // for rules that want it
};

class Ucb1;

class Selection {
 public:
  virtual ~Selection() = default;
  virtual Columns needs() const { return {}; }
  virtual bool wants_outlook() const { return false; }
  virtual const Ucb1* ucb1() const { return nullptr; }  // itself, if it is that and nothing more
  virtual void score(const Children& children, std::span<double> scores) const = 0;
  // The first child with the greatest score, for searches where nothing else has a say. Seven cells more than there
  // are children can be read of each column; `buffer` is scratch.
  virtual std::uint32_t best(const Children& children, std::vector<double>& buffer) const;
};

// `scores` is made longer.
std::uint32_t first_of_the_best(std::vector<double>& scores);

std::shared_ptr<const Selection> make_selection(const PartSpec& spec);

using SelectionFactory = std::shared_ptr<const Selection> (*)(const PartSpec&);
std::shared_ptr<const Selection> make_ucb1(const PartSpec& spec);
std::shared_ptr<const Selection> make_normalised_ucb1(const PartSpec& spec);
std::shared_ptr<const Selection> make_ucb1_tuned(const PartSpec& spec);
std::shared_ptr<const Selection> make_puct(const PartSpec& spec);

}  // namespace treewise
