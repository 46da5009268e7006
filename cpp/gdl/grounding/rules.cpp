#include "gdl/grounding/rules.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace treewise::gdl {

bool Pattern::is_bound(const std::vector<bool>& known) const {
  if (variable >= 0) return known[static_cast<std::size_t>(variable)];
  return std::ranges::all_of(args, [&](const Pattern& arg) { return arg.is_bound(known); });
}

void Pattern::bind(std::vector<bool>& known) const {
  if (variable >= 0) known[static_cast<std::size_t>(variable)] = true;
  for (const Pattern& arg : args) arg.bind(known);
}

TermId Pattern::instance(const Bindings& values, TermTable& terms) const {
  if (variable >= 0) return values[static_cast<std::size_t>(variable)];
  if (ground) return ground;
  constexpr std::size_t kFew = 16;
  std::array<TermId, kFew> few;
  std::vector<TermId> many(args.size() > kFew ? args.size() : 0);
  const std::span<TermId> inner(args.size() > kFew ? many.data() : few.data(), args.size());
  for (std::size_t i = 0; i < args.size(); ++i) inner[i] = args[i].instance(values, terms);
  return terms.intern(name, inner);
}

bool Literal::is_bound(const std::vector<bool>& known) const {
  return std::ranges::all_of(args, [&](const Pattern& arg) { return arg.is_bound(known); });
}

namespace {

class Reader {
 public:
  Reader(std::span<const int> numbers, std::size_t num_predicates, TermTable& terms)
      : numbers_(numbers), num_predicates_(num_predicates), terms_(terms) {}

  std::vector<Rule> read() {
    std::vector<Rule> rules;
    while (at_ < numbers_.size()) {
      num_variables_ = 0;
      const int literals = number(1);
      Rule rule{.head = literal(), .body = {}};
      for (int i = 1; i < literals; ++i) rule.body.push_back(literal());
      rule.num_variables = num_variables_;
      rules.push_back(std::move(rule));
    }
    return rules;
  }

 private:
  int number(int least) {
    if (at_ == numbers_.size() || numbers_[at_] < least) throw std::invalid_argument("these numbers are no rules");
    return numbers_[at_++];
  }
  Literal literal() {
    const int kind = number(0), predicate = number(0), count = number(0);
    if (kind > 2 || static_cast<std::size_t>(predicate) >= num_predicates_ || (kind == 2 && count != 2))
      throw std::invalid_argument("these numbers are no rules");
    Literal found{.kind = static_cast<Kind>(kind), .predicate = static_cast<PredicateId>(predicate), .args = {}};
    for (int i = 0; i < count; ++i) found.args.push_back(term(0));
    return found;
  }
  Pattern term(int depth) {
    const int name = number(-1'000'000);
    if (name < 0) {
      num_variables_ = std::max(num_variables_, -name);
      return {.variable = -1 - name};
    }
    Pattern found{.name = static_cast<std::uint32_t>(name)};
    if (depth > 1000) throw std::invalid_argument("a term is nested too deeply");
    for (int count = number(0); count > 0; --count) found.args.push_back(term(depth + 1));
    if (!std::ranges::all_of(found.args, [](const Pattern& arg) { return arg.ground != 0; })) return found;
    return {.ground = found.instance({}, terms_)};
  }

  std::span<const int> numbers_;
  std::size_t num_predicates_, at_ = 0;
  TermTable& terms_;
  int num_variables_ = 0;
};

}  // namespace

std::vector<Rule> read_rules(std::span<const int> numbers, std::size_t num_predicates, TermTable& terms) {
  return Reader(numbers, num_predicates, terms).read();
}

std::vector<std::vector<std::uint32_t>> readings(const RuleSet& rules) {
  std::vector<std::vector<std::uint32_t>> reads(rules.predicates.size());
  for (const Rule& rule : rules.rules)
    for (const Literal& literal : rule.body)
      if (literal.kind != Kind::kDistinct) reads[rule.head.predicate].push_back(literal.predicate);
  for (auto& own : reads) {
    std::ranges::sort(own);
    own.erase(std::ranges::unique(own).begin(), own.end());
  }
  return reads;
}

std::vector<bool> changing(const RuleSet& rules) {
  const auto reads = readings(rules);
  std::vector<bool> found(reads.size());
  for (std::size_t p = 0; p < reads.size(); ++p) found[p] = rules.predicates[p].given;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t p = 0; p < reads.size(); ++p)
      if (!found[p] && std::ranges::any_of(reads[p], [&](std::uint32_t other) { return found[other]; }))
        found[p] = more = true;
  }
  return found;
}

std::vector<bool> only_denied(const RuleSet& rules) {
  std::vector<bool> found = changing(rules);
  for (std::size_t p = 0; p < found.size(); ++p)
    if (rules.predicates[p].given || rules.predicates[p].shown || rules.predicates[p].guard) found[p] = false;
  for (const Rule& rule : rules.rules)
    for (const Literal& literal : rule.body)
      if (literal.kind == Kind::kPositive) found[literal.predicate] = false;
  return found;
}

}  // namespace treewise::gdl
