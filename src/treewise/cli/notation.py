"""Actions as a person types them."""

from __future__ import annotations

from treewise import spec
from treewise.game import SIMULTANEOUS, State
from treewise.wording import shortened

_LISTED = 12


def action_names(state: State, player: int | None = None) -> dict[str, int]:
    """The legal actions by name, in the game's order; `player` only matters where several act at once."""
    joint = state.current_player() == SIMULTANEOUS
    return {state.action_name(action): action for action in state.legal_actions(player if joint else None)}


def numbered_actions(names: dict[str, int]) -> dict[str, int]:
    """The legal actions by their number in the list, from 1; none where a name is a number, and could be taken for one.

    >>> numbered_actions({"a1": 0, "b1": 1})
    {'1': 0, '2': 1}
    >>> numbered_actions({"3": 2, "4": 3})
    {}
    """
    if any(name.isdecimal() for name in names):
        return {}
    return {str(number): action for number, action in enumerate(names.values(), 1)}


def find_action(state: State, text: str, player: int | None = None) -> int:
    """The legal action of a name, in any case of letters, or of a number from 1 in the list of actions.

    >>> import treewise
    >>> find_action(treewise.load_game("tic_tac_toe").initial_state(), "B2")
    4
    """
    names = action_names(state, player)
    if text in names:
        return names[text]
    same = [action for name, action in names.items() if name.lower() == text.lower()]
    if len(same) == 1:
        return same[0]
    numbered = numbered_actions(names)
    if text in numbered:
        return numbered[text]
    raise ValueError(_unknown(text, names))


def play_actions(state: State, text: str) -> None:
    """Applies actions (chance outcomes too) given by their names with commas between; names may have commas inside.

    Where several players act at once, their actions follow each other.

    >>> import treewise
    >>> state = treewise.load_game("tic_tac_toe").initial_state()
    >>> play_actions(state, "b2, a1")
    >>> len(state.legal_actions())
    7
    """
    rest = text.strip()
    while rest:
        if state.is_terminal():
            raise ValueError(f"the match is over before '{rest}'")
        if state.current_player() == SIMULTANEOUS:
            joint = []
            for player in range(state.game.num_players):
                action, rest = _read(state, rest, player)
                joint.append(action)
            state.apply(joint)
        else:
            action, rest = _read(state, rest, None)
            state.apply(action)


def _read(state: State, text: str, player: int | None) -> tuple[int, str]:
    """The first action of the list, and the rest of the list."""
    names = action_names(state, player)
    for name in sorted(names, key=lambda name: (not text.startswith(name), -len(name))):
        rest = text[len(name) :].lstrip()
        if text.lower().startswith(name.lower()) and rest[:1] in ("", ","):
            return names[name], rest[1:].lstrip()
    raise ValueError(_unknown(text.split(",", 1)[0].strip(), names))


def _unknown(text: str, names: dict[str, int]) -> str:
    text = shortened(text)
    hint = spec.suggest(text, names)
    if hint.startswith("known"):
        more = f", … ({len(names)} in all)" if len(names) > _LISTED else ""
        hint = "legal: " + ", ".join(list(names)[:_LISTED]) + more
    return f"no legal action '{text}'; {hint}"
