#include "tree/tree.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/bits.h"

namespace treewise {

namespace {

// A joint child's share of the hash table at most, which is a quarter full after it has grown.
constexpr std::size_t kJointBytes = 96;
// So many cells ahead the memory of a shared tree is prepared, and this part of all of them at most.
constexpr std::size_t kAhead = std::size_t{1} << 16, kAheadOf = 64;
// With less a tree makes no sense.
constexpr std::size_t kLeast = std::size_t{1} << 16;
// Of what could be had when the cap could not, this part is taken: others need address space, too.
constexpr std::size_t kModest = 4;

}  // namespace

const std::array<float, kKnownRoots> kInverseRoots = [] {
  std::array<float, kKnownRoots> table{};
  for (int n = 1; n < kKnownRoots; ++n) table[static_cast<std::size_t>(n)] = 1 / std::sqrt(static_cast<float>(n));
  return table;
}();

template <class T>
T* Tree::make_column(Region& region, std::size_t cells) {
  region = Region((cells + kBlock) * sizeof(T));
  return static_cast<T*>(region.data());
}

Tree::Tree(Columns columns, int num_players, std::size_t memory_bytes, bool shared)
    : columns_(columns),
      num_players_(num_players),
      memory_bytes_(memory_bytes),
      shared_(shared),
      keeps_more_(columns.squares || columns.has_ranges()),
      joint_(no_joint_children()) {
  const auto players = static_cast<std::size_t>(num_players);
  bytes_per_edge_ = sizeof(Link) + sizeof(std::int32_t) + sizeof(double);
  if (columns.inverse_root) bytes_per_edge_ += sizeof(float);
  if (columns.prior) bytes_per_edge_ += sizeof(float);
  if (columns.squares) bytes_per_edge_ += sizeof(double);
  if (columns.chooser) bytes_per_edge_ += sizeof(std::int8_t);
  if (columns.proof) bytes_per_edge_ += sizeof(std::uint8_t) + players * sizeof(double);
  if (columns.bounds == Bounds::kNode) bytes_per_node_ += sizeof(Range);
  if (columns.chooser) bytes_per_node_ += players * sizeof(std::uint32_t);
  reserve();
}

void Tree::reserve() {
  std::size_t bytes = memory_bytes_;
  const auto give_back = [this] {
    for (Region& region : regions_) region.unmap();
  };
  const auto succeeds = [&] {
    try {
      make_columns(bytes);
      return true;
    } catch (const std::bad_alloc&) {
      give_back();
      return false;
    }
  };
  if (succeeds()) return;
  do {
    bytes /= 2;
    if (bytes < kLeast) {
      reserved_bytes_ = 0;
      refuse();
    }
  } while (!succeeds());
  give_back();
  bytes = std::max(bytes / kModest, kLeast);
  if (!succeeds()) throw std::bad_alloc();  // another thread has taken it in between
}

void Tree::refuse() const {
  const auto megabytes = [](std::size_t bytes) { return std::to_string((bytes + 500'000) / 1'000'000) + " MB"; };
  const std::string got = reserved_bytes_ == 0 ? "has no address space left for it"
                                               : "could reserve address space for " + megabytes(reserved_bytes_) +
                                                     " of it, and that is full";
  throw std::runtime_error("the tree may take " + megabytes(memory_bytes_) + ", but this process " + got +
                           ": allow the process more (ulimit -v), or set memory_mb to what it may take");
}

void Tree::make_columns(std::size_t bytes) {
  const auto players = static_cast<std::size_t>(num_players_);
  const Columns& columns = columns_;
  reserved_bytes_ = bytes;
  // Every node has an edge, so neither column can outgrow these.
  max_cells_ = std::min<std::size_t>(bytes / bytes_per_edge_, kExpanding - 1);
  max_nodes_ = std::min<std::size_t>(bytes / (bytes_per_edge_ + bytes_per_node_), kExpanding - 1) + 1;
  nodes_ = make_column<Node>(regions_[0], max_nodes_);
  links_ = make_column<Link>(regions_[1], max_cells_);
  visits_ = make_column<std::int32_t>(regions_[2], max_cells_);
  values_ = make_column<double>(regions_[3], max_cells_);
  if (columns.inverse_root) inverse_roots_ = make_column<float>(regions_[10], max_cells_);
  if (columns.prior) priors_ = make_column<float>(regions_[4], max_cells_);
  if (columns.squares) squares_ = make_column<double>(regions_[5], max_cells_);
  if (columns.chooser) choosers_ = make_column<std::int8_t>(regions_[6], max_cells_);
  if (columns.proof) {
    proven_ = make_column<std::uint8_t>(regions_[7], max_cells_);
    proofs_ = make_column<double>(regions_[8], max_cells_ * players);
  }
  if (columns.bounds == Bounds::kNode) ranges_ = make_column<Range>(regions_[9], max_nodes_);
  if (columns.chooser) arrivals_ = make_column<std::uint32_t>(regions_[11], max_nodes_ * players);
}

// Whole blocks where threads share the tree. Where several players choose at a node, the last one's edges may begin
// anywhere in a block.
std::size_t Tree::cells_for(std::size_t edges) const {
  if (!shared_) return edges;
  const std::size_t read = columns_.chooser ? edges + kBlock - 1 : edges;
  return (read + kBlock - 1) / kBlock * kBlock;
}

NodeId Tree::add_node(int player, std::span<const Action> actions, int visits) {
  const std::size_t count = actions.size(), needed = cells_for(count);
  std::size_t id, first, prepared = 0;
  {
    const std::lock_guard lock(growth_);
    const std::size_t cells = num_cells_ + needed;
    // The node may be about to become a joint child.
    const std::size_t joint = joint_count_.load(std::memory_order_relaxed) + (columns_.chooser ? 1 : 0);
    const std::size_t bytes =
        cells * bytes_per_edge_ + (num_nodes_ + 1) * bytes_per_node_ + joint * kJointBytes + charged_;
    const bool no_room = cells > max_cells_ || num_nodes_ + 1 > max_nodes_;
    if (no_room && bytes <= memory_bytes_ && reserved_bytes_ < memory_bytes_) refuse();
    if (no_room || bytes > memory_bytes_) {
      full_.store(true, std::memory_order_relaxed);
      return kNoNode;
    }
    id = num_nodes_.fetch_add(1, std::memory_order_relaxed);
    first = num_cells_.load(std::memory_order_relaxed);
    num_edges_.fetch_add(count, std::memory_order_relaxed);
    num_cells_.store(cells, std::memory_order_relaxed);
    const std::size_t ahead = std::min(kAhead, max_cells_ / kAheadOf);
    if (shared_ && cells + ahead > prepared_ && prepared_ < max_cells_)
      prepared = prepared_ = std::min(cells + 2 * ahead, max_cells_);
  }
  if (prepared != 0) prepare_cells(first, prepared);
  nodes_[id] = {
      static_cast<EdgeId>(first), static_cast<std::uint32_t>(count), visits, static_cast<std::int16_t>(player), 0, 0};
  if (ranges_) ranges_[id] = {};
  // The other columns start as zeros.
  for (std::size_t i = 0; i < needed; ++i) links_[first + i] = {i < count ? actions[i] : 0, kNoNode};
  return static_cast<NodeId>(id);
}

// Threads that come to a new page at the same moment would both clear it. So one of them does so in time.
void Tree::prepare_cells(std::size_t from, std::size_t to) {
  const auto prepare = [&](Region& region, auto* column, std::size_t width = 1) {
    if (column) region.prepare(from * width * sizeof(*column), to * width * sizeof(*column));
  };
  prepare(regions_[1], links_);
  prepare(regions_[2], visits_);
  prepare(regions_[3], values_);
  prepare(regions_[4], priors_);
  prepare(regions_[5], squares_);
  prepare(regions_[6], choosers_);
  prepare(regions_[7], proven_);
  prepare(regions_[8], proofs_, static_cast<std::size_t>(num_players_));
  prepare(regions_[10], inverse_roots_);
}

Table<Tree::JointChild> Tree::no_joint_children() const {
  return Table<JointChild>(std::numeric_limits<std::size_t>::max(), columns_.chooser ? 1 << 10 : 2);
}

std::uint64_t Tree::joint_key(NodeId node, std::span<const EdgeId> edges) const {
  std::uint64_t key = 0;
  for (const EdgeId e : edges) key = mix(key, e - nodes_[node].first_edge);
  return mix(key, node) | 1;
}

std::unique_lock<std::mutex> Tree::lock_joint() const {
  return shared_ ? std::unique_lock(joint_mutex_) : std::unique_lock<std::mutex>();
}

NodeId Tree::joint_child(NodeId node, std::span<const EdgeId> edges) const {
  const std::uint64_t key = joint_key(node, edges);
  const auto lock = lock_joint();
  const JointChild* found = joint_.find(key);
  return found ? found->child : kNoNode;
}

NodeId Tree::add_joint_child(NodeId node, std::span<const EdgeId> edges, NodeId child) {
  const std::uint64_t key = joint_key(node, edges);
  std::ranges::transform(edges, arrival(child).begin(), [&](EdgeId e) { return e - nodes_[node].first_edge; });
  const auto lock = lock_joint();
  JointChild& entry = *joint_.insert(key);
  entry.node = node;
  if (entry.child == kNoNode) entry.child = child;
  joint_count_.store(joint_.size(), std::memory_order_relaxed);
  return entry.child;
}

int Tree::count_joint(NodeId node, std::span<const EdgeId> edges, int evaluations) {
  const std::uint64_t key = joint_key(node, edges);
  const auto lock = lock_joint();
  if (!joint_.find(key) && memory_used() + kJointBytes > memory_bytes_) {
    full_.store(true, std::memory_order_relaxed);
    return 0;
  }
  JointChild& entry = *joint_.insert(key);
  entry.node = node;
  joint_count_.store(joint_.size(), std::memory_order_relaxed);
  return std::exchange(entry.evaluations, entry.evaluations + evaluations);
}

std::vector<Tree::JointLink> Tree::joint_links() const {
  std::vector<JointLink> links;
  joint_.for_each([&](std::uint64_t, const JointChild& entry) {
    if (entry.child == kNoNode) return;
    JointLink& link = links.emplace_back(JointLink{entry.node, entry.child, {}});
    const EdgeId first = nodes_[entry.node].first_edge;
    std::ranges::transform(arrival(entry.child), link.edges.begin(),
                           [=](std::uint32_t place) { return first + place; });
  });
  std::ranges::sort(links, {}, [](const JointLink& link) { return std::pair(link.node, link.child); });
  return links;
}

std::size_t Tree::memory_used() const {
  return num_cells_ * bytes_per_edge_ + num_nodes_ * bytes_per_node_ +
         joint_count_.load(std::memory_order_relaxed) * kJointBytes + charged_;
}

bool Tree::charge(std::size_t bytes) {
  const std::lock_guard lock(growth_);
  if (memory_used() + bytes > memory_bytes_) {
    full_.store(true, std::memory_order_relaxed);
    return false;
  }
  charged_ += bytes;
  return true;
}

Range Tree::range(NodeId node, int player) const {
  if (ranges_) return ranges_[node];
  const Range& all = whole_range_[static_cast<std::size_t>(player)];
  return {peek(all.low), peek(all.high)};
}

// The range of the whole tree is nobody's node: threads that share it may overtake each other, and try again.
void Tree::see(NodeId node, int player, double result) {
  Range& range = ranges_ ? ranges_[node] : whole_range_[static_cast<std::size_t>(player)];
  const std::atomic_ref<double> low(range.low), high(range.high);
  double known = low.load(std::memory_order_relaxed);
  while (result < known && !low.compare_exchange_weak(known, result, std::memory_order_relaxed)) {
  }
  known = high.load(std::memory_order_relaxed);
  while (result > known && !high.compare_exchange_weak(known, result, std::memory_order_relaxed)) {
  }
}

void Tree::mark_below(NodeId start, const std::vector<JointLink>& joint, std::vector<std::uint8_t>& keep) const {
  std::vector<NodeId> open = {start};
  keep[start] = 1;
  const auto mark = [&](NodeId child) {
    if (keep[child]) return;
    keep[child] = 1;
    open.push_back(child);
  };
  while (!open.empty()) {
    const NodeId id = open.back();
    const Node& n = nodes_[id];
    open.pop_back();
    for (EdgeId e = n.first_edge; e < n.first_edge + n.num_edges; ++e)
      if (links_[e].child < kExpanding) mark(links_[e].child);
    for (const JointLink& link : std::ranges::equal_range(joint, id, {}, &JointLink::node)) mark(link.child);
  }
}

void Tree::move_cells(EdgeId from, EdgeId to, std::size_t count) {
  const auto slide = [&](auto* column, std::size_t width = 1) {
    if (column) std::memmove(column + to * width, column + from * width, count * width * sizeof(*column));
  };
  slide(links_);
  slide(visits_);
  slide(inverse_roots_);
  slide(values_);
  slide(priors_);
  slide(squares_);
  slide(choosers_);
  slide(proven_);
  slide(proofs_, static_cast<std::size_t>(num_players_));
}

// Children always come after their parents and edge blocks lie in node order, so one pass slides everything
// that is kept to the front in place.
void Tree::reroot(NodeId start) {
  const std::vector<JointLink> joint = joint_links();
  std::vector<std::uint8_t> keep(num_nodes_, 0);
  mark_below(start, joint, keep);
  std::vector<NodeId> moved(num_nodes_, kNoNode);
  NodeId next = 0;
  std::size_t next_cell = 0, edges = 0;
  for (NodeId id = 0; id < num_nodes_; ++id) {
    if (!keep[id]) continue;
    Node n = nodes_[id];
    const std::size_t cells = cells_for(n.num_edges);
    move_cells(n.first_edge, static_cast<EdgeId>(next_cell), cells);
    n.first_edge = static_cast<EdgeId>(next_cell);
    next_cell += cells;
    edges += n.num_edges;
    moved[id] = next;
    if (ranges_) ranges_[next] = ranges_[id];
    if (arrivals_) std::ranges::copy(arrival(id), arrival(next).begin());
    nodes_[next++] = n;
  }
  for (std::size_t e = 0; e < next_cell; ++e) {
    if (links_[e].child < kExpanding) links_[e].child = moved[links_[e].child];
  }
  move_joint(joint, moved);
  root_ = moved[start];
  shrink(next, edges, next_cell);
}

// Those whose node is kept; then they are too. Evaluations of joint actions without a child are counted anew.
void Tree::move_joint(const std::vector<JointLink>& links, const std::vector<NodeId>& moved) {
  joint_ = no_joint_children();
  const auto players = static_cast<std::size_t>(num_players_);
  for (const JointLink& link : links) {
    const NodeId node = moved[link.node], child = moved[link.child];
    if (node == kNoNode) continue;
    std::array<EdgeId, kMaxPlayers> edges{};
    std::ranges::transform(arrival(child), edges.begin(),
                           [&](std::uint32_t at) { return nodes_[node].first_edge + at; });
    *joint_.insert(joint_key(node, {edges.data(), players})) = {node, child, 0};
  }
  joint_count_ = joint_.size();
}

void Tree::clear() {
  root_ = kNoNode;
  joint_ = no_joint_children();
  joint_count_ = 0;
  charged_ = 0;
  if (columns_.bounds == Bounds::kTree) whole_range_ = {};
  shrink(0, 0, 0);
}

// New edges rely on zeros. Whole pages that were used are given back, which zeroes them; the rest of the last page
// that is kept is zeroed by hand, and so is everything where little was used.
void Tree::shrink(std::size_t nodes, std::size_t edges, std::size_t cells) {
  const auto trim = [this](Region& region, auto* column, std::size_t kept, std::size_t used) {
    if (!column || kept == used) return;
    constexpr std::size_t small = std::size_t{1} << 18;
    const std::size_t from = kept * sizeof(*column), to = used * sizeof(*column);
    const bool by_hand = to - from <= small && !shared_;  // shared trees have prepared more than they have used
    const std::size_t given_back = by_hand ? to : std::min(to, region.release_after(from));
    std::memset(static_cast<void*>(column + kept), 0, given_back - from);
  };
  const auto players = static_cast<std::size_t>(num_players_);
  trim(regions_[0], nodes_, nodes, num_nodes_);
  trim(regions_[9], ranges_, nodes, num_nodes_);
  trim(regions_[11], arrivals_, nodes * players, num_nodes_ * players);
  trim(regions_[1], links_, cells, num_cells_);
  trim(regions_[2], visits_, cells, num_cells_);
  trim(regions_[10], inverse_roots_, cells, num_cells_);
  trim(regions_[3], values_, cells, num_cells_);
  trim(regions_[4], priors_, cells, num_cells_);
  trim(regions_[5], squares_, cells, num_cells_);
  trim(regions_[6], choosers_, cells, num_cells_);
  trim(regions_[7], proven_, cells, num_cells_);
  trim(regions_[8], proofs_, cells * players, num_cells_ * players);
  num_nodes_ = nodes;
  num_edges_ = edges;
  num_cells_ = cells;
  prepared_ = cells;
  full_.store(false, std::memory_order_relaxed);
}

}  // namespace treewise
