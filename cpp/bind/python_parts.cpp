#include "bind/python_parts.h"

#include <cmath>

#include "bind/arrays.h"
#include "search/bonus/bonus.h"
#include "search/evaluator/evaluator.h"
#include "search/playout/playout.h"
#include "search/selection/selection.h"

namespace treewise {

namespace {

// A Python object that may be released by any thread.
class Held {
 public:
  explicit Held(nb::object object) : object_(std::move(object)) {}
  ~Held() {
    if (!Py_IsInitialized()) {
      object_.release();  // the interpreter is gone: there is nothing to give back to
      return;
    }
    const nb::gil_scoped_acquire gil;
    object_.reset();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  const nb::object& operator*() const { return object_; }
  std::string class_name() const { return nb::cast<std::string>(object_.type().attr("__name__")); }

 private:
  nb::object object_;
};

using HeldPointer = std::shared_ptr<const Held>;

// `values` as numbers: exactly `size` of them, finite or (if allowed) infinite.
std::vector<double> numbers(nb::handle values, std::size_t size, const std::string& what, bool infinite = false) {
  std::vector<double> out;
  try {
    for (nb::handle item : values) out.push_back(nb::cast<double>(nb::float_(item)));
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    nb::raise_from(error, PyExc_TypeError, "%s must return a list of numbers", what.c_str());
  }
  if (out.size() != size)
    throw std::invalid_argument(what + " returned " + std::to_string(out.size()) + " numbers, expected " +
                                std::to_string(size));
  for (const double x : out) {
    if (std::isnan(x) || (std::isinf(x) && !infinite))
      throw std::invalid_argument(what + " returned " + (std::isnan(x) ? "NaN" : "an infinite number"));
  }
  return out;
}

// The length of what a method returned; TypeError by name if it has none.
std::size_t length(nb::handle values, const std::string& what) {
  if (!PySequence_Check(values.ptr()))
    throw nb::type_error(
        (what + " must return a list, not " + nb::cast<std::string>(values.type().attr("__name__"))).c_str());
  return nb::len(values);
}

// What a part that learns may keep: the trace is a copy, since the worker's own goes on changing.
struct PythonRecord : Record {
  explicit PythonRecord(const Record& record) : Record(record), steps(record.trace ? *record.trace : Trace()) {
    trace = nullptr;
  }
  Trace steps;
};

struct PythonChildren {
  std::vector<std::int32_t> visits;
  std::vector<double> values, squares;
  std::vector<float> priors;
  double parent_visits, first_play;

  explicit PythonChildren(const Children& c)
      : visits(c.visits.begin(), c.visits.end()),
        values(c.values.begin(), c.values.end()),
        squares(c.squares.begin(), c.squares.end()),
        priors(c.priors.begin(), c.priors.end()),
        parent_visits(c.parent_visits),
        first_play(c.first_play) {}
};

std::vector<double> call_score(const Held& object, const Children& children) {
  const nb::gil_scoped_acquire gil;
  const nb::object scores = (*object).attr("score")(PythonChildren(children));
  return numbers(scores, children.visits.size(), object.class_name() + ".score", true);
}

Columns needed_columns(const Held& object) {
  const nb::gil_scoped_acquire gil;
  Columns columns;
  if (!nb::hasattr(*object, "columns")) return columns;
  for (nb::handle name : nb::object((*object).attr("columns"))) {
    const auto text = nb::cast<std::string>(name);
    if (text == "prior") {
      columns.prior = true;
    } else if (text == "squares") {
      columns.squares = true;
    } else {
      throw std::invalid_argument(object.class_name() + ".columns: unknown column '" + text +
                                  "'; known: prior, squares");
    }
  }
  return columns;
}

class PythonSelection final : public Selection {
 public:
  explicit PythonSelection(HeldPointer object) : object_(std::move(object)) {}
  Columns needs() const override { return needed_columns(*object_); }
  void score(const Children& children, std::span<double> scores) const override {
    const std::vector<double> given = call_score(*object_, children);
    std::copy(given.begin(), given.end(), scores.begin());
  }

 private:
  HeldPointer object_;
};

class PythonScoreBonus final : public ScoreBonus {
 public:
  explicit PythonScoreBonus(HeldPointer object) : object_(std::move(object)) {}
  Columns needs() const override { return needed_columns(*object_); }
  void add(const Children& children, std::span<double> scores) const override {
    const std::vector<double> given = call_score(*object_, children);
    for (std::size_t i = 0; i < given.size(); ++i) scores[i] += given[i];
  }

 private:
  HeldPointer object_;
};

class PythonResultBonus final : public ResultBonus {
 public:
  explicit PythonResultBonus(HeldPointer object) : object_(std::move(object)) {}
  bool wants_trace() const override { return true; }
  bool wants_quality() const override { return true; }
  void adjust(Record& record) override {
    const nb::gil_scoped_acquire gil;
    const nb::object given = (**object_).attr("result")(PythonRecord(record));
    const auto values = numbers(given, static_cast<std::size_t>(record.num_players), object_->class_name() + ".result");
    std::copy(values.begin(), values.end(), record.values.begin());
  }

 private:
  HeldPointer object_;
};

class PythonPlayout final : public Playout {
 public:
  PythonPlayout(HeldPointer object, std::shared_ptr<const Game> game)
      : object_(std::move(object)), game_(std::move(game)) {
    const nb::gil_scoped_acquire gil;
    learns_ = nb::hasattr(**object_, "learn");
  }

  Action pick(Turn& turn) override {
    const nb::gil_scoped_acquire gil;
    nb::list actions;
    for (const Action a : turn.actions) actions.append(a);
    const nb::object state = state_to_python(turn.state, game_, turn.rng);
    const nb::object answer = (**object_).attr("choose")(state, actions, Rng(turn.rng.next()));
    Action chosen = kNoAction;
    if (!nb::try_cast<Action>(answer, chosen))
      throw std::invalid_argument(object_->class_name() + ".choose must return an action (an int)");
    for (const Action a : turn.actions)
      if (a == chosen) return a;
    throw std::invalid_argument(object_->class_name() + ".choose returned " + std::to_string(chosen) +
                                ", which is not among the actions it was given");
  }
  bool wants_trace() const override { return learns_; }
  void learn(const Record& record) override {
    if (!learns_) return;
    const nb::gil_scoped_acquire gil;
    (**object_).attr("learn")(PythonRecord(record));
  }

 private:
  HeldPointer object_;
  std::shared_ptr<const Game> game_;
  bool learns_ = false;
};

class PythonEvaluator final : public Evaluator {
 public:
  PythonEvaluator(HeldPointer object, std::shared_ptr<const Game> game)
      : object_(std::move(object)), game_(std::move(game)) {
    const nb::gil_scoped_acquire gil;
    if (!nb::hasattr(**object_, "batch_size")) return;
    if (!nb::try_cast((**object_).attr("batch_size"), batch_size_) || batch_size_ < 1 || batch_size_ > 1 << 16)
      throw std::invalid_argument(object_->class_name() + ".batch_size must be a whole number from 1 to 65536");
  }

  int batch_size() const override { return batch_size_; }

  void evaluate(std::span<const Question> questions, std::span<Evaluation> answers, const Terms& terms) override {
    const nb::gil_scoped_acquire gil;
    const std::string name = object_->class_name() + ".evaluate";
    nb::list states;
    for (const Question& q : questions) states.append(state_to_python(*q.state, game_, terms.rng));
    nb::object values, priors = nb::none();
    const nb::object answer = (**object_).attr("evaluate")(states);
    if (nb::isinstance<nb::tuple>(answer) && nb::len(answer) == 2) {
      values = answer[0];
      priors = answer[1];
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
  void read_values(nb::handle given, Evaluation& answer, const std::string& name) const {
    const auto values =
        numbers(given, static_cast<std::size_t>(game_->info().num_players), name + " (values of a state)");
    std::copy(values.begin(), values.end(), answer.utilities.begin());
  }

  // Priors come as {action: prior} or in the order of state.legal_actions(); the tree has an order of its
  // own.
  void read_priors(nb::handle given, const Question& question, Evaluation& answer, const std::string& name) const {
    if (given.is_none() || question.actions.empty()) return;
    std::map<Action, double> by_action;
    if (nb::isinstance<nb::dict>(given)) {
      const auto priors = nb::borrow<nb::dict>(given);
      const auto list = numbers(priors.values(), priors.size(), name + " (priors of a state)");
      for (std::size_t i = 0; i < list.size(); ++i) {
        Action action = kNoAction;
        if (!nb::try_cast<Action>(nb::object(priors.keys()[i]), action))
          throw nb::type_error((name + " returned priors whose keys are not actions").c_str());
        by_action[action] = list[i];
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

  HeldPointer object_;
  std::shared_ptr<const Game> game_;
  int batch_size_ = 1;
};

std::shared_ptr<Foreign> make_foreign(const std::string& family, nb::object object,
                                      const std::shared_ptr<const Game>& game) {
  auto foreign = std::make_shared<Foreign>();
  const auto held = std::make_shared<const Held>(object);
  const auto require_method = [&](const char* method) {
    if (!nb::hasattr(object, method))
      throw std::invalid_argument((family == "evaluator" ? "an " : "a ") + family +
                                  " written in Python needs a method '" + method + "'; " + held->class_name() +
                                  " has none");
  };
  if (family == "selection") {
    require_method("score");
    foreign->selection = std::make_shared<PythonSelection>(held);
  } else if (family == "playout") {
    require_method("choose");
    foreign->playout = [held, game] { return std::make_unique<PythonPlayout>(held, game); };
  } else if (family == "evaluator") {
    require_method("evaluate");
    foreign->evaluator = std::make_shared<PythonEvaluator>(held, game);
  } else if (family == "bonus") {
    if (nb::hasattr(object, "score")) foreign->score_bonus = std::make_shared<PythonScoreBonus>(held);
    if (nb::hasattr(object, "result")) foreign->result_bonus = std::make_shared<PythonResultBonus>(held);
    if (!foreign->score_bonus && !foreign->result_bonus)
      throw std::invalid_argument("a bonus written in Python needs a method 'score' or 'result'; " +
                                  held->class_name() + " has neither");
  } else {
    throw std::invalid_argument("a " + family + " cannot be written in Python");
  }
  return foreign;
}

PartValue to_value(nb::handle value, const std::shared_ptr<const Game>& game) {
  if (value.is_none()) return std::monostate();
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<nb::int_>(value)) return nb::cast<std::int64_t>(value);
  if (nb::isinstance<nb::float_>(value)) return nb::cast<double>(value);
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  if (nb::isinstance<nb::tuple>(value)) return to_spec(value, game);
  if (nb::isinstance<nb::list>(value)) {
    std::vector<PartPointer> parts;
    for (nb::handle item : value) parts.push_back(to_spec(item, game));
    return parts;
  }
  throw std::invalid_argument("a part's parameter must be a number, a text or a part");
}

}  // namespace

PartPointer to_spec(nb::handle value, const std::shared_ptr<const Game>& game) {
  const auto pair = nb::cast<nb::tuple>(value);
  auto spec = std::make_shared<PartSpec>();
  spec->name = nb::cast<std::string>(pair[0]);
  const auto values = nb::cast<nb::dict>(pair[1]);
  if (spec->name == "python") {
    spec->foreign = make_foreign(nb::cast<std::string>(values["family"]), nb::object(values["object"]), game);
    return spec;
  }
  for (auto [key, item] : values) spec->values[nb::cast<std::string>(key)] = to_value(item, game);
  return spec;
}

void bind_parts(nb::module_& m) {
  m.attr("T") = nb::type_var("T");
  nb::class_<Rng>(m, "Rng", "A small random number generator, seeded by the search.")
      .def(nb::init<std::uint64_t>(), nb::arg("seed"))
      .def("random", &Rng::uniform, "A number in [0, 1).")
      .def(
          "below",
          [](Rng& rng, std::int64_t bound) {
            if (bound < 1 || bound > 0xffffffffLL) throw std::invalid_argument("bound must be between 1 and 2**32 - 1");
            return rng.below(static_cast<std::uint32_t>(bound));
          },
          nb::arg("bound"), "A whole number in [0, bound).")
      .def(
          "choice",
          [](Rng& rng, nb::sequence items) {
            const std::size_t size = nb::len(items);
            if (size == 0) throw std::invalid_argument("nothing to choose from");
            return nb::object(items[rng.below(static_cast<std::uint32_t>(size))]);
          },
          nb::arg("items"), nb::sig("def choice(self, items: collections.abc.Sequence[T]) -> T"), "One of the items.");
  // The arrays own their memory, so the usual policy of properties (they belong to the object) must not apply.
  nb::class_<PythonChildren>(m, "Children", "The children of a node, as a selection rule sees them.")
      .def_prop_ro(
          "visits", [](const PythonChildren& c) { return to_array<std::int32_t>(c.visits); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "values", [](const PythonChildren& c) { return to_array<double>(c.values); }, nb::rv_policy::automatic,
          "Sums of results for the player who chooses, on the scale [0, 1]; divide by visits for means.")
      .def_prop_ro(
          "priors", [](const PythonChildren& c) { return to_array<float>(c.priors); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "squares", [](const PythonChildren& c) { return to_array<double>(c.squares); }, nb::rv_policy::automatic)
      .def_ro("parent_visits", &PythonChildren::parent_visits)
      .def_ro("first_play", &PythonChildren::first_play)
      .def("__len__", [](const PythonChildren& c) { return c.visits.size(); });
  nb::class_<PythonRecord>(m, "Record", "A finished simulation, as parts that learn see it.")
      .def_prop_ro(
          "trace",
          [](const PythonRecord& r) {
            std::vector<std::pair<int, Action>> out;
            for (const Step& s : r.steps) out.emplace_back(s.player, s.action);
            return out;
          },
          "(player, action) of every step from the root on.")
      .def_ro("tree_steps", &PythonRecord::tree_steps)
      .def_ro("length", &PythonRecord::length, "Steps from the root to the end; a joint action is one.")
      .def_ro("finished", &PythonRecord::finished,
              "The simulation itself reached a terminal state: it was not cut off, evaluated or known by a proof.")
      .def_prop_ro(
          "winner",
          [](const PythonRecord& r) { return r.winner == kNobody ? std::nullopt : std::optional<int>(r.winner); },
          "Who alone has the greatest outcome, if finished.")
      .def_prop_ro(
          "quality",
          [](const PythonRecord& r) {
            return std::isnan(r.raw_quality) ? std::nullopt : std::optional<double>(r.quality(true));
          },
          "Of the winner's win, in [0, 1]; None without a winner, where the game has no quality, and for playouts "
          "unless a bonus asks for it.")
      .def_prop_ro(
          "outcome",
          [](const PythonRecord& r) {
            return std::vector<double>(r.outcome.begin(), r.outcome.begin() + r.num_players);
          },
          "Each player's result on the scale [0, 1], unaltered.")
      .def_prop_ro("values", [](const PythonRecord& r) {
        return std::vector<double>(r.values.begin(), r.values.begin() + r.num_players);
      });
}

}  // namespace treewise
