// Strongly connected components of a graph, each after those it points to (Tarjan 1972, without recursion).
#pragma once

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <vector>

namespace treewise::gdl {

// Of the nodes those that the roots reach; edges may lead to nodes from `num_nodes` on. `targets(node, visit)` calls
// `visit(target)` for every edge, once a node; `out(component)` gets each component's nodes.
template <class Roots, class Targets, class Out>
void find_components(std::uint32_t num_nodes, const Roots& roots, Targets targets, Out out) {
  constexpr std::uint32_t kUnseen = ~0u, kDone = ~0u - 1;
  struct Frame {
    std::uint32_t node, begin, at, end;  // the node's targets lie in `pending`, from begin to end
  };
  std::vector<std::uint32_t> index(num_nodes, kUnseen), low(num_nodes, 0), stack, pending, component;
  std::vector<Frame> frames;
  std::uint32_t next = 0;
  const auto enter = [&](std::uint32_t node) {
    index[node] = low[node] = next++;
    stack.push_back(node);
    const auto begin = static_cast<std::uint32_t>(pending.size());
    targets(node, [&](std::uint32_t target) { pending.push_back(target); });
    frames.push_back({node, begin, begin, static_cast<std::uint32_t>(pending.size())});
  };
  const auto leave = [&](std::uint32_t node) {
    if (low[node] != index[node]) return;
    component.clear();
    std::uint32_t member;
    do {
      member = stack.back();
      stack.pop_back();
      index[member] = kDone;
      component.push_back(member);
    } while (member != node);
    std::sort(component.begin(), component.end());
    out(component);
  };
  for (const std::uint32_t root : roots) {
    if (index[root] != kUnseen) continue;
    enter(root);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      if (frame.at < frame.end) {
        const std::uint32_t target = pending[frame.at++];
        if (target >= index.size()) {
          index.resize(target + 1, kUnseen);
          low.resize(target + 1, 0);
        }
        if (index[target] == kUnseen)
          enter(target);
        else if (index[target] != kDone)
          low[frame.node] = std::min(low[frame.node], index[target]);
      } else {
        const std::uint32_t node = frame.node;
        pending.resize(frame.begin);
        frames.pop_back();
        const std::uint32_t reached = low[node];
        leave(node);
        if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], reached);
      }
    }
  }
}

// The same of all nodes.
template <class Targets, class Out>
void find_components(std::uint32_t num_nodes, Targets targets, Out out) {
  find_components(num_nodes, std::views::iota(std::uint32_t{0}, num_nodes), targets, out);
}

}  // namespace treewise::gdl
