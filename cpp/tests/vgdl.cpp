// Random video games: the machine against the same rules without layers and sets of cells, copies against their
// originals, features against their definition. Sprites multiply, leave the world and turn into anything; the
// sanitizers look on.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tests/tests.h"
#include "vgdl/vgdl_game.h"
#include "vgdl/view.h"

namespace treewise {

namespace {

using namespace vgdl;

constexpr unsigned kCrowd = 80;  // sprites with which a test goes on no longer
constexpr int kGroups = 3, kLeaves = 8, kFirstLeaf = 2 + kGroups, kTypes = kFirstLeaf + kLeaves;

class RandomGame {
 public:
  explicit RandomGame(std::uint64_t seed) : rng_(seed) {
    p.width = 1 + below(8);
    p.height = 1 + below(5);
    p.block = 1 + below(12);
    add_types();
    const auto random_pair = [&](int second) { return Pair{below(kTypes), second, {effect(), effect()}}; };
    for (int i = 0; i < 10; ++i) p.pairs.push_back(random_pair(below(kTypes)));
    for (int i = 0; i < 3; ++i) p.edge_rules.push_back(random_pair(kEdge));
    for (int i = below(3); i > 0; --i) p.time_rules.push_back(random_pair(kEdge));
    p.terminations.push_back({TerminationKind::kTimeout, below(2) == 0, {{"limit", 20 + below(100)}}, {}});
    p.terminations.push_back({below(2) == 0 ? TerminationKind::kSpriteCounter : TerminationKind::kMultiSpriteCounter,
                              below(2) == 0,
                              {{"limit", 0}},
                              {{"stype", {1}}, {"stype1", {named(false)}}}});
    p.actions = {5, 2, 4, 3, 1};
    for (int cell = 0; cell < p.width * p.height; ++cell)
      for (int n = below(3); n > 0; --n)
        p.sprites.push_back({leaf_or_avatar(), cell % p.width * p.block, cell / p.width * p.block});
    p.options = {below(2) == 0, below(8) == 0, below(2) == 0};
  }

  Program p;

 private:
  int below(int n) { return static_cast<int>(rng_.below(static_cast<std::uint32_t>(n))); }
  int leaf() { return kFirstLeaf + below(kLeaves); }
  int leaf_or_avatar() { return below(10) == 0 ? below(2) : leaf(); }
  // What is only named, not made, may group others.
  int named(bool made) { return made || below(3) > 0 ? leaf_or_avatar() : 2 + below(kGroups); }

  void add_types() {
    for (int i = 0; i < kTypes; ++i) {
      SpriteType& t = p.types.emplace_back();
      t.name = "t" + std::to_string(i);
      t.leaf = i < 2 || i >= kFirstLeaf;
      t.kind = i == 1 ? avatar() : static_cast<Kind>(below(static_cast<int>(Kind::kCount)));
      if (is_avatar(t.kind) && i != 1 && below(4) > 0) t.kind = Kind::kImmovable;
      t.hidden = below(4) == 0;
      t.singleton = below(6) == 0;
      t.is_static = below(3) == 0;
      t.oriented = below(2) == 0;
      t.orientation = below(5);
      t.speed = below(3) == 0 ? 0 : 0.05 * below(40);
      t.cooldown = below(4);
      t.numbers = {{"prob", 0.1 * below(11)}, {"total", below(4)}, {"cons", below(4)}, {"limit", below(5)}};
      const bool seeks = t.kind == Kind::kChaser || t.kind == Kind::kFleeing || t.kind == Kind::kPortal;
      if (below(4) > 0) t.types["stype"] = {named(!seeks)};
      if (below(3) == 0) t.types["ammo"] = {leaf()};
      p.update_order.push_back(kTypes - 1 - i);
    }
    add_groups();
  }
  // Groups in groups, each in the one before it or in none.
  void add_groups() {
    for (int i = 3; i < kTypes; ++i) {
      const int group = i < kFirstLeaf ? i - 1 - below(2) * kGroups : 2 + below(kGroups + 1);
      if (group < 2 || group >= kFirstLeaf) continue;
      std::vector<int>& above = p.types[static_cast<std::size_t>(i)].ancestors;
      above = p.types[static_cast<std::size_t>(group)].ancestors;
      above.push_back(group);
      for (const int a : above) p.types[static_cast<std::size_t>(a)].descendants.push_back(i);
    }
  }
  Kind avatar() {
    const int first = static_cast<int>(Kind::kMovingAvatar);
    return static_cast<Kind>(first + below(static_cast<int>(Kind::kCount) - first));
  }
  static bool makes(EffectKind kind) {
    switch (kind) {
      case EffectKind::kKillAll:
      case EffectKind::kSetSpeedForAll:
      case EffectKind::kShieldFrom:
      case EffectKind::kTransformToAll:
      case EffectKind::kTransformToRandomChild:
        return false;
      default:
        return true;
    }
  }
  Effect effect() {
    Effect e;
    e.kind = static_cast<EffectKind>(below(static_cast<int>(EffectKind::kCount)));
    e.score = below(5) - 2;
    e.numbers = {{"limit", below(3)},        {"value", below(3)},        {"killSecond", below(2)}, {"offset", below(2)},
                 {"prob", 0.5 * below(3)},   {"geq", below(4)},          {"leq", below(9)},        {"align", below(2)},
                 {"pixelPerfect", below(2)}, {"stepBack", below(2)},     {"spend", below(2)},      {"timer", below(9)},
                 {"repeating", below(2)},    {"nextExecution", below(9)}};
    if (below(5) > 0) e.types["stype"] = {named(makes(e.kind))};
    if (below(5) > 0) e.types["resource"] = {leaf()};
    if (below(2) > 0) e.types["stypeTo"] = {leaf()};
    if (below(2) > 0) e.types["estype"] = {leaf()};
    e.words["ftype"] = name(static_cast<EffectKind>(below(static_cast<int>(EffectKind::kCount))));
    return e;
  }

  Rng rng_;
};

bool only_leaves(const Program& program, const Tables& tables, const Block& block) {
  return std::ranges::all_of(all_sprites(program, tables, block),
                             [&](const Seen& s) { return program.types[static_cast<std::size_t>(s.type)].leaf; });
}

bool same(const Program& program, const Tables& a, const Block& one, const Tables& b, const Block& other) {
  const auto sprites = [&](const Tables& tables, const Block& block) {
    std::vector<std::array<int, 5>> out;
    for (const Seen& s : all_sprites(program, tables, block))
      out.push_back({static_cast<int>(s.id), s.type, s.category, s.x, s.y});
    std::ranges::sort(out);
    return out;
  };
  return sprites(a, one) == sprites(b, other) && one.head().score == other.head().score &&
         one.head().winner == other.head().winner;
}

// The machine, and one that compares every sprite with every other.
bool plays_alike(const Program& program, std::uint64_t seed, unsigned crowd = kCrowd) {
  const Tables tables(program), plain(program, true);
  Block block(tables), other(plain);
  Machine(tables, block).set_up();
  Machine(plain, other).set_up();
  block.head().dice = other.head().dice = Dice(seed, seed % 2 == 0);
  Rng rng(seed);
  for (int tick = 0; tick < 60 && block.head().num_sprites < crowd; ++tick) {
    const int action = static_cast<int>(rng.below(6));
    Machine(tables, block).tick(action);
    Machine(plain, other).tick(action);
    if (!same(program, tables, block, plain, other)) {
      std::printf("video game %d: tick %d differs from the plain machine\n", static_cast<int>(seed), tick);
      return false;
    }
    if (!only_leaves(program, tables, block)) {
      std::printf("video game %d: tick %d has a sprite of a group\n", static_cast<int>(seed), tick);
      return false;
    }
  }
  return true;
}

std::vector<double> plain_features(const VgdlState& state) {
  const Program& p = state.game().program();
  const auto seen = all_sprites(p, state.game().tables(), state.block());
  const auto cells = [&](int type) {
    std::vector<std::pair<int, int>> out;
    for (const Seen& s : seen) {
      if (s.type != type || (s.hidden && !state.shows_hidden())) continue;
      const int column = s.x / p.block, row = s.y / p.block;
      if (s.x <= -p.block || s.y <= -p.block || column >= p.width || row >= p.height) continue;
      for (int x = column; x <= std::min(p.width - 1, column + (s.x % p.block > 0)); ++x)
        for (int y = row; y <= std::min(p.height - 1, row + (s.y % p.block > 0)); ++y) out.emplace_back(x, y);
    }
    return out;
  };
  const double farthest = std::hypot(p.width - 1, p.height - 1);
  std::vector<double> out;
  const std::vector<int>& types = state.game().features().types();
  for (std::size_t j = 0; j < types.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) {
      double near = -1;
      for (const auto& [ax, ay] : cells(types[i]))
        for (const auto& [bx, by] : cells(types[j]))
          near = std::max(near, farthest == 0 ? 1 : 1 - std::hypot(ax - bx, ay - by) / farthest);
      out.push_back(near < 0 ? 0 : near * near);
    }
  return out;
}

bool describes(const VgdlState& state) {
  std::vector<double> features(static_cast<std::size_t>(state.num_features()));
  state.features(features);
  return std::ranges::equal(features, plain_features(state), [](double a, double b) { return std::abs(a - b) < 1e-9; });
}

// What the avatar does by itself, against the features of a world in which it has done so.
bool foretells(const VgdlState& state) {
  const VgdlGame& game = state.game();
  const std::vector<Action> actions = {0, 1, 2, 3, 4, 5};
  const auto size = static_cast<std::size_t>(state.num_features());
  std::vector<double> values(size), before(size), after(size);
  FeatureChanges changes;
  state.own_moves(actions, values, changes);
  state.features(before);
  if (values != before) return false;
  Block block(state.block());
  const auto answer = Machine(game.tables(), block).own_moves(actions);
  const std::vector<OwnMove> moves(answer.begin(), answer.end());
  for (std::size_t a = 0; a < moves.size(); ++a) {
    const OwnMove& own = moves[a];
    Block changed(block);
    if (own.moved >= 0) changed.sprites(own.moved)[changed.head().avatar] = own.sprite;
    if (own.made >= 0) {
      const std::uint32_t made = changed.append(own.made, game.tables().numbers(own.made));
      changed.sprites(own.made)[made] = own.sprite;
    }
    game.features().compute(changed, state.shows_hidden(), after);
    values = before;
    for (const FeatureChange& each : changes.of(a)) values[static_cast<std::size_t>(each.feature)] = each.value;
    if (!std::ranges::equal(values, after, [](double x, double y) { return std::abs(x - y) < 1e-9; })) return false;
  }
  return true;
}

bool is_crowd(const VgdlState& state) {
  return state.block().head().num_sprites >= kCrowd;
}

// A copy does what its original does, and both are described by their features.
bool copies_follow(const VgdlGame& game, std::uint64_t seed) {
  const auto state = game.initial_state(), copy = game.initial_state();
  dynamic_cast<HasDice&>(*state).reseed(seed);
  auto& one = dynamic_cast<VgdlState&>(*state);
  auto& other = dynamic_cast<VgdlState&>(*copy);
  one.record_events();
  Rng rng(seed);
  const bool shared = game.tables().options.shared_pull;  // then copies influence each other
  double rewarded = 0;
  for (int tick = 0; tick < 80 && !one.is_terminal() && !is_crowd(one); ++tick) {
    const Action action = static_cast<Action>(rng.below(6));
    other.assign(one);
    one.apply(action);
    other.apply(action);
    Values returns{}, rewards{};
    one.returns(returns);
    one.rewards(rewards);
    rewarded += rewards[0];
    if ((!shared && one.hash() != other.hash()) || rewarded != returns[0] ||
        !(is_crowd(one) || (describes(one) && foretells(one)))) {
      std::printf("video game %d: wrong at tick %d\n", static_cast<int>(seed), tick);
      return false;
    }
  }
  return !one.draw().empty();
}

// Two spawners that make each other: as many as there may be, and no more.
bool stops_at_cap() {
  Program p;
  p.width = p.height = 3;
  p.block = 10;
  for (const int made : {1, 0}) {
    SpriteType& t = p.types.emplace_back();
    t.kind = Kind::kSpawnPoint;
    t.is_static = true;
    t.types["stype"] = {made};
  }
  p.update_order = {1, 0};
  p.sprites = {{0, 0, 0}, {1, 20, 20}};
  check(p);
  const VgdlGame game(p, "spawners", 1, 2001, false);
  const auto state = game.initial_state();
  Rng rng(1);
  state->playout(rng, 40, nullptr);
  const bool ok = dynamic_cast<VgdlState&>(*state).block().head().num_sprites == kMaxSprites;
  if (!ok) std::printf("video games: spawners do not stop at the cap\n");
  return ok;
}

// Every effect, where hundreds of sprites stand in one cell.
bool survives_crowds() {
  for (int kind = 0; kind < static_cast<int>(EffectKind::kCount); ++kind) {
    Program p;
    p.width = p.height = 3;
    p.block = 10;
    for (const Kind type : {Kind::kMissile, Kind::kResource, Kind::kImmovable}) {
      SpriteType& t = p.types.emplace_back();
      t.kind = type;
      t.oriented = type == Kind::kMissile;
      t.orientation = t.oriented ? 4 : 0;
      t.speed = t.oriented ? 0.3 : 0;
      t.types["stype"] = {2};
    }
    p.update_order = {2, 1, 0};
    for (int i = 0; i < 300; ++i) p.sprites.push_back({i % 3, 0, 0});
    const Types types = {{"stype", {1}}, {"stypeTo", {2}}, {"stypeCount", {0}}, {"resource", {1}}};
    const Effect effect{static_cast<EffectKind>(kind), 1, {}, types, {{"ftype", "killSprite"}}};
    for (const auto& [first, second] : {std::pair(0, 1), std::pair(0, 0), std::pair(1, 2)})
      p.pairs.push_back({first, second, {effect}});
    check(p);
    const VgdlGame game(p, "crowd", 1, 2001, false);
    const auto state = game.initial_state();
    Rng rng(1);
    state->playout(rng, 3, nullptr);
    if (dynamic_cast<VgdlState&>(*state).block().head().num_sprites > kMaxSprites) {
      std::printf("video games: a crowd with %s is larger than the cap\n", name(effect.kind).data());
      return false;
    }
  }
  return true;
}

// Features of two crowds that come nearer to each other, each sprite in two cells.
bool describes_crowds() {
  Program p;
  p.width = p.height = 20;
  p.block = 10;
  for (const int orientation : {3, 1}) {  // down, up
    SpriteType& t = p.types.emplace_back();
    t.kind = Kind::kMissile;
    t.oriented = true;
    t.orientation = orientation;
    t.speed = 0.3;
  }
  p.update_order = {1, 0};
  for (int i = 0; i < 80; ++i) {
    p.sprites.push_back({0, i % 20 * p.block, i / 20 * p.block});
    p.sprites.push_back({1, i % 20 * p.block, (19 - i / 20) * p.block});
  }
  check(p);
  const VgdlGame game(p, "crowds", 1, 2001, false);
  const auto state = game.initial_state();
  bool ok = true;
  for (int tick = 0; tick < 40; ++tick) {
    state->apply(0);
    ok &= describes(dynamic_cast<VgdlState&>(*state));
  }
  if (!ok) std::printf("video games: crowds have other features\n");
  return ok;
}

// The nearest of random places, some outside the world and many in the same place, while they move.
bool finds_nearest(std::uint64_t seed) {
  Rng rng(seed);
  const auto below = [&](int n) { return static_cast<int>(rng.below(static_cast<std::uint32_t>(n))); };
  Program p;
  p.width = 1 + below(30);
  p.height = 1 + below(30);
  p.block = 1 + below(9);
  p.types.emplace_back();
  const Tables tables(p);
  const auto somewhere = [&] {
    return Position{below(tables.world_width + 60) - 30, below(tables.world_height + 60) - 30};
  };
  std::vector<Position> places;
  Nearest nearest;
  nearest.open(tables, static_cast<std::size_t>(below(200)));
  for (int i = 0; i < 1 + static_cast<int>(seed % 100); ++i) {
    places.push_back(i > 0 && below(3) == 0 ? places.back() : somewhere());
    nearest.add(places.back());
  }
  for (int i = 0; i < 200; ++i) {
    const auto moved = static_cast<std::size_t>(below(static_cast<int>(places.size())));
    nearest.move(static_cast<int>(moved), places[moved] = somewhere());
    const Position here = below(4) == 0 ? places[moved] : somewhere();
    const auto distance = [&](Position q) { return std::abs(q.x - here.x) + std::abs(q.y - here.y); };
    const int least = distance(*std::ranges::min_element(places, {}, distance));
    std::vector<Position> expected, found;
    std::ranges::copy_if(places, std::back_inserter(expected), [&](Position q) { return distance(q) == least; });
    for (const int n : nearest.from(here)) found.push_back(places[static_cast<std::size_t>(n)]);
    const auto same_place = [](Position a, Position b) { return a.x == b.x && a.y == b.y; };
    if (std::ranges::equal(expected, found, same_place)) continue;
    std::printf("video games: seed %d: other sprites are nearest\n", static_cast<int>(seed));
    return false;
  }
  return true;
}

// Crowds that chase and flee each other and themselves, at speeds that take them out of the world.
bool chases(std::uint64_t seed) {
  Rng rng(seed);
  const auto below = [&](int n) { return static_cast<int>(rng.below(static_cast<std::uint32_t>(n))); };
  Program p;
  p.width = 4 + below(20);
  p.height = 4 + below(20);
  p.block = 1 + below(9);
  for (int i = 0; i < 4; ++i) {
    SpriteType& t = p.types.emplace_back();
    t.kind = i == 3 ? Kind::kImmovable : below(2) == 0 ? Kind::kChaser : Kind::kFleeing;
    t.oriented = below(3) == 0;
    t.orientation = t.oriented ? 1 + below(4) : 0;
    t.speed = 0.3 * (1 + below(9));
    t.types["stype"] = {below(4)};
    p.update_order.push_back(3 - i);
  }
  for (int i = 0; i < 400; ++i) p.sprites.push_back({below(4), below(p.width) * p.block, below(p.height) * p.block});
  check(p);
  return plays_alike(p, seed, kMaxSprites);
}

}  // namespace

bool test_vgdl(int games) {
  bool ok = stops_at_cap() && describes_crowds() && survives_crowds();
  for (std::uint64_t seed = 0; seed < 100; ++seed) ok &= finds_nearest(seed);
  for (std::uint64_t seed = 0; seed < 20; ++seed) ok &= chases(seed);
  for (int i = 0; i < games; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    RandomGame random(seed);
    if (i % 8 == 7) random.p.width += 200;  // features of very large levels are worked out in another way
    check(random.p);
    ok &= random.p.options.shared_pull || plays_alike(random.p, seed);
    ok &= copies_follow(VgdlGame(random.p, "random", 1000, 2001, i % 2 == 0), seed);
  }
  return ok;
}

std::vector<std::shared_ptr<const Game>> vgdl_games() {
  std::vector<std::shared_ptr<const Game>> games;
  for (const std::uint64_t seed : {3, 5})
    games.push_back(std::make_shared<VgdlGame>(RandomGame(seed).p, "vgdl", 1000, 100, false));
  return games;
}

}  // namespace treewise
