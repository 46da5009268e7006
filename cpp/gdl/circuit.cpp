// From rules to gates: constants are folded, equal gates are one, conditions shared by legal actions are taken out.
#include "gdl/circuit.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <unordered_map>

#include "base/bits.h"
#include "gdl/gates.h"
#include "gdl/turns.h"

namespace treewise::gdl {

namespace {

// ---- legal actions: conditions that many of them share -------------------------------------------------------------

struct Legal {
  int action;
  Ref gate;  // of a fact, or kTrue
  Ref core;
};

class LegalGroups {
 public:
  LegalGroups(Gates& gates, const std::vector<std::uint32_t>& uses) : gates_(gates), uses_(uses) {}

  // Takes the fact that most actions of the role depend on out of each of them, where it is worth a group.
  std::vector<Legal> split(const std::vector<std::pair<int, Ref>>& actions) {
    std::unordered_map<Ref, int> votes;
    for (const auto& [action, ref] : actions)
      for (const Ref condition : conditions(ref)) ++votes[condition];
    std::vector<Legal> out;
    for (const auto& [action, ref] : actions) {
      Ref best = kTrue;
      for (const Ref condition : conditions(ref)) {
        if (kMostGroups * votes[condition] < static_cast<int>(actions.size()) && condition != ref) continue;
        if (best == kTrue || std::pair(votes[condition], best) > std::pair(votes[best], condition)) best = condition;
      }
      out.push_back({action, best, best == kTrue ? ref : gates_.without(ref, best)});
    }
    return out;
  }

 private:
  static constexpr int kMostGroups = 8;  // every question looks at all of them

  // Conditions that can be taken out: nothing else uses the gate.
  std::vector<Ref> conditions(Ref r) const {
    const bool gate = gates_.find(r) != nullptr;
    return gate && (uses_[node_of(r)] > 1 || gates_.in_loop(node_of(r))) ? std::vector<Ref>{}
                                                                         : gates_.fact_conditions(r);
  }

  Gates& gates_;
  const std::vector<std::uint32_t>& uses_;
};

// ---- from gates to nodes and edges ---------------------------------------------------------------------------------

struct Output {
  Ref source;
  std::uint32_t bit;
};

class Maker {
 public:
  Maker(const Program& program, Gates& gates) : program_(program), gates_(gates) {}

  Circuit make() {
    circuit_.num_facts = static_cast<int>(program_.facts.size());
    circuit_.num_roles = static_cast<int>(program_.roles.size());
    circuit_.state_words = (static_cast<std::uint32_t>(program_.facts.size()) + 63) / 64;
    place_next();
    place_legal();
    place_terminal();
    gates_.sort();  // with the gates that the groups made
    circuit_.start_bits.assign(circuit_.num_words, 0);
    mark();
    find_guarded();
    find_switched();
    number();
    connect();
    start();
    return std::move(circuit_);
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
      std::vector<Legal> legal = groups.split(actions);
      std::stable_sort(legal.begin(), legal.end(), [](const Legal& a, const Legal& b) { return a.gate < b.gate; });
      place_groups(legal);
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

  // Which gates must always be up to date, and which only goals need.
  void mark() {
    wanted_.assign(gates_.num_nodes(), 0);
    for (const Output& output : outputs_) reach(node_of(output.source), 1);
    for (const auto& goals : circuit_.goals)
      for (const auto& goal : goals) reach(node_of(goal.second), 2);
    // What a loop needs is always kept up to date, so that goals are worked out without going in circles.
    for (std::uint32_t node = 0; node < wanted_.size(); ++node)
      if (wanted_[node] == 2 && gates_.in_loop(node)) reach(node, 1);
    if (goal_depth() > kMaxGoalDepth)
      for (std::uint32_t node = 0; node < wanted_.size(); ++node)
        if (wanted_[node] == 2) reach(node, 1);
  }

  // Goals are worked out by calls within calls, which must not run out of stack.
  static constexpr int kMaxGoalDepth = 500;
  int goal_depth() const {
    std::vector<int> depth(gates_.num_nodes(), 0);
    int deepest = 0;
    for (const std::uint32_t node : gates_.order()) {
      if (wanted_[node] != 2) continue;
      for (const Ref input : gates_.find(ref(node))->inputs)
        depth[node] = std::max(depth[node], depth[node_of(input)] + 1);
      deepest = std::max(deepest, depth[node]);
    }
    return deepest;
  }

  void reach(std::uint32_t first, std::uint8_t mark) {
    std::vector<std::uint32_t> todo{first};
    while (!todo.empty()) {
      const std::uint32_t node = todo.back();
      todo.pop_back();
      if (wanted_[node] == 1 || wanted_[node] == mark) continue;
      wanted_[node] = mark;
      if (const Gate* gate = gates_.find(ref(node)))
        for (const Ref input : gate->inputs) todo.push_back(node_of(input));
    }
  }

  // Which gates are off whenever nobody acts, and of these, which have inputs that no action changes.
  void find_guarded() {
    const auto num_facts = static_cast<std::uint32_t>(circuit_.num_facts);
    moved_.assign(gates_.num_nodes(), false);
    guarded_.assign(gates_.num_nodes(), false);
    std::vector<bool> pulse(gates_.num_nodes(), false);
    for (std::uint32_t node = 1 + num_facts; node < gates_.first_gate(); ++node) pulse[node] = moved_[node] = true;
    const auto is_pulse = [&](Ref r) { return pulse[node_of(r)] && !is_negated(r); };
    for (const std::vector<std::uint32_t>& loop : gates_.loops())
      for (const std::uint32_t node : loop) moved_[node] = true;  // to be safe
    for (const std::uint32_t node : gates_.order()) {
      const Gate& gate = *gates_.find(ref(node));
      const auto begin = gate.inputs.begin(), end = gate.inputs.end();
      const bool looped = gates_.in_loop(node);
      moved_[node] = looped || std::any_of(begin, end, [&](Ref r) { return moved_[node_of(r)]; });
      pulse[node] = !looped && (gate.all ? std::any_of(begin, end, is_pulse) : std::all_of(begin, end, is_pulse));
      guarded_[node] = wanted_[node] == 1 && gate.all && pulse[node] &&
                       std::any_of(begin, end, [&](Ref r) { return !moved_[node_of(r)]; });
    }
  }

  // Gates that are one fact and one gate, where that gate has many of them and few of the facts are true at a time.
  void find_switched() {
    switch_of_.assign(gates_.num_nodes(), kFalse);
    if (!gates_.loops().empty()) return;
    struct Fan {
      int facts = 0, initially = 0;
      bool is_wide() const { return facts >= 16 && initially <= facts / 8; }
    };
    std::unordered_map<std::uint32_t, Fan> fans;
    const auto switch_of = [&](std::uint32_t node, const Gate& gate) {
      if (wanted_[node] != 1 || !gate.all || gate.inputs.size() != 2) return kFalse;
      const bool first = is_fact(gate.inputs[0]), second = is_fact(gate.inputs[1]);
      if (first == second || is_negated(gate.inputs[first ? 0 : 1])) return kFalse;
      const Ref other = gate.inputs[first ? 1 : 0];
      return gates_.find(other) ? other : kFalse;
    };
    gates_.for_each([&](std::uint32_t node, const Gate& gate) {
      const Ref other = switch_of(node, gate);
      if (other == kFalse) return;
      Fan& fan = fans[node_of(other)];
      const int fact = static_cast<int>(node_of(is_fact(gate.inputs[0]) ? gate.inputs[0] : gate.inputs[1])) - 1;
      ++fan.facts;
      fan.initially += std::binary_search(program_.initial.begin(), program_.initial.end(), fact);
    });
    gates_.for_each([&](std::uint32_t node, const Gate& gate) {
      const Ref other = switch_of(node, gate);
      if (other == kFalse || !fans[node_of(other)].is_wide()) return;
      switch_of_[node] = other;
      guarded_[node] = false;
    });
  }
  bool is_fact(Ref r) const { return node_of(r) >= 1 && node_of(r) <= static_cast<std::uint32_t>(circuit_.num_facts); }

  // Facts and actions first, then gates that are kept up to date, then those of goals alone; inputs before gates.
  void number() {
    new_.assign(gates_.num_nodes(), 0);
    std::uint32_t next = gates_.first_gate();
    for (std::uint32_t node = 0; node < next; ++node) new_[node] = node;
    const auto place = [&](auto wanted) {
      for (const std::uint32_t node : gates_.order())
        if (wanted(node)) new_[node] = next++;
    };
    const auto plain = [&](std::uint32_t node) { return !guarded_[node] && switch_of_[node] == kFalse; };
    place([&](std::uint32_t node) { return wanted_[node] == 1 && plain(node); });
    circuit_.first_guarded = next;
    place([&](std::uint32_t node) { return wanted_[node] == 1 && guarded_[node]; });
    circuit_.first_switched = next;
    place([&](std::uint32_t node) { return wanted_[node] == 1 && switch_of_[node] != kFalse; });
    circuit_.first_goal_node = next;
    place([&](std::uint32_t node) { return wanted_[node] == 2; });
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

  void connect() {
    const std::uint32_t count = circuit_.first_goal_node;
    std::vector<std::vector<std::uint32_t>> plus(count), minus(count), flip(count);
    circuit_.start.assign(count, -1);
    std::vector<std::vector<Ref>> guards(circuit_.first_switched - circuit_.first_guarded);
    gates_.for_each([&](std::uint32_t old, const Gate& gate) {
      if (wanted_[old] == 1 && switch_of_[old] == kFalse) {
        int sum = gate.all ? 0 : -1;
        for (const Ref input : gate.inputs) {
          if (guarded_[old] && !moved_[node_of(input)]) {
            guards[new_[old] - circuit_.first_guarded].push_back(renamed(input));
            continue;
          }
          const std::uint32_t from = new_[node_of(input)];
          (is_negated(input) ? minus : plus)[from].push_back(new_[old]);
          sum += gate.all ? (is_negated(input) ? 0 : -1) : (is_negated(input) ? 1 : 0);
        }
        circuit_.start[new_[old]] = sum;
      }
    });
    for (const std::vector<Ref>& own : guards) {
      circuit_.guard_starts.push_back(static_cast<std::uint32_t>(circuit_.guards.size()));
      circuit_.guards.insert(circuit_.guards.end(), own.begin(), own.end());
    }
    circuit_.guard_starts.push_back(static_cast<std::uint32_t>(circuit_.guards.size()));
    circuit_.goal_gates.resize(circuit_.num_nodes - count);
    gates_.for_each([&](std::uint32_t old, const Gate& gate) {
      if (wanted_[old] != 2) return;
      GoalGate& out = circuit_.goal_gates[new_[old] - count];
      out.all = gate.all;
      for (const Ref input : gate.inputs) out.inputs.push_back(renamed(input));
    });
    for (auto& goals : circuit_.goals)
      for (auto& goal : goals) goal.second = renamed(goal.second);
    for (const Output& output : outputs_) {
      if (is_negated(output.source)) circuit_.start_bits[output.bit / 64] |= bit(static_cast<int>(output.bit % 64));
      if (node_of(output.source) != 0) flip[new_[node_of(output.source)]].push_back(output.bit);
    }
    connect_switches(flip);
    pack(plus, minus, flip);
    find_loops();
  }

  void connect_switches(std::vector<std::vector<std::uint32_t>>& marks) {
    circuit_.switch_inputs.resize(circuit_.first_goal_node - circuit_.first_switched);
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> of_switch;  // (fact, gate) of each
    for (std::uint32_t old = gates_.first_gate(); old < gates_.num_nodes(); ++old) {
      if (switch_of_[old] == kFalse) continue;
      const std::uint32_t gate = new_[old];
      const Gate& both = *gates_.find(ref(old));
      const std::uint32_t fact = node_of(is_fact(both.inputs[0]) ? both.inputs[0] : both.inputs[1]);
      circuit_.switch_inputs[gate - circuit_.first_switched] = {fact - 1, renamed(switch_of_[old])};
      of_switch[new_[node_of(switch_of_[old])]].emplace_back(fact - 1, gate);
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

  void pack(const std::vector<std::vector<std::uint32_t>>& plus, const std::vector<std::vector<std::uint32_t>>& minus,
            const std::vector<std::vector<std::uint32_t>>& flip) {
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
      if (wanted_[members[0]] != 1) continue;
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

  void start() {
    circuit_.initial.assign(circuit_.state_words, 0);
    for (const int fact : program_.initial) circuit_.initial[static_cast<std::size_t>(fact) / 64] |= bit(fact % 64);
  }

  const Program& program_;
  Gates& gates_;
  Circuit circuit_;
  std::vector<Output> outputs_;
  std::vector<std::uint8_t> wanted_;  // 0 nobody, 1 always, 2 goals
  std::vector<bool> moved_;           // depends on actions
  std::vector<bool> guarded_;
  std::vector<Ref> switch_of_;  // of a switched gate: its switch; kFalse for others
  std::vector<std::uint32_t> new_;
};

}  // namespace

Circuit make_circuit(const Program& program) {
  const Gates plain(program);
  Turns turns = find_turns(program, plain);
  if (!turns.known()) turns.phases = find_phases(program, plain);
  Gates gates(program, &turns);
  Circuit circuit = Maker(program, gates).make();
  circuit.takes_turns = turns.known() || !turns.phases.empty();
  return circuit;
}

}  // namespace treewise::gdl
