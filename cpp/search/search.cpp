#include "search/search.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <ctime>
#include <exception>
#include <limits>
#include <thread>
#include <utility>

namespace treewise {

namespace {

// What the processor has spent on this thread.
double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

// What the threads of one run share.
struct Search::Clock {
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::atomic<bool> stop = false;
  std::atomic<bool> interrupted = false;
  std::exception_ptr error;
  std::size_t running = 0;  // crews on threads of their own
  std::mutex mutex;         // of the two above
  std::condition_variable finished;
  const std::function<bool()>* ask = nullptr;
  double cpu_start = 0;          // of the calling thread, where the limit goes by that
  std::int64_t extra_until = 0;  // while positive, the limit is this number of simulations instead

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }

  // By the calling thread only.
  void look_for_interrupt() {
    if (stop || !*ask || !(*ask)()) return;
    interrupted = true;
    stop = true;
  }
  void fail(std::exception_ptr reason) {
    const std::lock_guard lock(mutex);
    if (!error) error = std::move(reason);
    stop = true;
  }

  Halt own_halt{stop, [this] { look_for_interrupt(); }};  // of the calling thread
  Halt others_halt{stop};

  alignas(64) std::atomic<std::int64_t> claimed = 0;  // simulations that were begun; on a cache line of its own
};

// Ends what a run leaves waiting, however the run ends.
struct Search::Rest {
  Search& search;
  ~Rest() {
    for (Crew& crew : search.crews_)
      for (auto& worker : crew.workers) worker->rest();
  }
};

Search::Search(std::shared_ptr<const Game> game, const PartSpec& spec)
    : game_(std::move(game)), composition_(spec, game_->info()) {
  build();
}

// Trees: one for each world and, with root parallelism, for each thread. Crews: one for each thread that runs
// simulations of its own.
void Search::build() {
  const Composition& c = composition_;
  const bool root_parallel = c.parallel == Parallel::kRoot, tree_parallel = c.parallel == Parallel::kTree;
  const int crews = root_parallel || tree_parallel ? c.threads : 1;
  const bool shared = tree_parallel && crews > 1;
  const int worlds = std::max(1, root_parallel ? (c.worlds + c.threads - 1) / c.threads : c.worlds);
  const int trees = root_parallel ? crews * worlds : worlds;
  for (int i = 0; i < trees; ++i) {
    trees_.push_back(std::make_unique<Tree>(c.columns, c.info.num_players,
                                            c.memory_bytes / static_cast<std::size_t>(trees), shared));
  }
  for (int t = 0; t < crews; ++t) {
    Crew crew;
    for (int w = 0; w < worlds; ++w) {
      const int tree = root_parallel ? t * worlds + w : w;
      crew.workers.push_back(std::make_unique<Worker>(c, *trees_[static_cast<std::size_t>(tree)], shared));
    }
    crews_.push_back(std::move(crew));
  }
  for (Crew& crew : crews_)  // what all of them remember may take as much as the trees
    for (auto& worker : crew.workers) worker->limit_memory(c.memory_bytes / (crews_.size() * crew.workers.size()));
  allow_to_get_ready();
}

// Where the limit is a time, parts that get ready for a match may take a quarter of it, one after another.
void Search::allow_to_get_ready() {
  const double seconds = composition_.limit->most_seconds();
  if (std::isinf(seconds)) return;
  const auto workers = static_cast<double>(crews_.size() * crews_[0].workers.size());
  for (Crew& crew : crews_)
    for (auto& worker : crew.workers) worker->allow(seconds / 4 / workers);
}

// Seeds: the run's seed -> tree -> crew.
void Search::prepare(const State& root, std::uint64_t seed, Clock& clock) {
  player_ = root.current_player();
  roots_.clear();
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    roots_.push_back(root.clone());
    if (composition_.worlds > 0) {
      trees_[i]->clear();  // it was grown in another world
      Rng rng(derive_seed(derive_seed(seed, i), 1u << 20));
      dynamic_cast<HasHidden&>(*roots_.back()).resample(std::max(player_, 0), rng);
    }
  }
  const bool root_parallel = composition_.parallel == Parallel::kRoot;
  for (std::size_t t = 0; t < crews_.size(); ++t) {
    crews_[t].next = 0;
    for (std::size_t w = 0; w < crews_[t].workers.size(); ++w) {
      const std::size_t tree = root_parallel ? t * crews_[t].workers.size() + w : w;
      Worker& worker = *crews_[t].workers[w];
      worker.start(*roots_[tree], derive_seed(derive_seed(seed, tree), t), clock.own_halt);
      if (root_parallel || t == 0) worker.make_root();
      if (t > 0) worker.heed(clock.others_halt);
    }
  }
}

void Search::run(const State& root, std::uint64_t seed, const std::function<bool()>& interrupted) {
  if (root.is_terminal()) throw std::invalid_argument("the match is over: there is nothing to search");
  if (root.current_player() == kChance)
    throw std::invalid_argument("a chance state: apply an outcome before searching");
  Clock clock;
  clock.ask = &interrupted;
  if (composition_.limit->needs_cpu_clock()) clock.cpu_start = cpu_seconds();
  simulations_ = 0;
  seconds_ = 0;
  was_interrupted_ = false;
  const Rest rest{*this};
  try {
    prepare(root, seed, clock);
    run_crews(clock);
    if (!clock.stop) extend(clock);
  } catch (const Halted&) {
    // Before the first simulation.
  }
  simulations_ = clock.claimed;
  seconds_ = clock.seconds();
  was_interrupted_ = clock.interrupted || clock.error;
  if (clock.error) std::rethrow_exception(clock.error);
}

// A decision that is not settled may ask for more, in slices.
void Search::extend(Clock& clock) {
  const double extension = composition_.decision->extension();
  const std::int64_t base = clock.claimed;
  const auto most = base + static_cast<std::int64_t>(static_cast<double>(base) * extension);
  while (!clock.stop && clock.claimed < most && !all_settled(*composition_.decision, merged_root())) {
    const std::int64_t before = clock.claimed;
    clock.extra_until = std::min(most, before + std::max<std::int64_t>(1, base / 20));
    run_crews(clock);
    if (clock.claimed == before) break;  // all trees are proven
  }
}

void Search::run_crews(Clock& clock) {
  for (Crew& crew : crews_) {
    crew.first = clock.claimed;
    crew.done = 0;
  }
  std::vector<std::thread> threads;
  try {
    for (std::size_t t = 1; t < crews_.size(); ++t) {
      threads.emplace_back([this, t, &clock] {
        work(t, clock);
        const std::lock_guard lock(clock.mutex);
        --clock.running;
        clock.finished.notify_one();
      });
      const std::lock_guard lock(clock.mutex);
      ++clock.running;
    }
  } catch (...) {
    clock.fail(std::current_exception());  // the system has no more threads
  }
  work(0, clock);
  // Another thread may have much left to do, where this one's tree is proven: signals are still looked for.
  std::unique_lock lock(clock.mutex);
  while (!clock.finished.wait_for(lock, std::chrono::milliseconds(5), [&] { return clock.running == 0; })) {
    lock.unlock();
    clock.look_for_interrupt();
    lock.lock();
  }
  lock.unlock();
  for (std::thread& thread : threads) thread.join();
}

// A thread that makes a node takes over the leaf's visits while others are still coming and going there, virtual losses
// and all; so the node may be off by a few. It should have as many visits as the edge that leads to it.
void Search::recount_nodes() {
  if (composition_.parallel != Parallel::kTree || composition_.threads == 1) return;
  for (const auto& tree : trees_) {
    for (std::size_t e = 0; e < tree->num_cells(); ++e) {
      const auto edge = static_cast<EdgeId>(e);
      if (tree->child(edge) < kExpanding) tree->node(tree->child(edge)).visits = tree->visits(edge);
    }
  }
}

// How often the clock is read: about every quarter of a millisecond, however long simulations take, and more often
// where the limit goes by it, since the next ones may take longer.
class Search::Pace {
 public:
  explicit Pace(bool by_clock) : gap_(by_clock ? 0.00005 : 0.0002) {}

  bool due() { return --countdown_ <= 0; }
  std::int64_t stride() const { return stride_; }
  void read(double now) {
    const double gap = now - std::exchange(last_, now);
    if (countdown_ < 0) {  // nothing has been done yet
      countdown_ = stride_;
      return;
    }
    const double each = gap / static_cast<double>(stride_);
    next_ = std::min(each, each_);
    each_ = each;
    if (gap < gap_) {
      stride_ = std::min<std::int64_t>(2 * stride_, 4096);
    } else if (gap > 5 * gap_) {
      stride_ = std::max<std::int64_t>(1, stride_ / 4);
    }
    countdown_ = stride_;
  }
  // What the next simulation (or batch) may take: the lesser of the last two measurements, since one of them may have
  // been disturbed by whatever else the machine does; after the first simulation, what that one took.
  double next() const { return next_; }

 private:
  double gap_, each_ = std::numeric_limits<double>::infinity(), next_ = 0;
  std::int64_t stride_ = 1, countdown_ = 0;
  double last_ = 0;
};

void Search::work(std::size_t index, Clock& clock) {
  Crew& crew = crews_[index];
  const bool counts_cpu = composition_.limit->needs_cpu_clock();
  const double cpu_start = !counts_cpu ? 0 : index == 0 ? clock.cpu_start : cpu_seconds();
  std::int64_t granted = 0;  // simulations that this thread may still run
  Pace pace(composition_.limit->needs_clock());
  Progress progress;
  try {
    while (!clock.stop.load(std::memory_order_relaxed)) {
      if (pace.due()) {
        progress.seconds = clock.seconds();
        if (counts_cpu) progress.cpu_seconds = cpu_seconds() - cpu_start;
        const std::size_t memory = memory_used();
        if (memory != std::exchange(progress.memory, memory)) progress.grown = crew.simulations(crews_.size());
        progress.full = std::ranges::all_of(trees_, [](const auto& tree) { return tree->full(); });
        pace.read(progress.seconds);
        progress.next_seconds = pace.next();
        foretell(crew, progress);
        if (index == 0) clock.look_for_interrupt();
        if (std::ranges::any_of(crew.workers, [](const auto& worker) { return worker->counts_are_full(); }))
          clock.stop = true;
        if (clock.stop) break;
        if (composition_.parallel != Parallel::kTree) granted = 0;  // there may be less left now
      }
      Worker* worker = crew.open_worker();
      if (!worker) {
        // With root parallelism each thread ends by itself where the others' trees must not depend on timing.
        if (composition_.parallel != Parallel::kRoot || !composition_.limit->is_repeatable(progress)) clock.stop = true;
        break;
      }
      if (granted <= 0) granted = claim(index, clock, progress, pace.stride());
      if (granted <= 0) break;
      const int done = worker->simulate(granted);
      crew.done += done;
      granted -= done;
    }
  } catch (const Halted&) {
    // What was begun is dropped.
  } catch (...) {
    clock.fail(std::current_exception());
  }
  // Threads on one tree count before they run, and give back what they did not use; others count when they are done.
  clock.claimed.fetch_add(composition_.parallel == Parallel::kTree ? -granted : crew.done, std::memory_order_relaxed);
}

// Tells the workers of a crew how many simulations they will run, by what the limit expects of all.
void Search::foretell(Crew& crew, Progress progress) const {
  const auto crews = static_cast<std::int64_t>(crews_.size());
  progress.simulations = crew.simulations(crews_.size());
  const double all = composition_.limit->expected(progress);
  const double each = all / static_cast<double>(crews * static_cast<std::int64_t>(crew.workers.size()));
  for (auto& worker : crew.workers) worker->expect(std::isnan(each) ? 0 : each);
}

// How many simulations this thread may run next; 0 when the limit is reached.
std::int64_t Search::claim(std::size_t index, Clock& clock, Progress& progress, std::int64_t stride) {
  const auto left = [&](std::int64_t simulations) {
    if (clock.extra_until > 0) return std::max<std::int64_t>(0, clock.extra_until - simulations);
    progress.simulations = simulations;
    return composition_.limit->remaining(progress);
  };
  if (composition_.parallel == Parallel::kRoot) {
    // Every thread counts its own share, so that the split does not depend on timing.
    const auto crews = static_cast<std::int64_t>(crews_.size());
    const std::int64_t all = left(crews_[index].first + crews_[index].done * crews + static_cast<std::int64_t>(index));
    return all == kNoLimit ? all : (all + crews - 1) / crews;
  }
  if (composition_.parallel == Parallel::kTree) {
    // In blocks where simulations are quick, since every claim makes the threads wait for each other.
    const std::int64_t wanted =
        composition_.evaluator ? composition_.evaluator->batch_size() : std::min<std::int64_t>(stride, 16);
    const std::int64_t before = clock.claimed.fetch_add(wanted, std::memory_order_relaxed);
    const std::int64_t granted = std::clamp<std::int64_t>(left(before), 0, wanted);
    if (granted < wanted) clock.claimed.fetch_sub(wanted - granted, std::memory_order_relaxed);
    return granted;
  }
  return left(crews_[index].first + crews_[index].done);
}

// The next worker, in turn, whose root is not proven yet.
Worker* Search::Crew::open_worker() {
  for (std::size_t tried = 0; tried < workers.size(); ++tried) {
    Worker* worker = workers[next].get();
    next = next + 1 == workers.size() ? 0 : next + 1;
    if (!worker->root_proven()) return worker;
  }
  return nullptr;
}

std::size_t Search::memory_used() const {
  std::size_t bytes = 0;
  for (const auto& tree : trees_) bytes += tree->memory_used();
  return bytes;
}

// ---- after the run -------------------------------------------------------------------------------------------------

bool Search::advance(std::span<const Action> actions) {
  recount_nodes();
  for (Crew& crew : crews_)
    for (auto& worker : crew.workers) worker->decay();
  bool kept = false;
  for (auto& tree : trees_) {
    // Another world is drawn next time; and what was drawn on the way to kept states is not what the match has drawn.
    const bool fixed = composition_.worlds == 0 && !composition_.closed_loop;
    const NodeId child = fixed ? child_after(*tree, actions) : kNoNode;
    if (child >= kExpanding) {
      tree->clear();
    } else {
      tree->reroot(child);
      kept = true;
    }
  }
  return kept;
}

// The node below the root that the actions of one step lead to, if it was made.
NodeId Search::child_after(const Tree& tree, std::span<const Action> actions) const {
  if (tree.root() == kNoNode) return kNoNode;
  const Node& node = tree.node(tree.root());
  const bool joint = node.player == kSimultaneous;
  if (actions.size() != (joint ? static_cast<std::size_t>(composition_.info.num_players) : 1)) return kNoNode;
  std::array<EdgeId, kMaxPlayers> edges;
  std::size_t found = 0;  // the edges of the players follow each other
  for (EdgeId e = node.first_edge; e < node.first_edge + node.num_edges && found < actions.size(); ++e) {
    if (joint && tree.chooser(e) != static_cast<int>(found)) continue;
    if (tree.action(e) == actions[found]) edges[found++] = e;
  }
  if (found < actions.size()) return kNoNode;
  return joint ? tree.joint_child(tree.root(), {edges.data(), found}) : tree.child(edges[0]);
}

void Search::clear() {
  for (auto& tree : trees_) tree->clear();
}

}  // namespace treewise
