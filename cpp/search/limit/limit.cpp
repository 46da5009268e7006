#include "search/limit/limit.h"

#include <algorithm>
#include <cmath>

namespace treewise {

namespace {

class Simulations final : public Limit {
 public:
  explicit Simulations(std::int64_t count) : count_(count) {}
  bool reached(const Progress& p) const override { return p.simulations >= count_; }
  std::int64_t remaining(const Progress& p) const override { return std::max<std::int64_t>(0, count_ - p.simulations); }
  double expected(const Progress&) const override { return static_cast<double>(count_); }

 private:
  std::int64_t count_;
};

// Simulations in `all` seconds, by how many there were in those that are over.
double foretold(std::int64_t simulations, double seconds, double all) {
  if (simulations == 0 || seconds <= 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(simulations) * all / seconds;
}

class Seconds final : public Limit {
 public:
  explicit Seconds(double seconds) : seconds_(seconds) {}
  // A long simulation is not begun if it would end late.
  bool reached(const Progress& p) const override {
    return p.seconds >= seconds_ || p.seconds + p.next_seconds > seconds_ + kLate;
  }
  double expected(const Progress& p) const override { return foretold(p.simulations, p.seconds, seconds_); }
  double most_seconds() const override { return seconds_; }
  bool needs_clock() const override { return true; }

 private:
  static constexpr double kLate = 0.002;  // seconds

  double seconds_;
};

class CpuSeconds final : public Limit {
 public:
  explicit CpuSeconds(double seconds) : seconds_(seconds) {}
  bool reached(const Progress& p) const override { return p.cpu_seconds >= seconds_; }
  double expected(const Progress& p) const override { return foretold(p.simulations, p.cpu_seconds, seconds_); }
  double most_seconds() const override { return seconds_; }
  bool needs_clock() const override { return true; }
  bool needs_cpu_clock() const override { return true; }

 private:
  double seconds_;
};

// Others end the search; the time is what is expected.
class UntilStopped final : public Limit {
 public:
  explicit UntilStopped(double seconds) : seconds_(seconds) {}
  bool reached(const Progress&) const override { return false; }
  double expected(const Progress& p) const override { return foretold(p.simulations, p.seconds, seconds_); }
  bool needs_clock() const override { return true; }

 private:
  double seconds_;
};

class Memory final : public Limit {
 public:
  explicit Memory(double megabytes) : bytes_(megabytes * 1e6) {}
  // A tree that has no more to grow by will never be larger.
  bool reached(const Progress& p) const override {
    return p.full || static_cast<double>(p.memory) >= bytes_ || p.stalled();
  }

 private:
  double bytes_;
};

class Proven final : public Limit {
 public:
  // Workers stop by themselves when their tree is proven. One that is full and has long shown nothing new never is.
  bool reached(const Progress& p) const override { return p.full && p.stalled(); }
};

class Any final : public Limit {
 public:
  explicit Any(std::vector<std::shared_ptr<const Limit>> limits) : limits_(std::move(limits)) {}
  bool reached(const Progress& p) const override {
    return std::any_of(limits_.begin(), limits_.end(), [&](const auto& l) { return l->reached(p); });
  }
  std::int64_t remaining(const Progress& p) const override {
    std::int64_t least = kNoLimit;
    for (const auto& l : limits_) least = std::min(least, l->remaining(p));
    return least;
  }
  // Of two numbers, fmin and fmax take the one that is not NaN.
  double expected(const Progress& p) const override {
    double least = limits_[0]->expected(p);
    for (const auto& l : limits_) least = std::fmin(least, l->expected(p));
    return least;
  }
  double most_seconds() const override {
    double least = limits_[0]->most_seconds();
    for (const auto& l : limits_) least = std::min(least, l->most_seconds());
    return least;
  }
  bool needs_clock() const override {
    return std::any_of(limits_.begin(), limits_.end(), [](const auto& l) { return l->needs_clock(); });
  }
  bool needs_cpu_clock() const override {
    return std::any_of(limits_.begin(), limits_.end(), [](const auto& l) { return l->needs_cpu_clock(); });
  }

 private:
  std::vector<std::shared_ptr<const Limit>> limits_;
};

class All final : public Limit {
 public:
  explicit All(std::vector<std::shared_ptr<const Limit>> limits) : limits_(std::move(limits)) {}
  bool reached(const Progress& p) const override {
    return std::all_of(limits_.begin(), limits_.end(), [&](const auto& l) { return l->reached(p); });
  }
  std::int64_t remaining(const Progress& p) const override {
    std::int64_t most = 0;
    for (const auto& l : limits_) most = std::max(most, l->remaining(p));
    return most;
  }
  double expected(const Progress& p) const override {
    double most = limits_[0]->expected(p);
    for (const auto& l : limits_) most = std::fmax(most, l->expected(p));
    return most;
  }
  double most_seconds() const override {
    double most = 0;
    for (const auto& l : limits_) most = std::max(most, l->most_seconds());
    return most;
  }
  bool needs_clock() const override {
    return std::any_of(limits_.begin(), limits_.end(), [](const auto& l) { return l->needs_clock(); });
  }
  bool needs_cpu_clock() const override {
    return std::any_of(limits_.begin(), limits_.end(), [](const auto& l) { return l->needs_cpu_clock(); });
  }

 private:
  std::vector<std::shared_ptr<const Limit>> limits_;
};

std::vector<std::shared_ptr<const Limit>> make_limits(const PartSpec& spec) {
  std::vector<std::shared_ptr<const Limit>> limits;
  for (const PartPointer& part : spec.parts("limits")) limits.push_back(make_limit(*part));
  return limits;
}

}  // namespace

std::shared_ptr<const Limit> make_limit(const PartSpec& spec) {
  using Factory = std::shared_ptr<const Limit> (*)(const PartSpec&);
  static const std::map<std::string, Factory> catalogue = {
      {"simulations",
       [](const PartSpec& s) -> std::shared_ptr<const Limit> {
         return std::make_shared<Simulations>(s.integer("count"));
       }},
      {"seconds",
       [](const PartSpec& s) -> std::shared_ptr<const Limit> {
         return std::make_shared<Seconds>(s.number("seconds"));
       }},
      {"cpu_seconds",
       [](const PartSpec& s) -> std::shared_ptr<const Limit> {
         return std::make_shared<CpuSeconds>(s.number("seconds"));
       }},
      {"until_stopped",
       [](const PartSpec& s) -> std::shared_ptr<const Limit> {
         return std::make_shared<UntilStopped>(s.number("seconds"));
       }},
      {"memory",
       [](const PartSpec& s) -> std::shared_ptr<const Limit> {
         return std::make_shared<Memory>(s.number("megabytes"));
       }},
      {"proven", [](const PartSpec&) -> std::shared_ptr<const Limit> { return std::make_shared<Proven>(); }},
      {"any", [](const PartSpec& s) -> std::shared_ptr<const Limit> { return std::make_shared<Any>(make_limits(s)); }},
      {"all", [](const PartSpec& s) -> std::shared_ptr<const Limit> { return std::make_shared<All>(make_limits(s)); }},
  };
  return find_part(catalogue, "limit", spec.name)(spec);
}

}  // namespace treewise
