// What sprites do by themselves: section "Sprite classes" of docs/vgdl.md.
#include <algorithm>
#include <cstdlib>

#include "vgdl/motion.h"

namespace treewise::vgdl {

namespace {

constexpr int kUse = 5;
constexpr std::size_t kManyChased = 2000;  // pairs of chasers and targets from which an index pays
// By direction and by action: none, up, left, down, right, use.
constexpr std::int8_t kDx[6] = {0, 0, -1, 0, 1, 0};
constexpr std::int8_t kDy[6] = {0, -1, 0, 1, 0, 0};

void before(Sprite& s) {
  s.last_x = s.x;
  s.last_y = s.y;
  if (s.last_move < UINT16_MAX) ++s.last_move;
}

}  // namespace

// ---- the avatar ----------------------------------------------------------------------------------------------------

void Machine::update_avatar(int action) {
  const Head& head = b_.head();
  if (head.avatar_type < 0) return;
  const Ref r{head.avatar_type, head.avatar};
  if (sprite(r).flags & kDead) return;
  if (steer(r.type, sprite(r), action)) shoot(r);
}

// Whether it shoots.
bool Machine::steer(int type, Sprite& s, int action) {
  before(s);
  const TypeTable& t = table(type);
  const int dx = kDx[action], dy = kDy[action];
  if (t.kind == Kind::kOngoingAvatar && (dx != 0 || dy != 0)) {
    s.dx = kDx[action];
    s.dy = kDy[action];
  }
  if (t.kind == Kind::kMissileAvatar || t.kind == Kind::kOngoingAvatar) {
    passive(type, s);
    return false;
  }
  const bool faces = t.kind == Kind::kShootAvatar || t.kind == Kind::kOrientedAvatar;
  const Moved moved = active(type, s, dx, dy, pace(type, s).active_step);
  if (faces && moved == Moved::kMoved) {
    s.dx = static_cast<std::int8_t>(dx);
    s.dy = static_cast<std::int8_t>(dy);
  }
  const bool shoots = t.kind == Kind::kFlakAvatar || t.kind == Kind::kShootAvatar;
  return action == kUse && moved == Moved::kStill && shoots;
}

bool Machine::may_shoot(Ref avatar) {
  const TypeTable& t = table(avatar.type);
  return t.target >= 0 && (t.ammo < 0 || fill(avatar)[2 + t.ammo] > 0);
}

Position Machine::muzzle(int type, const Sprite& s) const {
  const int ahead = table(type).kind == Kind::kShootAvatar ? t_.block : 0;
  return {s.x + s.dx * ahead, s.y + s.dy * ahead};
}

void Machine::shoot(Ref avatar) {
  const TypeTable& t = table(avatar.type);
  if (!may_shoot(avatar)) return;
  const Sprite from = sprite(avatar);
  const Position at = muzzle(avatar.type, from);
  const Ref shot = create(t.target, at.x, at.y);
  if (shot == kNone) return;
  if (t.ammo >= 0) --fill(avatar)[2 + t.ammo];
  Sprite& s = sprite(shot);
  s.flags |= kFromAvatar;
  if (t.kind == Kind::kShootAvatar && table(shot.type).oriented) {
    s.dx = from.dx;
    s.dy = from.dy;
  }
}

std::span<const OwnMove> Machine::own_moves(std::span<const int> actions) {
  const Head& head = b_.head();
  s_.own_moves.resize(actions.size());
  for (OwnMove& own : s_.own_moves) own.moved = own.made = -1;
  if (head.winner >= 0 || head.avatar_type < 0) return s_.own_moves;
  const Ref avatar{head.avatar_type, head.avatar};
  const Sprite from = sprite(avatar);
  if (from.flags & kDead) return s_.own_moves;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const int action = (t_.action_set >> actions[i]) & 1 ? actions[i] : 0;
    OwnMove& own = s_.own_moves[i];
    own.sprite = from;
    if (steer(avatar.type, own.sprite, action)) {
      make_own_shot(avatar, own);
    } else if ((own.sprite.x != from.x || own.sprite.y != from.y) && !is_stopped(avatar, own.sprite)) {
      own.moved = avatar.type;
    }
  }
  return s_.own_moves;
}

void Machine::make_own_shot(Ref avatar, OwnMove& own) {
  const int made = table(avatar.type).target;
  if (!may_shoot(avatar) || !may_create(made)) return;
  const Position at = muzzle(avatar.type, own.sprite);
  own.sprite = Sprite{};
  own.sprite.x = at.x;
  own.sprite.y = at.y;
  locate(own.sprite);
  own.made = made;
}

// Whether rules send the avatar back from where it would go.
bool Machine::is_stopped(Ref avatar, const Sprite& s) {
  const TypeTable& t = table(avatar.type);
  if ((s.flags & kOutside) && t.kept_inside) return true;
  return std::ranges::any_of(t.stoppers, [&](int type) {
    if (b_.list(type).standing > 0) {
      const auto stands = [&](std::size_t cell) { return (layer_words(type)[cell / 64] >> (cell % 64)) & 1; };
      const std::size_t below = s.cell + t_.stride;
      if (stands(s.cell) || ((s.flags & kWide) && stands(s.cell + std::size_t{1})) ||
          ((s.flags & kTall) && (stands(below) || ((s.flags & kWide) && stands(below + 1)))))
        return true;
    }
    const Sprite* others = b_.sprites(type);
    for (std::uint32_t i = 0; i < b_.list(type).size; ++i) {
      const bool is_itself = type == avatar.type && static_cast<int>(i) == avatar.index;
      if (!is_itself && overlap({s.x, s.y}, {others[i].x, others[i].y})) return true;
    }
    return false;
  });
}

// ---- the others ----------------------------------------------------------------------------------------------------

void Machine::update_type(int type) {
  const std::uint32_t n = b_.list(type).size;
  Sprite* sprites = b_.sprites(type);
  switch (table(type).kind) {
    case Kind::kFlicker:
    case Kind::kOrientedFlicker:
      for (std::uint32_t i = 0; i < n; ++i) {
        before(sprites[i]);
        passive(type, sprites[i]);
        grow_older({type, static_cast<int>(i)});
      }
      break;
    case Kind::kSpreader:
      for (std::uint32_t i = 0; i < n; ++i) update_spreader(type, i);
      break;
    case Kind::kRandomMissile:
    case Kind::kErraticMissile:
      for (std::uint32_t i = 0; i < n; ++i) update_missile(type, sprites[i]);
      break;
    case Kind::kSpawnPoint:
    case Kind::kBomber:
    case Kind::kRandomBomber:
      for (std::uint32_t i = 0; i < n; ++i) update_spawner(type, i);
      break;
    case Kind::kRandomNPC:
      for (std::uint32_t i = 0; i < n; ++i) {
        before(sprites[i]);
        passive(type, sprites[i]);
        random_step(type, sprites[i]);
      }
      break;
    case Kind::kChaser:
    case Kind::kFleeing:
      update_chasers(type);
      break;
    default:
      for (std::uint32_t i = 0; i < n; ++i) {
        before(sprites[i]);
        passive(type, sprites[i]);
      }
  }
}

void Machine::update_spawner(int type, std::uint32_t index) {
  const TypeTable& t = table(type);
  const Ref r{type, static_cast<int>(index)};
  const int tick = b_.head().tick;
  before(sprite(r));
  if ((sprite(r).previous & kDirectionBits) == 0) {
    sprite(r).previous |= 1;
    sprite(r).age = static_cast<std::uint16_t>(tick);
  }
  if (t.kind == Kind::kRandomBomber) {
    const int drawn = 1 + dice().below(4);
    active(type, sprite(r), kDx[drawn], kDy[drawn], pace(r).active_step);
  }
  const double u = dice().uniform();
  if ((sprite(r).age + tick) % std::max(1, t.cooldown) == 0 && u < t.prob && t.target >= 0) {
    const Ref made = create(t.target, sprite(r).x, sprite(r).y);
    if (made != kNone) {
      Sprite& s = sprite(r);  // making another may have moved it
      ++s.made;
      if (sprite(made).dx == 0 && sprite(made).dy == 0) {
        sprite(made).dx = s.dx;
        sprite(made).dy = s.dy;
      }
    }
  }
  passive(type, sprite(r));
  if (t.total > 0 && sprite(r).made >= t.total) kill(r);
}

void Machine::grow_older(Ref r) {
  Sprite& s = sprite(r);
  if (s.age > table(r.type).limit) kill(r);
  if (s.age < UINT16_MAX) ++s.age;
}

// A flicker that makes others of its kind around it, once.
void Machine::update_spreader(int type, std::uint32_t index) {
  const Ref r{type, static_cast<int>(index)};
  before(sprite(r));
  passive(type, sprite(r));
  grow_older(r);
  if (sprite(r).age != 2) return;
  const TypeTable& t = table(type);
  const Position from = last_position(r);
  for (int d = 1; d <= 4; ++d)
    if (dice().allows(t.prob))
      create(t.target < 0 ? type : t.target, from.x + kDx[d] * t_.block, from.y + kDy[d] * t_.block);
}

// Missiles that draw their direction: one that has none, or an erratic one now and then.
void Machine::update_missile(int type, Sprite& s) {
  const TypeTable& t = table(type);
  before(s);
  const bool turns = t.kind == Kind::kErraticMissile ? dice().uniform() < t.prob : s.dx == 0 && s.dy == 0;
  if (turns) {
    const int drawn = 1 + dice().below(4);
    s.dx = kDx[drawn];
    s.dy = kDy[drawn];
  }
  passive(type, s);
}

void Machine::random_step(int type, Sprite& s) {
  const TypeTable& t = table(type);
  if (s.age < t.cons) {
    ++s.age;
  } else {
    s.previous = static_cast<std::uint8_t>((s.previous & ~kDirectionBits) | (1 + dice().below(4)));
    s.age = 0;
  }
  const int kept = s.previous & kDirectionBits;
  active(type, s, kDx[kept], kDy[kept], pace(type, s).active_step);
}

void Machine::update_chasers(int type) {
  const bool flee = table(type).kind == Kind::kFleeing;
  Sprite* sprites = b_.sprites(type);
  find_targets(type);
  const bool many = !t_.plain && b_.list(type).size * s_.num_targets > kManyChased;
  const int own = many ? index_targets(type) : -1;
  const auto follow = [&](std::uint32_t i) {
    if (own >= 0) s_.nearest.move(own + static_cast<int>(i), {sprites[i].x, sprites[i].y});
  };
  for (std::uint32_t i = 0; i < b_.list(type).size; ++i) {
    before(sprites[i]);
    passive(type, sprites[i]);
    follow(i);
    chase(type, sprites[i], flee, many);
    follow(i);
  }
}

// Those of the very type, or of the types below it where there is none.
void Machine::find_targets(int type) {
  s_.targets.clear();
  s_.num_targets = 0;
  const int target = table(type).target;
  if (target < 0) return;
  if (count(target) > 0) {
    s_.targets.push_back(target);
  } else {
    s_.targets = table(target).leaves;
  }
  for (const int t : s_.targets) s_.num_targets += count(t);
}

// The number of the first that is of the type itself, -1 if none is.
int Machine::index_targets(int type) {
  int own = -1;
  s_.nearest.open(t_, s_.num_targets);
  for (const int target : s_.targets)
    each_of(target, [&](Ref r) {
      if (target == type && r.index == 0) own = s_.nearest.size();
      s_.nearest.add(position(r));
    });
  return own;
}

void Machine::chase(int type, Sprite& s, bool flee, bool indexed) {
  s_.directions.clear();
  if (indexed) {
    for (const int n : s_.nearest.from({s.x, s.y})) add_directions(s, s_.nearest.place(n), flee);
  } else {
    int best = INT32_MAX;
    for (const int target : s_.targets) collect_directions(s, target, flee, best);
  }
  if (s_.directions.empty()) return random_step(type, s);
  const int drawn = s_.directions[static_cast<std::size_t>(dice().below(static_cast<int>(s_.directions.size())))];
  active(type, s, kDx[drawn], kDy[drawn], pace(type, s).active_step);
}

void Machine::collect_directions(const Sprite& s, int target, bool flee, int& best) {
  if (b_.list(target).standing > 0) {
    const std::uint64_t* words = layer_words(target);
    for (std::size_t w = 0; w < t_.num_words; ++w)
      for (std::uint64_t bits = words[w]; bits; bits &= bits - 1)
        consider(s, position({target, ~static_cast<int>(64 * w + static_cast<std::size_t>(__builtin_ctzll(bits)))}),
                 flee, best);
  }
  const Sprite* targets = b_.sprites(target);
  for (std::uint32_t i = 0; i < b_.list(target).size; ++i) consider(s, {targets[i].x, targets[i].y}, flee, best);
}

// The directions that bring `s` nearer to the target, or away from it, if none so far is nearer.
void Machine::consider(const Sprite& s, Position target, bool flee, int& best) {
  const int distance = std::abs(target.x - s.x) + std::abs(target.y - s.y);
  if (distance > best) return;
  if (distance < best) s_.directions.clear();
  best = distance;
  add_directions(s, target, flee);
}

void Machine::add_directions(const Sprite& s, Position target, bool flee) {
  const int x = target.x - s.x, y = target.y - s.y;
  const bool up = flee ? y >= 0 : y < 0, left = flee ? x >= 0 : x < 0;
  const bool down = flee ? y <= 0 : y > 0, right = flee ? x <= 0 : x > 0;
  if (up) s_.directions.push_back(1);
  if (left) s_.directions.push_back(2);
  if (down) s_.directions.push_back(3);
  if (right) s_.directions.push_back(4);
}

}  // namespace treewise::vgdl
