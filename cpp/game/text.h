// Reading and drawing boards: rows from the top joined by '/', and the picture with coordinates that people see.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace treewise {

// Splits "row/row/…" and checks that there are `lengths.size()` rows of these lengths made of `alphabet`.
std::vector<std::string> parse_rows(std::string_view board, const std::vector<int>& lengths, std::string_view alphabet);

// The parts between the separators, empty ones too.
std::vector<std::string_view> split(std::string_view text, char separator);

// Whole numbers with spaces between them, each from `low` to `high`; `what` names one of them in complaints.
std::vector<int> parse_numbers(std::string_view text, int low, int high, const std::string& what);

// Checks that `player` is one who can be to move.
void check_player(int player, int num_players);

// "a1" is the bottom left square: letters for columns from the left, numbers for rows from the bottom.
std::string square_name(int row, int column, int rows);

// A rectangular board with row numbers and column letters; `cell(row, column)` gives one character.
std::string draw_board(int rows, int columns, const std::function<char(int, int)>& cell);

}  // namespace treewise
