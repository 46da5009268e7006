// Video games: the ordinary contract over a machine.
//
// One player. Actions are `Action` of treewise.vgdl.program; those that the avatar has not act as none. Returns are the
// score, plus or minus what winning or losing is worth. Chance is drawn inside a tick by the state's own dice.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "game/game.h"
#include "vgdl/features.h"
#include "vgdl/machine.h"

namespace treewise::vgdl {

class VgdlGame final : public Game {
 public:
  // `program` is checked. `java_random`: to repeat recorded runs, draws are those of java.util.Random.
  VgdlGame(Program program, std::string name, double win_value, int max_length, bool java_random);
  VgdlGame(const VgdlGame&) = delete;  // rules point into the tables
  VgdlGame& operator=(const VgdlGame&) = delete;

  const GameInfo& info() const override { return info_; }
  const Parameters& parameters() const override { return parameters_; }
  std::unique_ptr<State> initial_state() const override;
  std::unique_ptr<State> parse_state(std::string_view board, int player) const override;

  const Program& program() const { return program_; }
  const Tables& tables() const { return tables_; }
  const Features& features() const { return features_; }
  const Block& start() const { return start_; }
  double win_value() const { return win_value_; }
  bool java_random() const { return java_random_; }

 private:
  Program program_;
  double win_value_;
  bool java_random_;
  GameInfo info_;
  Parameters parameters_;
  Tables tables_;
  Features features_;
  Block start_;
};

class VgdlState final : public State,
                        public HasHash,
                        public HasRewards,
                        public HasDice,
                        public HasScore,
                        public HasFeatures,
                        public HasOwnMoves,
                        public HasScene {
 public:
  explicit VgdlState(const VgdlGame& game);
  // A copy records no events, and by the framework's defect it shows hidden sprites only once it is advanced.
  VgdlState(const VgdlState& other) : game_(other.game_), block_(other.block_), shared_pull_(other.shared_pull_) {}

  std::unique_ptr<State> clone() const override { return std::make_unique<VgdlState>(*this); }
  void assign(const State& other) override;
  int current_player() const override { return is_terminal() ? kTerminal : 0; }
  bool is_terminal() const override { return block_.head().winner >= 0; }
  void legal_actions(ActionList& out) const override;
  void apply(Action action) override;
  void returns(Values& out) const override { out[0] = score() + outcome() * game_->win_value(); }
  int playout(Rng& rng, int max_length, Trace* trace) override;
  std::string action_name(Action action) const override;
  std::string draw() const override;

  std::uint64_t hash() const override;
  void rewards(Values& out) const override;
  void reseed(std::uint64_t seed) override { block_.head().dice = Dice(seed, game_->java_random()); }
  double score() const override { return static_cast<double>(block_.head().score); }
  int num_features() const override { return game_->features().size(); }
  void features(std::span<double> out) const override { game_->features().compute(block_, shows_hidden(), out); }
  FeatureOrigin origin(int feature) const override { return game_->features().origin(feature); }

  void own_moves(std::span<const Action> actions, std::span<double> features, FeatureChanges& out) const override;
  void scene(Scene& out, bool items) const override;

  // From now on events are kept.
  void record_events();
  const std::vector<Event>* events() const { return events_.get(); }
  // Whether hidden sprites are seen, which is a defect of the framework.
  bool shows_hidden() const { return advanced_ && game_->tables().options.hidden_shown; }
  const VgdlGame& game() const { return *game_; }
  const Block& block() const { return block_; }

 private:
  int outcome() const { return block_.head().winner < 0 ? 0 : block_.head().winner == 1 ? 1 : -1; }
  void place_body(Scene& out) const;
  void list_items(std::vector<Scene::Item>& out) const;
  Machine machine() { return Machine(game_->tables(), block_, shared_pull_.get(), events_.get()); }

  const VgdlGame* game_;
  Block block_;
  std::shared_ptr<SharedPull> shared_pull_;  // of a match: the initial state's and all that are copied from it
  bool advanced_ = false;
  std::unique_ptr<std::vector<Event>> events_;
};

}  // namespace treewise::vgdl
