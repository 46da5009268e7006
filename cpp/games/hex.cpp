// Hex (Piet Hein, 1942; John Nash, 1948). A cell is row * size + column, row 0 at the top; its neighbours are
// those in the same row, straight above and below, above right and below left. Player 0 joins the top and the
// bottom, player 1 the left and the right side. An action is the cell; size * size is the swap.
//
// A filled board is decided by reduction (Jack van Rijswijck, "Binary combinatorial games", 2002): the game
// of Y on a triangle of cells has the same winner as the triangle that is smaller by one, in which each cell
// is the majority of three cells that touch each other. The rhombus of Hex is such a triangle with one corner
// filled for each player, and one step of the reduction is a handful of operations on the whole board.
#include "base/bits.h"
#include "game/rules.h"
#include "game/text.h"

namespace treewise::games {
namespace {

// A set of cells in a fixed number of words. No word is looked up by a variable index: the words stay in
// registers, and a branch on where a random cell lies would be mispredicted.
template <int words>
struct Cells {
  Bits word[words] = {};

  static Cells of(int cell) {
    Cells cells;
    for (int i = 0; i < words; ++i) cells.word[i] = Bits{cell / 64 == i} << (cell % 64);
    return cells;
  }
  friend Cells operator&(Cells a, const Cells& b) {
    return combine(a, b, [](Bits x, Bits y) { return x & y; });
  }
  friend Cells operator|(Cells a, const Cells& b) {
    return combine(a, b, [](Bits x, Bits y) { return x | y; });
  }
  friend Cells operator-(Cells a, const Cells& b) {
    return combine(a, b, [](Bits x, Bits y) { return x & ~y; });
  }
  friend bool operator==(const Cells&, const Cells&) = default;
  // Shifts by 1 to 63.
  friend Cells operator>>(Cells a, int by) {
    for (int i = 0; i < words; ++i) a.word[i] = (a.word[i] >> by) | (i + 1 < words ? a.word[i + 1] << (64 - by) : 0);
    return a;
  }
  friend Cells operator<<(Cells a, int by) {
    for (int i = words - 1; i >= 0; --i) a.word[i] = (a.word[i] << by) | (i > 0 ? a.word[i - 1] >> (64 - by) : 0);
    return a;
  }
  bool any() const {
    Bits all = 0;
    for (const Bits w : word) all |= w;
    return all != 0;
  }
  bool has(int cell) const { return word[cell / 64] & bit(cell % 64); }
  int size() const {
    int total = 0;
    for (const Bits w : word) total += count(w);
    return total;
  }
  // The k-th cell as a set, k < size().
  Cells nth_of(int k) const {
    Cells cell;
    for (int i = 0; i < words; ++i) {
      const int here = count(word[i]);
      const bool inside = k >= 0 && k < here;
      cell.word[i] = nth_bit(word[i], inside ? k : 0) & -Bits{inside};
      k -= here;
    }
    return cell;
  }
  Cells random_one(Rng& rng) const { return nth_of(static_cast<int>(rng.below(static_cast<std::uint32_t>(size())))); }
  // With a single cell in the set: which.
  int index() const {
    int cell = 0;
    for (int i = 0; i < words; ++i) cell = word[i] ? 64 * i + lowest(word[i]) : cell;
    return cell;
  }
  template <class Each>
  void for_each(Each each) const {
    for (int i = 0; i < words; ++i)
      for (Bits b = word[i]; b;) each(64 * i + pop(b));
  }

 private:
  template <class Operation>
  static Cells combine(Cells a, const Cells& b, Operation operation) {
    for (int i = 0; i < words; ++i) a.word[i] = operation(a.word[i], b.word[i]);
    return a;
  }
};

template <int words>
struct Hex {
  using Set = Cells<words>;

  struct Config {
    int size;
    bool swap;
    Set board;
    Set not_first_column, not_last_column;
    Set first_edge[2], last_edge[2];  // the sides that each player joins
    std::vector<Set> neighbours;      // of each cell

    explicit Config(const Parameters& p) : size(p.integer("size")), swap(p.flag("swap")) {
      for (int cell = 0; cell < size * size; ++cell) {
        const int row = cell / size, column = cell % size;
        const Set one = Set::of(cell);
        board = board | one;
        if (column > 0) not_first_column = not_first_column | one;
        if (column < size - 1) not_last_column = not_last_column | one;
        if (row == 0) first_edge[0] = first_edge[0] | one;
        if (row == size - 1) last_edge[0] = last_edge[0] | one;
        if (column == 0) first_edge[1] = first_edge[1] | one;
        if (column == size - 1) last_edge[1] = last_edge[1] | one;
      }
      for (int cell = 0; cell < size * size; ++cell) neighbours.push_back(around(Set::of(cell)));
    }
    GameInfo info() const {
      const int cells = size * size + swap;
      return {.name = "hex", .num_action_ids = cells, .max_length = cells, .true_lengths = false};
    }
    // The cells next to those of `set`, some of its own among them.
    Set around(const Set& set) const {
      const Set left = set & not_first_column, right = set & not_last_column;
      return ((left >> 1) | (right << 1) | (set >> size) | (set << size) | (right >> (size - 1)) |
              (left << (size - 1))) &
             board;
    }
    // Grows `from` through the cells of `stones`.
    Set flood(Set from, const Set& stones) const {
      while (true) {
        const Set grown = from | (around(from) & stones);
        if (grown == from) return from;
        from = grown;
      }
    }
    // Whether player 0 joins top and bottom when all cells outside `stones` are player 1's.
    bool joins_top_and_bottom(Set stones) const {
      for (int i = 0; i < 2 * size - 2; ++i) {
        const Set below = (stones >> size) | last_edge[0], right = (stones >> 1) & not_last_column;
        stones = (stones & (below | right)) | (below & right);
      }
      return stones.word[0] & 1;
    }
  };

  static std::vector<Parameter> parameters() {
    return {{"size", std::int64_t{11}, "rows and columns of the board", 2, 19},
            {"swap", false, "the second player may take over the first stone, mirrored"}};
  }

  const Config* config;
  Set stones[2];
  Set anchored[2];  // each player's stones that are joined to their first edge
  std::int8_t player = 0;
  std::int8_t winner = -1;

  explicit Hex(const Config& c) : config(&c) {}

  Set empty() const { return config->board - (stones[0] | stones[1]); }
  bool can_swap() const { return config->swap && player == 1 && !stones[1].any() && stones[0].size() == 1; }
  Action swap_action() const { return config->size * config->size; }

  int current_player() const { return winner >= 0 ? kTerminal : player; }
  bool is_terminal() const { return winner >= 0; }
  void legal_actions(ActionList& out) const {
    empty().for_each([&](int cell) { out.push_back(cell); });
    if (can_swap()) out.push_back(swap_action());
  }
  void apply(Action action) {
    if (action == swap_action()) {
      const int cell = stones[0].index();
      stones[0] = anchored[0] = Set();
      place(cell % config->size * config->size + cell / config->size);
    } else {
      place(action);
    }
    player ^= 1;
  }
  void place(int cell) {
    const Set stone = Set::of(cell), next_to = config->neighbours[static_cast<std::size_t>(cell)];
    const Set loose = stones[player] - anchored[player];
    stones[player] = stones[player] | stone;
    if (!((stone & config->first_edge[player]) | (next_to & anchored[player])).any()) return;
    const Set joined = (next_to & loose).any() ? config->flood(stone, loose) : stone;
    anchored[player] = anchored[player] | joined;
    if ((joined & config->last_edge[player]).any()) winner = player;
  }

  void returns(Values& out) const {
    out[0] = winner < 0 ? 0 : winner == 0 ? 1 : -1;
    out[1] = -out[0];
  }

  Action playout_action(Rng& rng) const {
    const Set cells = empty();
    if (!can_swap()) return cells.random_one(rng).index();
    const int k = static_cast<int>(rng.below(static_cast<std::uint32_t>(cells.size() + 1)));
    return k == cells.size() ? swap_action() : cells.nth_of(k).index();
  }
  Action draw_action(Rng& rng) const { return playout_action(rng); }
  SetOfActions playout_set(std::span<Bits> out) const {
    const Set cells = empty();
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = i < words ? cells.word[i] : 0;
    if (can_swap()) out[static_cast<std::size_t>(swap_action()) / 64] |= bit(swap_action() % 64);
    return SetOfActions::kExact;
  }
  // Fills the whole board: stones placed after the match is decided do not change who wins, and a filled
  // board needs no order. So the length returned is that of the filled board; a traced playout has the true
  // one.
  int fast_playout(Rng& rng, int max_length) {
    int length = 0;
    while (config->swap && !stones[1].any() && length < max_length && winner < 0) {  // the swap is still to come
      apply(playout_action(rng));
      ++length;
    }
    if (winner >= 0) return length;
    const Set cells = empty();
    const int open = cells.size();
    if (max_length - length < open) {
      for (; length < max_length && winner < 0; ++length) apply(playout_action(rng));
      return length;
    }
    const Set own = random_subset(cells, (open + 1) / 2, rng);
    stones[player] = stones[player] | own;
    stones[player ^ 1] = stones[player ^ 1] | (cells - own);
    winner = config->joins_top_and_bottom(stones[0]) ? 0 : 1;
    return length + open;
  }
  // Each cell by a fair coin, then as many at random put in or taken out as are missing or too many: by
  // symmetry, all subsets of this size are equally likely.
  static Set random_subset(const Set& cells, int size, Rng& rng) {
    Set chosen = cells;
    for (Bits& w : chosen.word) w &= rng.next();
    int missing = size - chosen.size();
    for (; missing > 0; --missing) chosen = chosen | (cells - chosen).random_one(rng);
    for (; missing < 0; ++missing) chosen = chosen - chosen.random_one(rng);
    return chosen;
  }

  // Empty cells next to stones (or edges) of both ends.
  Set wins_of(int p) const {
    const Set last = config->last_edge[p];
    const Set near = empty() & (config->around(anchored[p]) | config->first_edge[p]);
    const Set far = config->flood(stones[p] & last, stones[p]);
    return near & (config->around(far) | last);
  }
  void winning_actions(ActionList& out) const {
    wins_of(player).for_each([&](int cell) { out.push_back(cell); });
  }
  // A stone takes nothing from the other player but its cell. A swap does, but then two stones win on no board but 2x2.
  Safety safe_actions(ActionList& out) const {
    if (can_swap()) return config->size > 2 ? Safety::kAll : safe_by_looking(*this, out);
    const Set threats = wins_of(player ^ 1);
    if (!threats.any()) return Safety::kAll;
    if (threats.size() == 1) out.push_back(threats.index());
    return Safety::kListed;
  }

  std::uint64_t hash() const {
    std::uint64_t h = static_cast<std::uint64_t>(player);
    for (const Set& set : stones)
      for (const Bits w : set.word) h = mix(h, w);
    return h;
  }
  // a1 is the top left cell, as usual in Hex.
  std::string action_name(Action action) const {
    if (action == swap_action()) return "swap";
    return std::string(1, static_cast<char>('a' + action % config->size)) + std::to_string(action / config->size + 1);
  }
  std::string draw() const {
    std::string out = "  ";
    for (int column = 0; column < config->size; ++column) out += {' ', static_cast<char>('a' + column)};
    for (int row = 0; row < config->size; ++row) {
      const std::string label = std::to_string(row + 1);
      out += '\n' + std::string(static_cast<std::size_t>(row) + (label.size() < 2 ? 1 : 0), ' ') + label;
      for (int column = 0; column < config->size; ++column) {
        const int cell = row * config->size + column;
        out += {' ', stones[0].has(cell) ? 'x' : stones[1].has(cell) ? 'o' : '.'};
      }
    }
    return out + '\n';
  }

  static Hex parse(const Config& config, std::string_view board, int player) {
    check_player(player, 2);
    const auto rows = parse_rows(board, std::vector<int>(static_cast<std::size_t>(config.size), config.size), ".12xo");
    Hex state(config);
    for (int cell = 0; cell < config.size * config.size; ++cell) {
      const char c = rows[static_cast<std::size_t>(cell / config.size)][static_cast<std::size_t>(cell % config.size)];
      if (c == '.') continue;
      Set& own = state.stones[c == '2' || c == 'o'];
      own = own | Set::of(cell);
    }
    state.check_balance(player);
    for (int p = 0; p < 2; ++p) {
      state.anchored[p] = config.flood(state.stones[p] & config.first_edge[p], state.stones[p]);
      if ((state.anchored[p] & config.last_edge[p]).any()) state.winner = static_cast<std::int8_t>(p);
    }
    state.player = static_cast<std::int8_t>(player);
    return state;
  }
  void check_balance(int mover) const {
    const int difference = stones[0].size() - stones[1].size();
    if (difference == mover) return;
    // After a swap player 1 has the first stone.
    if (config->swap && difference == mover - 1 && stones[1].any()) return;
    throw std::invalid_argument("board: with player " + std::to_string(mover) + " to move, player 0 must have " +
                                (mover ? "one stone more than" : "as many stones as") + " player 1" +
                                (config->swap ? ", or one fewer after a swap" : ""));
  }
};

}  // namespace

// As many words as the board needs.
GameEntry hex() {
  GameEntry line = entry<Hex<2>>("hex", "Join your two sides of a rhombus; there are no draws.");
  line.make = [](const Parameters& parameters) -> std::unique_ptr<Game> {
    const int size = parameters.integer("size");
    if (size <= 8) return std::make_unique<GameOf<Hex<1>>>(parameters);
    if (size <= 11) return std::make_unique<GameOf<Hex<2>>>(parameters);
    if (size <= 13) return std::make_unique<GameOf<Hex<3>>>(parameters);
    return std::make_unique<GameOf<Hex<6>>>(parameters);
  };
  return line;
}

}  // namespace treewise::games
