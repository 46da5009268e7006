// UCB1 (Auer et al. 2002) as used by UCT (Kocsis & Szepesvari 2006): mean + c sqrt(ln N / n).
#include <array>
#include <cmath>

#include "search/selection/selection.h"

namespace treewise {

namespace {

// sqrt(ln N) for the small N of nearly all nodes.
double root_log(double visits) {
  static const std::array<double, 1024> table = [] {
    std::array<double, 1024> roots{};
    for (std::size_t n = 1; n < roots.size(); ++n) roots[n] = std::sqrt(std::log(static_cast<double>(n)));
    return roots;
  }();
  return visits < 1024 ? table[static_cast<std::size_t>(visits)] : std::sqrt(std::log(visits));
}

class Ucb1 final : public Selection {
 public:
  explicit Ucb1(double c) : c_(c) {}

  void score(const Children& children, std::span<double> scores) const override {
    // A loop without branches or a ragged end over plain arrays, which the compiler turns into vector instructions.
    const double spread = c_ * root_log(children.parent_visits);
    const double first_play = children.first_play;
    const std::int32_t* visits = children.visits.data();
    const double* values = children.values.data();
    double* out = scores.data();
    const std::size_t size = Children::padded(children.visits.size());
    for (std::size_t i = 0; i < size; ++i) {
      const double n = visits[i];
      const double score = (values[i] + spread * std::sqrt(n)) / n;
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
