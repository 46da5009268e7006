"""Look for the best values of a search's parameters by matches against a base.

Write the search with names in braces where values are to be found, and give each name a --range:

  k=0.5:10        numbers from 0.5 to 10
  k=0.5:10:log    the same, with as many tries from 0.5 to 1 as from 5 to 10
  n=1:8:int       whole numbers
  p=uniform|mast  one of these texts, put into the search as they are

Each trial plays some values against the base, seats swapped in pairs, fewer matches if it looks hopeless. All matches
are kept in the store: after Ctrl-C, a crash or a power cut the same command goes on. More --trials or --confirm later
add to what is there. The win rate of the best trial is that of the luckiest as well: --confirm plays its values again
with fresh seeds, and only that interval is honest.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from treewise import spec
from treewise.cli.lab_run import make_executor, same_command, tell_left_behind
from treewise.cli.options import GAME_HELP, add_seed, add_workers, whole
from treewise.cli.output import console, progress, table
from treewise.wording import counted

if TYPE_CHECKING:
    from treewise.lab.candidates import Candidates
    from treewise.lab.ranges import Value
    from treewise.lab.tune import Progress, Trial, Tuning

EXAMPLES = """\
examples:
  treewise tune breakthrough "uct(c={c})" --against "uct(c=1)" --range c=0.1:3:log
  treewise tune "breakthrough(rows=6, columns=5)" "mcts(bonus=[relative_bonus(k={k}, a=0.25)])" --against mcts \\
           --range k=0.5:20:log --confirm 200 --plot k.svg
  treewise tune hex "mcts(selection=ucb1(c={c}), playout={p})" --against uct --range c=0.2:2 --range "p=uniform|mast" \\
           --budget "seconds(0.1)" --trials 50 --store hex.sqlite
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("game", metavar="GAME", help=GAME_HELP.rpartition(",")[0])
    parser.add_argument("search", metavar="SEARCH", help="the search, with {name} where a value is to be found")
    parser.add_argument("--against", metavar="SEARCH", required=True, help="the base that it plays against")
    parser.add_argument(
        "--range", type=_named, metavar="NAME=RANGE", action="append", default=[], help="the values of one name"
    )
    parser.add_argument(
        "--budget", default="simulations(1000)", metavar="LIMIT", help="of each action (default: simulations(1000))"
    )
    parser.add_argument("--trials", type=whole(1), default=30, metavar="N", help="values to try (default: 30)")
    parser.add_argument("--matches", type=_even, default=20, metavar="N", help="of each trial (default: 20)")
    parser.add_argument(
        "--confirm", type=_even, default=0, metavar="N", help="matches to measure the best (default: 0)"
    )
    parser.add_argument(
        "--opening", type=whole(0), default=0, metavar="N", help="random steps at the start (default: 0)"
    )
    parser.add_argument("--store", type=Path, default="tune.sqlite", metavar="PATH", help="(default: tune.sqlite)")
    parser.add_argument("--plot", type=Path, metavar="PATH", help="draw the win rates: ends in .svg or .png")
    add_workers(parser)
    add_seed(parser)


def _named(text: str) -> tuple[str, str]:
    name, equals, values = text.partition("=")
    if not equals or not name.isidentifier():
        raise ArgumentTypeError(f"'{text}' is not NAME=RANGE, such as k=0.5:10")
    return name, values


def _even(text: str) -> int:
    number = whole(0)(text)
    if number % 2:
        raise ArgumentTypeError(f"{number} is odd, but matches are played in pairs with swapped seats")
    return number


def run(args: Namespace) -> int:
    """Plays the trials and prints what they say."""
    out = console()
    try:
        tuning = _tune(args)
    except KeyboardInterrupt:
        out.print(f"stopped; what was finished is in {args.store}. To go on: {same_command()}", soft_wrap=True)
        return 130
    out.print(_table(tuning))
    for line in _verdict(tuning):
        out.print(line, soft_wrap=True)
    if args.plot is not None:
        from treewise.lab.tune_plot import draw

        draw(tuning, args.plot)
        out.print(f"The win rates are drawn in {args.plot}.", soft_wrap=True)
    return 0


def _tune(args: Namespace) -> Tuning:
    from treewise.lab import tune
    from treewise.lab.tune_plot import check_picture

    if args.plot is not None:
        check_picture(args.plot)
    candidates = _candidates(args)
    extremes = candidates.extremes()
    tell_left_behind(args.store, extremes)
    executor = make_executor(args, extremes)
    try:
        with _bar(args) as report:
            counts = {"trials": args.trials, "matches": args.matches, "confirm": args.confirm}
            return tune(candidates, args.store, executor, **counts, report=report)
    finally:
        executor.close()


def _candidates(args: Namespace) -> Candidates:
    from treewise.lab import Candidates

    ranges = dict(args.range)
    if len(ranges) < len(args.range):
        raise ValueError("a name has two ranges: give one")
    options = {"budget": args.budget, "seed": args.seed, "opening": args.opening}
    return Candidates(args.game, args.search, args.against, ranges, **options)


@contextmanager
def _bar(args: Namespace) -> Iterator[Callable[[Progress], None]]:
    with progress() as bar:
        task = bar.add_task("tune", total=args.trials * args.matches + args.confirm, note="")

        def report(now: Progress) -> None:
            best = f"best {_percent(now.best.rate)} at {_values(now.best)}" if now.best else ""
            bar.update(task, completed=len(now.finished) * args.matches + now.played, note=best)

        yield report


def _table(tuning: Tuning) -> object:
    names = list(tuning.candidates.ranges)
    numbers = (*names, "trial", "matches", "win rate")
    title = f"{tuning.candidates.search} against {tuning.candidates.against}"
    rows = table("trial", *names, "matches", "win rate", "95 % interval", "", title=title, right=numbers)
    for trial in tuning.ranking:
        note = "stopped early" if trial.stopped else ""
        rows.add_row(str(trial.number), *map(_value, trial.values.values()), *_measured(trial), note)
    if tuning.confirmation:
        again = tuning.confirmation
        rows.add_row("best", *map(_value, again.values.values()), *_measured(again), "confirmation")
    return rows


def _measured(trial: Trial) -> tuple[str, str, str]:
    return str(len(trial.scores)), _percent(trial.rate), _interval(trial)


def _verdict(tuning: Tuning) -> list[str]:
    best, again = tuning.best, tuning.confirmation
    optimistic = f"{_percent(best.rate)} of its trial is optimistic: the best of many is lucky as well as good."
    if again is None:
        honest = f"The {optimistic} Add --confirm 200 to measure it with fresh seeds."
    else:
        rate = f"{_percent(again.rate)} ({_interval(again)})"
        honest = f"In {counted(len(again.scores), 'match')} with fresh seeds it wins {rate}. The {optimistic}"
    return [f"Best of {len(tuning.trials)} trials: {_values(best)}, as in {best.text}", honest]


def _values(trial: Trial) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in trial.values.items())


def _value(value: Value) -> str:
    return value if isinstance(value, str) else spec.write(value)


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def _interval(trial: Trial) -> str:
    low, high = trial.interval
    return f"{_percent(low)} to {_percent(high)}"
