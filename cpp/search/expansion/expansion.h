// Expansion: when a leaf becomes a node, and how many of its children can be selected.
#pragma once

#include <memory>

#include "search/part.h"

namespace treewise {

class Expansion {
 public:
  virtual ~Expansion() = default;
  // Whether an edge that has had `visits` evaluations gets a node.
  virtual bool ready(int visits) const = 0;
  // How many of `num_edges` children are active at the node's visit number `visits` (from 0).
  virtual std::uint32_t active(std::uint32_t num_edges, int visits) const = 0;
  // Whether `active` may ever be less than all.
  virtual bool widens() const { return true; }
  // Children that just became active are taken at once, whatever the first-play rule says.
  virtual bool takes_new_children() const { return false; }
};

std::shared_ptr<const Expansion> make_expansion(const PartSpec& spec);

}  // namespace treewise
