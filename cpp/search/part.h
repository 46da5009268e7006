// What a composed search is made from, as plain records. Python declares every part's parameters once, with
// their defaults; a complete record reaches the engine and is built there by the family's catalogue.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace treewise {

class Selection;
class Playout;
class Evaluator;
class ScoreBonus;
class ResultBonus;

// A part written outside the engine (in Python), already in the shape of its family.
struct Foreign {
  std::shared_ptr<const Selection> selection;
  std::shared_ptr<Evaluator> evaluator;
  std::shared_ptr<const ScoreBonus> score_bonus;
  std::shared_ptr<ResultBonus> result_bonus;
  std::function<std::unique_ptr<Playout>()> playout;  // one for each worker
};

struct PartSpec;
using PartPointer = std::shared_ptr<const PartSpec>;
using PartValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, PartPointer, std::vector<PartPointer>>;

struct PartSpec {
  std::string name;
  std::map<std::string, PartValue> values;
  std::shared_ptr<Foreign> foreign;

  const PartValue& at(const std::string& key) const {
    const auto found = values.find(key);
    if (found == values.end()) throw std::invalid_argument(name + ": parameter '" + key + "' is missing");
    return found->second;
  }
  double number(const std::string& key) const {
    const PartValue& value = at(key);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return static_cast<double>(get<std::int64_t>(value, key, "a number"));
  }
  std::int64_t integer(const std::string& key) const { return get<std::int64_t>(at(key), key, "a whole number"); }
  bool flag(const std::string& key) const { return get<bool>(at(key), key, "True or False"); }
  const std::string& text(const std::string& key) const { return get<std::string>(at(key), key, "a text"); }
  const PartSpec& part(const std::string& key) const { return *get<PartPointer>(at(key), key, "a part"); }
  const std::vector<PartPointer>& parts(const std::string& key) const {
    return get<std::vector<PartPointer>>(at(key), key, "a list of parts");
  }
  bool is_none(const std::string& key) const { return std::holds_alternative<std::monostate>(at(key)); }

 private:
  template <class T>
  const T& get(const PartValue& value, const std::string& key, const char* what) const {
    const T* held = std::get_if<T>(&value);
    if (!held) throw std::invalid_argument(name + ": parameter '" + key + "' must be " + what);
    return *held;
  }
};

// A family's catalogue: the factory of a part by its name.
template <class Factory>
const Factory& find_part(const std::map<std::string, Factory>& catalogue, const char* family, const std::string& name) {
  const auto found = catalogue.find(name);
  if (found == catalogue.end()) throw std::invalid_argument(std::string("unknown ") + family + " '" + name + "'");
  return found->second;
}

}  // namespace treewise
