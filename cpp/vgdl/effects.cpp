// What happens to sprites that overlap: section "Effects" of docs/vgdl.md.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "vgdl/motion.h"

namespace treewise::vgdl {

namespace {

int sign(int x) {
  return (x > 0) - (x < 0);
}

void head_for(Sprite& s, int dx, int dy) {
  s.dx = static_cast<std::int8_t>(dx);
  s.dy = static_cast<std::int8_t>(dy);
}

}  // namespace

bool SharedPull::take(int tick, std::uint32_t id) {
  const std::lock_guard lock(mutex_);
  if (tick > tick_) {
    tick_ = tick;
    pulled_.clear();
  }
  if (std::ranges::count(pulled_, id) > 0) return false;
  pulled_.push_back(id);
  return true;
}

void Machine::execute(const Rule& rule, Ref first, Ref second) {
  int score = rule.score;
  if (apply(rule, first, second, score)) b_.head().score += score;
  if (events_ && second != kNone) record(first, second);
}

// Whether the score is to be added.
bool Machine::apply(const Rule& rule, Ref first, Ref second, int& score) {
  const Position at = position(first);
  switch (rule.kind) {
    case EffectKind::kStepBack:
      if (!first.standing()) place(first.type, sprite(first), sprite(first).last_x, sprite(first).last_y);
      return true;
    case EffectKind::kKillSprite:
      kill(first);
      return true;
    case EffectKind::kKillBoth:
      kill(first);
      if (second != kNone) kill(second);
      return true;
    case EffectKind::kTurnAround:
      turn_around(first);
      return true;
    case EffectKind::kReverseDirection:
      head_for(sprite(first), -sprite(first).dx, -sprite(first).dy);
      return true;
    case EffectKind::kWrapAround:
      wrap(first, rule.offset);
      return true;
    case EffectKind::kCloneSprite:
      create(first.type, at.x, at.y);
      return true;
    case EffectKind::kTransformTo:
      transform(rule, first, second);
      return true;
    case EffectKind::kUndoAll:
      undo_all(rule.except);
      return true;
    case EffectKind::kShieldFrom:
      for (const Shield& shield : rule.shields)
        if (shield.type == first.type) s_.shielded[static_cast<std::size_t>(shield.rule)] = s_.any_shield = true;
      return true;
    default:
      return second == kNone ? false : apply_numbers(rule, first, second, score);
  }
}

// Effects that need a second sprite.
bool Machine::apply_numbers(const Rule& rule, Ref first, Ref second, int& score) {
  switch (rule.kind) {
    case EffectKind::kCollectResource:
      return collect(first, second);
    case EffectKind::kKillIfOtherHasMore:
      if (rule.resource < 0 || fill(second)[2 + rule.resource] < rule.limit) return false;
      kill(first);
      return true;
    case EffectKind::kKillIfFromAbove: {
      const int half = t_.options.rules_2016 ? 0 : t_.block / 2;
      const int was = last_position(second).y;
      if (last_position(first).y <= was + half || position(second).y <= was) return false;
      kill(first);
      return true;
    }
    case EffectKind::kBounceForward:
      bounce(first, second);
      return true;
    case EffectKind::kTeleportToExit:
      teleport(first, second);
      return true;
    case EffectKind::kPullWithIt:
      pull(first, second);
      return true;
    case EffectKind::kAddHealthPoints: {
      int* health = fill(first);
      if (health[0] + rule.value >= table(first.type).health_limit) return false;
      health[0] += rule.value;
      health[1] = std::max(health[0], health[1]);
      if (rule.kill_second) kill(second);
      return true;
    }
    case EffectKind::kSubtractHealthPoints: {
      int* health = fill(first);
      health[0] -= rule.value;
      if (health[0] > rule.limit) return true;
      kill(first);
      if (!t_.options.rules_2016) score = rule.score_if_killed;
      return true;
    }
    default:
      return false;
  }
}

void Machine::turn_around(Ref r) {
  Sprite& s = sprite(r);
  place(r.type, s, s.last_x, s.last_y);
  for (int i = 0; i < 2; ++i) {
    s.last_move = static_cast<std::uint16_t>(table(r.type).cooldown);
    active(r.type, s, 0, 1, table(r.type).active_step);
  }
  head_for(s, -s.dx, -s.dy);
}

void Machine::wrap(Ref r, int shift) {
  Sprite& s = sprite(r);
  int x = s.x, y = s.y;
  if (s.dx > 0) {
    x = shift;
  } else if (s.dx < 0) {
    x = t_.world_width - t_.block - shift;
  } else if (s.dy > 0) {
    y = shift;
  } else if (s.dy < 0) {
    y = t_.world_height - t_.block - shift;
  }
  s.last_move = 0;
  place(r.type, s, x, y);
}

void Machine::transform(const Rule& rule, Ref first, Ref second) {
  if (is_avatar(first) && (sprite(first).flags & kDead) && !t_.options.rules_2016) return;
  if (rule.target < 0) return;
  const Position at = position(first), last = last_position(first);
  const Ref made = create(rule.target, at.x, at.y);
  if (made == kNone) return;
  Sprite& s = sprite(made);
  s.last_x = last.x;
  s.last_y = last.y;
  if (table(first.type).oriented && table(made.type).oriented && s.dx == 0 && s.dy == 0) {
    const TypeTable& t = table(first.type);
    first.standing() ? head_for(s, t.dx, t.dy) : head_for(s, sprite(first).dx, sprite(first).dy);
  }
  if (table(first.type).filled && table(made.type).filled) std::copy_n(fill(first), t_.numbers(first.type), fill(made));
  if (is_avatar(first)) {
    if (is_avatar(made))
      set_avatar(made);
    else if (b_.head().avatar_type == first.type && b_.head().avatar == first.index)
      b_.head().avatar_type = -1;
  }
  kill_really(first);
  if (rule.kill_second && second != kNone) kill(second);
}

bool Machine::collect(Ref resource, Ref collector) {
  const TypeTable& t = table(resource.type);
  const int index = t_.resource_of_type[static_cast<std::size_t>(resource.type)];
  if (index < 0) return false;
  int& held = fill(collector)[2 + index];
  const bool room = t_.options.rules_2016 ? held + t.value <= t.limit : held < t.limit;
  if (!room) return false;
  held += std::min(t.value, t.limit - held);
  kill(resource);
  return true;
}

void Machine::bounce(Ref r, Ref by) {
  const Position now = position(by), last = last_position(by);
  int dx = sign(now.x - last.x), dy = sign(now.y - last.y);
  const int facing_x = by.standing() ? table(by.type).dx : sprite(by).dx;
  const int facing_y = by.standing() ? table(by.type).dy : sprite(by).dy;
  if (dx * facing_x < 0) dx = -dx;
  if (dy * facing_y < 0) dy = -dy;
  const double speed = table(by.type).speed;
  Sprite& s = sprite(r);
  active(r.type, s, dx, dy, speed == 0 ? table(r.type).active_step : static_cast<int>(speed * t_.block));
  head_for(s, dx, dy);
}

void Machine::pull(Ref r, Ref by) {
  Sprite& s = sprite(r);
  if (pull_) {
    if (!pull_->take(b_.head().tick, s.id)) return;
  } else {
    if (s.flags & kPulled) return;
    s.flags |= kPulled;
    s_.pulled.push_back(r);
  }
  const Position now = position(by), last = last_position(by);
  move(r.type, s, sign(now.x - last.x), sign(now.y - last.y), table(by.type).step);
}

void Machine::undo_all(const std::vector<int>& except) {
  for (int type = 0; type < static_cast<int>(t_.types.size()); ++type) {
    if (table(type).still || std::ranges::count(except, type) > 0) continue;
    Sprite* sprites = b_.sprites(type);
    for (std::uint32_t i = 0; i < b_.list(type).size; ++i)
      place(type, sprites[i], sprites[i].last_x, sprites[i].last_y);
  }
}

void Machine::teleport(Ref r, Ref entry) {
  const int target = table(entry.type).target;
  const std::uint32_t n = target < 0 ? 0 : count(table(target).family);
  if (n == 0) return kill(r);
  const Ref exit = nth(table(target).family, static_cast<std::uint32_t>(dice().below(static_cast<int>(n))));
  const Position to = position(exit);
  Sprite& s = sprite(r);
  place(r.type, s, to.x, to.y);
  s.last_move = 0;
  if (table(exit.type).oriented) {
    const TypeTable& t = table(exit.type);
    exit.standing() ? head_for(s, t.dx, t.dy) : head_for(s, sprite(exit).dx, sprite(exit).dy);
  }
}

void Machine::record(Ref first, Ref second) {
  const auto made_by_avatar = [&](Ref r) { return !r.standing() && (sprite(r).flags & kFromAvatar); };
  const auto note = [&](bool from_avatar, Ref active, Ref passive) {
    const Position at = position(active);
    events_->push_back({b_.head().tick, from_avatar, active.type, passive.type, id(active), id(passive), at.x, at.y});
  };
  if (is_avatar(first)) return note(false, first, second);
  if (made_by_avatar(first)) return note(true, first, second);
  if (is_avatar(second)) return note(false, second, first);
  if (made_by_avatar(second)) note(true, second, first);
}

}  // namespace treewise::vgdl
