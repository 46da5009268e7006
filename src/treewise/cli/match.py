"""Let two searches play matches and say which is better, with the confidence that the number of matches gives.

Seats are swapped in pairs that share a seed. A draw counts half. The interval of the win rate is Wilson's, at 95 %.
Ctrl-C stops and shows what was played so far.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from rich.console import Console

from treewise import parallel
from treewise.cli.options import (
    SEARCH_HELP,
    add_game,
    add_json,
    add_limit,
    add_seed,
    asked_limit,
    fitted,
    load_target,
    read_search,
    start,
    target_text,
    whole,
)
from treewise.cli.output import console, progress, table
from treewise.comparison import Comparison, ComparisonInterrupted, Encounter, compare
from treewise.compositions import parse_search
from treewise.game import Game, State
from treewise.limit import Simulations
from treewise.processes import cores
from treewise.search import Search
from treewise.wording import approximately, counted

EXAMPLES = """\
examples:
  treewise match                                      enhanced against uct on breakthrough, 100 matches
  treewise match breakthrough "uct(c=0.7)" "uct(c=1.4)" --matches 400
  treewise match "breakthrough(rows=6)" "mcts(playout=mast)" uct --seconds 0.1
  treewise match "pig(players=3)" enhanced uct --processes 1 --seed 7 --json
"""

_DEFAULTS = ("enhanced", "uct")
_SIMULATIONS = 1000


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_game(parser, "breakthrough")
    for name, default in zip(("a", "b"), _DEFAULTS, strict=True):
        parser.add_argument(name, metavar=name.upper(), nargs="?", help=f"{SEARCH_HELP} (default: {default})")
    parser.add_argument("--matches", type=whole(1), default=100, metavar="N", help="how many (default: 100)")
    add_limit(parser, f"{_SIMULATIONS}, or what the search says")
    parser.add_argument(
        "--opening", type=whole(0), default=0, metavar="N", help="random steps at the start (default: 0)"
    )
    parser.add_argument(
        "--processes", type=whole(1, 1024), metavar="K", help="matches at a time (default: one for each core)"
    )
    add_seed(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Plays the matches and prints the answer."""
    target = load_target(args.game)
    game = start(target).game
    a, b = (_entrant(args, name, game, default) for name, default in zip(("a", "b"), _DEFAULTS, strict=True))
    status = 0
    with progress() as bar:
        task = bar.add_task(game.name, total=args.matches, note="")
        score = _RunningScore()

        def report(encounter: Encounter) -> None:
            bar.update(task, advance=1, note=score.after(encounter))

        try:
            options = {"matches": args.matches, "seed": args.seed, "opening": args.opening}
            comparison = compare(target, a, b, **options, processes=_processes(args, target, a, b), report=report)
        except ComparisonInterrupted as error:
            comparison, status = error.comparison, 130
    if args.json:
        print(json.dumps(comparison.to_dict() | {"game": target_text(target, args.game)}))
    else:
        _print(console(), args, target_text(target, args.game), comparison)
    return status


class _RunningScore:
    """The note beside the progress bar."""

    def __init__(self) -> None:
        self.sum, self.count = 0.0, 0

    def after(self, encounter: Encounter) -> str:
        """The score, this match included."""
        self.sum, self.count = self.sum + encounter.score, self.count + 1
        return f"A {100 * self.sum / self.count:.1f} %"


def _entrant(args: Namespace, name: str, game: Game, default: str) -> Search:
    given = getattr(args, name)
    if given is not None:
        return read_search(given, args, Simulations(_SIMULATIONS))
    return fitted(parse_search(default), game).replace(limit=asked_limit(args) or Simulations(_SIMULATIONS))


def _processes(args: Namespace, target: Game | State, *entrants: Search) -> int:
    """What was asked for, or one for each core if every search has one thread; a position has no text form."""
    if args.processes is not None:
        return int(args.processes)
    alone = all(isinstance(entrant.parallel, parallel.One) for entrant in entrants)
    return min(cores(), args.matches) if alone and isinstance(target, Game) else 1


def _print(out: Console, args: Namespace, game: str, comparison: Comparison) -> None:
    if comparison.matches == 0:
        out.print("no match was finished")
        return
    low, high = comparison.interval
    rows = table(
        "", "A", "B", title=f"{game}: {comparison.matches:,} of {counted(args.matches, 'match')}", right=("A", "B")
    )
    rows.add_row("wins", str(comparison.wins), str(comparison.losses))
    rows.add_row("draws", str(comparison.draws), str(comparison.draws))
    rows.add_row("win rate, draws half", _percent(comparison.win_rate), _percent(1 - comparison.win_rate))
    rows.add_row(
        "95 % interval", f"{_percent(low)} to {_percent(high)}", f"{_percent(1 - high)} to {_percent(1 - low)}"
    )
    _add_seats(rows, comparison)
    rows.add_row("mean return", f"{comparison.mean_return(0):+.3f}", f"{comparison.mean_return(1):+.3f}")
    speeds = [approximately(comparison.simulations_per_second(entrant)) for entrant in (0, 1)]
    rows.add_row("simulations a second", *speeds)
    out.print(f"A: {comparison.a}\nB: {comparison.b}\n")
    out.print(rows)
    cut = f"; {comparison.cut} cut at the game's longest length" if comparison.cut else ""
    out.print(f"A match had {comparison.mean_length:.1f} steps on average{cut}. Seed {comparison.seed}.")
    out.print(f"Verdict: {comparison.verdict}.", style="bold")


def _add_seats(rows: Any, comparison: Comparison) -> None:
    """The win rate of each search in each seat; the two of a row are not of the same matches."""
    own = comparison.seat_rates
    other = comparison.swapped().seat_rates
    for seat, (a, b) in enumerate(zip(own, other, strict=True)):
        cells = [f"{_percent(rate)} of {count}" if count else "" for count, rate in (a, b)]
        rows.add_row(f"… as player {seat}", *cells)


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"
