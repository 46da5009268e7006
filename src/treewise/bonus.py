"""Bonuses *add*: to the scores of a node's children, or to a simulation's result before it is backed up.

The parts here change results by how convincing a simulation's win was. They compose: `bonus=[RelativeBonus(),
QualityBonus()]` adds one after the other. Their numbers are on the scale of rewards on which a win is 1 and a loss -1.

A bonus written in Python is any object with `score(children)`, which returns what to add to each child's score, or
`result(record)`, which returns the players' results to back up instead of `record.values`, on the scale [0, 1]; they
may leave it, but not by more than a million.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from treewise._core import Children, Record
from treewise.part import Part, parameter

__all__ = [
    "Bonus",
    "Children",
    "ClippedResult",
    "CombinedBonus",
    "QualityBonus",
    "QualityOnly",
    "Record",
    "RelativeBonus",
    "RelativeResult",
    "ResultBonus",
    "ScoreBonus",
]


class ScoreBonus(Protocol):
    """What a bonus on selection scores must have."""

    def score(self, children: Children, /) -> Iterable[float]:
        """One number for each child, added to its score."""


class ResultBonus(Protocol):
    """What a bonus on results must have."""

    def result(self, record: Record, /) -> Iterable[float]:
        """Each player's result on the scale [0, 1]: `record.values`, changed."""


Bonus = Part | ScoreBonus | ResultBonus

_SOURCE = "Pepels, Tak, Lanctot & Winands 2014"


def _slope(help: str) -> Any:
    return parameter(2.0, help, low=0, high=1000)


def _size() -> Any:
    return parameter(0.25, "greatest change of the reward, or 'online'", low=0, high=10, choices=("online",))


def _warm_up() -> Any:
    return parameter(0.05, "share of the expected simulations without bonus", low=0, high=1)


def _clip() -> Any:
    return parameter(True, "clip qualities to [0, 1], which some games' formulas leave")


class WholeResultBonus(Part):
    """A bonus on results that must be those of whole matches."""

    family = "bonus"
    does: ClassVar[str] = ""
    """Why it must know the whole result."""

    def check_game(self, game: str, num_players: int, rewarded: bool) -> None:
        """ValueError where it does not fit; `rewarded`: results are sums of discounted rewards."""
        if rewarded:
            raise ValueError(
                f"bonus: '{self.name}' {self.does}, but discounted results are sums of rewards; "
                f"use backup=mean in {game}"
            )


class WinnerBonus(WholeResultBonus):
    """A bonus on the results of simulations that somebody won."""

    citation = _SOURCE
    does = "needs to know who won"

    def check_game(self, game: str, num_players: int, rewarded: bool) -> None:
        """ValueError where no simulation has a winner: with one player, or results that are discounted rewards."""
        if num_players == 1:
            raise ValueError(f"bonus: '{self.name}' rewards the winner, but {game} has one player; leave it out")
        super().check_game(game, num_players, rewarded)


@dataclass(frozen=True)
class RelativeBonus(WinnerBonus):
    """Short simulations count for more: the winner gains by how much faster than usual the win came.

    The length from the root to the end is compared with the mean and deviation of those that the same player won in
    this search, and the difference goes through a sigmoid of slope `k`. The winner's reward grows by at most `a`, the
    others' shrink by as much; `a="online"` takes it from the covariance of length and winning over the simulations that
    somebody won, as published without a bound: while there are few of them, it may be many times what a win is worth
    (17 in Amazons, in a search of ten). Draws, and simulations that end in no terminal state, are left alone, and so
    are the first `warm_up` of the expected simulations.

    The paper's `k`: Amazons 2.2, Breakthrough 8, Cannon 3, Checkers 2.8, Chinese Checkers 1.2, Pentalath 1; in general
    games 2 and 1.4. Its `a` is 0.25 or online.

    Hex, whose playouts fill the board, must play them step by step for it, at a quarter to an eighth of the speed.

    >>> RelativeBonus(k=2.2).text()
    'relative_bonus(k=2.2)'
    >>> RelativeBonus(a="online").text()
    "relative_bonus(a='online')"
    """

    name = "relative_bonus"

    k: float = _slope("slope of the sigmoid")
    a: float | str = _size()
    warm_up: float = _warm_up()


@dataclass(frozen=True)
class QualityBonus(WinnerBonus):
    """Convincing wins count for more: the winner gains by how much better than usual the end is for it.

    As `relative_bonus`, with the quality that the game gives to its terminal states in place of the length.

    The paper's `k`: Amazons 1.6, Breakthrough 2, Cannon 4, Checkers 2, Chinese Checkers 2.8, Pentalath 1.6. Its `a` is
    0.25 or online.

    >>> QualityBonus(k=1.6, a="online").text()
    "quality_bonus(k=1.6, a='online')"
    """

    name = "quality_bonus"
    needs = ("quality",)

    k: float = _slope("slope of the sigmoid")
    a: float | str = _size()
    warm_up: float = _warm_up()
    clip: bool = _clip()


@dataclass(frozen=True)
class CombinedBonus(WinnerBonus):
    """Both bonuses, their sizes found together from the covariance matrix of length and quality.

    Two online coefficients found apart count twice what length and quality have in common. Here each is the slope
    along its own quantity in a regression on both, which is the same where the two are uncorrelated. With fixed sizes
    use `[relative_bonus(…), quality_bonus(…)]` instead. The paper names this as future work.

    A regression on few simulations is rougher still than the coefficients apart: a win in Cannon was changed by 129
    times its worth in a search of ten, by less than three times in one of a thousand. Use it with a thousand or more.

    >>> CombinedBonus(k_length=2.2, k_quality=1.6).text()
    'combined_bonus(k_length=2.2, k_quality=1.6)'
    """

    name = "combined_bonus"
    needs = ("quality",)

    k_length: float = _slope("slope of the sigmoid for the length")
    k_quality: float = _slope("slope of the sigmoid for the quality")
    warm_up: float = _warm_up()
    clip: bool = _clip()


@dataclass(frozen=True)
class QualityOnly(WinnerBonus):
    """The quality in place of the result: the winner's reward is q and the others' -q; a draw stays 0.

    For comparison: in the paper this loses to plain results in five of six games.

    >>> QualityOnly().text()
    'quality_only'
    """

    name = "quality_only"
    needs = ("quality",)

    clip: bool = _clip()


@dataclass(frozen=True)
class ClippedResult(WholeResultBonus):
    """A simulation gives or takes at most `size` points; a loss takes the less the further away it is.

    In games whose results are points, a win or a loss may be worth millions, beside which nothing else counts: a search
    that saw one loss among its simulations no longer tells a good place from a bad one. A simulation that ends the
    match after d steps takes at most `size` · `fading`^(d - 1) from what the root has: playouts run into losses that a
    player would still avoid.

    >>> ClippedResult(size=5.0).text()
    'clipped_result(size=5.0)'
    """

    name = "clipped_result"
    needs = ("score",)
    citation = "rewards clipped as in Mnih et al. 2015"
    does = "clips the results of whole simulations"

    size: float = parameter(20.0, "the most points that a simulation gives or takes", low=0, high=1e12)
    fading: float = parameter(0.85, "what is left of a loss for every step that it is away", low=0, high=1)


@dataclass(frozen=True)
class RelativeResult(WholeResultBonus):
    """What a player has more than the other in place of what it has: r0 - r1, and r1 - r0.

    For games of two players whose results do not add up to the same, as general games often are; in others nothing
    changes, and neither does anything where there are more players or fewer. Other bonuses are added to it.

    >>> RelativeResult().text()
    'relative_result'
    """

    name = "relative_result"
    citation = "Finnsson & Björnsson 2008; CADIAPLAYER 3.0"
    does = "compares the results of whole matches"

    def check_game(self, game: str, num_players: int, rewarded: bool) -> None:
        """Anything goes where it changes nothing."""
        super().check_game(game, num_players, rewarded and num_players == 2)
