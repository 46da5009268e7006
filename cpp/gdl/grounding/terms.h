// Ground terms and atoms, each kept once and known by a number from 1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.h"

namespace treewise::gdl {

using TermId = std::uint32_t;
using AtomId = std::uint32_t;

// Finds numbers by a hash and a test. Keeps nothing but the numbers.
class Numbers {
 public:
  template <class Same>
  std::uint32_t find(std::uint64_t hash, Same&& same) const {
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t i = tag & (cells_.size() - 1);; i = (i + 1) & (cells_.size() - 1)) {
      if (cells_[i].number == 0) return 0;
      if (cells_[i].tag == tag && same(cells_[i].number)) return cells_[i].number;
    }
  }
  void add(std::uint64_t hash, std::uint32_t number) {
    if (2 * ++size_ > cells_.size()) grow();
    put({static_cast<std::uint32_t>(hash >> 32), number});
  }

 private:
  struct Cell {
    std::uint32_t tag = 0, number = 0;
  };
  void put(Cell cell) {
    std::size_t i = cell.tag & (cells_.size() - 1);
    while (cells_[i].number != 0) i = (i + 1) & (cells_.size() - 1);
    cells_[i] = cell;
  }
  void grow() {
    std::vector<Cell> old(2 * cells_.size());
    old.swap(cells_);
    for (const Cell& cell : old)
      if (cell.number != 0) put(cell);
  }

  std::vector<Cell> cells_ = std::vector<Cell>(1 << 10);
  std::size_t size_ = 0;
};

// Names with arguments: terms over the names of functions, atoms over those of predicates.
class TermTable {
 public:
  std::uint32_t intern(std::uint32_t name, std::span<const TermId> args) {
    if (const std::uint32_t known = find(name, args)) return known;
    names_.push_back(name);
    args_.insert(args_.end(), args.begin(), args.end());
    starts_.push_back(static_cast<std::uint32_t>(args_.size()));
    numbers_.add(hash(name, args), size());
    return size();
  }
  // 0 if it is not there.
  std::uint32_t find(std::uint32_t name, std::span<const TermId> args) const {
    return numbers_.find(hash(name, args), [&](std::uint32_t other) {
      return names_[other] == name && std::ranges::equal(this->args(other), args);
    });
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size() - 1); }
  std::uint32_t name(std::uint32_t term) const { return names_[term]; }
  std::span<const TermId> args(std::uint32_t term) const {
    return {args_.data() + starts_[term - 1], args_.data() + starts_[term]};
  }

 private:
  static std::uint64_t hash(std::uint32_t name, std::span<const TermId> args) {
    std::uint64_t h = mix(args.size(), name);
    for (const TermId arg : args) h = mix(h, arg);
    return mix(h, 0);
  }

  std::vector<std::uint32_t> names_{0}, starts_{0}, args_;
  Numbers numbers_;
};

}  // namespace treewise::gdl
