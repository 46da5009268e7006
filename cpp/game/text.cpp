#include "game/text.h"

#include <charconv>

namespace treewise {

namespace {

// The character that begins at `at`, whole even where it takes several bytes; what cannot be seen as its code.
std::string shown(std::string_view text, std::size_t at) {
  constexpr const char* kDigits = "0123456789abcdef";
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x20 || first == 0x7f) return {'\\', 'x', kDigits[first >> 4], kDigits[first & 15]};
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return std::string(text.substr(at, end - at));
}

}  // namespace

std::vector<std::string> parse_rows(std::string_view board, const std::vector<int>& lengths,
                                    std::string_view alphabet) {
  std::vector<std::string> rows(1);
  for (std::size_t at = 0; at < board.size(); ++at) {
    const char c = board[at];
    if (c == '/') {
      rows.emplace_back();
    } else if (alphabet.find(c) == std::string_view::npos) {
      throw std::invalid_argument("board: unknown character '" + shown(board, at) + "'; use the characters \"" +
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

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<int> parse_numbers(std::string_view text, int low, int high, const std::string& what) {
  std::vector<int> numbers;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    int number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size() || number < low || number > high)
      throw std::invalid_argument("board: " + what + " must be a number from " + std::to_string(low) + " to " +
                                  std::to_string(high));
    numbers.push_back(number);
  }
  return numbers;
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
