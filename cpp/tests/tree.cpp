// The tree on its own: growth up to the cap, and rerooting in place.
#include "tree/tree.h"

#include <array>
#include <cstdio>

#include "tests/tests.h"

namespace treewise {

namespace {

bool check(bool holds, const char* what) {
  if (!holds) std::fprintf(stderr, "tree: %s\n", what);
  return holds;
}

// A complete tree of `depth` levels with `width` edges a node; an edge's action tells where it stands.
NodeId grow(Tree& tree, int depth, int width, Action tag) {
  std::vector<Action> actions;
  for (int i = 0; i < width; ++i) actions.push_back(tag * width + i);
  const NodeId id = tree.add_node(depth % 2, actions, 1);
  if (id == kNoNode || depth == 1) return id;
  for (int i = 0; i < width; ++i) {
    const EdgeId e = tree.node(id).first_edge + static_cast<EdgeId>(i);
    tree.set_visits(e, tag + i);
    tree.value(e) = 0.5 * tag;
    if (tree.columns().has_ranges()) tree.see(id, depth % 2, 0.5 * (tag + i));
    if (tree.columns().proof) tree.proof(e)[1] = static_cast<double>(tag);
    tree.child(e) = grow(tree, depth - 1, width, tag * width + i);
  }
  return id;
}

bool same_below(const Tree& a, NodeId x, const Tree& b, NodeId y) {
  const Node &m = a.node(x), &n = b.node(y);
  if (m.num_edges != n.num_edges || m.player != n.player || m.visits != n.visits) return false;
  if (a.columns().has_ranges()) {
    const Range p = a.range(x, m.player), q = b.range(y, n.player);
    if (p.low != q.low || p.high != q.high) return false;
  }
  for (std::uint32_t i = 0; i < m.num_edges; ++i) {
    const EdgeId e = m.first_edge + i, f = n.first_edge + i;
    if (a.action(e) != b.action(f) || a.visits(e) != b.visits(f) || a.value(e) != b.value(f)) return false;
    if (a.columns().inverse_root && *a.inverse_roots_from(e) != *b.inverse_roots_from(f)) return false;
    if (a.columns().proof && a.proof(e)[1] != b.proof(f)[1]) return false;
    const bool inner = a.child(e) < kExpanding;
    if (inner != (b.child(f) < kExpanding)) return false;
    if (inner && !same_below(a, a.child(e), b, b.child(f))) return false;
  }
  return true;
}

bool test_reroot(Columns columns, bool shared) {
  bool ok = true;
  for (int branch = 0; branch < 3; ++branch) {
    Tree tree(columns, 2, 10'000'000, shared), twin(columns, 2, 10'000'000, shared);
    tree.set_root(grow(tree, 7, 3, 1));
    twin.set_root(grow(twin, 7, 3, 1));
    const std::size_t before = tree.memory_used();
    const EdgeId edge = tree.node(tree.root()).first_edge + static_cast<EdgeId>(branch);
    const NodeId kept = twin.child(edge);
    tree.reroot(tree.child(edge));
    ok &= check(tree.root() == 0, "the new root is not the first node");
    ok &= check(same_below(tree, tree.root(), twin, kept), "rerooting changed what it kept");
    ok &= check(3 * tree.memory_used() < before + before / 10, "rerooting kept too much");
    const NodeId fresh = tree.add_node(0, std::vector<Action>{1, 2, 3}, 0);
    const EdgeId first = tree.node(fresh).first_edge;
    ok &= check(tree.visits(first) == 0 && tree.value(first) == 0 && tree.child(first) == kNoNode,
                "a new node after rerooting is not empty");
    ok &= check(tree.num_edges() == 3 * tree.num_nodes(), "rerooting miscounted the edges");
    for (EdgeId e = first + 3; e < tree.num_cells(); ++e)
      ok &= check(tree.child(e) == kNoNode, "a spare cell leads on");
  }
  return ok;
}

// Two players with two actions each, `depth` moments deep; a node's visits tell which joint action led to it.
NodeId grow_joint(Tree& tree, int depth, int tag) {
  const NodeId id = tree.add_node(kSimultaneous, std::vector<Action>{0, 1, 0, 1}, tag);
  const EdgeId first = tree.node(id).first_edge;
  for (EdgeId e = first; e < first + 4; ++e) tree.chooser(e) = static_cast<std::int8_t>(e >= first + 2);
  if (depth == 1) return id;
  for (EdgeId joint = 0; joint < 4; ++joint) {
    const std::array<EdgeId, 2> edges = {first + joint / 2, first + 2 + joint % 2};
    tree.add_joint_child(id, edges, grow_joint(tree, depth - 1, 4 * tag + static_cast<int>(joint)));
  }
  return id;
}

bool same_joint(const Tree& tree, NodeId id, int depth, int tag) {
  const Node& node = tree.node(id);
  if (node.visits != tag || node.num_edges != 4 || tree.chooser(node.first_edge + 2) != 1) return false;
  for (EdgeId joint = 0; joint < 4; ++joint) {
    const std::array<EdgeId, 2> edges = {node.first_edge + joint / 2, node.first_edge + 2 + joint % 2};
    const NodeId child = tree.joint_child(id, edges);
    if ((child != kNoNode) != (depth > 1)) return false;
    if (depth > 1 && !same_joint(tree, child, depth - 1, 4 * tag + static_cast<int>(joint))) return false;
  }
  return true;
}

bool test_reroot_joint(bool shared) {
  bool ok = true;
  for (EdgeId joint = 0; joint < 4; ++joint) {
    Tree tree({.chooser = true}, 2, 10'000'000, shared);
    tree.set_root(grow_joint(tree, 5, 1));
    const EdgeId first = tree.node(tree.root()).first_edge;
    const std::array<EdgeId, 2> edges = {first + joint / 2, first + 2 + joint % 2};
    tree.reroot(tree.joint_child(tree.root(), edges));
    ok &= check(tree.root() == 0 && tree.num_nodes() == 1 + 4 + 16 + 64, "rerooting kept the wrong joint children");
    ok &= check(same_joint(tree, tree.root(), 4, 4 + static_cast<int>(joint)), "rerooting mixed up joint children");
    const NodeId fresh = tree.add_node(kSimultaneous, std::vector<Action>{0, 1, 0, 1}, 0);
    const EdgeId next = tree.node(fresh).first_edge;
    const std::array<EdgeId, 2> both = {next, next + 2};
    ok &= check(tree.joint_child(fresh, both) == kNoNode, "a new node after rerooting has a joint child");
    tree.clear();
    ok &= check(tree.num_nodes() == 0, "a cleared tree has nodes");
  }
  return ok;
}

bool test_cap(bool shared) {
  Tree tree({}, 2, 100'000, shared);
  const std::vector<Action> actions(10);
  int nodes = 0;
  while (tree.add_node(0, actions, 0) != kNoNode) ++nodes;
  bool ok = check(tree.full() && tree.memory_used() <= 100'000, "the cap does not hold");
  ok &= check(tree.memory_used() > 95'000, "the cap is reached too early");
  tree.clear();
  return ok & check(tree.add_node(0, actions, 0) == 0, "a cleared tree does not start anew");
}

// What is kept elsewhere takes its part of the cap until the tree is cleared.
bool test_charge() {
  Tree tree({}, 1, 100'000, false);
  bool ok = check(tree.charge(60'000) && !tree.charge(60'000) && tree.full(), "more was kept than the cap allows");
  const std::vector<Action> actions(10);
  while (tree.add_node(0, actions, 0) != kNoNode) continue;
  ok &= check(tree.num_nodes() > 0 && tree.memory_used() <= 100'000, "the cap does not hold for all together");
  tree.clear();
  return ok & check(tree.memory_used() == 0 && tree.charge(90'000), "a cleared tree remembers what was kept");
}

// Ranges of the whole tree, by player; the global one outlives the tree.
bool test_ranges(Bounds bounds) {
  Tree tree({.bounds = bounds}, 2, 100'000, false);
  const NodeId node = tree.add_node(0, std::vector<Action>(3), 0);
  for (const double result : {0.5, 0.25, 0.75}) tree.see(node, 0, result);
  const Range own = tree.range(node, 0), other = tree.range(node, 1);
  bool ok = check(own.low == 0.25 && own.high == 0.75, "a range is not what was seen");
  ok &= check(!(other.low <= other.high), "a range of nothing is not empty");
  tree.clear();
  return ok &
         check((tree.range(0, 0).low == 0.25) == (bounds == Bounds::kGlobal), "a range lives too long or too short");
}

}  // namespace

bool test_tree() {
  bool ok = true;
  for (const bool shared : {false, true}) {
    ok &= test_reroot({}, shared);
    ok &= test_reroot({.inverse_root = true, .prior = true, .squares = true, .chooser = true, .proof = true}, shared);
    ok &= test_reroot({.bounds = Bounds::kNode}, shared);
    ok &= test_reroot_joint(shared);
    ok &= test_cap(shared);
  }
  ok &= test_charge() & test_ranges(Bounds::kTree) & test_ranges(Bounds::kGlobal);
  return ok;
}

}  // namespace treewise
