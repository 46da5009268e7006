// Limit: when to stop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>

#include "search/part.h"

namespace treewise {

struct Progress {
  std::int64_t simulations = 0;
  double seconds = 0;       // by the clock on the wall
  double next_seconds = 0;  // of these, what the next simulation may take, by the last ones
  double cpu_seconds = 0;   // of the processor, spent by this thread
  std::size_t memory = 0;   // bytes of the trees
  bool full = false;        // no tree can grow
  std::int64_t grown = 0;   // simulations when the trees were last seen to have grown

  // Nothing new was found in as many simulations as there were until then, and in ten thousand at least.
  bool stalled() const { return simulations - grown >= std::max<std::int64_t>(grown, 10'000); }
};

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

class Limit {
 public:
  virtual ~Limit() = default;
  virtual bool reached(const Progress& progress) const = 0;
  // How many simulations may follow before this limit is surely reached; kNoLimit if it does not count them.
  virtual std::int64_t remaining(const Progress& progress) const { return reached(progress) ? 0 : kNoLimit; }
  // How many simulations the whole run will have, as far as one can say now: infinite until there is a rate to go by,
  // NaN if this limit never can.
  virtual double expected(const Progress& progress) const {
    (void)progress;
    return std::numeric_limits<double>::quiet_NaN();
  }
  // After so many seconds it is surely reached; infinite if it does not go by the time.
  virtual double most_seconds() const { return std::numeric_limits<double>::infinity(); }
  // Whether it goes by the number of simulations alone, which no clock and no thread can disturb.
  bool is_repeatable(const Progress& progress) const { return !needs_clock() && remaining(progress) != kNoLimit; }
  // Whether `seconds` or `cpu_seconds` is read, so that the clocks must be looked at often.
  virtual bool needs_clock() const { return false; }
  // Whether `cpu_seconds` is read, so that the system must be asked.
  virtual bool needs_cpu_clock() const { return false; }
};

std::shared_ptr<const Limit> make_limit(const PartSpec& spec);

}  // namespace treewise
