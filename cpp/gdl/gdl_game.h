// Games of rulesheets: the ordinary contract over a circuit.
//
// A state is the set of its facts. It borrows a net from its game for as long as it takes to answer, and gets the
// same one again where that is free, so that a search works on one net a thread and states cost nothing to keep.
//
// Where one role has a choice it is the player to move, and the others make their only actions with it. Where several
// have, the state is simultaneous, or they choose one after the other in a game that is not; where none has, the first
// role moves. A role that is chance comes last: its action is drawn after the players have chosen theirs. Action ids
// run through all roles. Returns are goals, 0 to 100.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "game/game.h"
#include "gdl/circuit.h"
#include "gdl/grounding/budget.h"
#include "gdl/net.h"

namespace treewise::gdl {

// The nets of a game, handed out one caller at a time.
class NetPool {
 public:
  explicit NetPool(const Circuit& circuit) : first_(circuit) {}

  struct Entry {
    explicit Entry(const Net& net) : net(net) {}
    std::atomic<bool> taken{true};
    Net net;
  };
  // `wanted` if it is free, another one otherwise.
  Entry* take(Entry* wanted);
  static void give_back(Entry* entry) { entry->taken.store(false, std::memory_order_release); }
  std::size_t size() const;

 private:
  const Net first_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Entry>> entries_;
};

class GdlGame final : public Game {
 public:
  // Random playouts show whether several roles ever have a choice at once; then they act at once. `sequential`: one
  // after the other all the same.
  GdlGame(Program program, std::string name, int max_length, bool sequential, Budget* budget = nullptr);

  const GameInfo& info() const override { return info_; }
  const Parameters& parameters() const override { return parameters_; }
  std::unique_ptr<State> initial_state() const override;
  // `board`: the facts, as the sheet spells them. `player` must be the one to move.
  std::unique_ptr<State> parse_state(std::string_view board, int player) const override;

  const Program& program() const { return program_; }
  const Circuit& circuit() const { return circuit_; }
  NetPool& nets() const { return nets_; }
  int num_roles() const { return circuit_.num_roles; }
  bool has_chance() const { return program_.has_chance; }
  int first_action(int role) const { return first_action_[static_cast<std::size_t>(role)]; }
  const std::string& action_text(Action action) const { return *action_texts_[static_cast<std::size_t>(action)]; }

 private:
  bool has_joint_choices(Budget* budget) const;

  Program program_;
  GameInfo info_;
  Parameters parameters_;
  Circuit circuit_;
  mutable NetPool nets_;
  std::vector<int> first_action_;
  std::vector<const std::string*> action_texts_;
};

class GdlState final : public State, public HasHash, public HasChance, public HasSimultaneous {
 public:
  GdlState(const GdlGame& game, std::vector<std::uint64_t> facts);
  GdlState(const GdlState& other);

  std::unique_ptr<State> clone() const override { return std::make_unique<GdlState>(*this); }
  void assign(const State& other) override;

  int current_player() const override { return player_; }
  bool is_terminal() const override { return player_ == kTerminal; }
  void legal_actions(ActionList& out) const override;
  void apply(Action action) override;
  void returns(Values& out) const override;
  bool has_result() const override { return !stuck_; }
  int playout(Rng& rng, int max_length, Trace* trace) override;
  std::string action_name(Action action) const override { return game_->action_text(action); }
  std::string draw() const override;

  std::uint64_t hash() const override;
  void chance_probabilities(std::vector<double>& out) const override;
  int num_players() const override { return game_->info().num_players; }
  void legal_actions(int player, ActionList& out) const override;
  void apply_joint(std::span<const Action> actions) override;

  // Of every role at any state, a terminal one too.
  void legal_of(int role, ActionList& out) const;
  std::vector<int> goals(int role) const;
  // Whether the rules call the state terminal. One where a role has no legal action ends the match all the same.
  bool is_over() const { return is_terminal() && !stuck_; }
  const std::vector<std::uint64_t>& facts() const { return facts_; }
  int num_roles() const { return game_->num_roles(); }

 private:
  class Borrowed;
  void look(const Net& net);
  void step(Net& net, std::span<const Action> joint);
  void take(Net& net, Action action);
  void finish(Net& net, Action drawn);
  bool has_draw(const Net& net) const { return game_->has_chance() && net.num_legal(num_players()) > 1; }
  int role_of(int player) const { return player == kChance ? num_players() : player; }
  int random_step(Rng& rng, Trace* trace);
  int joint_playout(Rng& rng, int max_length, Trace* trace);
  const GdlGame* game_;
  std::vector<std::uint64_t> facts_;
  int player_ = kTerminal;
  bool stuck_ = false;                      // ended because some role has no legal action
  std::array<Action, kMaxPlayers> chosen_;  // by roles that choose before others; kNoAction otherwise
  mutable std::atomic<NetPool::Entry*> last_{nullptr};
};

}  // namespace treewise::gdl
