// Sprites: where they are, how they are made and killed.
#include <algorithm>
#include <bit>

#include "base/bits.h"
#include "vgdl/motion.h"

namespace treewise::vgdl {

void Scratch::fit(const Tables& tables) {
  serial = tables.serial;
  const std::size_t n = tables.types.size();
  if (cells.size() < n) cells.resize(n);
  for (Cells& c : cells)
    if (c.once.size() < tables.num_words) {
      c.once.resize(tables.num_words);
      c.twice.resize(tables.num_words);
    }
  if (doomed.size() < tables.state_words) doomed.resize(tables.state_words);
  if (type_killed.size() < n) type_killed.resize(n);
  if (shielded.size() < tables.rules.size()) shielded.resize(tables.rules.size());
  if (sizes.size() < n) sizes.resize(n);
}

Scratch& scratch_of(const Tables& tables) {
  thread_local Scratch scratch;
  if (scratch.serial != tables.serial) scratch.fit(tables);
  return scratch;
}

Machine::Machine(const Tables& tables, Block& block, SharedPull* pull, std::vector<Event>* events)
    : t_(tables), b_(block), s_(scratch_of(tables)), pull_(pull), events_(events) {}

void Machine::set_up() {
  b_.head().num_sprites = t_.next_id - static_cast<std::uint32_t>(t_.sprites.size());
  for (std::size_t i = 0; i < t_.sprites.size(); ++i) {
    const Placed& p = t_.sprites[i];
    b_.head().next_id = t_.sprite_ids[i];
    add(p.type, p.x, p.y);
  }
  b_.head().next_id = t_.next_id;
}

const std::uint64_t* Machine::layer_words(int type) const {
  const Layer& layer = t_.layers[static_cast<std::size_t>(table(type).layer)];
  return (layer.lasting ? t_.lasting.data() : std::as_const(b_).words(t_.types.size())) + layer.first_word;
}

Position Machine::last_position(Ref r) {
  if (r.standing()) return position(r);
  const Sprite& s = sprite(r);
  return {s.last_x, s.last_y};
}

std::uint32_t Machine::id(Ref r) {
  if (!r.standing()) return sprite(r).id;
  return t_.layers[static_cast<std::size_t>(table(r.type).layer)].ids[static_cast<std::size_t>(r.cell())];
}

bool Machine::is_killed(Ref r) {
  if (!r.standing()) return (sprite(r).flags & kKilled) != 0;
  const Layer& layer = t_.layers[static_cast<std::size_t>(table(r.type).layer)];
  if (layer.lasting) return false;
  const auto cell = static_cast<std::size_t>(r.cell());
  return (s_.doomed[layer.first_word + cell / 64] >> (cell % 64)) & 1;
}

std::uint32_t Machine::count(const std::vector<int>& family) {
  std::uint32_t n = 0;
  for (const int type : family) n += count(type);
  return n;
}

Ref Machine::nth(const std::vector<int>& family, std::uint32_t n) {
  for (const int type : family) {
    if (n < b_.list(type).standing) {
      const std::uint64_t* words = layer_words(type);
      while (n >= static_cast<std::uint32_t>(std::popcount(*words)))
        n -= static_cast<std::uint32_t>(std::popcount(*words++));
      const auto word = static_cast<std::size_t>(words - layer_words(type));
      return {type, ~(64 * static_cast<int>(word) + treewise::nth(*words, static_cast<int>(n)))};
    }
    n -= b_.list(type).standing;
    if (n < b_.list(type).size) return {type, static_cast<int>(n)};
    n -= b_.list(type).size;
  }
  return kNone;
}

Ref Machine::create(int type, int x, int y) {
  return may_create(type) ? add(type, x, y) : kNone;
}

bool Machine::may_create(int type) {
  for (const int marked : table(type).singletons)
    if (count(table(marked).below) > 0) return false;
  return has_room();
}

Ref Machine::add(int type, int x, int y) {
  const TypeTable& t = table(type);
  const Ref r{type, static_cast<int>(b_.append(type, t_.numbers(type)))};
  Sprite& s = sprite(r);
  s = {x, y, x, y, b_.head().next_id++, 0, 0, t.dx, t.dy, kFirstTick, 0, 0, 0};
  locate(s);
  touch(type, s);
  if (t.filled) {
    std::int32_t* numbers = fill(r);
    std::fill_n(numbers, t_.numbers(type), 0);
    numbers[0] = numbers[1] = t.health;
  }
  ++b_.head().num_sprites;
  if (t.avatar && b_.head().avatar_type < 0) set_avatar(r);
  return r;
}

void Machine::set_avatar(Ref r) {
  b_.head().avatar_type = static_cast<std::int16_t>(r.type);
  b_.head().avatar = static_cast<std::uint16_t>(r.index);
}

void Machine::kill(Ref r) {
  if (is_avatar(r)) {
    sprite(r).flags |= kDead;
  } else {
    kill_really(r);
  }
}

void Machine::kill_really(Ref r) {
  if (r.standing()) {
    const Layer& layer = t_.layers[static_cast<std::size_t>(table(r.type).layer)];
    const auto cell = static_cast<std::size_t>(r.cell());
    s_.doomed[layer.first_word + cell / 64] |= std::uint64_t{1} << (cell % 64);
  } else {
    sprite(r).flags |= kKilled;
  }
  if (s_.type_killed[static_cast<std::size_t>(r.type)]) return;
  s_.type_killed[static_cast<std::size_t>(r.type)] = true;
  s_.killed_types.push_back(r.type);
}

}  // namespace treewise::vgdl
