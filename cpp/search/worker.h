// One worker: runs simulations on a tree, its own or a shared one.
#pragma once

#include "search/composition.h"
#include "search/loop/kept_states.h"

namespace treewise {

class HotNodes;
class LeafTeam;

class Worker {
 public:
  // `shared`: other workers use the tree at the same time.
  Worker(const Composition& search, Tree& tree, bool shared);
  ~Worker();

  // How much its playouts may remember, beside the tree.
  void limit_memory(std::size_t bytes);
  // How long its playouts may take to get ready for a match.
  void allow(double seconds);
  // Takes the state to search from, and whom to ask in long simulations whether to go on until `rest`. The first worker
  // of a tree makes its root.
  void start(const State& root, std::uint64_t seed, const Halt& halt);
  // Asks another from now on, since another thread will run it.
  void heed(const Halt& halt);
  void make_root();

  // Runs one simulation, or one batch of at most `most` where an evaluator gathers; returns how many. What fails
  // half-way leaves no visits behind.
  int simulate(std::int64_t most);
  // How many simulations it will run in all, as far as one can say; see `Record::expected`.
  void expect(double simulations) { expected_ = simulations; }
  // After a run: gives the tree what only the worker knows, and ends the threads of a leaf-parallel team, so that none
  // is left behind by a fork.
  void rest();

  // Visits are kept in 32 bits: no more simulations, or a count could overflow.
  bool counts_are_full() const;
  bool root_proven() const { return root_proven_; }
  int max_depth() const { return max_depth_; }
  std::int64_t total_depth() const { return total_depth_; }
  std::int64_t discarded() const { return discarded_; }
  // Between two actions of a match: what was learned fades.
  void decay();

 private:
  // A simulation between its two halves.
  struct Slot {
    std::unique_ptr<State> state;
    Cached<HasSimultaneous> simultaneous;
    Cached<HasDice> dice;
    const State* at = nullptr;  // a kept state that the simulation has come to and `state` is not copied from yet
    Path path;
    Trace trace;
    ActionList actions;      // of the new leaf, in the order of its edges
    NodeId leaf = kNoNode;   // the new node whose priors are awaited
    NodeId end = kNoNode;    // the new node that the simulation ended in and counts as a visit of
    bool open = false;       // between its first visit and its backup
    bool counted = false;    // as an evaluation of a joint action that has no node
    bool settled = false;    // the result is known without evaluation
    bool discarded = false;  // there is no result
    Values utilities{};      // then: in utilities
    Record record;
  };

  int simulate_one();
  int simulate_batch(std::int64_t most);
  // 1. Select and 2. expand. Leaves the slot settled, or at a leaf to be evaluated.
  void descend(Slot& slot);
  const Ucb1* plain_uct() const;
  void descend_uct(Slot& slot);
  void fold_hot(const Path& path, const Outcome& outcome);
  // 3. Evaluate by a playout.
  void play_out(Slot& slot);
  void evaluate_batch(int count);
  // 4. Backup.
  void finish(Slot& slot);
  void undo_visits(Slot& slot);
  void add_result(Slot& slot, const Values& utilities, Outcome& outcome);
  void add_stand_in(Slot& slot, Outcome& outcome);

  // The next four under the node's lock.
  EdgeId select(const Node& node);
  EdgeId select_scored(const Node& node, EdgeId first, std::uint32_t count);
  EdgeId select_at_once(const Node& node, EdgeId first, std::uint32_t count);
  EdgeId first_unvisited(EdgeId first, std::uint32_t count) const;
  Children children_of(const Node& node, EdgeId first, std::uint32_t count);
  void look_around(const Node& node, EdgeId first);
  void exclude_proven(const Node& node, EdgeId first, std::uint32_t count);
  NodeId step(Slot& slot, NodeId node);
  NodeId joint_step(Slot& slot, NodeId node);
  int evaluated_before(Slot& slot, NodeId node, std::span<const EdgeId> chosen);
  void uncount_joint(const Path& path);
  int visit(Slot& slot, NodeId node, EdgeId edge, int player, bool joint);
  void uncount(const PathStep& step, int weight);
  // The working state becomes a copy with dice of its own.
  void set_state(Slot& slot, const State& state) {
    slot.state->assign(state);
    slot.at = nullptr;
    if (dice_) [[unlikely]]
      slot.dice.of(*slot.state)->reseed(rng_.next());
  }
  NodeId chancy_step(Slot& slot, EdgeId edge, int before);
  bool enter(Slot& slot, EdgeId edge);
  bool fits(Slot& slot, NodeId node);
  bool same_actions(EdgeId first, std::size_t count);
  bool after_apply(Slot& slot, bool over);
  // How many steps may follow.
  int steps_left(const Slot& slot) const { return search_.horizon == 0 ? search_.max_length : steps_to_horizon(slot); }
  int steps_to_horizon(const Slot& slot) const;
  template <class Call>
  void tell(Call&& call);
  bool settle_terminal(Slot& slot);
  void settle_exact(Slot& slot, const Values& utilities);
  NodeId child_or_expand(Slot& slot, EdgeId edge, int before);
  NodeId expand(Slot& slot, int visits);
  void inherit_range(const Slot& slot, EdgeId edge, int before, NodeId made);
  void end_in(Slot& slot, NodeId node);
  NodeId add_choice_node(Slot& slot, int player, int visits);
  NodeId add_joint_node(Slot& slot, int visits);
  bool prove_one_ply(Slot& slot, NodeId node);

  const Composition& search_;
  Tree& tree_;
  const bool shared_;
  Rng rng_;
  const State* root_ = nullptr;
  const Halt* halt_ = nullptr;
  std::unique_ptr<Playout> playout_;
  std::unique_ptr<LeafTeam> team_;
  std::unique_ptr<HotNodes> hot_;  // in plain UCT on a shared tree
  std::vector<std::shared_ptr<ResultBonus>> bonuses_;
  Wanted wanted_;
  QualityReader quality_;
  Cached<const HasRewards> rewards_;
  Cached<const HasWinning> winning_;
  std::unique_ptr<KeptStates> kept_;  // in a closed loop
  // What the parts and the game say of themselves, asked once. Plain: without dice and kept states.
  bool unvisited_first_, widens_, plain_, dice_, looks_around_, adds_bonuses_;
  const Ucb1* uct_ = nullptr;  // its rule, where the search is plain UCT
  std::vector<Slot> slots_;
  bool root_proven_ = false;
  std::int64_t simulations_ = 0;  // of this run
  double expected_ = 0;
  int max_depth_ = 0;
  std::int64_t total_depth_ = 0;
  std::int64_t discarded_ = 0;
  Outcome known_;  // the results of this run, where some may be discarded

  // Buffers.
  Outlook outlook_;
  std::vector<double> scores_, probabilities_;
  ActionList list_, wins_;
  std::vector<Action> sorted_;
  std::unique_ptr<State> scratch_;
  std::vector<Question> questions_;
  std::vector<Evaluation> answers_;
  std::vector<Slot*> pending_;
};

}  // namespace treewise
