#include "bind/python_evaluator.h"

#include <algorithm>
#include <cmath>

namespace treewise {

namespace {

class PythonEvaluator final : public Evaluator {
 public:
  PythonEvaluator(HeldPointer object, std::shared_ptr<const Game> game)
      : object_(std::move(object)), game_(std::move(game)) {
    const Locked locked;
    if (!nb::hasattr(**object_, "batch_size")) return;
    if (!nb::try_cast((**object_).attr("batch_size"), batch_size_) || batch_size_ < 1 || batch_size_ > 1 << 16)
      throw std::invalid_argument(object_->class_name() + ".batch_size must be a whole number from 1 to 65536");
  }

  int batch_size() const override { return batch_size_; }

  void evaluate(std::span<const Question> questions, std::span<Evaluation> answers, const Terms& terms) override {
    const Locked locked;
    const std::string name = object_->class_name() + ".evaluate";
    nb::list states;
    for (const Question& q : questions) states.append(state_to_python(*q.state, game_, terms.rng));
    nb::object values, priors = nb::none();
    const nb::object answer = in_python([&]() -> nb::object { return (**object_).attr("evaluate")(states); });
    if (nb::isinstance<nb::tuple>(answer) && nb::len(answer) == 2) {
      values = answer[0];
      priors = answer[1];
      refuse_two_rows(values, name);
    } else {
      values = answer;
    }
    if (length(values, name) != questions.size())
      throw std::invalid_argument(name + " returned values for " + std::to_string(length(values, name)) +
                                  " states, expected " + std::to_string(questions.size()) +
                                  " (values, or a pair of values and priors)");
    if (!priors.is_none() && length(priors, name) != questions.size())
      throw std::invalid_argument(name + " returned priors for the wrong number of states");
    for (std::size_t i = 0; i < questions.size(); ++i) {
      read_values(values[i], answers[i], name);
      answers[i].priors.clear();
      if (!priors.is_none()) read_priors(priors[i], questions[i], answers[i], name);
    }
  }

 private:
  // Two rows of values in a tuple look like a pair of values and priors.
  static void refuse_two_rows(nb::handle values, const std::string& name) {
    if (length(values, name) == 0 || !PyNumber_Check(nb::object(values[0]).ptr()) ||
        PySequence_Check(nb::object(values[0]).ptr()))
      return;
    throw nb::type_error((name +
                          " returned a tuple of two, which is read as (values, priors), but its first item is not "
                          "a list of rows; return values alone as a list, or as an array")
                             .c_str());
  }

  // Each player's expected returns. A little beyond the game's range is rounding, and counts as its end.
  void read_values(nb::handle given, Evaluation& answer, const std::string& name) const {
    const GameInfo& info = game_->info();
    const auto values = numbers(given, static_cast<std::size_t>(info.num_players), name + " (values of a state)");
    const double slack = kSlack * (info.max_utility - info.min_utility);
    for (std::size_t p = 0; p < values.size(); ++p) {
      if (values[p] < info.min_utility - slack || values[p] > info.max_utility + slack)
        throw std::invalid_argument(name + " returned the value " + shown(values[p]) + ", but returns of " + info.name +
                                    " lie between " + shown(info.min_utility) + " and " + shown(info.max_utility));
      answer.utilities[p] = std::clamp(values[p], info.min_utility, info.max_utility);
    }
  }

  // Priors come as {action: prior} or in the order of state.legal_actions(); the tree has an order of its
  // own.
  void read_priors(nb::handle given, const Question& question, Evaluation& answer, const std::string& name) const {
    if (given.is_none() || question.actions.empty()) return;
    std::map<Action, double> by_action;
    if (nb::isinstance<nb::dict>(given)) {
      const nb::list items = nb::borrow<nb::dict>(given).items();  // a copy: what they do to be numbers may change it
      for (const nb::handle item : items) {
        const auto pair = nb::borrow<nb::tuple>(item);
        Action action = kNoAction;
        if (!nb::try_cast<Action>(nb::object(pair[0]), action))
          throw nb::type_error((name + " returned priors whose keys are not actions").c_str());
        by_action[action] = numbers(nb::make_tuple(pair[1]), 1, name + " (priors of a state)").front();
      }
    } else {
      ActionList legal;
      question.state->legal_actions(legal);
      const auto list = numbers(given, static_cast<std::size_t>(legal.size()), name + " (priors of a state)");
      for (std::size_t i = 0; i < list.size(); ++i) by_action[legal[i]] = list[i];
    }
    double total = 0;
    for (const Action action : question.actions) {
      const double p = by_action.contains(action) ? by_action[action] : 0;
      if (!(p >= 0) || std::isinf(p))
        throw std::invalid_argument(name + " returned a prior that is negative, NaN or infinite");
      total += p;
      answer.priors.push_back(static_cast<float>(p));
    }
    if (total <= 0) throw std::invalid_argument(name + " returned priors that are all zero");
    for (float& p : answer.priors) p = static_cast<float>(p / total);
  }

  static constexpr double kSlack = 1e-3;

  HeldPointer object_;
  std::shared_ptr<const Game> game_;
  int batch_size_ = 1;
};

}  // namespace

std::shared_ptr<Evaluator> make_python_evaluator(HeldPointer object, std::shared_ptr<const Game> game) {
  return std::make_shared<PythonEvaluator>(std::move(object), std::move(game));
}

}  // namespace treewise
