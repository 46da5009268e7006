// Games of rulesheets as Python makes them, and what a match asks of all roles.
#include "gdl/gdl_game.h"

#include "bind/bind.h"
#include "bind/ground_rules.h"
#include "bind/interpreter.h"

namespace treewise {

namespace {

const gdl::GdlState& gdl_state(const StateHandle& h) {
  const auto* state = dynamic_cast<const gdl::GdlState*>(h.state.get());
  if (!state) throw std::invalid_argument("not a state of a rulesheet's game");
  return *state;
}

int checked_role(const StateHandle& h, int role) {
  const int roles = gdl_state(h).num_roles();
  if (role < 0 || role >= roles)
    throw std::invalid_argument("role " + std::to_string(role) + " given, expected 0 to " + std::to_string(roles - 1));
  return role;
}

// Everything that later code indexes with is in range.
void check_program(const gdl::Program& p) {
  const std::size_t players = p.roles.size() - (p.has_chance ? 1 : 0);
  check(!p.roles.empty() && players >= 1 && players <= kMaxPlayers,
        "a rulesheet's game has one to six roles that play");
  check_ground_rules(p.num_atoms, p.heads, p.starts, p.body);
  check(p.looks >= 0 && p.looks <= p.num_atoms, "more looks than atoms");
  check(p.truth.size() == p.facts.size() && p.next.size() == p.facts.size(), "one atom a fact");
  check(p.actions.size() == p.roles.size() && p.does.size() == p.roles.size() && p.legal.size() == p.roles.size() &&
            p.goals.size() == p.roles.size(),
        "one list a role");
  for (std::size_t r = 0; r < p.roles.size(); ++r) {
    check(p.does[r].size() == p.actions[r].size() && p.legal[r].size() == p.actions[r].size(), "one atom an action");
    check_atoms(p.does[r], p.num_atoms);
    check_atoms(p.legal[r], p.num_atoms);
    for (const auto& [value, goal] : p.goals[r]) {
      check_atoms({&goal, 1}, p.num_atoms);
      check(value >= 0 && value <= 100, "a goal is out of range: 0 to 100");
    }
  }
  for (const int f : p.initial) check(f >= 0 && f < static_cast<int>(p.facts.size()), "a fact is out of range");
  check(std::is_sorted(p.initial.begin(), p.initial.end()), "the initial facts must be ascending");
  check_atoms(p.truth, p.num_atoms);
  check_atoms(p.next, p.num_atoms);
  check_atoms({&p.terminal, 1}, p.num_atoms);
}

std::vector<Action> gdl_legal(const StateHandle& h, int role) {
  ActionList list;
  gdl_state(h).legal_of(checked_role(h, role), list);
  return {list.begin(), list.end()};
}

}  // namespace

void bind_gdl(nb::module_& m) {
  using Lists = std::vector<std::vector<int>>;
  nb::class_<gdl::GdlGame, Game>(m, "GdlGame", "A game of a ground rulesheet.")
      .def(
          "__init__",
          [](gdl::GdlGame* self, std::string name, std::vector<std::string> roles, bool has_chance,
             std::vector<std::string> facts, std::vector<std::vector<std::string>> actions, std::vector<int> initial,
             std::vector<int> truth, std::vector<int> next, Lists does, Lists legal, int terminal,
             std::vector<std::vector<std::pair<int, int>>> goals, int num_atoms, int looks, std::vector<int> heads,
             std::vector<int> starts, std::vector<int> body, int max_length, bool sequential, gdl::Budget* budget) {
            gdl::Program program{std::move(roles),
                                 has_chance,
                                 std::move(facts),
                                 std::move(actions),
                                 std::move(initial),
                                 std::move(truth),
                                 std::move(next),
                                 std::move(does),
                                 std::move(legal),
                                 terminal,
                                 std::move(goals),
                                 num_atoms,
                                 looks,
                                 std::move(heads),
                                 std::move(starts),
                                 std::move(body)};
            check_program(program);
            check(max_length >= 1, "max_length must be at least 1");
            const Unlocked unlocked;
            new (self) gdl::GdlGame(std::move(program), std::move(name), max_length, sequential, budget);
          },
          nb::kw_only(), nb::arg("name"), nb::arg("roles"), nb::arg("has_chance") = false, nb::arg("facts"),
          nb::arg("actions"), nb::arg("initial"), nb::arg("truth"), nb::arg("next"), nb::arg("does"), nb::arg("legal"),
          nb::arg("terminal"), nb::arg("goals"), nb::arg("num_atoms"), nb::arg("looks") = 0, nb::arg("heads"),
          nb::arg("starts"), nb::arg("body"), nb::arg("max_length"), nb::arg("sequential"),
          nb::arg("budget").none() = nb::none())
      .def(
          "action_text",
          [](const gdl::GdlGame& g, int action) {
            check(action >= 0 && action < g.info().num_action_ids, "no such action");
            return g.action_text(action);
          },
          nb::arg("action"))
      .def(
          "first_action",
          [](const gdl::GdlGame& g, int role) {
            check(role >= 0 && role < g.num_roles(), "no such role");
            return g.first_action(role);
          },
          nb::arg("role"))
      .def_prop_ro(
          "facts", [](const gdl::GdlGame& g) { return g.program().facts; }, "All facts that can be true.")
      .def_prop_ro(
          "sizes",
          [](const gdl::GdlGame& g) {
            const gdl::Circuit& c = g.circuit();
            nb::dict d;
            d["facts"] = c.num_facts;
            d["actions"] = g.info().num_action_ids;
            d["gates"] =
                c.num_nodes - 1 - static_cast<unsigned>(c.num_facts) - static_cast<unsigned>(g.info().num_action_ids);
            d["guarded_gates"] = c.first_switched - c.first_guarded;
            d["switched_gates"] = c.first_goal_node - c.first_switched;
            d["goal_gates"] = c.goal_gates.size();
            d["edges"] = c.edges.size();
            d["loops"] = c.loops.size();
            d["takes_turns"] = c.takes_turns;
            d["nets"] = g.nets().size();
            return d;
          },
          "How large the circuit is.");
  m.def(
      "gdl_terminal", [](const StateHandle& h) { return gdl_state(h).is_over(); }, nb::arg("state"),
      "Whether the rules call the state terminal.");
  m.def("gdl_legal", &gdl_legal, nb::arg("state"), nb::arg("role"), "A role's legal actions, at any state.");
  m.def(
      "gdl_goals", [](const StateHandle& h, int role) { return gdl_state(h).goals(checked_role(h, role)); },
      nb::arg("state"), nb::arg("role"), "The role's goals at this state, the highest first.");
}

}  // namespace treewise
