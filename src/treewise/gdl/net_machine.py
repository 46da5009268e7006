"""The fast machine: a ground rulesheet on the engine's circuit."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from treewise import _core
from treewise.game import CHANCE, SIMULTANEOUS, State, load_game
from treewise.gdl.goals import Goals
from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounding.limits import Budget
from treewise.gdl.machine import MAX_LENGTH
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Sheet

_MOST_PLAYERS = 6
RANDOM = "random"
"""The role that is chance: it chooses each of its actions with equal chance."""


class NetGame(_core.GdlGame):
    """An ordinary game whose rules are a ground rulesheet. `text_form` loads it again, where it has one."""

    text_form: str | None = None
    full_text_form: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        if self.text_form is None:
            raise ValueError("this game was made from the text of a rulesheet: save that to a file to have gdl(path=…)")
        return load_game, (self.text_form,)

    def __repr__(self) -> str:
        return f"<Game {self.text_form or self.name}>"


class NetMachine:
    """Plays a rulesheet, some hundred times as fast as the prover.

    >>> from treewise.gdl import parse_sheet
    >>> from treewise.gdl.grounder import ground
    >>> sheet = parse_sheet("(role p) (init a) (legal p (go b)) (<= terminal (true b)) (<= (next b) (does p (go b)))"
    ...                     "(<= (goal p 70) (true b))")
    >>> machine = NetMachine(sheet, ground(sheet))
    >>> state = machine.game.initial_state()
    >>> [machine.action_text(0, action) for action in machine.legal(state, 0)]
    ['(go b)']
    >>> state = machine.play(state, machine.legal(state, 0))
    >>> machine.is_terminal(state), machine.goals(state), machine.facts(state)
    (True, [70], ['b'])
    """

    kind = "net"

    def __init__(
        self,
        sheet: Sheet,
        program: GroundProgram,
        *,
        max_length: int = MAX_LENGTH,
        sequential: bool = False,
        budget: Budget | None = None,
    ) -> None:
        check_native(sheet)
        self.sheet = sheet
        self.roles = tuple(map(sheet.spell, program.roles))
        self._goals = Goals()
        order = _engine_order(program)
        self._places = [order.index(role) for role in range(len(order))]
        """Where the engine has each role of the sheet: `random`, which is no player, is its last."""
        self._chance = order[-1] if program.roles[order[-1]].name == RANDOM else None
        with budget.spending() if budget else nullcontext():
            self.game = _make_game(sheet, program, order, max_length, sequential, budget)
        self._actions = [
            {
                text.lower(): self.game.first_action(place) + index
                for index, text in enumerate(map(sheet.spell, actions))
            }
            for place, actions in zip(self._places, program.actions, strict=True)
        ]

    def __repr__(self) -> str:
        return f"<NetMachine with the roles {', '.join(self.roles)}>"

    @property
    def num_actions(self) -> list[int]:
        """How many actions each role has in all."""
        return [len(actions) for actions in self._actions]

    def legal(self, state: State, role: int) -> list[int]:
        """The role's legal actions, ascending."""
        if not 0 <= role < len(self._places):
            raise ValueError(f"role {role} given, expected 0 to {len(self._places) - 1}")
        return sorted(_core.gdl_legal(state, self._places[role]))

    def play(self, state: State, actions: Sequence[int]) -> State:
        """The state after a joint action, one of each role; ValueError if that is not legal."""
        legal = [_core.gdl_legal(state, place) for place in self._places]
        for role, (action, own) in enumerate(zip(actions, legal, strict=True)):
            if action not in own:
                raise ValueError(f"action {action} of {self.roles[role]} is not legal here")
        after, first = state.clone(), state.current_player()
        players = [role for role in range(len(legal)) if role != self._chance]
        if first == SIMULTANEOUS:
            after.apply([actions[role] for role in players])
        elif first >= 0:
            for role in players[first:]:
                if role == players[first] or len(legal[role]) > 1:
                    after.apply(actions[role])
        if self._chance is not None and after.current_player() == CHANCE and len(legal[self._chance]) > 1:
            after.apply(actions[self._chance])
        return after

    def is_terminal(self, state: State) -> bool:
        """Whether the rules call the state terminal. The state itself ends also where a role has no legal action."""
        return _core.gdl_terminal(state)

    def goals(self, state: State) -> list[int]:
        """Each role's goal at this state, terminal or not, 0 to 100: the highest of several, 0 where there is none."""
        at_end = self.is_terminal(state)
        values = (_core.gdl_goals(state, place) for place in self._places)
        return [self._goals.take(name, own, at_end) for name, own in zip(self.roles, values, strict=True)]

    def facts(self, state: State) -> list[str]:
        """What is true, spelt as in the sheet, sorted."""
        return sorted(str(state).splitlines())

    def action_text(self, role: int, action: int) -> str:
        """An action as the sheet spells it."""
        return self.game.action_text(action)

    def find_action(self, role: int, text: str) -> int | None:
        """The action that a text means, whatever its case and blanks."""
        words = text.lower().replace("(", " ( ").replace(")", " ) ").split()
        return self._actions[role].get(" ".join(words).replace("( ", "(").replace(" )", ")"))


def check_native(sheet: Sheet) -> None:
    """Raises a `GDLError` if a sheet needs what the circuit does not have."""
    if any(rule.head.name == "sees" for rule in sheet.rules):
        raise GDLError("the fast machine has no percepts")
    players = sum(role.name != RANDOM for role in sheet.roles)
    if not 1 <= players <= _MOST_PLAYERS:
        raise GDLError(f"the fast machine plays sheets with 1 to {_MOST_PLAYERS} roles besides random, not {players}")


def _engine_order(program: GroundProgram) -> list[int]:
    roles = range(len(program.roles))
    return sorted(roles, key=lambda role: program.roles[role].name == RANDOM)


def _make_game(
    sheet: Sheet, program: GroundProgram, order: Sequence[int], max_length: int, sequential: bool, budget: Budget | None
) -> NetGame:
    return NetGame(
        name="gdl",
        roles=[sheet.spell(program.roles[role]) for role in order],
        has_chance=program.roles[order[-1]].name == RANDOM,
        facts=list(map(sheet.spell, program.facts)),
        actions=[list(map(sheet.spell, program.actions[role])) for role in order],
        initial=program.initial.tolist(),
        truth=program.true.tolist(),
        next=program.next.tolist(),
        does=[program.does[role].tolist() for role in order],
        legal=[program.legal[role].tolist() for role in order],
        terminal=program.terminal,
        goals=[list(program.goals[role]) for role in order],
        num_atoms=program.num_atoms,
        looks=program.looks,
        heads=program.heads.tolist(),
        starts=program.starts.tolist(),
        body=program.body.tolist(),
        max_length=max_length,
        sequential=sequential,
        budget=budget.engine if budget else None,
    )
