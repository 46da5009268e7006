// N-gram selection technique (Tak, Winands & Bjornsson 2012): mean results of sequences of one to three
// actions that end in the player's own. The context of a player's action is the last action of the player
// before them in turn order, and before that the last action of the player before that one.
#include <array>

#include "base/table.h"
#include "search/playout/playout.h"

namespace treewise {

namespace {

constexpr int kMaxLength = 3;

class Ngram final : public PlayoutWrapper {
 public:
  Ngram(const PartSpec& spec, const GameInfo& info)
      : PlayoutWrapper(make_playout(spec.part("inner"), info)),
        length_(static_cast<int>(spec.integer("length"))),
        min_visits_(static_cast<float>(spec.number("min_visits"))),
        epsilon_(spec.number("epsilon")),
        unseen_(static_cast<float>(spec.number("unseen"))),
        decay_(static_cast<float>(spec.number("decay"))),
        players_(info.num_players) {}

  bool wants_trace() const override { return true; }

  Action pick(Turn& turn) override {
    if (turn.rng.uniform() < epsilon_) return inner().pick(turn);
    std::array<std::uint64_t, kMaxLength> context = context_before(turn.trace, turn.trace.size(), turn.player);
    Action best = turn.actions[0];
    float best_value = -1e30f;
    std::uint32_t ties = 1;
    for (const Action action : turn.actions) {
      const float v = value(context, action);
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

  void learn(const Record& record) override {
    const Trace& trace = *record.trace;
    std::size_t moment = 0;  // where the steps of the present moment begin
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if (!trace[i].joint) moment = i;
      if (trace[i].player < 0) continue;
      const auto context = context_before(trace, moment, trace[i].player);
      const auto x = static_cast<float>(record.outcome[static_cast<std::size_t>(trace[i].player)]);
      for (int n = 0; n < length_; ++n) {
        if (context[static_cast<std::size_t>(n)] == 0) break;
        if (Mean* mean = table_.insert(key(context[static_cast<std::size_t>(n)], trace[i].action))) mean->add(x);
      }
    }
    inner().learn(record);
  }

  void decay() override {
    table_.for_each([this](Mean& mean) { mean.count *= decay_; });
    inner().decay();
  }

 private:
  static std::uint64_t key(std::uint64_t context, Action action) {
    return mix(context, static_cast<std::uint64_t>(static_cast<std::uint32_t>(action))) | 1;
  }

  // Hashes of the contexts of length 0, 1, 2 for an action of `player` played after the first `end` steps; 0
  // where the match is too young for one.
  std::array<std::uint64_t, kMaxLength> context_before(const Trace& trace, std::size_t end, int player) const {
    std::array<std::uint64_t, kMaxLength> context{};
    context[0] = mix(7, static_cast<std::uint64_t>(player)) | 1;
    int role = player;
    std::size_t i = end;
    for (int n = 1; n < length_; ++n) {
      role = (role + players_ - 1) % players_;
      while (i > 0 && trace[i - 1].player != role) --i;
      if (i == 0) break;
      --i;
      context[static_cast<std::size_t>(n)] =
          mix(context[static_cast<std::size_t>(n - 1)],
              static_cast<std::uint64_t>(static_cast<std::uint32_t>(trace[i].action)) + 3) |
          1;
    }
    return context;
  }

  // The mean of the single action's average and those of its longer n-grams that were seen often enough.
  float value(const std::array<std::uint64_t, kMaxLength>& context, Action action) const {
    const Mean* single = table_.find(key(context[0], action));
    if (!single || single->count <= 0) return unseen_;
    float sum = single->value, terms = 1;
    for (int n = 1; n < length_ && context[static_cast<std::size_t>(n)] != 0; ++n) {
      const Mean* longer = table_.find(key(context[static_cast<std::size_t>(n)], action));
      if (!longer || longer->count < min_visits_) continue;
      sum += longer->value;
      terms += 1;
    }
    return sum / terms;
  }

  int length_;
  float min_visits_;
  double epsilon_;
  float unseen_, decay_;
  int players_;
  Table<Mean> table_;
};

}  // namespace

std::unique_ptr<Playout> make_ngram(const PartSpec& spec, const GameInfo& info) {
  return std::make_unique<Ngram>(spec, info);
}

}  // namespace treewise
