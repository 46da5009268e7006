// The features of states as vectors of one length, and which features a match has.
#pragma once

#include <chrono>
#include <set>

#include "search/playout/linear_sarsa.h"
#include "search/playout/playout.h"

namespace treewise {

// Which features count.
struct FeatureChoice {
  int discover = 0;    // random steps in which a feature must show; 0: it need not
  bool kinds = false;  // it is enough that both kinds that it is about show
  bool floors = true;  // those about floors count
  bool hidden = true;  // those about hidden kinds count
  int most_fixed = 2;  // of how many kinds that stay as they are a feature may be

  bool wants(const FeatureOrigin& about) const {
    return (floors || !about.floor) && (hidden || !about.hidden) && about.fixed <= most_fixed;
  }
};

class StateFeatures {
 public:
  // Looks for features in random steps from `root`, and leaves out those that never show. All of them may stay where
  // no steps are wanted, and where `seconds` are over before: nobody knows then which ones will never be needed.
  void find(const State& root, const FeatureChoice& choice, bool has_dice, std::uint64_t seed, double seconds) {
    const auto& described = dynamic_cast<const HasFeatures&>(root);
    const auto all = static_cast<std::size_t>(described.num_features());
    raw_.assign(all, 0);
    std::vector<bool> seen(all);
    if (choice.discover == 0 || !look_around(root, choice.discover, has_dice, seed, seconds, seen)) {
      seen.assign(all, true);
    } else if (choice.kinds) {
      widen(described, seen);
    }
    kept_.clear();
    for (std::size_t i = 0; i < all; ++i)
      if (seen[i] && choice.wants(described.origin(static_cast<int>(i)))) kept_.push_back(i);
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
  // To all features whose kinds are both among those of features seen.
  static void widen(const HasFeatures& described, std::vector<bool>& seen) {
    std::set<int> kinds;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const FeatureOrigin about = described.origin(static_cast<int>(i));
      if (seen[i]) kinds.insert({about.first, about.second});
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const FeatureOrigin about = described.origin(static_cast<int>(i));
      if (about.first >= 0 && kinds.contains(about.first) && kinds.contains(about.second)) seen[i] = true;
    }
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
