#include "vgdl/view.h"

#include <algorithm>
#include <bit>

namespace treewise::vgdl {

namespace {

constexpr int kMadeByAvatar = 5, kMovable = 6;

// A letter for each type: the first of its name that is still free, and one byte long.
std::vector<char> letters(const Program& program) {
  const std::string spare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::string taken = "@#.";
  std::vector<char> out;
  for (const SpriteType& t : program.types) {
    std::string wanted = is_avatar(t.kind) ? "@" : t.name == "wall" ? "#" : t.name;
    std::erase_if(wanted, [](char c) { return static_cast<unsigned char>(c) > 127; });
    wanted += spare;
    const bool own = is_avatar(t.kind) || t.name == "wall";
    const std::size_t free = own ? 0 : std::min(wanted.find_first_not_of(taken), wanted.size() - 1);
    out.push_back(wanted[free]);
    taken += wanted[free];
  }
  return out;
}

}  // namespace

std::vector<Seen> all_sprites(const Program& program, const Tables& tables, const Block& block) {
  std::vector<Seen> out;
  for (int type = 0; type < static_cast<int>(tables.types.size()); ++type) {
    const SpriteType& named = program.types[static_cast<std::size_t>(type)];
    const int layer = tables.types[static_cast<std::size_t>(type)].layer;
    if (layer >= 0) {
      const Layer& l = tables.layers[static_cast<std::size_t>(layer)];
      const std::uint64_t* words =
          (l.lasting ? tables.lasting.data() : block.words(tables.types.size())) + l.first_word;
      for (std::size_t w = 0; w < tables.num_words; ++w)
        for (std::uint64_t bits = words[w]; bits; bits &= bits - 1) {
          const std::size_t cell = 64 * w + static_cast<std::size_t>(std::countr_zero(bits));
          const Position at = tables.corners[cell];
          out.push_back({named.category, type, l.ids[cell], at.x, at.y, named.hidden});
        }
    }
    for (std::uint32_t i = 0; i < block.list(type).size; ++i) {
      const Sprite& s = block.sprites(type)[i];
      int category = named.category;
      if (category >= kMadeByAvatar) category = (s.flags & kFromAvatar) ? kMadeByAvatar : kMovable;
      out.push_back({category, type, s.id, s.x, s.y, named.hidden});
    }
  }
  return out;
}

std::string draw_grid(const Program& program, const Tables& tables, const Block& block) {
  const std::vector<char> letter = letters(program);
  const auto width = static_cast<std::size_t>(tables.width);
  std::string grid;
  for (int y = 0; y < tables.height; ++y) grid += std::string(width, '.') + '\n';
  std::vector<std::vector<Seen>> by_type(tables.types.size());
  for (const Seen& s : all_sprites(program, tables, block)) by_type[static_cast<std::size_t>(s.type)].push_back(s);
  for (auto type = program.update_order.rbegin(); type != program.update_order.rend(); ++type)
    for (const Seen& s : by_type[static_cast<std::size_t>(*type)]) {
      const int half = tables.block / 2;
      const int x = s.x + half, y = s.y + half;
      if (s.hidden || x < 0 || y < 0 || x >= tables.world_width || y >= tables.world_height) continue;
      const std::size_t cell =
          static_cast<std::size_t>(tables.column(y)) * (width + 1) + static_cast<std::size_t>(tables.column(x));
      grid[cell] = letter[static_cast<std::size_t>(s.type)];
    }
  return grid;
}

}  // namespace treewise::vgdl
