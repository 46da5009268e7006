// What MAST and the n-grams remember of single actions.
#pragma once

#include <limits>

#include "base/lanes.h"
#include "base/table.h"
#include "game/game.h"

namespace treewise {

// The mean result of each action of each player: plain arrays where the ids are few enough, else a hash table.
class ActionMeans {
 public:
  ActionMeans(const GameInfo& info, float unseen) : unseen_(unseen) {
    if (!is_dense(info)) return;
    stride_ = (info.num_action_ids + 63) / 64 * 64;
    values_.assign(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(info.num_players), unseen);
    counts_.resize(values_.size());
    if (info.num_action_ids <= kMostInSets) set_words_ = static_cast<std::size_t>(stride_) / 64;
  }

  static bool is_dense(const GameInfo& info) { return info.num_action_ids > 0 && info.num_action_ids <= kMostDense; }

  void limit_memory(std::size_t bytes) { sparse_.limit_memory(bytes); }

  void add(int player, Action action, float result) {
    if (values_.empty()) {
      if (Mean* mean = sparse_.insert(key(player, action))) mean->add(result);
      return;
    }
    const std::size_t i = index(player, action);
    counts_[i] += 1;
    // Written so that the first result replaces what was believed of the unseen action, exactly.
    values_[i] = counts_[i] == 1 ? result : values_[i] + (result - values_[i]) / counts_[i];
  }

  // Fills `values` with those of the actions and returns the greatest.
  float look_up(int player, const ActionList& actions, std::vector<float>& values) const {
    const auto size = static_cast<std::size_t>(actions.size());
    values.resize(size);
    if (values_.empty()) {
      for (std::size_t i = 0; i < size; ++i) values[i] = find(player, actions[i]);
    } else {
      const float* own = values_.data() + index(player, 0);
      for (std::size_t i = 0; i < size; ++i) values[i] = own[actions[i]];
    }
    float greatest = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < size; ++i) greatest = values[i] > greatest ? values[i] : greatest;
    return greatest;
  }

  // The words that a set of actions takes, or 0 where there are too many for sets.
  std::size_t set_words() const { return set_words_; }

  // Of the actions in `set`, fills `best` with those of the greatest value, and returns how many. Both have as many
  // words as `set_words`.
  int look_up(int player, std::span<const Bits> set, std::span<Bits> best) const {
    return find_greatest(values_.data() + index(player, 0), set, best);
  }

  // What was seen counts `decay` times as much as before; with 0 it is forgotten.
  void fade(float decay) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      counts_[i] *= decay;
      if (counts_[i] == 0) values_[i] = unseen_;
    }
    sparse_.for_each([decay](std::uint64_t, Mean& mean) { mean.count *= decay; });
  }

 private:
  static constexpr int kMostDense = 1 << 18, kMostInSets = 1 << 10;

  static std::uint64_t key(int player, Action action) {
    return mix(static_cast<std::uint64_t>(player), static_cast<std::uint32_t>(action)) | 1;
  }
  std::size_t index(int player, Action action) const { return static_cast<std::size_t>(player * stride_ + action); }
  float find(int player, Action action) const {
    const Mean* mean = sparse_.find(key(player, action));
    return mean && mean->count > 0 ? mean->value : unseen_;
  }

  int stride_ = 0;  // values of a player, whole words of a set
  std::size_t set_words_ = 0;
  float unseen_;
  std::vector<float> values_, counts_;
  Table<Mean> sparse_;
};

}  // namespace treewise
