// Games and states in C++ as Python sees them. Everything is checked here: the engine itself checks nothing.
#include <algorithm>

#include "bind/action.h"
#include "bind/argument.h"
#include "bind/python_game.h"
#include "game/perft.h"
#include "games/catalogue.h"
#include "search/playout/playout.h"

namespace treewise {

namespace {

nb::tuple scene_of(const StateHandle& h) {
  Scene scene;
  require<HasScene>(h, Capability::kScene).scene(scene, true);
  nb::object body = nb::none();
  if (scene.body >= 0) body = nb::make_tuple(scene.body, scene.form);
  nb::list items;
  for (const Scene::Item& item : scene.items) items.append(nb::make_tuple(item.cell, item.kind));
  return nb::make_tuple(nb::make_tuple(scene.width, scene.height, scene.kinds), body, scene.met, scene.struck, items);
}

// A seed that follows another one at the same place replaces it: nothing was drawn in between.
void reseed(StateHandle& h, nb::handle given) {
  const std::uint64_t seed = seed_number(given);
  require<HasDice>(h, Capability::kDice).reseed(seed);
  if (!h.seeds.empty() && h.seeds.back().first == h.history.size()) h.seeds.pop_back();
  h.seeds.emplace_back(h.history.size(), seed);
}

// Derived as those of searches are.
Rng rng_of(nb::handle seed) {
  return Rng(derive_seed(seed_number(seed), 0));
}

std::vector<double> to_list(const StateHandle& h, const Values& values) {
  std::vector<double> list(values.begin(), values.begin() + h.game->info().num_players);
  for (double& x : list) x += 0.0;  // nobody wants to read -0.0
  return list;
}

constexpr int kMostSteps = 1'000'000'000;

int playout(StateHandle& h, nb::handle seed, nb::handle policy, nb::handle max_length) {
  Rng rng = rng_of(seed);
  const bool by_policy = truth(policy, "policy");
  const int limit = max_length.is_none() ? h.game->info().max_length : count(max_length, "max_length", kMostSteps);
  Trace trace;
  int length = 0;
  if (by_policy) {
    require<HasPolicy>(h, Capability::kPolicy);
    length = make_game_policy({}, h.game->info())->play(*h.state, rng, &trace, limit, {}).length;
  } else {
    length = h.state->playout(rng, limit, &trace);
  }
  for (const Step& step : trace) h.history.push_back(step.action);
  return length;
}

constexpr int kMostDepth = 1000;  // of perft, which calls itself so often: the stack has an end

void poll_signals() {
  stay_if_leaving();
  const Locked locked;
  if (in_python([] { return PyErr_CheckSignals(); }) != 0) throw nb::python_error();
}

nb::dict describe(const Parameter& p) {
  nb::dict d;
  d["name"] = p.name;
  d["default"] = nb::cast(p.standard);
  d["help"] = p.help;
  if (!p.choices.empty()) {
    d["choices"] = p.choices;
  } else if (!std::holds_alternative<bool>(p.standard)) {
    d["low"] = p.low;
    d["high"] = p.high;
  }
  return d;
}

void bind_state(nb::module_& m) {
  nb::class_<StateHandle>(m, "State", nb::type_slots(collected<StateHandle>()), "One position of a game in C++.")
      .def_prop_ro("game", [](const StateHandle& h) { return h.game; })
      .def("clone", &StateHandle::copy, "A copy that shares nothing with this state.")
      .def("__copy__", &StateHandle::copy)
      .def("__deepcopy__", [](const StateHandle& h, nb::dict) { return h.copy(); })
      .def(
          "current_player", [](const StateHandle& h) { return h.state->current_player(); },
          "The player to move, or CHANCE, SIMULTANEOUS, TERMINAL.")
      .def("is_terminal", [](const StateHandle& h) { return h.state->is_terminal(); })
      .def(
          "legal_actions",
          [](const StateHandle& h, std::optional<nb::object> given) {
            const auto player = given ? std::optional(player_of(*h.game, *given)) : std::nullopt;
            const ActionList list = list_legal(h, player);
            return std::vector<Action>(list.begin(), list.end());
          },
          nb::arg("player") = nb::none(),
          nb::sig("def legal_actions(self, player: typing.SupportsIndex | None = None) -> list[int]"),
          "The actions that may be applied; at a chance state, its outcomes.")
      .def(
          "apply", &apply, nb::arg("action").none(),
          nb::sig(
              "def apply(self, action: typing.SupportsIndex | collections.abc.Sequence[typing.SupportsIndex]) -> None"),
          "Plays one action; where several players act at once, a list with one for each. ValueError if it is illegal.")
      .def(
          "returns",
          [](const StateHandle& h) {
            Values values{};
            h.state->returns(values);
            return to_list(h, values);
          },
          "Each player's utility: final at a terminal state, else what was collected so far.")
      .def(
          "rewards",
          [](const StateHandle& h) {
            Values values{};
            require<HasRewards>(h, Capability::kRewards).rewards(values);
            return to_list(h, values);
          },
          "What the last step gave each player.")
      .def(
          "chance_outcomes",
          [](const StateHandle& h) {
            if (h.state->current_player() != kChance) throw std::invalid_argument("not a chance state");
            std::vector<double> p;
            require<HasChance>(h, Capability::kChance).chance_probabilities(p);
            const ActionList list = list_legal(h, std::nullopt);
            std::vector<std::pair<Action, double>> out;
            for (int i = 0; i < list.size(); ++i)
              out.emplace_back(list[static_cast<std::size_t>(i)], p[static_cast<std::size_t>(i)]);
            return out;
          },
          "(outcome, probability) pairs of a chance state.")
      .def("action_name", &action_name, nb::arg("action").none(),
           nb::sig("def action_name(self, action: typing.SupportsIndex) -> str"),
           "A legal action in the game's notation.")
      .def(
          "hash", [](const StateHandle& h) { return require<HasHash>(h, Capability::kHash).hash(); },
          "A 64-bit key, equal for equal states.")
      .def(
          "quality",
          [](const StateHandle& h, nb::handle given) {
            const bool clip = truth(given, "clip");
            const auto& q = require<HasQuality>(h, Capability::kQuality);
            Values values{};
            h.state->returns(values);
            if (!h.state->is_terminal() || winner_of(values, h.game->info().num_players) == kNobody)
              throw std::invalid_argument("quality is defined for finished matches with a winner");
            return clip ? q.quality() : q.raw_quality();
          },
          nb::arg("clip").none() = true, nb::sig("def quality(self, clip: bool = True) -> float"),
          "How good the winner's win is, in [0, 1]; without `clip` as the game's formula gives it.")
      .def(
          "winning_actions",
          [](const StateHandle& h) {
            require_running(h);
            ActionList list;
            require<HasWinning>(h, Capability::kWinning).winning_actions(list);
            return std::vector<Action>(list.begin(), list.end());
          },
          "The actions that win at once.")
      .def(
          "playout_candidates",
          [](const StateHandle& h, nb::handle seed) {
            Rng rng = rng_of(seed);
            require_running(h);
            ActionList list;
            require<HasPolicy>(h, Capability::kPolicy).playout_candidates(rng, list);
            return std::vector<Action>(list.begin(), list.end());
          },
          nb::arg("seed").none() = 0,
          nb::sig("def playout_candidates(self, seed: typing.SupportsIndex = 0) -> list[int]"),
          "The candidates of the game's own playout policy, each as often as its weight.")
      .def(
          "resample",
          [](StateHandle& h, nb::handle given, nb::handle seed) {
            const int player = player_of(*h.game, given);
            Rng rng = rng_of(seed);
            require<HasHidden>(h, Capability::kHidden);
            StateHandle copy = h.copy();
            copy.detached = true;
            dynamic_cast<HasHidden&>(*copy.state).resample(player, rng);
            return copy;
          },
          nb::arg("player").none(), nb::arg("seed").none() = 0,
          nb::sig("def resample(self, player: typing.SupportsIndex, seed: typing.SupportsIndex = 0) -> State"),
          "A copy in which all that `player` cannot know is drawn anew, consistent with what they have seen. "
          "Such a copy has no history of its own: it cannot be pickled.")
      .def(
          "observation",
          [](const StateHandle& h, nb::handle given) {
            const int player = player_of(*h.game, given);
            return require<HasHidden>(h, Capability::kHidden).observation(player);
          },
          nb::arg("player").none(), nb::sig("def observation(self, player: typing.SupportsIndex) -> str"),
          "What `player` has seen, as text.")
      .def("reseed", &reseed, nb::arg("seed").none(), nb::sig("def reseed(self, seed: typing.SupportsIndex) -> None"),
           "From here on the rules draw as a generator with this seed does. The position stays as it is.")
      .def(
          "seeds", [](const StateHandle& h) { return h.seeds; },
          "What `reseed` was given since the start, as (number of actions applied before it, seed).")
      .def(
          "score", [](const StateHandle& h) { return require<HasScore>(h, Capability::kScore).score(); },
          "The points so far, without what winning or losing is worth.")
      .def(
          "features",
          [](const StateHandle& h, const nb::object& after) {
            const auto& rules = require<HasFeatures>(h, Capability::kFeatures);
            std::vector<double> out(static_cast<std::size_t>(rules.num_features()));
            if (after.is_none()) {
              rules.features(out);
              return out;
            }
            const Action action = legal_action(h, after);
            FeatureChanges changes;
            require<HasOwnMoves>(h, Capability::kOwnMoves).own_moves({&action, 1}, out, changes);
            for (const FeatureChange& each : changes.of(0)) out[static_cast<std::size_t>(each.feature)] = each.value;
            return out;
          },
          nb::arg("after").none() = nb::none(),
          nb::sig("def features(self, after: typing.SupportsIndex | None = None) -> list[float]"),
          "Numbers that describe the state for linear value functions; or what this action makes of it by itself, "
          "before "
          "the world answers (capability `own_moves`).")
      .def("scene", &scene_of,
           "What the player sees of a world of cells: ((width, height, kinds), (cell, form) of its body or None, the "
           "kinds that the body met in the last step, those met by what it has made, and [(cell, kind), …] of all that "
           "is seen beside it. Cells are numbered row by row.")
      .def("playout", &playout, nb::arg("seed").none(), nb::arg("policy").none() = false,
           nb::arg("max_length").none() = nb::none(),
           nb::sig("def playout(self, seed: typing.SupportsIndex, policy: bool = False, max_length: "
                   "typing.SupportsIndex | None = None) -> int"),
           "Plays on to the end, uniformly or by the game's own policy, and returns the number of steps.")
      .def(
          "history", [](const StateHandle& h) { return h.history; }, "The actions applied since the start.")
      .def_prop_ro(
          "start", [](const StateHandle& h) { return h.start; },
          "(board, player) if the match started from a position given as text, else None.")
      .def_ro("detached", &StateHandle::detached,
              "Not reached by its history: drawn by `resample`, or shown to a part.")
      .def("__reduce__",
           [](nb::object self) {
             const auto& h = nb::cast<const StateHandle&>(self);
             if (h.detached)
               throw std::invalid_argument("a state that was drawn or copied from a search cannot be pickled");
             const nb::module_ core = nb::module_::import_("treewise._core");
             if (nb::cast<bool>(core.attr("is_python_state")(self))) {
               const nb::object unwrap = core.attr("unwrap_state");
               const nb::object first = unwrap(self.attr("game").attr("initial_state")());
               const nb::object rewrap = nb::module_::import_("treewise.game").attr("rewrap_state");
               return nb::make_tuple(rewrap, nb::make_tuple(unwrap(self), first, h.history, h.seeds));
             }
             const nb::object restore = nb::module_::import_("treewise.game").attr("restore_state");
             return nb::make_tuple(restore, nb::make_tuple(h.game, h.start, h.history, h.seeds));
           })
      .def("__str__", [](const StateHandle& h) { return h.state->draw(); })
      .def("__repr__", [](const StateHandle& h) {
        return "<State of " + h.game->info().name + ", step " + std::to_string(h.history.size()) + ">";
      });
}

// What equal games have in common; None: this game equals itself only.
nb::object key_of(nb::handle game) {
  return nb::module_::import_("treewise.game").attr("game_key")(game);
}

nb::object equal_games(nb::handle game, nb::handle other) {
  if (!nb::isinstance<Game>(other)) return nb::borrow(Py_NotImplemented);
  if (game.is(other)) return nb::bool_(true);
  const nb::object key = key_of(game);
  return nb::bool_(!key.is_none() && key.equal(key_of(other)));
}

nb::object hash_game(nb::handle game) {
  const nb::object key = key_of(game);
  const nb::handle plain(reinterpret_cast<PyObject*>(&PyBaseObject_Type));
  return key.is_none() ? plain.attr("__hash__")(game) : key.attr("__hash__")();
}

void bind_games(nb::module_& m) {
  nb::class_<Game>(m, "Game", "Rules with their parameters; makes states.")
      .def_prop_ro("name", [](const Game& g) { return g.info().name; })
      .def_prop_ro("num_players", [](const Game& g) { return g.info().num_players; })
      .def_prop_ro("min_utility", [](const Game& g) { return g.info().min_utility; })
      .def_prop_ro("max_utility", [](const Game& g) { return g.info().max_utility; })
      .def_prop_ro(
          "max_length", [](const Game& g) { return g.info().max_length; },
          "Where a playout is cut off at the latest, in steps.")
      .def_prop_ro(
          "stable_actions", [](const Game& g) { return g.info().stable_actions; },
          "Whether an action id means the same in different states.")
      .def_prop_ro(
          "num_action_ids", [](const Game& g) { return g.info().num_action_ids; },
          "Action ids lie in [0, num_action_ids).")
      .def_prop_ro(
          "capabilities",
          [](const Game& g) {
            std::vector<std::string> names;
            for (unsigned c = 0; c < kNumCapabilities; ++c)
              if (g.info().has(static_cast<Capability>(c)))
                names.emplace_back(capability_name(static_cast<Capability>(c)));
            return names;
          },
          "What the game can do beyond its obligations, by name.")
      .def_prop_ro("parameters", [](const Game& g) { return g.parameters().values(); })
      .def(
          "__reduce__",
          [](nb::object self) {
            const nb::module_ module = nb::module_::import_("treewise.game");
            return nb::make_tuple(module.attr("load_game"), nb::make_tuple(module.attr("game_text")(self)));
          },
          nb::sig("def __reduce__(self) -> str | tuple"))
      .def("__eq__", &equal_games, nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", &hash_game, nb::sig("def __hash__(self) -> int"))
      .def("__repr__",
           [](nb::object self) {
             const nb::object text = nb::module_::import_("treewise.game").attr("game_text")(self);
             return "<Game " + nb::cast<std::string>(text) + ">";
           })
      .def("initial_state",
           [](std::shared_ptr<const Game> g) {
             auto state = g->initial_state();
             return StateHandle{std::move(g), std::move(state), std::nullopt, {}, false};
           })
      .def(
          "parse_state",
          [](std::shared_ptr<const Game> g, nb::handle given, nb::handle mover) {
            const std::string board = board_text(given);
            const int player = player_index(mover);
            auto state = g->parse_state(board, player);
            return StateHandle{std::move(g), std::move(state), std::pair(board, player), {}, false};
          },
          nb::arg("board").none(), nb::arg("player").none() = 0,
          nb::sig("def parse_state(self, board: str, player: typing.SupportsIndex = 0) -> State"),
          "Sets up a position from text, with `player` (from 0) to move; ValueError says what is wrong with it.");
  m.def("make_game", &make_game, nb::arg("name"), nb::arg("parameters"));
  m.def("game_catalogue", [] {
    nb::list out;
    for (const GameEntry& e : game_catalogue()) {
      nb::list parameters;
      for (const Parameter& p : e.parameters) parameters.append(describe(p));
      nb::dict d;
      d["name"] = e.name;
      d["summary"] = e.summary;
      d["parameters"] = parameters;
      out.append(d);
    }
    return out;
  });
  m.def(
      "perft",
      [](const StateHandle& h, nb::handle given) {
        const int depth = count(given, "depth", kMostDepth);
        const StateHandle copy = h.copy();  // the state itself may change meanwhile
        const Unlocked unlocked;
        return perft(*copy.state, depth, copy.game->info(), &poll_signals);
      },
      nb::arg("state"), nb::arg("depth").none(),
      nb::sig("def perft(state: State, depth: typing.SupportsIndex) -> int"));
}

}  // namespace

// As nanobind makes pointers from Python objects: with a reference that goes with the last copy.
nb::handle object_of(const std::shared_ptr<const Game>& game) {
  const auto* deleter = std::get_deleter<nb::detail::py_deleter>(game);
  return deleter ? deleter->o : nullptr;
}

std::shared_ptr<const Game> another(const std::shared_ptr<const Game>& game) {
  const nb::handle object = object_of(game);
  if (!object.is_valid()) return game;
  return std::shared_ptr<Game>(const_cast<Game*>(game.get()), nb::detail::py_deleter{object.inc_ref().ptr()});
}

int StateHandle::traverse(visitproc visit, void* arg) const {
  if (const auto* python = dynamic_cast<const PythonState*>(state.get()))
    if (const int result = python->traverse(visit, arg)) return result;
  if (game.use_count() > 1) return 0;  // somebody else holds the same reference
  Py_VISIT(object_of(game).ptr());
  return 0;
}

void StateHandle::clear() {
  if (auto* python = dynamic_cast<PythonState*>(state.get())) python->clear();
}

void bind_game(nb::module_& m) {
  m.attr("CHANCE") = kChance;
  m.attr("SIMULTANEOUS") = kSimultaneous;
  m.attr("TERMINAL") = kTerminal;
  bind_games(m);
  bind_state(m);
}

}  // namespace treewise
