#include "gdl/grounding/instances.h"

#include <algorithm>

#include "gdl/components.h"

namespace treewise::gdl {

Instances::Instances(const RuleSet& rules, Atoms& atoms, TermTable& terms, Budget& budget)
    : rules_(rules),
      atoms_(atoms),
      terms_(terms),
      budget_(budget),
      join_(atoms, terms),
      changing_(changing(rules)),
      denied_(only_denied(rules)),
      simplifier_(atoms.size(), budget, true),
      ways_(rules.predicates.size()),
      begins_(atoms.size() + 1),
      ends_(atoms.size() + 1) {
  for (const bool changes : changing_) fixed_.push_back(!changes);
  for (const Rule& rule : rules_.rules) {
    const PredicateId head = rule.head.predicate;
    if (!changing_[head] || rules_.predicates[head].given) continue;
    Way way{.rule = &rule};
    way.known.resize(static_cast<std::size_t>(rule.num_variables));
    way.looks = shape_of(rule.head.args, way.known).looks;
    ways_[head].push_back(std::move(way));
  }
  for (AtomId atom = 1; atom <= atoms_.size(); ++atom) {
    const PredicateId predicate = atoms_.predicate(atom);
    if (rules_.predicates[predicate].given)
      simplifier_.set_free(atom);
    else if (!changing_[predicate])
      simplifier_.set(atom, Simplifier::kTrue);
  }
}

std::vector<std::pair<AtomId, int>> Instances::run() {
  std::vector<AtomId> roots;
  for (PredicateId predicate = 0; predicate < rules_.predicates.size(); ++predicate)
    if (rules_.predicates[predicate].shown)
      roots.insert(roots.end(), atoms_.of(predicate).begin(), atoms_.of(predicate).end());
  const auto targets = [&](AtomId atom, auto visit) {
    if (simplifier_.is_defined(atom)) return;
    begins_[atom] = pending_.size();
    expand(atom);
    ends_[atom] = pending_.size();
    for (std::size_t at = begins_[atom]; at < pending_.size();) {
      const auto end = at + 1 + static_cast<std::size_t>(pending_[at]);
      while (++at < end) {
        const auto other = static_cast<AtomId>(std::abs(pending_[at]));
        if (!simplifier_.is_defined(other)) visit(other);
      }
    }
  };
  find_components(atoms_.size() + 1, roots, targets, [&](const std::vector<std::uint32_t>& component) {
    if (simplifier_.is_defined(component.front())) return;
    std::uint64_t begin = pending_.size();
    for (const AtomId atom : component) {
      const auto bodies = std::span<const int>(pending_).subspan(begins_[atom], ends_[atom] - begins_[atom]);
      if (component.size() > 1)
        simplifier_.define_in_loop(atom, bodies);
      else
        simplifier_.define(atom, bodies);
      begin = std::min(begin, begins_[atom]);
    }
    pending_.resize(begin);  // all that was met later is defined
  });
  std::vector<std::pair<AtomId, int>> found;
  for (const AtomId atom : roots) found.emplace_back(atom, simplifier_.output(atom));
  return found;
}

void Instances::plan(Way& way) {
  const Rule& rule = *way.rule;
  std::vector<bool> taken(rule.body.size());
  for (std::size_t i = 0; i < rule.body.size(); ++i) {
    const Literal& literal = rule.body[i];
    if (literal.kind == Kind::kDistinct) continue;
    // A guard is met by every atom that is reached at all.
    taken[i] = literal.kind == Kind::kPositive && rules_.predicates[literal.predicate].guard;
    if (taken[i] || !changing_[literal.predicate]) continue;
    (literal.kind == Kind::kPositive ? way.kept : way.absent).push_back(i);
  }
  way.steps = join_.plan(rule, way.known, taken, fixed_);
  way.is_planned = true;
}

void Instances::expand(AtomId atom) {
  for (Way& way : ways_[atoms_.predicate(atom)]) {
    budget_.step();
    values_.assign(static_cast<std::size_t>(way.rule->num_variables), 0);
    Slots slots;
    if (!looks_right(way.looks, atoms_.args(atom), terms_, slots, values_)) continue;
    if (!way.is_planned) plan(way);
    if (chosen_.size() < way.rule->body.size()) chosen_.resize(way.rule->body.size());
    const auto found = [&] {
      budget_.step();
      add_body(way);
      return true;
    };
    join_.search(way.steps, values_, chosen_, found);
  }
}

AtomId Instances::denied_atom(const Literal& literal) {
  if (!denied_[literal.predicate]) return join_.find(literal, values_);
  const AtomId atom = atoms_.intern(literal.predicate, join_.arguments(literal, values_));
  if (atom >= begins_.size()) {
    begins_.resize(atom + 1);
    ends_.resize(atom + 1);
    simplifier_.grow(atom);
  }
  return atom;
}

void Instances::add_body(const Way& way) {
  const std::size_t begin = pending_.size();
  pending_.push_back(0);
  const auto add = [&](int literal) {
    literal = simplifier_.find(literal);
    if (literal == Simplifier::kFalse) return false;
    if (literal != Simplifier::kTrue) pending_.push_back(literal);
    return true;
  };
  bool met = true;
  for (const std::size_t place : way.kept) met = met && add(static_cast<int>(chosen_[place]));
  for (const std::size_t place : way.absent) {
    if (!met) break;
    if (const AtomId atom = denied_atom(way.rule->body[place])) met = add(-static_cast<int>(atom));
  }
  if (met)
    pending_[begin] = static_cast<int>(pending_.size() - begin - 1);
  else
    pending_.resize(begin);
}

}  // namespace treewise::gdl
