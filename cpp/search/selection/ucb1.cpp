// UCB1 (Auer et al. 2002) as used by UCT (Kocsis & Szepesvari 2006): mean + c sqrt(ln N / n).
#include <algorithm>
#include <array>
#include <cmath>

#include "search/selection/lanes.h"
#include "search/selection/selection.h"

namespace treewise {

namespace {

// sqrt(ln N) for small N: most nodes have few visits, and the logarithm is what takes longest.
constexpr int kKnown = 1 << 14;
const std::array<double, kKnown> kRootLog = [] {
  std::array<double, kKnown> table{};
  for (int n = 0; n < kKnown; ++n) table[static_cast<std::size_t>(n)] = std::sqrt(std::log(std::max(1, n)));
  return table;
}();

class Ucb1 final : public Selection {
 public:
  explicit Ucb1(double c) : c_(c) {}

  void score(const Children& children, std::span<double> scores) const override {
    // A branch-free loop over plain arrays: the compiler turns it into vector instructions.
    const double spread = spread_at(children.parent_visits);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double n = children.visits[i];
      const double score = (children.values[i] + spread * std::sqrt(n)) / n;
      scores[i] = n > 0 ? score : children.first_play;
    }
  }

  // The same by eights.
  std::uint32_t best(const Children& children, std::vector<double>&) const override {
    const Lanes spread = Lanes{} + spread_at(children.parent_visits), unvisited = Lanes{} + children.first_play;
    const std::size_t size = children.visits.size();
    Best best(size);
    for (std::size_t i = 0; i < size; i += kLanes) {
      Lanes n, values, root;
      load_lanes(n, children.visits.data() + i);
      load_lanes(values, children.values.data() + i);
      for (std::size_t lane = 0; lane < kLanes; ++lane) root[lane] = std::sqrt(n[lane]);
      const Lanes scores = (values + spread * root) / n;
      best.see(n > 0 ? scores : unvisited);
    }
    return best.index();
  }

 private:
  double spread_at(double visits) const {
    return c_ * (visits < kKnown ? kRootLog[static_cast<std::size_t>(visits)] : std::sqrt(std::log(visits)));
  }

  double c_;
};

}  // namespace

std::shared_ptr<const Selection> make_ucb1(const PartSpec& spec) {
  const bool plain = spec.text("bounds") == "game" && spec.number("epsilon") == 0 && spec.number("offset") == 0;
  if (!plain) return make_normalised_ucb1(spec);
  return std::make_shared<Ucb1>(spec.number("c"));
}

}  // namespace treewise
