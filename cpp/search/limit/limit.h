// Limit: when to stop.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "search/part.h"

namespace treewise {

struct Progress {
  std::int64_t simulations = 0;
  double seconds = 0;
  double next_seconds = 0;  // what the next simulation may take, by the last ones
  std::size_t memory = 0;   // bytes of the trees
  bool proven = false;
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
  // Whether `seconds` is read, so that the clock must be.
  virtual bool needs_clock() const { return false; }
};

std::shared_ptr<const Limit> make_limit(const PartSpec& spec);

}  // namespace treewise
