// The unrecorded uniform playouts of Hex, which Python does not reach: each must end on a filled board whose
// winner a plain search for chains confirms, and player 0 must win as often as in recorded playouts.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "game/game.h"
#include "games/catalogue.h"
#include "tests/tests.h"

namespace treewise {

namespace {

// The cells of a drawing, row by row; the line of column letters comes first.
std::string cells_of(const std::string& drawing) {
  std::string cells;
  for (std::size_t i = drawing.find('\n'); i < drawing.size(); ++i)
    if (drawing[i] == 'x' || drawing[i] == 'o' || drawing[i] == '.') cells += drawing[i];
  return cells;
}

constexpr std::pair<int, int> kNeighbours[] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, 1}, {1, -1}};

bool joins_top_and_bottom(const std::string& cells, int size) {
  std::vector<int> todo;
  std::vector<bool> reached(cells.size(), false);
  const auto visit = [&](int row, int column) {
    if (row < 0 || row >= size || column < 0 || column >= size) return;
    const auto cell = static_cast<std::size_t>(row * size + column);
    if (cells[cell] != 'x' || reached[cell]) return;
    reached[cell] = true;
    todo.push_back(row * size + column);
  };
  for (int column = 0; column < size; ++column) visit(0, column);
  while (!todo.empty()) {
    const int row = todo.back() / size, column = todo.back() % size;
    todo.pop_back();
    if (row == size - 1) return true;
    for (const auto& [down, right] : kNeighbours) visit(row + down, column + right);
  }
  return false;
}

bool check(bool holds, int size, const char* what) {
  if (!holds) std::fprintf(stderr, "hex(size=%d): %s\n", size, what);
  return holds;
}

// Plays `steps` recorded steps from the start, then many times to the end.
bool test_from(int size, bool swap, int steps, int playouts) {
  const auto game = make_game("hex", {{"size", std::int64_t{size}}, {"swap", swap}});
  Rng rng(static_cast<std::uint64_t>(100 * size + steps));
  const auto start = game->initial_state();
  Trace trace;
  start->playout(rng, steps, &trace);
  if (start->is_terminal()) return true;
  const auto state = start->clone();
  double wins[2] = {0, 0};
  for (int i = 0; i < 2 * playouts; ++i) {
    const bool recorded = i >= playouts;
    state->assign(*start);
    const int length = state->playout(rng, game->info().max_length, recorded ? &trace : nullptr);
    Values returns{};
    state->returns(returns);
    wins[recorded] += returns[0] > 0;
    const std::string cells = cells_of(state->draw());
    if (!check(state->is_terminal(), size, "a playout did not end the match") ||
        !check(joins_top_and_bottom(cells, size) == (returns[0] > 0), size, "the wrong player won"))
      return false;
    if (recorded) continue;
    const auto stones = [&](char c) { return std::count(cells.begin(), cells.end(), c); };
    const auto more = stones('x') - stones('o'), parity = std::ptrdiff_t{size} * size % 2;
    if (!check(stones('.') == 0 && length >= size * size - steps, size, "the board is not full") ||
        !check(more == parity || (swap && more == -parity), size, "the players have wrong numbers of stones"))
      return false;
  }
  // Five standard deviations of the difference of two shares.
  return check(std::abs(wins[0] - wins[1]) < 5 * std::sqrt(0.5 * playouts), size, "wins differ from recorded playouts");
}

// Playouts that are cut off leave an open match of that length.
bool test_cut_off() {
  const auto game = make_game("hex", {});
  Rng rng(1);
  const auto state = game->initial_state();
  const int length = state->playout(rng, 15, nullptr);
  const std::string cells = cells_of(state->draw());
  return check(length == 15 && !state->is_terminal() && std::count(cells.begin(), cells.end(), '.') == 106, 11,
               "a playout was not cut off");
}

}  // namespace

bool test_hex_fast_playout() {
  bool good = test_cut_off();
  for (const int size : {2, 3, 4, 5, 8, 9, 11, 12, 13, 16, 19})
    for (const int steps : {0, 1, size * size / 3, size * size / 2})
      good = test_from(size, false, steps, size < 10 ? 20000 : 2000) && good;
  for (const int steps : {0, 1, 2}) good = test_from(3, true, steps, 20000) && good;
  return good;
}

}  // namespace treewise
