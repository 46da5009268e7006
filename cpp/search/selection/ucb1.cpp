#include "search/selection/ucb1.h"

namespace treewise {

const std::array<double, Ucb1::kKnown> Ucb1::kRootLog = [] {
  std::array<double, kKnown> table{};
  for (int n = 0; n < kKnown; ++n) table[static_cast<std::size_t>(n)] = std::sqrt(std::log(std::max(1, n)));
  return table;
}();

// A branch-free loop over plain arrays: the compiler turns it into vector instructions.
void Ucb1::score(const Children& children, std::span<double> scores) const {
  const double spread = spread_at(children.parent_visits);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double n = children.visits[i];
    const double score = (children.values[i] + spread * std::sqrt(n)) / n;
    scores[i] = n > 0 ? score : children.first_play;
  }
}

std::shared_ptr<const Selection> make_ucb1(const PartSpec& spec) {
  const bool plain = spec.text("bounds") == "game" && spec.number("epsilon") == 0 && spec.number("offset") == 0;
  if (!plain) return make_normalised_ucb1(spec);
  return std::make_shared<Ucb1>(spec.number("c"));
}

}  // namespace treewise
