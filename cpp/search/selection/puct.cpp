// PUCT as in AlphaZero and MuZero (Schrittwieser et al. 2020, appendix B):
// Q + P sqrt(N) / (1 + n) * (c + ln((N + base + 1) / base)), N the visits of all children together. Before the first of
// them N counts as 1: the prior decides, and not the order of the children.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/selection/selection.h"

namespace treewise {

namespace {

class Puct final : public Selection {
 public:
  Puct(double c, double base) : c_(c), base_(base) {}

  Columns needs() const override { return {.prior = true}; }

  void score(const Children& children, std::span<double> scores) const override {
    const auto sum = std::accumulate(children.visits.begin(), children.visits.end(), std::int64_t{0});
    const auto visits = static_cast<double>(std::max<std::int64_t>(sum, 1));
    const double factor = std::sqrt(visits) * (c_ + std::log((visits + base_ + 1) / base_));
    for (std::size_t i = 0; i < children.visits.size(); ++i) {
      const double n = children.visits[i];
      const double mean = children.visits[i] > 0 ? children.values[i] / n : children.first_play;
      scores[i] = mean + factor * static_cast<double>(children.priors[i]) / (1 + n);
    }
  }

 private:
  double c_, base_;
};

}  // namespace

std::shared_ptr<const Selection> make_puct(const PartSpec& spec) {
  return std::make_shared<Puct>(spec.number("c"), spec.number("base"));
}

}  // namespace treewise
