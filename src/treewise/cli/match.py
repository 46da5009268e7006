"""Let two searches play matches and say which is better, with the confidence that the number of matches gives.

Plays at equal simulations and at equal time, side by side: a part that makes each simulation better, and dearer, may
win the one and lose the other. --simulations or --seconds alone asks for one of the two.

Seats are swapped in pairs that share a seed. A draw counts half. The interval of the win rate is Wilson's, at 95 %.
Ctrl-C stops and shows what was played so far.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from treewise import parallel
from treewise.cli.options import (
    SEARCH_HELP,
    add_game,
    add_json,
    add_seed,
    duration,
    fitted,
    has_limit,
    load_target,
    start,
    target_text,
    whole,
)
from treewise.cli.output import console, progress, table
from treewise.comparison import Comparison, ComparisonInterrupted, Encounter, compare
from treewise.compositions import parse_search
from treewise.game import Game, State
from treewise.limit import CpuSeconds, Limit, Seconds, Simulations
from treewise.processes import cores
from treewise.remarks import few
from treewise.search import Search
from treewise.wording import approximately, counted

EXAMPLES = """\
examples:
  treewise match                                      enhanced against uct on breakthrough, twice 100 matches
  treewise match breakthrough "uct(c=0.7)" "uct(c=1.4)" --matches 400
  treewise match "breakthrough(rows=6)" "mcts(playout=mast)" uct --seconds 0.1
  treewise match "pig(players=3)" enhanced uct --processes 1 --seed 7 --json
"""

_DEFAULTS = ("enhanced", "uct")
_SIMULATIONS, _SECONDS = 1000, 0.01


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_game(parser, "breakthrough")
    for name, default in zip(("a", "b"), _DEFAULTS, strict=True):
        parser.add_argument(name, metavar=name.upper(), nargs="?", help=f"{SEARCH_HELP} (default: {default})")
    parser.add_argument("--matches", type=whole(1), default=100, metavar="N", help="how many (default: 100)")
    default = f"both, with {_SIMULATIONS} simulations and {_SECONDS} s of the processor, or what the searches say"
    parser.add_argument(
        "--simulations",
        type=whole(1, 2**60),
        metavar="N",
        help=f"equal simulations for each action (default: {default})",
    )
    parser.add_argument("--seconds", type=duration("seconds"), metavar="S", help="equal time for each action")
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
    state = start(target)
    played, status = [], 0
    with progress() as bar:
        for condition in _conditions(args):
            a, b = (_entrant(args, place, state.game, condition) for place in (0, 1))
            task = bar.add_task(f"{state.game.name}, {condition.name}", total=args.matches, note="")
            score = _RunningScore()

            def report(encounter: Encounter, task: Any = task, score: _RunningScore = score) -> None:
                bar.update(task, advance=1, note=score.after(encounter))

            options = {"matches": args.matches, "seed": args.seed, "opening": args.opening}
            processes = _processes(args, target, a, b)
            try:
                comparison = compare(target, a, b, **options, processes=processes, report=report)
            except ComparisonInterrupted as error:
                comparison, status = error.comparison, 130
            played.append((condition, comparison))
            if status:
                break
    if args.json:
        print(_json(target_text(target, args.game), [comparison for _, comparison in played]))
    else:
        _print(console(), args, target_text(target, args.game), state, played)
    return status


@dataclass(frozen=True)
class _Condition:
    """What both searches get for each action; what a text says counts more."""

    name: str
    limit: Limit


def _conditions(args: Namespace) -> list[_Condition]:
    """What was asked for; without that both, unless a search says itself how long it searches."""
    simulations, seconds = args.simulations, args.seconds
    equal_time: Limit = CpuSeconds(_SECONDS) if seconds is None else Seconds(seconds)
    both = [
        _Condition(f"{simulations or _SIMULATIONS:,} simulations", Simulations(simulations or _SIMULATIONS)),
        _Condition(f"{_SECONDS if seconds is None else seconds:g} s", equal_time),
    ]
    if simulations is None and seconds is None:
        limited = any(text and has_limit(text, parse_search(text)) for text in (args.a, args.b))
        return both[:1] if limited else both
    return [condition for condition, asked in zip(both, (simulations, seconds), strict=True) if asked is not None]


def _entrant(args: Namespace, place: int, game: Game, condition: _Condition) -> Search:
    given = (args.a, args.b)[place]
    if given is None:
        return fitted(parse_search(_DEFAULTS[place]), game).replace(limit=condition.limit)
    asked = args.simulations is not None or args.seconds is not None
    search = parse_search(given)
    return search if has_limit(given, search) and not asked else search.replace(limit=condition.limit)


class _RunningScore:
    """The note beside the progress bar."""

    def __init__(self) -> None:
        self.sum, self.count = 0.0, 0

    def after(self, encounter: Encounter) -> str:
        """The score, this match included."""
        self.sum, self.count = self.sum + encounter.score, self.count + 1
        return f"A {100 * self.sum / self.count:.1f} %"


def _processes(args: Namespace, target: Game | State, *entrants: Search) -> int:
    """What was asked for, or one for each core if every search has one thread; a position has no text form."""
    if args.processes is not None:
        return int(args.processes)
    alone = all(isinstance(entrant.parallel, parallel.One) for entrant in entrants)
    return min(cores(), args.matches) if alone and isinstance(target, Game) else 1


def _json(game: str, comparisons: list[Comparison]) -> str:
    """The first comparison, and in it that at equal time where both were made."""
    first, *rest = (comparison.to_dict() | {"game": game} for comparison in comparisons)
    return json.dumps(first | ({"equal_time": rest[0]} if rest else {}))


Played = list[tuple[_Condition, Comparison]]


def _print(out: Console, args: Namespace, game: str, state: State, played: Played) -> None:
    played = [(condition, comparison) for condition, comparison in played if comparison.matches]
    if not played:
        out.print("no match was finished")
        return
    alone = len(played) == 1
    columns = ["A", "B"] if alone else [f"{who}, {condition.name}" for condition, _ in played for who in "AB"]
    finished = " and ".join(f"{comparison.matches:,}" for _, comparison in played)
    rows = table("", *columns, title=f"{game}: {finished} of {counted(args.matches, 'match')}", right=tuple(columns))
    for cells in zip(*(_cells(comparison) for _, comparison in played), strict=True):
        rows.add_row(cells[0][0], *(cell for _, *pair in cells for cell in pair))
    first = played[0][1]
    for name, text in (("A", first.a), ("B", first.b)):
        out.print(f"{name}: {text if alone or not text else parse_search(text).replace(limit=Search().limit).text()}")
    out.print()
    out.print(rows)
    for condition, comparison in played:
        cut = f"; {comparison.cut} cut at the game's longest length" if comparison.cut else ""
        where = "" if alone else f" at {condition.name}"
        out.print(f"A match{where} had {comparison.mean_length:.1f} steps on average{cut}. Seed {comparison.seed}.")
        for entrant, name in enumerate("AB"):
            if remark := _few(comparison, entrant, state):
                out.print(f"{name}{where}: {remark}.")
    for condition, comparison in played:
        where = "" if alone else f" at {condition.name}"
        out.print(f"Verdict{where}: {comparison.verdict}.", style="bold")


def _few(comparison: Comparison, entrant: int, state: State) -> str:
    """Whether it makes too few simulations for the actions at the start."""
    if state.current_player() < 0:
        return ""
    simulations, moves = (
        sum(encounter.total(what, entrant) for encounter in comparison.encounters) for what in ("simulations", "moves")
    )
    return few(simulations / moves, len(state.legal_actions())) if moves else ""


def _cells(comparison: Comparison) -> list[tuple[str, str, str]]:
    """The rows of a comparison: a title, A's figure and B's."""
    low, high = comparison.interval
    draws, rate = str(comparison.draws), comparison.win_rate
    speeds = [approximately(comparison.simulations_per_second(entrant)) for entrant in (0, 1)]
    return [
        ("wins", str(comparison.wins), str(comparison.losses)),
        ("draws", draws, draws),
        ("win rate, draws half", _percent(rate), _percent(1 - rate)),
        ("95 % interval", _interval(low, high), _interval(1 - high, 1 - low)),
        *_seat_cells(comparison),
        ("mean return", f"{comparison.mean_return(0):+.3f}", f"{comparison.mean_return(1):+.3f}"),
        ("simulations a second", speeds[0], speeds[1]),
    ]


def _seat_cells(comparison: Comparison) -> list[tuple[str, str, str]]:
    """The win rate of each search in each seat; the two of a row are not of the same matches."""
    cells = []
    for seat, pair in enumerate(zip(comparison.seat_rates, comparison.swapped().seat_rates, strict=True)):
        a, b = (f"{100 * rate:.3g} % of {count}" if count else "" for count, rate in pair)
        cells.append((f"… as player {seat}", a, b))
    return cells


def _interval(low: float, high: float) -> str:
    return f"{100 * low:.1f}–{100 * high:.1f} %"


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"
