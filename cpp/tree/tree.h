// The tree: columns of statistics, no formulas, no game.
//
// clang-format off
//   node n ──▶ first_edge ─┐  num_edges, active, visits, player
//                          ▼
//   edge      e     e+1    e+2   …   one row of cells in every column; a node's edges are contiguous
//   action    17     4      9        what the edge plays
//   visits    120    3      0        simulations that went through it, those under way included
//   value     71.5   1.0    0.0      sum of their results for the player who chooses, on the scale [0, 1]
//   child     n'     none   none     the node it leads to, once that is expanded; below joint actions: see `joint_`
//   inverse_root, prior, squares, chooser, proven, proof     only where a part or the game asks for them; so are `range`
//                                                             and `arrival`, of nodes
// clang-format on
//
// The first `active` edges of a node can be selected; expansion rules that widen raise it. A leaf is an edge
// without a child. Visits are added on the way down and values on the way up, so a simulation under way
// counts as a loss for the other threads (a virtual loss) and nothing has to be taken back.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>

#include "base/table.h"
#include "base/types.h"
#include "tree/region.h"

namespace treewise {

using NodeId = std::uint32_t;
using EdgeId = std::uint32_t;
constexpr NodeId kNoNode = 0xffffffffu;
constexpr NodeId kExpanding = 0xfffffffeu;  // another thread is giving this edge its child

// Rules read columns this many cells at a time, so the cells after a node's last edge are readable up to there. In a
// tree that threads share they are the node's own, since another node's are guarded by another lock.
constexpr std::size_t kBlock = 8;

// The least and the greatest of some results; empty until the first.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
};

// Of which results the range is kept: none, since the game says one or nobody asks; those that were added to a node's
// own edges; those of the whole tree; or all that the tree has seen since it was made, whatever was cleared.
enum class Bounds : std::uint8_t { kGame, kNone, kNode, kTree, kGlobal };

// The optional columns.
struct Columns {
  bool inverse_root = false;  // 1 / sqrt(visits), or 0: roots and quotients are dear, and selection would take many
  bool prior = false;         // prior probabilities, or the probabilities of chance outcomes
  bool squares = false;       // sums of squared results
  bool chooser = false;       // the player of each edge, for nodes where several choose at once
  bool proof = false;         // proven results, each player's exact returns
  Bounds bounds = Bounds::kGame;

  Columns operator|(const Columns& o) const {
    return {inverse_root || o.inverse_root, prior || o.prior, squares || o.squares,
            chooser || o.chooser,           proof || o.proof, std::max(bounds, o.bounds)};
  }
  bool has_ranges() const { return bounds >= Bounds::kNode; }
  bool operator==(const Columns&) const = default;
};

inline constexpr std::int32_t kKnownRoots = 1 << 12;
extern const std::array<float, kKnownRoots> kInverseRoots;
inline float inverse_root(std::int32_t visits) {
  return visits < kKnownRoots ? kInverseRoots[static_cast<std::size_t>(visits)]
                              : 1 / std::sqrt(static_cast<float>(visits));
}

struct Node {
  EdgeId first_edge;
  std::uint32_t num_edges;
  std::int32_t visits;
  std::int16_t player;  // who chooses here, or kChance, kSimultaneous
  std::uint8_t lock;    // see NodeLock
  std::uint8_t proven;  // whether any of its edges is
};

// Loads and stores that several threads may do at once; relaxed, since every number stands for itself.
template <class T>
T peek(const T& cell) {
  return std::atomic_ref<T>(const_cast<T&>(cell)).load(std::memory_order_relaxed);
}
template <class T>
void poke(T& cell, T value) {
  std::atomic_ref<T>(cell).store(value, std::memory_order_relaxed);
}

// Guards the statistics of a node and its edges while several threads share the tree; does nothing if `shared` is
// false. A few dozen nanoseconds are spent under it, so waiting threads spin. What is not guarded by it is atomic: an
// edge's child, and proofs.
class NodeLock {
 public:
  NodeLock(Node& node, bool shared) : lock_(shared ? &node.lock : nullptr) {
    if (!lock_) return;
    const std::atomic_ref<std::uint8_t> lock(*lock_);
    while (lock.exchange(1, std::memory_order_acquire)) {
      while (lock.load(std::memory_order_relaxed)) pause();
    }
  }
  ~NodeLock() {
    if (lock_) std::atomic_ref<std::uint8_t>(*lock_).store(0, std::memory_order_release);
  }
  NodeLock(const NodeLock&) = delete;
  NodeLock& operator=(const NodeLock&) = delete;

 private:
  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  std::uint8_t* lock_;
};

class Tree {
 public:
  // `memory_bytes` caps what nodes and edges may take together. `shared`: by several threads. Where the process may not
  // have so much address space, less is reserved. Throws std::runtime_error where there is next to none.
  Tree(Columns columns, int num_players, std::size_t memory_bytes, bool shared);
  ~Tree() { clear(); }  // regions are left as zeros

  // Adds a node with an edge for each action, or returns kNoNode if memory is at its cap. Thread-safe. Throws
  // std::runtime_error where the cap is not reached, but all that could be reserved is taken.
  NodeId add_node(int player, std::span<const Action> actions, int visits);

  Node& node(NodeId id) { return nodes_[id]; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  Action& action(EdgeId e) { return links_[e].action; }
  double& value(EdgeId e) { return values_[e]; }
  NodeId& child(EdgeId e) { return links_[e].child; }
  float& prior(EdgeId e) { return priors_[e]; }
  double& squares(EdgeId e) { return squares_[e]; }
  std::int8_t& chooser(EdgeId e) { return choosers_[e]; }
  std::uint8_t& proven(EdgeId e) { return proven_[e]; }
  double* proof(EdgeId e) { return proofs_ + static_cast<std::size_t>(e) * static_cast<std::size_t>(num_players_); }

  Action action(EdgeId e) const { return links_[e].action; }
  std::int32_t visits(EdgeId e) const { return visits_[e]; }
  const std::int32_t* visits_from(EdgeId e) const { return visits_ + e; }
  const float* inverse_roots_from(EdgeId e) const { return inverse_roots_ + e; }
  bool visited(EdgeId e) const { return inverse_roots_ ? inverse_roots_[e] > 0 : visits_[e] > 0; }
  void set_visits(EdgeId e, std::int32_t visits) {
    visits_[e] = visits;
    if (inverse_roots_) inverse_roots_[e] = inverse_root(visits);
  }
  double value(EdgeId e) const { return values_[e]; }
  NodeId child(EdgeId e) const { return links_[e].child; }
  // A simulation that comes back to this edge will find its value near.
  void expect_value(EdgeId e) const { __builtin_prefetch(values_ + e, 1); }
  float prior(EdgeId e) const { return priors_[e]; }
  double squares(EdgeId e) const { return squares_[e]; }
  std::int8_t chooser(EdgeId e) const { return choosers_[e]; }
  std::uint8_t proven(EdgeId e) const { return proven_[e]; }
  const double* proof(EdgeId e) const {
    return proofs_ + static_cast<std::size_t>(e) * static_cast<std::size_t>(num_players_);
  }

  // The range that the player who chooses at a node goes by; under the node's lock. Only where `has_ranges`.
  Range range(NodeId node, int player) const;
  void see(NodeId node, int player, double result);
  NodeId id_of(const Node& node) const { return static_cast<NodeId>(&node - nodes_); }

  // Children of joint actions, by the node and the chosen edges. Thread-safe.
  NodeId joint_child(NodeId node, std::span<const EdgeId> edges) const;
  NodeId add_joint_child(NodeId node, std::span<const EdgeId> edges, NodeId child);  // the one that was first
  // Counts evaluations of a joint action that has no child yet, and says how many there were before.
  int count_joint(NodeId node, std::span<const EdgeId> edges, int evaluations);
  // All that were made, in the order of the nodes: a node, its child, and the edges between them, one of each player.
  struct JointLink {
    NodeId node, child;
    std::array<EdgeId, kMaxPlayers> edges;
  };
  std::vector<JointLink> joint_links() const;

  // The node that the search starts from; node 0 after `reroot`.
  NodeId root() const { return root_; }
  void set_root(NodeId root) { root_ = root; }

  // Keeps only what lies below `node`, moved to the front, and gives the rest of the memory back.
  void reroot(NodeId node);
  void clear();

  const Columns& columns() const { return columns_; }
  // Whether anything but its value is kept of a result.
  bool keeps_more() const { return keeps_more_; }
  int num_players() const { return num_players_; }
  std::size_t num_nodes() const { return num_nodes_; }
  std::size_t num_edges() const { return num_edges_; }
  std::size_t num_cells() const { return num_cells_; }  // every edge has one; others are spare and lead nowhere
  std::size_t bytes_per_edge() const { return bytes_per_edge_; }
  std::size_t memory_cap() const { return memory_bytes_; }
  std::size_t memory_used() const;
  // Counts memory that is kept elsewhere until the tree is cleared; false if that is more than the cap allows.
  bool charge(std::size_t bytes);
  bool full() const { return full_.load(std::memory_order_relaxed); }

 private:
  // What is below a joint action. Its chosen edges are told by their places in the node, wherever that is kept: the
  // key is made of them, and the child's `arrivals_` has them.
  struct JointChild {
    NodeId node = kNoNode, child = kNoNode;
    std::int32_t evaluations = 0;  // until there is a child
  };
  Table<JointChild> no_joint_children() const;
  std::uint64_t joint_key(NodeId node, std::span<const EdgeId> edges) const;
  std::span<std::uint32_t> arrival(NodeId child) const {
    const auto players = static_cast<std::size_t>(num_players_);
    return {arrivals_ + child * players, players};
  }
  std::unique_lock<std::mutex> lock_joint() const;
  void move_joint(const std::vector<JointLink>& links, const std::vector<NodeId>& moved);
  void mark_below(NodeId node, const std::vector<JointLink>& joint, std::vector<std::uint8_t>& keep) const;
  std::size_t cells_for(std::size_t edges) const;
  void move_cells(EdgeId from, EdgeId to, std::size_t count);
  void prepare_cells(std::size_t from, std::size_t to);
  void shrink(std::size_t nodes, std::size_t edges, std::size_t cells);
  // The two cells that only the chosen edge needs stand together: one line of the cache instead of two.
  struct Link {
    Action action;
    NodeId child;
  };
  void reserve();
  void make_columns(std::size_t bytes);
  template <class T>
  T* make_column(Region& region, std::size_t cells);
  [[noreturn]] void refuse() const;

  Columns columns_;
  int num_players_;
  std::size_t memory_bytes_, bytes_per_edge_, bytes_per_node_ = sizeof(Node);
  std::size_t reserved_bytes_ = 0;  // the cap, where that could be had
  std::size_t max_nodes_ = 0, max_cells_ = 0;
  bool shared_, keeps_more_;
  NodeId root_ = kNoNode;

  // The counters move together under `growth_`, so node order is edge order: `reroot` relies on it.
  // What threads write while the tree grows has a cache line of its own: the columns below are read all the time.
  alignas(64) std::mutex growth_;
  std::atomic<std::size_t> num_nodes_ = 0, num_edges_ = 0, num_cells_ = 0, charged_ = 0;
  std::atomic<bool> full_ = false;
  std::size_t prepared_ = 0;  // cells

  alignas(64) Region regions_[12];
  Node* nodes_ = nullptr;
  Link* links_ = nullptr;
  std::int32_t* visits_ = nullptr;
  float* inverse_roots_ = nullptr;
  double* values_ = nullptr;
  float* priors_ = nullptr;
  double* squares_ = nullptr;
  std::int8_t* choosers_ = nullptr;
  std::uint8_t* proven_ = nullptr;
  double* proofs_ = nullptr;
  Range* ranges_ = nullptr;            // by node
  std::uint32_t* arrivals_ = nullptr;  // by node and player: the joint action that leads there, as places of edges
  std::array<Range, kMaxPlayers> whole_range_{};  // by player

  alignas(64) mutable std::mutex joint_mutex_;
  Table<JointChild> joint_;
  std::atomic<std::size_t> joint_count_ = 0;
};

}  // namespace treewise
