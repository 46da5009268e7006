// Games whose rules are machine code made at run time: functions over a record of fixed size, called through
// a table of pointers. The engine does not know who made the code; `treewise.compiled` makes it from Python.
//
//   record   [ fields, largest alignment first | zero bytes up to a multiple of 8 ]     equal states, equal
//   bytes
//
// The functions hold no state of their own and may run in several threads at once, each on its own record.
#pragma once

#include <cstddef>

#include "game/game.h"

namespace treewise {

// What the functions return: a count or a player, or one of these where something went wrong.
enum CompiledStatus : std::int64_t {
  kRaised = -100,     // the code raised an exception
  kNoActions = -101,  // no legal action in a state that is not terminal
  kTooMany = -102,    // more actions than the buffer has places
  kBadAction = -103,  // a negative action was chosen or listed
  kBadChance = -104,  // probabilities that are negative or do not sum to 1
  kBadPlayer = -105,  // current_player is out of range
  kBadNumber = -106,  // a value that is not finite
};

// What the engine asks of the rules, and which arguments of `ask` it uses. Questions of a capability that the
// game lacks are never asked.
enum class Question : std::int64_t {
  kCurrentPlayer,        // -> the player
  kIsTerminal,           // -> 0 or 1
  kLegalActions,         // actions -> their number, at most max_actions
  kApply,                // argument: the action
  kReturns,              // values, one for each player
  kHash,                 // word
  kChanceProbabilities,  // values, in the order of the legal actions -> their number
  kLegalActionsOf,       // argument: the player; actions -> their number
  kApplyJoint,           // actions, one for each player
  kRewards,              // values, one for each player
  kResample,             // argument: the player; word: the generator
  kQuality,              // values, one number
  kPlayoutCandidates,    // word: the generator; actions -> their number, at most max_candidates
  kWinningActions,       // actions -> their number, at most max_actions
  kScore,                // values, one number
  kFeatures,             // values, num_features numbers
};

// A step as machine code writes it.
struct CompiledStep {
  std::int32_t action;
  std::int32_t player;  // plus kJointMark if played at the same moment as the step before it

  static constexpr std::int32_t kJointMark = 1 << 16;
};

// Two functions rather than one a question: they are made while someone waits.
struct CompiledFunctions {
  // Returns the answer's number, 0 where there is none, or a CompiledStatus. Only kApply, kApplyJoint and
  // kResample change the record.
  std::int64_t (*ask)(std::int64_t question, const void* record, std::int64_t argument, Action* actions, double* values,
                      std::uint64_t* word) = nullptr;
  // Plays uniformly for up to `limit` steps and returns how many. With `traced`, writes the steps to `trace`
  // and their number (one for each player of a joint step) to `entries`.
  std::int64_t (*playout)(void* record, std::uint64_t* rng, std::int64_t limit, std::int64_t traced,
                          CompiledStep* trace, std::int64_t* entries) = nullptr;
  bool hashes = false;  // whether the rules answer kHash; else the bytes are hashed
};

using RecordBytes = std::span<const std::byte>;

// What people read of a compiled game; never called inside a simulation.
class CompiledTexts {
 public:
  virtual ~CompiledTexts() = default;
  virtual std::string action_name(RecordBytes record, Action action) const = 0;
  virtual std::string draw(RecordBytes record) const = 0;
  virtual std::string observation(RecordBytes record, int player) const = 0;
  // The record of a position given as text. Throws std::invalid_argument.
  virtual std::vector<std::byte> parse(std::string_view board, int player) const = 0;
};

class CompiledGame final : public Game {
 public:
  // `info.capabilities` says which questions may be asked; `initial` is the record of the initial state.
  // Throws std::invalid_argument where a function or a size is missing.
  CompiledGame(GameInfo info, CompiledFunctions functions, std::vector<std::byte> initial, int max_actions,
               int max_candidates, int num_features, std::unique_ptr<const CompiledTexts> texts);

  const GameInfo& info() const override { return info_; }
  const Parameters& parameters() const override { return parameters_; }
  std::unique_ptr<State> initial_state() const override;
  std::unique_ptr<State> parse_state(std::string_view board, int player) const override;

  const CompiledFunctions& functions() const { return functions_; }
  const CompiledTexts& texts() const { return *texts_; }
  std::size_t record_size() const { return initial_.size(); }
  std::size_t max_actions() const { return max_actions_; }
  std::size_t max_candidates() const { return max_candidates_; }
  int num_features() const { return num_features_; }

 private:
  GameInfo info_;
  Parameters parameters_;
  CompiledFunctions functions_;
  std::vector<std::byte> initial_;
  std::size_t max_actions_, max_candidates_;
  int num_features_;
  std::unique_ptr<const CompiledTexts> texts_;
};

// Every capability is here; the game's info says which of them may be asked.
class CompiledState final : public State,
                            public HasHash,
                            public HasChance,
                            public HasSimultaneous,
                            public HasRewards,
                            public HasHidden,
                            public HasQuality,
                            public HasPolicy,
                            public HasWinning,
                            public HasScore,
                            public HasFeatures {
 public:
  CompiledState(const CompiledGame& game, RecordBytes record);

  RecordBytes record() const { return {data(), game_->record_size()}; }

  std::unique_ptr<State> clone() const override;
  void assign(const State& other) override;
  int current_player() const override;
  bool is_terminal() const override;
  void legal_actions(ActionList& out) const override;
  void apply(Action action) override;
  void returns(Values& out) const override;
  int playout(Rng& rng, int max_length, Trace* trace) override;
  std::string action_name(Action action) const override;
  std::string draw() const override;
  std::size_t bytes() const override { return sizeof(*this) + (heap_ ? game_->record_size() : 0); }

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
  double score() const override;
  int num_features() const override { return game_->num_features(); }
  void features(std::span<double> out) const override;

 private:
  static constexpr std::size_t kInline = 256;

  const std::byte* data() const { return heap_ ? heap_.get() : inline_; }
  std::byte* data() { return heap_ ? heap_.get() : inline_; }
  // The answer, checked: a CompiledStatus is thrown.
  std::int64_t ask(Question question, std::int64_t argument = 0, Action* actions = nullptr, double* values = nullptr,
                   std::uint64_t* word = nullptr) const;
  void list(ActionList& out, Question question, std::int64_t argument = 0, std::uint64_t* word = nullptr) const;
  void fill(std::span<double> out, Question question) const;
  std::span<double> of_players(Values& values) const;
  double number(Question question) const;

  const CompiledGame* game_;
  std::unique_ptr<std::byte[]> heap_;  // records over kInline bytes
  alignas(16) std::byte inline_[kInline];
};

}  // namespace treewise
