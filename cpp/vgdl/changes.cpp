// Effects that make sprites, or turn them into others.
#include <algorithm>

#include "vgdl/motion.h"

namespace treewise::vgdl {

bool Machine::apply_changes(const Rule& rule, Ref first, Ref second) {
  const Position at = position(first);
  const Ref beside = second == kNone ? first : second;
  const Position by = rule.from_last ? last_position(beside) : position(beside);
  switch (rule.kind) {
    case EffectKind::kCloneSprite:
      create(first.type, at.x, at.y);
      return true;
    case EffectKind::kTransformTo:
      if (transform(first, rule.target) && rule.kill_second && second != kNone) kill(second);
      return true;
    case EffectKind::kTransformToAll:
      if (s_.settled != &rule && !transform_all(rule.target, rule.other)) s_.settled = &rule;
      return true;
    case EffectKind::kTransformIfCount: {
      if (rule.other < 0) return false;
      const auto n = static_cast<int>(count(table(rule.other).family));
      return transform(first, n >= rule.at_least && n <= rule.at_most ? rule.target : rule.otherwise, true);
    }
    case EffectKind::kTransformToRandomChild: {
      if (rule.target < 0 || table(rule.target).leaves.empty()) return false;
      const std::vector<int>& leaves = table(rule.target).leaves;
      return transform(first, leaves[static_cast<std::size_t>(dice().below(static_cast<int>(leaves.size())))]);
    }
    case EffectKind::kSpawnAbove:
      return spawn(rule, by, 0, -1);
    case EffectKind::kSpawnBelow:
      return spawn(rule, by, 0, 1);
    case EffectKind::kSpawnLeft:
      return spawn(rule, by, -1, 0);
    case EffectKind::kSpawnRight:
      return spawn(rule, by, 1, 0);
    case EffectKind::kKillAll:
      if (rule.target < 0) return false;
      if (s_.settled != &rule)
        for (const int type : table(rule.target).below) each_of(type, [&](Ref r) { kill(r); });
      s_.settled = &rule;
      return true;
    default:
      return spawn(rule, at, 0, 0);
  }
}

// Whether the draw allowed it.
bool Machine::spawn(const Rule& rule, Position from, int dx, int dy) {
  if (rule.target < 0 || !dice().allows(rule.prob)) return false;
  create(rule.target, from.x + dx * t_.block, from.y + dy * t_.block);
  return true;
}

// Whether any was transformed.
bool Machine::transform_all(int from, int to) {
  if (from < 0) return false;
  bool any = false;
  for (const int type : table(from).below)
    each_of(type, [&](Ref r) { any |= !is_killed(r) && transform(r, to, true); });
  return any;
}

// Whether it was turned into a sprite of the type. `anyway`: even if that is a singleton's and there is one.
bool Machine::transform(Ref r, int target, bool anyway) {
  if (target < 0) return false;
  if (is_avatar(r) && (sprite(r).flags & kDead) && !t_.options.rules_2016) return false;
  const Position at = position(r), last = last_position(r);
  if (anyway ? !has_room() : !may_create(target)) return false;
  const Ref made = add(target, at.x, at.y);
  Sprite& s = sprite(made);
  s.last_x = last.x;
  s.last_y = last.y;
  if (table(target).still && (last.x != at.x || last.y != at.y)) s_.unsettled.push_back(made);
  if (table(r.type).oriented && table(target).oriented && s.dx == 0 && s.dy == 0) {
    s.dx = static_cast<std::int8_t>(heading(r).dx);
    s.dy = static_cast<std::int8_t>(heading(r).dy);
  }
  if (table(r.type).filled && table(target).filled) std::copy_n(fill(r), t_.numbers(r.type), fill(made));
  const Head& head = b_.head();
  if (head.avatar_type == r.type && head.avatar == r.index) {
    if (is_avatar(made)) {
      set_avatar(made);
    } else {
      b_.head().avatar_type = -1;
    }
  }
  kill_really(r);
  return true;
}

}  // namespace treewise::vgdl
