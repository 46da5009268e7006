// From rules to gates: constants are folded, equal gates are one, conditions shared by legal actions are taken out.
#include "gdl/circuit.h"

#include <algorithm>
#include <map>

#include "base/bits.h"
#include "gdl/gate_kinds.h"
#include "gdl/gates.h"
#include "gdl/legal_groups.h"
#include "gdl/turns.h"

namespace treewise::gdl {

namespace {

struct Output {
  Ref source;
  std::uint32_t bit;
};

using Targets = std::vector<std::vector<std::uint32_t>>;  // of each node

// ---- what is asked of the circuit, and at which bits ---------------------------------------------------------------

class Placement {
 public:
  Placement(const Program& program, Gates& gates, Circuit& circuit)
      : program_(program), gates_(gates), circuit_(circuit) {}

  std::vector<Output> make() {
    circuit_.num_facts = static_cast<int>(program_.facts.size());
    circuit_.num_roles = static_cast<int>(program_.roles.size());
    circuit_.state_words = (static_cast<std::uint32_t>(program_.facts.size()) + 63) / 64;
    circuit_.initial.assign(circuit_.state_words, 0);
    for (const int fact : program_.initial) circuit_.initial[static_cast<std::size_t>(fact) / 64] |= bit(fact % 64);
    place_next();
    place_legal();
    place_terminal();
    place_goals();
    return std::move(outputs_);
  }

 private:
  void place_next() {
    for (std::size_t fact = 0; fact < program_.next.size(); ++fact)
      outputs_.push_back({gates_.atom(program_.next[fact]), static_cast<std::uint32_t>(fact)});
    circuit_.num_words = circuit_.state_words;
  }

  void place_legal() {
    const std::vector<std::uint32_t> uses = count_uses();
    LegalGroups groups(gates_, uses);
    int first = 0;
    for (std::size_t role = 0; role < program_.legal.size(); ++role) {
      std::vector<std::pair<int, Ref>> actions;
      for (std::size_t i = 0; i < program_.legal[role].size(); ++i)
        actions.emplace_back(first + static_cast<int>(i), gates_.atom(program_.legal[role][i]));
      first += static_cast<int>(actions.size());
      place_groups(groups.split(actions));
    }
  }

  void place_groups(const std::vector<Legal>& legal) {
    auto& groups = circuit_.legal.emplace_back();
    for (std::size_t i = 0; i < legal.size();) {
      LegalGroup group{.gate = legal[i].gate, .first_word = circuit_.num_words};
      std::uint32_t bit = 0;
      for (; i < legal.size() && legal[i].gate == group.gate; ++i, ++bit) {
        outputs_.push_back({legal[i].core, 64 * group.first_word + bit});
        circuit_.slot_action.push_back(legal[i].action);
      }
      group.num_words = (bit + 63) / 64;
      circuit_.num_words += group.num_words;
      circuit_.slot_action.resize(64 * std::size_t{circuit_.num_words - circuit_.state_words}, -1);
      groups.push_back(group);
    }
  }

  void place_terminal() {
    circuit_.terminal_bit = 64 * circuit_.num_words;
    outputs_.push_back({gates_.atom(program_.terminal), circuit_.terminal_bit});
    ++circuit_.num_words;
  }

  void place_goals() {
    for (const auto& goals : program_.goals) {
      auto& out = circuit_.goals.emplace_back();
      for (const auto& [value, atom] : goals) out.emplace_back(value, gates_.atom(atom));
      std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    }
  }

  // How often each node is used by what is asked of the circuit, and by gates on the way to it.
  std::vector<std::uint32_t> count_uses() const {
    std::vector<std::uint32_t> uses(gates_.num_nodes(), 0), todo;
    const auto use = [&](Ref r) {
      if (uses[node_of(r)]++ == 0) todo.push_back(node_of(r));
    };
    for (const int atom : program_.next) use(gates_.atom(atom));
    for (const auto& legal : program_.legal)
      for (const int atom : legal) use(gates_.atom(atom));
    use(gates_.atom(program_.terminal));
    for (const auto& goals : program_.goals)
      for (const auto& goal : goals) use(gates_.atom(goal.second));
    while (!todo.empty()) {
      const Gate* gate = gates_.find(ref(todo.back()));
      todo.pop_back();
      if (gate) std::for_each(gate->inputs.begin(), gate->inputs.end(), use);
    }
    return uses;
  }

  const Program& program_;
  Gates& gates_;
  Circuit& circuit_;
  std::vector<Output> outputs_;
};

// ---- from gates to nodes and edges ---------------------------------------------------------------------------------

class Wiring {
 public:
  Wiring(const Gates& gates, const GateKinds& kinds, Circuit& circuit)
      : gates_(gates), kinds_(kinds), circuit_(circuit) {}

  void make(const std::vector<Output>& outputs) {
    number();
    const std::uint32_t count = circuit_.first_goal_node;
    Targets plus(count), minus(count), flip(count);
    connect_gates(plus, minus);
    connect_goals();
    connect_outputs(outputs, flip);
    connect_switches(flip);
    pack(plus, minus, flip);
    find_loops();
  }

 private:
  // Facts and actions first, then gates that are kept up to date, then those of goals alone; inputs before gates.
  void number() {
    new_.assign(gates_.num_nodes(), 0);
    std::uint32_t next = gates_.first_gate();
    for (std::uint32_t node = 0; node < next; ++node) new_[node] = node;
    const auto place = [&](auto wanted) {
      for (const std::uint32_t node : gates_.order())
        if (wanted(node)) new_[node] = next++;
    };
    place([&](std::uint32_t node) { return kinds_.is_kept(node) && kinds_.is_plain(node); });
    circuit_.first_guarded = next;
    place([&](std::uint32_t node) { return kinds_.is_kept(node) && kinds_.is_guarded(node); });
    circuit_.first_switched = next;
    place([&](std::uint32_t node) { return kinds_.is_kept(node) && kinds_.is_switched(node); });
    circuit_.first_goal_node = next;
    place([&](std::uint32_t node) { return kinds_.is_for_goals(node); });
    circuit_.num_nodes = next;
    circuit_.action_node = gates_.action_nodes();
    find_places();
  }

  void find_places() {
    circuit_.place.assign(circuit_.num_nodes, 0);
    std::uint32_t next = 0;
    for (const std::uint32_t node : gates_.order()) circuit_.place[new_[node]] = ++next;
    for (const std::vector<std::uint32_t>& loop : gates_.loops())
      for (const std::uint32_t node : loop) circuit_.place[new_[node]] = circuit_.place[new_[loop[0]]];
  }

  Ref renamed(Ref r) const { return ref(new_[node_of(r)], is_negated(r)); }

  void connect_gates(Targets& plus, Targets& minus) {
    circuit_.start.assign(circuit_.first_goal_node, -1);
    std::vector<std::vector<Ref>> guards(circuit_.first_switched - circuit_.first_guarded);
    gates_.for_each([&](std::uint32_t old, const Gate& gate) {
      if (!kinds_.is_kept(old) || kinds_.is_switched(old)) return;
      int sum = gate.all ? 0 : -1;
      for (const Ref input : gate.inputs) {
        if (kinds_.is_guarded(old) && !kinds_.is_moved(node_of(input))) {
          guards[new_[old] - circuit_.first_guarded].push_back(renamed(input));
          continue;
        }
        (is_negated(input) ? minus : plus)[new_[node_of(input)]].push_back(new_[old]);
        sum += gate.all ? (is_negated(input) ? 0 : -1) : (is_negated(input) ? 1 : 0);
      }
      circuit_.start[new_[old]] = sum;
    });
    for (const std::vector<Ref>& own : guards) {
      circuit_.guard_starts.push_back(static_cast<std::uint32_t>(circuit_.guards.size()));
      circuit_.guards.insert(circuit_.guards.end(), own.begin(), own.end());
    }
    circuit_.guard_starts.push_back(static_cast<std::uint32_t>(circuit_.guards.size()));
  }

  void connect_goals() {
    circuit_.goal_gates.resize(circuit_.num_nodes - circuit_.first_goal_node);
    gates_.for_each([&](std::uint32_t old, const Gate& gate) {
      if (!kinds_.is_for_goals(old)) return;
      GoalGate& out = circuit_.goal_gates[new_[old] - circuit_.first_goal_node];
      out.all = gate.all;
      for (const Ref input : gate.inputs) out.inputs.push_back(renamed(input));
    });
    for (auto& goals : circuit_.goals)
      for (auto& goal : goals) goal.second = renamed(goal.second);
  }

  void connect_outputs(const std::vector<Output>& outputs, Targets& flip) {
    circuit_.start_bits.assign(circuit_.num_words, 0);
    for (const Output& output : outputs) {
      if (is_negated(output.source)) circuit_.start_bits[output.bit / 64] |= bit(static_cast<int>(output.bit % 64));
      if (node_of(output.source) != 0) flip[new_[node_of(output.source)]].push_back(output.bit);
    }
  }

  void connect_switches(Targets& marks) {
    circuit_.switch_inputs.resize(circuit_.first_goal_node - circuit_.first_switched);
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> of_switch;  // (fact, gate) of each
    for (std::uint32_t old = gates_.first_gate(); old < gates_.num_nodes(); ++old) {
      if (!kinds_.is_switched(old)) continue;
      const std::uint32_t gate = new_[old];
      const std::uint32_t fact = kinds_.fact_of(*gates_.find(ref(old)));
      circuit_.switch_inputs[gate - circuit_.first_switched] = {fact - 1, renamed(kinds_.switch_of(old))};
      of_switch[new_[node_of(kinds_.switch_of(old))]].emplace_back(fact - 1, gate);
      marks[fact].push_back(kSwitched | gate);
    }
    for (auto& [node, gates] : of_switch) {
      std::sort(gates.begin(), gates.end());
      // A fact may be switched on and off by the same gate: a list of words for each.
      for (std::vector<std::pair<std::uint32_t, std::uint32_t>> again; !gates.empty(); gates = std::move(again)) {
        again.clear();
        marks[node].push_back(kSwitchList | static_cast<std::uint32_t>(circuit_.switch_lists.size()));
        circuit_.switch_lists.push_back(static_cast<std::uint32_t>(circuit_.switch_words.size()));
        add_switch_words(gates, again);
      }
    }
    circuit_.switch_lists.push_back(static_cast<std::uint32_t>(circuit_.switch_words.size()));
  }

  void add_switch_words(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& gates,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>>& again) {
    const std::size_t begin = circuit_.switch_words.size();
    for (std::size_t i = 0; i < gates.size(); ++i) {
      const auto [fact, gate] = gates[i];
      if (i > 0 && gates[i - 1].first == fact) {
        again.emplace_back(fact, gate);
        continue;
      }
      if (circuit_.switch_words.size() == begin || circuit_.switch_words.back().word != fact / 64)
        circuit_.switch_words.push_back({fact / 64, 0, static_cast<std::uint32_t>(circuit_.switched.size())});
      circuit_.switch_words.back().facts |= bit(static_cast<int>(fact % 64));
      circuit_.switched.push_back(gate);
    }
  }

  void pack(const Targets& plus, const Targets& minus, const Targets& flip) {
    auto& edges = circuit_.edges;
    const auto append = [&](const std::vector<std::uint32_t>& targets) {
      const auto at = static_cast<std::uint32_t>(edges.size());
      edges.insert(edges.end(), targets.begin(), targets.end());
      return at;
    };
    for (std::size_t node = 0; node < plus.size(); ++node) {
      Node out;
      out.plus = append(plus[node]);
      out.minus = append(minus[node]);
      out.flip = append(flip[node]);
      out.end = static_cast<std::uint32_t>(edges.size());
      circuit_.nodes.push_back(out);
    }
  }

  void find_loops() {
    circuit_.loop_of.assign(circuit_.first_goal_node, -1);
    for (const std::vector<std::uint32_t>& members : gates_.loops()) {
      if (!kinds_.is_kept(members[0])) continue;
      Loop loop;
      for (const std::uint32_t node : members) {
        loop.nodes.push_back(new_[node]);
        circuit_.loop_of[new_[node]] = static_cast<std::int32_t>(circuit_.loops.size());
      }
      circuit_.loops.push_back(std::move(loop));
    }
    if (!circuit_.loops.empty()) find_ranks();
  }

  // The longest way to each node, counted in loops.
  void find_ranks() {
    std::vector<std::uint32_t> of_loop(circuit_.loops.size(), 0);
    auto& rank = circuit_.rank;
    rank.assign(circuit_.first_goal_node, 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t node = 0; node < circuit_.first_goal_node; ++node) {
        const std::int32_t own = circuit_.loop_of[node];
        if (own >= 0) rank[node] = of_loop[static_cast<std::size_t>(own)];
        const std::uint32_t passed_on = rank[node] + (own >= 0 ? 1 : 0);
        circuit_.num_ranks = std::max(circuit_.num_ranks, passed_on + 1);
        for (std::uint32_t e = circuit_.nodes[node].plus; e < circuit_.nodes[node].flip; ++e) {
          const std::uint32_t target = circuit_.edges[e];
          const std::int32_t loop = circuit_.loop_of[target];
          if (loop >= 0 && loop == own) continue;
          auto& at = loop < 0 ? rank[target] : of_loop[static_cast<std::size_t>(loop)];
          changed |= at < passed_on;
          at = std::max(at, passed_on);
        }
      }
    }
  }

  const Gates& gates_;
  const GateKinds& kinds_;
  Circuit& circuit_;
  std::vector<std::uint32_t> new_;  // of each node: its number in the circuit
};

Circuit make_from(const Program& program, Gates& gates) {
  Circuit circuit;
  const std::vector<Output> outputs = Placement(program, gates, circuit).make();
  gates.sort();  // with the gates that the groups made
  std::vector<Ref> sources, goals;
  for (const Output& output : outputs) sources.push_back(output.source);
  for (const auto& of_role : circuit.goals)
    for (const auto& goal : of_role) goals.push_back(goal.second);
  Wiring(gates, GateKinds(program, gates, sources, goals), circuit).make(outputs);
  return circuit;
}

}  // namespace

Circuit make_circuit(const Program& program, const Budget* budget) {
  const auto look = [&] {
    if (budget) budget->look();
  };
  const Gates plain(program, nullptr, budget);
  look();
  Turns turns = find_turns(program, plain);
  look();
  if (!turns.known()) turns.phases = find_phases(program, plain);
  look();
  Gates gates(program, &turns, budget);
  look();
  Circuit circuit = make_from(program, gates);
  circuit.takes_turns = turns.known() || !turns.phases.empty();
  return circuit;
}

}  // namespace treewise::gdl
