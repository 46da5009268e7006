// What happens to sprites that overlap: section "Effects" of docs/vgdl.md. Those that make sprites or turn them into
// others are in changes.cpp, those of health and resources in holdings.cpp.
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
  const auto place = std::ranges::lower_bound(pulled_, id);
  if (place != pulled_.end() && *place == id) return false;
  pulled_.insert(place, id);
  return true;
}

void Machine::execute(const Rule& rule, Ref first, Ref second) {
  int score = rule.score;
  if (apply(rule, first, second, score)) b_.head().score += score;
  if (second != kNone) record(first, second);
}

// Whether the score is to be added.
bool Machine::apply(const Rule& rule, Ref first, Ref second, int& score) {
  switch (rule.kind) {
    case EffectKind::kStepBack:
      if (!first.standing()) step_back(first, rule.flush ? second : kNone);
      return true;
    case EffectKind::kKillSprite:
      kill(first);
      return true;
    case EffectKind::kTurnAround:
      turn_around(first);
      return true;
    case EffectKind::kReverseDirection:
      head_for(sprite(first), -sprite(first).dx, -sprite(first).dy);
      return true;
    case EffectKind::kFlipDirection: {
      const int drawn = dice().below(4);  // up, left, down, right
      head_for(sprite(first), drawn % 2 == 0 ? 0 : drawn - 2, drawn % 2 == 0 ? drawn - 1 : 0);
      return true;
    }
    case EffectKind::kWrapAround:
      wrap(first, rule.offset);
      return true;
    case EffectKind::kUndoAll:
      if (s_.settled != &rule) undo_all(rule.except);
      s_.settled = &rule;
      return true;
    case EffectKind::kSetSpeedForAll:
      if (s_.settled != &rule && rule.target >= 0) set_pace(rule.target, rule.pace);
      s_.settled = &rule;
      return true;
    case EffectKind::kRemoveScore:
      b_.head().score = 0;
      return true;
    case EffectKind::kShieldFrom:
      for (const Shield& shield : rule.shields)
        if (shield.type == first.type) s_.shielded[static_cast<std::size_t>(shield.rule)] = s_.any_shield = true;
      return true;
    case EffectKind::kCloneSprite:
    case EffectKind::kTransformTo:
    case EffectKind::kTransformToAll:
    case EffectKind::kTransformIfCount:
    case EffectKind::kTransformToRandomChild:
    case EffectKind::kSpawn:
    case EffectKind::kSpawnAbove:
    case EffectKind::kSpawnBelow:
    case EffectKind::kSpawnLeft:
    case EffectKind::kSpawnRight:
    case EffectKind::kKillAll:
      return apply_changes(rule, first, second);
    case EffectKind::kKillBoth:
    case EffectKind::kKillIfFromAbove:
    case EffectKind::kKillIfAlive:
    case EffectKind::kKillIfFrontal:
    case EffectKind::kKillIfNotFrontal:
    case EffectKind::kBounceForward:
    case EffectKind::kTeleportToExit:
    case EffectKind::kPullWithIt:
    case EffectKind::kAttractGaze:
    case EffectKind::kAlign:
      return second != kNone && apply_to_both(rule, first, second);
    default:
      return apply_holdings(rule, first, second, score);
  }
}

// Effects that need a second sprite.
bool Machine::apply_to_both(const Rule& rule, Ref first, Ref second) {
  const auto kill_if = [&](bool condition) {
    if (condition) kill(first);
    return condition;
  };
  const Heading one = heading(first), other = heading(second);
  const bool frontal = one.dx == -other.dx && one.dy == -other.dy && (one.dx != 0 || one.dy != 0);
  switch (rule.kind) {
    case EffectKind::kKillBoth:
      kill(second);
      return kill_if(true);
    case EffectKind::kKillIfFromAbove: {
      const int half = t_.options.rules_2016 ? 0 : t_.block / 2;
      const int was = last_position(second).y;
      return kill_if(last_position(first).y > was + half && position(second).y > was);
    }
    case EffectKind::kKillIfAlive:
      return kill_if(!is_killed(second) && (second.standing() || !(sprite(second).flags & kDead)));
    case EffectKind::kKillIfFrontal:
      return kill_if(frontal);
    case EffectKind::kKillIfNotFrontal:
      return kill_if(!frontal);
    case EffectKind::kBounceForward:
      bounce(first, second);
      return true;
    case EffectKind::kTeleportToExit:
      teleport(first, second);
      return true;
    case EffectKind::kPullWithIt:
      pull(first, second);
      return true;
    default:
      look_like(rule, first, second);
      return true;
  }
}

Machine::Heading Machine::heading(Ref r) const {
  if (r.standing()) return {table(r.type).dx, table(r.type).dy};
  const Sprite& s = std::as_const(b_).sprites(r.type)[r.index];
  return {s.dx, s.dy};
}

// attractGaze: heads where the other one does, in the same lane if the rule says so. align: takes its place.
void Machine::look_like(const Rule& rule, Ref r, Ref other) {
  Sprite& s = sprite(r);
  const Heading to = heading(other);
  const Position at = position(other);
  if (rule.kind == EffectKind::kAlign) {
    place(r.type, s, at.x, at.y);
    if (rule.orient) head_for(s, to.dx, to.dy);
  } else if (dice().allows(rule.prob)) {
    if (!table(r.type).oriented || !table(other.type).oriented) return;
    head_for(s, to.dx, to.dy);
    if (rule.align) place(r.type, s, to.dx == 0 ? at.x : s.x, to.dy == 0 ? at.y : s.y);
  }
}

// Where it was before this tick or, if it came along one axis, only as far as it then touches the other one.
void Machine::step_back(Ref r, Ref against) {
  Sprite& s = sprite(r);
  int x = s.last_x, y = s.last_y;
  if (against != kNone) {
    const Position other = position(against);
    const auto nearest = [&](int from, int to, int wall) {
      return to > from ? std::clamp(wall - t_.block, from, to) : std::clamp(wall + t_.block, to, from);
    };
    if (s.y == s.last_y && s.x != s.last_x) x = nearest(s.last_x, s.x, other.x);
    if (s.x == s.last_x && s.y != s.last_y) y = nearest(s.last_y, s.y, other.y);
    if (overlap({x, y}, other)) return place(r.type, s, s.last_x, s.last_y);
  }
  place(r.type, s, x, y);
}

void Machine::turn_around(Ref r) {
  Sprite& s = sprite(r);
  place(r.type, s, s.last_x, s.last_y);
  for (int i = 0; i < 2; ++i) {
    s.last_move = static_cast<std::uint16_t>(table(r.type).cooldown);
    active(r.type, s, 0, 1, pace(r.type, s).active_step);
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

void Machine::bounce(Ref r, Ref by) {
  const Position now = position(by), last = last_position(by);
  int dx = sign(now.x - last.x), dy = sign(now.y - last.y);
  const Heading facing = heading(by);
  if (dx * facing.dx < 0) dx = -dx;
  if (dy * facing.dy < 0) dy = -dy;
  const double speed = pace(by).speed;
  Sprite& s = sprite(r);
  active(r.type, s, dx, dy, speed == 0 ? pace(r.type, s).active_step : static_cast<int>(speed * t_.block));
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
  move(r.type, s, sign(now.x - last.x), sign(now.y - last.y), pace(by).step);
}

void Machine::undo_all(const std::vector<int>& except) {
  for (int type = 0; type < static_cast<int>(t_.types.size()); ++type) {
    if (std::ranges::count(except, type) > 0) continue;
    Sprite* sprites = b_.sprites(type);
    for (std::uint32_t i = 0; i < b_.list(type).size; ++i) {
      Sprite& s = sprites[i];
      if (s.x != s.last_x || s.y != s.last_y) place(type, s, s.last_x, s.last_y);
    }
  }
}

// Of those that are there now: others that come have their own pace.
void Machine::set_pace(int target, int number) {
  for (const int type : table(target).below)
    each_of(type, [&](Ref r) {
      if (!r.standing())
        sprite(r).previous = static_cast<std::uint8_t>((sprite(r).previous & kDirectionBits) | number << kPaceBit);
    });
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
  if (table(exit.type).oriented) head_for(s, heading(exit).dx, heading(exit).dy);
}

void Machine::record(Ref first, Ref second) {
  const auto made_by_avatar = [&](Ref r) { return !r.standing() && (sprite(r).flags & kFromAvatar); };
  const auto note = [&](bool from_avatar, Ref active, Ref passive) {
    const auto type = static_cast<std::size_t>(passive.type);
    (from_avatar ? b_.head().struck : b_.head().met)[type / 64] |= std::uint64_t{1} << (type % 64);
    if (!events_) return;
    // Of equal events only the first counts; a crowd has millions of them, one after the other.
    const auto equal = [&](const Event& e) {
      return e.tick == b_.head().tick && e.from_avatar == from_avatar && e.active_type == active.type &&
             e.passive_type == passive.type;
    };
    if (!events_->empty() && equal(events_->back())) return;
    const Position at = position(active);
    events_->push_back({b_.head().tick, from_avatar, active.type, passive.type, id(active), id(passive), at.x, at.y});
  };
  if (is_avatar(first)) return note(false, first, second);
  if (made_by_avatar(first)) return note(true, first, second);
  if (is_avatar(second)) return note(false, second, first);
  if (made_by_avatar(second)) note(true, second, first);
}

}  // namespace treewise::vgdl
