// The checks of the engine that Python cannot reach. Each prints what is wrong and says whether all is well.
#pragma once

#include <memory>
#include <vector>

#include "game/game.h"

namespace treewise {

bool test_fast_playouts(int playouts);
bool test_hex_fast_playout();
bool test_gdl(int sheets);
// Games of small rulesheets.
std::vector<std::shared_ptr<const Game>> gdl_games();
// A game with dice.
std::shared_ptr<const Game> dice_game();
bool test_vgdl(int games);
// Video games made at random.
std::vector<std::shared_ptr<const Game>> vgdl_games();
// Draws from the games' playout policies.
bool test_policies(int draws);
// A short search of every game with each kind of part; `parallel`: only those with several threads.
bool test_searches(bool parallel);
// Growth, memory cap, rerooting.
bool test_tree();

}  // namespace treewise
