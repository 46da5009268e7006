// What a player sees of the world around its avatar.
#include <bit>

#include "base/bits.h"
#include "vgdl/vgdl_game.h"

namespace treewise::vgdl {

namespace {

void list_bits(const std::array<std::uint64_t, 4>& words, std::vector<int>& out) {
  out.clear();
  for (std::size_t w = 0; w < words.size(); ++w)
    for (std::uint64_t bits = words[w]; bits; bits &= bits - 1)
      out.push_back(static_cast<int>(64 * w) + std::countr_zero(bits));
}

}  // namespace

void VgdlState::scene(Scene& out, bool items) const {
  const Tables& tables = game_->tables();
  out.width = tables.width;
  out.height = tables.height;
  out.kinds = static_cast<int>(tables.types.size());
  place_body(out);
  list_bits(block_.head().met, out.met);
  list_bits(block_.head().struck, out.struck);
  if (items) list_items(out.items);
}

// The avatar is in the cell of its middle. What it holds is part of its form, its health is not.
void VgdlState::place_body(Scene& out) const {
  const Tables& tables = game_->tables();
  const Head& head = block_.head();
  out.body = -1;
  out.form = 0;
  if (head.avatar_type < 0) return;
  const Sprite& s = block_.sprites(head.avatar_type)[head.avatar];
  const int x = s.x + tables.block / 2, y = s.y + tables.block / 2;
  if ((s.flags & kDead) || x < 0 || y < 0 || x >= tables.world_width || y >= tables.world_height) return;
  out.body = tables.column(y) * tables.width + tables.column(x);
  out.form = static_cast<std::uint64_t>(head.avatar_type);
  const int numbers = tables.numbers(head.avatar_type);
  const std::int32_t* fill = block_.fill(head.avatar_type, head.avatar, numbers);
  for (int k = 2; k < numbers; ++k) out.form = mix(out.form, static_cast<std::uint64_t>(fill[k]));
}

void VgdlState::list_items(std::vector<Scene::Item>& out) const {
  const Tables& tables = game_->tables();
  const Grid grid(tables);
  out.clear();
  for (const int type : game_->features().types()) {
    const TypeTable& t = tables.types[static_cast<std::size_t>(type)];
    if (t.avatar || (t.hidden && !shows_hidden())) continue;
    const auto add = [&](std::size_t cell) {
      const int row = grid.row(cell), column = grid.column(cell);
      if (row < tables.height && column < tables.width) out.push_back({row * tables.width + column, type});
      return false;
    };
    game_->features().each_listed(block_, type, add);
    if (block_.list(type).standing == 0) continue;
    grid.each(game_->features().layer(block_, type), add);
  }
}

}  // namespace treewise::vgdl
