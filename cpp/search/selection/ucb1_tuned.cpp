// UCB1-Tuned (Auer et al. 2002): mean + c sqrt(ln N / n * min(1/4, V)), V = variance + sqrt(2 ln N / n).
// 1/4 is the largest variance on the scale [0, 1].
#include <algorithm>
#include <cmath>

#include "search/selection/selection.h"

namespace treewise {

namespace {

class Ucb1Tuned final : public Selection {
 public:
  explicit Ucb1Tuned(double c) : c_(c) {}

  Columns needs() const override { return {.squares = true}; }

  void score(const Children& children, std::span<double> scores) const override {
    const double log_visits = std::log(children.parent_visits);
    for (std::size_t i = 0; i < children.visits.size(); ++i) {
      const double n = children.visits[i];
      const double mean = children.values[i] / n;
      // Never below 0, where rounding takes it if results are alike and far from the scale.
      const double variance = std::max(0.0, children.squares[i] / n - mean * mean);
      const double bound = std::min(0.25, variance + std::sqrt(2 * log_visits / n));
      const double score = mean + c_ * std::sqrt(log_visits / n * bound);
      scores[i] = children.visits[i] > 0 ? score : children.first_play;
    }
  }

 private:
  double c_;
};

}  // namespace

std::shared_ptr<const Selection> make_ucb1_tuned(const PartSpec& spec) {
  return std::make_shared<Ucb1Tuned>(spec.number("c"));
}

}  // namespace treewise
