// A program made ready for the machine: everything that a tick looks up, worked out once.
//
// Sprites that stand still from the start of a level (walls, floors, dirt) are kept as layers: one bit a cell, with the
// cell as the sprite's index, which is also the order of creation. A layer that nothing can remove from is shared by
// all states. Everything else is a list of records for each type.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vgdl/program.h"

namespace treewise::vgdl {

struct Position {
  int x, y;
};

struct Pace {
  double speed = 0;     // cells; -1 stands for 1
  int step = 0;         // pixels of a move of its own
  int active_step = 0;  // of a move in a direction it chooses

  Pace() = default;
  Pace(double cells, int block)
      : speed(cells == -1 ? 1 : cells),
        step(static_cast<int>(speed * block)),
        active_step(static_cast<int>((speed > 0 ? speed : 1) * block)) {}
};

struct TypeTable {
  Kind kind = Kind::kImmovable;
  bool avatar = false, is_static = false, oriented = false, hidden = false;
  bool rotates = false;   // turns before it moves
  bool still = false;     // nothing ever moves it, and it does nothing
  bool anchored = false;  // nothing ever moves it, though it may do something
  bool filled = false;    // has health and resources
  bool exists = false;    // may have sprites at some time
  std::int8_t dx = 0, dy = 0;
  int layer = -1;
  Pace pace;
  int cooldown = 1;
  double prob = 1;
  int limit = 0, value = 0, total = 0, cons = 0, target = -1;
  int ammo = -1;  // index of the counter that a shot takes one of; -1: shots are free
  int health = 0, health_limit = 0;
  std::vector<int> family;      // itself and its kin, those that may have sprites, in the order they are gone through
  std::vector<int> below;       // itself and its descendants
  std::vector<int> leaves;      // descendants that group no others
  std::vector<int> singletons;  // types marked so that refuse a second sprite
  // Of an avatar: types that send it back where it came from, and whether the edge of the world does.
  std::vector<int> stoppers;
  bool kept_inside = false;
};

struct Layer {
  int type = 0;
  bool lasting = false;            // shared, never changed
  std::size_t first_word = 0;      // in the table's or in the state's words
  std::vector<std::uint32_t> ids;  // of each cell
};

struct Shield {
  int type;  // of the shielded sprite
  int rule;  // what is kept away
};

struct Rule {
  EffectKind kind = EffectKind::kStepBack;
  int score = 0;
  int first = 0, second = kEdge;
  const std::vector<int>* firsts = nullptr;
  const std::vector<int>* seconds = nullptr;
  int target = -1;         // stype
  int other = -1;          // stypeTo, stypeCount
  int otherwise = -1;      // estype
  int resource = -1;       // index of the counter
  int resource_limit = 0;  // of that resource
  int value = 0, limit = 0;
  int offset = 0;  // pixels
  int score_if_killed = 0;
  int spend = 0;
  int at_least = 0, at_most = 0;  // sprites
  double prob = 1;
  int pace = 0;  // its number, from 1
  bool kill_second = false, orient = true, align = false;
  bool flush = false;       // stepBack goes back as far as it must
  bool from_last = false;   // spawnRight and its brothers go by where the second sprite was before
  std::vector<int> except;  // types that undoAll leaves
  std::vector<Shield> shields;
};

struct TimeRule {
  Rule rule;
  int first_tick = 0, every = 0;  // 0: once
};

struct End {
  TerminationKind kind = TerminationKind::kTimeout;
  bool win = false;
  int limit = 0;
  std::vector<const std::vector<int>*> counted;
};

class Tables {
 public:
  // `plain`, for tests: no layers, and every sprite is compared with every other.
  explicit Tables(const Program& program, bool plain = false);

  const std::uint64_t serial;  // no two tables have the same
  const bool plain;
  int width = 0, height = 0, block = 0;
  int world_width = 0, world_height = 0;
  int row_bits = 0;             // a cell's index is its row, shifted by this, plus its column
  std::size_t stride = 0;       // from one row to the next; a power of two
  std::size_t num_cells = 0;    // with those that only fill up rows
  std::size_t num_words = 0;    // of a set of cells
  std::size_t state_words = 0;  // of all layers that change
  int num_resources = 0;
  std::vector<int> resource_of_type;  // index of the counter, -1 for other types
  std::vector<Position> corners;      // of each cell, in pixels
  std::vector<TypeTable> types;
  std::vector<Pace> paces;  // that rules give to sprites
  std::vector<Layer> layers;
  std::vector<std::uint64_t> lasting;   // words of the lasting layers
  std::vector<std::uint64_t> changing;  // initial words of the others
  std::vector<int> update_order;        // types that have something to do
  std::vector<Rule> edge_rules, rules;
  std::vector<TimeRule> time_rules;
  std::vector<End> ends;
  std::vector<Placed> sprites;  // those that are not in a layer, in order of creation
  std::vector<std::uint32_t> sprite_ids;
  std::uint32_t next_id = 0;
  std::vector<int> actions;
  unsigned action_set = 0;
  Options options;

  // How many numbers a sprite has beside its record: health, the highest it ever was, resources.
  int numbers(int type) const { return types[static_cast<std::size_t>(type)].filled ? 2 + num_resources : 0; }
  // The cells of a layer at the start of a level, and for ever if it is lasting.
  const std::uint64_t* first_words(int layer) const {
    const Layer& l = layers[static_cast<std::size_t>(layer)];
    return (l.lasting ? lasting : changing).data() + l.first_word;
  }
  // The column or row of a pixel inside the world.
  int column(int x) const { return static_cast<int>((static_cast<std::uint64_t>(x) * reciprocal_) >> 40); }

 private:
  void add_types(const Program& program);
  void add_layers(const Program& program);
  void add_layer(int type, const std::vector<std::uint64_t>& set, bool is_lasting);
  void add_paces(const Program& program);
  void add_rules(const Program& program);
  Rule make_rule(const Pair& pair, const Effect& effect) const;
  void add_shields(const Program& program);
  void add_stoppers();

  std::uint64_t reciprocal_ = 0;
};

}  // namespace treewise::vgdl
