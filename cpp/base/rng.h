// Random numbers. One generator a worker, seeded by the written rule in `derive_seed`.
#pragma once

#include <cstdint>
#include <utility>

namespace treewise {

// wyrand (Wang Yi): a counter and one 64x64->128 multiplication. Passes PractRand and BigCrush, and its state
// is one register, which is what a playout has to spare.
class Rng {
 public:
  using result_type = std::uint64_t;

  explicit Rng(std::uint64_t seed = 0) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0xa0761d6478bd642fULL;
    const unsigned __int128 product = static_cast<unsigned __int128>(state_) * (state_ ^ 0xe7037ed1a0b428dbULL);
    return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
  }
  std::uint64_t operator()() { return next(); }
  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~0ULL; }

  // A whole number in [0, bound), bound >= 1. Multiply-shift on 32 bits; the bias is below bound / 2^32.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }

  // A number in [0, 1) with 53 random bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  template <class Iterator>
  void shuffle(Iterator first, int size) {
    for (int i = size - 1; i > 0; --i) std::swap(first[i], first[below(static_cast<std::uint32_t>(i + 1))]);
  }

 private:
  std::uint64_t state_;
};

// The written rule for seeds: experiment -> match -> action -> worker, each step one call with its index.
// SplitMix64's finalizer over the sum, so that neighbouring indices give unrelated streams.
inline std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15ULL * (index + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace treewise
