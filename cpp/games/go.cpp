// Go with Tromp and Taylor's area scoring, positional superko and end by two passes. Suicide, which they allow, is a
// parameter here, and off by default. Player 0 is Black and begins. An action is row * size + column (row 0 is the
// top); size * size passes.
#include <algorithm>

#include "game/rules.h"
#include "game/text.h"
#include "games/go_board.h"

namespace treewise::games {
namespace {

// N is the largest board that the arrays hold; the size in play is the configuration's.
template <int N>
struct Go {
  using Board = GoBoard<N>;
  using Set = typename Board::Set;
  using Touch = typename Board::Touch;
  static constexpr int kFilterWords = N <= 9 ? 16 : N <= 13 ? 32 : 64;

  struct Config {
    int size, max_length;
    double komi;
    bool positional, suicide;
    Board start;
    Set edge;
    std::int16_t points[N * N + 1];       // by action
    std::int16_t actions[Board::kCells];  // by point
    std::uint64_t keys[2][Board::kCells];

    explicit Config(const Parameters& p)
        : size(p.integer("size")),
          max_length(p.integer("max_length")),
          komi(p.number("komi")),
          positional(p.text("superko") == "positional"),
          suicide(p.flag("suicide")),
          start(size) {
      if (max_length == 0) max_length = 3 * size * size;
      for (int action = 0; action < size * size; ++action) {
        const int row = action / size, column = action % size, at = Board::point(row, column);
        points[action] = static_cast<std::int16_t>(at);
        actions[at] = static_cast<std::int16_t>(action);
        if (row == 0 || column == 0 || row == size - 1 || column == size - 1) edge.add(at);
      }
      Rng rng(derive_seed(0x60, 0));
      for (auto& player : keys)
        for (auto& key : player) key = rng.next();
    }
    int pass() const { return size * size; }
    GameInfo info() const { return {.name = "go", .num_action_ids = size * size + 1, .max_length = max_length}; }
  };

  static std::vector<Parameter> parameters() {
    return {{"size", std::int64_t{9}, "rows and columns of the board", 2, 19},
            {"komi", 7.5, "points that White gets for moving second", -400, 400},
            {"superko",
             std::string("positional"),
             "what a stone may not do: recreate any earlier board (positional), or retake a ko at once (simple)",
             0,
             0,
             {"positional", "simple"}},
            {"suicide", false, "a stone may take its own chain of two or more off the board"},
            {"max_length", std::int64_t{0}, "steps after which the board is scored as it stands; 0 for 3 * size * size",
             0, 100000}};
  }

  const Config* config;
  Board board;
  Set fallen[2];                       // where a stone of each player has been taken off in this match
  std::vector<std::uint64_t> history;  // keys of all boards so far, for positional superko
  PointSet<kFilterWords> seen;         // their low bits: most boards are found new without a look at the history
  std::uint64_t key = 0;               // Zobrist's, of the stones alone
  std::int32_t steps = 0;
  std::int16_t ko = -1;  // the point that may not be retaken at once
  std::int8_t player = 0;
  std::int8_t passes = 0;

  explicit Go(const Config& c) : config(&c), board(c.start) {
    if (c.positional) remember();
  }

  bool is_terminal() const { return passes == 2 || steps >= config->max_length; }
  int current_player() const { return is_terminal() ? kTerminal : player; }

  void legal_actions(ActionList& out) const {
    board.empty.each([&](int p) {
      if (is_legal(p)) out.push_back(config->actions[p]);
    });
    out.push_back(config->pass());
  }
  bool is_legal(int p) const {
    if (p == ko) return false;
    if (board.liberties[p] && !fallen[player].has(p)) return true;
    const Touch touch = board.touch(p, player);
    // Suicide of one stone is never allowed: it would leave the board as it is.
    if (touch.suicide() && !(config->suicide && touch.joins())) return false;
    return !recreates(p, touch);
  }
  // Whether a stone gives a board that has been before. If it stays, then it stood there before, and fell.
  bool recreates(int p, const Touch& touch) const {
    if (!config->positional) return false;
    const std::uint64_t after = key ^ config->keys[player][p];
    const bool removes = touch.captures() | touch.suicide();
    const bool possible = (fallen[player].has(p) & (removes | seen.has(filter_bit(after)))) | touch.suicide();
    return possible && in_history(removes ? key_after_removal(p, touch) : after);
  }
  std::uint64_t key_after_removal(int p, const Touch& touch) const {
    const int loser = touch.captures() ? player ^ 1 : player;
    Set gone;
    if (loser == player) gone.add(p);
    for (std::size_t i = 0; i < 4; ++i)
      if (touch.colour[i] == Board::colour_of(loser) && touch.left[i] == 0) gone.add(Board::neighbours(p)[i]);
    std::uint64_t after = key ^ config->keys[player][p];
    Board::flood(gone, board.stones[loser]).each([&](int q) { after ^= config->keys[loser][q]; });
    return after;
  }
  bool in_history(std::uint64_t wanted) const {
    if (!seen.has(filter_bit(wanted))) return false;
    bool found = false;
    for (const std::uint64_t past : history) found |= past == wanted;
    return found;
  }
  static int filter_bit(std::uint64_t of) { return static_cast<int>(of % (64 * kFilterWords)); }
  void remember() {
    history.push_back(key);
    seen.add(filter_bit(key));
  }

  void apply(Action action) {
    if (action == config->pass()) return pass();
    const int p = config->points[action];
    put(p, board.touch(p, player));
  }
  void pass() {
    ++passes;
    ko = -1;
    end_step();
  }
  [[gnu::always_inline]] void put(int p, const Touch& touch) {
    const int other = player ^ 1;
    int last = -1;
    const auto fall = [&](int owner) {
      return [this, owner, &last](int q) {
        key ^= config->keys[owner][q];
        fallen[owner].add(q);
        last = q;
      };
    };
    key ^= config->keys[player][p];
    const int captured = board.place(p, player, touch, fall(other));
    if (touch.suicide()) board.remove(p, fall(player));
    ko = static_cast<std::int16_t>(captured == 1 && !(touch.free | touch.joins()) ? last : -1);
    if (config->positional) remember();
    passes = 0;
    end_step();
  }
  void end_step() {
    ++steps;
    player ^= 1;
  }

  // Uniform over the legal points that are no suicide and fill no own eye; -1, a pass, if there are none.
  [[gnu::always_inline]] int draw_point(Rng& rng, Touch& touch) const {
    Set candidates = playout_points();
    if (ko >= 0) candidates.remove(ko);
    for (int size = candidates.size(); size > 0; --size) {
      const int p = candidates.select(static_cast<int>(rng.below(static_cast<std::uint32_t>(size))));
      touch = board.touch(p, player);
      if (!touch.suicide() && !recreates(p, touch)) return p;
      candidates.remove(p);
    }
    return -1;
  }
  Action playout_action(Rng& rng) const {
    Touch touch;
    const int p = draw_point(rng, touch);
    return p < 0 ? config->pass() : config->actions[p];
  }
  Action draw_action(Rng& rng) const { return playout_action(rng); }
  // What `playout_action` draws from: policies that choose by themselves must not fill own eyes either.
  Set playout_points() const { return board.empty & ~board.eyes(player, config->start.empty, config->edge); }
  void playout_actions(ActionList& out) const {
    playout_points().each([&](int p) {
      if (may_play_at(p)) out.push_back(config->actions[p]);
    });
    if (out.empty()) out.push_back(config->pass());
  }
  bool may_play_at(int p) const { return is_legal(p) && !board.touch(p, player).suicide(); }
  // Rows of points, with a column of border between them, become rows of actions.
  SetOfActions playout_set(std::span<Bits> out) const {
    std::fill(out.begin(), out.end(), Bits{0});
    const Set points = playout_points();
    const int size = config->size;
    for (int row = 0, first = 0; row < size; ++row, first += size) {
      const auto from = static_cast<std::size_t>(Board::point(row, 0)), word = static_cast<std::size_t>(first) / 64;
      Bits cells = points.words[from / 64] >> (from % 64);
      if (from % 64 + static_cast<std::size_t>(size) > 64) cells |= points.words[from / 64 + 1] << (64 - from % 64);
      cells &= bit(size) - 1;
      out[word] |= cells << (first % 64);
      if (first % 64 + size > 64) out[word + 1] |= cells >> (64 - first % 64);
    }
    return SetOfActions::kMore;
  }
  bool may_play(Action action) const { return may_play_at(config->points[action]); }
  void playout_candidates(Rng&, ActionList& out) const { playout_actions(out); }

  // A match ends by a second pass, or with the last step.
  void winning_actions(ActionList& out) const {
    if (steps + 1 >= config->max_length) {
      board.empty.each([&](int p) {
        if (is_legal(p) && leads(player, area_after(p))) out.push_back(config->actions[p]);
      });
    } else if (passes == 0) {
      return;
    }
    if (leads(player, board.area())) out.push_back(config->pass());
  }
  bool leads(int p, int area) const { return p == 0 ? area > config->komi : area < config->komi; }
  int area_after(int p) const {
    Board after = board;
    const Touch touch = board.touch(p, player);
    after.place(p, player, touch, [](int) {});
    if (touch.suicide()) after.remove(p, [](int) {});
    return after.area();
  }
  // Before the last step, only who passes first lets the next player win, by another pass.
  bool surely_safe(Action action) const {
    if (steps + 2 == config->max_length) return false;
    return action != config->pass() || passes > 0 || !leads(player ^ 1, board.area());
  }

  int fast_playout(Rng& rng, int max_length) {
    Rng local = rng;
    const int limit = std::min(max_length, config->max_length - steps);
    int length = 0;
    for (; length < limit && passes < 2; ++length) {
      Touch touch;
      const int p = draw_point(local, touch);
      if (p < 0) {
        pass();
      } else {
        put(p, touch);
      }
    }
    rng = local;
    return length;
  }

  void returns(Values& out) const {
    const double lead = is_terminal() ? board.area() - config->komi : 0;
    out[0] = lead > 0 ? 1 : lead < 0 ? -1 : 0;
    out[1] = -out[0];
  }

  // With the boards so far, in any order, where superko looks at them.
  std::uint64_t hash() const {
    std::uint64_t past = 0;
    for (const std::uint64_t board_key : history) past += board_key;
    return mix(mix(mix(key, past), static_cast<std::uint64_t>(steps)),
               static_cast<std::uint64_t>(8 * (ko + 1) + 2 * passes + player));
  }

  static char letter(int column) { return static_cast<char>('A' + column + (column >= 8)); }  // no I
  std::string action_name(Action action) const {
    if (action == config->pass()) return "pass";
    return letter(action % config->size) + std::to_string(config->size - action / config->size);
  }

  std::string draw() const {
    std::string out;
    for (int row = 0; row < config->size; ++row) {
      const std::string label = std::to_string(config->size - row);
      out += std::string(label.size() < 2, ' ') + label;
      for (int column = 0; column < config->size; ++column)
        out += {' ', ".12"[board.colour[Board::point(row, column)]]};
      out += '\n';
    }
    out += "  ";
    for (int column = 0; column < config->size; ++column) out += {' ', letter(column)};
    return out + '\n';
  }

  static Go parse(const Config& config, std::string_view text, int player) {
    check_player(player, 2);
    const auto rows = parse_rows(text, std::vector<int>(static_cast<std::size_t>(config.size), config.size), ".12");
    Set empty, stones[2];
    for (int action = 0; action < config.pass(); ++action) {
      const char c =
          rows[static_cast<std::size_t>(action / config.size)][static_cast<std::size_t>(action % config.size)];
      (c == '.' ? empty : stones[c - '1']).add(config.points[action]);
    }
    Go state(config);
    for (int p = 0; p < 2; ++p) {
      const Set dead = stones[p] & ~Board::flood(empty, stones[p]);
      dead.each([&](int at) {
        throw std::invalid_argument("board: the chain at " + state.action_name(config.actions[at]) +
                                    " has no liberty; take it off");
      });
      // No order of the stones captures: all that stand at the end have liberties, and had more before.
      stones[p].each([&](int at) {
        state.board.place(at, p, state.board.touch(at, p), [](int) {});
        state.key ^= config.keys[p][at];
      });
    }
    state.history.clear();
    state.seen = {};
    if (config.positional) state.remember();
    state.player = static_cast<std::int8_t>(player);
    return state;
  }
};

std::unique_ptr<Game> make(const Parameters& parameters) {
  const int size = parameters.integer("size");
  if (size <= 9) return std::make_unique<GameOf<Go<9>>>(parameters);
  if (size <= 13) return std::make_unique<GameOf<Go<13>>>(parameters);
  return std::make_unique<GameOf<Go<19>>>(parameters);
}

}  // namespace

GameEntry go() {
  return {"go", "Surround points and capture chains without liberties.", Go<9>::parameters(), make};
}

}  // namespace treewise::games
