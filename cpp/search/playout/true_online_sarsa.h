// The learning playouts of TD-MCTS, as a class: true_online_sarsa.cpp plays and learns, sarsa_choices.cpp chooses.
#pragma once

#include <array>
#include <limits>
#include <optional>

#include "search/playout/action_blocks.h"
#include "search/playout/state_features.h"

namespace treewise {

class TrueOnlineSarsa final : public PlayoutWrapper {
 public:
  TrueOnlineSarsa(const PartSpec& spec, const GameInfo& info)
      : PlayoutWrapper(make_playout(spec.part("inner"), info)),
        rates_{spec.number("alpha"),          spec.number("lam"),  spec.number("gamma"), spec.number("initial"),
               spec.text("q_old") == "first", spec.flag("restart")},
        epsilon_(spec.number("epsilon")),
        by_state_(spec.text("psi") != "own_moves" && spec.text("psi") != "after_states"),
        has_blocks_(by_state_ && spec.text("psi") != "states"),
        shared_(spec.text("psi") == "shared_blocks"),
        by_moves_(spec.text("psi") == "own_moves" && info.has(Capability::kOwnMoves)),
        fresh_(spec.flag("fresh") && info.has(Capability::kDice)),
        ends_count_(spec.text("ends") == "features"),
        keeps_(spec.flag("keep")),
        chooses_(spec.text("snapshot") == "all" ? By::kSnapshot : By::kWeights),
        cuts_(spec.text("snapshot") == "none" ? By::kWeights : By::kSnapshot),
        wanted_{static_cast<int>(spec.integer("discover")), spec.text("discovers") == "kinds", spec.flag("floors"),
                spec.flag("hidden"), most_fixed(spec.text("fixed"))},
        info_(info),
        players_(static_cast<std::size_t>(info.num_players)),
        alone_(info.num_players == 1 && !info.has(Capability::kChance) && !info.has(Capability::kSimultaneous)),
        scored_(info.num_players == 1 && info.has(Capability::kScore)),
        rewarded_(info.has(Capability::kRewards) || info.has(Capability::kScore)),
        rewards_(players_ <= 2 ? 1 : players_) {
    // What is learned of two is how far they are from the middle between them.
    if (players_ == 2 && !rewarded_) middle_ = (info.min_utility + info.max_utility) / 2;
  }

  void allow(double seconds) override {
    inner().allow(seconds);
    allowed_ = seconds;
  }
  void start(const State& root, std::uint64_t seed) override {
    inner().start(root, seed);
    if (!learner_) {
      prepare(root, derive_seed(seed, 0));
    } else if (!keeps_) {
      learner_->start_anew();
    }
    learner_->take_snapshot();
    read(root, root_values_);
    if (by_moves_) own_[0].state->assign(root);
    begin();
  }
  bool wants_path() const override { return true; }
  void leave_cuts() override { judges_ = false; }

  void begin() override {
    learner_->begin();
    path_values_ = root_values_;
    from_ = &own_[0];
    led_ = true;
  }
  void follow(const State& after, Action action, int player) override {
    if (player >= 0 && by_moves_) take_own_move(*from_, action, path_values_);
    if (player >= 0 && (by_state_ || by_moves_))
      learner_->trace({path_values_.data(), block_of(player, action), shared_});
    read(after, path_values_);
    if (player >= 0 && !by_state_ && !by_moves_) learner_->trace({path_values_.data()});
    if (!by_moves_) return;
    from_ = &own_[1];
    from_->state->assign(after);
  }

  PlayoutResult play(State& state, Rng& rng, Trace* trace, int max_length, const Values& cut) override;

  // Block after block, in the order in which their actions were met.
  std::vector<double> weights() const override {
    std::vector<double> all;
    for (std::size_t block = 0; learner_ && block < learner_->num_blocks(); ++block) {
      for (std::size_t head = 0; head < rewards_.size(); ++head) {
        const auto part = learner_->weights(block, head);
        all.insert(all.end(), part.begin(), part.end());
      }
    }
    return all;
  }

 private:
  using By = LinearSarsa::By;

  // A state and what is asked of it, looked up once.
  struct Place {
    State* state = nullptr;
    const HasFeatures* features = nullptr;
    const HasOwnMoves* moves = nullptr;
    const HasScore* score = nullptr;
    HasDice* dice = nullptr;

    void look_at(State& other) {
      if (state == &other) return;
      state = &other;
      features = &dynamic_cast<const HasFeatures&>(other);
      moves = dynamic_cast<const HasOwnMoves*>(&other);
      score = dynamic_cast<const HasScore*>(&other);
      dice = dynamic_cast<HasDice*>(&other);
    }
  };

  // An action with its features.
  struct Choice {
    Action action = kNoAction;
    int player = 0;
    bool greedy = false;
    Numbers values;
    std::size_t block = 0;
  };

  struct Run {
    Rng& rng;
    Trace* trace;
    int max_length;
    int length = 0;
    double factor = 1;  // gamma to the number of choices so far
  };

  void prepare(const State& root, std::uint64_t seed);
  void read(const State& state, Numbers& out) { features_.read(*followed_.of(state), out); }
  std::size_t block_of(int player, Action action) {
    if (!has_blocks_) return 0;
    const std::size_t block = blocks_->of(player, action) + shared_;  // the first one is that of all
    learner_->reach(block);
    return block;
  }

  // Where a playout has come to: to a player's choice, to the end of the match, or to its limit elsewhere.
  enum class Arrival { kChoice, kOver, kNobody };

  void begin_at(State& state);
  Arrival play_on(Run& run, Values& total);
  Arrival settle(Run& run);
  int mover() const { return alone_ ? 0 : here_->state->current_player(); }
  void step(Run& run);
  void collect(bool over);
  void choose(Run& run, Choice& choice);
  void choose_best(Turn& turn, Choice& choice, By by);
  void describe(Choice& choice);
  void describe_end();
  void take_own_move(const Place& from, Action action, Numbers& values);
  void change(std::span<const FeatureChange> changes, Numbers& values) const;
  double worth_of(std::span<const FeatureChange> changes, const Numbers& values, int player, By by) const;
  void choose_own_move(Turn& turn, Choice& choice, By by);
  void look_ahead(Action action, Rng& rng);
  void keep(Choice& choice, Action action);
  void add_value_of_cut(Run& run, Values& total);
  Psi psi_of(const Choice& choice) const { return {choice.values.data(), choice.block, shared_}; }
  // For this player.
  double value(const Psi& psi, int player, By by) const {
    if (players_ > 2) return learner_->value(psi, static_cast<std::size_t>(player), by);
    return player == 0 ? learner_->value(psi, 0, by) : -learner_->value(psi, 0, by);
  }
  static int most_fixed(const std::string& fixed) { return fixed == "counted" ? 2 : fixed == "not_together" ? 1 : 0; }

  LinearSarsa::Rates rates_;
  double epsilon_;
  bool by_state_, has_blocks_, shared_, by_moves_, fresh_, ends_count_, keeps_;
  By chooses_, cuts_;  // by which weights playouts choose, and judge where they are cut off
  FeatureChoice wanted_;
  double allowed_ = std::numeric_limits<double>::infinity();  // seconds, to discover
  GameInfo info_;
  std::size_t players_;
  bool alone_, scored_, rewarded_;
  bool judges_ = true;  // what a state is worth where the playout is cut off
  double middle_ = 0;

  std::optional<LinearSarsa> learner_;
  std::optional<ActionBlocks> blocks_;
  StateFeatures features_;
  Numbers root_values_, path_values_, trial_values_;
  bool led_ = false;  // `path_values_` are those of the leaf
  Cached<const HasFeatures> followed_;

  // With own moves, the state on the way down the tree: the root, then copies.
  Place* from_ = nullptr;
  FeatureChanges changes_;

  // The playout under way: in the given state, or from one copy to the next.
  Place given_;
  std::array<Place, 3> own_;
  std::array<std::unique_ptr<State>, 3> states_;
  Place* here_ = nullptr;
  Place* next_ = nullptr;   // after the chosen action
  Place* trial_ = nullptr;  // after the one that is looked at
  Choice now_, then_;
  Values before_{}, gained_{};
  double score_ = 0;
  std::vector<double> rewards_;
  ActionList actions_;
  Trace no_trace_;
};

}  // namespace treewise
