// Running statistics in one pass (Welford 1962), of one quantity or of several together.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace treewise {

// Whether a sum of squares of `count` differences from their mean is more than what rounding leaves of equal numbers,
// and enough to divide by.
inline bool varies(double squares, std::int64_t count, double mean) {
  constexpr double kRounding = 1e-12, kLeast = 1e-200;
  const double noise = kRounding * mean;
  return squares > static_cast<double>(count) * noise * noise + kLeast;
}

class Moments {
 public:
  void add(double x) {
    ++count_;
    const double delta = x - mean_;
    mean_ += delta / static_cast<double>(count_);
    squares_ += delta * (x - mean_);
    per_deviation_ = varies(squares_, count_, mean_) ? std::sqrt(static_cast<double>(count_ - 1) / squares_) : 0;
  }
  // (x - mean) / deviation, the deviation that of a sample, with n - 1; 0 while that is 0. The slow half is done by
  // `add`: nobody waits for its result there.
  double standardized(double x) const { return (x - mean_) * per_deviation_; }

 private:
  std::int64_t count_ = 0;
  double mean_ = 0, squares_ = 0;
  double per_deviation_ = 0;
};

// `of(i, j)` is the sum of (x_i - mean_i)(x_j - mean_j), which is n - 1 times the sample covariance, for i <= j of
// which i is one of the first M quantities.
template <std::size_t N, std::size_t M>
class CoMoments {
 public:
  void add(const std::array<double, N>& x) {
    ++count_;
    std::array<double, N> delta;
    for (std::size_t i = 0; i < N; ++i) {
      delta[i] = x[i] - mean_[i];
      mean_[i] += delta[i] / static_cast<double>(count_);
    }
    for (std::size_t i = 0; i < M; ++i)
      for (std::size_t j = i; j < N; ++j) sums_[i][j] += delta[i] * (x[j] - mean_[j]);
  }
  double of(std::size_t i, std::size_t j) const { return sums_[i][j]; }
  bool vary(std::size_t i) const { return varies(sums_[i][i], count_, mean_[i]); }

 private:
  std::int64_t count_ = 0;
  std::array<double, N> mean_{};
  std::array<std::array<double, N>, M> sums_{};
};

}  // namespace treewise
