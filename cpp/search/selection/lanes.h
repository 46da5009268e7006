// Numbers taken eight at a time; the compiler makes of it what the machine has.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#ifdef __AVX512F__
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 warns of its own header
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

namespace treewise {

constexpr std::size_t kLanes = 8;
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
using IndexLanes = std::int64_t __attribute__((vector_size(kLanes * sizeof(std::int64_t))));
using FloatLanes = float __attribute__((vector_size(kLanes * sizeof(float))));
using IntLanes = std::int32_t __attribute__((vector_size(kLanes * sizeof(std::int32_t))));

// Lanes are handed over by reference: how they are passed by value depends on the machine that is compiled for.
inline void load_lanes(Lanes& lanes, const double* from) {
  std::memcpy(&lanes, from, sizeof lanes);
}
inline void store_lanes(double* to, const Lanes& lanes) {
  std::memcpy(to, &lanes, sizeof lanes);
}
inline void load_lanes(Lanes& lanes, const std::int32_t* from) {
  IntLanes whole;
  std::memcpy(&whole, from, sizeof whole);
  lanes = __builtin_convertvector(whole, Lanes);
}

inline void load_lanes(Lanes& lanes, const float* from) {
#ifdef __AVX512F__
  lanes = std::bit_cast<Lanes>(_mm512_cvtps_pd(_mm256_loadu_ps(from)));  // GCC takes two halves for it
#else
  FloatLanes single;
  std::memcpy(&single, from, sizeof single);
  lanes = __builtin_convertvector(single, Lanes);
#endif
}

// Where the greatest of `size` numbers stands that are seen eight at a time; of equal ones the first.
class Best {
 public:
  explicit Best(std::size_t size) : size_(static_cast<std::int64_t>(size)) {}

  void see(const Lanes& scores) {
    const IndexLanes better = (scores > top_) & (at_ < size_);
    top_ = better ? scores : top_;
    where_ = better ? at_ : where_;
    at_ += static_cast<std::int64_t>(kLanes);
  }
  // 0 if none is greater than minus infinity.
  std::uint32_t index() {
#ifdef __AVX512F__
    // The greatest number first, then the one lane that has it, if it is one: a shorter chain than three merges.
    const auto top = std::bit_cast<__m512d>(top_);
    const __mmask8 equal = _mm512_cmpeq_pd_mask(top, _mm512_set1_pd(_mm512_reduce_max_pd(top)));
    if (size_ <= static_cast<std::int64_t>(kLanes)) return static_cast<std::uint32_t>(std::countr_zero(equal));
    if (std::has_single_bit(equal)) {
      const __m512i where = _mm512_maskz_compress_epi64(equal, std::bit_cast<__m512i>(where_));
      return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm512_castsi512_si128(where)));
    }
#endif
    merge(__builtin_shufflevector(top_, top_, 4, 5, 6, 7, 0, 1, 2, 3),
          __builtin_shufflevector(where_, where_, 4, 5, 6, 7, 0, 1, 2, 3));
    merge(__builtin_shufflevector(top_, top_, 2, 3, 0, 1, 2, 3, 0, 1),
          __builtin_shufflevector(where_, where_, 2, 3, 0, 1, 2, 3, 0, 1));
    merge(__builtin_shufflevector(top_, top_, 1, 0, 1, 0, 1, 0, 1, 0),
          __builtin_shufflevector(where_, where_, 1, 0, 1, 0, 1, 0, 1, 0));
    return static_cast<std::uint32_t>(where_[0]);
  }

 private:
  void merge(const Lanes& top, const IndexLanes& where) {
    const IndexLanes better = (top > top_) | ((top == top_) & (where < where_));
    top_ = better ? top : top_;
    where_ = better ? where : where_;
  }

  std::int64_t size_;
  Lanes top_ = Lanes{} - std::numeric_limits<double>::infinity();
  IndexLanes at_ = {0, 1, 2, 3, 4, 5, 6, 7};
  IndexLanes where_ = {0, 0, 0, 0, 0, 0, 0, 0};
};

}  // namespace treewise
