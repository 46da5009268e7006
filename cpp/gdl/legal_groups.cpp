#include "gdl/legal_groups.h"

#include <algorithm>
#include <unordered_map>

namespace treewise::gdl {

namespace {

constexpr int kMostGroups = 8;  // every question looks at all of them

}  // namespace

std::vector<Legal> LegalGroups::split(const std::vector<std::pair<int, Ref>>& actions) {
  std::unordered_map<Ref, int> votes;
  for (const auto& [action, ref] : actions)
    for (const Ref condition : conditions(ref)) ++votes[condition];
  std::vector<Legal> out;
  for (const auto& [action, ref] : actions) {
    Ref best = kTrue;
    for (const Ref condition : conditions(ref)) {
      if (kMostGroups * votes[condition] < static_cast<int>(actions.size()) && condition != ref) continue;
      if (best == kTrue || std::pair(votes[condition], best) > std::pair(votes[best], condition)) best = condition;
    }
    out.push_back({action, best, best == kTrue ? ref : gates_.without(ref, best)});
  }
  std::stable_sort(out.begin(), out.end(), [](const Legal& a, const Legal& b) { return a.gate < b.gate; });
  return out;
}

// Conditions that can be taken out: nothing else uses the gate.
std::vector<Ref> LegalGroups::conditions(Ref r) const {
  const bool gate = gates_.find(r) != nullptr;
  return gate && (uses_[node_of(r)] > 1 || gates_.in_loop(node_of(r))) ? std::vector<Ref>{} : gates_.fact_conditions(r);
}

}  // namespace treewise::gdl
