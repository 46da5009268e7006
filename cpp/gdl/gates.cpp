#include "gdl/gates.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "base/bits.h"
#include "gdl/components.h"
#include "gdl/turns.h"

namespace treewise::gdl {

namespace {

constexpr Ref kUnknown = ~Ref{0};

// Intersects a set with one of these members (`all`), or unites them; `negated`: with all but these members.
void merge(bool all, bool negated, const std::vector<std::uint32_t>& members, std::vector<std::uint64_t>& set) {
  const auto mask = [](std::uint32_t member) { return bit(static_cast<int>(member % 64)); };
  if (all == negated) {
    for (const std::uint32_t i : members) all ? set[i / 64] &= ~mask(i) : set[i / 64] |= mask(i);
    return;
  }
  std::vector<std::uint64_t> own(set.size(), 0);
  for (const std::uint32_t i : members) own[i / 64] |= mask(i);
  for (std::size_t w = 0; w < set.size(); ++w) all ? set[w] &= own[w] : set[w] |= ~own[w];
}

}  // namespace

Gates::Gates(const Program& program, const Turns* turns, const Budget* budget) : program_(program) {
  const auto num_atoms = static_cast<std::size_t>(program.num_atoms) + 1;
  first_rule_.assign(num_atoms + 1, 0);
  for (const int head : program.heads) ++first_rule_[static_cast<std::size_t>(head) + 1];
  std::partial_sum(first_rule_.begin(), first_rule_.end(), first_rule_.begin());
  rules_.resize(program.heads.size());
  std::vector<std::uint32_t> at(first_rule_);
  for (std::size_t i = 0; i < program.heads.size(); ++i)
    rules_[at[static_cast<std::size_t>(program.heads[i])]++] = static_cast<std::uint32_t>(i);

  atoms_.assign(num_atoms, kUnknown);
  std::uint32_t node = 1;
  for (const int atom : program.truth) atoms_[static_cast<std::size_t>(atom)] = ref(node++);
  for (const auto& does : program.does)
    for (const int atom : does) {
      atoms_[static_cast<std::size_t>(atom)] = ref(node);
      action_nodes_.push_back(node++);
    }
  atoms_[0] = kFalse;
  first_gate_ = node;
  for (std::size_t fact = 0; fact < program.next.size(); ++fact)
    if (program.next[fact] != 0) next_of_.emplace(program.next[fact], ref(1 + static_cast<std::uint32_t>(fact)));
  find_universes(turns);

  std::uint32_t steps = 0;
  find_components(
      static_cast<std::uint32_t>(num_atoms),
      [&](std::uint32_t atom, auto visit) {
        for (std::uint32_t r = first_rule_[atom]; r < first_rule_[atom + 1]; ++r)
          for (int b = program.starts[rules_[r]]; b < program.starts[rules_[r] + 1]; ++b)
            visit(static_cast<std::uint32_t>(std::abs(program.body[static_cast<std::size_t>(b)])));
      },
      [&](const std::vector<std::uint32_t>& component) {
        if (budget && ++steps % (1 << 14) == 0) budget->look();
        component.size() == 1 ? define(component) : define_loop(component);
      });
  if (turns) finish_idle(*turns);
  sort();
}

// One reference for each rule of an atom: what its body amounts to.
std::vector<Ref> Gates::terms(int atom) {
  std::vector<Ref> out;
  const auto a = static_cast<std::size_t>(atom);
  for (std::uint32_t r = first_rule_[a]; r < first_rule_[a + 1]; ++r) {
    std::vector<Ref> body;
    for (int b = program_.starts[rules_[r]]; b < program_.starts[rules_[r] + 1]; ++b) {
      const int literal = program_.body[static_cast<std::size_t>(b)];
      const Ref known = atoms_[static_cast<std::size_t>(std::abs(literal))];
      // Only an atom that stands alone in its component can meet itself unknown: what follows from itself does not
      // follow.
      if (known == kUnknown && literal < 0) throw std::invalid_argument("an atom depends on its own absence");
      body.push_back(known == kUnknown ? kFalse : literal < 0 ? known ^ 1 : known);
    }
    out.push_back(all(std::move(body)));
  }
  return out;
}

void Gates::define(const std::vector<std::uint32_t>& component) {
  const std::uint32_t atom = component[0];
  if (atoms_[atom] != kUnknown) return;
  std::vector<Ref> all_terms = terms(static_cast<int>(atom));
  if (const auto fact = next_of_.find(static_cast<int>(atom)); fact != next_of_.end()) {
    all_terms = {stays(fact->second, all_terms), any(all_terms)};
  }
  atoms_[atom] = any(std::move(all_terms));
  const bool is_look = static_cast<int>(atom) > program_.num_atoms - program_.looks;
  if (is_look && find(atoms_[atom])) looks_.insert(node_of(atoms_[atom]));
}

// What keeps a fact true that is true: all rules that ask for it as one. Rules that say so one kind of action at a time
// together name most actions, and then the others are the shorter list. Takes these rules out of `terms`.
Ref Gates::stays(Ref fact, std::vector<Ref>& terms) {
  std::vector<Ref> reasons;
  std::erase_if(terms, [&](Ref term) {
    const std::vector<Ref> own = own_facts(term);
    if (std::find(own.begin(), own.end(), fact) == own.end()) return false;
    reasons.push_back(without(term, fact));
    return true;
  });
  return all({fact, any(std::move(reasons))});
}

// Each atom has a gate of its own, made before its inputs are known.
void Gates::define_loop(const std::vector<std::uint32_t>& component) {
  const std::uint32_t first = num_nodes();
  for (std::size_t i = 0; i < component.size(); ++i) {
    atoms_[component[i]] = ref(num_nodes());
    gates_.push_back({.all = false, .inputs = {}});
  }
  for (std::size_t i = 0; i < component.size(); ++i) {
    std::vector<Ref> inputs = terms(static_cast<int>(component[i]));
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    std::erase_if(inputs, [&](Ref input) { return input == kFalse || input == atoms_[component[i]]; });
    gates_[first - first_gate_ + i].inputs = std::move(inputs);
  }
}

// ---- sets of actions -----------------------------------------------------------------------------------------------

void Gates::find_universes(const Turns* turns) {
  if (!turns) return;
  for (const std::vector<int>& phase : turns->phases) {
    std::vector<Ref> members;
    for (const int action : phase) members.push_back(ref(action_nodes_[static_cast<std::size_t>(action)]));
    add_universe(std::move(members));
  }
  if (!turns->phases.empty()) return;
  std::vector<Ref> everyone;
  std::size_t action = 0;
  for (std::size_t role = 0; role < program_.actions.size(); ++role) {
    std::vector<Ref> own;
    for (std::size_t i = 0; i < program_.actions[role].size(); ++i, ++action) {
      const Ref made = ref(action_nodes_[action]);
      if (!turns->known()) {
        own.push_back(made);
      } else if (static_cast<int>(action) != turns->idle[role]) {
        everyone.push_back(made);
      } else if (turns->idle_to_move[role] != 0) {
        everyone.push_back(ref(num_nodes()));
        gates_.push_back({.all = true, .inputs = {made, turns->control[role]}});
      }
    }
    if (!turns->known()) add_universe(std::move(own));
  }
  if (turns->known()) add_universe(std::move(everyone));
}

// Idle though it is to move: only where the rules allow it, which is known by now, so that the gate is rarely on.
void Gates::finish_idle(const Turns& turns) {
  std::uint32_t node = first_gate_;
  for (const int atom : turns.idle_to_move)
    if (atom != 0) gates_[node++ - first_gate_].inputs.push_back(atoms_[static_cast<std::size_t>(atom)]);
}

void Gates::add_universe(std::vector<Ref> members) {
  const auto universe = static_cast<std::uint32_t>(universes_.size());
  for (std::size_t i = 0; i < members.size(); ++i)
    action_sets_.emplace(members[i], ActionSet{universe, {static_cast<std::uint32_t>(i)}});
  universes_.push_back({std::move(members)});
}

// Replaces inputs that are sets of actions, or their complements, by one of each universe, where that is shorter.
void Gates::merge_actions(bool all, std::vector<Ref>& inputs) {
  for (std::uint32_t u = 0; u < universes_.size(); ++u) {
    const std::size_t size = universes_[u].members.size();
    std::vector<std::uint64_t> merged;  // once there is a set
    std::vector<Ref> others;
    std::size_t found = 0;
    const auto take = [&](Ref input) {
      const auto set = action_sets_.find(input & ~1u);
      if (set == action_sets_.end() || set->second.universe != u) return false;
      if (found++ == 0) merged.assign((size + 63) / 64, all ? ~std::uint64_t{0} : 0);
      merge(all, is_negated(input), set->second.members, merged);
      return true;
    };
    for (const Ref input : inputs) {
      if (take(input)) continue;
      const Gate* inner = all || is_negated(input) ? nullptr : find(input);
      if (!inner || inner->all) {
        others.push_back(input);
        continue;
      }
      const std::size_t before = found;  // any of any: its sets count, what else it has is left
      std::vector<Ref> rest;
      for (const Ref each : inner->inputs)
        if (!take(each)) rest.push_back(each);
      if (found == before)
        others.push_back(input);
      else
        others.insert(others.end(), rest.begin(), rest.end());
    }
    if (found < 2) continue;
    if (size % 64 != 0) merged.back() &= ~std::uint64_t{0} >> (64 - size % 64);
    int n = 0;
    for (const std::uint64_t word : merged) n += count(word);
    // A few actions that each make a gate of "any" true are best left as they are.
    if (!all && !others.empty() && 2 * static_cast<std::size_t>(n) <= size) continue;
    inputs = std::move(others);
    inputs.push_back(action_set(u, merged));
  }
}

Ref Gates::action_set(std::uint32_t u, const std::vector<std::uint64_t>& members) {
  const std::vector<Ref>& universe = universes_[u].members;
  std::vector<std::uint32_t> in, out;
  for (std::uint32_t i = 0; i < universe.size(); ++i) (((members[i / 64] >> (i % 64)) & 1) ? in : out).push_back(i);
  const bool complement = out.size() < in.size();
  std::vector<std::uint32_t>& shorter = complement ? out : in;
  std::vector<Ref> inputs;
  for (const std::uint32_t i : shorter) inputs.push_back(universe[i]);
  std::sort(inputs.begin(), inputs.end());
  const Ref any = inputs.empty() ? kFalse : inputs.size() == 1 ? inputs[0] : share(false, inputs);
  if (!is_negated(any) && any != kFalse) action_sets_.emplace(any, ActionSet{u, std::move(shorter)});
  return complement ? any ^ 1 : any;
}

// ---- making gates --------------------------------------------------------------------------------------------------

Ref Gates::make(bool all, std::vector<Ref> inputs) {
  merge_actions(all, inputs);
  const Ref neutral = all ? kTrue : kFalse;
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  std::erase(inputs, neutral);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i] == (neutral ^ 1) || (i > 0 && inputs[i] == (inputs[i - 1] ^ 1))) return neutral ^ 1;
  if (inputs.empty()) return neutral;
  if (inputs.size() == 1) return inputs[0];
  if (std::all_of(inputs.begin(), inputs.end(), is_negated)) {  // none of these: not any of them
    for (Ref& input : inputs) input ^= 1;
    return make(!all, std::move(inputs)) ^ 1;
  }
  if (!all) {
    std::vector<Ref> factors = common_facts(inputs);
    if (!factors.empty()) {
      for (Ref& input : inputs)
        for (const Ref factor : factors) input = without(input, factor);
      factors.push_back(make(false, std::move(inputs)));
      return make(true, std::move(factors));
    }
  }
  return share(all, std::move(inputs));
}

// Facts (or their absence) that all of the inputs ask for: to be asked once, then, instead of many times.
std::vector<Ref> Gates::common_facts(const std::vector<Ref>& inputs) const {
  std::vector<Ref> common = own_facts(inputs[0]);
  for (std::size_t i = 1; i < inputs.size() && !common.empty(); ++i) {
    const std::vector<Ref> own = own_facts(inputs[i]);
    std::erase_if(common, [&](Ref each) { return std::find(own.begin(), own.end(), each) == own.end(); });
  }
  return common;
}

std::vector<Ref> Gates::own_facts(Ref r) const {
  if (is_fact(r)) return {r};
  std::vector<Ref> out;
  if (is_look(r)) return out;
  if (const Gate* gate = find(r); gate && gate->all && !is_negated(r))
    std::copy_if(gate->inputs.begin(), gate->inputs.end(), std::back_inserter(out), [&](Ref i) { return is_fact(i); });
  return out;
}

Ref Gates::share(bool all, std::vector<Ref> inputs) {
  std::uint64_t hash = all ? 1 : 2;
  for (const Ref input : inputs) hash = mix(hash, input);
  const auto [begin, end] = known_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const Gate& gate = gates_[it->second - first_gate_];
    if (gate.all == all && gate.inputs == inputs) return ref(it->second);
  }
  const std::uint32_t node = num_nodes();
  known_.emplace(hash, node);
  gates_.push_back({all, std::move(inputs)});
  return ref(node);
}

Ref Gates::without(Ref r, Ref condition) {
  if (r == condition) return kTrue;
  if (!find(r)) return r;
  const Gate gate = *find(r);
  if (gate.all == is_negated(r)) {  // any of its inputs
    if (is_negated(r)) return r;
    std::vector<Ref> inputs;
    for (const Ref input : gate.inputs) inputs.push_back(without(input, condition));
    return any(std::move(inputs));
  }
  // All of them, or of their negations: "none of these" is how gates are kept that ask for nothing but absence.
  std::vector<Ref> inputs;
  for (const Ref input : gate.inputs)
    if ((input ^ (r & 1)) != condition) inputs.push_back(input);
  return make(gate.all, std::move(inputs)) ^ (r & 1);
}

std::vector<Ref> Gates::fact_conditions(Ref r) const {
  const Gate* gate = find(r);
  return !gate || gate->all || is_negated(r) ? own_facts(r) : common_facts(gate->inputs);
}

// What depends on its own absence would never come to rest.
void Gates::check_loop(const std::vector<std::uint32_t>& loop) const {
  for (const std::uint32_t node : loop)
    for (const Ref input : find(ref(node))->inputs)
      if (is_negated(input) && std::binary_search(loop.begin(), loop.end(), node_of(input)))
        throw std::invalid_argument("an atom depends on its own absence");
}

void Gates::sort() {
  order_.clear();
  loops_.clear();
  looped_.assign(num_nodes(), false);
  find_components(
      num_nodes(),
      [&](std::uint32_t node, auto visit) {
        if (const Gate* gate = find(ref(node)))
          for (const Ref input : gate->inputs) visit(node_of(input));
      },
      [&](const std::vector<std::uint32_t>& component) {
        for (const std::uint32_t node : component)
          if (node >= first_gate_) order_.push_back(node);
        if (component.size() == 1) return;
        for (const std::uint32_t node : component) looped_[node] = true;
        check_loop(component);
        loops_.push_back(component);
      });
}

}  // namespace treewise::gdl
