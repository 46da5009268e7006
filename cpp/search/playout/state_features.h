// The features of states as vectors of one length, and which features a match has.
#pragma once

#include <chrono>

#include "search/playout/linear_sarsa.h"
#include "search/playout/playout.h"

namespace treewise {

class StateFeatures {
 public:
  // Looks for features in `discover` random steps from `root`, and leaves out those that are zero all the time. All are
  // kept with 0, and where `seconds` are over before: nobody knows then which ones will never be needed. Without
  // `floors` those about floors are left out in any case.
  void find(const State& root, int discover, bool floors, bool has_dice, std::uint64_t seed, double seconds) {
    const auto& described = dynamic_cast<const HasFeatures&>(root);
    const auto all = static_cast<std::size_t>(described.num_features());
    raw_.assign(all, 0);
    std::vector<bool> seen(all);
    if (discover == 0 || !look_around(root, discover, has_dice, seed, seconds, seen)) seen.assign(all, true);
    kept_.clear();
    for (std::size_t i = 0; i < all; ++i)
      if (seen[i] && (floors || !described.about_floor(static_cast<int>(i)))) kept_.push_back(i);
    thinned_ = kept_.size() < all;
    size_ = kept_.size();
    places_.assign(all, -1);
    for (std::size_t i = 0; i < kept_.size(); ++i) places_[kept_[i]] = static_cast<int>(i);
  }

  std::size_t size() const { return size_; }

  void read(const HasFeatures& state, Numbers& out) {
    if (!thinned_) return state.features({out.data(), size_});
    state.features(raw_);
    for (std::size_t i = 0; i < kept_.size(); ++i) out.data()[i] = raw_[kept_[i]];
  }

  // Together with what actions do to them.
  void read(const HasOwnMoves& state, std::span<const Action> actions, Numbers& out, FeatureChanges& changes) {
    if (!thinned_) return state.own_moves(actions, {out.data(), size_}, changes);
    state.own_moves(actions, raw_, changes);
    for (std::size_t i = 0; i < kept_.size(); ++i) out.data()[i] = raw_[kept_[i]];
  }

  // Where a feature of the game is in what is read; -1: it is left out.
  int place(int feature) const { return places_[static_cast<std::size_t>(feature)]; }

 private:
  // Whether it came to its end.
  bool look_around(const State& root, int steps, bool has_dice, std::uint64_t seed, double seconds,
                   std::vector<bool>& seen) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    Rng rng(seed);
    const auto state = root.clone();
    auto* dice = has_dice ? dynamic_cast<HasDice*>(state.get()) : nullptr;
    Trace trace;
    mark(*state, seen);
    for (int step = 0; step < steps; ++step) {
      if (std::chrono::duration<double>(Clock::now() - start).count() >= seconds) return false;
      if (state->is_terminal()) state->assign(root);
      if (dice) dice->reseed(rng.next());
      trace.clear();
      state->playout(rng, 1, &trace);
      mark(*state, seen);
    }
    return true;
  }
  void mark(const State& state, std::vector<bool>& seen) {
    dynamic_cast<const HasFeatures&>(state).features(raw_);
    for (std::size_t i = 0; i < raw_.size(); ++i)
      if (raw_[i] != 0) seen[i] = true;
  }

  std::size_t size_ = 0;
  bool thinned_ = false;
  std::vector<std::size_t> kept_;
  std::vector<int> places_;
  std::vector<double> raw_;
};

}  // namespace treewise
