"""The machine over the prover: slow, ready at once, and right about every sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import contains
from typing import Any

from treewise._core import unwrap_state, wrap_state
from treewise.game import CHANCE, SIMULTANEOUS, State, as_state
from treewise.gdl.machine import MAX_LENGTH
from treewise.gdl.normalise import parse_sheet
from treewise.gdl.prover.game import ChanceState, ProverGame, ProverState
from treewise.gdl.prover.hidden import HiddenChanceState, HiddenState
from treewise.gdl.prover.reasoner import MOST_DERIVATIONS, Prover
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Argument, Sheet, Term, is_ground, unify

_KINDS: dict[tuple[bool, bool], type[ProverState]] = {
    (False, False): ProverState,
    (True, False): ChanceState,
    (False, True): HiddenState,
    (True, True): HiddenChanceState,
}
"""By whether there is chance, and whether something is hidden."""


def prover_machine(text: str) -> ProverMachine:
    """The machine of a rulesheet's text.

    >>> machine = prover_machine("(role x) (legal x a) (legal x b) (init s) (<= terminal (not (true s))) (goal x 60)")
    >>> state = machine.game.initial_state()
    >>> [state.action_name(action) for action in state.legal_actions()]
    ['a', 'b']
    >>> state.apply(0)
    >>> state.is_terminal(), state.returns()
    (True, [60.0])
    """
    return ProverMachine(parse_sheet(text))


class ProverMachine:
    """See `treewise.gdl.machine.Machine`. States are those of `game`, or the Python objects in them."""

    kind = "prover"

    def __init__(self, sheet: Sheet, max_length: int = MAX_LENGTH, most_derivations: int = MOST_DERIVATIONS) -> None:
        self.sheet = sheet
        self.roles = tuple(map(sheet.spell, sheet.roles))
        self._rules = ProverGame(Prover(sheet, most_derivations), max_length)
        prover = self._rules.prover
        hidden = any(rule.head.name == "sees" for rule in sheet.rules)
        kind = _KINDS[self._rules.random is not None, hidden]
        self.game: Any = as_state(kind(self._rules, prover.situation(prover.initial_ids))).game

    def __repr__(self) -> str:
        return f"<{type(self).__name__} with the roles {', '.join(self.roles)}>"

    def legal(self, state: Any, role: int) -> list[int]:
        """The role's legal actions, ascending. Empty where the sheet gives none."""
        return sorted(_own(state).choices()[role])

    def play(self, state: Any, actions: Sequence[int]) -> Any:
        """The state after a joint action, one of each role (`random` included). What a server reports is played even
        if the sheet does not allow it."""
        own = _own(state)
        legal = not own.is_terminal() and all(map(contains, own.choices(), actions))
        if legal:
            return self._play_legal(as_state(state, self.game).clone(), own, actions)
        own.take(actions)
        return wrap_state(own, self.game)

    def _play_legal(self, state: State, own: ProverState, actions: Sequence[int]) -> State:
        """By the engine's own steps, so that a search can follow."""
        mover = own.current_player()
        if mover != CHANCE:
            joint = [actions[role] for role in self._rules.players]
            state.apply(joint if mover == SIMULTANEOUS else joint[mover])
        if self._rules.random is not None and own.has_chance():
            state.apply(actions[self._rules.random])
        return state

    def is_terminal(self, state: Any) -> bool:
        """Whether the rules call the state terminal."""
        return _own(state).is_over()

    def goals(self, state: Any) -> list[int]:
        """Each role's goal at this state, terminal or not, 0 to 100: the highest of several, 0 where there is none."""
        own = _own(state)
        at_end = own.is_over()
        return [self._rules.goal(own.situation, role, at_end) for role in range(len(self.roles))]

    def facts(self, state: Any) -> list[str]:
        """What is true, spelt as in the sheet, sorted."""
        return _own(state).texts()

    def action_text(self, role: int, action: int) -> str:
        """An action as the sheet spells it."""
        return self._rules.texts[action]

    def find_action(self, role: int, text: str) -> int | None:
        """The action that a text means, whatever its case and blanks; none if the role never has it."""
        try:
            rules = parse_sheet(text).rules
        except GDLError:
            return None
        if len(rules) != 1 or rules[0].body or not is_ground(rules[0].head):
            return None
        return self._find(role, rules[0].head)

    def _find(self, role: int, action: Term) -> int | None:
        wanted = Term("legal", (self.sheet.roles[role], action))
        heads = (rule.head for rule in self.sheet.rules if rule.head.name == "legal" and len(rule.head.args) == 2)
        known = all(name in self.sheet.spelling for name in _names(action))
        if not known or not any(unify(head, wanted, {}) for head in heads):
            return None
        return self._rules.action(role, self._rules.prover.values.of(action))


def _own(state: Any) -> ProverState:
    """The Python object in a state."""
    own = unwrap_state(state) if isinstance(state, State) else state
    assert isinstance(own, ProverState)
    return own


def _names(term: Argument) -> Iterator[str]:
    if isinstance(term, Term):
        yield term.name
        for argument in term.args:
            yield from _names(argument)
