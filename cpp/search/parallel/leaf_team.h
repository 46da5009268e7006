// Leaf parallelism: several playouts at once from one leaf, each by a member with its own generator and
// tables.
#pragma once

#include <atomic>
#include <exception>
#include <semaphore>
#include <thread>

#include "search/composition.h"

namespace treewise {

class LeafTeam {
 public:
  explicit LeafTeam(const Composition& search);
  ~LeafTeam();

  // `halt` is the calling thread's; the others go by what it says.
  void start(const State& root, std::uint64_t seed, const Halt& halt);
  void stop();
  int size() const { return static_cast<int>(members_.size()); }

  // Plays one playout of at most `max_length` steps with every member from `leaf`; `trace` is how the tree part went.
  void play(const State& leaf, const Trace& trace, Wanted wanted, int max_length);

  // Visits every member's result, in order; what the member learned from is its own playout.
  template <class Visit>
  void for_each(Visit&& visit) {
    for (auto& member : members_) visit(member->result, member->trace, *member->playout);
  }
  template <class Visit>
  void for_each_playout(Visit&& visit) {
    for (auto& member : members_) visit(*member->playout);
  }

 private:
  struct Member {
    std::unique_ptr<Playout> playout;
    std::unique_ptr<State> state;
    Rng rng;
    Trace trace;
    PlayoutResult result;
    QualityReader quality;
    Cached<HasDice> dice;
    std::exception_ptr error;
    std::thread thread;
  };

  void play_one(Member& member);
  void wait_for_members();
  void serve(Member& member);

  const Composition& search_;
  std::vector<std::unique_ptr<Member>> members_;
  const State* leaf_ = nullptr;
  const Trace* trace_ = nullptr;
  Wanted wanted_;
  int max_length_ = 0;
  std::atomic<std::uint32_t> round_ = 0;  // odd: the team is dissolved
  std::atomic<int> working_ = 0;
  std::binary_semaphore idle_{0};  // all members but the first have played
  std::atomic<bool> halted_ = false;
  std::optional<Halt> quiet_;  // of all members but the first
  const Halt* halt_ = nullptr;
};

}  // namespace treewise
