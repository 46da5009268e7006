"""One match between searches: each player's own session, chance by the match's own random stream."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from treewise._core import derive_seed
from treewise.actions import Step as PlayedStep
from treewise.game import CHANCE, SIMULTANEOUS, State, as_state, load_game
from treewise.result import Result
from treewise.search import Search, Session
from treewise.wording import counted

__all__ = [
    "MatchRecord",
    "OpeningError",
    "Seat",
    "Step",
    "apply_step",
    "final_returns",
    "final_score",
    "own_action",
    "play_match",
    "random_opening",
    "sample_outcome",
    "seed_dice",
    "starting_state",
]

Step = int | tuple[int, ...]
"""What one step of a match applied: an action or chance outcome, or every player's action at once."""

_OPENING_TRIES = 1_000


class OpeningError(ValueError):
    """So many random steps at the start always end the match: nothing is wrong with the game or a search."""


@dataclass(frozen=True)
class MatchRecord:
    """What happened in a match. Records are equal if everything but the time spent is."""

    returns: tuple[float, ...]
    """Each player's utility at the end."""
    length: int
    """Steps played, the opening and chance outcomes included."""
    seconds: tuple[float, ...] = field(compare=False)
    """Time each player spent searching."""
    simulations: tuple[int, ...]
    actions: tuple[PlayedStep, ...]
    seed: int
    cut: bool
    """Whether the match was stopped at its `max_length`, and so counted as a draw."""
    moves: tuple[int, ...]
    """Searches each player ran: the actions that it chose itself."""
    score: float | None = None
    """The points of a player who played alone, where the game tells them apart from what winning is worth."""

    def __repr__(self) -> str:
        cut = ", cut" if self.cut else ""
        returns = ", ".join(f"{value:g}" for value in self.returns)
        return f"<MatchRecord: returns ({returns}) after {counted(self.length, 'step')}{cut}, seed {self.seed}>"


class Seat:
    """A player's place in a match: one search, its session, and what it has spent so far.

    >>> seat = Seat(Search(), player=0, seed=1)
    >>> seat.simulations
    0
    """

    def __init__(self, search: Search, player: int, seed: int, reuse: bool = True) -> None:
        self.player = player
        self.session = Session(search, seed, reuse)
        self.seconds = 0.0
        self.simulations = 0
        self.moves = 0

    def __repr__(self) -> str:
        return f"<Seat of player {self.player}: {self.session.search.shown()}, {counted(self.moves, 'move')}>"

    def search(self, state: State) -> Result:
        """What the player's own search finds in `state`."""
        start = time.perf_counter()
        result = self.session.run(state)
        self.seconds += time.perf_counter() - start
        self.simulations += result.stats.simulations
        self.moves += 1
        return result

    def choose(self, state: State) -> int:
        """The player's action; where several act at once, its own component of what its search found."""
        return own_action(self.search(state), self.player)

    def follow(self, step: Step) -> None:
        """Tells the session how the match went on, so that it keeps that part of its tree."""
        start = time.perf_counter()
        self.session.advance(step)
        self.seconds += time.perf_counter() - start


def own_action(result: Result, player: int) -> int:
    """The action of a result; where several act at once, that of one player.

    >>> own_action(Search().run(load_game("tic_tac_toe").parse_state("xx./oo./...", 0)), player=0)
    2
    """
    return result.action[player] if isinstance(result.action, list) else result.action


def play_match(
    game: Any,
    searches: Sequence[Search],
    seed: int = 0,
    opening: int = 0,
    reuse: bool = True,
    max_length: int | None = None,
    report: Callable[[], None] | None = None,
) -> MatchRecord:
    """Plays one match, with one search for each player.

    `game` is a game, its text form, or a state to start from. The first `opening` steps are uniformly random. `reuse`
    keeps each player's tree between its actions. A match of `max_length` steps (None: the game's) is cut: a draw, or
    what was collected where steps give rewards.

    Seeds: the match's own stream (opening, chance outcomes) is `derive_seed(seed, 0)`, player p's
    `derive_seed(seed, 1 + p)`, the dice's `derive_seed(seed, 2**20)`. The same seed gives the same match, unless a
    limit is in seconds.

    `report` is called after each step.

    >>> from treewise import uct
    >>> record = play_match("tic_tac_toe", [uct(simulations=400), uct(simulations=10)], seed=1)
    >>> record.returns, record.simulations[0] >= 1200
    ((1.0, -1.0), True)
    """
    state = starting_state(game)
    _check_searches(state, searches)
    rng = random.Random(derive_seed(seed % 2**64, 0))
    seats = [Seat(search, p, derive_seed(seed % 2**64, 1 + p), reuse) for p, search in enumerate(searches)]
    seed_dice(state, seed)
    state, steps = random_opening(state, opening, rng)
    most = state.game.max_length if max_length is None else max_length
    while not state.is_terminal() and len(steps) < most:
        step = _next_step(state, seats, rng)
        apply_step(state, step)
        steps.append(step)
        for seat in seats:
            seat.follow(step)
        if report:
            report()
    return MatchRecord(
        returns=final_returns(state),
        length=len(steps),
        seconds=tuple(seat.seconds for seat in seats),
        simulations=tuple(seat.simulations for seat in seats),
        actions=cast(tuple[PlayedStep, ...], tuple(steps)),
        seed=seed,
        cut=not state.is_terminal(),
        moves=tuple(seat.moves for seat in seats),
        score=final_score(state),
    )


def starting_state(game: Any) -> State:
    """A state to start from: of a game, its text form, a state, or what makes a state written in Python.

    >>> starting_state("pig(players=3)").game.num_players
    3
    """
    if isinstance(game, str):
        return load_game(game).initial_state()
    if isinstance(game, State):
        return game.clone()
    if not isinstance(game, type) and callable(getattr(game, "initial_state", None)):
        return as_state(game.initial_state())
    return as_state(game() if callable(game) else game)


def seed_dice(state: State, seed: int) -> None:
    """Gives the starting state of a match its dice, where the game has any.

    >>> state = starting_state("tic_tac_toe")
    >>> seed_dice(state, 7)
    >>> state.seeds()
    []
    """
    if "dice" in state.game.capabilities:
        state.reseed(derive_seed(seed % 2**64, 2**20))


def sample_outcome(state: State, rng: random.Random) -> int:
    """Draws an outcome at a chance state, by its probabilities.

    >>> state = starting_state("pig")
    >>> state.apply(0)
    >>> 0 <= sample_outcome(state, random.Random(1)) < 6
    True
    """
    outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
    return cast(int, rng.choices(outcomes, probabilities)[0])


def _check_searches(state: State, searches: Sequence[Search]) -> None:
    if state.is_terminal():
        raise ValueError("the match is over before it starts")
    if len(searches) != state.game.num_players:
        raise ValueError(
            f"{state.game.name} has {state.game.num_players} players, but {len(searches)} searches are given"
        )
    for search in searches:
        search.check(state.game)


def _next_step(state: State, seats: Sequence[Seat], rng: random.Random) -> Step:
    player = state.current_player()
    if player == CHANCE:
        return sample_outcome(state, rng)
    if player == SIMULTANEOUS:
        return tuple(seat.choose(state) for seat in seats)
    return seats[player].choose(state)


def random_opening(
    start: State, length: int, rng: random.Random, tries: int = _OPENING_TRIES
) -> tuple[State, list[Step]]:
    """A state `length` random steps on, in which the match is not over, and these steps; OpeningError if none is found.

    >>> random_opening(starting_state("tic_tac_toe"), 9, random.Random(1))
    Traceback (most recent call last):
    treewise.match.OpeningError: opening: the match is over after 9 random steps, in each of 1,000 tries: take fewer
    """
    if length < 0:
        raise ValueError(f"opening must not be negative, but is {length}")
    for _ in range(tries):
        state, steps = start.clone(), list[Step]()
        while len(steps) < length and not state.is_terminal():
            steps.append(_random_step(state, rng))
            apply_step(state, steps[-1])
        if not state.is_terminal():
            return state, steps
    steps_taken = counted(length, "random step")
    raise OpeningError(f"opening: the match is over after {steps_taken}, in each of {tries:,} tries: take fewer")


def _random_step(state: State, rng: random.Random) -> Step:
    player = state.current_player()
    if player == CHANCE:
        return sample_outcome(state, rng)
    if player == SIMULTANEOUS:
        return tuple(rng.choice(state.legal_actions(p)) for p in range(state.game.num_players))
    return rng.choice(state.legal_actions())


def apply_step(state: State, step: Step) -> None:
    """Applies what one step of a match was.

    >>> state = starting_state("tic_tac_toe")
    >>> apply_step(state, 4)
    >>> state.history()
    [4]
    """
    if isinstance(step, tuple):
        state.apply(list(step))
    else:
        state.apply(step)


def final_returns(state: State) -> tuple[float, ...]:
    """Each player's utility at the end; at a state where the match was cut, a draw or what was collected.

    >>> final_returns(starting_state("pig(players=3)"))
    (0.0, 0.0, 0.0)
    """
    if state.is_terminal() or "rewards" in state.game.capabilities:
        return tuple(state.returns())
    return ((state.game.min_utility + state.game.max_utility) / 2,) * state.game.num_players


def final_score(state: State) -> float | None:
    """The points at the end of a match that one player played alone; None where the game has only returns.

    >>> final_score(starting_state("same_game(rows=3, columns=3)")) is None
    True
    """
    alone = state.game.num_players == 1 and "score" in state.game.capabilities
    return float(state.score()) if alone else None
