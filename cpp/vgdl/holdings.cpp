// Effects of health and resources.
#include <algorithm>

#include "vgdl/motion.h"

namespace treewise::vgdl {

namespace {

constexpr int kMost = 1'000'000'000;

int sum(int held, int more) {
  return static_cast<int>(std::clamp<std::int64_t>(std::int64_t{held} + more, -kMost, kMost));
}

}  // namespace

// Of the resource that the rule is about.
int Machine::held(const Rule& rule, Ref r) {
  return rule.resource < 0 ? 0 : fill(r)[2 + rule.resource];
}

bool Machine::apply_holdings(const Rule& rule, Ref first, Ref second, int& score) {
  const bool both = second != kNone;
  switch (rule.kind) {
    case EffectKind::kCollectResource:
      return both && collect(first, second);
    case EffectKind::kKillIfOtherHasMore:
      if (!both || rule.resource < 0 || held(rule, second) < rule.limit) return false;
      kill(first);
      return true;
    case EffectKind::kKillIfHasMore:
    case EffectKind::kKillIfHasLess:
      if (rule.kind == EffectKind::kKillIfHasMore ? held(rule, first) < rule.limit : held(rule, first) > rule.limit)
        return false;
      kill(first);
      return true;
    case EffectKind::kSpawnIfHasMore:
    case EffectKind::kSpawnIfHasLess:
      if (rule.target < 0 || !dice().allows(rule.prob)) return false;  // drawn before it looks what is held
      if (rule.kind == EffectKind::kSpawnIfHasMore ? held(rule, first) < rule.limit : held(rule, first) > rule.limit)
        return false;
      create(rule.target, position(first).x, position(first).y);
      if (rule.resource >= 0) fill(first)[2 + rule.resource] = std::max(0, sum(held(rule, first), -rule.spend));
      return true;
    case EffectKind::kChangeResource:
      if (rule.resource < 0 || sum(held(rule, first), rule.value) > rule.resource_limit) return false;
      fill(first)[2 + rule.resource] = std::max(0, sum(held(rule, first), rule.value));
      if (rule.kill_second && both) kill(second);
      return true;
    case EffectKind::kAddHealthPoints: {
      int* health = fill(first);
      if (sum(health[0], rule.value) >= table(first.type).health_limit) return false;
      health[0] = sum(health[0], rule.value);
      health[1] = std::max(health[0], health[1]);
      if (rule.kill_second && both) kill(second);
      return true;
    }
    case EffectKind::kSubtractHealthPoints: {
      int* health = fill(first);
      health[0] = sum(health[0], -rule.value);
      if (health[0] > rule.limit) return true;
      kill(first);
      if (!t_.options.rules_2016) score = rule.score_if_killed;
      return true;
    }
    default:
      return false;
  }
}

bool Machine::collect(Ref resource, Ref collector) {
  const TypeTable& t = table(resource.type);
  const int index = t_.resource_of_type[static_cast<std::size_t>(resource.type)];
  if (index < 0) return false;
  int& held = fill(collector)[2 + index];
  const bool room = t_.options.rules_2016 ? sum(held, t.value) <= t.limit : held < t.limit;
  if (!room) return false;
  held = sum(held, std::min(t.value, t.limit - held));
  kill(resource);
  return true;
}

}  // namespace treewise::vgdl
