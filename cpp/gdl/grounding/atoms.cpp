#include "gdl/grounding/atoms.h"

#include <algorithm>

namespace treewise::gdl {

bool opened(const Look& look, Slots& slots, const TermTable& terms) {
  const TermId term = slots[look.slot];
  const auto args = terms.args(term);
  if (terms.name(term) != look.value || args.size() != look.count) return false;
  std::ranges::copy(args, slots.begin() + look.base);
  return true;
}

bool looks_right(std::span<const Look> looks, std::span<const TermId> args, const TermTable& terms, Slots& slots,
                 Bindings& values) {
  std::ranges::copy(args, slots.begin());
  for (const Look& look : looks) {
    switch (look.kind) {
      case Look::Kind::kOpen:
        if (!opened(look, slots, terms)) return false;
        break;
      case Look::Kind::kConstant:
        if (slots[look.slot] != look.value) return false;
        break;
      case Look::Kind::kSame:
        if (slots[look.slot] != values[look.value]) return false;
        break;
      case Look::Kind::kBind:
        values[look.value] = slots[look.slot];
        break;
    }
  }
  return true;
}

void Index::add(AtomId atom, std::span<const TermId> args, const TermTable& terms) {
  Slots slots;
  std::ranges::copy(args, slots.begin());
  for (const Look& look : opens_)
    if (!opened(look, slots, terms)) return;
  std::uint64_t key = 0;
  for (const std::uint16_t slot : key_) key = mix(key, slots[slot]);
  std::uint32_t& head = *heads_.insert(hashed(key));
  entries_.push_back({atom, head});
  head = static_cast<std::uint32_t>(entries_.size() - 1);
}

void Atoms::publish(AtomId atom, const TermTable& terms) {
  published_ = atom;
  for (Index& index : of_[predicate(atom)].indexes) index.add(atom, args(atom), terms);
}

Index& Atoms::index(PredicateId predicate, std::span<const Look> opens, std::span<const std::uint16_t> key,
                    const TermTable& terms) {
  Relation& relation = of_[predicate];
  for (Index& index : relation.indexes)
    if (index.is(opens, key)) return index;
  Index& made = relation.indexes.emplace_back(std::vector<Look>(opens.begin(), opens.end()),
                                              std::vector<std::uint16_t>(key.begin(), key.end()));
  for (const AtomId atom : relation.all)
    if (is_published(atom)) made.add(atom, args(atom), terms);
  return made;
}

}  // namespace treewise::gdl
