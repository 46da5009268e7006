// A playout that stops after some steps and asks an evaluator about the state it has reached.
#include <algorithm>
#include <cmath>

#include "search/playout/playout.h"

namespace treewise {

namespace {

class CutOff final : public PlayoutWrapper {
 public:
  CutOff(const PartSpec& spec, const GameInfo& info)
      : PlayoutWrapper(make_playout(spec.part("inner"), info)),
        depth_(static_cast<int>(spec.integer("depth"))),
        evaluator_(make_evaluator(spec.part("evaluator"), info)) {
    inner().leave_cuts();
  }

  PlayoutResult play(State& state, Rng& rng, Trace* trace, int max_length, const Values& cut) override {
    PlayoutResult result = inner().play(state, rng, trace, std::min(depth_, max_length), cut);
    if (result.finished || result.length < depth_) return result;
    result.unresolved = false;
    const Question question{&state, {}};
    evaluator_->evaluate({&question, 1}, {&answer_, 1}, {rng, max_length, cut, halt()});
    if (!discounts_rewards()) {
      result.utilities = answer_.utilities;
      return result;
    }
    // Results count from the leaf on; an evaluator speaks of the whole match.
    Values so_far{};
    state.returns(so_far);
    const double factor = std::pow(reward_discount(), result.length);
    for (std::size_t p = 0; p < so_far.size(); ++p) result.utilities[p] += factor * (answer_.utilities[p] - so_far[p]);
    return result;
  }

 private:
  int depth_;
  std::shared_ptr<Evaluator> evaluator_;
  Evaluation answer_;
};

}  // namespace

std::unique_ptr<Playout> make_cut_off(const PartSpec& spec, const GameInfo& info) {
  return std::make_unique<CutOff>(spec, info);
}

}  // namespace treewise
