// Video games as Python makes them, and what it may ask of their states.
#include "vgdl/vgdl_game.h"

#include <algorithm>

#include "bind/bind.h"
#include "vgdl/view.h"

namespace treewise {

namespace {

using namespace vgdl;

std::string text(nb::handle h, const char* name) {
  return nb::cast<std::string>(h.attr(name));
}
template <class T>
T field(nb::handle h, const char* name) {
  return nb::cast<T>(h.attr(name));
}

nb::dict items(nb::handle mapping) {
  nb::dict out;
  if (PyDict_Update(out.ptr(), mapping.ptr()) != 0) throw nb::python_error();
  return out;
}

template <class Enum>
Enum named(Enum found, const std::string& name, const char* what) {
  if (found == Enum::kCount) throw std::invalid_argument("unknown " + std::string(what) + " '" + name + "'");
  return found;
}

Numbers numbers(nb::handle h) {
  Numbers out;
  for (const auto& [key, value] : items(nb::object(h.attr("numbers"))))
    out[nb::cast<std::string>(key)] = nb::cast<double>(nb::float_(value));
  return out;
}

std::vector<int> ints(nb::handle h) {
  std::vector<int> out;
  for (const nb::handle item : h) out.push_back(static_cast<int>(nb::cast<std::int64_t>(nb::int_(item))));
  return out;
}

Types types(nb::handle h) {
  Types out;
  for (const auto& [key, value] : items(nb::object(h.attr("types")))) out[nb::cast<std::string>(key)] = ints(value);
  return out;
}

SpriteType sprite_type(nb::handle h) {
  SpriteType t;
  t.name = text(h, "name");
  const std::string kind = text(h, "kind");  // empty: a group that has no sprites of its own
  t.kind = kind.empty() ? Kind::kImmovable : named(find_kind(kind), kind, "class of sprites");
  t.category = field<int>(h, "category");
  t.ancestors = ints(h.attr("ancestors"));
  t.descendants = ints(h.attr("descendants"));
  t.leaf = field<bool>(h, "leaf");
  t.hidden = field<bool>(h, "hidden");
  t.singleton = field<bool>(h, "singleton");
  t.is_static = field<bool>(h, "static");
  t.oriented = field<bool>(h, "oriented");
  t.orientation = nb::cast<int>(nb::int_(h.attr("orientation")));
  t.speed = nb::cast<double>(nb::float_(h.attr("speed")));
  t.cooldown = field<int>(h, "cooldown");
  t.numbers = numbers(h);
  t.types = types(h);
  return t;
}

Effect effect(nb::handle h) {
  Effect e;
  e.kind = named(find_effect(text(h, "name")), text(h, "name"), "effect");
  e.score = field<int>(h, "score");
  e.numbers = numbers(h);
  e.types = types(h);
  for (const auto& [key, value] : items(nb::object(h.attr("words"))))
    e.words[nb::cast<std::string>(key)] = nb::cast<std::string>(value);
  return e;
}

std::vector<Pair> pairs(nb::handle list) {
  std::vector<Pair> out;
  for (const nb::handle h : list) {
    Pair& pair = out.emplace_back();
    pair.first = field<int>(h, "first");
    pair.second = field<int>(h, "second");
    for (const nb::handle e : h.attr("effects")) pair.effects.push_back(effect(e));
  }
  return out;
}

Options options(nb::handle map) {
  Options out;
  for (const auto& [key, value] : items(map)) {
    const auto name = nb::cast<std::string>(key);
    bool* option = name == "hidden_shown"  ? &out.hidden_shown
                   : name == "shared_pull" ? &out.shared_pull
                   : name == "rules_2016"  ? &out.rules_2016
                                           : nullptr;
    if (!option) throw std::invalid_argument("unknown option '" + name + "'");
    *option = nb::cast<bool>(value);
  }
  return out;
}

Program program(nb::handle h) {
  Program p;
  for (const nb::handle t : h.attr("types")) p.types.push_back(sprite_type(t));
  p.update_order = ints(h.attr("update_order"));
  p.pairs = pairs(h.attr("pairs"));
  p.edge_rules = pairs(h.attr("edge_rules"));
  p.time_rules = pairs(h.attr("time_rules"));
  for (const nb::handle t : h.attr("terminations"))
    p.terminations.push_back({named(find_termination(text(t, "kind")), text(t, "kind"), "termination"),
                              field<bool>(t, "win"), numbers(t), types(t)});
  p.actions = ints(h.attr("actions"));
  p.width = field<int>(h, "width");
  p.height = field<int>(h, "height");
  p.block = field<int>(h, "block");
  for (const nb::handle s : h.attr("sprites")) {
    const std::vector<int> placed = ints(s);
    if (placed.size() != 3) throw std::invalid_argument("a sprite of the level is a type, x and y");
    p.sprites.push_back({placed[0], placed[1], placed[2]});
  }
  p.options = options(h.attr("options"));
  return p;
}

template <class Enum>
nb::list names() {
  nb::list out;
  for (int i = 0; i < static_cast<int>(Enum::kCount); ++i) out.append(nb::str(name(static_cast<Enum>(i)).data()));
  return out;
}

nb::dict kinds() {
  nb::dict out;
  out["sprites"] = names<Kind>();
  out["effects"] = names<EffectKind>();
  out["terminations"] = names<TerminationKind>();
  nb::list options;
  for (const char* option : {"hidden_shown", "shared_pull", "rules_2016"}) options.append(option);
  out["options"] = options;
  return out;
}

VgdlState& state_of(const StateHandle& h) {
  auto* state = dynamic_cast<VgdlState*>(h.state.get());
  if (!state) throw std::invalid_argument("not a state of a video game");
  return *state;
}

void advance(StateHandle& h, int action) {
  if (action < 0 || action > 5) throw std::invalid_argument("an action is out of range: 0 to 5");
  VgdlState& state = state_of(h);
  if (state.is_terminal()) throw std::invalid_argument("the match is over: no player can act in this state");
  state.apply(action);
  h.history.push_back(action);
  const std::vector<int>& listed = state.game().tables().actions;
  h.detached |= std::ranges::find(listed, action) == listed.end();  // its history is none that could be applied
}

nb::object avatar(const VgdlState& state) {
  const Head& head = state.block().head();
  if (head.avatar_type < 0) return nb::none();
  const int type = head.avatar_type;
  const Tables& tables = state.game().tables();
  const TypeTable& table = tables.types[static_cast<std::size_t>(type)];
  const Sprite& s = state.block().sprites(type)[head.avatar];
  const std::int32_t* fill = state.block().fill(type, head.avatar, tables.numbers(type));
  nb::dict resources;
  for (std::size_t i = 0; i < tables.types.size(); ++i)
    if (const int index = tables.resource_of_type[i]; index >= 0 && fill[2 + index] > 0)
      resources[nb::int_(i)] = fill[2 + index];
  nb::dict out;
  out["id"] = s.id;
  out["type"] = type;
  out["position"] = nb::make_tuple(s.x, s.y);
  out["orientation"] = nb::make_tuple(s.dx, s.dy);
  out["speed"] = pace_of(tables, type, s).speed;
  out["alive"] = !(s.flags & kDead);
  out["health"] = fill[0];
  out["max_health"] = fill[1];
  out["limit_health"] = table.health_limit;
  out["resources"] = resources;
  out["last_action"] = head.last_action;
  return out;
}

nb::list sprites(const VgdlState& state, bool hidden) {
  nb::list out;
  for (const Seen& s : all_sprites(state.game().program(), state.game().tables(), state.block()))
    if (!s.hidden || hidden) out.append(nb::make_tuple(s.category, s.type, s.id, s.x, s.y));
  return out;
}

nb::object events(const VgdlState& state) {
  if (!state.events()) return nb::none();
  nb::list out;
  const std::vector<Event> events = *state.events();
  for (const Event& e : events)
    out.append(nb::make_tuple(e.tick, e.from_avatar, e.active_type, e.passive_type, e.active_id, e.passive_id,
                              nb::make_tuple(e.x, e.y)));
  return out;
}

// Of a copy: where Python's objects are made, its garbage collector may run code that changes the state itself.
nb::dict observation(const StateHandle& h) {
  const VgdlState& given = state_of(h);
  const auto copy = given.clone();
  const VgdlState& state = dynamic_cast<const VgdlState&>(*copy);
  const Head& head = state.block().head();
  const Tables& tables = state.game().tables();
  nb::dict out;
  out["tick"] = head.tick;
  out["score"] = head.score;
  out["winner"] = head.winner;
  out["grid"] = nb::make_tuple(tables.width, tables.height);
  out["block"] = tables.block;
  out["sprites"] = sprites(state, given.shows_hidden());
  out["avatar"] = avatar(state);
  out["events"] = events(given);
  return out;
}

}  // namespace

void bind_vgdl(nb::module_& m) {
  nb::class_<VgdlGame, Game>(m, "VgdlGame", "A video game with its level.")
      .def(
          "__init__",
          [](VgdlGame* self, nb::object given, std::string name, double win_value, int max_length, bool java_random) {
            Program p = program(given);
            check(p);
            if (max_length < 1) throw std::invalid_argument("max_length must be at least 1");
            if (!(win_value >= 0 && win_value <= 1e12))
              throw std::invalid_argument("win_value is out of range: 0 to 1e12");
            new (self) VgdlGame(std::move(p), std::move(name), win_value, max_length, java_random);
          },
          nb::kw_only(), nb::arg("program"), nb::arg("name"), nb::arg("win_value") = 10'000'000.0,
          nb::arg("max_length") = 2001, nb::arg("java_random") = false,
          "Of a `treewise.vgdl.program.Program`. `java_random`: draws are those of java.util.Random.")
      .def_prop_ro("win_value", &VgdlGame::win_value)
      .def_prop_ro(
          "feature_types", [](const VgdlGame& g) { return g.features().types(); },
          "The types whose pairs the features are of: (0, 1), (0, 2), (1, 2), (0, 3) … by their places here.")
      .def_prop_ro(
          "state_bytes", [](const VgdlGame& g) { return g.start().bytes(); },
          "What a copy of the initial state copies.");
  m.def("vgdl_kinds", &kinds, "The classes, effects, terminations and options that the machine knows.");
  m.def(
      "vgdl_state",
      [](std::shared_ptr<const VgdlGame> g, std::uint64_t seed) {
        auto state = g->initial_state();
        dynamic_cast<VgdlState&>(*state).reseed(seed);
        return StateHandle{std::move(g), std::move(state), std::nullopt, {}, true};
      },
      nb::arg("game"), nb::arg("seed"), "The initial state with this seed, which its history does not tell.");
  m.def("vgdl_advance", &advance, nb::arg("state"), nb::arg("action"),
        "One tick, also with an action that the player has not; it acts as none.");
  m.def("vgdl_observation", &observation, nb::arg("state"), "What the player sees, as plain values.");
  m.def(
      "vgdl_sprites", [](const StateHandle& h) { return sprites(state_of(h), true); }, nb::arg("state"),
      "(category, type, id, x, y) of all sprites, the hidden ones, too.");
  m.def(
      "vgdl_record", [](const StateHandle& h) { state_of(h).record_events(); }, nb::arg("state"),
      "From now on the state keeps its events; its copies do not.");
}

}  // namespace treewise
