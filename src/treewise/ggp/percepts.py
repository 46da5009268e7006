"""Hidden information (GDL-II): what a role sees of a step, and which states it must then think possible."""

from __future__ import annotations

import itertools
import logging
import random
import time
from collections.abc import Iterable, Sequence

from treewise.gdl.normalise import parse_sheet
from treewise.gdl.terms import Sheet, Term
from treewise.ggp.messages import fold
from treewise.ggp.position import Position
from treewise.ggp.tracking import Worlds

__all__ = ["Beliefs", "Percepts", "hides"]

_log = logging.getLogger(__name__)

_WORLDS = 20
_UNCHANGED = 0.25
"""What is believed of the possibility that nothing has been played, where a message cannot be true."""
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
    """Follows a match by what a role did and saw: some states that agree with it, drawn at random."""

    def __init__(self, sheet: Sheet, role: int, rng: random.Random) -> None:
        self._role = role
        self._rng = rng
        self._percepts = Percepts(sheet)

    def after(self, worlds: Worlds, own: Sequence[str], seen: Sequence[str]) -> Worlds:
        """What is possible after the role's own move, as it was told and as it was answered, and what it saw.

        Where nothing agrees with it, the message may be broken and the next one true: what was possible before stays
        so, beside whatever may have been played.
        """
        wanted = {text.lower() for text in seen}
        agreeing: list[Position] = []
        others: list[Position] = []
        deadline = time.monotonic() + _SECONDS
        for tried in range(_TRIES):
            world, percepts = self._step(worlds, own)
            if percepts is not None and {text.lower() for text in percepts} == wanted:
                agreeing.append(world)
            elif len(others) < _WORLDS:
                others.append(world)
            if len(agreeing) >= _WORLDS or (time.monotonic() > deadline and tried):
                break
        if agreeing:
            return Worlds((1.0, world) for world in agreeing)
        _log.warning("nothing that could have happened agrees with what was seen: (%s)", " ".join(seen))
        before = list(itertools.islice(worlds, _WORLDS))
        unchanged = _UNCHANGED * len(others) / len(before)
        return Worlds([*((1.0, world) for world in others), *((unchanged, world) for _, world in before)])

    def _step(self, worlds: Worlds, own: Sequence[str]) -> tuple[Position, list[str] | None]:
        """A position that may follow and what would be seen of it; nothing of that if the own move is not as told."""
        before = self._rng.choice(worlds.positions)
        choices = [before.legal_texts(role) for role in range(len(before.machine.roles))]
        if not all(choices):
            return before, None
        moves = list(map(self._rng.choice, choices))
        told = [move for text in own for move in choices[self._role] if fold(move) == fold(text)]
        moves[self._role] = [*told, moves[self._role]][0]
        after = before.after(moves)
        if fold(moves[self._role]) != fold(own[0]):
            return after, None
        facts = before.machine.facts(before.state)
        return after, self._percepts.of(facts, after.played[-1], self._role)
