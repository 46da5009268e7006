// Which sprites overlap, in the order in which the rules want them.
//
// Types are compared through the cells that their sprites touch: a set for each type, made when it is first asked for
// in a tick and only added to after that. It may hold cells that were left again; only sprites that share cells are
// looked at, and only those that really overlap count.
#include <algorithm>
#include <bit>
#include <functional>

#include "vgdl/motion.h"

namespace treewise::vgdl {

namespace {

bool has(const std::uint64_t* words, std::size_t cell) {
  return (words[cell / 64] >> (cell % 64)) & 1;
}

Footprint footprint(const Sprite& s) {
  return {s.cell, (s.flags & kWide) != 0, (s.flags & kTall) != 0};
}

bool touches_any(const std::uint64_t* words, const Footprint& foot, std::size_t stride) {
  return has(words, foot.cell) || (foot.wide && has(words, foot.cell + 1)) ||
         (foot.tall && (has(words, foot.cell + stride) || (foot.wide && has(words, foot.cell + stride + 1))));
}

constexpr std::uint32_t kMany = 4;  // sprites for which it pays to look again which cells are touched

}  // namespace

Scratch::Cells& Machine::cells(int type) {
  Scratch::Cells& c = s_.cells[static_cast<std::size_t>(type)];
  if (c.known) return c;
  c.known = true;
  c.stale = false;
  std::fill_n(c.once.begin(), t_.num_words, 0);
  std::fill_n(c.twice.begin(), t_.num_words, 0);
  const Sprite* sprites = b_.sprites(type);
  for (std::uint32_t i = 0; i < b_.list(type).size; ++i) c.add(sprites[i], t_.stride);
  return c;
}

bool Machine::is_dead(Ref r) {
  return is_avatar(r) && (sprite(r).flags & kDead);
}

void Machine::time_phase() {
  const int tick = b_.head().tick;
  const std::uint32_t new_id = b_.head().next_id;
  for (const auto& [rule, first_tick, every] : t_.time_rules) {
    const int late = tick - first_tick;
    if (late == 0 || (late > 0 && every > 0 && late % every == 0)) all_of(rule, new_id);
  }
}

// Done to all sprites of the first types that were there when the first rule of the clock began.
void Machine::all_of(const Rule& rule, std::uint32_t new_id) {
  s_.firsts.clear();
  for (const int type : *rule.firsts) each_of(type, [&](Ref r) { s_.firsts.push_back(r); });
  for (const Ref r : s_.firsts)
    if (id(r) < new_id && !is_killed(r) && !is_dead(r)) execute(rule, r, kNone);
}

void Machine::edge_phase() {
  for (const Rule& rule : t_.edge_rules) {
    for (const int type : *rule.firsts) s_.sizes[static_cast<std::size_t>(type)] = b_.list(type).size;
    for (const int type : *rule.firsts)
      for (std::uint32_t i = 0; i < s_.sizes[static_cast<std::size_t>(type)]; ++i)
        if ((b_.sprites(type)[i].flags & (kOutside | kKilled | kDead)) == kOutside)
          execute(rule, {type, static_cast<int>(i)}, kNone);
  }
}

void Machine::pair_phase() {
  for (std::size_t i = 0; i < t_.rules.size(); ++i)
    if (!s_.any_shield || !s_.shielded[i]) pair_rule(t_.rules[i]);
}

void Machine::pair_rule(const Rule& rule) {
  std::uint32_t met = 0;
  for (const int type : *rule.seconds) {
    s_.sizes[static_cast<std::size_t>(type)] = b_.list(type).size;
    met += count(type);
  }
  if (met == 0) return;
  for (const int type : *rule.firsts) s_.sizes[static_cast<std::size_t>(type)] = b_.list(type).size;
  if (t_.options.rules_2016) return firsts_by_row(rule);
  for (const int type : *rule.firsts) {
    if (b_.list(type).standing > 0) standing_firsts(rule, type);
    if (s_.sizes[static_cast<std::size_t>(type)] > 0) listed_firsts(rule, type);
  }
}

// The cells that sprites of the second types touch, to be compared with those of first ones of this type.
void Machine::find_sets(const Rule& rule, int type, bool standing) {
  s_.sets.clear();
  const std::uint32_t firsts = standing ? b_.list(type).standing : b_.list(type).size;
  for (const int other : *rule.seconds) {
    const List& list = b_.list(other);
    if (list.standing > 0 && !(standing && other == type)) s_.sets.push_back(layer_words(other));
    if (list.size == 0) continue;
    Scratch::Cells& c = cells(other);
    if (c.stale && firsts >= kMany) {
      c.known = false;
      cells(other);
    }
    s_.sets.push_back(other == type && !standing ? c.twice.data() : c.once.data());
  }
}

void Machine::standing_firsts(const Rule& rule, int type) {
  find_sets(rule, type, true);
  const std::byte* address = b_.address();
  for (std::size_t w = 0; w < t_.num_words; ++w) {
    // Asked again after each: an effect may have moved the others.
    for (std::uint64_t left = ~std::uint64_t{0};;) {
      std::uint64_t met = 0;
      for (const std::uint64_t* set : s_.sets) met |= set[w];
      met &= left & layer_words(type)[w];
      if (met == 0) break;
      left = ~(met ^ (met - 1));
      const Ref first{type, ~static_cast<int>(64 * w + static_cast<std::size_t>(std::countr_zero(met)))};
      if (!is_killed(first)) first_against(rule, first);
      if (b_.address() == address) continue;
      find_sets(rule, type, true);
      address = b_.address();
    }
  }
}

void Machine::listed_firsts(const Rule& rule, int type) {
  find_sets(rule, type, false);
  const std::byte* address = b_.address();
  const std::uint32_t n = s_.sizes[static_cast<std::size_t>(type)];
  for (std::uint32_t i = 0; i < n; ++i) {
    const Sprite& s = b_.sprites(type)[i];
    if ((s.flags & kKilled) || !(t_.plain || meets(footprint(s)))) continue;
    first_against(rule, {type, static_cast<int>(i)});
    if (b_.address() == address) continue;
    find_sets(rule, type, false);
    address = b_.address();
  }
}

bool Machine::meets(const Footprint& foot) const {
  for (const std::uint64_t* set : s_.sets)
    if (touches_any(set, foot, t_.stride)) return true;
  return false;
}

void Machine::first_against(const Rule& rule, Ref first) {
  if (s_.effects > kMaxEffects) return;
  collect_hits(rule, first);
  for (const Ref second : s_.hits) {
    if (is_killed(first) || !overlap(position(first), position(second))) continue;
    if (++s_.effects > kMaxEffects) return;
    execute(rule, first, second);
  }
}

void Machine::collect_hits(const Rule& rule, Ref first) {
  s_.hits.clear();
  const Position p = position(first);
  const Footprint foot =
      first.standing() ? Footprint{static_cast<std::size_t>(first.cell()), false, false} : footprint(sprite(first));
  for (const int type : *rule.seconds) {
    const auto stands = [&](std::size_t cell) {
      const Ref other{type, ~static_cast<int>(cell)};
      if (has(layer_words(type), cell) && other != first && overlap(p, position(other))) s_.hits.push_back(other);
    };
    if (b_.list(type).standing > 0) {
      stands(foot.cell);
      if (foot.wide) stands(foot.cell + 1);
      if (foot.tall) stands(foot.cell + t_.stride);
      if (foot.wide && foot.tall) stands(foot.cell + t_.stride + 1);
    }
    const std::uint32_t n = s_.sizes[static_cast<std::size_t>(type)];
    if (n == 0 || !(t_.plain || touches_any(cells(type).once.data(), foot, t_.stride))) continue;
    const Sprite* sprites = b_.sprites(type);
    const int self = type == first.type ? first.index : -1;
    for (int i = 0; i < static_cast<int>(n); ++i)
      if (overlap(p, {sprites[i].x, sprites[i].y}) && i != self) s_.hits.push_back({type, i});
  }
}

// ---- the older rules: from the top of the world downwards, without dead avatars ------------------------------------

void Machine::firsts_by_row(const Rule& rule) {
  s_.firsts_by_row.clear();
  for (const int type : *rule.firsts)
    each_of(type,
            [&](Ref r) { s_.firsts_by_row.push_back({position(r).y, static_cast<int>(s_.firsts_by_row.size()), r}); });
  std::ranges::sort(s_.firsts_by_row, std::less{});
  for (const Scratch::InRow& first : s_.firsts_by_row) hits_by_row(rule, first.sprite);
}

void Machine::hits_by_row(const Rule& rule, Ref first) {
  if (is_killed(first) || s_.effects > kMaxEffects) return;
  collect_hits(rule, first);
  s_.hits_by_row.clear();
  for (const Ref r : s_.hits) s_.hits_by_row.push_back({position(r).y, static_cast<int>(s_.hits_by_row.size()), r});
  std::ranges::sort(s_.hits_by_row, std::less{});
  for (const auto& [y, place, second] : s_.hits_by_row) {
    if (is_killed(first) || !overlap(position(first), position(second)) || is_dead(first) || is_dead(second)) continue;
    if (++s_.effects > kMaxEffects) return;
    execute(rule, first, second);
  }
}

}  // namespace treewise::vgdl
