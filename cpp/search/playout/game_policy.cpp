// The game's own playout policy: its candidates, each with its weight. It speaks for the player to move; where several
// choose at once, all legal actions count.
#include "search/playout/playout.h"

namespace treewise {

namespace {

class GamePolicy final : public Playout {
 public:
  PlayoutResult play(State& state, Rng& rng, Trace* trace, int max_length, const Values& cut) override {
    if (trace || discounts_rewards()) return Playout::play(state, rng, trace, max_length, cut);
    const int quickly = policy_.of(state)->policy_playout(rng, max_length);
    PlayoutResult result = Playout::play(state, rng, trace, max_length - quickly, cut);
    result.length += quickly;
    return result;
  }
  void list(Turn& turn) override {
    if (turn.joint) return turn.list_legal();
    policy_.of(turn.state)->playout_candidates(turn.rng, turn.actions);
  }
  Action choose(Turn& turn) override {
    if (turn.joint) return Playout::choose(turn);
    return policy_.of(turn.state)->policy_action(turn.rng, turn.actions);
  }

 private:
  Cached<HasPolicy> policy_;
};

}  // namespace

std::unique_ptr<Playout> make_game_policy(const PartSpec&, const GameInfo&) {
  return std::make_unique<GamePolicy>();
}

}  // namespace treewise
