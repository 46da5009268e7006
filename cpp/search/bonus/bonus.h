// Bonuses *add*: to the scores of a node's children, or to a simulation's result before it is backed up.
#pragma once

#include <memory>

#include "search/record.h"
#include "search/selection/selection.h"

namespace treewise {

class ScoreBonus {
 public:
  virtual ~ScoreBonus() = default;
  virtual Columns needs() const { return {}; }
  virtual void add(const Children& children, std::span<double> scores) const = 0;
};

class ResultBonus {
 public:
  virtual ~ResultBonus() = default;
  // Changes `record.values`.
  virtual void adjust(Record& record) = 0;
};

}  // namespace treewise
