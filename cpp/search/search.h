// A search under way in one match: the composition, its trees and its workers.
#pragma once

#include <functional>

#include "search/worker.h"

namespace treewise {

struct Report {
  std::vector<RootChild> children;        // in the order of the first tree's edges
  std::vector<std::size_t> chosen;        // indices into `children`: one, or one for each player at once
  std::vector<std::vector<Action>> line;  // the most visited way down; a step has one action, or one of each player
  std::optional<Values> proven;           // the exact result of the root, in utilities
  std::int64_t simulations = 0;           // of this run
  double seconds = 0;
  std::size_t nodes = 0, edges = 0, memory = 0, bytes_per_edge = 0;
  int max_depth = 0;
  double mean_depth = 0;
  std::int64_t discarded = 0;  // of the simulations: those without a result
  bool memory_full = false;
  std::string stopped;  // "limit", "proven", "interrupted"
  int player = 0;
  double value = 0;  // of the root for `player`, in utilities: proven, or the mean over its visits
};

class Search {
 public:
  Search(std::shared_ptr<const Game> game, const PartSpec& spec);

  // Searches from `root` until the limit. `interrupted` is called by the calling thread every few
  // milliseconds and stops the search when it says so. If a part or the game throws, the exception comes out
  // of here and the trees stay usable.
  void run(const State& root, std::uint64_t seed, const std::function<bool()>& interrupted);

  // Whether there is anything to report: the root was made in one tree at least.
  bool has_root() const;
  Report report(std::uint64_t seed) const;

  // The match went on by one step (all actions of a joint one). Keeps what was searched below it, if anything
  // was, and fades what was learned. Returns whether a part of a tree was kept.
  bool advance(std::span<const Action> actions);
  // Makes the visits of nodes exact where several threads have shared a tree; before a tree is shown or cut.
  void recount_nodes();
  // Forgets the trees, not what was learned.
  void clear();

  const Composition& composition() const { return composition_; }
  const std::vector<std::unique_ptr<Tree>>& trees() const { return trees_; }

 private:
  // What one thread runs: its workers take turns, one simulation each. On a cache line of its own.
  struct alignas(64) Crew {
    std::vector<std::unique_ptr<Worker>> workers;
    std::size_t next = 0;
    std::int64_t first = 0, done = 0;  // simulations of all before this slice; of this crew in it

    Worker* open_worker();
    // Of all crews together, if the others do as much.
    std::int64_t simulations(std::size_t crews) const { return first + done * static_cast<std::int64_t>(crews); }
  };
  struct Clock;
  struct Rest;
  class Pace;

  void build();
  void allow_to_get_ready();
  void prepare(const State& root, std::uint64_t seed, Clock& clock);
  void work(std::size_t crew, Clock& clock);
  std::int64_t claim(std::size_t crew, Clock& clock, Progress& progress, std::int64_t stride);
  void extend(Clock& clock);
  void foretell(Crew& crew, Progress progress) const;
  void run_crews(Clock& clock);
  std::vector<RootChild> merged_root() const;
  std::vector<std::vector<Action>> line_from(const Tree& tree, const std::vector<Action>& first) const;
  std::vector<EdgeId> line_step(const Tree& tree, NodeId id, std::span<const Action> given) const;
  void choose(Report& report, std::uint64_t seed) const;
  void value_root(Report& report) const;
  void count_work(Report& report) const;
  bool leads_on(const Tree& tree, NodeId id, EdgeId edge, EdgeId other) const;
  std::size_t memory_used() const;
  NodeId child_after(const Tree& tree, std::span<const Action> actions) const;

  std::shared_ptr<const Game> game_;
  Composition composition_;
  std::vector<std::unique_ptr<Tree>> trees_;
  std::vector<Crew> crews_;
  std::vector<std::unique_ptr<State>> roots_;  // one for each tree: worlds differ
  int player_ = 0;
  std::int64_t simulations_ = 0;
  double seconds_ = 0;
  bool was_interrupted_ = false;
};

}  // namespace treewise
