// N-gram selection technique (Tak, Winands & Bjornsson 2012): mean results of sequences of one to three
// actions that end in the player's own. The context of a player's action is the last action of the player
// before them in turn order, and before that an earlier action of the player before that one.
#include <algorithm>
#include <array>

#include "search/playout/action_means.h"
#include "search/playout/gibbs.h"
#include "search/playout/playout.h"
#include "search/playout/sequences.h"

namespace treewise {

namespace {

constexpr std::size_t kMaxLength = 3;

class Ngram final : public PlayoutWrapper {
 public:
  Ngram(const PartSpec& spec, const GameInfo& info)
      : PlayoutWrapper(make_playout(spec.part("inner"), info)),
        longer_(static_cast<std::size_t>(spec.integer("length")) - 1,
                Sequences(static_cast<float>(spec.number("min_visits")))),
        epsilon_(spec.number("epsilon")),
        decay_(static_cast<float>(spec.number("decay"))),
        players_(info.num_players),
        gibbs_(spec.text("mode") == "gibbs"),
        gibbs_draw_(spec.number("temperature")),
        singles_(info, static_cast<float>(spec.number("unseen"))),
        by_action_(ActionMeans::is_dense(info) ? static_cast<std::size_t>(info.num_action_ids) : 0) {}

  bool wants_trace() const override { return true; }

  Action pick(Turn& turn) override {
    if (!gibbs_ && turn.rng.uniform() < epsilon_) return inner().pick(turn);
    singles_.look_up(turn.player, turn.actions, values_);
    add_longer(turn);
    return gibbs_ ? turn.actions[gibbs_draw_(values_, *std::max_element(values_.begin(), values_.end()), turn.rng)]
                  : pick_greedy(turn);
  }

  void learn(const Record& record) override {
    const Trace& trace = *record.trace;
    updates_.clear();
    std::size_t moment = 0;  // where the steps of the present moment begin
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if (!trace[i].joint) moment = i;
      if (trace[i].player < 0) continue;
      const auto x = static_cast<float>(record.outcome[static_cast<std::size_t>(trace[i].player)]);
      singles_.add(trace[i].player, trace[i].action, x);
      const Contexts contexts = contexts_before(trace, moment, trace[i].player);
      for (std::size_t n = 0; n < longer_.size() && contexts[n] != 0; ++n) {
        updates_.push_back({n, Sequences::key(contexts[n], trace[i].action), contexts[n], trace[i].action, x});
        longer_[n].expect(updates_.back().sequence);
      }
    }
    for (const Update& u : updates_) longer_[u.n].add(u.sequence, u.context, u.action, u.result);
    inner().learn(record);
  }

  void limit_memory(std::size_t bytes) override {
    const std::size_t each = bytes / 2 / (longer_.size() + 1);
    singles_.limit_memory(each);
    for (Sequences& sequences : longer_) sequences.limit_memory(each);
    inner().limit_memory(bytes / 2);
  }

  void decay() override {
    singles_.fade(decay_);
    for (Sequences& sequences : longer_) sequences.fade(decay_);
    inner().decay();
  }

 private:
  using Contexts = std::array<std::uint64_t, kMaxLength - 1>;
  struct Update {
    std::size_t n;
    std::uint64_t sequence, context;
    Action action;
    float result;
  };

  // Hashes of the contexts of one and two actions for an action of `player` played after the first `end` steps; 0
  // where the match is too young for one.
  Contexts contexts_before(const Trace& trace, std::size_t end, int player) const {
    Contexts contexts{};
    std::uint64_t context = mix(7, static_cast<std::uint64_t>(player));
    int before = player;
    std::size_t i = end;
    for (std::size_t n = 0; n < longer_.size(); ++n) {
      before = (before == 0 ? players_ : before) - 1;
      while (i > 0 && trace[i - 1].player != before) --i;
      if (i == 0) break;
      --i;
      context = mix(context, static_cast<std::uint64_t>(static_cast<std::uint32_t>(trace[i].action)) + 3) | 1;
      contexts[n] = context;
      while (trace[i].joint) --i;  // what was played at the same moment was not played before it
    }
    return contexts;
  }

  // Makes of each action's own average the mean of that and those of its longer sequences that were seen often enough.
  void add_longer(const Turn& turn) {
    const Contexts contexts = contexts_before(turn.trace, turn.trace.size(), turn.player);
    terms_.assign(values_.size(), 1);
    for (std::size_t n = 0; n < longer_.size() && contexts[n] != 0; ++n) {
      const auto row = longer_[n].after(contexts[n]);
      if (!row.empty()) by_action_.empty() ? look_up(longer_[n], contexts[n], turn) : spread(row, turn);
    }
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] /= terms_[i];
  }

  void look_up(const Sequences& sequences, std::uint64_t context, const Turn& turn) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Mean* mean = sequences.find(context, turn.actions[i]);
      if (!mean) continue;
      values_[i] += mean->value;
      terms_[i] += 1;
    }
  }

  // The same by way of an array over all actions.
  void spread(std::span<const Sequences::Entry> row, const Turn& turn) {
    for (const Sequences::Entry& entry : row) by_action_[static_cast<std::size_t>(entry.action)] = {entry.value, 1};
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Mean& mean = by_action_[static_cast<std::size_t>(turn.actions[i])];
      values_[i] += mean.value;
      terms_[i] += mean.count;
    }
    for (const Sequences::Entry& entry : row) by_action_[static_cast<std::size_t>(entry.action)] = {};
  }

  // One of those with the greatest value, each with the same probability.
  Action pick_greedy(Turn& turn) const {
    std::size_t best = 0;
    std::uint32_t ties = 1;
    for (std::size_t i = 1; i < values_.size(); ++i) {
      if (values_[i] > values_[best]) {
        best = i;
        ties = 1;
      } else if (values_[i] == values_[best] && turn.rng.below(++ties) == 0) {
        best = i;
      }
    }
    return turn.actions[best];
  }

  std::vector<Sequences> longer_;  // of two and of three actions
  double epsilon_;
  float decay_;
  int players_;
  bool gibbs_;
  GibbsDraw gibbs_draw_;
  ActionMeans singles_;
  std::vector<float> values_, terms_;
  std::vector<Mean> by_action_;  // zeros between two choices; empty where the ids are too many
  std::vector<Update> updates_;
};

}  // namespace

std::unique_ptr<Playout> make_ngram(const PartSpec& spec, const GameInfo& info) {
  return std::make_unique<Ngram>(spec, info);
}

}  // namespace treewise
