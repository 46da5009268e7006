// Games written in Python, searched as they are: the engine's State over an object with the methods.
#pragma once

#include "bind/held.h"

namespace treewise {

// The game of a Python object: everything is derived from the first state.
class PythonGame final : public Game {
 public:
  explicit PythonGame(nb::object first);  // with the GIL

  // Whether `object` is a state of the class this game was made from.
  bool is_state(nb::handle object) const { return object.type().is((*first_).type()); }

  int traverse(visitproc visit, void* arg) const { return first_.traverse(visit, arg); }
  void clear() { first_.clear(); }

  const GameInfo& info() const override { return info_; }
  const Parameters& parameters() const override { return parameters_; }
  std::unique_ptr<State> initial_state() const override;
  std::unique_ptr<State> parse_state(std::string_view board, int player) const override;

 private:
  Held first_;
  GameInfo info_;
  Parameters parameters_;
};

// One position. Each method takes the GIL itself: the engine calls without it, possibly from several threads.
// Answers of the user's code are checked here, since nothing after this checks them; the errors name the
// class and the method. Exceptions of the user's code pass through as nb::python_error.
//
// Every capability is here; the game's info says which of them may be asked.
class PythonState final : public State,
                          public HasHash,
                          public HasChance,
                          public HasSimultaneous,
                          public HasRewards,
                          public HasHidden,
                          public HasQuality,
                          public HasPolicy,
                          public HasWinning,
                          public HasDice,
                          public HasScore,
                          public HasFeatures,
                          public HasScene {
 public:
  PythonState(const GameInfo& info, nb::object object, References* owner);  // with the GIL

  // A new reference; with the GIL.
  nb::object object() const { return *object_; }

  // From here on the state and its clones are among the references of `owner`, which must live longer.
  void give_to(References* owner) { object_.give_to(owner); }
  int traverse(visitproc visit, void* arg) const { return object_.traverse(visit, arg); }
  void clear() { object_.clear(); }

  std::unique_ptr<State> clone() const override;
  void assign(const State& other) override;
  int current_player() const override;
  bool is_terminal() const override;
  void legal_actions(ActionList& out) const override;
  void apply(Action action) override;
  void returns(Values& out) const override;
  bool has_result() const override;
  int playout(Rng& rng, int max_length, Trace* trace) override;
  std::string action_name(Action action) const override;
  std::string draw() const override;

  std::uint64_t hash() const override;
  void chance_probabilities(std::vector<double>& out) const override;
  void legal_actions(int player, ActionList& out) const override;
  int num_players() const override;
  void apply_joint(std::span<const Action> actions) override;
  void rewards(Values& out) const override;
  void resample(int player, Rng& rng) override;
  std::string observation(int player) const override;
  double raw_quality() const override;
  void playout_candidates(Rng& rng, ActionList& out) const override;
  void winning_actions(ActionList& out) const override;
  void reseed(std::uint64_t seed) override;
  double score() const override;
  int num_features() const override;
  void features(std::span<double> out) const override;
  void scene(Scene& out, bool items) const override;

 private:
  enum class Known : std::int8_t { kUnknown, kNo, kYes };

  void forget();  // after the position changed
  nb::object cloned() const;
  template <class... Args>
  nb::object ask(const char* method, Args&&... args) const;
  // Exactly as many numbers as `out` has room for; `each` says of what there is one.
  void fill(std::span<double> out, const char* method, const char* each) const;
  std::span<double> of_players(Values& values) const;
  // Fills either or both of the outcomes and their probabilities.
  void outcomes(ActionList* actions, std::vector<double>* probabilities) const;

  const GameInfo* info_;
  Held object_;
  // What the user's code has said of this position; guarded by the GIL.
  mutable Known terminal_ = Known::kUnknown;
  mutable std::optional<int> player_;
};

}  // namespace treewise
