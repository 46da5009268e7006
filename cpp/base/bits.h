// Sets of at most 64 squares in a word, and hashing of words.
#pragma once

#include <bit>
#include <cstdint>
#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace treewise {

using Bits = std::uint64_t;

constexpr Bits bit(int square) {
  return Bits{1} << square;
}
constexpr int count(Bits bits) {
  return std::popcount(bits);
}
constexpr int lowest(Bits bits) {
  return std::countr_zero(bits);
}

// Removes the lowest square from `bits` and returns it.
inline int pop(Bits& bits) {
  const int square = lowest(bits);
  bits &= bits - 1;
  return square;
}

// The square of the k-th set bit, k from 0; k < count(bits).
inline int nth(Bits bits, int k) {
#ifdef __BMI2__
  return std::countr_zero(_pdep_u64(Bits{1} << k, bits));
#else
  for (; k > 0; --k) bits &= bits - 1;
  return std::countr_zero(bits);
#endif
}

// The bits of `bits` at the squares of `mask`, packed to the low end in their order.
inline Bits extract(Bits bits, Bits mask) {
#ifdef __BMI2__
  return _pext_u64(bits, mask);
#else
  Bits packed = 0;
  for (Bits place = 1; mask; mask &= mask - 1, place <<= 1)
    if (bits & mask & -mask) packed |= place;
  return packed;
#endif
}

// The same bit as a set of its own, which saves a playout the way through the square's index.
inline Bits nth_bit(Bits bits, int k) {
#ifdef __BMI2__
  return _pdep_u64(Bits{1} << k, bits);
#else
  for (; k > 0; --k) bits &= bits - 1;
  return bits & (~bits + 1);
#endif
}

// The low bits of `bits` at the squares of `mask`, in their order. For an index given as a set, {k}, that is nth_bit of
// the mask, or nothing if there is no such bit.
inline Bits deposit(Bits bits, Bits mask) {
#ifdef __BMI2__
  return _pdep_u64(bits, mask);
#else
  Bits out = 0;
  for (; bits && mask; bits >>= 1, mask &= mask - 1)
    if (bits & 1) out |= mask & (~mask + 1);
  return out;
#endif
}

// Folds `word` into the running hash `seed`.
inline std::uint64_t mix(std::uint64_t seed, std::uint64_t word) {
  const unsigned __int128 product =
      static_cast<unsigned __int128>(seed ^ 0x9e3779b97f4a7c15ULL) * (word ^ 0xd6e8feb86659fd93ULL);
  const std::uint64_t folded = static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
  return folded * 0xff51afd7ed558ccdULL + word;
}

}  // namespace treewise
