#include "vgdl/features.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace treewise::vgdl {

namespace {

constexpr std::size_t kMostFieldCells = 1 << 14;
constexpr Distance kMostTabled = 1 << 16;
constexpr int kFew = 32;       // cells that are listed
constexpr int kFewPairs = 64;  // of listed cells that are compared one by one

bool has(const std::uint64_t* set, std::size_t cell) {
  return (set[cell / 64] >> (cell % 64)) & 1;
}

}  // namespace

// Where the sprites of one type are seen.
struct Features::Seen {
  const std::uint64_t* layer;             // null: none of them
  bool whole;                             // all of the layer stand, and there are no others
  int listed;                             // cells of the list
  const std::uint64_t* set;               // those cells
  Distance* bounds;                       // from them, at least so far to each type's layer
  std::array<std::uint16_t, kFew> cells;  // if they are no more
};

// What there is of one type at the start.
struct Features::Start {
  bool known = false;  // none of them ever moves, and distances are worked out
  std::uint32_t standing = 0, listed = 0;
  std::uint32_t last_id = 0;  // of those listed
};

struct Features::Room {
  std::vector<Seen> seen;
  std::vector<std::uint64_t> sets;
  std::vector<Distance> bounds;
  std::vector<std::size_t> changed;  // types that do not stand as at the start
};

Features::~Features() = default;

Features::Features(const Program& program, const Tables& tables) : tables_(tables), grid_(tables) {
  for (std::size_t i = 0; i < tables.types.size(); ++i)
    if (tables.types[i].exists && program.types[i].leaf && (!program.types[i].hidden || tables.options.hidden_shown))
      types_.push_back(static_cast<int>(i));
  const Distance farthest = Grid::square(tables.width - 1) + Grid::square(tables.height - 1);
  const double diagonal = std::sqrt(static_cast<double>(farthest));
  for (Distance d = 0; d <= std::min(farthest, kMostTabled); ++d) {
    const double near = farthest == 0 ? 1 : 1 - std::sqrt(static_cast<double>(d)) / diagonal;
    proximity_.push_back(near * near);
  }
  start_.resize(types_.size());
  first_sets_.resize(types_.size() * tables.num_words);
  if (!types_.empty()) first_.resize(types_.size() * (types_.size() - 1) / 2);
  nearest_pairs_.resize(first_.size());
  if (tables.num_cells <= kMostFieldCells) add_fields();
}

void Features::add_fields() {
  const std::size_t n = types_.size();
  fields_.resize(tables_.num_cells * n, kNever);
  nearest_.resize(tables_.num_cells * n);
  for (std::size_t k = 0, pair = 0; k < n; ++k) {
    add_start(k);
    if (start_[k].known) add_field(k);
    for (std::size_t i = 0; i < k; ++i, ++pair) {
      if (!start_[k].known || !start_[i].known) continue;
      Distance best = kNever;
      grid_.each(first_set(k), [&](std::size_t cell) {
        if (fields_[cell * n + i] >= best) return false;
        best = fields_[cell * n + i];
        nearest_pairs_[pair] = {nearest_[cell * n + i], static_cast<std::uint16_t>(cell)};
        return best == 0;
      });
      first_[pair] = proximity(best);
    }
  }
}

void Features::add_start(std::size_t place) {
  const int type = types_[place];
  const TypeTable& t = tables_.types[static_cast<std::size_t>(type)];
  Start& start = start_[place];
  std::uint64_t* set = first_sets_.data() + place * tables_.num_words;
  if (t.layer >= 0) {
    std::copy_n(tables_.first_words(t.layer), tables_.num_words, set);
    start.standing = static_cast<std::uint32_t>(grid_.count(set));
  }
  if (!t.anchored) return;
  for (std::size_t i = 0; i < tables_.sprites.size(); ++i) {
    const Placed& p = tables_.sprites[i];
    if (p.type != type) continue;
    if (p.x % tables_.block != 0 || p.y % tables_.block != 0) return;
    const std::size_t cell = (static_cast<std::size_t>(tables_.column(p.y)) << tables_.row_bits) +
                             static_cast<std::size_t>(tables_.column(p.x));
    set[cell / 64] |= std::uint64_t{1} << (cell % 64);
    start.last_id = tables_.sprite_ids[i];
    ++start.listed;
  }
  start.known = start.standing + start.listed > 0;
}

void Features::add_field(std::size_t place) {
  for (std::size_t cell = 0; cell < tables_.num_cells; ++cell) {
    if (grid_.column(cell) >= tables_.width) continue;
    std::size_t found = 0;
    fields_[cell * types_.size() + place] = grid_.nearest(cell, first_set(place), kNever, &found);
    nearest_[cell * types_.size() + place] = static_cast<std::uint16_t>(found);
  }
}

// Whether all of a type's sprites are those of the start. Lists are in the order of ids, and new ones are higher.
bool Features::is_whole(const List& list, const Sprite* sprites, std::size_t place) const {
  const Start& start = start_[place];
  return start.known && list.standing == start.standing && list.size == start.listed &&
         (list.size == 0 || sprites[list.size - 1].id == start.last_id);
}

double Features::proximity(Distance d) const {
  if (d == kNever) return 0;
  if (d < proximity_.size()) return proximity_[d];
  const double farthest = static_cast<double>(Grid::square(tables_.width - 1) + Grid::square(tables_.height - 1));
  const double near = 1 - std::sqrt(static_cast<double>(d) / farthest);
  return near * near;
}

void Features::compute(const Block& block, bool shows_hidden, std::span<double> out) const {
  thread_local Room kept;
  Room& room = kept;
  const std::size_t n = types_.size();
  room.seen.resize(n);
  room.sets.resize(std::max(room.sets.size(), n * tables_.num_words));
  room.bounds.resize(std::max(room.bounds.size(), n * n));
  room.changed.clear();
  for (std::size_t k = 0; k < n; ++k) {
    look(block, shows_hidden, k, room);
    if (!room.seen[k].whole) room.changed.push_back(k);
  }
  std::copy(first_.begin(), first_.end(), out.begin());
  for (const std::size_t k : room.changed) {
    const Seen& seen = room.seen[k];
    if (!seen.listed && !seen.layer && !start_[k].known) continue;  // nowhere, and so it was at first
    const bool only_listed = seen.listed && !seen.layer && !fields_.empty();
    for (std::size_t i = 0; i < n; ++i) {
      const Seen& other = room.seen[i];
      if (!other.whole && i >= k) continue;  // itself, and what compares itself with this one
      out[pair(i, k)] = proximity(only_listed && other.whole ? seen.bounds[i] : between(room, i, k));
    }
  }
}

void Features::look(const Block& block, bool shows_hidden, std::size_t place, Room& room) const {
  const int type = types_[place];
  const TypeTable& t = tables_.types[static_cast<std::size_t>(type)];
  const List& list = block.list(type);
  Seen& out = room.seen[place];
  out.layer = nullptr;
  out.whole = false;
  out.listed = 0;
  if (t.hidden && !shows_hidden) return;
  out.whole = is_whole(list, block.sprites(type), place);
  if (out.whole) {
    out.layer = first_set(place);
    return;
  }
  if (list.standing > 0) {
    const Layer& l = tables_.layers[static_cast<std::size_t>(t.layer)];
    out.layer = (l.lasting ? tables_.lasting.data() : block.words(tables_.types.size())) + l.first_word;
  }
  if (list.size == 0) return;
  std::uint64_t* set = room.sets.data() + place * tables_.num_words;
  std::fill_n(set, tables_.num_words, 0);
  add_listed(block, type, set);
  out.set = set;
  out.bounds = room.bounds.data() + place * types_.size();
  measure(out);
}

void Features::add_listed(const Block& block, int type, std::uint64_t* set) const {
  each_listed(block, type, [&](std::size_t cell) { set[cell / 64] |= std::uint64_t{1} << (cell % 64); });
}

// Lists the cells, and finds how near the layers can be at the most.
void Features::measure(Seen& seen) const {
  const std::size_t n = types_.size();
  std::fill_n(seen.bounds, n, kNever);
  grid_.each(seen.set, [&](std::size_t cell) {
    if (seen.listed < kFew) seen.cells[static_cast<std::size_t>(seen.listed)] = static_cast<std::uint16_t>(cell);
    ++seen.listed;
    if (fields_.empty()) return false;
    const Distance* field = fields_.data() + cell * n;
    for (std::size_t i = 0; i < n; ++i) seen.bounds[i] = std::min(seen.bounds[i], field[i]);
    return false;
  });
}

Distance Features::between(const Room& room, std::size_t i, std::size_t j) const {
  const Seen &a = room.seen[i], &b = room.seen[j];
  Distance best = a.layer && b.layer ? layers(room, i, j) : kNever;
  if (a.listed && b.layer) best = to_layer(a, b, j, best);
  if (b.listed && a.layer) best = to_layer(b, a, i, best);
  if (a.listed && b.listed && best > 0) best = std::min(best, lists(a, b));
  return best;
}

Distance Features::layers(const Room& room, std::size_t i, std::size_t j) const {
  const Seen &a = room.seen[i], &b = room.seen[j];
  if (!fields_.empty()) {
    const auto [one, other] = nearest_pairs_[pair(i, j)];
    const Seen &lower = i < j ? a : b, &higher = i < j ? b : a;
    if (has(lower.layer, one) && has(higher.layer, other)) return grid_.between(one, other);
  }
  return grid_.meet(a.layer, b.layer) ? 0 : grid_.nearest(a.layer, b.layer);
}

// From the cells of a list to a layer, or `best` if that is not more.
Distance Features::to_layer(const Seen& from, const Seen& to, std::size_t place, Distance best) const {
  const std::size_t n = types_.size();
  if (!fields_.empty()) {
    if (from.bounds[place] >= best) return best;
    if (to.whole) return from.bounds[place];
  }
  bool unsure = false;
  if (!fields_.empty())
    grid_.each(from.set, [&](std::size_t cell) {
      const Distance d = fields_[cell * n + place];
      if (d >= best) return false;
      has(to.layer, nearest_[cell * n + place]) ? void(best = d) : void(unsure = true);
      return best == 0;
    });
  if (!unsure && !fields_.empty()) return best;
  grid_.each(from.set, [&](std::size_t cell) {
    if (fields_.empty() || fields_[cell * n + place] < best) best = grid_.nearest(cell, to.layer, best);
    return best == 0;
  });
  return best;
}

Distance Features::lists(const Seen& a, const Seen& b) const {
  const Seen& few = a.listed < b.listed ? a : b;
  const Seen& many = a.listed < b.listed ? b : a;
  const bool one_by_one = many.listed <= kFew && few.listed * many.listed <= kFewPairs;
  if (!one_by_one && grid_.meet(few.set, many.set)) return 0;
  if (few.listed > kFew) return grid_.nearest(few.set, many.set);
  Distance best = kNever;
  for (int i = 0; i < few.listed && best > 0; ++i) {
    const std::size_t cell = few.cells[static_cast<std::size_t>(i)];
    if (one_by_one) {
      for (int j = 0; j < many.listed; ++j)
        best = std::min(best, grid_.between(cell, many.cells[static_cast<std::size_t>(j)]));
    } else {
      best = grid_.nearest(cell, many.set, best);
    }
  }
  return best;
}

}  // namespace treewise::vgdl
