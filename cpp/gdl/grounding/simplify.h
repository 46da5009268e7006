// Ground rules kept as few: an atom is defined once all that its rules read is, and then is a constant, another atom or
// its negation, or new. Atoms with equal rules are one.
#pragma once

#include <climits>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "gdl/grounding/budget.h"
#include "gdl/grounding/terms.h"

namespace treewise::gdl {

// Bodies one behind the other: the number of literals, then these.
using Bodies = std::vector<int>;

class Simplifier {
 public:
  static constexpr int kTrue = INT_MAX, kFalse = -INT_MAX;

  // `shares`: long lists of alternatives are cut into parts that several atoms may share, which `finish` must see.
  Simplifier(std::size_t num_atoms, Budget& budget, bool shares = false)
      : budget_(&budget), shares_(shares), same_(num_atoms + 1), first_(num_atoms + 1, kNone) {}

  // There are atoms up to this one.
  void grow(AtomId atom) {
    same_.resize(atom + 1);
    first_.resize(atom + 1, kNone);
  }
  void set(AtomId atom, int literal) { same_[atom] = literal; }
  void set_free(AtomId atom) { same_[atom] = static_cast<int>(atom); }
  bool is_defined(AtomId atom) const { return same_[atom] != 0; }
  // The literal that a literal equals; itself where that is not known yet.
  int find(int literal) const {
    if (std::abs(literal) >= kFirstPart) return literal;
    const int same = same_[static_cast<std::size_t>(literal < 0 ? -literal : literal)];
    return same == 0 ? literal : literal < 0 ? -same : same;
  }
  void define(AtomId atom, std::span<const int> bodies);
  // An atom of several that need each other.
  void define_in_loop(AtomId atom, std::span<const int> bodies);
  // The atom that stands for one that is read from outside; 0: it never holds.
  int output(AtomId atom);
  // Puts back the parts that nobody shares, and numbers all atoms anew, `outputs` too; says how many there are.
  int finish(const std::vector<int*>& outputs);

  std::vector<int> heads, starts{0}, body;

 private:
  // The bodies in `text_`, sorted; false if the atom always holds.
  bool simplify(AtomId atom, std::span<const int> bodies);
  void emit(AtomId atom);
  // The alternatives of `bodies_` that are one literal, by parts that other atoms may share.
  void share_parts();
  int part_of(std::span<const int> literals);
  std::uint64_t hash_bodies() const;
  AtomId find_known(std::uint64_t hash) const;
  bool is_derived(int literal) const;

  static constexpr std::uint32_t kNone = ~0u;
  static constexpr int kFirstPart = 1 << 29;  // atoms from here on are parts

  Budget* budget_;
  bool shares_;
  std::vector<int> same_;
  std::vector<std::uint32_t> first_;  // of each kept atom its first rule
  Numbers known_;
  std::vector<int> text_, kept_;
  std::vector<std::uint32_t> part_rules_;                        // of each part its first rule
  std::vector<std::pair<std::uint32_t, std::uint32_t>> bodies_;  // begin and end in text_
  int always_ = 0;
  std::vector<std::pair<int, int>> negations_;
  Numbers negation_of_;
};

// Rules merged from those of a whole program; `outputs` are replaced by the atoms that stand for them.
struct Merged {
  std::vector<int> heads, starts, body;
};
Merged merge_rules(std::size_t num_atoms, std::span<const int> heads, std::span<const int> starts,
                   std::span<const int> body, std::vector<int>& outputs, Budget& budget);

}  // namespace treewise::gdl
