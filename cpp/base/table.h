// Small hash tables for statistics that are read and written in every step of a playout.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace treewise {

// Open addressing with linear probing; keys are nonzero, and mixed already: their upper bits say where they stand. It
// stops taking new keys at `max_entries`, so that a long search cannot eat the memory. `cells` is a power of two.
template <class V>
class Table {
 public:
  explicit Table(std::size_t max_entries = std::size_t{1} << 21, std::size_t cells = std::size_t{1} << 10)
      : max_entries_(max_entries), cells_(cells) {}

  // From now on it grows to so many bytes at most, if it has not grown beyond them already.
  void limit_memory(std::size_t bytes) {
    max_entries_ = std::min(max_entries_, std::bit_floor(bytes / sizeof(Cell)) / 2);
  }

  // The key will be asked for soon.
  void expect(std::uint64_t key) const { __builtin_prefetch(&cells_[slot(key)], 1); }

  const V* find(std::uint64_t key) const {
    for (std::size_t i = slot(key);; i = (i + 1) & (cells_.size() - 1)) {
      if (cells_[i].key == key) return &cells_[i].value;
      if (cells_[i].key == 0) return nullptr;
    }
  }
  V* find(std::uint64_t key) { return const_cast<V*>(static_cast<const Table*>(this)->find(key)); }

  // The value of the key, added if it is new; nullptr if the table is at its cap.
  V* insert(std::uint64_t key) {
    for (std::size_t i = slot(key);; i = (i + 1) & (cells_.size() - 1)) {
      if (cells_[i].key == key) return &cells_[i].value;
      if (cells_[i].key != 0) continue;
      if (size_ >= max_entries_) return nullptr;
      if (2 * (size_ + 1) > cells_.size()) {
        grow();
        return insert(key);
      }
      ++size_;
      cells_[i].key = key;
      return &cells_[i].value;
    }
  }

  template <class F>
  void for_each(F&& visit) {
    for (Cell& cell : cells_)
      if (cell.key != 0) visit(cell.key, cell.value);
  }
  template <class F>
  void for_each(F&& visit) const {
    for (const Cell& cell : cells_)
      if (cell.key != 0) visit(cell.key, cell.value);
  }
  // Drops the values for which `keep` is false.
  template <class F>
  void keep_if(F&& keep) {
    std::vector<Cell> old(std::size_t{1} << 10);
    old.swap(cells_);
    size_ = 0;
    for (const Cell& cell : old)
      if (cell.key != 0 && keep(cell.value)) *insert(cell.key) = cell.value;
  }
  std::size_t size() const { return size_; }

 private:
  struct Cell {
    std::uint64_t key = 0;
    V value{};
  };
  std::size_t slot(std::uint64_t key) const { return static_cast<std::size_t>(key >> 20) & (cells_.size() - 1); }
  void grow() {
    std::vector<Cell> old(2 * cells_.size());
    old.swap(cells_);
    size_ = 0;
    for (const Cell& cell : old)
      if (cell.key != 0) *insert(cell.key) = cell.value;
  }

  std::size_t max_entries_;
  std::vector<Cell> cells_;
  std::size_t size_ = 0;
};

// A running mean with a weight that may decay.
struct Mean {
  float value = 0;
  float count = 0;
  void add(float x) {
    count += 1;
    value += (x - value) / count;
  }
};

}  // namespace treewise
