// What a player sees of a state.
#pragma once

#include <string>

#include "vgdl/block.h"

namespace treewise::vgdl {

struct Seen {
  int category, type;
  std::uint32_t id;
  int x, y;
  bool hidden;
};

// All sprites, type by type; dead avatars, too.
std::vector<Seen> all_sprites(const Program& program, const Tables& tables, const Block& block);

// One letter a cell, of the visible sprite that is drawn last.
std::string draw_grid(const Program& program, const Tables& tables, const Block& block);

}  // namespace treewise::vgdl
