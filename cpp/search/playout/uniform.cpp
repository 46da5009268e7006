// Uniform playouts, by the game's own statically dispatched loop.
#include <algorithm>

#include "search/playout/playout.h"

namespace treewise {

namespace {

class Uniform final : public Playout {
 public:
  PlayoutResult play(State& state, Rng& rng, Trace* trace, int max_length, const Values& cut) override {
    if (discounts_rewards()) return Playout::play(state, rng, trace, max_length, cut);
    PlayoutResult result;
    result.length = state.playout(rng, std::min(max_length, kUnwatched), trace);
    while (result.length % kUnwatched == 0 && result.length < max_length && !state.is_terminal()) [[unlikely]] {
      watch(result.length);
      result.length += state.playout(rng, std::min(max_length - result.length, kUnwatched), trace);
    }
    end_playout(state, cut, result);
    return result;
  }

  // Inside others, what is drawn from is the same.
  void list(Turn& turn) override { turn.joint ? turn.list_legal() : turn.state.playout_actions(turn.actions); }
  SetOfActions list_set(Turn& turn, std::span<Bits> out) override {
    return turn.joint ? SetOfActions::kNone : turn.state.playout_set(out);
  }
  Action choose(Turn& turn) override {
    return turn.joint ? Playout::choose(turn) : turn.state.draw_action(turn.rng, turn.actions);
  }
};

}  // namespace

std::unique_ptr<Playout> make_uniform(const PartSpec&, const GameInfo&) {
  return std::make_unique<Uniform>();
}

}  // namespace treewise
