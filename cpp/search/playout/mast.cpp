// MAST, the move-average sampling technique (Finnsson & Bjornsson 2008): the mean result of each action
// wherever it was played, used epsilon-greedily or by a Gibbs distribution.
#include <cmath>

#include "search/playout/action_means.h"
#include "search/playout/gibbs.h"
#include "search/playout/playout.h"

namespace treewise {

namespace {

class Mast final : public PlayoutWrapper {
 public:
  Mast(const PartSpec& spec, const GameInfo& info)
      : PlayoutWrapper(make_playout(spec.part("inner"), info)),
        gibbs_(spec.text("mode") == "gibbs"),
        tree_only_(spec.flag("tree_only")),
        epsilon_(static_cast<std::uint64_t>(std::ceil(spec.number("epsilon") * 0x1.0p53))),
        gibbs_draw_(spec.number("temperature")),
        decay_(static_cast<float>(spec.number("decay"))),
        means_(info, static_cast<float>(spec.number("unseen"))),
        set_(means_.set_words()),
        best_(set_.size()) {}

  Action pick(Turn& turn) override {
    if (gibbs_) return pick_gibbs(turn);
    if (lets_inner_choose(turn.rng)) return inner().pick(turn);
    return pick_greedy(turn);
  }

  // What is not chosen greedily need not be listed.
  Action choose(Turn& turn) override {
    if (!gibbs_) {
      if (lets_inner_choose(turn.rng)) return inner().choose(turn);
      const Action action = set_.empty() ? kNoAction : pick_from_set(turn);
      if (action != kNoAction) return action;
    }
    inner().list(turn);
    return gibbs_ ? pick_gibbs(turn) : pick_greedy(turn);
  }

  bool wants_trace() const override { return true; }

  void learn(const Record& record) override {
    const std::size_t steps = tree_only_ ? static_cast<std::size_t>(record.tree_steps) : record.trace->size();
    for (std::size_t i = 0; i < steps; ++i) {
      const Step& step = (*record.trace)[i];
      if (step.player >= 0)
        means_.add(step.player, step.action, static_cast<float>(record.outcome[static_cast<std::size_t>(step.player)]));
    }
    inner().learn(record);
  }

  void limit_memory(std::size_t bytes) override {
    means_.limit_memory(bytes / 2);
    inner().limit_memory(bytes / 2);
  }

  void decay() override {
    means_.fade(decay_);
    inner().decay();
  }

 private:
  // As `uniform() < epsilon`, but known sooner.
  bool lets_inner_choose(Rng& rng) const { return rng.next() >> 11 < epsilon_; }

  // One of those with the greatest value, each with the same probability.
  Action pick_greedy(Turn& turn) {
    const float greatest = means_.look_up(turn.player, turn.actions, values_);
    std::uint32_t ties = 0;
    for (const float value : values_) ties += value == greatest;
    std::uint32_t skip = ties > 1 ? turn.rng.below(ties) : 0;
    std::size_t i = 0;
    while (values_[i] != greatest || skip-- > 0) ++i;
    return turn.actions[i];
  }

  // The same of a set, in the order of the ids; kNoAction if there is none to take from.
  Action pick_from_set(Turn& turn) {
    const SetOfActions held = inner().list_set(turn, set_);
    if (held == SetOfActions::kNone) return kNoAction;
    while (true) {
      int ties = means_.look_up(turn.player, set_, best_);
      if (ties == 0) return kNoAction;
      for (; ties > 0; --ties) {
        const std::uint32_t skip = ties > 1 ? turn.rng.below(static_cast<std::uint32_t>(ties)) : 0;
        const Action action = nth_of(best_, static_cast<int>(skip));
        if (held == SetOfActions::kExact || turn.state.may_play(action)) return action;
        const auto word = static_cast<std::size_t>(action) / 64;
        best_[word] &= ~bit(action % 64);
        set_[word] &= ~bit(action % 64);
      }
    }
  }
  static Action nth_of(const std::vector<Bits>& set, int k) {
    for (std::size_t word = 0;; ++word) {
      const int here = count(set[word]);
      if (k < here) return static_cast<Action>(64 * word) + nth(set[word], k);
      k -= here;
    }
  }

  Action pick_gibbs(Turn& turn) {
    const float greatest = means_.look_up(turn.player, turn.actions, values_);
    return turn.actions[gibbs_draw_(values_, greatest, turn.rng)];
  }

  bool gibbs_, tree_only_;
  std::uint64_t epsilon_;  // in units of 2^-53
  GibbsDraw gibbs_draw_;
  float decay_;
  ActionMeans means_;
  std::vector<float> values_;
  std::vector<Bits> set_, best_;  // actions by their ids, where these are few
};

}  // namespace

std::unique_ptr<Playout> make_mast(const PartSpec& spec, const GameInfo& info) {
  return std::make_unique<Mast>(spec, info);
}

}  // namespace treewise
