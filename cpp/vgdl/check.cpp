#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "vgdl/program.h"

namespace treewise::vgdl {

namespace {

void require(bool good, const char* message) {
  if (!good) throw std::invalid_argument(message);
}

class Checker {
 public:
  explicit Checker(const Program& program) : p_(program) {}

  void check() const {
    check_world();
    for (const SpriteType& t : p_.types) check(t);
    known(p_.update_order);
    for (const Pair& pair : p_.pairs) check(pair, false);
    for (const Pair& pair : p_.edge_rules) check(pair, true);
    for (const Pair& pair : p_.time_rules) check(pair, true);
    for (const Termination& t : p_.terminations) check_maps(t.numbers, t.types);
    for (const int action : p_.actions) require(action >= 0 && action < 6, "an action is out of range: 0 to 5");
  }

 private:
  void check_world() const {
    require(!p_.types.empty() && p_.types.size() <= kMaxTypes, "a game has 1 to 256 types of sprites");
    require(p_.width > 0 && p_.height > 0, "the level is empty");
    require(p_.width <= kMaxCells && p_.height <= kMaxCells, "the level is too large: at most 65,536 cells");
    // Rows are filled up to a power of two.
    require(std::int64_t{std::bit_ceil(static_cast<unsigned>(p_.width))} * p_.height <= kMaxCells,
            "the level is too large: at most 65,536 cells");
    require(p_.block >= 1 && p_.block * std::int64_t{std::max(p_.width, p_.height)} <= kMaxPixels,
            "the world is too large: at most 1,048,576 pixels wide or high");
    require(p_.sprites.size() <= std::size_t{8} * kMaxCells, "too many sprites in the level");
    for (const Placed& s : p_.sprites) {
      known(s.type);
      require(s.x >= 0 && s.y >= 0 && s.x < p_.width * p_.block && s.y < p_.height * p_.block,
              "a sprite is outside the world");
    }
  }
  void check(const SpriteType& t) const {
    require(t.kind < Kind::kCount, "an unknown class of sprites");
    known(t.ancestors);
    known(t.descendants);
    require(t.orientation >= 0 && t.orientation <= 4, "an orientation is out of range: 0 to 4");
    check_speed(t.speed);
    require(t.cooldown >= 0 && t.cooldown < 65'536, "a cooldown is out of range: 0 to 65,535");
    check_maps(t.numbers, t.types);
  }
  void check(const Pair& pair, bool edge) const {
    known(pair.first);
    if (!edge || pair.second != kEdge) known(pair.second);
    require(edge == (pair.second == kEdge), "a rule of the edge stands among those of pairs, or the other way round");
    for (const Effect& e : pair.effects) {
      require(e.kind < EffectKind::kCount, "an unknown effect");
      require(std::abs(std::int64_t{e.score}) <= 100'000, "a score is out of range: at most 100,000");
      check_maps(e.numbers, e.types);
      if (const auto value = e.numbers.find("value"); value != e.numbers.end() && e.kind == EffectKind::kSetSpeedForAll)
        check_speed(value->second);
    }
  }
  void check_speed(double speed) const {
    require(std::isfinite(speed) && std::abs(speed) * p_.block <= kMaxPixels, "a speed is out of range");
  }
  void check_maps(const Numbers& numbers, const Types& types) const {
    for (const auto& [key, number] : numbers) require(std::isfinite(number), "a parameter is not a finite number");
    for (const auto& [key, named] : types) known(named);
  }
  void known(const std::vector<int>& types) const {
    for (const int t : types) known(t);
  }
  void known(int type) const {
    require(type >= 0 && type < static_cast<int>(p_.types.size()), "a type of sprites is out of range");
  }

  const Program& p_;
};

}  // namespace

void check(const Program& program) {
  Checker(program).check();
}

}  // namespace treewise::vgdl
