// Bonuses *add*: to the scores of a node's children, or to a simulation's result before it is backed up.
#pragma once

#include <memory>

#include "search/part.h"
#include "search/record.h"
#include "search/selection/selection.h"

namespace treewise {

class ScoreBonus {
 public:
  virtual ~ScoreBonus() = default;
  virtual Columns needs() const { return {}; }
  virtual void add(const Children& children, std::span<double> scores) const = 0;
};

// Each worker has its own, with its own statistics; one written in Python is shared by all.
class ResultBonus {
 public:
  virtual ~ResultBonus() = default;
  // What the record must have beyond the outcome, asked once.
  virtual bool wants_trace() const { return false; }
  virtual bool wants_length() const { return false; }
  virtual bool wants_quality() const { return false; }
  // A run begins, for `player` (the first, where several are to move at once): what was learned is forgotten.
  virtual void start(int player) { (void)player; }
  // The same, for those who want it: each player's returns at the root, and one unit of utility, both on the scale
  // [0, 1]. Games need not know returns before the end unless they have a score.
  virtual bool wants_returns() const { return false; }
  virtual void measure(const Values& returns, double unit) { (void)returns, (void)unit; }
  // Changes `record.values`.
  virtual void adjust(Record& record) = 0;
};

std::shared_ptr<ResultBonus> make_result_bonus(const PartSpec& spec);

std::shared_ptr<ResultBonus> make_relative_bonus(const PartSpec& spec);
std::shared_ptr<ResultBonus> make_quality_bonus(const PartSpec& spec);
std::shared_ptr<ResultBonus> make_combined_bonus(const PartSpec& spec);
std::shared_ptr<ResultBonus> make_quality_only(const PartSpec& spec);
std::shared_ptr<ResultBonus> make_relative_result(const PartSpec& spec);
std::shared_ptr<ResultBonus> make_clipped_result(const PartSpec& spec);

}  // namespace treewise
