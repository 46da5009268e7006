#include "vgdl/machine.h"

#include <algorithm>
#include <bit>

namespace treewise::vgdl {

namespace {

constexpr int kLastTick = 2000;

}  // namespace

// What is known of cells and sprites holds for a tick, however that ends.
struct Machine::Forget {
  Scratch& scratch;
  ~Forget() {
    for (auto& c : scratch.cells) c.known = false;
    scratch.pulled.clear();
    scratch.unsettled.clear();
  }
};

void Machine::tick(int action) {
  Head& start = b_.head();
  if (start.winner >= 0) return;
  if (!((t_.action_set >> action) & 1)) action = 0;
  start.last_action = static_cast<std::uint8_t>(action);
  const std::int64_t score = start.score;
  start.met.fill(0);
  start.struck.fill(0);
  const Forget forget{s_};
  s_.effects = 0;
  s_.settled = nullptr;
  update_avatar(action);
  for (const int type : t_.update_order)
    if (b_.list(type).size > 0) update_type(type);
  if (!t_.time_rules.empty()) time_phase();
  edge_phase();
  pair_phase();
  clean_up();
  judge();
  Head& head = b_.head();
  head.gained = head.score - score;
  ++head.tick;
}

void Machine::clean_up() {
  for (const Ref r : s_.pulled) sprite(r).flags &= static_cast<std::uint8_t>(~kPulled);
  s_.pulled.clear();
  for (const Ref r : s_.unsettled) {
    sprite(r).last_x = sprite(r).x;
    sprite(r).last_y = sprite(r).y;
  }
  s_.unsettled.clear();
  if (s_.any_shield) std::fill(s_.shielded.begin(), s_.shielded.end(), false);
  s_.any_shield = false;
  for (const int type : s_.killed_types) {
    s_.type_killed[static_cast<std::size_t>(type)] = false;
    compact(type);
  }
  s_.killed_types.clear();
}

void Machine::compact(int type) {
  List& list = b_.list(type);
  if (list.standing > 0) {
    const std::size_t first = t_.layers[static_cast<std::size_t>(table(type).layer)].first_word;
    std::uint64_t* words = b_.words(t_.types.size()) + first;
    for (std::size_t w = 0; w < t_.num_words; ++w) {
      const auto gone = static_cast<std::uint32_t>(std::popcount(s_.doomed[first + w]));
      words[w] &= ~s_.doomed[first + w];
      s_.doomed[first + w] = 0;
      list.standing -= gone;
      b_.head().num_sprites -= gone;
    }
  }
  Sprite* sprites = b_.sprites(type);
  const int numbers = t_.numbers(type);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < list.size; ++i) {
    if (sprites[i].flags & kKilled) continue;
    if (kept != i) {
      sprites[kept] = sprites[i];
      std::copy_n(b_.fill(type, i, numbers), numbers, b_.fill(type, kept, numbers));
      if (b_.head().avatar_type == type && b_.head().avatar == i) b_.head().avatar = static_cast<std::uint16_t>(kept);
    }
    ++kept;
  }
  b_.head().num_sprites -= list.size - kept;
  list.size = kept;
}

bool Machine::holds(const End& end) {
  if (end.kind == TerminationKind::kTimeout) return b_.head().tick >= end.limit;
  int n = 0;
  for (const auto* family : end.counted)
    for (const int type : *family) {
      n += static_cast<int>(count(type));
      if (!table(type).avatar) continue;
      for (std::uint32_t i = 0; i < b_.list(type).size; ++i) n -= (b_.sprites(type)[i].flags & kDead) != 0;
    }
  if (end.kind == TerminationKind::kSpriteCounterMore) return n >= end.limit;
  return end.kind == TerminationKind::kSpriteCounter ? n <= end.limit : n == end.limit;
}

void Machine::judge() {
  Head& head = b_.head();
  for (const End& end : t_.ends)
    if (holds(end)) {
      head.winner = end.win;
      head.ended_now = 1;
      return;
    }
  if (head.tick < kLastTick) return;
  head.winner = 0;
  head.ended_now = 1;
}

}  // namespace treewise::vgdl
