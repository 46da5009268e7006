// UCB1 (Auer et al. 2002) as used by UCT (Kocsis & Szepesvari 2006): mean + c sqrt(ln N / n).
#include <cmath>

#include "search/selection/selection.h"

namespace treewise {

namespace {

class Ucb1 final : public Selection {
 public:
  explicit Ucb1(double c) : c_(c) {}

  void score(const Children& children, std::span<double> scores) const override {
    // A branch-free loop over plain arrays: the compiler turns it into vector instructions.
    const double spread = c_ * std::sqrt(std::log(children.parent_visits));
    const double first_play = children.first_play;
    const std::int32_t* visits = children.visits.data();
    const double* values = children.values.data();
    double* out = scores.data();
    const std::size_t size = children.visits.size();
    for (std::size_t i = 0; i < size; ++i) {
      const double n = visits[i];
      const double root = std::sqrt(n);
      const double score = (values[i] + spread * root) / n;
      out[i] = visits[i] > 0 ? score : first_play;
    }
  }

 private:
  double c_;
};

}  // namespace

std::shared_ptr<const Selection> make_ucb1(const PartSpec& spec) {
  return std::make_shared<Ucb1>(spec.number("c"));
}

}  // namespace treewise
