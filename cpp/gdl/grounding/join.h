// Bodies of rules as plans: which literal is looked up next, by which of its arguments.
#pragma once

#include <vector>

#include "gdl/grounding/atoms.h"
#include "gdl/grounding/rules.h"

namespace treewise::gdl {

// What stands in a key: a variable's value, or a term.
struct KeyPart {
  bool is_variable;
  std::uint32_t value;
};

struct Step {
  enum class Kind : std::uint8_t { kScan, kTest, kAbsent, kDistinct };
  Kind kind;
  const Literal* literal;
  std::size_t place;             // of the literal in the body
  const Index* index = nullptr;  // kScan
  std::vector<KeyPart> key = {};
  std::vector<Look> looks = {};
};

// The looks at an atom for some arguments, and how its variables are met: those of `known` and constants make the key.
struct Shape {
  std::vector<Look> opens, looks;  // all looks, the opening ones among them
  std::vector<std::uint16_t> slots;
  std::vector<KeyPart> key;
};
Shape shape_of(std::span<const Pattern> args, std::vector<bool>& known);

class Join {
 public:
  Join(Atoms& atoms, TermTable& terms) : atoms_(atoms), terms_(terms) {}

  // The literals of a body in the order in which to look them up. `taken` are those not to be asked; negated literals
  // are asked only where `fixed` holds of their predicate.
  std::vector<Step> plan(const Rule& rule, std::vector<bool> known, const std::vector<bool>& taken,
                         const std::vector<bool>& fixed);

  // Calls `found()` for each way to meet the steps; `values` are then complete, and `chosen` has the atom of each
  // literal that was scanned or tested. False where `found` returned false, which ends the search.
  template <class Found>
  bool search(std::span<const Step> steps, Bindings& values, std::vector<AtomId>& chosen, Found& found);

  AtomId find(const Literal& literal, const Bindings& values) {
    return atoms_.find(literal.predicate, arguments(literal, values));
  }
  std::span<const TermId> arguments(const Literal& literal, const Bindings& values) {
    scratch_.clear();
    for (const Pattern& arg : literal.args) {
      const TermId term = arg.instance(values, terms_);
      scratch_.push_back(term);
    }
    return scratch_;
  }

 private:
  double cost(const Literal& literal, const std::vector<bool>& known) const;
  Step step(const Rule& rule, std::size_t place, std::vector<bool>& known);

  Atoms& atoms_;
  TermTable& terms_;
  std::vector<TermId> scratch_;
};

template <class Found>
bool Join::search(std::span<const Step> steps, Bindings& values, std::vector<AtomId>& chosen, Found& found) {
  if (steps.empty()) return found();
  const Step& step = steps.front();
  const auto rest = steps.subspan(1);
  switch (step.kind) {
    case Step::Kind::kDistinct: {
      const TermId left = step.literal->args[0].instance(values, terms_);
      return left == step.literal->args[1].instance(values, terms_) || search(rest, values, chosen, found);
    }
    case Step::Kind::kAbsent:
      return find(*step.literal, values) != 0 || search(rest, values, chosen, found);
    case Step::Kind::kTest: {
      const AtomId atom = find(*step.literal, values);
      if (atom == 0 || !atoms_.is_published(atom)) return true;
      chosen[step.place] = atom;
      return search(rest, values, chosen, found);
    }
    case Step::Kind::kScan:
      break;
  }
  std::uint64_t key = 0;
  for (const KeyPart& part : step.key) key = mix(key, part.is_variable ? values[part.value] : part.value);
  Slots slots;
  for (std::uint32_t at = step.index->first(Index::hashed(key)); at != 0; at = step.index->next(at)) {
    const AtomId atom = step.index->atom(at);
    if (!looks_right(step.looks, atoms_.args(atom), terms_, slots, values)) continue;
    chosen[step.place] = atom;
    if (!search(rest, values, chosen, found)) return false;
  }
  return true;
}

}  // namespace treewise::gdl
