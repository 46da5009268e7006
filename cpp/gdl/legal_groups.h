// Conditions that many legal actions of a role share, taken out of them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "gdl/gates.h"

namespace treewise::gdl {

struct Legal {
  int action;
  Ref gate;  // of a fact, or kTrue
  Ref core;  // what is left to ask where the gate is known to hold
};

class LegalGroups {
 public:
  // `uses`: how often each node is used.
  LegalGroups(Gates& gates, const std::vector<std::uint32_t>& uses) : gates_(gates), uses_(uses) {}

  // Takes the fact that most actions of the role depend on out of each of them, where it is worth a group. In the
  // order of the gates.
  std::vector<Legal> split(const std::vector<std::pair<int, Ref>>& actions);

 private:
  std::vector<Ref> conditions(Ref r) const;

  Gates& gates_;
  const std::vector<std::uint32_t>& uses_;
};

}  // namespace treewise::gdl
