// The atoms found so far, predicate by predicate, with indexes to join by.
#pragma once

#include <array>
#include <deque>
#include <span>
#include <vector>

#include "base/table.h"
#include "gdl/grounding/rules.h"

namespace treewise::gdl {

// Steps that look at the arguments of an atom. They lie in slots: the arguments first, then those of opened terms.
struct Look {
  enum class Kind : std::uint8_t { kOpen, kConstant, kSame, kBind };
  Kind kind;
  std::uint16_t slot;
  std::uint16_t count = 0;  // kOpen: arguments
  std::uint16_t base = 0;   // kOpen: their first slot
  std::uint32_t value = 0;  // kOpen: name; kConstant: term; otherwise a variable
  bool operator==(const Look&) const = default;
};

// A sheet's parentheses stand 200 deep inside each other at most, and the atoms of real sheets have a dozen arguments.
constexpr std::size_t kSlots = 256;
using Slots = std::array<TermId, kSlots>;

bool opened(const Look& look, Slots& slots, const TermTable& terms);
// Whether an atom looks as wanted; binds variables.
bool looks_right(std::span<const Look> looks, std::span<const TermId> args, const TermTable& terms, Slots& slots,
                 Bindings& values);

// The atoms of a predicate by some of their slots.
class Index {
 public:
  Index(std::vector<Look> opens, std::vector<std::uint16_t> key) : opens_(std::move(opens)), key_(std::move(key)) {}
  bool is(std::span<const Look> opens, std::span<const std::uint16_t> key) const {
    return std::ranges::equal(opens_, opens) && std::ranges::equal(key_, key);
  }
  void add(AtomId atom, std::span<const TermId> args, const TermTable& terms);

  // The place of the last atom with this key; 0: none.
  std::uint32_t first(std::uint64_t key) const {
    const std::uint32_t* head = heads_.find(key);
    return head ? *head : 0;
  }
  AtomId atom(std::uint32_t place) const { return entries_[place].atom; }
  std::uint32_t next(std::uint32_t place) const { return entries_[place].next; }
  // Of one key, on average.
  double atoms_a_key() const {
    return heads_.size() ? static_cast<double>(entries_.size() - 1) / static_cast<double>(heads_.size()) : 0;
  }
  static std::uint64_t hashed(std::uint64_t key) { return mix(key, 1) | 1; }

 private:
  struct Entry {
    AtomId atom = 0;
    std::uint32_t next = 0;
  };
  std::vector<Look> opens_;
  std::vector<std::uint16_t> key_;
  Table<std::uint32_t> heads_{std::size_t{1} << 31};
  std::vector<Entry> entries_{{}};
};

class Atoms {
 public:
  explicit Atoms(std::size_t num_predicates) : of_(num_predicates) {}

  AtomId intern(PredicateId predicate, std::span<const TermId> args) {
    const AtomId atom = table_.intern(predicate, args);
    if (atom > num_) {
      num_ = atom;
      of_[predicate].all.push_back(atom);
    }
    return atom;
  }
  AtomId find(PredicateId predicate, std::span<const TermId> args) const { return table_.find(predicate, args); }
  AtomId size() const { return num_; }
  PredicateId predicate(AtomId atom) const { return table_.name(atom); }
  std::span<const TermId> args(AtomId atom) const { return table_.args(atom); }
  const std::vector<AtomId>& of(PredicateId predicate) const { return of_[predicate].all; }

  // From now on joins see the atom.
  void publish(AtomId atom, const TermTable& terms);
  bool is_published(AtomId atom) const { return atom <= published_; }
  // The published atoms of a predicate by the slots of `key`, once the terms of `opens` are opened.
  Index& index(PredicateId predicate, std::span<const Look> opens, std::span<const std::uint16_t> key,
               const TermTable& terms);

 private:
  struct Relation {
    std::vector<AtomId> all;
    std::deque<Index> indexes;
  };
  TermTable table_;
  std::vector<Relation> of_;
  AtomId num_ = 0, published_ = 0;
};

}  // namespace treewise::gdl
