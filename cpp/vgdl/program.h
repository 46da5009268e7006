// A video game as the compiler hands it over: `treewise.vgdl.program` says what each field means.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "vgdl/kinds.h"

namespace treewise::vgdl {

constexpr int kEdge = -1;                          // in place of a second type: the edge of the world, or the clock
constexpr int kMaxSprites = 10'000;                // alive at once; no more are made
constexpr std::uint32_t kMaxEffects = 10'000'000;  // of meetings in one tick; no more are done
constexpr std::size_t kMaxTypes = 256;
constexpr std::size_t kMaxPaces = 31;  // that rules give to sprites
constexpr int kMaxCells = 1 << 16;
constexpr int kMaxPixels = 1 << 20;  // of the world's width or height

using Numbers = std::map<std::string, double>;
using Types = std::map<std::string, std::vector<int>>;

struct SpriteType {
  std::string name;
  Kind kind = Kind::kImmovable;
  int category = 4;
  std::vector<int> ancestors, descendants;
  bool leaf = true, hidden = false, singleton = false, is_static = false, oriented = false;
  int orientation = 0;  // a Direction
  double speed = 0;
  int cooldown = 1;
  Numbers numbers;
  Types types;
};

struct Effect {
  EffectKind kind = EffectKind::kStepBack;
  int score = 0;
  Numbers numbers;
  Types types;
  std::map<std::string, std::string> words;
};

struct Pair {
  int first = 0, second = 0;
  std::vector<Effect> effects;
};

struct Termination {
  TerminationKind kind = TerminationKind::kTimeout;
  bool win = false;
  Numbers numbers;
  Types types;
};

struct Placed {
  int type, x, y;
};

struct Options {
  bool hidden_shown = false;  // a defect: an advanced state shows hidden sprites, its copies do not
  bool shared_pull = false;   // a defect: pullWithIt's memory is shared by all states of a game
  bool rules_2016 = false;    // the older behaviour of effects and dead avatars
};

struct Program {
  // All that have effects.
  std::array<const std::vector<Pair>*, 3> rules() const { return {&edge_rules, &time_rules, &pairs}; }

  std::vector<SpriteType> types;
  std::vector<int> update_order;
  std::vector<Pair> pairs, edge_rules, time_rules;
  std::vector<Termination> terminations;
  std::vector<int> actions;
  int width = 0, height = 0, block = 0;
  std::vector<Placed> sprites;
  Options options;
};

// Throws std::invalid_argument unless everything that the machine indexes with is in range.
void check(const Program& program);

}  // namespace treewise::vgdl
