"""Ten video games in VGDL, against the Java framework that the language's competitions run on.

The framework (GVGAI, 2021) is no package that could be installed here. Its rates were measured beforehand on a machine
of the same kind, on level 0 of each game: copies of a state, each advanced by one tick, a second of CPU time, one
thread, after warm-up. Where TREEWISE_SHARED names a folder with those games (vgdl/games/), they are measured; otherwise
the project's own games of the same kinds. States are the initial one and three of random play.

What learning costs is the time of a tick in playouts of TD-MCTS, its features and its choice included, against one in
uniform playouts: learned playouts are longer or shorter than those, as they avoid or seek the end. It is measured for
all readings of an action's features: weights for each action, which td_mcts() has; what the avatar does by itself,
which true_online_sarsa() has; and the states after whole steps.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import mean

from timing import Options, Row, Spread, geometric_mean, in_turns, ratio

from treewise import State, load_game, playout, td_mcts
from treewise._core import PlayoutProbe, VgdlGame, time_playouts

SUBJECT = "video games against GVGAI"
FRAMEWORK = {
    "aliens": 3_480,
    "boulderdash": 5_460,
    "butterflies": 7_500,
    "chase": 8_000,
    "frogs": 6_490,
    "missilecommand": 11_400,
    "portals": 11_200,
    "sokoban": 19_000,
    "survivezombies": 14_400,
    "zelda": 10_600,
}
DEPTH = 10  # ticks of a playout, as in the framework's sample search
PLAYOUTS = 50  # of such a search


def measure(options: Options) -> list[Row]:
    names = ["sokoban", "zelda"] if options.quick else list(FRAMEWORK)
    games = {name: Timed(name, options) for name in names}
    rows = [game.against_framework() for game in games.values()]
    searches = average([game.ten_ticks for game in games.values()])
    features = geometric_mean([game.with_features for game in games.values()])
    dearest = max(games.values(), key=lambda game: game.learning.median)
    copies = Spread.of([game.copy.median for game in games.values()])
    sizes = Spread.of([float(game.bytes) for game in games.values()])
    thousand = 1000 * PLAYOUTS
    return [
        *rows,
        Row(SUBJECT, "all games, geometric mean", "x", geometric_mean([row.figure for row in rows]), target=30),
        Row(SUBJECT, "50 playouts of 10 ticks, mean", "ms", scaled(searches, thousand), target=2, at_most=True),
        Row(SUBJECT, "copy of a state, all games", "µs", scaled(copies, 1e6), target=1, at_most=True),
        Row(SUBJECT, "size of a state, all games", "bytes", sizes),
        Row(SUBJECT, "a tick with its features, against one without", "x", features, target=2, at_most=True),
        cost_of_learning(
            "a tick of a playout that learns, against a uniform one",
            {game.name: game.learning for game in games.values()},
        ),
        Row(SUBJECT, f"the same in {dearest.name}, the dearest", "x", dearest.learning, target=2.5, at_most=True),
        cost_of_learning(
            "the same by the avatar's own moves",
            {game.name: game.own_moves for game in games.values()},
        ),
        cost_of_learning(
            "the same by the states after whole steps",
            {game.name: game.looking_ahead for game in games.values()},
            note="each step plays every action once: as many ticks as there are actions, three to five",
        ),
    ]


def cost_of_learning(name: str, games: dict[str, Spread], note: str = "") -> Row:
    medians = {game: spread.median for game, spread in games.items()}
    figure = geometric_mean(list(games.values()))
    return Row(SUBJECT, name, "x", figure, target=2.5, at_most=True, parts=medians, note=note)


class Timed:
    """One game: seconds of a copy, of a copy with one tick and with ten, and what features add."""

    def __init__(self, name: str, options: Options) -> None:
        self.name = name
        game = load_game(text_form(name))
        assert isinstance(game, VgdlGame)
        self.bytes = game.state_bytes
        states = sample(game.initial_state())

        def seconds(ticks: int, features: bool = False, per_tick: bool = False) -> Callable[[int], float]:
            def work(repeat: int) -> float:
                return mean([spent(state, ticks, features, repeat, options)[per_tick] for state in states])

            return work

        kinds = [seconds(0), seconds(1), seconds(DEPTH), seconds(DEPTH, features=True), seconds(DEPTH, per_tick=True)]
        taken = in_turns(options.repeats, *kinds)
        self.copy, self.one_tick, self.ten_ticks, _, self.tick = map(Spread.of, taken)
        self.with_features = ratio(taken[3], taken[2])
        blocks = td_mcts().playout
        parts = (playout.Uniform(), blocks, *(replace(blocks, psi=psi) for psi in ("own_moves", "after_states")))
        uniform, *learned = in_turns(options.repeats, *(Playouts(part, states, options) for part in parts))
        self.learning, self.own_moves, self.looking_ahead = (ratio(each, uniform) for each in learned)

    def against_framework(self) -> Row:
        theirs = FRAMEWORK[self.name]
        times = self.one_tick
        figure = Spread(*(1 / each / theirs for each in (times.median, times.high, times.low)))
        parts = {"copies with a tick/s": 1 / times.median, "GVGAI/s": theirs, "ticks a second": 1 / self.tick.median}
        return Row(SUBJECT, self.name, "x", figure, target=10, parts=parts)


class Playouts:
    """Seconds of a tick in playouts of a part, in searches of these states. What it learns is kept."""

    def __init__(self, part: playout.Part, states: list[State], options: Options) -> None:
        self.states = [(PlayoutProbe(state.game, part.core()), state) for state in states]
        self.searches = options.count(20, 1)

    def __call__(self, repeat: int) -> float:
        taken = [
            probe.time(state, PLAYOUTS, repeat * self.searches + search, DEPTH)
            for probe, state in self.states
            for search in range(self.searches)
        ]
        return sum(seconds for seconds, _ in taken) / sum(ticks for _, ticks in taken)


def text_form(name: str) -> str:
    """The framework's own game where it is there, else the project's."""
    folder = Path(os.environ.get("TREEWISE_SHARED", "")) / "vgdl" / "games"
    if "TREEWISE_SHARED" not in os.environ or not (folder / f"{name}.txt").is_file():
        return f"vgdl(game='{name}', level=0)"
    return f"vgdl(path='{folder / name}.txt', level_path='{folder / name}_lvl0.txt')"


def sample(state: State) -> list[State]:
    """The state, and those after 20, 40 and 60 ticks of random play, as long as it lasts."""
    states, start, random = [state.clone()], state.clone(), Random(3)
    for _ in range(3):
        for _ in range(20):
            state = start.clone() if state.is_terminal() else state
            state.apply(random.choice(state.legal_actions()))
        if not state.is_terminal():
            states.append(state.clone())
    return states


def spent(state: State, ticks: int, features: bool, seed: int, options: Options) -> tuple[float, float]:
    """Seconds of a copy with so many ticks, fewer if the game ends, and of each tick of that."""
    count, seconds, played = 64, 0.0, 0
    while seconds <= options.seconds(0.03):
        count *= 2
        seconds, played = time_playouts(state, count, seed, ticks, features)
    return seconds / count, seconds / max(played, 1)


def average(spreads: list[Spread]) -> Spread:
    return Spread(*(mean(values) for values in zip(*map(figures, spreads), strict=True)))


def scaled(spread: Spread, factor: float) -> Spread:
    return Spread(*(factor * value for value in figures(spread)))


def figures(spread: Spread) -> tuple[float, float, float]:
    return spread.median, spread.low, spread.high
