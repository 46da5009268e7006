"""Play the tables of a paper again and print our figures beside the published ones.

Everything is recorded in a store: Ctrl-C loses only the matches that are being played, and the same command goes on.
The quick version takes minutes and shows the large effects; the whole one takes hours.
"""

from __future__ import annotations

import itertools
import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from treewise import spec
from treewise.cli import lab, lab_run
from treewise.cli.output import console
from treewise.wording import shortened

EXAMPLES = """\
examples:
  treewise reproduce                                   which papers there are
  treewise reproduce quality-rewards --quick           all tables in small, under five minutes on two cores
  treewise reproduce td-mcts --quick                   ten video games, beside Table II of another one
  treewise reproduce ggp --quick                       fourteen rulesheets, beside Table 2 of the same paper
  treewise reproduce quality-rewards --minutes 60      an hour of the tables themselves; go on later
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("paper", metavar="PAPER", nargs="?", help="which; without it, what there is")
    parser.add_argument("--quick", action="store_true", help="fewer simulations and matches")
    lab.add_store(parser, "PAPER.sqlite")
    lab.add_run_options(parser)


def run(args: Namespace) -> int:
    """Plays what is missing, then shows what there is."""
    from treewise.lab.extra import extra
    from treewise.lab.papers import experiment_files, papers

    known = papers()
    if args.paper is None:
        console().print("\n".join(f"{name}: {', '.join(_names(folder))}" for name, folder in known.items()))
        return 0
    if args.paper not in known:
        raise ValueError(f"unknown paper '{shortened(args.paper)}'; {spec.suggest(args.paper, known)}")
    extra("statsmodels")  # for the tables at the end: not to be missed after hours
    store = args.store or Path(f"{args.paper}.sqlite")
    files = [file for file in experiment_files(known[args.paper], args.quick) if _at_hand(file, args.folder)]
    asked = _asked_for(args, files)
    given = vars(args) | {"store": store, "minutes": args.minutes and args.minutes / len(asked)}
    left = args.most
    for file, labels in asked.items():
        played = lab_run.play(Namespace(**given | labels | {"file": file, "most": left}))
        if played is None:
            return lab_run.INTERRUPTED
        left = left and left - played
        if left == 0:
            break
    _show(store, files)
    return 0


def _asked_for(args: Namespace, files: list[Path]) -> dict[Path, dict[str, list[str]]]:
    """The files that have what --games and --budget name, with those labels that they have.

    ValueError, before anything is played, if none of them has it.
    """
    from treewise.lab.document import read_document

    known = {
        file: [(entry.label, budget) for entry in read_document(file).games for budget in entry.budgets]
        for file in files
    }
    lab_run.check_labels(args, list(itertools.chain.from_iterable(known.values())))
    found = {}
    for file, pairs in known.items():
        wanted = [pair for pair in pairs if lab_run.asked_for(args, *pair)]
        if wanted:
            games, budgets = ({pair[place] for pair in wanted} for place in (0, 1))
            found[file] = {
                "games": [label for label in args.games if label in games],
                "budget": [label for label in args.budget if label in budgets],
            }
    if not found:
        raise ValueError("no table has one of these games with one of these budgets")
    return found


def _at_hand(file: Path, folder: Path | None) -> bool:
    """Whether the games of an experiment are part of the project, or their folder is known."""
    from treewise.lab.document import read_document

    variable = read_document(file).folder
    if not variable or folder or os.environ.get(variable):
        return True
    where = f"{file.stem} is left out: --folder or {variable} would say where its games are"
    console().print(where, soft_wrap=True)
    return False


def _show(store: Path, files: list[Path]) -> None:
    """All tables that the store has something of, also from earlier runs."""
    from treewise.lab import load
    from treewise.lab.document import read_document
    from treewise.lab.report import figures_beside_published, to_terminal
    from treewise.lab.store import Store

    out = console()
    with Store(store) as opened:
        stored = opened.names()
    for name in (read_document(file).name for file in files):
        if name not in stored:
            continue
        out.print(to_terminal(figures_beside_published(load(store, name))))
        out.print(f"Everything else: treewise lab report {store} --experiment {name}\n", soft_wrap=True)


def _names(folder: Path) -> list[str]:
    from treewise.lab.papers import experiment_files

    return [file.stem for quick in (True, False) for file in experiment_files(folder, quick)]
