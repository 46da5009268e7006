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
};

}  // namespace

std::unique_ptr<Playout> make_uniform(const PartSpec&, const GameInfo&) {
  return std::make_unique<Uniform>();
}

}  // namespace treewise
