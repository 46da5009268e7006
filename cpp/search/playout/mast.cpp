// MAST, the move-average sampling technique (Finnsson & Bjornsson 2008): the mean result of each action
// wherever it was played, used epsilon-greedily or by a Gibbs distribution.
#include <cmath>

#include "base/table.h"
#include "search/playout/playout.h"

namespace treewise {

namespace {

class Mast final : public PlayoutWrapper {
 public:
  Mast(const PartSpec& spec, const GameInfo& info)
      : PlayoutWrapper(make_playout(spec.part("inner"), info)),
        gibbs_(spec.text("mode") == "gibbs"),
        tree_only_(spec.flag("tree_only")),
        epsilon_(spec.number("epsilon")),
        temperature_(spec.number("temperature")),
        unseen_(static_cast<float>(spec.number("unseen"))),
        decay_(static_cast<float>(spec.number("decay"))),
        ids_(info.num_action_ids) {
    // Small sets of ids get a plain array, others a hash table.
    if (ids_ > 0 && ids_ <= 1 << 16)
      dense_.resize(static_cast<std::size_t>(ids_) * static_cast<std::size_t>(info.num_players));
  }

  Action pick(Turn& turn) override {
    if (gibbs_) return pick_gibbs(turn);
    if (turn.rng.uniform() < epsilon_) return inner().pick(turn);
    return pick_greedy(turn);
  }

  bool wants_trace() const override { return true; }

  void learn(const Record& record) override {
    const std::size_t steps = tree_only_ ? static_cast<std::size_t>(record.tree_steps) : record.trace->size();
    for (std::size_t i = 0; i < steps; ++i) {
      const Step& step = (*record.trace)[i];
      if (step.player < 0) continue;
      if (Mean* mean = cell(step.player, step.action))
        mean->add(static_cast<float>(record.outcome[static_cast<std::size_t>(step.player)]));
    }
    inner().learn(record);
  }

  void decay() override {
    const auto fade = [this](Mean& mean) { mean.count *= decay_; };
    for (Mean& mean : dense_) fade(mean);
    sparse_.for_each(fade);
    inner().decay();
  }

 private:
  std::uint64_t key(int player, Action action) const {
    return (static_cast<std::uint64_t>(player + 1) << 32) | static_cast<std::uint32_t>(action);
  }
  Mean* cell(int player, Action action) {
    if (dense_.empty()) return sparse_.insert(key(player, action));
    return &dense_[static_cast<std::size_t>(player * ids_ + action)];
  }
  float value(int player, Action action) const {
    const Mean* mean =
        dense_.empty() ? sparse_.find(key(player, action)) : &dense_[static_cast<std::size_t>(player * ids_ + action)];
    return mean && mean->count > 0 ? mean->value : unseen_;
  }

  // The greatest value; ties are broken at random by keeping each later equal with probability 1/ties.
  Action pick_greedy(Turn& turn) {
    Action best = turn.actions[0];
    float best_value = -1e30f;
    std::uint32_t ties = 1;
    for (const Action action : turn.actions) {
      const float v = value(turn.player, action);
      if (v > best_value) {
        best = action;
        best_value = v;
        ties = 1;
      } else if (v == best_value && turn.rng.below(++ties) == 0) {
        best = action;
      }
    }
    return best;
  }

  Action pick_gibbs(Turn& turn) {
    weights_.clear();
    double total = 0;
    for (const Action action : turn.actions) {
      weights_.push_back(total += std::exp(static_cast<double>(value(turn.player, action)) / temperature_));
    }
    const double u = turn.rng.uniform() * total;
    std::size_t i = 0;
    while (i + 1 < weights_.size() && weights_[i] <= u) ++i;
    return turn.actions[i];
  }

  bool gibbs_, tree_only_;
  double epsilon_, temperature_;
  float unseen_, decay_;
  int ids_;
  std::vector<Mean> dense_;
  Table<Mean> sparse_;
  std::vector<double> weights_;
};

}  // namespace

std::unique_ptr<Playout> make_mast(const PartSpec& spec, const GameInfo& info) {
  return std::make_unique<Mast>(spec, info);
}

}  // namespace treewise
