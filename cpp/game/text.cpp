#include "game/text.h"

namespace treewise {

std::vector<std::string> parse_rows(std::string_view board, const std::vector<int>& lengths,
                                    std::string_view alphabet) {
  std::vector<std::string> rows(1);
  for (const char c : board) {
    if (c == '/') {
      rows.emplace_back();
    } else if (alphabet.find(c) == std::string_view::npos) {
      throw std::invalid_argument("board: unknown character '" + std::string(1, c) + "'; use the characters \"" +
                                  std::string(alphabet) + "\" and '/' between rows");
    } else {
      rows.back() += c;
    }
  }
  if (rows.size() != lengths.size())
    throw std::invalid_argument("board: " + std::to_string(rows.size()) + " rows given, " +
                                std::to_string(lengths.size()) + " expected (rows from the top, joined by '/')");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (static_cast<int>(rows[r].size()) != lengths[r])
      throw std::invalid_argument("board: row " + std::to_string(r + 1) + " has " + std::to_string(rows[r].size()) +
                                  " cells, " + std::to_string(lengths[r]) + " expected");
  }
  return rows;
}

void check_player(int player, int num_players) {
  if (player < 0 || player >= num_players)
    throw std::invalid_argument("player to move: " + std::to_string(player) + " given, expected 0 to " +
                                std::to_string(num_players - 1));
}

std::string square_name(int row, int column, int rows) {
  return std::string(1, static_cast<char>('a' + column)) + std::to_string(rows - row);
}

std::string draw_board(int rows, int columns, const std::function<char(int, int)>& cell) {
  std::string out;
  for (int r = 0; r < rows; ++r) {
    const std::string label = std::to_string(rows - r);
    out += std::string(label.size() < 2 ? 1 : 0, ' ') + label;
    for (int c = 0; c < columns; ++c) {
      out += ' ';
      out += cell(r, c);
    }
    out += '\n';
  }
  out += "  ";
  for (int c = 0; c < columns; ++c) {
    out += ' ';
    out += static_cast<char>('a' + c);
  }
  return out + '\n';
}

}  // namespace treewise
