#include "search/first_play/first_play.h"

namespace treewise {

namespace {

class Infinite final : public FirstPlay {
 public:
  double value(double) const override { return std::numeric_limits<double>::infinity(); }
  bool is_infinite() const override { return true; }
};

// A constant on the scale [0, 1] (Gelly & Wang 2006).
class Constant final : public FirstPlay {
 public:
  explicit Constant(double value) : value_(value) {}
  double value(double) const override { return value_; }

 private:
  double value_;
};

// The node's own mean less a reduction.
class Parent final : public FirstPlay {
 public:
  explicit Parent(double reduction) : reduction_(reduction) {}
  double value(double parent_value) const override { return parent_value - reduction_; }

 private:
  double reduction_;
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
  };
  return find_part(catalogue, "first play", spec.name)(spec);
}

}  // namespace treewise
