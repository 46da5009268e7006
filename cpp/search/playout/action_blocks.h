// Weights of their own for each action: which block of them is whose.
#pragma once

#include "base/bits.h"
#include "base/table.h"
#include "game/game.h"

namespace treewise {

// The block of weights that an action has, given out in the order in which actions are met.
class ActionBlocks {
 public:
  ActionBlocks(const GameInfo& info, std::size_t most) : ids_(info.num_action_ids), most_(most) {
    const std::size_t all = static_cast<std::size_t>(ids_) * static_cast<std::size_t>(info.num_players);
    if (all <= kMostDense) dense_.assign(all, -1);
  }

  // Those that come when there is no more room share the last block.
  std::size_t of(int player, Action action) {
    std::int32_t* found;
    if (dense_.empty()) {
      Given* given = sparse_.insert(mix(static_cast<std::uint64_t>(player), static_cast<std::uint32_t>(action)) | 1);
      if (!given) return most_ - 1;
      found = &given->block;
    } else {
      found = &dense_[static_cast<std::size_t>(player * ids_ + action)];
    }
    if (*found < 0) *found = static_cast<std::int32_t>(used_ < most_ ? used_++ : most_ - 1);
    return static_cast<std::size_t>(*found);
  }

 private:
  static constexpr std::size_t kMostDense = std::size_t{1} << 18;
  struct Given {
    std::int32_t block = -1;
  };

  int ids_;
  std::size_t most_, used_ = 0;
  std::vector<std::int32_t> dense_;
  Table<Given> sparse_{std::size_t{1} << 18};
};

}  // namespace treewise
