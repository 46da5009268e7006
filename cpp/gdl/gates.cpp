#include "gdl/gates.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "base/bits.h"
#include "gdl/components.h"

namespace treewise::gdl {

namespace {

constexpr Ref kUnknown = ~Ref{0};

}  // namespace

Gates::Gates(const Program& program) : program_(program) {
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
      action_nodes_.push_back(atom == 0 ? 0 : node);
      ++node;
    }
  atoms_[0] = kFalse;
  first_gate_ = node;

  find_components(
      static_cast<std::uint32_t>(num_atoms),
      [&](std::uint32_t atom, auto visit) {
        for (std::uint32_t r = first_rule_[atom]; r < first_rule_[atom + 1]; ++r)
          for (int b = program.starts[rules_[r]]; b < program.starts[rules_[r] + 1]; ++b)
            visit(static_cast<std::uint32_t>(std::abs(program.body[static_cast<std::size_t>(b)])));
      },
      [&](const std::vector<std::uint32_t>& component) {
        component.size() == 1 ? define(component) : define_loop(component);
      });
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
  if (atoms_[atom] == kUnknown) atoms_[atom] = any(terms(static_cast<int>(atom)));
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
    std::erase(inputs, kFalse);
    gates_[first - first_gate_ + i].inputs = std::move(inputs);
  }
}

Ref Gates::make(bool all, std::vector<Ref> inputs) {
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
    return share(!all, std::move(inputs)) ^ 1;
  }
  return share(all, std::move(inputs));
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
  const Gate gate = *find(r);
  std::vector<Ref> inputs;
  for (const Ref input : gate.inputs) {
    if (gate.all) {
      if (input != condition) inputs.push_back(input);
    } else {
      inputs.push_back(without(input, condition));
    }
  }
  return make(gate.all, std::move(inputs));
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
        loops_.push_back(component);
      });
}

}  // namespace treewise::gdl
