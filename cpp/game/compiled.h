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

// Null where the game has no such function. `out` of actions has room for the game's `max_actions`, `out` of
// candidates for its `max_candidates`, `out` of numbers for one number a player.
struct CompiledFunctions {
  std::int64_t (*current_player)(const void* record) = nullptr;
  std::int64_t (*is_terminal)(const void* record) = nullptr;
  std::int64_t (*legal_actions)(const void* record, Action* out) = nullptr;
  std::int64_t (*apply)(void* record, Action action) = nullptr;
  std::int64_t (*returns)(const void* record, double* out) = nullptr;
  // Plays up to `limit` steps and returns how many.
  std::int64_t (*playout)(void* record, std::uint64_t* rng, std::int64_t limit) = nullptr;
  // The same, and writes the steps; `entries` gets how many there are (one for each player of a joint step).
  std::int64_t (*traced_playout)(void* record, std::uint64_t* rng, std::int64_t limit, Step* trace,
                                 std::int64_t* entries) = nullptr;

  std::int64_t (*hash)(const void* record, std::uint64_t* out) = nullptr;
  std::int64_t (*chance_probabilities)(const void* record, double* out) = nullptr;
  std::int64_t (*legal_actions_of)(const void* record, std::int64_t player, Action* out) = nullptr;
  std::int64_t (*apply_joint)(void* record, const Action* actions) = nullptr;
  std::int64_t (*rewards)(const void* record, double* out) = nullptr;
  std::int64_t (*resample)(void* record, std::int64_t player, std::uint64_t* rng) = nullptr;
  std::int64_t (*quality)(const void* record, double* out) = nullptr;
  std::int64_t (*playout_candidates)(const void* record, std::uint64_t* rng, Action* out) = nullptr;
  std::int64_t (*winning_actions)(const void* record, Action* out) = nullptr;
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
  // `info.capabilities` says what `texts` can do (kParse, kHidden's observation); the rest follows from the
  // functions. `initial` is the record of the initial state. Throws std::invalid_argument where an obligatory
  // function or size is missing.
  CompiledGame(GameInfo info, CompiledFunctions functions, std::vector<std::byte> initial, int max_actions,
               int max_candidates, std::unique_ptr<const CompiledTexts> texts);

  const GameInfo& info() const override { return info_; }
  const Parameters& parameters() const override { return parameters_; }
  std::unique_ptr<State> initial_state() const override;
  std::unique_ptr<State> parse_state(std::string_view board, int player) const override;

  const CompiledFunctions& functions() const { return functions_; }
  const CompiledTexts& texts() const { return *texts_; }
  std::size_t record_size() const { return initial_.size(); }
  std::size_t max_actions() const { return max_actions_; }
  std::size_t max_candidates() const { return max_candidates_; }

 private:
  GameInfo info_;
  Parameters parameters_;
  CompiledFunctions functions_;
  std::vector<std::byte> initial_;
  std::size_t max_actions_, max_candidates_;
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
                            public HasWinning {
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

  std::uint64_t hash() const override;
  void chance_probabilities(std::vector<double>& out) const override;
  void legal_actions(int player, ActionList& out) const override;
  void apply_joint(std::span<const Action> actions) override;
  void rewards(Values& out) const override;
  void resample(int player, Rng& rng) override;
  std::string observation(int player) const override;
  double quality() const override;
  void playout_candidates(Rng& rng, ActionList& out) const override;
  void winning_actions(ActionList& out) const override;

 private:
  static constexpr std::size_t kInline = 256;

  const std::byte* data() const { return heap_ ? heap_.get() : inline_; }
  std::byte* data() { return heap_ ? heap_.get() : inline_; }
  const CompiledFunctions& call() const { return game_->functions(); }
  // Passes results through and throws on a CompiledStatus.
  std::int64_t checked(std::int64_t result, const char* function) const;
  void fill(ActionList& out, std::int64_t count, std::size_t room, bool may_be_empty,
            const char* function) const;
  void fill(Values& out, std::int64_t result, const char* function) const;

  const CompiledGame* game_;
  std::unique_ptr<std::byte[]> heap_;  // records over kInline bytes
  alignas(16) std::byte inline_[kInline];
};

}  // namespace treewise
