// MAST, the move-average sampling technique (Finnsson & Bjornsson 2008): the mean result of each action
// wherever it was played, used epsilon-greedily or by a Gibbs distribution.
#include <cmath>
#include <limits>

#include "base/table.h"
#include "search/playout/playout.h"

namespace treewise {

namespace {

// The mean result of each action of each player: plain arrays where the ids are few enough, else a hash table.
class ActionMeans {
 public:
  ActionMeans(const GameInfo& info, float unseen) : ids_(info.num_action_ids), unseen_(unseen) {
    if (ids_ <= 0 || ids_ > kMostDense) return;
    values_.assign(static_cast<std::size_t>(ids_) * static_cast<std::size_t>(info.num_players), unseen);
    counts_.resize(values_.size());
  }

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

  // What was seen counts `decay` times as much as before; with 0 it is forgotten.
  void fade(float decay) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      counts_[i] *= decay;
      if (counts_[i] == 0) values_[i] = unseen_;
    }
    sparse_.for_each([decay](Mean& mean) { mean.count *= decay; });
  }

 private:
  static constexpr int kMostDense = 1 << 18;

  static std::uint64_t key(int player, Action action) {
    return (static_cast<std::uint64_t>(player + 1) << 32) | static_cast<std::uint32_t>(action);
  }
  std::size_t index(int player, Action action) const { return static_cast<std::size_t>(player * ids_ + action); }
  float find(int player, Action action) const {
    const Mean* mean = sparse_.find(key(player, action));
    return mean && mean->count > 0 ? mean->value : unseen_;
  }

  int ids_;
  float unseen_;
  std::vector<float> values_, counts_;
  Table<Mean> sparse_;
};

class Mast final : public PlayoutWrapper {
 public:
  Mast(const PartSpec& spec, const GameInfo& info)
      : PlayoutWrapper(make_playout(spec.part("inner"), info)),
        gibbs_(spec.text("mode") == "gibbs"),
        tree_only_(spec.flag("tree_only")),
        epsilon_(spec.number("epsilon")),
        temperature_(spec.number("temperature")),
        decay_(static_cast<float>(spec.number("decay"))),
        means_(info, static_cast<float>(spec.number("unseen"))) {}

  Action pick(Turn& turn) override {
    if (gibbs_) return pick_gibbs(turn);
    if (turn.rng.uniform() < epsilon_) return inner().pick(turn);
    return pick_greedy(turn);
  }

  // What is not chosen greedily need not be listed.
  Action choose(Turn& turn) override {
    if (!gibbs_ && turn.rng.uniform() < epsilon_) return inner().choose(turn);
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

  void decay() override {
    means_.fade(decay_);
    inner().decay();
  }

 private:
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

  Action pick_gibbs(Turn& turn) {
    means_.look_up(turn.player, turn.actions, values_);
    weights_.clear();
    double total = 0;
    for (const float value : values_) weights_.push_back(total += std::exp(static_cast<double>(value) / temperature_));
    const double u = turn.rng.uniform() * total;
    std::size_t i = 0;
    while (i + 1 < weights_.size() && weights_[i] <= u) ++i;
    return turn.actions[i];
  }

  bool gibbs_, tree_only_;
  double epsilon_, temperature_;
  float decay_;
  ActionMeans means_;
  std::vector<float> values_;
  std::vector<double> weights_;
};

}  // namespace

std::unique_ptr<Playout> make_mast(const PartSpec& spec, const GameInfo& info) {
  return std::make_unique<Mast>(spec, info);
}

}  // namespace treewise
