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

SceneShape VgdlState::scene_shape() const {
  const Tables& tables = game_->tables();
  return {tables.width, tables.height, static_cast<int>(tables.types.size())};
}

// The cell of its middle. What it holds counts, its health does not.
Body VgdlState::body() const {
  const Tables& tables = game_->tables();
  const Head& head = block_.head();
  if (head.avatar_type < 0) return {};
  const Sprite& s = block_.sprites(head.avatar_type)[head.avatar];
  const int x = s.x + tables.block / 2, y = s.y + tables.block / 2;
  if ((s.flags & kDead) || x < 0 || y < 0 || x >= tables.world_width || y >= tables.world_height) return {};
  Body body{tables.column(y) * tables.width + tables.column(x), static_cast<std::uint64_t>(head.avatar_type)};
  const int numbers = tables.numbers(head.avatar_type);
  for (int k = 2; k < numbers; ++k)
    body.form = mix(body.form, static_cast<std::uint64_t>(block_.fill(head.avatar_type, head.avatar, numbers)[k]));
  return body;
}

void VgdlState::scene(std::vector<Item>& out) const {
  const Tables& tables = game_->tables();
  out.clear();
  const auto add = [&](std::size_t cell, int type) {
    const auto row = static_cast<int>(cell >> tables.row_bits), column = static_cast<int>(cell & (tables.stride - 1));
    if (column < tables.width && row < tables.height) out.push_back({row * tables.width + column, type});
  };
  for (const int type : game_->features().types()) {
    const TypeTable& t = tables.types[static_cast<std::size_t>(type)];
    if (t.avatar || (t.hidden && !shows_hidden())) continue;
    if (block_.list(type).standing > 0) {
      const Layer& l = tables.layers[static_cast<std::size_t>(t.layer)];
      const std::uint64_t* words =
          (l.lasting ? tables.lasting.data() : block_.words(tables.types.size())) + l.first_word;
      for (std::size_t w = 0; w < tables.num_words; ++w)
        for (std::uint64_t bits = words[w]; bits; bits &= bits - 1)
          add(64 * w + static_cast<std::size_t>(std::countr_zero(bits)), type);
    }
    game_->features().each_listed(block_, type, [&](std::size_t cell) { add(cell, type); });
  }
}

void VgdlState::meetings(std::vector<int>& met, std::vector<int>& struck) const {
  list_bits(block_.head().met, met);
  list_bits(block_.head().struck, struck);
}

}  // namespace treewise::vgdl
