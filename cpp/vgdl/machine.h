// One tick after another: the rules of the framework over a block.
//
// A machine is made where a state is to be advanced and holds nothing that outlasts a tick.
#pragma once

#include <compare>
#include <cstdlib>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "vgdl/block.h"
#include "vgdl/nearest.h"

namespace treewise::vgdl {

// A sprite by its type and place: in the list of the type, or, below zero, in a layer (the cell's complement).
struct Ref {
  int type;
  int index;
  bool standing() const { return index < 0; }
  int cell() const { return ~index; }
  friend bool operator==(const Ref&, const Ref&) = default;
};

constexpr Ref kNone{-1, 0};

// Something that befell the avatar or a sprite of its making.
struct Event {
  std::int32_t tick;
  bool from_avatar;
  std::int32_t active_type, passive_type;
  std::uint32_t active_id, passive_id;
  std::int32_t x, y;  // of the active one
};

// What the avatar does by itself.
struct OwnMove {
  int moved = -1;  // the avatar's type, if it goes somewhere
  int made = -1;   // the type of a sprite that it makes
  Sprite sprite;   // as it is then
};

// What one tick needs beside the state. One for each thread.
struct Scratch {
  // Makes room for a game.
  void fit(const Tables& tables);

  std::uint64_t serial = 0;  // of the tables that it fits
  struct Cells {
    bool known = false;                      // in a tick, once somebody has asked
    bool stale = false;                      // may hold cells that were left again
    std::vector<std::uint64_t> once, twice;  // touched by at least one, at least two of the type's sprites

    void add(std::size_t cell);
    void add(const Sprite& s, std::size_t stride);
  };
  std::vector<Cells> cells;           // of each type
  std::vector<std::uint64_t> doomed;  // as the state's words of layers
  std::vector<int> killed_types;
  std::vector<bool> type_killed;
  std::vector<bool> shielded;  // of each rule
  bool any_shield = false;
  const Rule* settled = nullptr;  // a rule of which doing the effect again would change nothing but the score
  std::uint32_t effects = 0;      // of meetings, in this tick
  std::vector<Ref> pulled;
  std::vector<Ref> unsettled;  // still ones that were made of others, which had come from elsewhere in this tick
  std::vector<const std::uint64_t*> sets;  // of cells, that a rule's second types touch
  std::vector<Ref> firsts, hits;
  // Sprites with what they are sorted by: the row of pixels, then the order in which they were found.
  struct InRow {
    int y, place;
    Ref sprite;
    friend auto operator<=>(const InRow& a, const InRow& b) {
      return std::pair(a.y, a.place) <=> std::pair(b.y, b.place);
    }
  };
  std::vector<InRow> firsts_by_row, hits_by_row;
  std::vector<std::uint32_t> sizes;  // of lists when an effect began
  std::vector<int> targets;          // types that somebody chases or flees
  std::size_t num_targets = 0;
  Nearest nearest;  // of them, where they are many
  std::vector<std::uint8_t> directions;
  std::vector<OwnMove> own_moves;
};

Scratch& scratch_of(const Tables& tables);

// Whom pullWithIt has pulled, where all states of a match share it: the framework's defect. Searches that run in
// several threads advance copies at the same time.
class SharedPull {
 public:
  // Whether the sprite is to be pulled; remembers it.
  bool take(int tick, std::uint32_t id);

 private:
  std::mutex mutex_;
  int tick_ = -1;
  std::vector<std::uint32_t> pulled_;  // sorted
};

// The cells that a sprite touches: one, or the next ones to the right and below, too.
struct Footprint {
  std::size_t cell;
  bool wide, tall;
};

class Machine {
 public:
  Machine(const Tables& tables, Block& block, SharedPull* pull = nullptr, std::vector<Event>* events = nullptr);

  // Places the sprites of the level that are not in layers.
  void set_up();
  void tick(int action);
  // What the avatar does by each action before anybody else moves, and before rules are applied: but it does not go
  // where they would send it back from. Nothing is changed; the answer holds until the next question.
  std::span<const OwnMove> own_moves(std::span<const int> actions);

 private:
  struct Forget;

  // ---- sprites
  const TypeTable& table(int type) const { return t_.types[static_cast<std::size_t>(type)]; }
  Sprite& sprite(Ref r) { return b_.sprites(r.type)[r.index]; }
  int* fill(Ref r) { return b_.fill(r.type, static_cast<std::uint32_t>(r.index), t_.numbers(r.type)); }
  // The cells of the type's layer.
  const std::uint64_t* layer_words(int type) const;
  Position position(Ref r) const {
    if (r.standing()) return t_.corners[static_cast<std::size_t>(r.cell())];
    const Sprite& s = std::as_const(b_).sprites(r.type)[r.index];
    return {s.x, s.y};
  }
  Position last_position(Ref r);
  const Pace& pace(Ref r) { return r.standing() ? table(r.type).pace : pace_of(t_, r.type, sprite(r)); }
  const Pace& pace(int type, const Sprite& s) const { return pace_of(t_, type, s); }
  std::uint32_t id(Ref r);
  bool is_killed(Ref r);
  bool is_avatar(Ref r) const { return table(r.type).avatar; }
  std::uint32_t count(int type) { return b_.list(type).size + b_.list(type).standing; }
  std::uint32_t count(const std::vector<int>& family);
  Ref nth(const std::vector<int>& family, std::uint32_t n);
  // Nobody, if the type is a singleton's or there are too many.
  Ref create(int type, int x, int y);
  bool has_room() { return b_.head().num_sprites < kMaxSprites; }
  bool may_create(int type);
  Ref add(int type, int x, int y);
  void set_avatar(Ref r);
  void kill(Ref r);
  void kill_really(Ref r);
  void place(int type, Sprite& s, int x, int y);
  void locate(Sprite& s);

  Dice& dice() { return b_.head().dice; }

  // ---- moving
  bool move(int type, Sprite& s, int dx, int dy, int pixels);
  void passive(int type, Sprite& s);
  enum class Moved { kStill, kTurned, kMoved };
  Moved active(int type, Sprite& s, int dx, int dy, int pixels);

  // ---- updates
  void update_avatar(int action);
  bool steer(int type, Sprite& s, int action);
  bool may_shoot(Ref avatar);
  Position muzzle(int type, const Sprite& s) const;
  void make_own_shot(Ref avatar, OwnMove& own);
  bool is_stopped(Ref avatar, const Sprite& s);
  void update_type(int type);
  void update_spawner(int type, std::uint32_t index);
  void update_spreader(int type, std::uint32_t index);
  void update_missile(int type, Sprite& s);
  void grow_older(Ref r);
  void random_step(int type, Sprite& s);
  void update_chasers(int type);
  void find_targets(int type);
  int index_targets(int type);
  void chase(int type, Sprite& s, bool flee, bool indexed);
  void collect_directions(const Sprite& s, int target, bool flee, int& best);
  void consider(const Sprite& s, Position target, bool flee, int& best);
  void add_directions(const Sprite& s, Position target, bool flee);
  void shoot(Ref avatar);

  // ---- rules
  void time_phase();
  void all_of(const Rule& rule, std::uint32_t new_id);
  void edge_phase();
  void pair_phase();
  void pair_rule(const Rule& rule);
  void firsts_by_row(const Rule& rule);
  void hits_by_row(const Rule& rule, Ref first);
  void first_against(const Rule& rule, Ref first);
  void standing_firsts(const Rule& rule, int type);
  void listed_firsts(const Rule& rule, int type);
  void find_sets(const Rule& rule, int type, bool standing);
  bool meets(const Footprint& foot) const;
  bool is_dead(Ref r);
  Scratch::Cells& cells(int type);
  void touch(int type, const Sprite& s);
  void collect_hits(const Rule& rule, Ref first);
  bool overlap(Position a, Position b) const {
    return std::abs(a.x - b.x) < t_.block && std::abs(a.y - b.y) < t_.block;
  }

  // ---- effects: whether the score is to be added
  void execute(const Rule& rule, Ref first, Ref second);
  bool apply(const Rule& rule, Ref first, Ref second, int& score);
  bool apply_to_both(const Rule& rule, Ref first, Ref second);
  bool apply_holdings(const Rule& rule, Ref first, Ref second, int& score);
  bool apply_changes(const Rule& rule, Ref first, Ref second);
  void record(Ref first, Ref second);
  struct Heading {
    int dx, dy;
  };
  Heading heading(Ref r) const;
  void step_back(Ref r, Ref against);
  void turn_around(Ref r);
  void wrap(Ref r, int shift);
  void bounce(Ref r, Ref by);
  void pull(Ref r, Ref by);
  void undo_all(const std::vector<int>& except);
  void set_pace(int target, int number);
  void teleport(Ref r, Ref entry);
  void look_like(const Rule& rule, Ref r, Ref other);
  bool transform(Ref r, int target, bool anyway = false);
  bool transform_all(int from, int to);
  bool spawn(const Rule& rule, Position from, int dx, int dy);
  template <class See>
  void each_of(int type, See see);
  bool collect(Ref resource, Ref collector);
  int held(const Rule& rule, Ref r);

  // ---- the end of a tick
  void clean_up();
  void compact(int type);
  void judge();
  bool holds(const End& end);

  const Tables& t_;
  Block& b_;
  Scratch& s_;
  SharedPull* pull_;
  std::vector<Event>* events_;
};

}  // namespace treewise::vgdl
