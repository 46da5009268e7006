// What making a machine may cost: seconds of the processor, memory, rules. Whoever works asks now and then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace treewise::gdl {

// The limit that was reached, by its name: "seconds", "megabytes" or "rules".
class OverBudget : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Processor time of the calling thread so far, in seconds.
double thread_seconds();
// Memory that the process holds; 0 where the system does not say.
std::size_t process_bytes();

class Budget {
 public:
  // `seconds` from now on; `bytes` of the whole process.
  Budget(double seconds, std::size_t bytes, std::size_t rules)
      : until_(thread_seconds() + seconds), bytes_(bytes), rules_(rules) {}

  // One small piece of work; looks at the clock and at the memory once in a while.
  void step() {
    if (++steps_ % kSteps == 0) look();
  }
  void look() const;
  void count_rules(std::size_t rules) const {
    if (rules > rules_) throw OverBudget("rules");
  }

 private:
  static constexpr std::uint32_t kSteps = 1 << 14;
  double until_;
  std::size_t bytes_, rules_;
  std::uint32_t steps_ = 0;
};

}  // namespace treewise::gdl
