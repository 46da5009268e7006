// Actions as Python gives them: read, checked against the rules, applied and named.
#pragma once

#include "bind/bind.h"

namespace treewise {

void require_running(const StateHandle& h);

// The legal actions of the player to move or, where one is given, of `player`; none at a terminal state.
ActionList list_legal(const StateHandle& h, std::optional<int> player);

// `given` is one action or, where several players act at once, a sequence with one for each player.
void apply(StateHandle& h, nb::handle given);

// One action that the player to move may choose.
Action legal_action(const StateHandle& h, nb::handle given);

std::string action_name(const StateHandle& h, nb::handle given);

}  // namespace treewise
