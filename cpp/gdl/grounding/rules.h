// Rules with variables, as Python hands them over.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/grounding/terms.h"

namespace treewise::gdl {

using PredicateId = std::uint32_t;
using Bindings = std::vector<TermId>;  // of each variable; 0: none yet

// A variable, a ground term, or a name with arguments that are not all ground.
struct Pattern {
  int variable = -1;
  TermId ground = 0;
  std::uint32_t name = 0;
  std::vector<Pattern> args = {};

  bool is_bound(const std::vector<bool>& known) const;
  void bind(std::vector<bool>& known) const;
  TermId instance(const Bindings& values, TermTable& terms) const;
};

enum class Kind : std::uint8_t { kPositive, kNegative, kDistinct };

// An atom that is asked for, or asked to be absent; or two terms that differ.
struct Literal {
  Kind kind = Kind::kPositive;
  PredicateId predicate = 0;
  std::vector<Pattern> args;

  bool is_bound(const std::vector<bool>& known) const;
};

struct Rule {
  Literal head;
  std::vector<Literal> body;
  int num_variables = 0;
};

// What Python knows of a predicate.
struct Predicate {
  bool given = false;  // `true`, `does`: their atoms are free
  bool guard = false;  // only bounds what is reached
  bool shown = false;
};

struct RuleSet {
  std::vector<Rule> rules;
  std::vector<Predicate> predicates;
};

// Each rule: the number of its literals, the head first; each literal: 0 for an atom, 1 for an absent one, 2 for two
// terms that differ, then the predicate and the number of terms, then these; each term: -1 - variable, or a name, the
// number of arguments, and these. Throws std::invalid_argument where the numbers are no rules.
std::vector<Rule> read_rules(std::span<const int> numbers, std::size_t num_predicates, TermTable& terms);

// Of each predicate, those that its rules read; and of each, whether it depends on one that is given.
std::vector<std::vector<std::uint32_t>> readings(const RuleSet& rules);
std::vector<bool> changing(const RuleSet& rules);
// Of each predicate whether others only ask for its absence. Its atoms bind nothing, so they are made as they are asked
// for.
std::vector<bool> only_denied(const RuleSet& rules);

}  // namespace treewise::gdl
