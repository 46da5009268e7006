"""Measure how fast this machine searches and plays, game by game.

Simulations a second of plain UCT with one thread, and uniform playouts a second from states near the start. Each figure
is the median of a few repeats, with the smallest and the largest.
"""

from __future__ import annotations

import json
import platform
import statistics
from argparse import ArgumentParser, Namespace
from typing import Any

from treewise import evaluator, limit
from treewise.cli.options import GAME_HELP, add_json, add_seed, duration, fitted, load_target, start, target_text, whole
from treewise.cli.output import console, progress, table
from treewise.compositions import uct
from treewise.game import CHANCE, State, game_names
from treewise.search import Search
from treewise.version import __version__
from treewise.wording import approximately

EXAMPLES = """\
examples:
  treewise bench                                      all games
  treewise bench breakthrough "breakthrough(rows=6)"
  treewise bench --repeats 9 --seconds 1 --json > speed.json
"""

_BATCH = 100  # playouts of a leaf, so that the tree costs nothing against them


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("games", metavar="GAME", nargs="*", help=f"{GAME_HELP} (default: all games)")
    parser.add_argument(
        "--seconds", type=duration("seconds"), default=0.2, metavar="S", help="of each measurement (default: 0.2)"
    )
    parser.add_argument("--repeats", type=whole(1), default=5, metavar="N", help="of each measurement (default: 5)")
    add_seed(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Measures and prints."""
    targets = {text: load_target(text) for text in args.games or game_names()}
    starts = {target_text(target, text): start(target) for text, target in targets.items()}
    measured = []
    with progress() as bar:
        task = bar.add_task("bench", total=len(starts), note="")
        for name, state in starts.items():
            bar.update(task, note=name)
            measured.append({"game": name, **_measure(state, args)})
            bar.advance(task)
    if args.json:
        print(json.dumps({"treewise": __version__, "machine": _machine(), "games": measured}))
    else:
        _print(measured)
    return 0


def _measure(state: State, args: Namespace) -> dict[str, list[float]]:
    while state.current_player() == CHANCE:
        state.apply(state.legal_actions()[0])
    search = fitted(uct(), state.game).replace(limit=limit.Seconds(args.seconds))
    playouts = search.replace(evaluator=evaluator.Playouts(count=_BATCH))
    return {
        "simulations_per_second": _rates(search, state, args),
        "playouts_per_second": [_BATCH * rate for rate in _rates(playouts, state, args)],
    }


def _rates(search: Search, state: State, args: Namespace) -> list[float]:
    """A figure for each repeat, after a short run that is not counted."""
    search.replace(limit=limit.Seconds(args.seconds / 10)).run(state, args.seed)
    return [search.run(state, args.seed + repeat).stats.simulations_per_second for repeat in range(args.repeats)]


def _print(measured: list[dict[str, Any]]) -> None:
    columns = ("simulations/s", "(least to most)", "playouts/s", "(least to most)")
    listed = table("game", *columns, right=columns, title=f"{_machine()}; one thread")
    for row in measured:
        cells = [cell for key in ("simulations_per_second", "playouts_per_second") for cell in _spread(row[key])]
        listed.add_row(row["game"], *cells)
    console().print(listed)


def _spread(rates: list[float]) -> tuple[str, str]:
    return approximately(statistics.median(rates)), f"{approximately(min(rates))} to {approximately(max(rates))}"


def _machine() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()
