// SameGame (Kuniaki Moribe, 1985): remove groups of at least two tiles of one colour. An action is the lowest
// cell of the group in its leftmost column; cells are numbered column by column, each from the bottom.
#include <cstring>

#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

constexpr int kLane = 16;  // bits for a column, bit 0 at the bottom
constexpr int kPlanes = 3;
constexpr double kClearBonus = 1000;

#pragma GCC diagnostic ignored "-Wpsabi"  // no vector is passed to another file

// Sets of cells of a board of at most 16 x 16, one lane a column: as they are worked on, and as a state keeps
// them (plainly aligned, so that states are passed alike with and without wide registers).
using Lanes = std::uint16_t __attribute__((vector_size(32)));
struct Cells {
  std::uint16_t column[16] = {};
  Lanes lanes() const {
    Lanes v;
    std::memcpy(&v, column, sizeof v);
    return v;
  }
  bool has(int cell) const { return column[cell / kLane] >> cell % kLane & 1; }
};
Cells cells(const Lanes& v) {
  Cells out;
  std::memcpy(out.column, &v, sizeof v);
  return out;
}

Lanes to_right(const Lanes& v) {
  return __builtin_shufflevector(v, Lanes{}, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
}
Lanes to_left(const Lanes& v) {
  return __builtin_shufflevector(v, Lanes{}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}

struct Words {
  Bits word[4];
};
Words words(const Lanes& v) {
  return std::bit_cast<Words>(v);
}
bool any(const Lanes& v) {
  const Words w = words(v);
  return (w.word[0] | w.word[1] | w.word[2] | w.word[3]) != 0;
}
int size(const Lanes& v) {
  const Words w = words(v);
  return count(w.word[0]) + count(w.word[1]) + count(w.word[2]) + count(w.word[3]);
}
// The k-th cell, k from 0 and below size(v).
int pick(const Lanes& v, int k) {
  const Words w = words(v);
  int i = 0;
  for (int n = count(w.word[0]); k >= n; n = count(w.word[i])) {
    k -= n;
    ++i;
  }
  return 64 * i + nth(w.word[i], k);
}
Lanes single(int cell) {
  Cells out;
  out.column[cell / kLane] = static_cast<std::uint16_t>(1u << cell % kLane);
  return out.lanes();
}

struct SameGame {
  struct Config {
    int rows, columns, colours;
    bool penalty;
    std::uint64_t seed;

    explicit Config(const Parameters& p)
        : rows(p.integer("rows")),
          columns(p.integer("columns")),
          colours(p.integer("colours")),
          penalty(p.flag("penalty")),
          seed(static_cast<std::uint64_t>(p.integer("seed"))) {}
    GameInfo info() const {
      // Joining two groups gives more points than taking both, so one group of everything is the bound.
      const double all = (rows * columns - 2) * (rows * columns - 2);
      return {.name = "same_game",
              .num_players = 1,
              .min_utility = penalty ? -all : 0,
              .max_utility = all + kClearBonus,
              .num_action_ids = rows * columns,
              .max_length = rows * columns / 2};
    }
  };

  static std::vector<Parameter> parameters() {
    return {{"rows", std::int64_t{15}, "rows of the board", 2, 16},
            {"columns", std::int64_t{15}, "columns of the board", 2, 16},
            {"colours", std::int64_t{5}, "colours of the tiles", 2, 7},
            {"seed", std::int64_t{0}, "the board: each seed draws another one", 0, 2147483647},
            {"penalty", false, "lose (n - 2)^2 for each colour with n tiles left at the end"}};
  }

  const Config* config;
  Cells planes[kPlanes];  // the bits of the tiles' colours, numbered from 1; no tile: 0
  Cells movable;          // tiles with a neighbour of their colour
  std::int32_t total = 0;
  std::int32_t reward = 0;  // of the last step

  // Draws each tile's colour; a board without any group is drawn again.
  explicit SameGame(const Config& c) : config(&c) {
    for (Rng rng(derive_seed(c.seed, 0)); !any(movable.lanes());) {
      for (Cells& plane : planes) plane = {};
      for (int column = 0; column < c.columns; ++column)
        for (int height = 0; height < c.rows; ++height)
          put(kLane * column + height, 1 + static_cast<int>(rng.below(static_cast<unsigned>(c.colours))));
      find_movable();
    }
  }

  void put(int cell, int colour) {
    for (int i = 0; i < kPlanes; ++i)
      if (colour >> i & 1) planes[i] = cells(planes[i].lanes() | single(cell));
  }
  int colour_at(int cell) const { return planes[0].has(cell) + 2 * planes[1].has(cell) + 4 * planes[2].has(cell); }
  Lanes tiles() const { return planes[0].lanes() | planes[1].lanes() | planes[2].lanes(); }
  Lanes of_colour(int colour) const {
    Lanes out = tiles();
    for (int i = 0; i < kPlanes; ++i) out &= colour >> i & 1 ? planes[i].lanes() : ~planes[i].lanes();
    return out;
  }
  void find_movable() {
    Lanes above{}, beside{};  // where the neighbour above, or to the right, differs
    for (const Cells& stored : planes) {
      const Lanes plane = stored.lanes();
      above |= plane ^ (plane >> 1);
      beside |= plane ^ to_left(plane);
    }
    const Lanes low = tiles() & ~above, near = tiles() & ~beside;
    movable = cells(low | (low << 1) | near | to_right(near));
  }
  Lanes group_of(int cell) const {
    const Lanes same = of_colour(colour_at(cell));
    Lanes group = single(cell);
    while (true) {
      const Lanes grown = (group | (group << 1) | (group >> 1) | to_left(group) | to_right(group)) & same;
      if (!any(grown ^ group)) return group;
      group = grown;
    }
  }

  bool is_terminal() const { return !any(movable.lanes()); }
  int current_player() const { return is_terminal() ? kTerminal : 0; }
  // The lane layout leaves gaps on boards lower than 16 rows; action ids do not.
  int cell_of(Action action) const { return action / config->rows * kLane + action % config->rows; }
  Action action_of(int cell) const { return cell / kLane * config->rows + cell % kLane; }
  void legal_actions(ActionList& out) const {
    for (Lanes rest = movable.lanes(); any(rest);) {
      const int cell = pick(rest, 0);
      out.push_back(action_of(cell));
      rest &= ~group_of(cell);
    }
  }

  void apply(Action action) { remove(group_of(cell_of(action))); }
  void remove(const Lanes& group) {
    reward = (size(group) - 2) * (size(group) - 2);
    // Each turn takes the lowest cell out of every column: what lies above falls by one.
    Lanes moved[kPlanes] = {planes[0].lanes(), planes[1].lanes(), planes[2].lanes()};
    for (Lanes rest = group; any(rest);) {
      const Lanes lowest_cells = rest & -rest;
      const Lanes below = lowest_cells - 1;  // all of a column that loses nothing
      for (Lanes& plane : moved) plane = (plane & below) | ((plane >> 1) & ~below);
      rest = (rest ^ lowest_cells) >> 1;
    }
    for (int i = 0; i < kPlanes; ++i) planes[i] = cells(moved[i]);
    close_columns();
    find_movable();
    if (is_terminal()) reward += final_reward();
    total += reward;
  }
  // A column without tiles is closed by those to its right.
  void close_columns() {
    const Lanes all = tiles();
    if (!any(std::bit_cast<Lanes>(all == 0) & to_left(all))) return;
    int kept = 0;
    for (int column = 0; column < config->columns; ++column) {
      if (all[column] == 0) continue;
      for (Cells& plane : planes) plane.column[kept] = plane.column[column];
      ++kept;
    }
    for (int column = kept; column < config->columns; ++column)
      for (Cells& plane : planes) plane.column[column] = 0;
  }
  std::int32_t final_reward() const {
    if (!any(tiles())) return static_cast<std::int32_t>(kClearBonus);
    if (!config->penalty) return 0;
    std::int32_t lost = 0;
    for (int colour = 1; colour <= config->colours; ++colour) {
      const int left = size(of_colour(colour));
      if (left > 0) lost += (left - 2) * (left - 2);
    }
    return -lost;
  }

  void returns(Values& out) const { out[0] = total; }
  void rewards(Values& out) const { out[0] = reward; }

  // A uniform tile's group, kept with a chance of two to its size: every group is equally likely, and only
  // one or two are looked at.
  Lanes draw_group(Rng& rng) const {
    const auto candidates = static_cast<std::uint32_t>(size(movable.lanes()));
    while (true) {
      const Lanes group = group_of(pick(movable.lanes(), static_cast<int>(rng.below(candidates))));
      if (rng.below(static_cast<std::uint32_t>(size(group))) < 2) return group;
    }
  }
  Action playout_action(Rng& rng) const { return action_of(pick(draw_group(rng), 0)); }
  int fast_playout(Rng& rng, int max_length) {
    int length = 0;
    for (; length < max_length && !is_terminal(); ++length) remove(draw_group(rng));
    return length;
  }

  // The points so far count: they are a part of the returns.
  std::uint64_t hash() const {
    std::uint64_t h = static_cast<std::uint64_t>(total);
    for (const Cells& plane : planes)
      for (const Bits word : words(plane.lanes()).word) h = mix(h, word);
    return h;
  }

  std::string action_name(Action action) const {
    const int height = action % config->rows;
    return square_name(config->rows - 1 - height, action / config->rows, config->rows);
  }
  std::string draw() const {
    return draw_board(config->rows, config->columns, [&](int row, int column) {
      const int colour = colour_at(kLane * column + config->rows - 1 - row);
      return colour == 0 ? '.' : static_cast<char>('0' + colour);
    });
  }

  static SameGame parse(const Config& config, std::string_view board, int player) {
    check_player(player, 1);
    const auto rows = parse_rows(board, std::vector<int>(static_cast<std::size_t>(config.rows), config.columns),
                                 std::string(".1234567").substr(0, static_cast<std::size_t>(config.colours) + 1));
    SameGame state(config);
    for (Cells& plane : state.planes) plane = {};
    for (int column = 0; column < config.columns; ++column) {
      for (int height = 0; height < config.rows; ++height) {
        const char tile = rows[static_cast<std::size_t>(config.rows - 1 - height)][static_cast<std::size_t>(column)];
        if (tile != '.') state.put(kLane * column + height, tile - '0');
      }
    }
    state.check_settled();
    state.find_movable();
    return state;
  }
  void check_settled() const {
    const Lanes all = tiles();
    if (any((all >> 1) & ~all))
      throw std::invalid_argument("board: a tile has nothing under it; let the tiles fall down");
    for (int column = 1; column < config->columns; ++column)
      if (all[column] != 0 && all[column - 1] == 0)
        throw std::invalid_argument("board: an empty column stands left of a tile; move the columns left");
  }
};

}  // namespace

GameEntry same_game() {
  return entry<SameGame>("same_game", "Remove groups of one colour; big groups give many points.");
}

}  // namespace treewise::games
