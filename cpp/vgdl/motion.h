// How sprites move and are gone through. In a header because nothing is called more often.
#pragma once

#include <algorithm>
#include <bit>

#include "vgdl/machine.h"

namespace treewise::vgdl {

constexpr int kFarAway = 1 << 28;  // pixels; nothing goes further

inline void Scratch::Cells::add(std::size_t cell) {
  const std::uint64_t bit = std::uint64_t{1} << (cell % 64);
  twice[cell / 64] |= once[cell / 64] & bit;
  once[cell / 64] |= bit;
}

inline void Scratch::Cells::add(const Sprite& s, std::size_t stride) {
  add(s.cell);
  if (s.flags & kWide) add(s.cell + std::size_t{1});
  if (!(s.flags & kTall)) return;
  add(s.cell + stride);
  if (s.flags & kWide) add(s.cell + stride + 1);
}

inline void Machine::touch(int type, const Sprite& s) {
  Scratch::Cells& c = s_.cells[static_cast<std::size_t>(type)];
  if (!c.known) return;
  c.add(s, t_.stride);
  c.stale = true;
}

// Which cells the sprite touches; outside the world, the nearest ones. Overlapping sprites share at least one.
inline void Machine::locate(Sprite& s) {
  const int right = t_.world_width - t_.block, bottom = t_.world_height - t_.block;
  const bool outside = s.x < 0 || s.y < 0 || s.x > right || s.y > bottom;
  if (outside) {
    s.x = std::clamp(s.x, -kFarAway, kFarAway);
    s.y = std::clamp(s.y, -kFarAway, kFarAway);
  }
  const int x = std::clamp(s.x, 0, right), y = std::clamp(s.y, 0, bottom);
  const int column = t_.column(x), row = t_.column(y);
  s.cell = static_cast<std::uint16_t>((row << t_.row_bits) + column);
  s.flags = static_cast<std::uint8_t>((s.flags & ~(kWide | kTall | kOutside)) | (x > column * t_.block ? kWide : 0) |
                                      (y > row * t_.block ? kTall : 0) | (outside ? kOutside : 0));
}

inline void Machine::place(int type, Sprite& s, int x, int y) {
  s.x = x;
  s.y = y;
  locate(s);
  touch(type, s);
}

inline bool Machine::move(int type, Sprite& s, int dx, int dy, int pixels) {
  const TypeTable& t = table(type);
  if (pixels == 0) pixels = static_cast<int>(pace(type, s).speed);
  if (pixels == 0 || t.cooldown > s.last_move || (dx == 0 && dy == 0)) return false;
  place(type, s, s.x + dx * pixels, s.y + dy * pixels);
  s.last_move = 0;
  return true;
}

inline void Machine::passive(int type, Sprite& s) {
  const TypeTable& t = table(type);
  if (t.is_static) return;
  if (s.flags & kFirstTick) {
    s.flags &= static_cast<std::uint8_t>(~kFirstTick);
  } else if (const Pace& own = pace(type, s); own.speed != 0 && t.oriented) {
    move(type, s, s.dx, s.dy, own.step);
  }
}

inline Machine::Moved Machine::active(int type, Sprite& s, int dx, int dy, int pixels) {
  if (dx == 0 && dy == 0) return Moved::kStill;
  const TypeTable& t = table(type);
  if (t.rotates && t.oriented && (dx != s.dx || dy != s.dy)) {
    s.dx = static_cast<std::int8_t>(dx);
    s.dy = static_cast<std::int8_t>(dy);
    return Moved::kTurned;
  }
  return move(type, s, dx, dy, pixels) ? Moved::kMoved : Moved::kStill;
}

// All sprites of exactly this type that are there now.
template <class See>
void Machine::each_of(int type, See see) {
  const std::uint32_t n = b_.list(type).size;
  if (b_.list(type).standing > 0)
    for (std::size_t w = 0; w < t_.num_words; ++w)
      for (std::uint64_t bits = layer_words(type)[w]; bits; bits &= bits - 1)
        see(Ref{type, ~static_cast<int>(64 * w + static_cast<std::size_t>(std::countr_zero(bits)))});
  for (std::uint32_t i = 0; i < n; ++i) see(Ref{type, static_cast<int>(i)});
}

}  // namespace treewise::vgdl
