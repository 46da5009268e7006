// One working copy of a circuit: the sums of all gates for one state, brought up to date by what changes.
//
// A step toggles the facts and actions that changed and follows the changes through the gates; everything that did not
// change costs nothing. Moving to a quite different state works the same way, so a search that returns to its root
// needs no copy of the sums.
//
// Changes are followed as they come, which is fastest, though a gate may go on and off on the way. Chains of such gates
// can double that at each link: where it gets out of hand, what is left is done with every gate once, inputs first.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bits.h"
#include "base/types.h"
#include "gdl/circuit.h"

namespace treewise::gdl {

class Net {
 public:
  // At a state without facts, where nobody has acted. `patience`: after how many changes they are followed in order.
  explicit Net(const Circuit& circuit, std::size_t patience);
  explicit Net(const Circuit& circuit) : Net(circuit, 1000 + 4 * std::size_t{circuit.first_goal_node}) {}

  std::span<const std::uint64_t> state() const { return state_; }
  void move_to(std::span<const std::uint64_t> facts);
  // The state after a joint action, one of each role.
  void step(std::span<const Action> actions);

  bool terminal() const { return (bits_[circuit_->num_words - 1] & 1) != 0; }
  int num_legal(int role) const;
  // The k-th legal action of a role, k from 0. The order depends on nothing but the state.
  Action nth_legal(int role, int k) const;
  void legal(int role, ActionList& out) const;
  // The highest goal that holds, or -1 if none does. At any state, meant for terminal ones.
  int goal(int role);
  std::vector<int> goals(int role);  // all that hold, the highest first

 private:
  bool is_open(const LegalGroup& group) const {
    const std::uint32_t node = node_of(group.gate);
    if (node == 0) return is_negated(group.gate);
    const std::uint32_t fact = node - 1;
    return (((state_[fact / 64] >> (fact % 64)) & 1) != 0) != is_negated(group.gate);
  }
  // A change of a node on its way: 2 * node + on.
  void push(std::uint32_t change) { stack_[top_++] = change; }
  void make_room(std::size_t more) {
    if (top_ + more > stack_.size()) stack_.resize(2 * (top_ + more));
  }
  void toggle_facts(std::uint32_t word, std::uint64_t changed);
  void settle();
  void settle_plain();
  void settle_ranks();
  void settle_in_order();
  void collect();
  void pass_on(std::uint32_t node);
  void queue(std::uint32_t node);
  void deliver(std::uint32_t change);
  void add(std::uint32_t node, std::int32_t amount);
  bool is_guarded(std::uint32_t node) const {
    return node >= circuit_->first_guarded && node < circuit_->first_switched;
  }
  bool passes(std::uint32_t node);
  // The change that a guarded or switched gate has told last.
  std::uint32_t said(std::uint32_t node) const { return 2 * node + fired_[node - circuit_->first_guarded]; }
  void follow_mark(std::uint32_t mark);
  void look_at(std::uint32_t switched);
  void settle_loop(std::uint32_t loop);
  void turn_on(std::uint32_t loop, std::vector<std::uint32_t>& todo);
  bool holds(Ref r);

  const Circuit* circuit_;
  std::size_t patience_;
  std::vector<std::int32_t> sums_;
  std::vector<std::uint64_t> state_, bits_;
  std::vector<std::uint64_t> after_;  // the next state, while it is being worked out
  std::vector<std::uint8_t> fired_;   // of each guarded or switched gate: has said that it is on
  std::vector<std::uint32_t> stack_;
  std::size_t top_ = 0;

  // Of loops.
  std::vector<std::vector<std::uint32_t>> waiting_;        // changes, by rank
  std::vector<std::vector<std::uint32_t>> waiting_loops_;  // by rank
  std::vector<std::uint8_t> loop_state_;                   // of each loop: 0 settled, 1 more support, 2 less support
  std::vector<std::uint8_t> on_;                           // of each node in a loop

  // Of settling in order: nodes by their places, the lowest first, and what they have yet to pass on.
  bool in_order_ = false;
  std::vector<std::uint64_t> queue_;
  std::vector<std::int32_t> pending_;

  // Of goals: what was worked out at this state.
  std::vector<std::uint64_t> stamp_;
  std::vector<std::uint8_t> known_;
  std::uint64_t now_ = 0;
};

}  // namespace treewise::gdl
