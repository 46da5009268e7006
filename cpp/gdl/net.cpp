#include "gdl/net.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace treewise::gdl {

Net::Net(const Circuit& circuit, std::size_t patience)
    : circuit_(&circuit),
      patience_(patience),
      sums_(circuit.start),
      state_(circuit.state_words, 0),
      bits_(circuit.start_bits),
      after_(circuit.state_words, 0),
      fired_(circuit.first_goal_node - circuit.first_guarded, 0),
      stack_(64),
      stamp_(circuit.goal_gates.size(), 0),
      known_(circuit.goal_gates.size(), 0) {
  if (!circuit.loops.empty()) {
    waiting_.resize(circuit.num_ranks);
    waiting_loops_.resize(circuit.num_ranks);
    loop_state_.assign(circuit.loops.size(), 0);
    on_.assign(circuit.first_goal_node, 0);
  }
  for (std::uint32_t node = 1; node < circuit.first_goal_node; ++node) {
    if (sums_[node] < 0) continue;
    if (circuit.loop_of[node] >= 0) {
      add(node, 0);
      continue;
    }
    make_room(1);
    push(2 * node + 1);
  }
  settle();
}

void Net::toggle_facts(std::uint32_t word, std::uint64_t changed) {
  const std::uint64_t now = state_[word] ^ changed;
  state_[word] = now;
  make_room(64);
  while (changed) {
    const int at = pop(changed);
    push(2 * (1 + 64 * word + static_cast<std::uint32_t>(at)) + static_cast<std::uint32_t>((now >> at) & 1));
  }
}

void Net::move_to(std::span<const std::uint64_t> facts) {
  for (std::uint32_t w = 0; w < circuit_->state_words; ++w)
    if (facts[w] != state_[w]) toggle_facts(w, facts[w] ^ state_[w]);
  settle();
}

void Net::step(std::span<const Action> actions) {
  make_room(2 * actions.size());
  for (const Action action : actions) push(2 * circuit_->action_node[static_cast<std::size_t>(action)] + 1);
  settle();
  std::copy_n(bits_.begin(), circuit_->state_words, after_.begin());
  for (const Action action : actions) push(2 * circuit_->action_node[static_cast<std::size_t>(action)]);
  for (std::uint32_t w = 0; w < circuit_->state_words; ++w)
    if (after_[w] != state_[w]) toggle_facts(w, after_[w] ^ state_[w]);
  settle();
}

void Net::settle() {
  ++now_;
  circuit_->loops.empty() ? settle_plain() : settle_ranks();
}

// Sums are linear, so changes may arrive in any order: a gate that goes on and off again passes on both.
void Net::settle_plain() {
  const Node* const nodes = circuit_->nodes.data();
  const std::uint32_t* const edges = circuit_->edges.data();
  std::int32_t* const sums = sums_.data();
  std::uint64_t* const bits = bits_.data();
  const std::uint32_t first_guarded = 2 * circuit_->first_guarded, first_switched = 2 * circuit_->first_switched;
  std::size_t top = top_, left = patience_;
  std::uint32_t* stack = stack_.data();
  while (top != 0) {
    if (left-- == 0) {
      top_ = top;
      return settle_in_order();
    }
    std::uint32_t change = stack[--top];
    if (change >= first_guarded && change < first_switched) {
      if (!passes(change >> 1)) continue;
      change = said(change >> 1);
    }
    const Node node = nodes[change >> 1];
    if (top + (node.flip - node.plus) > stack_.size()) {
      top_ = top;
      make_room(node.flip - node.plus);
      stack = stack_.data();
    }
    const bool on = (change & 1) != 0;
    const std::uint32_t up_begin = on ? node.plus : node.minus, up_end = on ? node.minus : node.flip;
    const std::uint32_t down_begin = on ? node.minus : node.plus, down_end = on ? node.flip : node.minus;
    for (std::uint32_t e = up_begin; e < up_end; ++e) {
      const std::uint32_t target = edges[e];
      const std::int32_t sum = ++sums[target];
      stack[top] = 2 * target + 1;
      top += sum == 0;
    }
    for (std::uint32_t e = down_begin; e < down_end; ++e) {
      const std::uint32_t target = edges[e];
      const std::int32_t sum = --sums[target];
      stack[top] = 2 * target;
      top += sum == -1;
    }
    for (std::uint32_t e = node.flip; e < node.end; ++e) {
      if (edges[e] < kSwitched) {
        bits[edges[e] / 64] ^= bit(static_cast<int>(edges[e] % 64));
        continue;
      }
      top_ = top;
      follow_mark(edges[e]);
      top = top_;
      stack = stack_.data();
    }
  }
  top_ = 0;
}

// Whether a guarded gate that may have changed really has: on needs what it asks for, off needs that it was on. A
// change that was overtaken by another one passes neither.
bool Net::passes(std::uint32_t node) {
  const std::uint32_t at = node - circuit_->first_guarded;
  const bool on = sums_[node] >= 0;
  if (on == (fired_[at] != 0)) return false;
  if (on)
    for (std::uint32_t g = circuit_->guard_starts[at]; g < circuit_->guard_starts[at + 1]; ++g)
      if (!holds(circuit_->guards[g])) return false;
  fired_[at] = on;
  return true;
}

// What an edge says that leads to no bit.
void Net::follow_mark(std::uint32_t mark) {
  if (mark < kSwitchList) return look_at(mark - kSwitched);
  const std::uint32_t* const list = circuit_->switch_lists.data() + (mark - kSwitchList);
  for (std::uint32_t i = list[0]; i < list[1]; ++i) {
    const SwitchWord& word = circuit_->switch_words[i];
    for (std::uint64_t facts = word.facts & state_[word.word]; facts;) {
      const int fact = pop(facts);
      look_at(circuit_->switched[word.first + static_cast<std::uint32_t>(count(word.facts & (bit(fact) - 1)))]);
    }
  }
}

void Net::look_at(std::uint32_t switched) {
  const auto [fact, other] = circuit_->switch_inputs[switched - circuit_->first_switched];
  const bool on = ((state_[fact / 64] >> (fact % 64)) & 1) != 0 && holds(other);
  auto& said = fired_[switched - circuit_->first_guarded];
  if (on == (said != 0)) return;
  said = on;
  make_room(1);
  push(2 * switched + (on ? 1 : 0));
}

// ---- circuits with loops: rank by rank, each loop once its inputs have settled -------------------------------------

void Net::settle_ranks() {
  for (std::size_t i = 0; i < top_; ++i) deliver(stack_[i]);
  top_ = 0;
  std::size_t left = patience_;
  for (std::uint32_t rank = 0; rank < circuit_->num_ranks; ++rank) {
    auto& changes = waiting_[rank];
    while (!changes.empty()) {
      if (left-- == 0) return settle_in_order();
      const std::uint32_t change = changes.back();
      changes.pop_back();
      deliver(change);
    }
    auto& loops = waiting_loops_[rank];
    for (std::size_t i = 0; i < loops.size(); ++i) settle_loop(loops[i]);
    loops.clear();
  }
}

void Net::deliver(std::uint32_t change) {
  if (is_guarded(change >> 1)) {
    if (!passes(change >> 1)) return;
    change = said(change >> 1);
  }
  const Node node = circuit_->nodes[change >> 1];
  const std::int32_t sign = (change & 1) ? 1 : -1;
  for (std::uint32_t e = node.plus; e < node.minus; ++e) add(circuit_->edges[e], sign);
  for (std::uint32_t e = node.minus; e < node.flip; ++e) add(circuit_->edges[e], -sign);
  for (std::uint32_t e = node.flip; e < node.end; ++e)
    if (circuit_->edges[e] < kSwitched)
      bits_[circuit_->edges[e] / 64] ^= bit(static_cast<int>(circuit_->edges[e] % 64));
    else
      follow_mark(circuit_->edges[e]);
}

void Net::add(std::uint32_t node, std::int32_t amount) {
  const std::int32_t before = sums_[node], after = before + amount;
  sums_[node] = after;
  if (const std::int32_t loop = circuit_->loop_of[node]; loop >= 0) {
    auto& state = loop_state_[static_cast<std::size_t>(loop)];
    if (state == 0 && in_order_) queue(node);
    if (state == 0 && !in_order_) waiting_loops_[circuit_->rank[node]].push_back(static_cast<std::uint32_t>(loop));
    // Support that is lost may have been what held up a circle: then all is worked out again.
    state = std::max<std::uint8_t>(state, amount < 0 && on_[node] ? 2 : 1);
  } else if ((before < 0) != (after < 0)) {
    if (in_order_) {
      make_room(1);
      push(2 * node + (after >= 0 ? 1 : 0));
    } else {
      waiting_[circuit_->rank[node]].push_back(2 * node + (after >= 0 ? 1 : 0));
    }
  }
}

void Net::settle_loop(std::uint32_t loop) {
  const std::vector<std::uint32_t>& members = circuit_->loops[loop].nodes;
  const auto inside = [&](std::uint32_t node) { return circuit_->loop_of[node] == static_cast<std::int32_t>(loop); };
  std::vector<std::uint32_t> before;
  for (const std::uint32_t node : members)
    if (on_[node]) before.push_back(node);
  if (loop_state_[loop] == 2) {
    for (const std::uint32_t node : before) {
      on_[node] = 0;
      for (std::uint32_t e = circuit_->nodes[node].plus; e < circuit_->nodes[node].minus; ++e)
        if (inside(circuit_->edges[e])) --sums_[circuit_->edges[e]];
    }
  }
  std::vector<std::uint32_t> todo;
  for (const std::uint32_t node : members)
    if (!on_[node] && sums_[node] >= 0) todo.push_back(node);
  turn_on(loop, todo);
  loop_state_[loop] = 0;
  // Outside, only what is different now counts.
  const auto tell = [&](std::uint32_t node, std::int32_t sign) {
    const Node& from = circuit_->nodes[node];
    for (std::uint32_t e = from.plus; e < from.minus; ++e)
      if (!inside(circuit_->edges[e])) add(circuit_->edges[e], sign);
    for (std::uint32_t e = from.minus; e < from.flip; ++e) add(circuit_->edges[e], -sign);
    for (std::uint32_t e = from.flip; e < from.end; ++e)
      bits_[circuit_->edges[e] / 64] ^= bit(static_cast<int>(circuit_->edges[e] % 64));
  };
  std::size_t at = 0;
  for (const std::uint32_t node : members) {
    const bool was = at < before.size() && before[at] == node;
    at += was;
    if (was != (on_[node] != 0)) tell(node, on_[node] ? 1 : -1);
  }
}

void Net::turn_on(std::uint32_t loop, std::vector<std::uint32_t>& todo) {
  while (!todo.empty()) {
    const std::uint32_t node = todo.back();
    todo.pop_back();
    if (on_[node]) continue;
    on_[node] = 1;
    for (std::uint32_t e = circuit_->nodes[node].plus; e < circuit_->nodes[node].minus; ++e) {
      const std::uint32_t target = circuit_->edges[e];
      if (circuit_->loop_of[target] == static_cast<std::int32_t>(loop) && ++sums_[target] == 0) todo.push_back(target);
    }
  }
}

// ---- any circuit, every gate once ----------------------------------------------------------------------------------

void Net::settle_in_order() {
  in_order_ = true;
  pending_.resize(circuit_->first_goal_node, 0);
  for (auto& changes : waiting_) {
    make_room(changes.size());
    std::for_each(changes.begin(), changes.end(), [&](std::uint32_t change) { push(change); });
    changes.clear();
  }
  for (auto& loops : waiting_loops_) {
    for (const std::uint32_t loop : loops) queue(circuit_->loops[loop].nodes[0]);
    loops.clear();
  }
  for (collect(); !queue_.empty(); collect()) {
    std::pop_heap(queue_.begin(), queue_.end(), std::greater{});
    const auto node = static_cast<std::uint32_t>(queue_.back());
    queue_.pop_back();
    if (const std::int32_t loop = circuit_->loop_of[node]; loop >= 0) {
      if (loop_state_[static_cast<std::size_t>(loop)] != 0) settle_loop(static_cast<std::uint32_t>(loop));
    } else {
      pass_on(node);
    }
  }
  in_order_ = false;
}

void Net::pass_on(std::uint32_t node) {
  int change = std::exchange(pending_[node], 0);
  if (is_guarded(node)) return deliver(2 * node);  // it knows by itself
  if (change == 0) {                               // on and off again: but switches may have been looked at in between
    for (std::uint32_t e = circuit_->nodes[node].flip; e < circuit_->nodes[node].end; ++e)
      if (circuit_->edges[e] >= kSwitched) follow_mark(circuit_->edges[e]);
  }
  // Several if it has been off before it was on: the stack's order is the reverse.
  for (; change != 0; change += change > 0 ? -1 : 1) deliver(2 * node + (change > 0 ? 1 : 0));
}

// Takes the changes from the stack; what was on and is off again is none.
void Net::collect() {
  for (std::size_t i = 0; i < top_; ++i) {
    const std::uint32_t node = stack_[i] >> 1;
    pending_[node] += (stack_[i] & 1) ? 1 : -1;
    queue(node);
  }
  top_ = 0;
}

void Net::queue(std::uint32_t node) {
  queue_.push_back(std::uint64_t{circuit_->place[node]} << 32 | node);
  std::push_heap(queue_.begin(), queue_.end(), std::greater{});
}

// ---- what is asked -------------------------------------------------------------------------------------------------

int Net::num_legal(int role) const {
  int n = 0;
  for (const LegalGroup& group : circuit_->legal[static_cast<std::size_t>(role)])
    if (is_open(group))
      for (std::uint32_t w = 0; w < group.num_words; ++w) n += count(bits_[group.first_word + w]);
  return n;
}

Action Net::nth_legal(int role, int k) const {
  for (const LegalGroup& group : circuit_->legal[static_cast<std::size_t>(role)]) {
    if (!is_open(group)) continue;
    for (std::uint32_t w = group.first_word; w < group.first_word + group.num_words; ++w) {
      const int n = count(bits_[w]);
      if (k < n)
        return circuit_->slot_action[64 * (w - circuit_->legal_word()) + static_cast<std::uint32_t>(nth(bits_[w], k))];
      k -= n;
    }
  }
  return kNoAction;
}

void Net::legal(int role, ActionList& out) const {
  for (const LegalGroup& group : circuit_->legal[static_cast<std::size_t>(role)]) {
    if (!is_open(group)) continue;
    for (std::uint32_t w = group.first_word; w < group.first_word + group.num_words; ++w)
      for (std::uint64_t bits = bits_[w]; bits;)
        out.push_back(circuit_->slot_action[64 * (w - circuit_->legal_word()) + static_cast<std::uint32_t>(pop(bits))]);
  }
}

int Net::goal(int role) {
  for (const auto& [value, goal] : circuit_->goals[static_cast<std::size_t>(role)])
    if (holds(goal)) return value;
  return -1;
}

std::vector<int> Net::goals(int role) {
  std::vector<int> values;
  for (const auto& [value, goal] : circuit_->goals[static_cast<std::size_t>(role)])
    if (holds(goal)) values.push_back(value);
  return values;
}

bool Net::holds(Ref r) {
  const std::uint32_t node = node_of(r);
  bool on = false;
  if (node >= circuit_->first_goal_node) {
    const std::uint32_t at = node - circuit_->first_goal_node;
    if (stamp_[at] != now_) {
      const GoalGate& gate = circuit_->goal_gates[at];
      bool value = gate.all;
      for (const Ref input : gate.inputs)
        if (holds(input) != gate.all) {
          value = !gate.all;
          break;
        }
      stamp_[at] = now_;
      known_[at] = value;
    }
    on = known_[at] != 0;
  } else if (node >= 1 && node <= static_cast<std::uint32_t>(circuit_->num_facts)) {
    on = ((state_[(node - 1) / 64] >> ((node - 1) % 64)) & 1) != 0;
  } else if (node != 0) {
    if (circuit_->loop_of[node] >= 0)
      on = on_[node] != 0;
    else if (node >= circuit_->first_guarded)
      on = fired_[node - circuit_->first_guarded] != 0;
    else
      on = sums_[node] >= 0;
  }
  return on != is_negated(r);
}

}  // namespace treewise::gdl
