#include "gdl/grounding/reach.h"

#include "gdl/components.h"

namespace treewise::gdl {

Reach::Reach(const RuleSet& rules, Atoms& atoms, TermTable& terms, Budget& budget)
    : rules_(rules), atoms_(atoms), terms_(terms), budget_(budget), join_(atoms, terms), changing_(changing(rules)) {
  for (const bool changes : changing_) fixed_.push_back(!changes);
}

void Reach::run() {
  const auto num_predicates = static_cast<std::uint32_t>(rules_.predicates.size());
  const auto reads = readings(rules_);
  const auto targets = [&](std::uint32_t predicate, auto visit) {
    for (const std::uint32_t other : reads[predicate]) visit(other);
  };
  std::vector<bool> inside(num_predicates);
  const auto denied = only_denied(rules_);
  std::vector<const Rule*> own;
  const auto close_over = [&] {
    own.clear();
    for (const Rule& rule : rules_.rules)
      if (inside[rule.head.predicate] && !denied[rule.head.predicate]) own.push_back(&rule);
    if (!own.empty()) close(own, inside);
  };
  find_components(num_predicates, targets, [&](const std::vector<std::uint32_t>& component) {
    if (changing_[component.front()]) return;
    inside.assign(num_predicates, false);
    for (const std::uint32_t predicate : component) inside[predicate] = true;
    close_over();
  });
  inside = changing_;
  close_over();
}

// All that follows by some rules, whose heads are `inside`; what they read outside is complete.
void Reach::close(const std::vector<const Rule*>& rules, const std::vector<bool>& inside) {
  triggers_.assign(rules_.predicates.size(), {});
  for (const Rule* rule : rules) {
    bool waits = false;
    for (std::size_t place = 0; place < rule->body.size(); ++place) {
      const Literal& literal = rule->body[place];
      if (literal.kind != Kind::kPositive || !inside[literal.predicate]) continue;
      waits = true;
      Trigger trigger{.rule = rule, .place = place};
      trigger.known.resize(static_cast<std::size_t>(rule->num_variables));
      trigger.looks = shape_of(literal.args, trigger.known).looks;
      triggers_[literal.predicate].push_back(std::move(trigger));
    }
    if (waits) continue;
    const auto variables = static_cast<std::size_t>(rule->num_variables);
    values_.assign(variables, 0);
    derive(*rule, join_.plan(*rule, std::vector<bool>(variables), std::vector<bool>(rule->body.size()), fixed_),
           values_);
  }
  while (done_ < atoms_.size()) {
    atoms_.publish(++done_, terms_);
    for (Trigger& trigger : triggers_[atoms_.predicate(done_)]) meet(trigger, done_);
  }
}

void Reach::meet(Trigger& trigger, AtomId atom) {
  budget_.step();
  const Rule& rule = *trigger.rule;
  values_.assign(static_cast<std::size_t>(rule.num_variables), 0);
  Slots slots;
  if (!looks_right(trigger.looks, atoms_.args(atom), terms_, slots, values_)) return;
  if (!trigger.is_planned || atoms_.size() > 4 * trigger.planned_at) {
    std::vector<bool> taken(rule.body.size());
    taken[trigger.place] = true;
    trigger.steps = join_.plan(rule, trigger.known, taken, fixed_);
    trigger.planned_at = atoms_.size();
    trigger.is_planned = true;
  }
  derive(rule, trigger.steps, values_);
}

void Reach::derive(const Rule& rule, std::span<const Step> steps, Bindings& values) {
  if (chosen_.size() < rule.body.size()) chosen_.resize(rule.body.size());
  const auto found = [&] {
    budget_.step();
    atoms_.intern(rule.head.predicate, join_.arguments(rule.head, values));
    return true;
  };
  join_.search(steps, values, chosen_, found);
}

}  // namespace treewise::gdl
