// The ground rules of what is asked of a rulesheet, and of all that they read, simplified on the way.
#pragma once

#include <vector>

#include "gdl/grounding/atoms.h"
#include "gdl/grounding/budget.h"
#include "gdl/grounding/join.h"
#include "gdl/grounding/rules.h"
#include "gdl/grounding/simplify.h"

namespace treewise::gdl {

class Instances {
 public:
  Instances(const RuleSet& rules, Atoms& atoms, TermTable& terms, Budget& budget);
  // All atoms of the predicates that are shown, and what they stand for: 0 never holds.
  std::vector<std::pair<AtomId, int>> run();

  Simplifier& result() { return simplifier_; }

 private:
  struct Way {
    const Rule* rule = nullptr;
    std::vector<Look> looks = {};
    std::vector<bool> known = {};
    std::vector<Step> steps = {};
    std::vector<std::size_t> kept = {}, absent = {};  // literals of the body that stay: what is there, what is not
    bool is_planned = false;
  };

  // Puts the bodies of an atom's rules behind `pending_`.
  void expand(AtomId atom);
  void plan(Way& way);
  void add_body(const Way& way);
  // The atom that a literal denies; 0: it never holds.
  AtomId denied_atom(const Literal& literal);

  const RuleSet& rules_;
  Atoms& atoms_;
  TermTable& terms_;
  Budget& budget_;
  Join join_;
  std::vector<bool> changing_, fixed_, denied_;
  Simplifier simplifier_;
  std::vector<std::vector<Way>> ways_;  // of each predicate
  Bodies pending_;                      // of the atoms that are not defined yet, in the order in which they were met
  std::vector<std::uint64_t> begins_;   // of each of them, in pending_
  std::vector<std::uint64_t> ends_;
  Bindings values_;
  std::vector<AtomId> chosen_;
};

}  // namespace treewise::gdl
