// Everything of a state that changes, in one stretch of memory that is copied as it is.
//
//   | Head | List of each type | words of the layers that change | records of one type | of another | …
//
// A list that is full moves to the end with twice the room. Pointers to records hold until a sprite is made.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "vgdl/dice.h"
#include "vgdl/tables.h"

namespace treewise::vgdl {

enum Flag : std::uint8_t {
  kFirstTick = 1,   // has not been updated yet
  kKilled = 2,      // goes at the end of the tick
  kDead = 4,        // an avatar that was killed stays, but is not counted
  kFromAvatar = 8,  // was made by the avatar
  kWide = 16,       // stands in the next column, too
  kTall = 32,       // in the next row, too
  kOutside = 64,    // not entirely inside the world
  kPulled = 128,    // by pullWithIt in this tick
};

struct Sprite {
  std::int32_t x, y, last_x, last_y;  // pixels
  std::uint32_t id;
  std::uint16_t last_move;  // ticks since it moved
  std::uint16_t cell;       // of the left upper corner, or the nearest one inside the world
  std::int8_t dx, dy;       // where it is heading
  std::uint8_t flags;
  // The direction that a random sprite keeps, or 1 if a spawner has begun; from kPaceBit on, the number of the pace
  // that a rule gave it, 0 for its own.
  std::uint8_t previous;
  std::uint16_t age;   // of a flicker; ticks in a direction; the tick when a spawner began
  std::uint16_t made;  // sprites by a spawner
};
static_assert(sizeof(Sprite) == 32);

constexpr int kPaceBit = 3;
constexpr std::uint8_t kDirectionBits = (1 << kPaceBit) - 1;

inline const Pace& pace_of(const Tables& tables, int type, const Sprite& s) {
  if (const int given = s.previous >> kPaceBit; given > 0) return tables.paces[static_cast<std::size_t>(given - 1)];
  return tables.types[static_cast<std::size_t>(type)].pace;
}

struct List {
  std::uint32_t begin;     // bytes from the start of the block
  std::uint32_t size;      // records
  std::uint32_t capacity;  // records
  std::uint32_t standing;  // sprites in the type's layer
};

struct Head {
  Dice dice;
  std::uint32_t bytes;  // in use
  std::int32_t tick;
  std::int64_t score;
  std::int64_t gained;  // by the last tick
  std::uint32_t next_id;
  std::uint32_t num_sprites;  // in lists and layers; killed ones until the end of the tick
  std::int16_t avatar_type;   // -1: there is none
  std::int8_t winner;         // -1 nobody yet, 0 lost, 1 won
  std::uint8_t ended_now;     // in the last tick
  std::uint8_t last_action;
  std::uint16_t avatar;  // index in the list of its type
  // By types: what the avatar met in the last tick, and what was met by sprites of its making.
  std::array<std::uint64_t, 4> met, struck;
};

class Block {
 public:
  explicit Block(const Tables& tables);
  Block(const Block& other) : bytes_(make(other.head().bytes)), room_(other.head().bytes) { copy(other); }
  Block& operator=(const Block& other) {
    if (other.head().bytes > room_) {
      room_ = other.head().bytes;
      bytes_ = make(room_);
    }
    copy(other);
    return *this;
  }

  Head& head() { return *reinterpret_cast<Head*>(bytes_.get()); }
  const Head& head() const { return *reinterpret_cast<const Head*>(bytes_.get()); }
  List& list(int type) { return lists()[type]; }
  const List& list(int type) const { return lists()[type]; }
  Sprite* sprites(int type) { return reinterpret_cast<Sprite*>(bytes_.get() + list(type).begin); }
  const Sprite* sprites(int type) const { return reinterpret_cast<const Sprite*>(bytes_.get() + list(type).begin); }
  // Health, the highest it ever was, then the resources.
  std::int32_t* fill(int type, std::uint32_t index, int numbers) {
    return const_cast<std::int32_t*>(std::as_const(*this).fill(type, index, numbers));
  }
  const std::int32_t* fill(int type, std::uint32_t index, int numbers) const {
    const List& l = list(type);
    return reinterpret_cast<const std::int32_t*>(bytes_.get() + l.begin + l.capacity * sizeof(Sprite)) +
           static_cast<std::size_t>(numbers) * index;
  }
  std::uint64_t* words(std::size_t num_types) {
    return reinterpret_cast<std::uint64_t*>(bytes_.get() + sizeof(Head) + num_types * sizeof(List));
  }
  const std::uint64_t* words(std::size_t num_types) const { return const_cast<Block*>(this)->words(num_types); }

  // Room for one more record of the type, of which nothing is set; `numbers`: how many each has beside the record.
  std::uint32_t append(int type, int numbers);
  std::size_t bytes() const { return head().bytes; }
  // Changes when the block has moved.
  const std::byte* address() const { return bytes_.get(); }

 private:
  static std::unique_ptr<std::byte[]> make(std::size_t bytes) {
    return std::make_unique_for_overwrite<std::byte[]>(bytes);
  }
  void copy(const Block& other) { std::memcpy(bytes_.get(), other.bytes_.get(), other.head().bytes); }
  List* lists() { return reinterpret_cast<List*>(bytes_.get() + sizeof(Head)); }
  const List* lists() const { return reinterpret_cast<const List*>(bytes_.get() + sizeof(Head)); }
  void grow(int type, int numbers);

  std::unique_ptr<std::byte[]> bytes_;
  std::size_t room_ = 0;
};

}  // namespace treewise::vgdl
