#include "game/perft.h"

namespace treewise {

namespace {

class Counter {
 public:
  Counter(const GameInfo& info, void (*poll)()) : info_(info), poll_(poll) {}

  std::uint64_t count(const State& state, int depth, std::size_t level) {
    if (depth == 0) return 1;
    if (state.is_terminal()) return 0;
    if (poll_ && (++calls_ & 0xfff) == 0) poll_();
    while (levels_.size() <= level) levels_.push_back(std::make_unique<Level>());
    Level& here = *levels_[level];
    if (!here.child) here.child = state.clone();
    if (state.current_player() == kSimultaneous) return joint(state, depth, level);
    state.legal_actions(here.actions);
    if (depth == 1) return static_cast<std::uint64_t>(here.actions.size());
    std::uint64_t total = 0;
    for (int i = 0; i < here.actions.size(); ++i) {
      here.child->assign(state);
      here.child->apply(here.actions[static_cast<std::size_t>(i)]);
      total += count(*here.child, depth - 1, level + 1);
    }
    return total;
  }

 private:
  struct Level {
    ActionList actions;
    std::unique_ptr<State> child;
  };

  std::uint64_t joint(const State& state, int depth, std::size_t level) {
    const auto& simultaneous = dynamic_cast<const HasSimultaneous&>(state);
    const auto players = static_cast<std::size_t>(info_.num_players);
    std::vector<ActionList> lists(players);
    std::vector<std::size_t> choice(players, 0);
    std::vector<Action> actions(players);
    for (std::size_t p = 0; p < players; ++p) simultaneous.legal_actions(static_cast<int>(p), lists[p]);
    std::uint64_t total = 0;
    while (true) {
      for (std::size_t p = 0; p < players; ++p) actions[p] = lists[p][choice[p]];
      State& child = *levels_[level]->child;
      child.assign(state);
      dynamic_cast<HasSimultaneous&>(child).apply_joint(actions);
      total += count(child, depth - 1, level + 1);
      std::size_t p = 0;
      while (p < players && ++choice[p] == static_cast<std::size_t>(lists[p].size())) choice[p++] = 0;
      if (p == players) return total;
    }
  }

  const GameInfo& info_;
  void (*poll_)();
  std::uint64_t calls_ = 0;
  std::vector<std::unique_ptr<Level>> levels_;
};

}  // namespace

std::uint64_t perft(const State& state, int depth, const GameInfo& info, void (*poll)()) {
  return Counter(info, poll).count(state, depth, 0);
}

}  // namespace treewise
