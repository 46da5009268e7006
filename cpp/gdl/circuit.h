// A rulesheet as a circuit of gates, made once and shared by all who play the game.
//
// Every gate is a sum: it starts at a number, each of its inputs adds or takes one while it is on, and the gate is on
// while the sum is not negative. That covers "all of" (starts at minus the number of inputs) and "any of" (starts at
// minus one), with plain and negated inputs.
//
//   node     0 | facts | actions | gates | guarded gates | switched gates | gates of goals
//   edges    of a node: [ added to | taken from | bits flipped, switches ]       where its changes go
//   bits     [ next facts | legal actions, in groups | terminal ]      what is asked of the circuit
//
// What only goals need is left out of the edges, and worked out where a match has ended. Actions are on for a moment
// only, in which no fact changes; so gates that need an action ("guarded") ask for the facts they need when that action
// comes, and facts have no edges to them. Where one gate decides over many facts ("this cell is left alone", "a piece
// was captured"), a switch looks which of them are true, instead of telling all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/grounding/budget.h"
#include "gdl/program.h"

namespace treewise::gdl {

// A node or its negation: 2 * node + negated. Node 0 is never on.
using Ref = std::uint32_t;
constexpr Ref kFalse = 0;
constexpr Ref kTrue = 1;
constexpr Ref ref(std::uint32_t node, bool negated = false) {
  return 2 * node + (negated ? 1 : 0);
}
constexpr std::uint32_t node_of(Ref r) {
  return r >> 1;
}
constexpr bool is_negated(Ref r) {
  return (r & 1) != 0;
}

struct Node {
  std::uint32_t plus = 0;   // first edge to a gate that it adds to
  std::uint32_t minus = 0;  // first edge to a gate that it takes from
  std::uint32_t flip = 0;   // first edge to a bit
  std::uint32_t end = 0;
};

// Legal actions of one role that share a condition on one fact: nothing flips when that fact does.
struct LegalGroup {
  Ref gate = kTrue;  // of a fact
  std::uint32_t first_word = 0;
  std::uint32_t num_words = 0;
};

// Gates that depend on each other. They hold what follows from outside, and nothing that holds up only itself.
struct Loop {
  std::vector<std::uint32_t> nodes;
};

// A gate as goals are worked out: all or any of its inputs.
struct GoalGate {
  bool all = true;
  std::vector<Ref> inputs;
};

// Facts of one word of the state that a gate switches, and the gates "the fact, and the gate is as wanted" of them, in
// the order of the facts.
struct SwitchWord {
  std::uint32_t word = 0;
  std::uint64_t facts = 0;
  std::uint32_t first = 0;  // in switched
};

// The marks of edges that are no bits: words of a switch, from that index up to the next list; one switched gate.
constexpr std::uint32_t kSwitchList = 0x80000000u;
constexpr std::uint32_t kSwitched = 0x40000000u;

struct Circuit {
  int num_facts = 0;
  int num_roles = 0;
  bool takes_turns = false;  // provably
  std::uint32_t num_nodes = 0;
  std::uint32_t state_words = 0;
  std::uint32_t num_words = 0;
  std::uint32_t terminal_bit = 0;

  std::vector<Node> nodes;
  std::vector<std::uint32_t> edges;
  std::vector<std::int32_t> start;         // of each node: its sum while all facts are false and nobody acts
  std::vector<std::uint64_t> start_bits;   // likewise
  std::vector<std::uint32_t> place;        // of each node: above those of its inputs; one for all gates of a loop
  std::vector<std::uint64_t> initial;      // facts of the initial state
  std::vector<std::uint32_t> action_node;  // of each action; 0 where nothing depends on it
  std::vector<std::int32_t> slot_action;   // of each bit of the legal words, relative to the first of them
  std::vector<std::vector<LegalGroup>> legal;
  std::vector<std::vector<std::pair<int, Ref>>> goals;  // of each role, (value, reference), highest first

  // Only where gates depend on each other.
  std::vector<Loop> loops;
  std::vector<std::int32_t> loop_of;  // of each node; -1: none
  std::vector<std::uint32_t> rank;    // of each node: loops on the way to it
  std::uint32_t num_ranks = 1;

  // Guarded gates: nodes from first_guarded to first_switched. Each asks for guards[guard_starts[i]] and so on.
  std::uint32_t first_guarded = 0;
  std::vector<std::uint32_t> guard_starts;
  std::vector<Ref> guards;

  // Switched gates: nodes from first_switched to first_goal_node; each is on if its fact is, and its switch.
  std::uint32_t first_switched = 0;
  std::vector<SwitchWord> switch_words;
  std::vector<std::uint32_t> switch_lists;  // where each list of words begins, and where the last one ends
  std::vector<std::uint32_t> switched;      // gates
  std::vector<std::pair<std::uint32_t, Ref>> switch_inputs;  // of each switched gate: its fact and its switch

  // Gates that only goals need: nodes from first_goal_node.
  std::uint32_t first_goal_node = 0;
  std::vector<GoalGate> goal_gates;

  std::uint32_t fact_node(int fact) const { return 1 + static_cast<std::uint32_t>(fact); }
  std::uint32_t legal_word() const { return state_words; }
};

// `budget` is looked at between the steps. Throws std::invalid_argument if the program contradicts itself.
Circuit make_circuit(const Program& program, const Budget* budget = nullptr);

}  // namespace treewise::gdl
