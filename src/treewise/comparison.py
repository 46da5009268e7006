"""Is one search better than another? Matches with seats swapped, a win rate with its interval, a verdict."""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import islice
from math import sqrt
from typing import Any

from treewise._core import derive_seed
from treewise.game import Game, game_text, load_game
from treewise.match import MatchRecord, play_match, starting_state
from treewise.processes import cached_game, cached_search, has_files, spawn_pool
from treewise.search import Search
from treewise.wording import describe, own_place

__all__ = ["Comparison", "ComparisonInterrupted", "Encounter", "compare", "wilson_interval"]

_Z = 1.959963984540054  # two-sided 95 %


@dataclass(frozen=True)
class Encounter:
    """One match of a comparison; where the game has one player, a match of each search with the same seed.

    `seats` says who sat where, 0 for A and 1 for B; all other lists follow its order.
    """

    index: int
    seats: tuple[int, ...]
    records: tuple[MatchRecord, ...]

    def __repr__(self) -> str:
        who = ", ".join("AB"[entrant] for entrant in self.seats)
        returns = ", ".join(f"{value:g}" for value in self.returns)
        return f"<Encounter {self.index}: seats ({who}), returns ({returns})>"

    @property
    def returns(self) -> tuple[float, ...]:
        """The utility of each seat."""
        return sum((record.returns for record in self.records), ())

    @property
    def score(self) -> float:
        """A's share of the duels between its seats and B's: 1 for a higher return, 1/2 for an equal one.

        In expectation 1/2 between equal searches, however many seats each of them has.
        """
        return duel_score(self.seats, self.returns)

    def seat_score(self, seat: int) -> float:
        """The share of duels with the other search's seats that this seat won."""
        return _seat_score(self.seats, self.returns, seat)

    def total(self, what: str, entrant: int) -> float:
        """The sum of `what` ("simulations", "moves", "seconds" or "returns") over an entrant's seats."""
        values: list[float] = [value for record in self.records for value in getattr(record, what)]
        return sum(value for value, seated in zip(values, self.seats, strict=True) if seated == entrant)


@dataclass(frozen=True)
class Comparison:
    """What n matches say about A against B.

    >>> from treewise import uct
    >>> result = compare("tic_tac_toe", uct(simulations=200), uct(simulations=2), matches=20, seed=1)
    >>> result.verdict
    'A is better'
    """

    game: str
    a: str
    b: str
    """Text forms; of what has none, a game's name, and a search with the classes of its parts in angle brackets."""
    seed: int
    encounters: tuple[Encounter, ...]

    @property
    def matches(self) -> int:
        """How many matches were played."""
        return len(self.encounters)

    @property
    def wins(self) -> int:
        """Matches in which A did better."""
        return sum(encounter.score > 0.5 for encounter in self.encounters)

    @property
    def draws(self) -> int:
        """Matches in which A and B did equally well."""
        return sum(encounter.score == 0.5 for encounter in self.encounters)

    @property
    def losses(self) -> int:
        """Matches in which B did better."""
        return sum(encounter.score < 0.5 for encounter in self.encounters)

    @property
    def win_rate(self) -> float:
        """A's mean score: the share of matches it won, draws half."""
        return self._mean(encounter.score for encounter in self.encounters)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the win rate.

        Wilson's, with the mean score as the rate. Draws only make the true interval narrower, and so do the swapped
        seats: what one seat gives a search in one match of a pair, it gives the other search in the other.
        """
        return wilson_interval(self.win_rate * self.matches, self.matches)

    @property
    def verdict(self) -> str:
        """What the interval allows to say, in words."""
        low, high = self.interval
        if low > 0.5:
            return "A is better"
        if high < 0.5:
            return "B is better"
        visible = visible_difference(self.matches)
        if visible >= 0.5:
            return f"no difference shown ({_count(self.matches)} cannot show any)"
        return (
            f"no difference shown (at {_count(self.matches)} only differences above {100 * visible:.1f} points "
            "from 50 % would show)"
        )

    @property
    def seat_rates(self) -> list[tuple[int, float]]:
        """For each seat, the number of matches in which A had it and A's win rate there."""
        if not self.encounters or len(self.encounters[0].records) > 1:
            return []
        rates = []
        for seat in range(len(self.encounters[0].seats)):
            seated = [encounter for encounter in self.encounters if encounter.seats[seat] == 0]
            rates.append((len(seated), self._mean(encounter.seat_score(seat) for encounter in seated)))
        return rates

    @property
    def mean_length(self) -> float:
        """Steps of a match."""
        return self._mean(record.length for encounter in self.encounters for record in encounter.records)

    @property
    def cut(self) -> int:
        """Matches that were stopped at the game's `max_length`."""
        return sum(record.cut for encounter in self.encounters for record in encounter.records)

    def swapped(self) -> Comparison:
        """The same matches, seen as B against A."""
        encounters = (replace(each, seats=tuple(1 - entrant for entrant in each.seats)) for each in self.encounters)
        return replace(self, a=self.b, b=self.a, encounters=tuple(encounters))

    def mean_return(self, entrant: int) -> float:
        """The mean utility of an entrant's seats (0: A, 1: B)."""
        seats = sum(encounter.seats.count(entrant) for encounter in self.encounters)
        return self._total("returns", entrant) / seats if seats else 0.0

    def simulations_per_second(self, entrant: int) -> float:
        """How fast an entrant (0: A, 1: B) searched."""
        seconds = self._total("seconds", entrant)
        return self._total("simulations", entrant) / seconds if seconds > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        summary = {
            name: getattr(self, name) for name in ("game", "a", "b", "seed", "matches", "wins", "draws", "losses")
        }
        summary |= {name: getattr(self, name) for name in ("win_rate", "interval", "verdict", "mean_length", "cut")}
        return summary | {
            "seat_rates": [{"matches": count, "win_rate": rate} for count, rate in self.seat_rates],
            "mean_returns": [self.mean_return(0), self.mean_return(1)],
            "simulations_per_second": [self.simulations_per_second(0), self.simulations_per_second(1)],
            "encounters": [asdict(encounter) | {"score": encounter.score} for encounter in self.encounters],
        }

    def __repr__(self) -> str:
        return f"<Comparison: {self}>"

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"A wins {100 * self.win_rate:.1f} % ({100 * low:.1f} to {100 * high:.1f}) of {_count(self.matches)} of "
            f"{self.game}: {self.verdict}"
        )

    def _total(self, what: str, entrant: int) -> float:
        return sum(encounter.total(what, entrant) for encounter in self.encounters)

    @staticmethod
    def _mean(values: Iterable[float]) -> float:
        listed = list(values)
        return sum(listed) / len(listed) if listed else 0.0


class ComparisonInterrupted(KeyboardInterrupt):
    """Ctrl-C stopped a comparison. `comparison` has the matches finished until then."""

    def __init__(self, comparison: Comparison) -> None:
        super().__init__("the comparison was interrupted; what was played is in .comparison")
        self.comparison = comparison


def wilson_interval(successes: float, n: int) -> tuple[float, float]:
    """The 95 % confidence interval of a rate (Wilson 1927); (0, 1) without any observation.

    >>> low, high = wilson_interval(60, 100)
    >>> f"{low:.4f} {high:.4f}"
    '0.5020 0.6906'
    """
    if n == 0:
        return (0.0, 1.0)
    rate, z2 = successes / n, _Z * _Z
    centre = rate + z2 / (2 * n)
    half = _Z * sqrt(max(rate * (1 - rate), 0.0) / n + z2 / (4 * n * n))
    return (max(0.0, (centre - half) / (1 + z2 / n)), min(1.0, (centre + half) / (1 + z2 / n)))


def visible_difference(n: int) -> float:
    """How far from 1/2 the rate of n matches must be for Wilson's interval to leave 1/2 out.

    >>> round(visible_difference(100), 3)
    0.098
    """
    return _Z / (2 * sqrt(n)) if n else 0.5


def seating(index: int, players: int) -> tuple[int, ...]:
    """Who sits where in the match of this index (0: A, 1: B): swapped in pairs, rotating where there are more seats.

    >>> [seating(index, 3) for index in range(4)]
    [(0, 1, 0), (1, 0, 1), (0, 0, 1), (1, 1, 0)]
    """
    pair, swapped = divmod(index, 2)
    if players == 1:
        return (0, 1)
    turn = pair if players > 2 else 0
    return tuple(((seat - turn) % players + swapped) % 2 for seat in range(players))


def duel_score(seats: Sequence[int], returns: Sequence[float]) -> float:
    """A's share of the duels between its seats and B's, from who sat where and what each seat got.

    >>> duel_score((0, 1), (1.0, -1.0)), duel_score((1, 0), (0.0, 0.0))
    (1.0, 0.5)
    """
    own = [seat for seat, entrant in enumerate(seats) if entrant == 0]
    return sum(_seat_score(seats, returns, seat) for seat in own) / len(own)


def _seat_score(seats: Sequence[int], returns: Sequence[float], seat: int) -> float:
    rivals = [other for other, entrant in enumerate(seats) if entrant != seats[seat]]
    duels = ((returns[seat] > returns[other]) + (returns[seat] >= returns[other]) for other in rivals)
    return sum(duels) / (2 * len(rivals))


@dataclass(frozen=True)
class _Pickled:
    """What has no text form and goes to other processes: packed, so that a match unpacks it and tells what is wrong."""

    what: str
    packed: bytes

    @classmethod
    def of(cls, what: str, thing: Any) -> _Pickled:
        try:
            return cls(what, pickle.dumps(thing))
        except Exception as error:
            raise ValueError(f"{what} {_CANNOT_TRAVEL} ({describe(error)}): {_TRAVELS}, or take processes=1") from error

    def unpacked(self) -> Any:
        try:
            return pickle.loads(self.packed)
        except Exception as error:
            raise ValueError(f"{self.what} {_CANNOT_TRAVEL} ({describe(error)}): {_TRAVELS}") from error


_CANNOT_TRAVEL = "cannot go to another process"
_TRAVELS = "put it into a file and write FILE.py:NAME"


@dataclass(frozen=True)
class _Plan:
    """What a process needs to play any match of a comparison; texts wherever there are any."""

    game: Any
    a: Any
    b: Any
    seed: int
    opening: int
    reuse: bool

    def play(self, index: int) -> Encounter:
        """Plays the match of this index. Both matches of a pair have the same seed."""
        game = _found(self.game, cached_game)
        entrants = [_found(entry, cached_search) for entry in (self.a, self.b)]
        players = starting_state(game).game.num_players
        seats = seating(index, players)
        seed = derive_seed(self.seed % 2**64, index if players == 1 else index // 2)
        places = [[entrant] for entrant in seats] if players == 1 else [list(seats)]
        records = [
            play_match(game, [entrants[entrant] for entrant in place], seed, self.opening, self.reuse)
            for place in places
        ]
        return Encounter(index, seats, tuple(records))


def _play_elsewhere(plan: _Plan, index: int) -> Encounter:
    """Plays a match in another process. What a user's own code raises is told in words, with its place: neither that
    nor every exception survives the way back."""
    try:
        return plan.play(index)
    except BaseException as error:
        if own_place(error) is None:
            raise
        raise RuntimeError(describe(error)) from None


def _found(entry: Any, by_text: Callable[[str], Any]) -> Any:
    if isinstance(entry, _Pickled):
        return entry.unpacked()
    return by_text(entry) if isinstance(entry, str) else entry


def compare(
    game: Any,
    a: Search,
    b: Search,
    matches: int = 100,
    seed: int = 0,
    opening: int = 0,
    reuse: bool = True,
    processes: int = 1,
    report: Callable[[Encounter], None] | None = None,
) -> Comparison:
    """Plays `matches` matches between two searches, seats swapped in pairs that share a seed.

    Match i has the seed `derive_seed(seed, i // 2)`; the result does not depend on `processes`, unless a limit is in
    seconds. Several processes load what has a text form by that, `FILE.py:NAME` included, and the rest is pickled for
    them; a script must have the usual `if __name__ == "__main__":`. `report` is called after each match. Ctrl-C raises
    `ComparisonInterrupted`.

    >>> from treewise import uct
    >>> result = compare("tic_tac_toe", uct(simulations=50), uct(simulations=50), matches=4)
    >>> result.wins == result.losses
    True
    """
    _check(game, (a, b), matches, processes)
    things = {"game": game, "a": a, "b": b}
    texts = {name: _text(thing) for name, thing in things.items()}
    done: list[Encounter] = []
    if processes > 1:
        travelling = {
            name: _with_digest(texts[name], thing) or _Pickled.of(name, thing) for name, thing in things.items()
        }
        plan = _Plan(**travelling, seed=seed, opening=opening, reuse=reuse)
        played = _in_processes(plan, matches, min(processes, matches))
    else:
        # As in other processes: parts of the user's may remember something, so that each match gets new ones.
        anew = {name: texts[name] for name in ("a", "b") if texts[name] and has_files(texts[name])}
        plan = _Plan(**{**things, **anew}, seed=seed, opening=opening, reuse=reuse)
        played = (plan.play(index) for index in range(matches))
    try:
        with closing(played):
            for encounter in played:
                done.append(encounter)
                if report:
                    report(encounter)
    except KeyboardInterrupt as error:
        raise ComparisonInterrupted(_comparison(things, seed, done)) from error
    return _comparison(things, seed, done)


def _check(game: Any, entrants: Sequence[Search], matches: int, processes: int) -> None:
    if matches < 1 or processes < 1:
        raise ValueError("matches and processes must be at least 1")
    for entrant in entrants:
        entrant.check(starting_state(game).game)


def _comparison(things: dict[str, Any], seed: int, done: list[Encounter]) -> Comparison:
    shown = {name: _text(thing) or _shown(thing) for name, thing in things.items()}
    return Comparison(**shown, seed=seed, encounters=tuple(sorted(done, key=lambda encounter: encounter.index)))


def _shown(thing: Any) -> str:
    """What has no text form, for people."""
    return thing.shown() if isinstance(thing, Search) else starting_state(thing).game.name


def _with_digest(text: str, thing: Any) -> str:
    """The text form by which other processes load it: one that tells whether its file has changed meanwhile."""
    return _text(load_game(thing) if isinstance(thing, str) else thing, full=True) if text and has_files(text) else text


def _text(thing: Any, full: bool = False) -> str:
    """The text form, or nothing where there is none."""
    if isinstance(thing, str):
        return thing
    try:
        if isinstance(thing, Search):
            return thing.text(full)
        return game_text(thing, full) if isinstance(thing, Game) else ""
    except ValueError:
        return ""


def _in_processes(plan: _Plan, matches: int, processes: int) -> Generator[Encounter]:
    before = set(multiprocessing.active_children())
    with spawn_pool(processes) as pool:
        try:
            waiting = iter(range(matches))
            under_way = {pool.submit(_play_elsewhere, plan, index) for index in islice(waiting, 2 * processes)}
            while under_way:
                done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
                under_way |= {pool.submit(_play_elsewhere, plan, index) for index in islice(waiting, len(done))}
                for future in done:
                    yield future.result()
        except BaseException:
            # Do not wait for the matches under way.
            pool.shutdown(wait=False, cancel_futures=True)
            for child in set(multiprocessing.active_children()) - before:
                child.terminate()
            raise


def _count(matches: int) -> str:
    return "1 match" if matches == 1 else f"{matches} matches"
