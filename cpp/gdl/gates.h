// The gates of a program while they are being made: no two are equal, and none is constant.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "gdl/circuit.h"
#include "gdl/grounding/budget.h"
#include "gdl/program.h"

namespace treewise::gdl {

struct Gate {
  bool all = true;  // else any
  std::vector<Ref> inputs;
};

struct Turns;

class Gates {
 public:
  // Throws std::invalid_argument where an atom depends on its own absence. `turns`: what is known of them, from an
  // earlier look at the same gates.
  explicit Gates(const Program& program, const Turns* turns = nullptr, const Budget* budget = nullptr);

  Ref atom(int atom) const { return atoms_[static_cast<std::size_t>(atom)]; }
  // The gate behind a reference; null for facts, actions and constants.
  const Gate* find(Ref r) const {
    const std::uint32_t node = node_of(r);
    return node < first_gate_ ? nullptr : &gates_[node - first_gate_];
  }
  std::uint32_t first_gate() const { return first_gate_; }
  std::uint32_t num_nodes() const { return first_gate_ + static_cast<std::uint32_t>(gates_.size()); }
  const std::vector<std::uint32_t>& action_nodes() const { return action_nodes_; }
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < gates_.size(); ++i) visit(first_gate_ + static_cast<std::uint32_t>(i), gates_[i]);
  }

  Ref all(std::vector<Ref> inputs) { return make(true, std::move(inputs)); }
  Ref any(std::vector<Ref> inputs) { return make(false, std::move(inputs)); }
  // What is left to ask where `condition`, without which `r` cannot hold, is known to hold.
  Ref without(Ref r, Ref condition);

  // Facts (or their absence) without which the reference cannot hold, as far as two levels of gates show.
  std::vector<Ref> fact_conditions(Ref r) const;

  // Puts the gates in order, inputs first; then these three are known.
  void sort();
  const std::vector<std::uint32_t>& order() const { return order_; }
  const std::vector<std::vector<std::uint32_t>>& loops() const { return loops_; }
  bool in_loop(std::uint32_t node) const { return node < looped_.size() && looped_[node]; }

 private:
  // Actions of which exactly one is made in every step.
  struct Universe {
    std::vector<Ref> members;
  };
  struct ActionSet {
    std::uint32_t universe;
    std::vector<std::uint32_t> members;  // where they stand in the universe
  };

  void find_universes(const Turns* turns);
  void finish_idle(const Turns& turns);
  void add_universe(std::vector<Ref> members);
  Ref make(bool all, std::vector<Ref> inputs);
  void merge_actions(bool all, std::vector<Ref>& inputs);
  Ref action_set(std::uint32_t universe, const std::vector<std::uint64_t>& members);
  bool is_fact(Ref r) const { return node_of(r) >= 1 && node_of(r) <= program_.facts.size(); }
  std::vector<Ref> common_facts(const std::vector<Ref>& inputs) const;
  std::vector<Ref> own_facts(Ref r) const;
  bool is_look(Ref r) const { return looks_.contains(node_of(r)); }
  Ref share(bool all, std::vector<Ref> inputs);
  std::vector<Ref> terms(int atom);
  Ref stays(Ref fact, std::vector<Ref>& terms);
  void define(const std::vector<std::uint32_t>& component);
  void define_loop(const std::vector<std::uint32_t>& component);
  void check_loop(const std::vector<std::uint32_t>& loop) const;

  const Program& program_;
  std::vector<std::uint32_t> first_rule_;  // of each atom, in rules_
  std::vector<std::uint32_t> rules_;
  std::vector<Ref> atoms_;
  std::vector<std::uint32_t> action_nodes_;
  std::unordered_map<int, Ref> next_of_;  // atoms that make a fact true in the next state, and that fact
  std::uint32_t first_gate_ = 0;
  std::vector<Gate> gates_;
  std::unordered_set<std::uint32_t> looks_;  // a gate and a fact that are not taken apart
  std::unordered_multimap<std::uint64_t, std::uint32_t> known_;
  std::vector<Universe> universes_;
  std::unordered_map<Ref, ActionSet> action_sets_;

  std::vector<std::uint32_t> order_;
  std::vector<std::vector<std::uint32_t>> loops_;
  std::vector<bool> looped_;
};

}  // namespace treewise::gdl
