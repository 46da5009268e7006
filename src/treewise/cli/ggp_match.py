"""Run matches of players over HTTP, and of built-in ones, by a rulesheet.

A player is host:port, random, legal (its first legal move), flat (flat Monte Carlo), or a search. In a game for two all
meet all, seats swapped; in a game for one each plays alone; in a game for more there is one for each role.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from treewise.cli.options import add_json, add_seed, whole
from treewise.cli.output import console, progress, table
from treewise.wording import counted

if TYPE_CHECKING:
    from treewise.ggp.record import Record
    from treewise.ggp.standings import Standing
    from treewise.ggp.tournament import Finished, Tournament

EXAMPLES = """\
examples:
  treewise ggp match tic_tac_toe --players cadia random --start-clock 1 --play-clock 2
  treewise ggp match mygame.kif --players localhost:9147 "uct(simulations=5000)" --matches 10 --record records
  treewise ggp match hidden_coin --players localhost:9147 --matches 10 --json
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("sheet", metavar="SHEET", help="a rulesheet (GDL): a file, or the name of a shipped one")
    parser.add_argument("--players", nargs="+", metavar="PLAYER", required=True, help="who plays (see above)")
    clock = whole(1, 10**6)
    parser.add_argument("--start-clock", type=clock, default=30, metavar="S", help="before the first (default: 30)")
    parser.add_argument("--play-clock", type=clock, default=15, metavar="S", help="for each move (default: 15)")
    parser.add_argument("--matches", type=whole(1), default=1, metavar="N", help="of each meeting (default: 1)")
    add_seed(parser)
    parser.add_argument("--scramble", action="store_true", help="send made-up words in place of names")
    failed = "what is played for who gives no legal move in time (default: random)"
    parser.add_argument("--failed", choices=("random", "first"), default="random", help=failed)
    parser.add_argument("--longest", type=whole(1), default=1000, metavar="N", help="steps of a match (default: 1000)")
    parser.add_argument("--record", metavar="FOLDER", type=Path, help="write one JSON file for each match")
    parser.add_argument("--store", metavar="PATH", type=Path, help="a laboratory's store to add the results to")
    add_json(parser)


def run(args: Namespace) -> int:
    """Plays the matches and prints how they went; 1 if none could be finished."""
    from treewise.ggp.entrants import read_entrant
    from treewise.ggp.match_server import Conditions, read_rules
    from treewise.ggp.standings import standings
    from treewise.ggp.tournament import Tournament
    from treewise.lab.extra import extra

    extra("statsmodels")  # before hours of matches, not after them
    entrants = [read_entrant(text) for text in args.players]
    conditions = Conditions(args.start_clock, args.play_clock, args.scramble, args.failed, args.longest)
    tournament = Tournament(read_rules(args.sheet), entrants, conditions, args.matches, args.seed)
    finished = _play(args, tournament)
    rows = standings(tournament, finished)
    if args.json:
        print(json.dumps([_plain(row) for row in rows]))
    else:
        _print(console(), tournament, finished, rows)
    return 0 if finished else 1


def _play(args: Namespace, tournament: Tournament) -> list[Finished]:
    from treewise.ggp.tournament import play_tournament

    with progress() as bar:
        task = bar.add_task(tournament.rules.name, total=sum(1 for _ in tournament.planned()), note="")

        def step(record: Record) -> None:
            bar.update(task, note=f"step {len(record.moves)}: {' '.join(record.moves[-1])}"[:60])

        def finished(match: Finished) -> None:
            bar.update(task, advance=1, note=f"goals {' '.join(f'{goal:.0f}' for goal in match.goals)}")

        return play_tournament(tournament, args.store, args.record, finished, step)


def _print(out: Console, tournament: Tournament, finished: list[Finished], rows: list[Standing]) -> None:
    planned = sum(1 for _ in tournament.planned())
    columns = ["player", "against", "W", "D", "L", "score %", "goals", "faults", "slowest s"]
    made = table(
        *columns,
        title=f"{tournament.rules.name}: {len(finished):,} of {counted(planned, 'match')}",
        right=(*columns[2:],),
    )
    for row in rows:
        counts = [""] * 4 if row.tally is None or row.score is None else [*map(str, row.tally), row.score.text()]
        made.add_row(row.entrant, row.against, *counts, _goals(row), str(row.failures), f"{row.slowest:.2f}")
    out.print(made)
    if len(finished) < planned:
        out.print(f"Called off, because the rules did not let them end: {planned - len(finished)}.")
    if len(finished) == 1 and (record := finished[0].record) is not None:
        out.print(
            f"{counted(len(record.moves), 'step')}; goals " + ", ".join(map("{} {}".format, record.roles, record.goals))
        )


def _goals(row: Standing) -> str:
    low, high = row.goals.low, row.goals.high
    if row.goals.low == float("-inf"):
        return f"{row.goals.value:.1f}"
    return f"{row.goals.value:.1f} ({low:.1f} to {high:.1f})"


def _plain(row: Standing) -> dict[str, Any]:
    bounded = row.goals.low != float("-inf")
    wins, draws, losses = row.tally or (None, None, None)
    return {
        "player": row.entrant,
        "against": row.against,
        "matches": row.matches,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "score": None if row.score is None else [row.score.value, row.score.low, row.score.high],
        "goals": [row.goals.value, *([row.goals.low, row.goals.high] if bounded else [None, None])],
        "faults": row.failures,
        "slowest": row.slowest,
    }
