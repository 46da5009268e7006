// A thread's own copies of the nodes that all threads of a shared tree go through again and again.
//
// What one core writes must travel to the other before that can read it, and that takes as long as a few levels of a
// simulation. In most nodes threads seldom meet. Those near the root they visit every time: there each thread counts in
// a copy, and now and then exchanges with the tree what is new. In between it does not know the last few results of the
// others, which are few beside what the node has seen.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "search/outcome.h"
#include "search/path.h"
#include "search/selection/ucb1.h"
#include "tree/tree.h"

namespace treewise {

class HotNodes {
 public:
  struct Copy {
    NodeId id;
    EdgeId first;
    int player;
    std::int32_t node_visits;
    std::int32_t news = 0;  // simulations since the last exchange
    std::vector<std::int32_t> visits, new_visits;
    std::vector<double> values, new_values;
    std::vector<float> inverse_roots;
  };

  // `memory_bytes` caps what the copies take.
  HotNodes(Tree& tree, std::size_t memory_bytes) : tree_(tree), memory_bytes_(memory_bytes) {}

  // The thread's copy, or null.
  Copy* find(NodeId id) {
    Copy* const copy = copies_[place(id)].get();
    return copy && copy->id == id ? copy : nullptr;
  }
  // Makes a copy of a node with enough visits, if there is room; under its lock.
  void consider(const Node& node) {
    if (node.visits >= kHot && !copies_[place(tree_.id_of(node))] &&
        tree_.visited(node.first_edge + node.num_edges - 1))
      copy(node);
  }
  // Follows the best edge and counts that. Returns it, and how often it was visited before.
  std::pair<EdgeId, int> visit(Copy& copy, const Ucb1& rule, int weight) {
    if (copy.news >= std::min(copy.node_visits / kShare, kMost)) exchange(copy);
    const std::uint32_t i = rule.best(copy.inverse_roots.data(), copy.values.data(), copy.visits.size(),
                                      copy.node_visits, std::numeric_limits<double>::infinity());
    ++copy.news;
    const int before = copy.visits[i];
    count(copy, i, weight);
    return {copy.first + i, before};
  }
  // Of a step that was taken by `visit`.
  void add(const PathStep& step, const Outcome& outcome) {
    Copy& copy = *copies_[place(step.node)];
    const double value = outcome.sum[static_cast<std::size_t>(step.player)];
    copy.values[step.edge - copy.first] += value;
    copy.new_values[step.edge - copy.first] += value;
  }
  void uncount(const PathStep& step, int weight) {
    Copy& copy = *copies_[place(step.node)];
    count(copy, step.edge - copy.first, -weight);
  }
  // Gives all that is new to the tree, and forgets the copies.
  void give_back();

 private:
  static constexpr std::int32_t kHot = 128;
  // What is new may be a sixteenth of all that the node has seen, and not more than this.
  static constexpr std::int32_t kShare = 16, kMost = 512;
  static constexpr int kPlaceBits = 11;

  static std::size_t place(NodeId id) { return (id * 0x9e3779b1u) >> (32 - kPlaceBits); }
  static void count(Copy& copy, std::uint32_t i, int weight) {
    copy.node_visits += weight;
    copy.visits[i] += weight;
    copy.new_visits[i] += weight;
    copy.inverse_roots[i] = inverse_root(copy.visits[i]);
  }
  void copy(const Node& node);
  void exchange(Copy& copy);

  // What a copy takes for each edge: two counts and two sums, and what is computed of them.
  static constexpr std::size_t kBytesPerEdge = 2 * sizeof(std::int32_t) + 2 * sizeof(double) + sizeof(float);

  Tree& tree_;
  std::size_t memory_bytes_, used_bytes_ = 0;
  std::array<std::unique_ptr<Copy>, std::size_t{1} << kPlaceBits> copies_;
};

}  // namespace treewise
