// Which sprites overlap, in the order in which the rules want them.
//
// Types are compared through the cells that their sprites touch: a set for each type, made when it is first asked for
// in a tick and only added to after that. It may hold cells that were left again; only sprites that share cells are
// looked at, and only those that really overlap count.
#include <algorithm>
#include <bit>

#include "vgdl/machine.h"

namespace treewise::vgdl {

namespace {

bool has(const std::uint64_t* words, std::size_t cell) {
  return (words[cell / 64] >> (cell % 64)) & 1;
}

bool touches_any(const std::uint64_t* words, const Sprite& s, std::size_t width) {
  const std::size_t cell = s.cell;
  if (has(words, cell)) return true;
  const bool wide = s.flags & kWide, tall = s.flags & kTall;
  return (wide && has(words, cell + 1)) || (tall && has(words, cell + width)) ||
         (wide && tall && has(words, cell + width + 1));
}

void add_cell(Scratch::Cells& cells, std::size_t cell) {
  const std::uint64_t bit = std::uint64_t{1} << (cell % 64);
  cells.twice[cell / 64] |= cells.once[cell / 64] & bit;
  cells.once[cell / 64] |= bit;
}

void add_cells(Scratch::Cells& cells, const Sprite& s, std::size_t width) {
  add_cell(cells, s.cell);
  if (s.flags & kWide) add_cell(cells, s.cell + std::size_t{1});
  if (!(s.flags & kTall)) return;
  add_cell(cells, s.cell + width);
  if (s.flags & kWide) add_cell(cells, s.cell + width + 1);
}

}  // namespace

const Scratch::Cells& Machine::cells(int type) {
  Scratch::Cells& c = s_.cells[static_cast<std::size_t>(type)];
  if (c.known) return c;
  c.known = true;
  std::fill_n(c.once.begin(), t_.num_words, 0);
  std::fill_n(c.twice.begin(), t_.num_words, 0);
  const Sprite* sprites = b_.sprites(type);
  for (std::uint32_t i = 0; i < b_.list(type).size; ++i) add_cells(c, sprites[i], static_cast<std::size_t>(t_.width));
  return c;
}

void Machine::touch(int type, const Sprite& s) {
  Scratch::Cells& c = s_.cells[static_cast<std::size_t>(type)];
  if (c.known) add_cells(c, s, static_cast<std::size_t>(t_.width));
}

bool Machine::overlap(Ref a, Ref b) {
  const Position p = position(a), q = position(b);
  return std::abs(p.x - q.x) < t_.block && std::abs(p.y - q.y) < t_.block;
}

// Dead avatars take part in everything but what happens at the edge; by the older rules, in nothing.
bool Machine::skips(Ref r) {
  return t_.options.rules_2016 && is_avatar(r) && (sprite(r).flags & kDead);
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
  for (const int type : *rule.firsts) {
    if (b_.list(type).standing > 0) standing_firsts(rule, type);
    for (std::uint32_t i = 0; i < s_.sizes[static_cast<std::size_t>(type)]; ++i) {
      const Sprite& s = b_.sprites(type)[i];
      if (!(s.flags & kKilled) && meets(rule, type, s)) first_against(rule, {type, static_cast<int>(i)});
    }
  }
}

// The cells in one word that sprites of the second types touch.
std::uint64_t Machine::met_cells(const Rule& rule, int type, std::size_t word) {
  std::uint64_t met = 0;
  for (const int other : *rule.seconds) {
    if (other != type && b_.list(other).standing > 0) met |= layer_words(other)[word];
    if (b_.list(other).size > 0) met |= cells(other).once[word];
  }
  return met;
}

void Machine::standing_firsts(const Rule& rule, int type) {
  for (std::size_t w = 0; w < t_.num_words; ++w) {
    std::uint64_t left = ~std::uint64_t{0};
    // Asked again after each: an effect may have moved the others.
    while (const std::uint64_t bits = left & layer_words(type)[w] & met_cells(rule, type, w)) {
      const int place = std::countr_zero(bits);
      left = place == 63 ? 0 : ~std::uint64_t{0} << (place + 1);
      const Ref first{type, ~static_cast<int>(64 * w + static_cast<std::size_t>(place))};
      if (!is_killed(first)) first_against(rule, first);
    }
  }
}

bool Machine::meets(const Rule& rule, int type, const Sprite& s) {
  const auto width = static_cast<std::size_t>(t_.width);
  for (const int other : *rule.seconds) {
    if (b_.list(other).standing > 0 && touches_any(layer_words(other), s, width)) return true;
    if (b_.list(other).size == 0) continue;
    const Scratch::Cells& c = cells(other);
    if (touches_any((other == type ? c.twice : c.once).data(), s, width)) return true;
  }
  return false;
}

void Machine::first_against(const Rule& rule, Ref first) {
  if (skips(first)) return;
  collect_hits(rule, first);
  for (const Ref second : s_.hits)
    if (!is_killed(first) && overlap(first, second) && !skips(second)) execute(rule, first, second);
}

void Machine::collect_hits(const Rule& rule, Ref first) {
  s_.hits.clear();
  const Position p = position(first);
  const auto add = [&](Ref other) {
    if (other != first && overlap(first, other)) s_.hits.push_back(other);
  };
  for (const int type : *rule.seconds) {
    if (b_.list(type).standing > 0) {
      const std::uint64_t* words = layer_words(type);
      const int right = t_.world_width - t_.block, bottom = t_.world_height - t_.block;
      const int column = t_.column(std::clamp(p.x, 0, right)), row = t_.column(std::clamp(p.y, 0, bottom));
      for (int y = row; y < std::min(row + 2, t_.height); ++y)
        for (int x = column; x < std::min(column + 2, t_.width); ++x)
          if (has(words, static_cast<std::size_t>(y * t_.width + x))) add({type, ~(y * t_.width + x)});
    }
    const std::uint32_t n = s_.sizes[static_cast<std::size_t>(type)];
    for (std::uint32_t i = 0; i < n; ++i) add({type, static_cast<int>(i)});
  }
}

}  // namespace treewise::vgdl
