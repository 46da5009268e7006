"""Hidden information (GDL-II): what a role sees of a step, and which states it must then think possible."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterable, Sequence

from treewise.gdl.normalise import parse_sheet
from treewise.gdl.terms import Sheet, Term
from treewise.ggp.position import Position

__all__ = ["Beliefs", "Percepts", "hides"]

_log = logging.getLogger(__name__)

_WORLDS = 20
_TRIES = 1000
_SECONDS = 0.5


def hides(sheet: Sheet) -> bool:
    """Whether the rules say what each role sees; elsewhere everybody sees every move.

    >>> hides(parse_sheet("(role a) (<= (sees a b) (does a c))")), hides(parse_sheet("(role a)"))
    (True, False)
    """
    return any(rule.head.name == "sees" for rule in sheet.rules)


class Percepts:
    """What the roles of a sheet see.

    >>> percepts = Percepts(parse_sheet("(role a) (role b) (<= (sees a (saw ?m)) (does b ?m))"))
    >>> percepts.of([], ["go", "stay"], 0), percepts.of([], ["go", "stay"], 1)
    (['(saw stay)'], [])
    """

    def __init__(self, sheet: Sheet) -> None:
        from treewise.gdl.prover.reasoner import Prover

        self._sheet = sheet
        self._prover = Prover(sheet)

    def of(self, facts: Iterable[str], moves: Sequence[str], role: int) -> list[str]:
        """What a role sees when a joint move is made in a state."""
        roles = self._sheet.roles
        joint = {each: _term(move) for each, move in zip(roles, moves, strict=True)}
        return [self._sheet.spell(term) for term in self._prover.sees(map(_term, facts), joint, roles[role])]


def _term(text: str) -> Term:
    return parse_sheet(text).rules[0].head


class Beliefs:
    """The states that a role thinks possible: some that agree with all that it did and saw, drawn at random."""

    def __init__(self, position: Position, role: int, rng: random.Random) -> None:
        self._worlds = [position]
        self._role = role
        self._rng = rng
        self._percepts = Percepts(position.machine.sheet)

    def advance(self, own: str, seen: Sequence[str]) -> Position:
        """One of the positions that are possible after the role's own move and what it saw.

        Where none is found, the last one tried is as good as any other.
        """
        wanted = {text.lower() for text in seen}
        worlds: list[Position] = []
        deadline = time.monotonic() + _SECONDS
        for tried in range(_TRIES):
            world, percepts = self._step(own)
            if percepts is not None and {text.lower() for text in percepts} == wanted:
                worlds.append(world)
            if len(worlds) >= _WORLDS or (time.monotonic() > deadline and tried):
                break
        if not worlds:
            _log.warning("nothing that could have happened agrees with what was seen: (%s)", " ".join(seen))
        self._worlds = worlds or [world]
        return self._rng.choice(self._worlds)

    def _step(self, own: str) -> tuple[Position, list[str] | None]:
        """A position that may follow and what would be seen of it; nothing if the own move was not possible."""
        before = self._rng.choice(self._worlds)
        moves = [self._rng.choice(before.legal_texts(role) or [""]) for role in range(len(before.machine.roles))]
        moves[self._role] = own
        after = before.copy()
        after.advance(moves)
        if not before.allows(moves):
            return after, None
        facts = before.machine.facts(before.state)
        return after, self._percepts.of(facts, after.played[-1], self._role)
