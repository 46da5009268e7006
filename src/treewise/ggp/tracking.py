"""Where a match may stand, from what its server told; also after a message that cannot be true.

As long as every joint move is legal, there is one position. Where one is not, either nothing has been played (a broken
message from elsewhere, and the true one follows), or something has that nobody can know, or the message before was not
true. All is held possible, and the next joint move that is legal says what is.
"""

from __future__ import annotations

import itertools
import logging
import math
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from treewise.gdl.machine import Machine
from treewise.ggp.messages import fold
from treewise.ggp.position import Position
from treewise.wording import counted

__all__ = ["Tracker", "Worlds"]

_log = logging.getLogger(__name__)

MOST_WORLDS = 3000
"""Positions that are held possible at a time."""
_ASKED = 100
"""Of the likeliest ones is asked which moves they allow."""
_AGREEING, _ANY, _UNCHANGED, _BEFORE, _FORCED = 0.45, 0.1, 0.3, 0.1, 0.05
"""What is believed after a joint move that cannot be: a legal one was played that agrees with what can be true of it;
any other was; none was; this one was where the one before was not; this one was, whatever the rules say."""
_REFUSED = 0.05
"""How likely it is that a server plays something else for a role that sent a legal move: only if that came too late."""


class Worlds:
    """Positions that are held possible, and how likely they are in comparison: the likeliest first, never none.

    >>> from treewise.gdl import load_machine
    >>> worlds = Worlds([(1.0, Position(load_machine("tic_tac_toe")))])
    >>> position, moves = worlds.promising(role=1)
    >>> moves
    ['noop']
    """

    def __init__(self, weighted: Iterable[tuple[float, Position]]) -> None:
        self._weighted = sorted(_merged(list(weighted)), key=lambda pair: -pair[0])

    def __len__(self) -> int:
        return len(self._weighted)

    def __iter__(self) -> Iterator[tuple[float, Position]]:
        return iter(self._weighted)

    @property
    def positions(self) -> list[Position]:
        """All of them."""
        return [position for _, position in self._weighted]

    @property
    def best(self) -> Position:
        """The likeliest position."""
        return self._weighted[0][1]

    def promising(self, role: int) -> tuple[Position, list[str]]:
        """The moves of a role that are most likely legal, as texts in alphabetical order, and the likeliest position in
        which they are."""
        if len(self) == 1:
            return self.best, self.best.legal_texts(role)
        legal = [(weight, position, position.legal_texts(role)) for weight, position in self._weighted[:_ASKED]]
        votes: dict[str, float] = {}
        for weight, _, moves in legal:
            for move in moves:
                votes[move] = votes.get(move, 0.0) + weight
        if not votes:
            return self.best, []
        most = max(votes.values())
        found = sorted(move for move, weight in votes.items() if math.isclose(weight, most))
        return next(position for _, position, moves in legal if found[0] in moves), found

    def on(self, machine: Machine) -> Worlds:
        """The same on another machine; ValueError if none of them can be there."""
        moved, problem = [], ValueError("there is no position")
        for weight, position in self._weighted:
            try:
                moved.append((weight, position.on(machine)))
            except ValueError as error:
                problem = error
        if not moved:
            raise problem
        return Worlds(moved)


def _merged(weighted: Sequence[tuple[float, Position]]) -> list[tuple[float, Position]]:
    """Positions with the same facts as one."""
    if len(weighted) < 2:
        return list(weighted)
    found: dict[tuple[str, ...], tuple[float, Position]] = {}
    for weight, position in weighted:
        facts = tuple(position.machine.facts(position.state))
        known = found.get(facts)
        found[facts] = (weight + known[0], known[1]) if known else (weight, position)
    return list(found.values())


class Tracker:
    """Follows a match by its joint moves. `seconds` is about how long it may try what could have been played."""

    def __init__(self, rng: random.Random, seconds: float) -> None:
        self._rng = rng
        self._seconds = seconds
        self._told: set[tuple[str, ...]] = set()
        """The last joint move, and the last that was legal."""
        self._before: Worlds | None = None
        """What was possible before that."""

    def after(
        self, worlds: Worlds, told: Sequence[str], answered: tuple[int, str] | None = None, over: bool = False
    ) -> Worlds:
        """What is possible after a joint move was told. `answered` is this side's role and the move that it sent;
        `over` says that the match has ended with the move."""
        told = tuple(told)
        fitting = _played(worlds, told, answered)
        if not fitting and told in self._told:
            _log.warning("the last joint move is told again, where it is not legal: taken for a repetition")
            return worlds
        if fitting:
            self._told, self._before = {told}, worlds
            return _plausible(fitting, over)
        self._told.add(told)
        _explain(worlds.best, told)
        guessed = _plausible(list(self._guesses(worlds, told, answered)), over)
        _log.warning("where the match stands is no longer known, %s possible", counted(len(guessed), "position"))
        return guessed

    def _guesses(
        self, worlds: Worlds, told: tuple[str, ...], answered: tuple[int, str] | None
    ) -> Iterator[tuple[float, Position]]:
        deadline = time.monotonic() + self._seconds
        before = list(itertools.islice(worlds, MOST_WORLDS // 2))
        yield from _shared(_UNCHANGED, before)
        if self._before is not None:
            yield from _shared(_BEFORE, _played(self._before, told, None))
        most = max(1, MOST_WORLDS // len(before))
        for weight, position in before:
            if time.monotonic() > deadline or position.machine.is_terminal(position.state):
                continue
            yield from _shared(_FORCED * weight, [(1.0, forced) for forced in _forced(position, told)])
            choices = [position.legal_texts(role) for role in range(len(position.machine.roles))]
            for share, options in ((_AGREEING, _agreeing(choices, told, answered)), (_ANY, choices)):
                played = []
                for joint in self._joint_moves(options, most):
                    played.append((1.0, position.after(joint)))
                    if time.monotonic() > deadline:
                        break
                yield from _shared(share * weight, played)

    def _joint_moves(self, options: Sequence[Sequence[str]], most: int) -> list[tuple[str, ...]]:
        """All that the options of the roles give, or so many of them by chance, in random order."""
        if math.prod(map(len, options)) > most:
            return [tuple(map(self._rng.choice, options)) for _ in range(most)]
        joints = list(itertools.product(*options))
        self._rng.shuffle(joints)
        return joints


def _played(worlds: Worlds, told: tuple[str, ...], answered: tuple[int, str] | None) -> list[tuple[float, Position]]:
    """What follows from a joint move where it is legal."""
    fitting = [(weight, position) for weight, position in worlds if position.allows(told)]
    if len(fitting) > 1 and answered is not None and fold(told[answered[0]]) != fold(answered[1]):
        fitting = [
            (weight * (_REFUSED if _is_legal(position, *answered) else 1), position) for weight, position in fitting
        ]
    return [(weight, position.after(told)) for weight, position in fitting]


def _is_legal(position: Position, role: int, move: str) -> bool:
    return position.machine.find_action(role, move) in position.machine.legal(position.state, role)


def _forced(position: Position, told: tuple[str, ...]) -> Iterator[Position]:
    """The position after a joint move that is not legal, where the machine can play it: a sheet may have been read
    otherwise than the server reads it."""
    with suppress(ValueError):
        yield position.after(told)


def _agreeing(
    choices: Sequence[list[str]], told: Sequence[str], answered: tuple[int, str] | None
) -> list[Sequence[str]]:
    """Of each role the move that it was told or known to make, if that is legal, else all that are."""
    found: list[Sequence[str]] = []
    for role, legal in enumerate(choices):
        wanted = [told[role]] if len(told) == len(choices) else []
        wanted += [answered[1]] if answered is not None and answered[0] == role else []
        known = [move for text in wanted for move in legal if fold(move) == fold(text)]
        found.append(known[:1] or legal)
    return found


def _shared(share: float, weighted: Sequence[tuple[float, Position]]) -> Iterator[tuple[float, Position]]:
    """The same with weights that make up a share."""
    total = sum(weight for weight, _ in weighted)
    return ((share * weight / total, position) for weight, position in weighted)


def _plausible(weighted: list[tuple[float, Position]], over: bool) -> Worlds:
    """Those in which the match is over, or not, as the message says, if there are any."""
    fitting = [
        (weight, position) for weight, position in weighted if position.machine.is_terminal(position.state) == over
    ]
    return Worlds(fitting or weighted)


def _explain(position: Position, told: Sequence[str]) -> None:
    """Logs why a joint move cannot be."""
    roles = position.machine.roles
    if len(told) != len(roles):
        _log.warning("%d moves were told, but there are %d roles", len(told), len(roles))
        return
    for role, text in enumerate(told):
        action = position.machine.find_action(role, text)
        if action is None or action not in position.machine.legal(position.state, role):
            what = "no rule knows" if action is None else "is not legal here"
            _log.warning("%s is told to have done %s, which %s", roles[role], text, what)
