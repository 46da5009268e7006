// How a simulation that takes long learns that the search shall stop.
#pragma once

#include <atomic>
#include <functional>

namespace treewise {

// Thrown out of a simulation that is given up; the search goes by the ones before it.
struct Halted {};

// Belongs to one thread and one run. `look` is what that thread does to find out, beyond the flag that all share.
class Halt {
 public:
  explicit Halt(const std::atomic<bool>& stop, std::function<void()> look = {}) : stop_(stop), look_(std::move(look)) {}

  // Throws Halted if the search shall stop; every few milliseconds is often enough.
  void check() const {
    if (look_) look_();
    if (stop_.load(std::memory_order_relaxed)) throw Halted();
  }

 private:
  const std::atomic<bool>& stop_;
  std::function<void()> look_;
};

}  // namespace treewise
