// The greatest of an array's numbers at the places of a set, many at a time.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "base/bits.h"

namespace treewise {

// Leaves in `best` the places of `set` that hold the greatest number, and returns how many. `set` and `best` have a bit
// for each of the `values`, which are whole words of 64; what the set holds cannot be predicted, so no branch asks.
#if defined(__AVX512F__) && defined(__AVX512DQ__)
inline int find_greatest(const float* values, std::span<const Bits> set, std::span<Bits> best) {
  constexpr std::size_t kLanes = 16, kGroups = 64 / kLanes;
  const auto held = [&](std::size_t word, std::size_t i) { return static_cast<__mmask16>(set[word] >> (kLanes * i)); };
  __m512 most[kGroups];  // of the groups one by one, so that none waits for another
  for (__m512& group : most) group = _mm512_set1_ps(-std::numeric_limits<float>::infinity());
  for (std::size_t word = 0; word < set.size(); ++word)
    for (std::size_t i = 0; i < kGroups; ++i)
      most[i] = _mm512_mask_max_ps(most[i], held(word, i), most[i], _mm512_loadu_ps(values + 64 * word + kLanes * i));
  const auto greater = [](const auto& a, const auto& b) { return a > b ? a : b; };
  const __m512 all = greater(greater(most[0], most[1]), greater(most[2], most[3]));
  const __m256 half = greater(_mm512_maskz_extractf32x8_ps(0xff, all, 0), _mm512_maskz_extractf32x8_ps(0xff, all, 1));
  __m128 rest = greater(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
  rest = greater(rest, _mm_movehl_ps(rest, rest));
  const __m512 greatest = _mm512_set1_ps(greater(rest[0], rest[1]));
  int found = 0;
  for (std::size_t word = 0; word < set.size(); ++word) {
    Bits equal = 0;
    for (std::size_t i = 0; i < kGroups; ++i) {
      const __m512 here = _mm512_loadu_ps(values + 64 * word + kLanes * i);
      equal |= Bits{_mm512_mask_cmp_ps_mask(held(word, i), here, greatest, _CMP_EQ_OQ)} << (kLanes * i);
    }
    best[word] = equal;
    found += count(equal);
  }
  return found;
}
#else
inline int find_greatest(const float* values, std::span<const Bits> set, std::span<Bits> best) {
  constexpr int kLanes = 8;
  using Lanes [[gnu::vector_size(4 * kLanes)]] = float;
  using Mask [[gnu::vector_size(4 * kLanes)]] = std::int32_t;
  constexpr Mask kOwn = {1, 2, 4, 8, 16, 32, 64, 128};
  const auto load = [&](std::size_t word, int shift, Lanes& lanes) {
    std::memcpy(&lanes, values + 64 * word + shift, sizeof lanes);
  };
  const Lanes none = Lanes{} - std::numeric_limits<float>::infinity();
  Lanes most = none;
  for (std::size_t word = 0; word < set.size(); ++word) {
    for (int shift = 0; shift < 64; shift += kLanes) {
      Lanes here;
      load(word, shift, here);
      const Mask held = ((Mask{} + static_cast<std::int32_t>(set[word] >> shift & 0xff)) & kOwn) != 0;
      const Lanes counted = held ? here : none;
      most = counted > most ? counted : most;
    }
  }
  float greatest = most[0];
  for (int i = 1; i < kLanes; ++i) greatest = std::max(greatest, most[i]);
  int found = 0;
  for (std::size_t word = 0; word < set.size(); ++word) {
    Bits equal = 0;
    for (int shift = 0; shift < 64; shift += kLanes) {
      Lanes here;
      load(word, shift, here);
      const Mask same = here == Lanes{} + greatest;
#ifdef __AVX2__
      equal |= static_cast<Bits>(_mm256_movemask_ps(reinterpret_cast<__m256>(same))) << shift;
#else
      for (int i = 0; i < kLanes; ++i) equal |= static_cast<Bits>(same[i] & 1) << (shift + i);
#endif
    }
    best[word] = equal & set[word];
    found += count(best[word]);
  }
  return found;
}
#endif

}  // namespace treewise
