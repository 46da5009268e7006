// The draws of a tick: the project's generator, or, to repeat recorded runs, the one that the Java API specifies for
// java.util.Random.
#pragma once

#include <cstdint>

#include "base/rng.h"

namespace treewise::vgdl {

class Dice {
 public:
  Dice() = default;
  Dice(std::uint64_t seed, bool java) : rng_(seed), java_state_(java ? (seed ^ kMultiplier) & kMask : 0), java_(java) {}

  // In [0, 1).
  double uniform() { return java_ ? static_cast<double>(java_bits(24)) * 0x1.0p-24 : rng_.uniform(); }
  // Whether an effect that takes place with this probability does. To repeat recorded runs it is drawn even if that is
  // certain, and as a Java double, which is two draws.
  bool allows(double probability) {
    if (!java_) return probability >= 1 || rng_.uniform() < probability;
    const std::uint64_t high = java_bits(26);
    return static_cast<double>((high << 27) + java_bits(27)) * 0x1.0p-53 < probability;
  }
  // In [0, bound).
  int below(int bound) {
    return java_ ? java_below(bound) : static_cast<int>(rng_.below(static_cast<std::uint32_t>(bound)));
  }

 private:
  static constexpr std::uint64_t kMultiplier = 0x5DEECE66DULL;
  static constexpr std::uint64_t kMask = (std::uint64_t{1} << 48) - 1;

  std::uint32_t java_bits(int bits) {
    java_state_ = (java_state_ * kMultiplier + 0xB) & kMask;
    return static_cast<std::uint32_t>(java_state_ >> (48 - bits));
  }
  int java_below(int bound) {
    const std::int64_t n = bound;
    std::int64_t u = java_bits(31);
    if ((n & (n - 1)) == 0) return static_cast<int>((n * u) >> 31);
    while (u - u % n + (n - 1) >= (std::int64_t{1} << 31)) u = java_bits(31);
    return static_cast<int>(u % n);
  }

  Rng rng_;
  std::uint64_t java_state_ = 0;
  bool java_ = false;
};

}  // namespace treewise::vgdl
