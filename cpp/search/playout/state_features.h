// The features of states as vectors of one length, and which features a match has.
#pragma once

#include "search/playout/linear_sarsa.h"
#include "search/playout/playout.h"

namespace treewise {

class StateFeatures {
 public:
  // Looks for features in `discover` random steps from `root`, and leaves out those that are zero all the time; with 0
  // all are kept.
  void find(const State& root, int discover, bool has_dice, std::uint64_t seed) {
    const auto all = static_cast<std::size_t>(dynamic_cast<const HasFeatures&>(root).num_features());
    raw_.assign(all, 0);
    kept_.clear();
    thinned_ = false;
    size_ = all;
    if (discover == 0) return;
    std::vector<bool> seen(all);
    Rng rng(seed);
    const auto state = root.clone();
    auto* dice = has_dice ? dynamic_cast<HasDice*>(state.get()) : nullptr;
    Trace trace;
    mark(*state, seen);
    for (int step = 0; step < discover; ++step) {
      if (state->is_terminal()) state->assign(root);
      if (dice) dice->reseed(rng.next());
      trace.clear();
      state->playout(rng, 1, &trace);
      mark(*state, seen);
    }
    for (std::size_t i = 0; i < all; ++i)
      if (seen[i]) kept_.push_back(i);
    thinned_ = kept_.size() < all;
    size_ = kept_.size();
  }

  std::size_t size() const { return size_; }

  void read(const HasFeatures& state, Numbers& out) {
    if (!thinned_) return state.features({out.data(), size_});
    state.features(raw_);
    for (std::size_t i = 0; i < kept_.size(); ++i) out.data()[i] = raw_[kept_[i]];
  }

 private:
  void mark(const State& state, std::vector<bool>& seen) {
    dynamic_cast<const HasFeatures&>(state).features(raw_);
    for (std::size_t i = 0; i < raw_.size(); ++i)
      if (raw_[i] != 0) seen[i] = true;
  }

  std::size_t size_ = 0;
  bool thinned_ = false;
  std::vector<std::size_t> kept_;
  std::vector<double> raw_;
};

}  // namespace treewise
