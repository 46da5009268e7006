"""`treewise lab verify`: does the present engine still play a store's matches as they were played?"""

from __future__ import annotations

from argparse import Namespace
from contextlib import chdir, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from treewise.cli import lab_run
from treewise.cli.output import console, progress, table
from treewise.wording import counted

if TYPE_CHECKING:
    from treewise.lab.verify import Replays

_COLUMNS = ("version", "matches", "repeatable", "replayed", "the same")


def run(args: Namespace, store: Path, name: str | None) -> int:
    """Prints one row for each version; the status says whether all came out the same."""
    from treewise.lab.document import read_document
    from treewise.lab.verify import verify

    store = store.absolute()
    folder = lab_run.games_folder(args, read_document(args.file).folder if args.file.suffix == ".toml" else "")
    with chdir(folder) if folder else nullcontext():  # before any worker process starts: they stay where they began
        executor = lab_run.make_executor(args, [])
        try:
            with progress() as bar:
                task = bar.add_task("replayed", total=args.matches, note="")
                found = verify(
                    store, executor, args.matches, args.seed, name, lambda done: bar.update(task, completed=done)
                )
        finally:
            executor.close()
    _print(found)
    return 0 if all(each.same == each.replayed for each in found) else 1


def _print(found: list[Replays]) -> None:
    out = console()
    rows = table(*_COLUMNS, right=_COLUMNS[1:])
    for each in found:
        rows.add_row(each.version, *(f"{n:,}" for n in (each.matches, each.repeatable, each.replayed, each.same)))
    out.print(rows)
    replayed, same = sum(each.replayed for each in found), sum(each.same for each in found)
    out.print(f"{same:,} of {counted(replayed, 'match')} came out the same.")
    changed = sum(each.matches for each in found if each.same < each.replayed)
    if changed:
        out.print(f"{counted(changed, 'match')} were played by versions that no longer replay.", soft_wrap=True)
    first = next((other for each in found for other in each.others), None)
    if first is not None:
        match, why = first
        out.print(f"The first that did not ({why}): {match.call()}", soft_wrap=True, highlight=False)
