// What the n-grams remember of sequences of one length.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <vector>

#include "base/bits.h"
#include "base/table.h"
#include "base/types.h"

namespace treewise {

// The mean of every sequence, in one table, and for each context a row of those that were seen often enough to count: a
// choice reads the row and nothing else, and most contexts have none. Rows lie in one array; one that is full moves to
// a place twice as large and leaves its own to the next of that size.
class Sequences {
 public:
  struct Entry {
    Action action;
    float value;
  };

  // `often`: the visits from which on a sequence counts.
  explicit Sequences(float often) : often_(often) {}

  void limit_memory(std::size_t bytes) {
    table_.limit_memory(bytes / 2);
    rows_.limit_memory(bytes / 4);
    most_entries_ = std::min(most_entries_, bytes / 8 / sizeof(Entry));  // a vector may have room for twice as many
  }

  static std::uint64_t key(std::uint64_t context, Action action) {
    return mix(context, static_cast<std::uint32_t>(action)) | 1;
  }
  // The sequence of this key will be asked for soon.
  void expect(std::uint64_t key) const { table_.expect(key); }

  // `sequence` is the key of the other two.
  void add(std::uint64_t sequence, std::uint64_t context, Action action, float result) {
    Seen* seen = table_.insert(sequence);
    if (!seen) return;
    seen->mean.add(result);
    if (seen->mean.count < often_) return;
    Row* row = rows_.insert(context);
    if (!row) return;
    if (seen->place == kNowhere) seen->place = append(*row, action);
    if (seen->place != kNowhere) entries_[row->first + seen->place].value = seen->mean.value;
  }

  // The mean of a sequence if it counts.
  const Mean* find(std::uint64_t context, Action action) const {
    const Seen* seen = table_.find(key(context, action));
    return seen && seen->mean.count >= often_ ? &seen->mean : nullptr;
  }
  // All that count after this context.
  std::span<const Entry> after(std::uint64_t context) const {
    const Row* row = rows_.find(context);
    return row ? std::span<const Entry>(entries_.data() + row->first, row->size) : std::span<const Entry>();
  }

  // What was seen counts `decay` times as much as before. Where half of the table has all but faded, that is dropped.
  void fade(float decay) {
    std::size_t faint = 0;
    table_.for_each([&](std::uint64_t, Seen& seen) {
      seen.mean.count *= decay;
      faint += seen.mean.count < kFaint;
    });
    rows_.for_each([&](std::uint64_t context, Row& row) { thin_out(context, row); });
    if (2 * faint > table_.size()) table_.keep_if([](const Seen& seen) { return seen.mean.count >= kFaint; });
  }

 private:
  static constexpr float kFaint = 0.05f;
  static constexpr std::uint32_t kNowhere = 0xffffffffu;

  struct Seen {
    Mean mean;
    std::uint32_t place = kNowhere;  // in the row of its context
  };
  struct Row {
    std::uint32_t first = 0, size = 0;
    std::uint32_t room = 0;  // a power of two, or none
  };

  // Its place, or kNowhere if there is no more memory to take.
  std::uint32_t append(Row& row, Action action) {
    if (row.size == row.room && !enlarge(row)) return kNowhere;
    entries_[row.first + row.size] = {action, 0};
    return row.size++;
  }

  bool enlarge(Row& row) {
    const std::uint32_t room = row.room == 0 ? 1 : 2 * row.room;
    std::vector<std::uint32_t>& free = free_[static_cast<std::size_t>(std::countr_zero(room))];
    auto first = static_cast<std::uint32_t>(entries_.size());
    if (!free.empty()) {
      first = free.back();
      free.pop_back();
    } else if (entries_.size() + room > most_entries_) {
      return false;
    } else {
      entries_.resize(entries_.size() + room);
    }
    std::copy_n(entries_.begin() + row.first, row.size, entries_.begin() + first);
    if (row.room > 0) free_[static_cast<std::size_t>(std::countr_zero(row.room))].push_back(row.first);
    row.first = first;
    row.room = room;
    return true;
  }

  // Takes out of a row what has not been seen often enough any more.
  void thin_out(std::uint64_t context, Row& row) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < row.size; ++i) {
      const Entry entry = entries_[row.first + i];
      Seen* seen = table_.find(key(context, entry.action));
      seen->place = seen->mean.count >= often_ ? kept : kNowhere;
      if (seen->place == kept) entries_[row.first + kept++] = entry;
    }
    row.size = kept;
  }

  float often_;
  std::size_t most_entries_ = std::size_t{1} << 22;
  Table<Seen> table_;
  Table<Row> rows_;
  std::vector<Entry> entries_;
  std::array<std::vector<std::uint32_t>, 32> free_;  // places of rows that have moved, by their size
};

}  // namespace treewise
