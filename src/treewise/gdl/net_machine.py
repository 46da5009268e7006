"""The fast machine: a ground rulesheet on the engine's circuit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treewise import _core
from treewise.game import SIMULTANEOUS, State, load_game
from treewise.gdl.goals import Goals
from treewise.gdl.ground import GroundProgram
from treewise.gdl.machine import MAX_LENGTH
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Sheet

_MOST_ROLES = 6


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
        self, sheet: Sheet, program: GroundProgram, *, max_length: int = MAX_LENGTH, sequential: bool = False
    ) -> None:
        check_native(sheet)
        self.sheet = sheet
        self.roles = tuple(map(sheet.spell, program.roles))
        self._goals = Goals()
        self.game = _make_game(sheet, program, max_length, sequential)
        self._actions = [
            {text.lower(): self.game.first_action(role) + index for index, text in enumerate(map(sheet.spell, actions))}
            for role, actions in enumerate(program.actions)
        ]

    def __repr__(self) -> str:
        return f"<NetMachine with the roles {', '.join(self.roles)}>"

    @property
    def num_actions(self) -> list[int]:
        """How many actions each role has in all."""
        return [len(actions) for actions in self._actions]

    def legal(self, state: State, role: int) -> list[int]:
        """The role's legal actions, ascending."""
        return sorted(_core.gdl_legal(state, role))

    def play(self, state: State, actions: Sequence[int]) -> State:
        """The state after a joint action, one of each role; ValueError if that is not legal."""
        legal = [_core.gdl_legal(state, role) for role in range(len(self.roles))]
        for role, (action, own) in enumerate(zip(actions, legal, strict=True)):
            if action not in own:
                raise ValueError(f"action {action} of {self.roles[role]} is not legal here")
        after, first = state.clone(), state.current_player()
        if first == SIMULTANEOUS:
            after.apply(list(actions))
        elif first >= 0:
            for role in range(first, len(legal)):
                if role == first or len(legal[role]) > 1:
                    after.apply(actions[role])
        return after

    def is_terminal(self, state: State) -> bool:
        """Whether the rules call the state terminal. The state itself ends also where a role has no legal action."""
        return _core.gdl_terminal(state)

    def goals(self, state: State) -> list[int]:
        """Each role's goal at this state, terminal or not, 0 to 100: the highest of several, 0 where there is none."""
        at_end = self.is_terminal(state)
        values = (_core.gdl_goals(state, role) for role in range(len(self.roles)))
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
    if any(rule.head.name == "sees" for rule in sheet.rules) or any(role.name == "random" for role in sheet.roles):
        raise GDLError("the fast machine has no chance and no percepts")
    if not 1 <= len(sheet.roles) <= _MOST_ROLES:
        raise GDLError(f"the fast machine plays sheets with 1 to {_MOST_ROLES} roles, not {len(sheet.roles)}")


def _make_game(sheet: Sheet, program: GroundProgram, max_length: int, sequential: bool) -> NetGame:
    return NetGame(
        name="gdl",
        roles=list(map(sheet.spell, program.roles)),
        facts=list(map(sheet.spell, program.facts)),
        actions=[list(map(sheet.spell, actions)) for actions in program.actions],
        initial=program.initial.tolist(),
        truth=program.true.tolist(),
        next=program.next.tolist(),
        does=[atoms.tolist() for atoms in program.does],
        legal=[atoms.tolist() for atoms in program.legal],
        terminal=program.terminal,
        goals=[list(goals) for goals in program.goals],
        num_atoms=program.num_atoms,
        looks=program.looks,
        heads=program.heads.tolist(),
        starts=program.starts.tolist(),
        body=program.body.tolist(),
        max_length=max_length,
        sequential=sequential,
    )
