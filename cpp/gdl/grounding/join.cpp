#include "gdl/grounding/join.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace treewise::gdl {

namespace {

// The leaves of the arguments: how many, and how many of them have a value.
void count_leaves(const Pattern& pattern, const std::vector<bool>& known, int& all, int& bound) {
  if (pattern.variable >= 0 || pattern.ground) {
    ++all;
    bound += pattern.is_bound(known);
  }
  for (const Pattern& arg : pattern.args) count_leaves(arg, known, all, bound);
}

class ShapeMaker {
 public:
  ShapeMaker(std::size_t num_args, std::vector<bool>& known) : known_(known), used_(num_args) {}

  Shape make(std::span<const Pattern> args) {
    open(args, 0);
    for (std::size_t i = 0; i < leaves_.size(); ++i) leaf(*leaves_[i].first, leaves_[i].second);
    for (const auto& [pattern, slot] : leaves_) pattern->bind(known_);
    return std::move(shape_);
  }

 private:
  void open(std::span<const Pattern> args, std::size_t base) {
    for (std::size_t i = 0; i < args.size(); ++i) {
      const Pattern& arg = args[i];
      const auto slot = static_cast<std::uint16_t>(base + i);
      if (arg.variable >= 0 || arg.ground) {
        leaves_.emplace_back(&arg, slot);
        continue;
      }
      const std::size_t inner = used_;
      used_ += arg.args.size();
      if (used_ > kSlots) throw std::invalid_argument("an atom has too many arguments");
      const Look look{.kind = Look::Kind::kOpen,
                      .slot = slot,
                      .count = static_cast<std::uint16_t>(arg.args.size()),
                      .base = static_cast<std::uint16_t>(inner),
                      .value = arg.name};
      shape_.opens.push_back(look);
      shape_.looks.push_back(look);
      open(arg.args, inner);
    }
  }

  void leaf(const Pattern& pattern, std::uint16_t slot) {
    if (pattern.ground) {
      shape_.looks.push_back({.kind = Look::Kind::kConstant, .slot = slot, .value = pattern.ground});
      in_key(slot, {false, pattern.ground});
      return;
    }
    const auto variable = static_cast<std::uint32_t>(pattern.variable);
    const bool known = known_[variable], again = std::ranges::find(bound_, variable) != bound_.end();
    shape_.looks.push_back(
        {.kind = known || again ? Look::Kind::kSame : Look::Kind::kBind, .slot = slot, .value = variable});
    if (known) in_key(slot, {true, variable});
    bound_.push_back(variable);
  }
  void in_key(std::uint16_t slot, KeyPart part) {
    shape_.slots.push_back(slot);
    shape_.key.push_back(part);
  }

  std::vector<bool>& known_;
  std::size_t used_;
  Shape shape_;
  std::vector<std::pair<const Pattern*, std::uint16_t>> leaves_;
  std::vector<std::uint32_t> bound_;
};

}  // namespace

Shape shape_of(std::span<const Pattern> args, std::vector<bool>& known) {
  if (args.size() > kSlots) throw std::invalid_argument("an atom has too many arguments");
  return ShapeMaker(args.size(), known).make(args);
}

// About how many atoms fit.
double Join::cost(const Literal& literal, const std::vector<bool>& known) const {
  int all = 0, bound = 0;
  for (const Pattern& arg : literal.args) count_leaves(arg, known, all, bound);
  if (all == bound) return 0;
  const double size = static_cast<double>(atoms_.of(literal.predicate).size());
  return std::pow(1 + size, static_cast<double>(all - bound) / all);
}

Step Join::step(const Rule& rule, std::size_t place, std::vector<bool>& known) {
  const Literal& literal = rule.body[place];
  if (literal.kind == Kind::kDistinct) return {.kind = Step::Kind::kDistinct, .literal = &literal, .place = place};
  if (literal.kind == Kind::kNegative) return {.kind = Step::Kind::kAbsent, .literal = &literal, .place = place};
  if (literal.is_bound(known)) return {.kind = Step::Kind::kTest, .literal = &literal, .place = place};
  Shape shape = shape_of(literal.args, known);
  const Index& index = atoms_.index(literal.predicate, shape.opens, shape.slots, terms_);
  return {.kind = Step::Kind::kScan,
          .literal = &literal,
          .place = place,
          .index = &index,
          .key = std::move(shape.key),
          .looks = std::move(shape.looks)};
}

std::vector<Step> Join::plan(const Rule& rule, std::vector<bool> known, const std::vector<bool>& taken,
                             const std::vector<bool>& fixed) {
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < rule.body.size(); ++i) {
    const Literal& literal = rule.body[i];
    if (!taken[i] && (literal.kind != Kind::kNegative || fixed[literal.predicate])) left.push_back(i);
  }
  std::vector<Step> steps;
  while (!left.empty()) {
    std::size_t best = left.size();
    double least = 0;
    for (std::size_t k = 0; k < left.size(); ++k) {
      const Literal& literal = rule.body[left[k]];
      if (literal.kind != Kind::kPositive && !literal.is_bound(known)) continue;
      const double own = literal.kind == Kind::kPositive ? cost(literal, known) : 0;
      if (best == left.size() || own < least) best = k, least = own;
    }
    if (best == left.size()) throw std::invalid_argument("a variable is bound by nothing");
    steps.push_back(step(rule, left[best], known));
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return steps;
}

}  // namespace treewise::gdl
