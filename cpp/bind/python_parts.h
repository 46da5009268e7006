// Parts written in Python, in the shape of their families.
#pragma once

#include "bind/held.h"
#include "search/part.h"

namespace treewise {

// A part record from its Python form: (name, {key: value}), where a value may be such a tuple, a list of
// them, or
// ("python", {"family": …, "object": …}) for an object with the family's methods.
//
// The objects become references of `owner`, if there is one.
PartPointer to_spec(nb::handle value, const std::shared_ptr<const Game>& game, References* owner);

}  // namespace treewise
