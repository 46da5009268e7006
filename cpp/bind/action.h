// Actions as Python gives them: read, checked against the rules, applied and named.
#pragma once

#include "bind/bind.h"

namespace treewise {

// A whole number of any kind of Python's or NumPy's. Empty: too large for 64 bits. For everything else a ValueError
// that says what is expected to be one, and what to do.
std::optional<std::int64_t> whole_number(nb::handle value, const std::string& what, const std::string& advice);

void require_running(const StateHandle& h);

// The legal actions of the player to move or, where one is given, of `player`; none at a terminal state.
ActionList list_legal(const StateHandle& h, std::optional<int> player);

// `given` is one action or, where several players act at once, a sequence with one for each player.
void apply(StateHandle& h, nb::handle given);

std::string action_name(const StateHandle& h, nb::handle given);

}  // namespace treewise
