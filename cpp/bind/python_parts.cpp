#include "bind/python_parts.h"

#include <cmath>

#include "bind/arrays.h"
#include "bind/held.h"
#include "bind/python_evaluator.h"
#include "bind/python_values.h"
#include "search/bonus/bonus.h"
#include "search/playout/playout.h"
#include "search/selection/selection.h"

namespace treewise {

namespace {

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

template <class... Args>
nb::object call(const Held& object, const char* method, Args&&... args) {
  return in_python([&]() -> nb::object { return (*object).attr(method)(std::forward<Args>(args)...); });
}

std::vector<double> call_score(const Held& object, const Children& children) {
  const Locked locked;
  const nb::object scores = call(object, "score", PythonChildren(children));
  return numbers(scores, children.visits.size(), object.class_name() + ".score", true);
}

Columns needed_columns(const Held& object) {
  const Locked locked;
  Columns columns;
  if (!nb::hasattr(*object, "columns")) return columns;
  for (nb::handle name : nb::object((*object).attr("columns"))) {
    const std::string text = to_text(name, object.class_name() + ".columns");
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
    for (std::size_t i = 0; i < given.size(); ++i) {
      scores[i] += given[i];
      if (std::isnan(scores[i])) scores[i] = given[i];  // two infinities: the bonus has the last word
    }
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
    const Locked locked;
    const nb::object given = call(*object_, "result", PythonRecord(record));
    const std::string name = object_->class_name() + ".result";
    const auto values = numbers(given, static_cast<std::size_t>(record.num_players), name);
    for (const double x : values)
      if (std::abs(x) > kMost)
        throw std::invalid_argument(name + " returned " + shown(x) +
                                    "; results are on the scale [0, 1], and a bonus may take them as far as " +
                                    shown(kMost));
    std::copy(values.begin(), values.end(), record.values.begin());
  }

 private:
  static constexpr double kMost = 1e6;

  HeldPointer object_;
};

class PythonPlayout final : public Playout {
 public:
  PythonPlayout(HeldPointer object, std::shared_ptr<const Game> game)
      : object_(std::move(object)), game_(std::move(game)) {
    const Locked locked;
    learns_ = nb::hasattr(**object_, "learn");
  }

  Action pick(Turn& turn) override {
    const Locked locked;
    nb::list actions;
    for (const Action a : turn.actions) actions.append(a);
    const nb::object state = state_to_python(turn.state, game_, turn.rng);
    const nb::object answer = call(*object_, "choose", state, actions, Rng(turn.rng.next()));
    Action chosen = kNoAction;
    if (!in_python([&] { return nb::try_cast<Action>(answer, chosen); }))
      throw std::invalid_argument(object_->class_name() + ".choose must return an action (an int)");
    for (const Action a : turn.actions)
      if (a == chosen) return a;
    throw std::invalid_argument(object_->class_name() + ".choose returned " + std::to_string(chosen) +
                                ", which is not among the actions it was given");
  }
  bool wants_trace() const override { return learns_; }
  void learn(const Record& record) override {
    if (!learns_) return;
    const Locked locked;
    call(*object_, "learn", PythonRecord(record));
  }

 private:
  HeldPointer object_;
  std::shared_ptr<const Game> game_;
  bool learns_ = false;
};

std::shared_ptr<Foreign> make_foreign(const std::string& family, nb::object object,
                                      const std::shared_ptr<const Game>& game, References* owner) {
  auto foreign = std::make_shared<Foreign>();
  const auto held = std::make_shared<const Held>(object, owner);
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
    foreign->evaluator = make_python_evaluator(held, game);
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

PartValue to_value(nb::handle value, const std::shared_ptr<const Game>& game, References* owner) {
  if (value.is_none()) return std::monostate();
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<nb::int_>(value)) return nb::cast<std::int64_t>(value);
  if (nb::isinstance<nb::float_>(value)) return nb::cast<double>(value);
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  if (nb::isinstance<nb::tuple>(value)) return to_spec(value, game, owner);
  if (nb::isinstance<nb::list>(value)) {
    std::vector<PartPointer> parts;
    for (nb::handle item : value) parts.push_back(to_spec(item, game, owner));
    return parts;
  }
  throw std::invalid_argument("a part's parameter must be a number, a text or a part");
}

}  // namespace

PartPointer to_spec(nb::handle value, const std::shared_ptr<const Game>& game, References* owner) {
  const auto pair = nb::cast<nb::tuple>(value);
  auto spec = std::make_shared<PartSpec>();
  spec->name = nb::cast<std::string>(pair[0]);
  const auto values = nb::cast<nb::dict>(pair[1]);
  if (spec->name == "python") {
    spec->foreign = make_foreign(nb::cast<std::string>(values["family"]), nb::object(values["object"]), game, owner);
    return spec;
  }
  for (auto [key, item] : values) spec->values[nb::cast<std::string>(key)] = to_value(item, game, owner);
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
          nb::arg("items"), nb::sig("def choice(self, items: collections.abc.Sequence[T]) -> T"), "One of the items.")
      .def("__repr__", [](const Rng&) { return "<Rng of the search>"; });
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
      .def("__len__", [](const PythonChildren& c) { return c.visits.size(); })
      .def("__repr__", [](const PythonChildren& c) {
        return "<Children: " + std::to_string(c.visits.size()) + " of a node with " +
               std::to_string(static_cast<long long>(c.parent_visits)) + " visits>";
      });
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
      .def_prop_ro(
          "values",
          [](const PythonRecord& r) { return std::vector<double>(r.values.begin(), r.values.begin() + r.num_players); })
      .def("__repr__", [](const PythonRecord& r) {
        return "<Record of a simulation of " + std::to_string(r.length) + " steps, " + std::to_string(r.tree_steps) +
               " of them in the tree>";
      });
}

}  // namespace treewise
