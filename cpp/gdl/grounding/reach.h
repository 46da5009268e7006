// Which atoms can ever hold: every fact that may come next may be true, every action that may be legal may be made, and
// what changes may be absent. What never changes is worked out exactly.
#pragma once

#include <vector>

#include "gdl/grounding/atoms.h"
#include "gdl/grounding/budget.h"
#include "gdl/grounding/join.h"
#include "gdl/grounding/rules.h"

namespace treewise::gdl {

class Reach {
 public:
  Reach(const RuleSet& rules, Atoms& atoms, TermTable& terms, Budget& budget);
  void run();

 private:
  // A literal of a rule, met by a new atom; the others are joined to it.
  struct Trigger {
    const Rule* rule = nullptr;
    std::size_t place = 0;
    std::vector<Look> looks = {};
    std::vector<bool> known = {};
    std::vector<Step> steps = {};
    AtomId planned_at = 0;  // atoms there were; plans look at sizes, and these grow
    bool is_planned = false;
  };

  void close(const std::vector<const Rule*>& rules, const std::vector<bool>& inside);
  void derive(const Rule& rule, std::span<const Step> steps, Bindings& values);
  void meet(Trigger& trigger, AtomId atom);

  const RuleSet& rules_;
  Atoms& atoms_;
  TermTable& terms_;
  Budget& budget_;
  Join join_;
  std::vector<bool> changing_, fixed_;
  std::vector<std::vector<Trigger>> triggers_;  // of each predicate
  AtomId done_ = 0;
  Bindings values_;
  std::vector<AtomId> chosen_;
};

}  // namespace treewise::gdl
