// True online Sarsa(lambda) with linear values (van Seijen et al. 2016), as TD-MCTS uses it (Ilhan & Etaner-Uyar 2017,
// Algorithms 3 and 4; the line numbers below are theirs). It knows no game: features come in, values go out.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "search/selection/lanes.h"

namespace treewise {

// Numbers on cache lines of their own, zero up to the end of the last: sums over them need no remainder.
class Numbers {
 public:
  explicit Numbers(std::size_t size = 0, double value = 0) { assign(size, value); }
  void assign(std::size_t size, double value) {
    lines_.assign((size + kLanes - 1) / kLanes, Line{});
    std::fill_n(data(), size, value);
  }
  double* data() { return lines_.empty() ? nullptr : lines_.data()->number; }
  const double* data() const { return lines_.empty() ? nullptr : lines_.data()->number; }
  std::size_t padded() const { return lines_.size() * kLanes; }
  void resize(std::size_t padded) { lines_.resize(padded / kLanes); }
  void swap(Numbers& other) { lines_.swap(other.lines_); }

 private:
  struct alignas(64) Line {
    double number[kLanes];
  };
  std::vector<Line> lines_;
};

// The features of a state and an action: `values` in one block, and with `shared` in the first one as well; zero in all
// others.
struct Psi {
  const double* values;
  std::size_t block = 0;
  bool shared = false;

  bool twice() const { return shared && block != 0; }
};

class LinearSarsa {
 public:
  struct Rates {
    double alpha, lam, gamma, initial;
    // What Q_old is when a playout begins: the value of its first step, or 0 as in line 53. The traces of the tree
    // multiply the difference, so that with 0 values can grow by themselves.
    bool old_is_first;
    // Whether weights that diverge start again at their first values.
    bool restarts = true;
  };

  // `heads`: value functions over the same features, learned side by side from rewards of their own.
  LinearSarsa(const Rates& rates, std::size_t features, std::size_t heads)
      : rates_(rates),
        features_(features),
        width_(Numbers(features).padded()),
        heads_(heads),
        decay_(rates.gamma * rates.lam),
        old_(heads),
        changes_(heads),
        greatest_(1 + std::abs(rates.initial) * static_cast<double>(features)) {}

  std::size_t features() const { return features_; }
  std::size_t num_blocks() const { return num_blocks_; }

  // Makes room for blocks up to this one.
  void reach(std::size_t block) {
    if (block < num_blocks_) [[likely]]
      return;
    const std::size_t first = std::exchange(num_blocks_, block + 1);
    trace_.resize(num_blocks_ * width_);
    weights_.resize(num_blocks_ * width_ * heads_);
    snapshot_.resize(num_blocks_ * width_ * heads_);
    forget(weights_, first);
    forget(snapshot_, first);
  }

  // Line 2: the weights as they are now, for as long as a search takes.
  void take_snapshot() { snapshot_ = weights_; }
  enum class By { kSnapshot, kWeights };
  double value(const Psi& psi, std::size_t head, By by = By::kSnapshot) const {
    return value_by(by == By::kSnapshot ? snapshot_ : weights_, psi, head);
  }
  // The weights in the first block.
  const double* first_block(std::size_t head, By by) const {
    return part(by == By::kSnapshot ? snapshot_ : weights_, 0, head);
  }

  // Line 5: a simulation begins.
  void begin() {
    for (const std::size_t block : traced_) std::fill_n(trace_.data() + block * width_, width_, 0.0);
    traced_.clear();
    begin_playout();
  }
  // Line 53.
  void begin_playout() {
    std::fill(old_.begin(), old_.end(), 0.0);
    at_first_ = rates_.old_is_first;
  }

  // Lines 38 and 68.
  void trace(const Psi& psi) {
    const double share = enter(psi);
    for (const std::size_t block : traced_) fade(block);
    add(trace_.data() + psi.block * width_, share, psi.values);
    if (psi.twice()) add(trace_.data(), share, psi.values);
  }

  // Lines 65 to 70: one step of the playout, from `psi` to `next` (null where the match is over), with each head's
  // reward.
  void learn(const Psi& psi, std::span<const double> rewards, const Psi* next) {
    for (std::size_t h = 0; h < heads_; ++h) {
      const double q = value_by(weights_, psi, h);
      const double q_next = next ? value_by(weights_, *next, h) : 0;
      const double error = rewards[h] + rates_.gamma * q_next - q;
      greatest_ = std::max(greatest_, std::abs(rewards[h]));
      if (!(std::abs(error) < (rates_.restarts ? kBeyond * greatest_ : kMost))) return start_anew();
      const double change = at_first_ ? 0 : q - old_[h];
      changes_[h] = {rates_.alpha * (error + change), -rates_.alpha * change};
      old_[h] = q_next;
    }
    at_first_ = false;
    trace(psi);
    for (std::size_t h = 0; h < heads_; ++h) {
      for (const std::size_t block : traced_)
        add(part(weights_, block, h), changes_[h].by_trace, trace_.data() + block * width_);
      add(part(weights_, psi.block, h), changes_[h].by_features, psi.values);
      if (psi.twice()) add(part(weights_, 0, h), changes_[h].by_features, psi.values);
    }
  }

  // All weights are again what they were at first.
  void start_anew() {
    forget(weights_, 0);
    begin();
  }

  std::span<const double> weights(std::size_t block, std::size_t head) const {
    return {part(weights_, block, head), features_};
  }
  std::span<const double> traces(std::size_t block) const { return {trace_.data() + block * width_, features_}; }

 private:
  // An alpha that is too large for the features lets weights grow without end. They start again where an error is so
  // many times as large as what they started with and any reward.
  static constexpr double kBeyond = 1e4;
  // Beyond this they always do: sums and squares of values must stay finite.
  static constexpr double kMost = 1e100;

  // By how much the weights of one head change, for each unit of the traces and of the features.
  struct Change {
    double by_trace, by_features;
  };

  // Makes the features' block one of those with traces; how much of the features comes to them.
  double enter(const Psi& psi) {
    double product = enter_block(psi.block, psi.values);
    if (psi.twice()) product += enter_block(0, psi.values);
    return 1 - rates_.alpha * decay_ * product;
  }
  double enter_block(std::size_t block, const double* values) {
    if (std::find(traced_.begin(), traced_.end(), block) == traced_.end()) traced_.push_back(block);
    return dot(trace_.data() + block * width_, values);
  }
  void fade(std::size_t block) {
    double* e = trace_.data() + block * width_;
    Lanes lanes;
    for (std::size_t i = 0; i < width_; i += kLanes) {
      load_lanes(lanes, e + i);
      store_lanes(e + i, lanes * decay_);
    }
  }

  void forget(Numbers& weights, std::size_t first_block) {
    for (std::size_t i = first_block * heads_; i < num_blocks() * heads_; ++i)
      std::fill_n(weights.data() + i * width_, features_, rates_.initial);
  }

  double value_by(const Numbers& weights, const Psi& psi, std::size_t head) const {
    const double own = dot(part(weights, psi.block, head), psi.values);
    return psi.twice() ? own + dot(part(weights, 0, head), psi.values) : own;
  }

  double* part(Numbers& weights, std::size_t block, std::size_t head) const {
    return weights.data() + (block * heads_ + head) * width_;
  }
  const double* part(const Numbers& weights, std::size_t block, std::size_t head) const {
    return weights.data() + (block * heads_ + head) * width_;
  }

  double dot(const double* a, const double* b) const {
    Lanes sum{}, left, right;
    for (std::size_t i = 0; i < width_; i += kLanes) {
      load_lanes(left, a + i);
      load_lanes(right, b + i);
      sum += left * right;
    }
    const auto half = __builtin_shufflevector(sum, sum, 0, 1, 2, 3) + __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
    const auto quarter = __builtin_shufflevector(half, half, 0, 2) + __builtin_shufflevector(half, half, 1, 3);
    return quarter[0] + quarter[1];
  }
  void add(double* to, double factor, const double* values) const {
    Lanes sum, more;
    for (std::size_t i = 0; i < width_; i += kLanes) {
      load_lanes(sum, to + i);
      load_lanes(more, values + i);
      store_lanes(to + i, sum + factor * more);
    }
  }

  Rates rates_;
  std::size_t features_, width_, heads_;
  double decay_;  // of the traces
  std::size_t num_blocks_ = 0;
  Numbers weights_, snapshot_, trace_;
  std::vector<std::size_t> traced_;  // the blocks in which the trace is not zero
  std::vector<double> old_;          // Q_old of each head
  std::vector<Change> changes_;      // of each head
  bool at_first_ = false;            // it is still to be said what that is
  double greatest_;                  // reward
};

}  // namespace treewise
