// Running a composed search from Python.
#include "search/search.h"

#include <atomic>
#include <chrono>

#include "bind/arrays.h"
#include "bind/claim.h"
#include "bind/python_game.h"
#include "bind/python_parts.h"

namespace treewise {

namespace {

// By which one thread ends the run of another.
class Stop {
 public:
  void set() { set_.store(true, std::memory_order_relaxed); }
  bool is_set() const { return set_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> set_ = false;
};

// Looks for a stop, and whether the interpreter is leaving; and every 20 ms for Ctrl-C and other signals; Python
// handles those in its main thread only.
class Poll {
 public:
  explicit Poll(const Stop* stop) : stop_(stop) {
    const nb::module_ threading = nb::module_::import_("threading");
    in_main_thread_ = threading.attr("current_thread")().is(threading.attr("main_thread")());
  }

  std::function<bool()> function() {
    return [this] {
      if (is_leaving() || (stop_ != nullptr && stop_->is_set())) return true;
      if (!in_main_thread_) return false;
      const auto now = std::chrono::steady_clock::now();
      if (now < next_) return false;
      next_ = now + std::chrono::milliseconds(20);
      const Locked locked;
      if (in_python([] { return PyErr_CheckSignals(); }) == 0) return false;
      error_ = nb::borrow(nb::python_error().value());
      return true;
    };
  }
  nb::object error() const { return error_; }

 private:
  const Stop* stop_;
  bool in_main_thread_ = false;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  nb::object error_ = nb::none();
};

class BoundSearch {
 public:
  BoundSearch(std::shared_ptr<const Game> game, nb::tuple spec)
      : game_(game), search_(game, *to_spec(spec, game, &references_)) {}

  nb::object run(const StateHandle& state, std::uint64_t seed, const Stop* stop) {
    if (state.game != game_) throw std::invalid_argument("the state belongs to another game object than the search");
    Poll poll(stop);
    const auto root = state.state->clone();
    if (auto* python = dynamic_cast<PythonState*>(root.get())) python->give_to(&references_);
    const auto interrupted = poll.function();
    const Claim claimed = claim();
    {
      const Unlocked unlocked;
      search_.run(*root, seed, interrupted);
    }
    return poll.error();
  }

  nb::dict report(std::uint64_t seed) {
    const Claim claimed = claim();
    const Report r = search_.report(seed);
    nb::list children;
    for (const RootChild& c : r.children) {
      nb::object value = nb::none();
      if (c.visits > 0 || c.exact) value = nb::float_(c.utility);
      children.append(nb::make_tuple(c.action, c.player, c.visits, value, c.prior, c.exact));
    }
    nb::dict d;
    d["children"] = children;
    d["chosen"] = r.chosen;
    d["line"] = r.line;
    d["player"] = r.player;
    d["value"] = r.value;
    nb::object proven = nb::none();
    if (r.proven) {
      proven = nb::cast(std::vector<double>(r.proven->begin(), r.proven->begin() + game_->info().num_players));
    }
    d["proven"] = proven;
    d["simulations"] = r.simulations;
    d["seconds"] = r.seconds;
    d["nodes"] = r.nodes;
    d["edges"] = r.edges;
    d["memory"] = r.memory;
    d["bytes_per_edge"] = r.bytes_per_edge;
    d["max_depth"] = r.max_depth;
    d["mean_depth"] = r.mean_depth;
    d["memory_full"] = r.memory_full;
    d["discarded"] = r.discarded;
    d["stopped"] = r.stopped;
    return d;
  }

  bool advance(const std::vector<Action>& actions) {
    const Claim claimed = claim();
    return search_.advance(actions);
  }
  void clear() {
    const Claim claimed = claim();
    search_.clear();
  }
  bool has_root() {
    const Claim claimed = claim();
    return search_.has_root();
  }
  std::size_t num_trees() const { return search_.trees().size(); }

  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(object_of(game_).ptr());  // all pointers to it here share one reference
    return references_.traverse(visit, arg);
  }
  void clear_references() { references_.clear(); }

  nb::dict columns(std::size_t index) {
    const Claim claimed = claim();
    if (index >= search_.trees().size()) throw std::invalid_argument("no such tree");
    search_.recount_nodes();
    const Tree& tree = *search_.trees()[index];
    const std::size_t nodes = tree.num_nodes();
    const auto players = static_cast<std::size_t>(tree.num_players());
    // Without the spare cells: the edges of the nodes follow each other.
    std::vector<EdgeId> edges, first_edges;
    for (std::size_t i = 0; i < nodes; ++i) {
      const Node& node = tree.node(static_cast<NodeId>(i));
      first_edges.push_back(static_cast<EdgeId>(edges.size()));
      for (EdgeId e = node.first_edge; e < node.first_edge + node.num_edges; ++e) edges.push_back(e);
    }
    nb::dict d;
    const auto node_column = [&]<class T>(const char* name, T Node::* field) {
      std::vector<T> values(nodes);
      for (std::size_t i = 0; i < nodes; ++i) values[i] = tree.node(static_cast<NodeId>(i)).*field;
      d[name] = to_array<T>(values);
    };
    d["first_edge"] = to_array<EdgeId>(first_edges);
    node_column("num_edges", &Node::num_edges);
    node_column("node_visits", &Node::visits);
    node_column("player", &Node::player);
    const auto edge_column = [&]<class T>(const char* name, T (Tree::*get)(EdgeId) const) {
      std::vector<T> values(edges.size());
      for (std::size_t i = 0; i < edges.size(); ++i) values[i] = (tree.*get)(edges[i]);
      d[name] = to_array<T>(values);
    };
    edge_column("action", static_cast<Action (Tree::*)(EdgeId) const>(&Tree::action));
    edge_column("visits", static_cast<std::int32_t (Tree::*)(EdgeId) const>(&Tree::visits));
    edge_column("value", static_cast<double (Tree::*)(EdgeId) const>(&Tree::value));
    edge_column("child", static_cast<NodeId (Tree::*)(EdgeId) const>(&Tree::child));
    if (tree.columns().prior) edge_column("prior", static_cast<float (Tree::*)(EdgeId) const>(&Tree::prior));
    if (tree.columns().squares) edge_column("squares", static_cast<double (Tree::*)(EdgeId) const>(&Tree::squares));
    if (tree.columns().chooser)
      edge_column("chooser", static_cast<std::int8_t (Tree::*)(EdgeId) const>(&Tree::chooser));
    if (tree.columns().proof && !edges.empty()) {
      edge_column("proven", static_cast<std::uint8_t (Tree::*)(EdgeId) const>(&Tree::proven));
      std::vector<double> proofs;
      for (const EdgeId e : edges) proofs.insert(proofs.end(), tree.proof(e), tree.proof(e) + players);
      d["proof"] = to_array<double>(proofs, {edges.size(), players});
    }
    if (tree.columns().bounds == Bounds::kNode) {
      std::vector<double> low(nodes), high(nodes);
      for (std::size_t i = 0; i < nodes; ++i) {
        const Range range = tree.range(static_cast<NodeId>(i), 0);
        low[i] = range.low;
        high[i] = range.high;
      }
      d["low"] = to_array<double>(low);
      d["high"] = to_array<double>(high);
    }
    if (tree.columns().chooser) add_joint_columns(tree, first_edges, d);
    d["root"] = tree.root() == kNoNode ? -1 : static_cast<int>(tree.root());
    return d;
  }

 private:
  // Joint actions and where they lead: a row has the node, one edge for each player, and the child.
  static void add_joint_columns(const Tree& tree, const std::vector<EdgeId>& first_edges, nb::dict& d) {
    const auto players = static_cast<std::size_t>(tree.num_players());
    std::vector<NodeId> nodes, children;
    std::vector<EdgeId> edges;
    for (const Tree::JointLink& link : tree.joint_links()) {
      nodes.push_back(link.node);
      children.push_back(link.child);
      const EdgeId moved = first_edges[link.node] - tree.node(link.node).first_edge;
      for (std::size_t p = 0; p < players; ++p) edges.push_back(link.edges[p] + moved);
    }
    d["joint_node"] = to_array<NodeId>(nodes);
    d["joint_child"] = to_array<NodeId>(children);
    d["joint_edges"] = to_array<EdgeId>(edges, {nodes.size(), players});
  }

  Claim claim() { return {taken_, "this session is searching already, in another thread"}; }

  std::shared_ptr<const Game> game_;
  References references_;  // the parts, and the states that the search keeps
  Search search_;
  std::atomic<bool> taken_ = false;
};

}  // namespace

void bind_search(nb::module_& m) {
  m.def("derive_seed", &derive_seed, nb::arg("seed"), nb::arg("index"),
        "The written rule for seeds: experiment, match, action, worker, each step one call with its index.");
  nb::class_<Stop>(m, "Stop", "Ends a run that is under way in another thread.")
      .def(nb::init<>())
      .def("set", &Stop::set, "From now on, runs with this stop end as soon as they notice.")
      .def("is_set", &Stop::is_set)
      .def("__repr__", [](const Stop& stop) { return stop.is_set() ? "<Stop, set>" : "<Stop, not set>"; });
  nb::class_<BoundSearch>(
      m, "Search", nb::type_slots(collected<BoundSearch, &BoundSearch::traverse, &BoundSearch::clear_references>()),
      "A search under way in one match.")
      .def(nb::init<std::shared_ptr<const Game>, nb::tuple>(), nb::arg("game"), nb::arg("spec"))
      .def("run", &BoundSearch::run, nb::arg("state"), nb::arg("seed"), nb::arg("stop").none() = nb::none(),
           "Searches until the limit or the stop. Returns the exception that stopped it early (a signal's), or None.")
      .def("report", &BoundSearch::report, nb::arg("seed"))
      .def("advance", &BoundSearch::advance, nb::arg("actions"))
      .def("clear", &BoundSearch::clear)
      .def_prop_ro("num_trees", &BoundSearch::num_trees)
      .def_prop_ro("has_root", &BoundSearch::has_root, "Whether there is anything to report.")
      .def("columns", &BoundSearch::columns, nb::arg("index"), "A copy of a tree's columns, by name.");
}

}  // namespace treewise
