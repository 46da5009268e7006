// Decision: the action, from the finished root.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "base/rng.h"
#include "base/types.h"
#include "search/part.h"

namespace treewise {

// A child of the root, all trees of the search added up.
struct RootChild {
  Action action = kNoAction;
  int player = 0;
  std::int64_t visits = 0;
  double value = 0;    // mean on the scale [0, 1]; the exact one if proven
  double utility = 0;  // the same in the game's utilities, where a proven one is exact
  double prior = 0;
  std::optional<double> exact = std::nullopt;  // the proven result for the player, in utilities
};

class Decision {
 public:
  virtual ~Decision() = default;
  // The index of the chosen child; `children` is not empty and holds no child that is proven worse than
  // another.
  virtual std::size_t choose(std::span<const RootChild> children, Rng& rng) const = 0;
  // Whether the choice is clear; if not, the search goes on for at most `extension` of its simulations.
  virtual bool settled(std::span<const RootChild> children) const { return (void)children, true; }
  virtual double extension() const { return 0; }
};

std::shared_ptr<const Decision> make_decision(const PartSpec& spec);

// Those of one player, where several choose at once, and their places.
std::vector<RootChild> children_of_player(std::span<const RootChild> children, int player,
                                          std::vector<std::size_t>& indices);

// Whether the choice of every player is clear.
bool all_settled(const Decision& decision, std::span<const RootChild> children);

// Applies proofs first: a proven greatest result is taken, a proven least one only if nothing else is left.
std::size_t decide(const Decision& decision, std::span<const RootChild> children, Rng& rng);

}  // namespace treewise
