// UCB1 (Auer et al. 2002) as used by UCT (Kocsis & Szepesvari 2006): mean + c sqrt(ln N / n).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "search/selection/lanes.h"
#include "search/selection/selection.h"

namespace treewise {

class Ucb1 final : public Selection {
 public:
  explicit Ucb1(double c) : c_(c) {}

  Columns needs() const override { return {.inverse_root = true}; }
  const Ucb1* ucb1() const override { return this; }
  void score(const Children& children, std::span<double> scores) const override;
  std::uint32_t best(const Children& children, std::vector<double>&) const override {
    return best(children.inverse_roots.data(), children.values.data(), children.visits.size(), children.parent_visits,
                children.first_play);
  }

  // By eights, with kept roots r = 1 / sqrt(n): w / n + s / sqrt(n) = r (r w + s).
  [[gnu::always_inline]] std::uint32_t best(const float* inverse_roots, const double* values, std::size_t size,
                                            double parent_visits, double first_play) const {
    const Lanes spread = Lanes{} + spread_at(parent_visits), unvisited = Lanes{} + first_play;
    Best best(size);
    for (std::size_t i = 0; i < size; i += kLanes) {
      Lanes r, w;
      load_lanes(r, inverse_roots + i);
      load_lanes(w, values + i);
      const Lanes scores = r * (r * w + spread);
      best.see(r > 0 ? scores : unvisited);
    }
    return best.index();
  }

 private:
  // sqrt(ln N) for small N: most nodes have few visits, and the logarithm is what takes longest.
  static constexpr int kKnown = 1 << 14;
  static const std::array<double, kKnown> kRootLog;

  double spread_at(double visits) const {
    return c_ * (visits < kKnown ? kRootLog[static_cast<std::size_t>(visits)] : std::sqrt(std::log(visits)));
  }

  double c_;
};

}  // namespace treewise
