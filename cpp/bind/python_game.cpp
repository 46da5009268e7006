#include "bind/python_game.h"

#include <limits>

#include "bind/python_values.h"

namespace treewise {

namespace {

// `name` of the state, or of its `game`; not valid where neither has it.
nb::object attribute(nb::handle object, const char* name) {
  nb::object value;
  if (nb::hasattr(object, name)) {
    value = object.attr(name);
  } else if (nb::hasattr(object, "game") && nb::hasattr(object.attr("game"), name)) {
    value = object.attr("game").attr(name);
  }
  if (value.is_valid() && PyCallable_Check(value.ptr())) value = value();
  return value;
}

double number_attribute(nb::handle object, const char* name, double standard) {
  const nb::object value = attribute(object, name);
  return value.is_valid() ? to_number(value, object, name) : standard;
}

int integer_attribute(nb::handle object, const char* name, int standard, int low, int high) {
  const nb::object value = attribute(object, name);
  if (!value.is_valid()) return standard;
  const std::int64_t number = to_integer(value, object, name, name);
  if (number < low || number > high)
    throw std::invalid_argument(class_name(object) + "." + name + " is " + std::to_string(number) + ", expected " +
                                std::to_string(low) + " to " + std::to_string(high));
  return static_cast<int>(number);
}

bool flag_attribute(nb::handle object, const char* name, bool standard) {
  const nb::object value = attribute(object, name);
  return value.is_valid() ? nb::cast<bool>(nb::bool_(value)) : standard;
}

int count_players(nb::handle object) {
  if (attribute(object, "num_players").is_valid()) return integer_attribute(object, "num_players", 0, 1, kMaxPlayers);
  const nb::object returns = object.attr("returns")();
  const std::size_t size = to_sequence(returns, object, "returns").size();
  if (size < 1 || size > kMaxPlayers)
    complain(
        object, "returns",
        std::to_string(size) + " numbers, expected one for each of 1 to " + std::to_string(kMaxPlayers) + " players");
  return static_cast<int>(size);
}

// Unlike a mere attribute: a class may well keep its points in `self.score`.
bool has_method(nb::handle object, const char* name) {
  return in_python([&] { return nb::hasattr(object, name) && PyCallable_Check(nb::object(object.attr(name)).ptr()); });
}

GameInfo derive_info(nb::handle object) {
  GameInfo info{.name = class_name(object),
                .num_players = count_players(object),
                .min_utility = number_attribute(object, "min_utility", -1),
                .max_utility = number_attribute(object, "max_utility", 1),
                .num_action_ids = 0,
                .max_length = integer_attribute(object, "max_length", 10000, 1, 1 << 30),
                .stable_actions = flag_attribute(object, "stable_actions", true),
                .lacks_results = has_method(object, "has_result")};
  if (!(info.min_utility < info.max_utility))
    throw std::invalid_argument(info.name + ": min_utility must be less than max_utility");
  if (has_method(object, "hash")) info.add(Capability::kHash);
  if (has_method(object, "chance_outcomes")) info.add(Capability::kChance);
  if (flag_attribute(object, "simultaneous", false)) info.add(Capability::kSimultaneous);
  if (has_method(object, "rewards")) info.add(Capability::kRewards);
  if (has_method(object, "resample")) info.add(Capability::kHidden);
  if (has_method(object, "quality")) info.add(Capability::kQuality);
  if (has_method(object, "playout_candidates")) info.add(Capability::kPolicy);
  if (has_method(object, "winning_actions")) info.add(Capability::kWinning);
  if (has_method(object, "reseed")) info.add(Capability::kDice);
  if (has_method(object, "score")) info.add(Capability::kScore);
  if (has_method(object, "features")) info.add(Capability::kFeatures);
  if (has_method(object, "scene")) info.add(Capability::kScene);
  return info;
}

bool is_true(nb::handle value) {
  const int truth = in_python([&] { return PyObject_IsTrue(value.ptr()); });
  if (truth < 0) throw nb::python_error();
  return truth != 0;
}

nb::object clone_of(const nb::object& object) {
  nb::object copy = in_python([&]() -> nb::object { return object.attr("clone")(); });
  if (copy.is(object)) complain(object, "clone", "returned the state itself; a clone must share nothing with it");
  if (!copy.type().is(object.type()))
    complain_type(object, "clone", "expected another " + class_name(object) + ", got " + class_name(copy));
  return copy;
}

}  // namespace

// ---- game -------------------------------------------------------------------------------------------------

PythonGame::PythonGame(nb::object first) : first_(std::move(first)), info_(derive_info(*first_)) {}

std::unique_ptr<State> PythonGame::initial_state() const {
  const Locked locked;
  return std::make_unique<PythonState>(info_, clone_of(*first_), nullptr);
}

std::unique_ptr<State> PythonGame::parse_state(std::string_view, int) const {
  throw std::invalid_argument(info_.name + " has no text form of positions");
}

// ---- state: the obligations -------------------------------------------------------------------------------

PythonState::PythonState(const GameInfo& info, nb::object object, References* owner)
    : info_(&info), object_(std::move(object), owner) {}

template <class... Args>
nb::object PythonState::ask(const char* method, Args&&... args) const {
  const nb::object asked = object();  // the answer may replace it
  return in_python([&]() -> nb::object { return asked.attr(method)(std::forward<Args>(args)...); });
}

void PythonState::forget() {
  terminal_ = Known::kUnknown;
  player_.reset();
}

nb::object PythonState::cloned() const {
  return clone_of(object());
}

std::unique_ptr<State> PythonState::clone() const {
  const Locked locked;
  auto copy = std::make_unique<PythonState>(*info_, cloned(), object_.owner());
  copy->terminal_ = terminal_;
  copy->player_ = player_;
  return copy;
}

void PythonState::assign(const State& other) {
  const Locked locked;
  const auto& source = static_cast<const PythonState&>(other);
  object_.set(source.cloned());
  terminal_ = source.terminal_;
  player_ = source.player_;
}

bool PythonState::is_terminal() const {
  const Locked locked;
  if (terminal_ == Known::kUnknown) {
    terminal_ = is_true(ask("is_terminal")) ? Known::kYes : Known::kNo;
  }
  return terminal_ == Known::kYes;
}

int PythonState::current_player() const {
  const Locked locked;
  if (is_terminal()) return kTerminal;
  if (player_) return *player_;
  const std::int64_t player = to_integer(ask("current_player"), object(), "current_player", "a player");
  if (player == kTerminal) complain(object(), "current_player", "TERMINAL, but is_terminal() is false");
  if (player == kChance && !info_->has(Capability::kChance))
    complain(object(), "current_player", "CHANCE (-1), but the first state had no chance_outcomes()");
  if (player == kSimultaneous && !info_->has(Capability::kSimultaneous))
    complain(object(), "current_player", "SIMULTANEOUS (-2), but `simultaneous = True` is not set");
  if (player < kSimultaneous || player >= info_->num_players)
    complain(object(), "current_player",
             "player " + std::to_string(player) + ", expected 0 to " + std::to_string(info_->num_players - 1));
  player_ = static_cast<int>(player);
  return *player_;
}

void PythonState::legal_actions(ActionList& out) const {
  const Locked locked;
  if (info_->has(Capability::kChance) && current_player() == kChance) return outcomes(&out, nullptr);
  to_actions(ask("legal_actions"), out, false, object(), "legal_actions");
}

void PythonState::apply(Action action) {
  const Locked locked;
  forget();
  ask("apply", action);
}

void PythonState::fill(std::span<double> out, const char* method, const char* each) const {
  const nb::tuple items = to_sequence(ask(method), object(), method);
  if (items.size() != out.size())
    complain(object(), method,
             std::to_string(items.size()) + " numbers, expected one for each of " + std::to_string(out.size()) + each);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = to_number(nb::object(items[i]), object(), method);
}

std::span<double> PythonState::of_players(Values& values) const {
  return {values.data(), static_cast<std::size_t>(info_->num_players)};
}

void PythonState::returns(Values& out) const {
  const Locked locked;
  fill(of_players(out), "returns", " players");
  if (!is_terminal()) return;
  for (int p = 0; p < info_->num_players; ++p) {
    const double value = out[static_cast<std::size_t>(p)];
    if (value < info_->min_utility || value > info_->max_utility)
      complain(object(), "returns",
               std::to_string(value) + " lies outside [" + std::to_string(info_->min_utility) + ", " +
                   std::to_string(info_->max_utility) + "]; set min_utility and max_utility on the class");
  }
}

bool PythonState::has_result() const {
  const Locked locked;
  return is_true(ask("has_result"));
}

int PythonState::playout(Rng& rng, int max_length, Trace* trace) {
  // One GIL for the whole playout; Python itself gives other threads their turn.
  const Locked locked;
  ActionList list;
  std::vector<double> probabilities;
  int length = 0;
  for (; length < max_length && !is_terminal(); ++length) {
    const int player = current_player();
    if (player == kSimultaneous) {
      std::vector<Action> joint;
      for (int p = 0; p < info_->num_players; ++p) {
        legal_actions(p, list);
        joint.push_back(list[rng.below(static_cast<std::uint32_t>(list.size()))]);
        if (trace) trace->push_back({joint.back(), p, p > 0});
      }
      apply_joint(joint);
      continue;
    }
    std::size_t choice = 0;
    if (player == kChance) {
      outcomes(&list, &probabilities);
      double u = rng.uniform();
      while (choice + 1 < probabilities.size() && u >= probabilities[choice]) u -= probabilities[choice++];
    } else {
      legal_actions(list);
      choice = rng.below(static_cast<std::uint32_t>(list.size()));
    }
    const Action action = list[choice];
    if (trace) trace->push_back({action, player});
    apply(action);
  }
  return length;
}

std::string PythonState::action_name(Action action) const {
  const Locked locked;
  if (!has_method(object(), "action_name")) return std::to_string(action);
  return to_text(ask("action_name", action), class_name(object()) + ".action_name()");
}

std::string PythonState::draw() const {
  const Locked locked;
  return to_text(in_python([&] { return nb::str(object()); }), class_name(object()) + ".__str__()");
}

// ---- state: capabilities ----------------------------------------------------------------------------------

std::uint64_t PythonState::hash() const {
  const Locked locked;
  const nb::object value = ask("hash");
  if (!PyLong_Check(value.ptr())) complain_type(object(), "hash", "expected an int, got " + class_name(value));
  return PyLong_AsUnsignedLongLongMask(value.ptr());
}

void PythonState::outcomes(ActionList* actions, std::vector<double>* probabilities) const {
  constexpr const char* kMethod = "chance_outcomes";
  const nb::tuple pairs = to_sequence(ask(kMethod), object(), kMethod);
  if (pairs.size() == 0) complain(object(), kMethod, "no outcome in a chance state");
  if (actions) actions->clear();
  if (probabilities) probabilities->clear();
  double sum = 0;
  for (const nb::handle given : pairs) {
    const nb::tuple pair = to_sequence(given, object(), kMethod);
    if (pair.size() != 2) complain(object(), kMethod, "expected (action, probability) pairs");
    const Action action = to_action(nb::object(pair[0]), object(), kMethod);
    const double p = to_number(nb::object(pair[1]), object(), kMethod);
    if (p < 0) complain(object(), kMethod, "a negative probability");
    sum += p;
    if (actions) actions->push_back(action);
    if (probabilities) probabilities->push_back(p);
  }
  if (std::abs(sum - 1) > 1e-6)
    complain(object(), kMethod, "the probabilities sum to " + std::to_string(sum) + ", not to 1");
}

void PythonState::chance_probabilities(std::vector<double>& out) const {
  const Locked locked;
  outcomes(nullptr, &out);
}

void PythonState::legal_actions(int player, ActionList& out) const {
  const Locked locked;
  to_actions(ask("legal_actions", player), out, false, object(), "legal_actions");
}

int PythonState::num_players() const {
  return info_->num_players;
}

void PythonState::apply_joint(std::span<const Action> actions) {
  const Locked locked;
  forget();
  nb::list joint;
  for (const Action action : actions) joint.append(action);
  ask("apply", joint);
}

void PythonState::rewards(Values& out) const {
  const Locked locked;
  fill(of_players(out), "rewards", " players");
}

void PythonState::resample(int player, Rng& rng) {
  const Locked locked;
  nb::object drawn = ask("resample", player, rng.next());
  if (!drawn.type().is(object().type()))
    complain_type(object(), "resample", "expected another " + class_name(object()) + ", got " + class_name(drawn));
  forget();
  object_.set(std::move(drawn));
}

std::string PythonState::observation(int player) const {
  const Locked locked;
  if (!has_method(object(), "observation"))
    throw std::invalid_argument(class_name(object()) + " has resample() but no observation(player)");
  return to_text(ask("observation", player), class_name(object()) + ".observation()");
}

double PythonState::raw_quality() const {
  const Locked locked;
  return to_number(ask("quality"), object(), "quality");
}

void PythonState::playout_candidates(Rng& rng, ActionList& out) const {
  const Locked locked;
  to_actions(ask("playout_candidates", rng.next()), out, false, object(), "playout_candidates");
}

void PythonState::winning_actions(ActionList& out) const {
  const Locked locked;
  to_actions(ask("winning_actions"), out, true, object(), "winning_actions");
}

void PythonState::reseed(std::uint64_t seed) {
  const Locked locked;
  ask("reseed", seed);
}

double PythonState::score() const {
  const Locked locked;
  return to_number(ask("score"), object(), "score");
}

int PythonState::num_features() const {
  const Locked locked;
  return static_cast<int>(to_sequence(ask("features"), object(), "features").size());
}

void PythonState::features(std::span<double> out) const {
  const Locked locked;
  fill(out, "features", " features that there were at first");
}

void PythonState::scene(Scene& out, bool items) const {
  const Locked locked;
  read_scene(ask("scene"), object(), out, items);
}

// ---- binding ----------------------------------------------------------------------------------------------

nb::object state_to_python(const State& state, const std::shared_ptr<const Game>& game, Rng& rng) {
  auto copy = state.clone();
  if (game->info().has(Capability::kDice)) dynamic_cast<HasDice&>(*copy).reseed(rng.next());
  if (typeid(*copy) == typeid(PythonState)) return static_cast<const PythonState&>(*copy).object();
  return nb::cast(StateHandle{another(game), std::move(copy), std::nullopt, {}, true});
}

void bind_python_game(nb::module_& m) {
  nb::class_<PythonGame, Game>(m, "PythonGame", nb::type_slots(collected<PythonGame>()),
                               "The game of a state written in Python.")
      .def(
          "__init__", [](PythonGame* self, const nb::object& first) { new (self) PythonGame(clone_of(first)); },
          nb::arg("first"), "The game that begins with a clone of a Python object with the methods of a state.")
      .def("__repr__", [](const PythonGame& g) { return "<Python game " + g.info().name + ">"; });
  m.def(
      "wrap_state",
      [](const nb::object& object, std::shared_ptr<const Game> like, std::vector<Action> history,
         std::vector<std::pair<std::size_t, std::uint64_t>> seeds) {
        const auto* known = dynamic_cast<const PythonGame*>(like.get());
        if (!known || !known->is_state(object)) {
          // The Python object has the game, and others have the object: the garbage collector sees no other way.
          const nb::object made = nb::cast(std::make_shared<const PythonGame>(clone_of(object)));
          like = nb::cast<std::shared_ptr<const Game>>(made);
        }
        auto state = std::make_unique<PythonState>(like->info(), clone_of(object), nullptr);
        return StateHandle{std::move(like), std::move(state), std::nullopt, std::move(history),
                           false,           std::move(seeds)};
      },
      nb::arg("object"), nb::arg("like") = nb::none(), nb::arg("history") = nb::tuple(), nb::arg("seeds") = nb::tuple(),
      "A State over a clone of a Python object with the methods of a state; of the game `like`, if it is one of it. "
      "`history` and `seeds` are what led there.");
  m.def(
      "is_python_state",
      [](const StateHandle& h) { return dynamic_cast<const PythonState*>(h.state.get()) != nullptr; }, nb::arg("state"),
      "Whether the state is written in Python.");
  m.def(
      "unwrap_state",
      [](const StateHandle& h) {
        const auto* state = dynamic_cast<const PythonState*>(h.state.get());
        if (!state) throw std::invalid_argument("not a state written in Python");
        return clone_of(state->object());
      },
      nb::arg("state"), "A clone of the Python object in a State that `wrap_state` made.");
}

}  // namespace treewise
