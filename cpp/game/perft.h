// Counting action sequences: the first check of any rules.
#pragma once

#include "game/game.h"

namespace treewise {

// The number of sequences of `depth` actions from `state`; a finished match has no successors. Joint actions
// of a simultaneous state count one each, and so do chance outcomes. `poll`, called now and then, may throw
// to stop.
std::uint64_t perft(const State& state, int depth, const GameInfo& info, void (*poll)() = nullptr);

}  // namespace treewise
