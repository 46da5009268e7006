// Parameters of games and parts: what may be given, and what was given.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace treewise {

using ParameterValue = std::variant<bool, std::int64_t, double, std::string>;

// One declared parameter of a game: its name, standard value, what is allowed, and a line of help. The
// loader, the text form, `--help` and the documentation page all read this.
struct Parameter {
  std::string name;
  ParameterValue standard;
  std::string help;
  double low = 0;                         // for numbers: the smallest allowed
  double high = 0;                        // for numbers: the largest allowed
  std::vector<std::string> choices = {};  // for strings: the allowed values
};

// The values of a game's declared parameters, complete and checked.
class Parameters {
 public:
  void set(const std::string& name, ParameterValue value) { values_[name] = std::move(value); }
  const std::map<std::string, ParameterValue>& values() const { return values_; }

  int integer(const std::string& name) const { return static_cast<int>(get<std::int64_t>(name)); }
  double number(const std::string& name) const { return get<double>(name); }
  bool flag(const std::string& name) const { return get<bool>(name); }
  const std::string& text(const std::string& name) const { return get<std::string>(name); }

 private:
  template <class T>
  const T& get(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end() || !std::holds_alternative<T>(found->second))
      throw std::logic_error("undeclared parameter: " + name);
    return std::get<T>(found->second);
  }

  std::map<std::string, ParameterValue> values_;
};

}  // namespace treewise
