#include "search/parallel/leaf_team.h"

#include <chrono>

namespace treewise {

namespace {

constexpr std::uint32_t kStop = 1;

// Playouts take microseconds, so a short busy wait comes before a sleep.
template <class Done>
bool spin_until(Done done) {
  for (int i = 0; i < 4000; ++i) {
    if (done()) return true;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  return false;
}

}  // namespace

LeafTeam::LeafTeam(const Composition& search) : search_(search) {
  for (int i = 0; i < search.threads; ++i) {
    auto member = std::make_unique<Member>();
    member->playout = make_playout(*search.playout, search.info);
    if (search.step_rewards) member->playout->discount_rewards(search.backup->discount());
    members_.push_back(std::move(member));
  }
}

LeafTeam::~LeafTeam() {
  stop();
}

void LeafTeam::stop() {
  round_.fetch_or(kStop);
  round_.notify_all();
  for (auto& member : members_)
    if (member->thread.joinable()) member->thread.join();
}

void LeafTeam::start(const State& root, std::uint64_t seed, const Halt& halt) {
  stop();
  round_ = 0;
  halt_ = &halt;
  halted_ = false;
  quiet_.emplace(halted_);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Member& member = *members_[i];
    member.state = root.clone();
    member.rng = Rng(derive_seed(seed, i));
    member.playout->heed(i == 0 ? halt_ : &*quiet_);
    member.playout->start(root, derive_seed(derive_seed(seed, i), 0));
    if (i > 0) member.thread = std::thread([this, &member] { serve(member); });
  }
}

void LeafTeam::play(const State& leaf, const Trace& trace, Wanted wanted, int max_length) {
  leaf_ = &leaf;
  trace_ = &trace;
  wanted_ = wanted;
  max_length_ = max_length;
  working_.store(static_cast<int>(members_.size()) - 1, std::memory_order_relaxed);
  round_.fetch_add(2, std::memory_order_release);
  round_.notify_all();
  play_one(*members_[0]);
  if (members_.size() > 1) wait_for_members();
  std::exception_ptr first;
  for (auto& member : members_) {
    const auto error = std::exchange(member->error, nullptr);  // of all, or the next run would raise an old one
    if (!first) first = error;
  }
  if (first) std::rethrow_exception(first);
}

// They may take long, so the calling thread goes on looking whether to stop.
void LeafTeam::wait_for_members() {
  spin_until([this] { return working_.load(std::memory_order_acquire) == 0; });
  while (!idle_.try_acquire_for(std::chrono::milliseconds(5))) {
    try {
      halt_->check();
    } catch (const Halted&) {
      halted_ = true;
    }
  }
}

void LeafTeam::play_one(Member& member) {
  try {
    member.state->assign(*leaf_);
    if (search_.info.has(Capability::kDice)) member.dice.of(*member.state)->reseed(member.rng.next());
    member.trace = *trace_;
    PlayoutResult& result = member.result;
    result = member.playout->play(*member.state, member.rng, wanted_.trace ? &member.trace : nullptr, max_length_,
                                  search_.cut);
    result.unresolved = search_.is_discarded(result, *member.state);
    if (wanted_.quality && result.finished && !result.unresolved)
      result.raw_quality = member.quality.read(*member.state, result.utilities, search_.info.num_players);
  } catch (...) {
    member.error = std::current_exception();
  }
}

void LeafTeam::serve(Member& member) {
  std::uint32_t seen = 0;
  while (true) {
    const auto called = [&] { return round_.load(std::memory_order_acquire) != seen; };
    if (!spin_until(called)) round_.wait(seen, std::memory_order_acquire);
    const std::uint32_t round = round_.load(std::memory_order_acquire);
    if (round & kStop) return;
    if (round == seen) continue;
    seen = round;
    play_one(member);
    if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) idle_.release();
  }
}

}  // namespace treewise
