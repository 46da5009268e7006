// All games in C++ by name. Each `games/NAME.cpp` defines `GameEntry NAME()`; the build lists the files.
#pragma once

#include "game/rules.h"

namespace treewise {

const std::vector<GameEntry>& game_catalogue();

// Makes a game; parameters that are not given take their standard values. Throws std::invalid_argument with
// what is wrong: an unknown name or key, a value of the wrong type or out of range.
std::shared_ptr<const Game> make_game(const std::string& name, const std::map<std::string, ParameterValue>& given);

}  // namespace treewise
