"""Rules for more players than a game can have: no search plays them, but everybody can know what is legal."""

from __future__ import annotations

from collections.abc import Sequence

from treewise.gdl.prover.game import ProverGame, ProverState
from treewise.gdl.prover.machine import ProverMachine
from treewise.gdl.prover.reasoner import Prover
from treewise.gdl.terms import Sheet
from treewise.ggp.thinker import RANDOM_ROLE

__all__ = ["MOST_PLAYERS", "CrowdMachine", "crowded"]

MOST_PLAYERS = 6
"""Of a game of the engine."""


def crowded(sheet: Sheet) -> bool:
    """Whether a sheet has more players than a game can have; the role `random` is none.

    >>> from treewise.gdl import parse_sheet
    >>> roles = "(role a) (role b) (role c) (role d) (role e) (role f)"
    >>> crowded(parse_sheet(roles + "(role random)")), crowded(parse_sheet(roles + "(role g)"))
    (False, True)
    """
    return sum(role.name != RANDOM_ROLE for role in sheet.roles) > MOST_PLAYERS


class CrowdMachine(ProverMachine):
    """The prover without a game for searches. States are plain `ProverState`s."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.roles = tuple(map(sheet.spell, sheet.roles))
        self._rules = ProverGame(Prover(sheet))
        self.game = self

    def initial_state(self) -> ProverState:
        """Where matches begin: all that this machine has of a game."""
        prover = self._rules.prover
        return ProverState(self._rules, prover.situation(prover.initial_ids))

    def play(self, state: ProverState, actions: Sequence[int]) -> ProverState:
        """The state after a joint action, one of each role, even if the sheet does not allow it."""
        after = state.clone()
        after.take(actions)
        return after
