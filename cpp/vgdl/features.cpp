#include "vgdl/features.h"

#include <algorithm>
#include <cmath>

namespace treewise::vgdl {

namespace {

constexpr std::size_t kMostFieldCells = 1 << 14;
constexpr std::size_t kFewPairs = 2048;  // of listed cells that are compared one by one
constexpr std::size_t kFew = 32;         // cells that are compared with a set one by one

bool has(const std::uint64_t* set, std::size_t cell) {
  return (set[cell / 64] >> (cell % 64)) & 1;
}

void insert(std::uint64_t* set, std::size_t cell) {
  set[cell / 64] |= std::uint64_t{1} << (cell % 64);
}

}  // namespace

// Where the sprites of one type are seen.
struct Features::Seen {
  const std::uint64_t* layer = nullptr;  // null: none of them
  bool whole = false;                    // all of the layer stand, and there are no others
  bool has_set = false;                  // of the cells of the list
  CellLists::List listed;
};

// What there is of one type at the start.
struct Features::Start {
  int type = 0;
  bool hidden = false;
  bool known = false;  // none of them ever moves, and distances are worked out
  std::uint32_t standing = 0, listed = 0;
  std::uint32_t last_id = 0;  // of those listed

  // Whether all sprites are those of the start. Lists are in the order of ids, and new ones are higher.
  bool is_whole(const List& list, const Sprite* sprites) const {
    return known && list.standing == standing && list.size == listed &&
           (list.size == 0 || sprites[list.size - 1].id == last_id);
  }
};

struct Features::Room {
  std::vector<Seen> seen;
  CellLists lists;
  std::vector<Near> bounds;  // from the listed cells of each type, at least so far to each type's layer
  std::vector<std::uint64_t> sets;
  std::vector<std::size_t> changed;  // types that do not stand as at the start
  std::vector<std::size_t> present;  // types that are seen at all
  std::vector<std::uint16_t> moved;  // cells of what has been moved or made
};

Features::~Features() = default;

// One for each thread. Not inlined: the compiler would ask anew which one it is in every turn of a loop.
[[gnu::noinline]] Features::Room& Features::own_room() {
  thread_local Room room;
  return room;
}

// ---- what is worked out beforehand ---------------------------------------------------------------------------------

Features::Features(const Program& program, const Tables& tables)
    : tables_(tables), grid_(tables), farthest_(Grid::square(tables.width - 1) + Grid::square(tables.height - 1)) {
  for (std::size_t i = 0; i < tables.types.size(); ++i)
    if (tables.types[i].exists && program.types[i].leaf && (!program.types[i].hidden || tables.options.hidden_shown))
      types_.push_back(static_cast<int>(i));
  places_.assign(tables.types.size(), -1);
  for (std::size_t k = 0; k < types_.size(); ++k) places_[static_cast<std::size_t>(types_[k])] = static_cast<int>(k);
  start_.resize(types_.size());
  first_sets_.resize(types_.size() * tables.num_words);
  if (!types_.empty()) first_.resize(types_.size() * (types_.size() - 1) / 2);
  find_origins();
  if (tables.num_cells <= kMostFieldCells && farthest_ < kMostNear) add_fields();
}

void Features::find_origins() {
  std::vector<FeatureOrigin> alone;
  for (const int type : types_)
    alone.push_back({type, -1, is_floor(type), tables_.types[static_cast<std::size_t>(type)].hidden, is_fixed(type)});
  for (std::size_t k = 0; k < types_.size(); ++k)
    for (std::size_t i = 0; i < k; ++i)
      origins_.push_back({types_[i], types_[k], alone[i].floor || alone[k].floor, alone[i].hidden || alone[k].hidden,
                          alone[i].fixed + alone[k].fixed});
}

// Whether no rule moves or removes what stands there at the start.
bool Features::is_fixed(int type) const {
  const int layer = tables_.types[static_cast<std::size_t>(type)].layer;
  return layer >= 0 && tables_.layers[static_cast<std::size_t>(layer)].lasting;
}

bool Features::is_floor(int type) const {
  const int layer = tables_.types[static_cast<std::size_t>(type)].layer;
  if (layer < 0) return false;
  const std::uint64_t* set = tables_.first_words(layer);
  const auto cells = static_cast<std::size_t>(tables_.width) * static_cast<std::size_t>(tables_.height);
  const auto under = [&](const Placed& p) {
    return tables_.types[static_cast<std::size_t>(p.type)].avatar && has(set, cell_at(p));
  };
  return 2 * static_cast<std::size_t>(grid_.count(set)) > cells &&
         std::any_of(tables_.sprites.begin(), tables_.sprites.end(), under);
}

std::size_t Features::cell_at(const Placed& p) const {
  return (static_cast<std::size_t>(tables_.column(p.y)) << tables_.row_bits) +
         static_cast<std::size_t>(tables_.column(p.x));
}

void Features::add_fields() {
  const std::size_t n = types_.size();
  never_ = static_cast<Near>(farthest_ + 1);
  for (Distance d = 0; d <= farthest_; ++d) proximity_.push_back(proximity(d));
  proximity_.push_back(0);
  row_ = (n + kNearLanes - 1) / kNearLanes * kNearLanes;
  fields_.resize(tables_.num_cells * row_, never_);
  nearest_.resize(tables_.num_cells * row_);
  nearest_pairs_.resize(first_.size());
  for (std::size_t k = 0; k < n; ++k) {
    add_start(k);
    if (!start_[k].known) continue;
    add_field(k);
    for (std::size_t i = 0; i < k; ++i)
      if (start_[i].known) add_nearest_pair(i, k);
  }
}

void Features::add_start(std::size_t place) {
  const int type = types_[place];
  const TypeTable& t = tables_.types[static_cast<std::size_t>(type)];
  Start& start = start_[place];
  start.type = type;
  start.hidden = t.hidden;
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
    insert(set, cell_at(p));
    start.last_id = tables_.sprite_ids[i];
    ++start.listed;
  }
  start.known = start.standing + start.listed > 0;
}

void Features::add_field(std::size_t place) {
  for (std::size_t cell = 0; cell < tables_.num_cells; ++cell) {
    if (grid_.column(cell) >= tables_.width) continue;
    std::size_t found = 0;
    fields_[cell * row_ + place] = static_cast<Near>(grid_.nearest(cell, first_set(place), kNever, &found));
    nearest_[cell * row_ + place] = static_cast<std::uint16_t>(found);
  }
}

void Features::add_nearest_pair(std::size_t i, std::size_t j) {
  Near best = never_;
  grid_.each(first_set(j), [&](std::size_t cell) {
    if (field(cell)[i] >= best) return false;
    best = field(cell)[i];
    nearest_pairs_[pair(i, j)] = {nearest_[cell * row_ + i], static_cast<std::uint16_t>(cell)};
    return best == 0;
  });
  first_[pair(i, j)] = proximity_[static_cast<std::size_t>(best)];
}

double Features::proximity(Distance d) const {
  if (farthest_ == 0) return 1;
  const double near = 1 - std::sqrt(static_cast<double>(d)) / std::sqrt(static_cast<double>(farthest_));
  return near * near;
}

// ---- a state -------------------------------------------------------------------------------------------------------

void Features::compute(const Block& block, bool shows_hidden, std::span<double> out) const {
  Room& room = own_room();
  if (fields_.empty()) return compare_sets(block, shows_hidden, room, out);
  look(block, shows_hidden, room);
  fill(room, out);
}

void Features::fill(Room& room, std::span<double> out) const {
  std::copy(first_.begin(), first_.end(), out.begin());
  for (const std::size_t& k : room.changed) {
    compare_with_whole(room, k, out);
    for (const std::size_t* i = room.changed.data(); i != &k; ++i)
      out[pair(*i, k)] = proximity_[static_cast<std::size_t>(between(room, *i, k))];
  }
}

// Types that are nowhere and were so at the start are left out.
void Features::look(const Block& block, bool shows_hidden, Room& room) const {
  const std::size_t n = types_.size();
  room.seen.resize(n);
  if (room.bounds.size() < n * row_) room.bounds.resize(n * row_);
  room.lists.clear();
  room.changed.clear();
  for (std::size_t k = 0; k < n; ++k) {
    const Start& start = start_[k];
    const List& list = block.list(start.type);
    Seen& seen = room.seen[k];
    const bool shown = shows_hidden || !start.hidden;
    seen.whole = shown && start.is_whole(list, block.sprites(start.type));
    seen.layer = seen.whole ? first_set(k) : nullptr;
    seen.listed.size = 0;
    const bool any = shown && (list.size | list.standing) != 0;
    if (seen.whole || !(any || start.known)) continue;
    room.changed.push_back(k);
    if (any) look_closer(block, list, k, room);
  }
}

void Features::look_closer(const Block& block, const List& list, std::size_t place, Room& room) const {
  Seen& seen = room.seen[place];
  if (list.standing > 0) seen.layer = layer(block, start_[place].type);
  if (list.size == 0) return;
  seen.has_set = false;
  seen.listed = list_cells(block, start_[place].type, room.lists);
  measure(room.lists.cells(seen.listed), room.bounds.data() + place * row_);
}

// One that is only listed has its distances already. Those to types that are not whole come to be overwritten.
void Features::compare_with_whole(Room& room, std::size_t place, std::span<double> out) const {
  const std::size_t n = types_.size();
  const Seen& seen = room.seen[place];
  if (seen.layer || seen.listed.size == 0) {
    for (std::size_t i = 0; i < n; ++i)
      if (room.seen[i].whole) out[pair(i, place)] = proximity_[static_cast<std::size_t>(between(room, i, place))];
    return;
  }
  const Near* bounds = room.bounds.data() + place * row_;
  for (std::size_t i = 0; i < place; ++i) out[pair(i, place)] = proximity_[static_cast<std::size_t>(bounds[i])];
  for (std::size_t i = place + 1; i < n; ++i) out[pair(i, place)] = proximity_[static_cast<std::size_t>(bounds[i])];
}

const std::uint64_t* Features::layer(const Block& block, int type) const {
  const Layer& l = tables_.layers[static_cast<std::size_t>(tables_.types[static_cast<std::size_t>(type)].layer)];
  return (l.lasting ? tables_.lasting.data() : block.words(tables_.types.size())) + l.first_word;
}

CellLists::List Features::list_cells(const Block& block, int type, CellLists& lists) const {
  std::uint16_t* next = lists.open(4 * block.list(type).size);
  each_listed(block, type, [&](std::size_t cell) { *next++ = static_cast<std::uint16_t>(cell); });
  return lists.close(next, grid_);
}

// How near the layers can be at the most.
void Features::measure(std::span<const std::uint16_t> cells, Near* bounds) const {
  for (std::size_t i = 0; i < row_; i += kNearLanes) {
    NearLanes best = NearLanes{} + never_;
    for (const std::uint16_t cell : cells) best = lesser(best, load_near(field(cell) + i));
    std::memcpy(bounds + i, &best, sizeof best);
  }
}

Near Features::between(Room& room, std::size_t i, std::size_t j) const {
  const Seen &a = room.seen[i], &b = room.seen[j];
  Near best = a.layer && b.layer ? layers(room, i, j) : never_;
  if (a.listed.size && b.layer) best = to_layer(room, i, j, best);
  if (b.listed.size && a.layer) best = to_layer(room, j, i, best);
  if (a.listed.size && b.listed.size && best > 0) best = std::min(best, lists(room, i, j));
  return best;
}

Near Features::layers(const Room& room, std::size_t i, std::size_t j) const {
  const std::uint64_t *lower = room.seen[std::min(i, j)].layer, *higher = room.seen[std::max(i, j)].layer;
  const auto [one, other] = nearest_pairs_[pair(i, j)];
  if (has(lower, one) && has(higher, other)) return static_cast<Near>(grid_.between(one, other));
  return grid_.meet(lower, higher) ? Near{0} : static_cast<Near>(grid_.nearest(lower, higher));
}

// From the cells of a list to a layer, or `best` if that is not more.
Near Features::to_layer(const Room& room, std::size_t from, std::size_t to, Near best) const {
  const Near bound = room.bounds[from * row_ + to];
  if (bound >= best || room.seen[to].whole) return std::min(best, bound);
  const std::uint64_t* layer = room.seen[to].layer;
  const auto cells = room.lists.cells(room.seen[from].listed);
  bool unsure = false;
  for (const std::uint16_t cell : cells) {
    const Near d = field(cell)[to];
    if (d >= best) continue;
    has(layer, nearest_[cell * row_ + to]) ? void(best = d) : void(unsure = true);
  }
  if (!unsure) return best;
  for (const std::uint16_t cell : cells)
    if (field(cell)[to] < best) best = static_cast<Near>(grid_.nearest(cell, layer, static_cast<Distance>(best)));
  return best;
}

Near Features::lists(Room& room, std::size_t i, std::size_t j) const {
  if (room.seen[i].listed.size > room.seen[j].listed.size) std::swap(i, j);
  const CellLists::List few = room.seen[i].listed, many = room.seen[j].listed;
  if (few.size * many.size <= kFewPairs) return room.lists.nearest(few, many);
  const std::uint64_t *a = set_of(room, i), *b = set_of(room, j);
  if (grid_.meet(a, b)) return 0;
  if (few.size > kFew) return static_cast<Near>(grid_.nearest(a, b));
  Distance best = kNever;
  for (const std::uint16_t cell : room.lists.cells(few)) best = grid_.nearest(cell, b, best);
  return static_cast<Near>(best);
}

// The cells of a type's list as a set, made when it is first asked for.
const std::uint64_t* Features::set_of(Room& room, std::size_t place) const {
  if (room.sets.size() < types_.size() * tables_.num_words) room.sets.resize(types_.size() * tables_.num_words);
  std::uint64_t* set = room.sets.data() + place * tables_.num_words;
  if (room.seen[place].has_set) return set;
  room.seen[place].has_set = true;
  std::fill_n(set, tables_.num_words, 0);
  for (const std::uint16_t cell : room.lists.cells(room.seen[place].listed)) insert(set, cell);
  return set;
}

// ---- a move in a state ---------------------------------------------------------------------------------------------

void Features::change(const Block& block, bool shows_hidden, std::span<const OwnMove> moves, std::span<double> values,
                      FeatureChanges& out) const {
  Room& room = own_room();
  out.clear();
  if (fields_.empty()) return change_sets(block, shows_hidden, moves, values, room, out);
  look(block, shows_hidden, room);
  if (!values.empty()) fill(room, values);
  room.present.clear();
  for (std::size_t k = 0; k < types_.size(); ++k)
    if (room.seen[k].layer || room.seen[k].listed.size) room.present.push_back(k);
  for (const OwnMove& own : moves) {
    const int type = own.made >= 0 ? own.made : own.moved;
    const int place = type < 0 ? -1 : places_[static_cast<std::size_t>(type)];
    if (place >= 0 && (shows_hidden || !start_[static_cast<std::size_t>(place)].hidden))
      change_one(block, own, static_cast<std::size_t>(place), room, out);
    out.end_action();
  }
}

// What has been moved is seen where it is now, and others of its type where they were; what has been made comes to
// them.
void Features::change_one(const Block& block, const OwnMove& own, std::size_t place, Room& room,
                          FeatureChanges& out) const {
  const bool made = own.made >= 0;
  const List& list = block.list(start_[place].type);
  FeatureChange* const first = out.room(room.present.size());
  FeatureChange* next = first;
  const double* const proximity = proximity_.data();
  const auto add = [&](std::size_t i, Near d) { *next++ = {static_cast<int>(pair(i, place)), proximity[d]}; };
  if (!made && list.size == 1 && !(own.sprite.flags & (kWide | kTall | kOutside))) {  // nearly always
    const std::size_t cell = own.sprite.cell;
    for (const std::size_t i : room.present)
      if (i != place) add(i, nearest(room, cell, i, never_));
  } else {
    room.moved.clear();
    const auto see = [&](std::size_t cell) { room.moved.push_back(static_cast<std::uint16_t>(cell)); };
    each_cell(own.sprite, see);
    for (std::uint32_t i = 0; i < list.size && !made; ++i)
      if (i != block.head().avatar) each_cell(block.sprites(own.moved)[i], see);
    const bool others = made && (room.seen[place].layer || room.seen[place].listed.size);
    for (const std::size_t i : room.present) {
      if (i == place) continue;
      Near best = others ? between(room, i, place) : never_;
      for (const std::uint16_t cell : room.moved) best = nearest(room, cell, i, best);
      add(i, best);
    }
  }
  out.commit(static_cast<std::size_t>(next - first));
}

// From a cell to the sprites of a type, or `best` if that is not more. What is worked out beforehand for a layer is how
// near it can be at the most.
Near Features::nearest(const Room& room, std::size_t cell, std::size_t place, Near best) const {
  const Seen& seen = room.seen[place];
  const Near bound = field(cell)[place];
  if (seen.whole) return std::min(best, bound);
  if (seen.layer && bound < best)
    best = has(seen.layer, nearest_[cell * row_ + place])
               ? bound
               : static_cast<Near>(grid_.nearest(cell, seen.layer, static_cast<Distance>(best)));
  if (seen.listed.size == 0) return best;
  return std::min(
      best, room.lists.nearest(static_cast<Near>(grid_.column(cell)), static_cast<Near>(grid_.row(cell)), seen.listed));
}

// ---- a state of a very large level ---------------------------------------------------------------------------------

void Features::compare_sets(const Block& block, bool shows_hidden, Room& room, std::span<double> out) const {
  const std::size_t n = types_.size(), words = tables_.num_words;
  room.sets.assign(n * words, 0);
  room.lists.clear();
  for (std::size_t k = 0; k < n; ++k) {
    std::uint64_t* set = room.sets.data() + k * words;
    const int type = types_[k];
    if (!shows_hidden && tables_.types[static_cast<std::size_t>(type)].hidden) continue;
    if (block.list(type).standing > 0) std::copy_n(layer(block, type), words, set);
    for (const std::uint16_t cell : room.lists.cells(list_cells(block, type, room.lists))) insert(set, cell);
  }
  for (std::size_t k = 0, next = 0; k < n; ++k)
    for (std::size_t i = 0; i < k; ++i, ++next) {
      const std::uint64_t *a = room.sets.data() + i * words, *b = room.sets.data() + k * words;
      const bool any = grid_.count(a) > 0 && grid_.count(b) > 0;
      out[next] = !any ? 0 : grid_.meet(a, b) ? proximity(0) : proximity(grid_.nearest(a, b));
    }
}

// By trying each move in a copy, since all is compared anew in any case.
void Features::change_sets(const Block& block, bool shows_hidden, std::span<const OwnMove> moves,
                           std::span<double> values, Room& room, FeatureChanges& out) const {
  std::vector<double> before(first_.size()), after(first_.size());
  compare_sets(block, shows_hidden, room, before);
  if (!values.empty()) std::ranges::copy(before, values.begin());
  for (const OwnMove& own : moves) {
    if (own.moved >= 0 || own.made >= 0) {
      Block copy(block);
      if (own.moved >= 0) {
        copy.sprites(own.moved)[copy.head().avatar] = own.sprite;
      } else {
        const std::uint32_t made = copy.append(own.made, tables_.numbers(own.made));
        copy.sprites(own.made)[made] = own.sprite;
      }
      compare_sets(copy, shows_hidden, room, after);
      FeatureChange* const first = out.room(after.size());
      FeatureChange* next = first;
      for (std::size_t i = 0; i < after.size(); ++i)
        if (after[i] != before[i]) *next++ = {static_cast<int>(i), after[i]};
      out.commit(static_cast<std::size_t>(next - first));
    }
    out.end_action();
  }
}

}  // namespace treewise::vgdl
