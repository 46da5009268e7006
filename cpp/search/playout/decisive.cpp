// Decisive and anti-decisive moves (Teytaud & Teytaud 2010): play what wins at once; else avoid what lets the
// next player win at once.
#include <algorithm>

#include "search/playout/playout.h"

namespace treewise {

namespace {

class Decisive final : public PlayoutWrapper {
 public:
  Decisive(const PartSpec& spec, const GameInfo& info)
      : PlayoutWrapper(make_playout(spec.part("inner"), info)),
        anti_(spec.flag("anti")),
        listed_(info.has(Capability::kWinning)),
        dice_(info.has(Capability::kDice)),
        max_utility_(info.max_utility) {}

  void list(Turn& turn) override {
    if (turn.joint) return inner().list(turn);
    find_wins(turn.state, turn.player, turn.actions, turn.rng);
    if (!turn.actions.empty()) return;
    const Safety safety = look_for_danger(turn);
    inner().list(turn);
    if (safety == Safety::kListed) keep_listed(turn);
    if (safety == Safety::kUnknown) keep_safe(turn);
  }

  // What is safe anyway need not be listed, and most choices are safe: only the one that is made is looked at, and
  // others where it is not.
  Action choose(Turn& turn) override {
    if (turn.joint) return inner().choose(turn);
    find_wins(turn.state, turn.player, turn.actions, turn.rng);
    if (!turn.actions.empty()) return inner().pick(turn);
    const Safety safety = look_for_danger(turn);
    if (safety == Safety::kAll || (safety == Safety::kListed && safe_.empty())) return inner().choose(turn);
    for (int tries = 0; safety == Safety::kUnknown && tries < kTries; ++tries) {
      const Action action = inner().choose(turn);
      if (is_safe(turn, action)) return action;
    }
    inner().list(turn);
    safety == Safety::kListed ? keep_listed(turn) : keep_safe(turn);
    return inner().pick(turn);
  }

  // What is worth considering depends on a look at the state, so there is no set of it.
  SetOfActions list_set(Turn&, std::span<Bits>) override { return SetOfActions::kNone; }

 private:
  // Replaces `wins` by the actions that end the match with the greatest utility for `player`.
  void find_wins(State& state, int player, ActionList& wins, Rng& rng) {
    if (listed_) return winning_.of(state)->winning_actions(wins);
    wins.clear();
    state.legal_actions(legal_);
    if (!trial_) trial_ = state.clone();
    for (const Action action : legal_) {
      try_out(*trial_, state, action, rng);
      if (!trial_->is_terminal()) continue;
      Values utilities{};
      trial_->returns(utilities);
      if (utilities[static_cast<std::size_t>(player)] >= max_utility_) wins.push_back(action);
    }
  }

  // Looking ahead must not foresee what the dice will give.
  void try_out(State& copy, const State& state, Action action, Rng& rng) const {
    copy.assign(state);
    if (dice_) dynamic_cast<HasDice&>(copy).reseed(rng.next());
    copy.apply(action);
  }

  // What is safe, in `safe_` where it is listed.
  Safety look_for_danger(Turn& turn) {
    if (!anti_) return Safety::kAll;
    return listed_ ? winning_.of(turn.state)->safe_actions(safe_) : Safety::kUnknown;
  }

  // Leaves what is listed as safe, unless that is nothing.
  void keep_listed(Turn& turn) {
    keep_if(turn, [&](Action action) { return std::find(safe_.begin(), safe_.end(), action) != safe_.end(); });
  }
  // Drops the actions after which the next player has a winning one, unless that leaves nothing.
  void keep_safe(Turn& turn) {
    keep_if(turn, [&](Action action) { return is_safe(turn, action); });
  }
  template <class Keep>
  void keep_if(Turn& turn, Keep keep) {
    kept_.clear();
    for (const Action action : turn.actions)
      if (keep(action)) kept_.push_back(action);
    if (!kept_.empty()) std::swap(turn.actions, kept_);
  }

  bool is_safe(Turn& turn, Action action) {
    if (listed_ && winning_.of(turn.state)->surely_safe(action)) return true;
    if (!next_) next_ = turn.state.clone();
    try_out(*next_, turn.state, action, turn.rng);
    return !threatened(turn.player, turn.rng);
  }
  bool threatened(int player, Rng& rng) {
    const int next_player = next_->current_player();
    if (next_->is_terminal() || next_player < 0 || next_player == player) return false;
    if (listed_) {
      next_winning_.of(*next_)->winning_actions(replies_);
      return !replies_.empty();
    }
    find_wins(*next_, next_player, replies_, rng);
    return !replies_.empty();
  }

  static constexpr int kTries = 4;  // before all actions are looked at

  bool anti_, listed_, dice_;
  double max_utility_;
  Cached<HasWinning> winning_, next_winning_;
  std::unique_ptr<State> trial_, next_;
  ActionList safe_, kept_, replies_, legal_;
};

}  // namespace

std::unique_ptr<Playout> make_decisive(const PartSpec& spec, const GameInfo& info) {
  return std::make_unique<Decisive>(spec, info);
}

}  // namespace treewise
