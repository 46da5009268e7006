// What people give as arguments, read with everything checked: one clear line where it is wrong. With the GIL.
#pragma once

#include "bind/bind.h"

namespace treewise {

// After a failed call of Python's: forgets that the type was wrong, passes on everything else.
void forget_type_error();

// A whole number of any kind of Python's or NumPy's. Empty: too large for 64 bits. For everything else a ValueError
// that says what is expected to be one, and what to do.
std::optional<std::int64_t> whole_number(nb::handle value, const std::string& what, const std::string& advice);

// A whole number from 0 to `most`.
int count(nb::handle value, const std::string& what, int most);

std::uint64_t seed_number(nb::handle value);

bool truth(nb::handle value, const std::string& what);

// A player's number; whether there is such a player is for others to say.
int player_index(nb::handle value);

int player_of(const Game& game, nb::handle value);

std::string board_text(nb::handle value);

}  // namespace treewise
