#include "bind/action.h"

#include <algorithm>

#include "bind/argument.h"

namespace treewise {

namespace {

// Empty: no action of any game. What `given` does when asked for its number may change the state, so that this comes
// before all looks at it.
std::optional<std::int64_t> read_action(nb::handle given) {
  return whole_number(given, "an action", "legal_actions() lists those that may be applied");
}

bool contains(const ActionList& list, std::optional<std::int64_t> action) {
  return action && std::any_of(list.begin(), list.end(), [&](Action a) { return a == *action; });
}

std::string illegal_message(const StateHandle& h, std::optional<std::int64_t> action, const ActionList& legal) {
  std::string message = "illegal action " + (action ? std::to_string(*action) : "beyond 64 bits") + "; " +
                        std::to_string(legal.size()) + " legal:";
  for (int i = 0; i < std::min(legal.size(), 8); ++i) {
    const Action a = legal[static_cast<std::size_t>(i)];
    message += (i ? ", " : " ") + std::to_string(a) + " (" + h.state->action_name(a) + ")";
  }
  return message + (legal.size() > 8 ? ", …" : "");
}

Action checked(const StateHandle& h, std::optional<std::int64_t> action, std::optional<int> player) {
  const ActionList legal = list_legal(h, player);
  if (!contains(legal, action))
    throw std::invalid_argument((player ? "player " + std::to_string(*player) + ": " : "") +
                                illegal_message(h, action, legal));
  return static_cast<Action>(*action);
}

bool is_list(nb::handle given) {
  return PySequence_Check(given.ptr()) && !PyUnicode_Check(given.ptr()) && !PyBytes_Check(given.ptr());
}

// The items of a list, tuple, array or other sequence; an invalid object for anything else.
nb::object items_of(nb::handle given) {
  if (!is_list(given)) return {};
  nb::object items = nb::steal(PySequence_Tuple(given.ptr()));
  if (!items.is_valid()) forget_type_error();
  return items;
}

void apply_one(StateHandle& h, std::optional<std::int64_t> given) {
  require_running(h);
  if (h.state->current_player() == kSimultaneous)
    throw std::invalid_argument("several players act at once here: apply a list with one action for each player");
  const Action action = checked(h, given, std::nullopt);
  h.state->apply(action);
  h.history.push_back(action);
}

void apply_joint(StateHandle& h, const std::vector<std::optional<std::int64_t>>& given) {
  require_running(h);
  if (h.state->current_player() != kSimultaneous)
    throw std::invalid_argument("one player acts here: apply a single action");
  const int players = h.game->info().num_players;
  if (static_cast<int>(given.size()) != players)
    throw std::invalid_argument(std::to_string(given.size()) + " actions given, expected one for each of " +
                                std::to_string(players) + " players");
  std::vector<Action> joint;
  for (int p = 0; p < players; ++p) joint.push_back(checked(h, given[static_cast<std::size_t>(p)], p));
  require<HasSimultaneous>(h, Capability::kSimultaneous).apply_joint(joint);
  h.history.insert(h.history.end(), joint.begin(), joint.end());
}

}  // namespace

void require_running(const StateHandle& h) {
  if (h.state->is_terminal()) throw std::invalid_argument("the match is over: no player can act in this state");
}

ActionList list_legal(const StateHandle& h, std::optional<int> player) {
  ActionList list;
  if (h.state->is_terminal()) return list;
  const int mover = h.state->current_player();
  if (player) {
    if (mover != kSimultaneous) {
      if (*player == mover) h.state->legal_actions(list);
      return list;
    }
    require<HasSimultaneous>(h, Capability::kSimultaneous).legal_actions(*player, list);
    return list;
  }
  if (mover == kSimultaneous)
    throw std::invalid_argument("several players act at once here: ask legal_actions(player)");
  h.state->legal_actions(list);
  return list;
}

void apply(StateHandle& h, nb::handle given) {
  const nb::object items = items_of(given);
  if (!items.is_valid()) return apply_one(h, read_action(given));
  std::vector<std::optional<std::int64_t>> actions;
  actions.reserve(nb::len(items));
  for (const nb::handle item : nb::borrow<nb::tuple>(items)) actions.push_back(read_action(item));
  apply_joint(h, actions);
}

Action legal_action(const StateHandle& h, nb::handle given) {
  return checked(h, read_action(given), std::nullopt);
}

std::string action_name(const StateHandle& h, nb::handle given) {
  const auto action = read_action(given);
  require_running(h);
  if (h.state->current_player() != kSimultaneous) return h.state->action_name(checked(h, action, std::nullopt));
  for (int p = 0; p < h.game->info().num_players; ++p)
    if (contains(list_legal(h, p), action)) return h.state->action_name(static_cast<Action>(*action));
  throw std::invalid_argument("illegal action " + (action ? std::to_string(*action) : "beyond 64 bits"));
}

}  // namespace treewise
