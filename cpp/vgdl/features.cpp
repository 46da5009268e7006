#include "vgdl/features.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace treewise::vgdl {

Features::Features(const Program& program, const Tables& tables) : tables_(tables) {
  for (std::size_t i = 0; i < tables.types.size(); ++i)
    if (tables.types[i].exists && program.types[i].leaf && (!program.types[i].hidden || tables.options.hidden_shown))
      types_.push_back(static_cast<int>(i));
  const int w = tables.width - 1, h = tables.height - 1;
  const double diagonal = std::sqrt(static_cast<double>(w * w + h * h));
  for (int d = 0; d <= w * w + h * h; ++d) {
    const double near = diagonal == 0 ? 1 : 1 - std::sqrt(static_cast<double>(d)) / diagonal;
    proximity_.push_back(near * near);
  }
}

void Features::compute(const Block& block, bool shows_hidden, std::span<double> out) const {
  thread_local std::vector<std::vector<std::pair<int, int>>> cells;
  cells.resize(std::max(cells.size(), types_.size()));
  for (std::size_t k = 0; k < types_.size(); ++k) {
    const int type = types_[k];
    const TypeTable& t = tables_.types[static_cast<std::size_t>(type)];
    cells[k].clear();
    if (t.hidden && !shows_hidden) continue;
    if (t.layer >= 0) {
      const Layer& l = tables_.layers[static_cast<std::size_t>(t.layer)];
      const std::uint64_t* words =
          (l.lasting ? tables_.lasting.data() : block.words(tables_.types.size())) + l.first_word;
      for (std::size_t w = 0; w < tables_.num_words; ++w)
        for (std::uint64_t bits = words[w]; bits; bits &= bits - 1) {
          const int cell = static_cast<int>(64 * w) + std::countr_zero(bits);
          cells[k].emplace_back(cell % static_cast<int>(tables_.stride), cell / static_cast<int>(tables_.stride));
        }
    }
    for (std::uint32_t i = 0; i < block.list(type).size; ++i) {
      const Sprite& s = block.sprites(type)[i];
      const int column = s.x / tables_.block, row = s.y / tables_.block;
      if (column < 0 || row < 0 || column >= tables_.width || row >= tables_.height) continue;
      for (int y = row; y <= row + (s.y % tables_.block > 0) && y < tables_.height; ++y)
        for (int x = column; x <= column + (s.x % tables_.block > 0) && x < tables_.width; ++x)
          cells[k].emplace_back(x, y);
    }
  }
  std::size_t f = 0;
  for (std::size_t j = 1; j < types_.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) {
      int best = INT32_MAX;
      for (const auto& [ax, ay] : cells[i])
        for (const auto& [bx, by] : cells[j]) best = std::min(best, (ax - bx) * (ax - bx) + (ay - by) * (ay - by));
      out[f++] = best == INT32_MAX ? 0.0 : proximity_[static_cast<std::size_t>(best)];
    }
}

}  // namespace treewise::vgdl
