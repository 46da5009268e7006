// Numbers that describe a state for linear value functions (Ilhan and Etaner-Uyar, "Monte Carlo Tree Search with
// Temporal-Difference Learning for General Video Game Playing", section V-A): for each pair of visible types, the
// square of 1 - d / D, where d is the smallest distance between cells that they stand in, and D the grid's diagonal. A
// pair of which one has no sprites gets 0.
//
// The sprites of a type are a layer, which only ever loses some, and a list. From every cell the nearest one of a layer
// is worked out beforehand, and holds as long as that one stands. The same goes for listed sprites that never move, as
// long as the list is what it was. In very large levels nothing is worked out beforehand: sets of cells are compared.
#pragma once

#include <span>

#include "game/game.h"
#include "vgdl/machine.h"
#include "vgdl/near.h"

namespace treewise::vgdl {

class Features {
 public:
  Features(const Program& program, const Tables& tables);
  ~Features();

  int size() const { return static_cast<int>(first_.size()); }
  // The types whose pairs are looked at, ascending; (0, 1), (0, 2), (1, 2), (0, 3) … by their places here.
  const std::vector<int>& types() const { return types_; }
  void compute(const Block& block, bool shows_hidden, std::span<double> out) const;
  // What each of these moves changes of them; and they themselves, unless `values` is empty.
  void change(const Block& block, bool shows_hidden, std::span<const OwnMove> moves, std::span<double> values,
              FeatureChanges& out) const;
  // A floor stood in more than half of the cells at the start, the avatar's own among them.
  FeatureOrigin origin(int feature) const { return origins_[static_cast<std::size_t>(feature)]; }
  // Calls `see` with each cell of each listed sprite: up to four.
  template <class See>
  void each_listed(const Block& block, int type, See see) const {
    const Sprite* sprites = block.sprites(type);
    for (std::uint32_t i = 0; i < block.list(type).size; ++i) each_cell(sprites[i], see);
  }
  // The cells of the standing sprites of a type, as bits.
  const std::uint64_t* layer(const Block& block, int type) const;

 private:
  template <class See>
  void each_cell(const Sprite& s, See see) const {
    if (!is_seen(s)) return;
    see(s.cell);
    if (s.flags & kWide) see(s.cell + std::size_t{1});
    if (!(s.flags & kTall)) return;
    see(s.cell + tables_.stride);
    if (s.flags & kWide) see(s.cell + tables_.stride + 1);
  }

  struct Seen;
  struct Room;
  struct Start;

  static Room& own_room();
  void find_origins();
  bool is_floor(int type) const;
  bool is_fixed(int type) const;
  std::size_t cell_at(const Placed& p) const;
  void add_fields();
  void add_start(std::size_t place);
  void add_field(std::size_t place);
  void add_nearest_pair(std::size_t i, std::size_t j);

  const std::uint64_t* first_set(std::size_t place) const { return first_sets_.data() + place * tables_.num_words; }
  const Near* field(std::size_t cell) const { return fields_.data() + cell * row_; }
  // Sprites that left the world by less than a cell to the left or above count as in the first column or row; by any
  // more they are not seen.
  bool is_seen(const Sprite& s) const {
    const int b = tables_.block;
    return !(s.flags & kOutside) || (s.x > -b && s.y > -b && s.x < tables_.world_width && s.y < tables_.world_height);
  }
  void look(const Block& block, bool shows_hidden, Room& room) const;
  void look_closer(const Block& block, const List& list, std::size_t place, Room& room) const;
  CellLists::List list_cells(const Block& block, int type, CellLists& lists) const;
  void measure(std::span<const std::uint16_t> cells, Near* bounds) const;
  void fill(Room& room, std::span<double> out) const;
  void change_one(const Block& block, const OwnMove& own, std::size_t place, Room& room, FeatureChanges& out) const;
  Near nearest(const Room& room, std::size_t cell, std::size_t place, Near best) const;
  void change_sets(const Block& block, bool shows_hidden, std::span<const OwnMove> moves, std::span<double> values,
                   Room& room, FeatureChanges& out) const;
  void compare_with_whole(Room& room, std::size_t place, std::span<double> out) const;
  Near between(Room& room, std::size_t i, std::size_t j) const;
  Near layers(const Room& room, std::size_t i, std::size_t j) const;
  Near to_layer(const Room& room, std::size_t from, std::size_t to, Near best) const;
  Near lists(Room& room, std::size_t i, std::size_t j) const;
  const std::uint64_t* set_of(Room& room, std::size_t place) const;

  void compare_sets(const Block& block, bool shows_hidden, Room& room, std::span<double> out) const;
  double proximity(Distance d) const;
  static std::size_t pair(std::size_t i, std::size_t j) { return i < j ? j * (j - 1) / 2 + i : i * (i - 1) / 2 + j; }

  const Tables& tables_;
  Grid grid_;
  Distance farthest_;
  Near never_ = 0;  // instead of a distance: one of the two has no sprites
  std::vector<int> types_;
  std::vector<int> places_;                // of each type among them, or -1
  std::vector<Start> start_;               // of each of them
  std::vector<std::uint64_t> first_sets_;  // cells of each of them at the start, if none of its sprites ever moves
  // At the start, of each cell and type: how far the nearest one is, and which. None in very large levels.
  std::size_t row_ = 0;  // of the fields
  std::vector<Near> fields_;
  std::vector<std::uint16_t> nearest_;
  // At the start, of each pair of layers: a nearest pair of cells, and what the feature is.
  std::vector<std::pair<std::uint16_t, std::uint16_t>> nearest_pairs_;
  std::vector<double> first_;
  std::vector<double> proximity_;       // of each distance, and 0 for never
  std::vector<FeatureOrigin> origins_;  // of each pair
};

}  // namespace treewise::vgdl
