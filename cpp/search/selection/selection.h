// Selection: scores all children of a node in one call; the greatest score is followed.
#pragma once

#include <map>
#include <memory>

#include "search/part.h"
#include "tree/tree.h"

namespace treewise {

// The children of a node as a rule sees them, for the player who chooses there. The arrays behind the spans, that of
// the scores included, may be read and written up to `padded` cells, so that loops need no ragged end.
struct Children {
  static constexpr std::size_t kPadding = 8;
  static constexpr std::size_t padded(std::size_t size) { return (size + kPadding - 1) / kPadding * kPadding; }

  std::span<const std::int32_t> visits;
  std::span<const double> values;   // sums on the scale [0, 1]
  std::span<const float> priors;    // empty unless the tree has the column
  std::span<const double> squares;  // empty unless the tree has the column
  double parent_visits;             // at least 1
  double first_play;                // what to believe of an unvisited child; may be infinite
};

class Selection {
 public:
  virtual ~Selection() = default;
  virtual Columns needs() const { return {}; }
  virtual void score(const Children& children, std::span<double> scores) const = 0;
};

std::shared_ptr<const Selection> make_selection(const PartSpec& spec);

using SelectionFactory = std::shared_ptr<const Selection> (*)(const PartSpec&);
std::shared_ptr<const Selection> make_ucb1(const PartSpec& spec);
std::shared_ptr<const Selection> make_ucb1_tuned(const PartSpec& spec);
std::shared_ptr<const Selection> make_puct(const PartSpec& spec);

}  // namespace treewise
