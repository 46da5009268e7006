#include "search/first_play/first_play.h"

#include <algorithm>
#include <cmath>

namespace treewise {

namespace {

class Infinite final : public FirstPlay {
 public:
  double value(const Children&) const override { return std::numeric_limits<double>::infinity(); }
  bool is_infinite() const override { return true; }
};

// A constant on the scale [0, 1] (Gelly & Wang 2006).
class Constant final : public FirstPlay {
 public:
  explicit Constant(double value) : value_(value) {}
  double value(const Children&) const override { return value_; }

 private:
  double value_;
};

// The mean of the node for the player who chooses there.
double mean_of(const Children& children) {
  double sum = 0;
  std::int64_t visits = 0;
  for (std::size_t i = 0; i < children.visits.size(); ++i) {
    sum += children.values[i];
    visits += children.visits[i];
  }
  return visits > 0 ? sum / static_cast<double>(visits) : 0.5;
}

// The node's own mean less a reduction.
class Parent final : public FirstPlay {
 public:
  explicit Parent(double reduction) : reduction_(reduction) {}
  double value(const Children& children) const override { return mean_of(children) - reduction_; }

 private:
  double reduction_;
};

// Unexplored action urgency (Finnsson 2012): an average value and an exploration term that shrinks with the share of
// actions that are still unvisited.
class Unexplored final : public FirstPlay {
 public:
  Unexplored(double c, double average) : c_(c), average_(average) {}
  double value(const Children& children) const override {
    if (children.parent_visits < 2) return std::numeric_limits<double>::infinity();
    const auto unvisited = std::count(children.visits.begin(), children.visits.end(), 0);
    const double share = static_cast<double>(unvisited) / static_cast<double>(children.visits.size());
    return average_ + c_ * std::sqrt(std::log(children.parent_visits)) * share;
  }

 private:
  double c_, average_;
};

}  // namespace

std::shared_ptr<const FirstPlay> make_first_play(const PartSpec& spec) {
  using Factory = std::shared_ptr<const FirstPlay> (*)(const PartSpec&);
  static const std::map<std::string, Factory> catalogue = {
      {"infinite", [](const PartSpec&) -> std::shared_ptr<const FirstPlay> { return std::make_shared<Infinite>(); }},
      {"constant",
       [](const PartSpec& s) -> std::shared_ptr<const FirstPlay> {
         return std::make_shared<Constant>(s.number("value"));
       }},
      {"parent",
       [](const PartSpec& s) -> std::shared_ptr<const FirstPlay> {
         return std::make_shared<Parent>(s.number("reduction"));
       }},
      {"unexplored",
       [](const PartSpec& s) -> std::shared_ptr<const FirstPlay> {
         return std::make_shared<Unexplored>(s.number("c"), s.number("average"));
       }},
  };
  return find_part(catalogue, "first play", spec.name)(spec);
}

}  // namespace treewise
