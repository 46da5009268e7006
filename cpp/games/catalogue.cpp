#include "games/catalogue.h"

#include <algorithm>
#include <cmath>

namespace treewise {

namespace games {
#define TREEWISE_GAME(name) GameEntry name();
#include "game_list.inc"
#undef TREEWISE_GAME
}  // namespace games

const std::vector<GameEntry>& game_catalogue() {
  static const std::vector<GameEntry> catalogue = {
#define TREEWISE_GAME(name) games::name(),
#include "game_list.inc"
#undef TREEWISE_GAME
  };
  return catalogue;
}

namespace {

std::string number_text(double x) {
  std::string text = std::to_string(x);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

ParameterValue checked(const std::string& game, const Parameter& declared, const ParameterValue& given) {
  const std::string what = game + ": parameter '" + declared.name + "'";
  if (std::holds_alternative<bool>(declared.standard)) {
    if (!std::holds_alternative<bool>(given)) throw std::invalid_argument(what + " must be True or False");
    return given;
  }
  if (std::holds_alternative<std::string>(declared.standard)) {
    const auto* text = std::get_if<std::string>(&given);
    if (!text || std::find(declared.choices.begin(), declared.choices.end(), *text) == declared.choices.end()) {
      std::string choices;
      for (const auto& c : declared.choices) choices += (choices.empty() ? "'" : ", '") + c + "'";
      throw std::invalid_argument(what + " must be one of " + choices);
    }
    return given;
  }
  const bool whole = std::holds_alternative<std::int64_t>(declared.standard);
  double value;
  if (const auto* integer = std::get_if<std::int64_t>(&given)) {
    value = static_cast<double>(*integer);
  } else if (const auto* real = std::get_if<double>(&given); real && !whole) {
    value = *real;
  } else {
    throw std::invalid_argument(what + (whole ? " must be a whole number" : " must be a number"));
  }
  if (!std::isfinite(value) || value < declared.low || value > declared.high)
    throw std::invalid_argument(what + " must be between " + number_text(declared.low) + " and " +
                                number_text(declared.high));
  if (whole) return given;
  return value;
}

}  // namespace

std::shared_ptr<const Game> make_game(const std::string& name, const std::map<std::string, ParameterValue>& given) {
  const auto& catalogue = game_catalogue();
  const auto found =
      std::find_if(catalogue.begin(), catalogue.end(), [&](const GameEntry& e) { return e.name == name; });
  if (found == catalogue.end()) throw std::invalid_argument("unknown game '" + name + "'");
  Parameters parameters;
  for (const Parameter& p : found->parameters) parameters.set(p.name, p.standard);
  for (const auto& [key, value] : given) {
    const auto declared = std::find_if(found->parameters.begin(), found->parameters.end(),
                                       [&, &key = key](const Parameter& p) { return p.name == key; });
    if (declared == found->parameters.end()) throw std::invalid_argument(name + ": unknown parameter '" + key + "'");
    parameters.set(key, checked(name, *declared, value));
  }
  return found->make(parameters);
}

}  // namespace treewise
