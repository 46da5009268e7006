#include "vgdl/block.h"

#include <algorithm>
#include <bit>

namespace treewise::vgdl {

namespace {

constexpr std::uint32_t kSpare = 2;  // records of room for a type that has none yet

std::size_t record_bytes(std::uint32_t capacity, int numbers) {
  const std::size_t bytes = capacity * (sizeof(Sprite) + static_cast<std::size_t>(numbers) * sizeof(std::int32_t));
  return (bytes + 7) / 8 * 8;
}

}  // namespace

Block::Block(const Tables& tables) {
  const std::size_t n = tables.types.size();
  std::vector<List> lists(n, List{0, 0, 0, 0});
  for (const Placed& p : tables.sprites) ++lists[static_cast<std::size_t>(p.type)].capacity;
  std::size_t bytes = sizeof(Head) + n * sizeof(List) + tables.state_words * sizeof(std::uint64_t);
  for (std::size_t i = 0; i < n; ++i) {
    const TypeTable& t = tables.types[i];
    if (lists[i].capacity == 0 && t.exists) lists[i].capacity = kSpare;
    lists[i].begin = static_cast<std::uint32_t>(bytes);
    bytes += record_bytes(lists[i].capacity, tables.numbers(static_cast<int>(i)));
    if (t.layer < 0) continue;
    for (std::size_t w = 0; w < tables.num_words; ++w)
      lists[i].standing += static_cast<std::uint32_t>(std::popcount(tables.first_words(t.layer)[w]));
  }
  bytes_ = std::make_unique<std::byte[]>(bytes);
  room_ = bytes;
  std::memcpy(bytes_.get() + sizeof(Head), lists.data(), n * sizeof(List));
  std::copy(tables.changing.begin(), tables.changing.end(), words(n));
  new (bytes_.get()) Head{};
  head().bytes = static_cast<std::uint32_t>(bytes);
  head().avatar_type = -1;
  head().winner = -1;
}

std::uint32_t Block::append(int type, int numbers) {
  if (list(type).size == list(type).capacity) grow(type, numbers);
  return list(type).size++;
}

void Block::grow(int type, int numbers) {
  const List old = list(type);
  const std::uint32_t capacity = std::max<std::uint32_t>(4, 2 * old.capacity);
  const std::size_t begin = head().bytes, bytes = begin + record_bytes(capacity, numbers);
  if (bytes > room_) {
    auto larger = make(bytes + bytes / 2);
    std::memcpy(larger.get(), bytes_.get(), begin);
    bytes_ = std::move(larger);
    room_ = bytes + bytes / 2;
  }
  std::memset(bytes_.get() + begin, 0, bytes - begin);
  std::memcpy(bytes_.get() + begin, bytes_.get() + old.begin, old.size * sizeof(Sprite));
  std::memcpy(bytes_.get() + begin + capacity * sizeof(Sprite),
              bytes_.get() + old.begin + old.capacity * sizeof(Sprite),
              old.size * static_cast<std::size_t>(numbers) * sizeof(std::int32_t));
  list(type).begin = static_cast<std::uint32_t>(begin);
  list(type).capacity = capacity;
  head().bytes = static_cast<std::uint32_t>(bytes);
}

}  // namespace treewise::vgdl
