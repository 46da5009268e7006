#include "vgdl/tables.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <set>
#include <stdexcept>

namespace treewise::vgdl {

namespace {

std::atomic<std::uint64_t> last_serial = 0;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

double number(const Numbers& numbers, const char* key, double standard) {
  const auto found = numbers.find(key);
  return found == numbers.end() ? standard : found->second;
}

int whole(const Numbers& numbers, const char* key, int standard) {
  const double value = number(numbers, key, standard);
  return static_cast<int>(std::clamp(value, -1e9, 1e9));
}

const std::vector<int>& list(const Types& types, const char* key) {
  static const std::vector<int> none;
  const auto found = types.find(key);
  return found == types.end() ? none : found->second;
}

int one(const Types& types, const char* key) {
  const std::vector<int>& found = list(types, key);
  return found.empty() ? -1 : found.front();
}

// Of each type, what the rules may do to its sprites.
std::vector<unsigned> touched(const Program& program) {
  std::vector<unsigned> out(program.types.size(), 0);
  const auto mark = [&](int type, unsigned what) {
    const SpriteType& t = program.types[at(type)];
    out[at(type)] |= what;
    for (const int a : t.ancestors) out[at(a)] |= what;
    for (const int d : t.descendants) out[at(d)] |= what;
  };
  for (const auto* pairs : program.rules())
    for (const Pair& pair : *pairs)
      for (const Effect& effect : pair.effects) {
        const unsigned t = touches(effect.kind);
        mark(pair.first, t & (kMovesFirst | kKillsFirst | kFillsFirst));
        if (t & (kKillsNamed | kMovesNamed))
          for (const auto& [key, named] : effect.types)
            for (const int type : named) mark(type, t & kKillsNamed ? kKillsFirst : kMovesFirst);
        if (pair.second == kEdge) continue;
        mark(pair.second, ((t & kMovesSecond) ? kMovesFirst : 0u) | ((t & kKillsSecond) ? kKillsFirst : 0u) |
                              ((t & kFillsSecond) ? kFillsFirst : 0u));
      }
  return out;
}

// Types that may have sprites at some time.
std::vector<bool> existing(const Program& program) {
  std::vector<bool> out(program.types.size(), false);
  const auto add = [&](const Types& types) {
    for (const auto& [key, named] : types)
      for (const int t : named) out[at(t)] = true;
  };
  for (const Placed& p : program.sprites) out[at(p.type)] = true;
  for (const SpriteType& t : program.types) add(t.types);
  for (const auto* pairs : program.rules())
    for (const Pair& pair : *pairs)
      for (const Effect& e : pair.effects) {
        add(e.types);
        if (e.kind != EffectKind::kTransformToRandomChild) continue;
        for (const auto& [key, named] : e.types)
          for (const int t : named)
            for (const int below : program.types[at(t)].descendants)
              if (program.types[at(below)].leaf) out[at(below)] = true;
      }
  return out;
}

// The speeds that rules give to sprites, each once.
std::set<double> given_speeds(const Program& program) {
  std::set<double> out;
  for (const auto* pairs : program.rules())
    for (const Pair& pair : *pairs)
      for (const Effect& e : pair.effects)
        if (e.kind == EffectKind::kSetSpeedForAll) out.insert(number(e.numbers, "value", 0));
  return out;
}

bool does_nothing(const SpriteType& t) {
  switch (t.kind) {
    case Kind::kImmovable:
    case Kind::kDoor:
    case Kind::kPortal:
    case Kind::kResource:
    case Kind::kResourcePack:
      return t.is_static || t.speed == 0 || !t.oriented;
    case Kind::kPassive:
      return t.speed == 0 || !t.oriented;
    default:
      return false;
  }
}

TypeTable make_type(const SpriteType& from, int block) {
  TypeTable t;
  t.kind = from.kind;
  t.avatar = is_avatar(from.kind);
  t.is_static = from.is_static;
  t.oriented = from.oriented;
  t.hidden = from.hidden;
  t.rotates = number(from.numbers, "rotateInPlace", from.kind == Kind::kShootAvatar) != 0;
  t.dx = from.orientation == 2 ? -1 : from.orientation == 4 ? 1 : 0;
  t.dy = from.orientation == 1 ? -1 : from.orientation == 3 ? 1 : 0;
  t.pace = Pace(from.speed, block);
  t.cooldown = from.cooldown;
  t.prob = number(from.numbers, from.kind == Kind::kSpreader ? "spreadprob" : "prob", 1);
  t.limit = whole(from.numbers, "limit", is_resource(from.kind) ? 2 : 1);
  t.value = whole(from.numbers, "value", 1);
  t.total = whole(from.numbers, "total", 0);
  t.cons = whole(from.numbers, "cons", 0);
  t.health = whole(from.numbers, "healthPoints", 0);
  t.health_limit = whole(from.numbers, "limitHealthPoints", 1000);
  t.target = one(from.types, "stype");
  return t;
}

void add_family(const Program& program, int type, const std::vector<bool>& exists, TypeTable& t) {
  const SpriteType& from = program.types[at(type)];
  const auto add = [&](std::vector<int>& to, int other) {
    if (exists[at(other)]) to.push_back(other);
  };
  for (const int a : from.ancestors) add(t.family, a);
  add(t.family, type);
  add(t.below, type);
  for (const int d : from.descendants) {
    for (std::vector<int>* to : {&t.family, &t.below}) add(*to, d);
    if (program.types[at(d)].leaf) add(t.leaves, d);
  }
  for (const int a : from.ancestors)
    if (program.types[at(a)].singleton) t.singletons.push_back(a);
  if (from.singleton) t.singletons.push_back(type);
}

}  // namespace

Tables::Tables(const Program& program, bool plain)
    : serial(++last_serial),
      plain(plain),
      width(program.width),
      height(program.height),
      block(program.block),
      world_width(width * block),
      world_height(height * block),
      row_bits(std::bit_width(static_cast<unsigned>(width - 1))),
      stride(std::size_t{1} << row_bits),
      num_cells(stride * at(height)),
      num_words((num_cells + 63) / 64),
      actions(program.actions),
      options(program.options),
      reciprocal_(((std::uint64_t{1} << 40) + static_cast<std::uint64_t>(block) - 1) /
                  static_cast<std::uint64_t>(block)) {
  for (std::size_t cell = 0; cell < num_cells; ++cell)
    corners.push_back({static_cast<int>(cell % stride) * block, static_cast<int>(cell / stride) * block});
  add_types(program);
  add_layers(program);
  add_paces(program);
  add_rules(program);
  add_shields(program);
  add_stoppers();
  if (actions.empty()) actions.push_back(0);
  for (const int action : actions) action_set |= 1u << action;
  for (const int t : program.update_order)
    if (!types[at(t)].still && !types[at(t)].avatar) update_order.push_back(t);
}

void Tables::add_types(const Program& program) {
  const std::vector<unsigned> touch = touched(program);
  const std::vector<bool> exists = existing(program);
  resource_of_type.assign(program.types.size(), -1);
  for (std::size_t i = 0; i < program.types.size(); ++i) {
    const SpriteType& from = program.types[i];
    TypeTable& t = types.emplace_back(make_type(from, block));
    t.still = does_nothing(from) && !(touch[i] & kMovesFirst);
    t.anchored = t.still || (from.kind == Kind::kSpawnPoint && from.is_static && !(touch[i] & kMovesFirst));
    t.filled = t.avatar || (touch[i] & kFillsFirst);
    t.exists = exists[i];
    if (is_resource(from.kind)) resource_of_type[i] = num_resources++;
    add_family(program, static_cast<int>(i), exists, t);
  }
  for (std::size_t i = 0; i < types.size(); ++i)
    if (const int ammo = one(program.types[i].types, "ammo"); ammo >= 0) types[i].ammo = resource_of_type[at(ammo)];
}

// A type's sprites are a layer if nothing moves or fills them and no two of them share a cell.
void Tables::add_layers(const Program& program) {
  const std::vector<unsigned> touch = touched(program);
  const auto cell_of = [&](const Placed& p) { return at(p.y / block) * stride + at(p.x / block); };
  std::vector<std::vector<std::uint64_t>> sets(types.size());
  std::vector<bool> fits(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) fits[i] = types[i].still && !types[i].filled && !plain;
  std::vector<std::size_t> next(types.size(), 0);  // cells come in order
  for (const Placed& p : program.sprites) {
    const std::size_t t = at(p.type), cell = cell_of(p);
    if (!fits[t]) continue;
    sets[t].resize(num_words);
    fits[t] = p.x % block == 0 && p.y % block == 0 && cell >= next[t];
    next[t] = cell + 1;
    sets[t][cell / 64] |= std::uint64_t{1} << (cell % 64);
  }
  for (std::size_t i = 0; i < types.size(); ++i)
    if (fits[i] && !sets[i].empty()) add_layer(static_cast<int>(i), sets[i], !(touch[i] & kKillsFirst));
  for (const Placed& p : program.sprites) {
    if (const int layer = types[at(p.type)].layer; layer >= 0) {
      layers[at(layer)].ids[cell_of(p)] = next_id++;
    } else {
      sprites.push_back(p);
      sprite_ids.push_back(next_id++);
    }
  }
}

void Tables::add_layer(int type, const std::vector<std::uint64_t>& set, bool is_lasting) {
  types[at(type)].layer = static_cast<int>(layers.size());
  auto& words = is_lasting ? lasting : changing;
  layers.push_back({type, is_lasting, words.size(), std::vector<std::uint32_t>(num_cells, 0)});
  words.insert(words.end(), set.begin(), set.end());
  state_words = changing.size();
}

void Tables::add_paces(const Program& program) {
  for (const double speed : given_speeds(program)) paces.emplace_back(speed, block);
  if (paces.size() > kMaxPaces) throw std::invalid_argument("rules set too many different speeds: at most 31");
}

Rule Tables::make_rule(const Pair& pair, const Effect& effect) const {
  Rule r;
  r.kind = effect.kind;
  r.score = effect.score;
  r.first = pair.first;
  r.second = pair.second;
  r.firsts = &types[at(pair.first)].family;
  if (pair.second != kEdge) r.seconds = &types[at(pair.second)].family;
  r.target = one(effect.types, "stype");
  const int resource = one(effect.types, "resource");
  r.resource = resource < 0 ? -1 : resource_of_type[at(resource)];
  r.resource_limit = resource < 0 ? 0 : types[at(resource)].limit;
  r.value = whole(effect.numbers, "value", 1);
  r.limit = whole(effect.numbers, "limit", 0);
  r.offset = static_cast<int>(std::clamp(number(effect.numbers, "offset", 0), -1000.0, 1000.0) * block);
  r.score_if_killed = whole(effect.numbers, "scoreChangeIfKilled", 0);
  const int to = one(effect.types, "stypeTo");
  r.other = to >= 0 ? to : one(effect.types, "stypeCount");
  r.otherwise = one(effect.types, "estype");
  r.spend = whole(effect.numbers, "spend", 0);
  r.at_least = whole(effect.numbers, "geq", 0);
  r.at_most = whole(effect.numbers, "leq", kMaxSprites);
  r.prob = number(effect.numbers, "prob", 1);
  if (effect.kind == EffectKind::kSetSpeedForAll) {
    const Pace given(number(effect.numbers, "value", 0), block);
    const auto same = [&](const Pace& p) { return p.speed == given.speed; };
    r.pace = 1 + static_cast<int>(std::ranges::find_if(paces, same) - paces.begin());
  }
  r.orient = number(effect.numbers, "orient", 1) != 0;
  r.align = number(effect.numbers, "align", 0) != 0;
  r.flush = number(effect.numbers, "pixelPerfect", 0) != 0;
  r.from_last = number(effect.numbers, "stepBack", 0) != 0;
  r.kill_second = number(effect.numbers, "killSecond", 0) != 0 || number(effect.numbers, "killResource", 0) != 0;
  r.except = list(effect.types, "notStype");
  return r;
}

void Tables::add_rules(const Program& program) {
  for (const Pair& pair : program.edge_rules)
    for (const Effect& effect : pair.effects) edge_rules.push_back(make_rule(pair, effect));
  for (const Pair& pair : program.time_rules)
    for (const Effect& effect : pair.effects) {
      const int every = std::max(1, whole(effect.numbers, "timer", 0));
      time_rules.push_back({make_rule(pair, effect), whole(effect.numbers, "nextExecution", 0),
                            number(effect.numbers, "repeating", 0) != 0 ? every : 0});
    }
  for (const Pair& pair : program.pairs)
    for (const Effect& effect : pair.effects) rules.push_back(make_rule(pair, effect));
  for (const Termination& t : program.terminations) {
    End end{t.kind, t.win, whole(t.numbers, "limit", 0), {}};
    for (const char* key : {"stype", "stype1", "stype2", "stype3"})
      for (const int type : list(t.types, key)) end.counted.push_back(&types[at(type)].family);
    ends.push_back(std::move(end));
  }
}

void Tables::add_stoppers() {
  const auto sends_back = [](const Rule& rule) {
    return rule.kind == EffectKind::kStepBack || rule.kind == EffectKind::kUndoAll;
  };
  for (const Rule& rule : edge_rules)
    for (const int type : *rule.firsts) types[at(type)].kept_inside |= sends_back(rule);
  for (const Rule& rule : rules)
    for (const int type : *rule.firsts)
      for (const int other : *rule.seconds) {
        auto& stoppers = types[at(type)].stoppers;
        if (sends_back(rule) && std::ranges::find(stoppers, other) == stoppers.end()) stoppers.push_back(other);
      }
}

void Tables::add_shields(const Program& program) {
  std::size_t r = 0;
  for (const Pair& pair : program.pairs)
    for (const Effect& effect : pair.effects) {
      Rule& rule = rules[r++];
      const auto word = effect.words.find("ftype");
      if (rule.kind != EffectKind::kShieldFrom || word == effect.words.end()) continue;
      const EffectKind kept_away = find_effect(word->second);
      for (const int type : *rule.firsts)
        for (std::size_t i = 0; i < rules.size(); ++i)
          if (rules[i].first == type && rules[i].second == rule.target && rules[i].kind == kept_away)
            rule.shields.push_back({type, static_cast<int>(i)});
    }
}

}  // namespace treewise::vgdl
