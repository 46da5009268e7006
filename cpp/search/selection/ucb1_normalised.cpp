// UCB1 on values that are normalised by the range seen so far, and its form in the sample controller of the GVGAI
// framework: x + c sqrt(ln(N + offset) / (n + e)), x the normalised (sum of utilities) / (n + e), times a little noise.
#include <algorithm>
#include <cmath>

#include "search/selection/selection.h"

namespace treewise {

namespace {

const std::map<std::string, Bounds> kBounds = {{"game", Bounds::kGame},
                                               {"none", Bounds::kNone},
                                               {"node", Bounds::kNode},
                                               {"tree", Bounds::kTree},
                                               {"global", Bounds::kGlobal}};

class NormalisedUcb1 final : public Selection {
 public:
  explicit NormalisedUcb1(const PartSpec& spec)
      : c_(spec.number("c")),
        bounds_(find_part(kBounds, "bounds", spec.text("bounds"))),
        epsilon_(spec.number("epsilon")),
        offset_(spec.number("offset")) {}

  Columns needs() const override { return {.bounds = bounds_}; }
  bool wants_outlook() const override { return true; }

  void score(const Children& children, std::span<double> scores) const override {
    const Outlook& look = *children.outlook;
    const double low = look.scale.to_utility(look.seen.low), high = look.scale.to_utility(look.seen.high);
    const double log_visits = std::log(children.parent_visits + offset_);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double visits = children.visits[i], n = visits + epsilon_;
      const double mean = (look.scale.range * children.values[i] + look.scale.low * visits) / n;
      const double score = normalise(mean, low, high, look.clamped) + c_ * std::sqrt(log_visits / n);
      scores[i] = children.visits[i] > 0 ? with_noise(score, look.rng) : children.first_play;
    }
  }

 private:
  // Without a range the utility stays as it is. Where simulations under way count as visits, a mean may lie outside of
  // what was seen; it is clamped, so that they count as the least that was.
  static double normalise(double mean, double low, double high, bool clamped) {
    if (!(low < high)) return mean;
    const double unit = (mean - low) / (high - low);
    return clamped ? std::clamp(unit, 0.0, 1.0) : unit;
  }
  // The noise is relative: a tie-break among normalised values, and more than that among utilities of millions.
  double with_noise(double score, Rng* rng) const {
    return epsilon_ > 0 ? (score + epsilon_) * (1 + epsilon_ * (rng->uniform() - 0.5)) : score;
  }

  double c_;
  Bounds bounds_;
  double epsilon_, offset_;
};

}  // namespace

std::shared_ptr<const Selection> make_normalised_ucb1(const PartSpec& spec) {
  return std::make_shared<NormalisedUcb1>(spec);
}

}  // namespace treewise
