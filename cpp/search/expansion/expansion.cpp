#include "search/expansion/expansion.h"

#include <algorithm>

namespace treewise {

namespace {

// All children at once, when the leaf has been evaluated `after` times.
class All final : public Expansion {
 public:
  explicit All(int after) : after_(after) {}
  bool ready(int visits) const override { return visits >= after_; }
  std::uint32_t active(std::uint32_t num_edges, int) const override { return num_edges; }
  bool widens() const override { return false; }

 private:
  int after_;
};

// One child more at each visit, taken at once (Coulom 2006).
class One final : public Expansion {
 public:
  bool ready(int visits) const override { return visits >= 1; }
  std::uint32_t active(std::uint32_t num_edges, int visits) const override {
    return std::min(num_edges, static_cast<std::uint32_t>(visits) + 1);
  }
  bool takes_new_children() const override { return true; }
};

}  // namespace

std::shared_ptr<const Expansion> make_expansion(const PartSpec& spec) {
  using Factory = std::shared_ptr<const Expansion> (*)(const PartSpec&);
  static const std::map<std::string, Factory> catalogue = {
      {"all",
       [](const PartSpec& s) -> std::shared_ptr<const Expansion> {
         return std::make_shared<All>(static_cast<int>(s.integer("after")));
       }},
      {"one", [](const PartSpec&) -> std::shared_ptr<const Expansion> { return std::make_shared<One>(); }},
  };
  return find_part(catalogue, "expansion", spec.name)(spec);
}

}  // namespace treewise
