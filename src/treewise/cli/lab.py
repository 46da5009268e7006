"""Run experiments: matches by a file, recorded in a store that any later run continues.

The store is the file's name with .sqlite unless --store says another. Ctrl-C, a crash or a power cut lose only the
matches that were being played; the same command goes on with what is missing.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treewise.cli import lab_run, lab_status, lab_verify
from treewise.cli.options import add_seed, add_workers, duration, whole
from treewise.cli.output import console
from treewise.lab.toml_table import read_source
from treewise.wording import counted

if TYPE_CHECKING:
    from treewise.lab.report import Report

EXAMPLES = """\
examples:
  treewise lab run table.toml                          plays what is missing, on all cores
  treewise lab run table.toml --budget "1 s" --minutes 30
  treewise lab run table.toml --ray auto               on the Ray cluster that this machine belongs to
  treewise lab resume table.toml                       goes on after an interruption, as run does
  treewise lab status table.toml                       how far it is, and how it stands
  treewise lab report table.toml --output table.html   a page with plots
  treewise lab compare before.sqlite after.sqlite      does a later version differ?
  treewise lab compare one.toml two.toml --store both.sqlite
  treewise lab export table.toml --output table.parquet
  treewise lab export table.sqlite --full              all of it, in the small file table.npz
  treewise lab import table.npz                        and a store again, table.sqlite
  treewise lab verify table.toml --matches 200         does this engine still play them so?
  treewise lab rescue table.sqlite sound.sqlite        where the file was damaged
"""

FORMS = {"": "terminal", ".txt": "terminal", ".md": "markdown", ".html": "html", ".htm": "html"}
"""What endings of files say about the form of a report."""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _add_run(_add(commands, "run", "play what is missing of an experiment"))
    _add_run(_add(commands, "resume", "the same as run: play what is missing of an experiment"))
    _add_source(_add(commands, "status", "how far an experiment is, and how it stands"))
    shown = _add(commands, "report", "what the matches say")
    _add_source(shown)
    _add_output(shown)
    compare = _add(commands, "compare", "one experiment against another or a later one")
    _add_source(compare)
    compare.add_argument("other", metavar="OTHER", type=Path, help="another experiment file or store")
    compare.add_argument("--other-store", metavar="PATH", type=Path, help="OTHER's store (default: --store, if given)")
    compare.add_argument("--other-experiment", metavar="NAME", help="which of OTHER's (default: as --experiment)")
    _add_output(compare)
    export = _add(commands, "export", "one row a match, as CSV or Parquet; or the whole store, as an archive")
    _add_source(export)
    export.add_argument("--output", metavar="PATH", type=Path, help="ends in .csv or .parquet; with --full, in .npz")
    export.add_argument(
        "--full", action="store_true", help="the whole store, actions included (default: the store with .npz)"
    )
    imported = _add(commands, "import", "make a store of an archive that export --full has written")
    imported.add_argument("file", metavar="ARCHIVE", type=Path, help="the archive (.npz), which is only read")
    imported.add_argument(
        "target", metavar="NEW", type=Path, nargs="?", help="the store to write (default: ARCHIVE with .sqlite)"
    )
    verify = _add(commands, "verify", "play a sample of a store's matches again: do they come out the same?")
    _add_source(verify)
    add_workers(verify)
    verify.add_argument("--matches", type=whole(1), default=100, metavar="N", help="so many (default: 100)")
    add_seed(verify)
    verify.add_argument("--folder", metavar="PATH", type=Path, help="where the games' files are, if they are your own")
    rescue = _add(commands, "rescue", "copy what is sound of a damaged store to a new one")
    rescue.add_argument("file", metavar="STORE", type=Path, help="the damaged store, which is only read")
    rescue.add_argument("target", metavar="NEW", type=Path, help="the file to write")


def _add(commands: Any, name: str, text: str) -> ArgumentParser:
    """The parser of an action, with its own among the examples."""
    examples = [line for line in EXAMPLES.splitlines() if line.startswith(f"  treewise lab {name}")]
    parser: ArgumentParser = commands.add_parser(
        name,
        help=text,
        description=f"{text[0].upper()}{text[1:]}.",
        epilog="\n".join(["examples:", *examples]),
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    return parser


def _add_run(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the experiment file (TOML)")
    add_store(parser)
    add_run_options(parser)


def add_run_options(parser: ArgumentParser) -> None:
    """Who plays, which cells, and how long."""
    add_workers(parser)
    parser.add_argument("--budget", nargs="+", metavar="LABEL", default=[], help="only these budgets")
    parser.add_argument("--games", nargs="+", metavar="LABEL", default=[], help="only these games")
    parser.add_argument("--folder", metavar="PATH", type=Path, help="where the games' files are, if they are your own")
    stop = parser.add_mutually_exclusive_group()
    stop.add_argument("--most", type=whole(1), metavar="N", help="begin no more than so many matches")
    stop.add_argument("--minutes", type=duration("minutes"), metavar="M", help="begin no match after so many minutes")


def add_store(parser: ArgumentParser, default: str = "FILE with .sqlite") -> None:
    """Where the records are."""
    parser.add_argument("--store", metavar="PATH", type=Path, help=f"the store (default: {default})")


def _add_source(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="an experiment file, a store or an archive")
    add_store(parser, "FILE with .sqlite, or its archive")
    parser.add_argument("--experiment", metavar="NAME", help="which, if the store has several")


def _add_output(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--format", choices=("terminal", "markdown", "html"), help="how to show it (default: by PATH's ending)"
    )
    parser.add_argument(
        "--output", metavar="PATH", type=Path, help="write it there instead of printing it: a .html, .md or .txt file"
    )


def run(args: Namespace) -> int:
    """Does one of the actions."""
    actions: dict[str, Callable[[Namespace], int]] = {"report": report, "compare": _compare}
    actions |= dict.fromkeys(("run", "resume"), lab_run.run)
    actions |= {"status": lambda args: lab_status.run(*_source(args)), "export": _export}
    actions |= {"import": _import, "rescue": _rescue}
    actions |= {"verify": lambda args: lab_verify.run(args, *_source(args))}
    return actions[args.action](args)


def _source(args: Namespace) -> tuple[Path, str | None]:
    """The store and the experiment's name, from an experiment file or from the store itself."""
    return _store_and_name(args.file, args.store, args.experiment)


def _store_and_name(file: Path, store: Path | None, name: str | None) -> tuple[Path, str | None]:
    if file.suffix != ".toml":
        if store is not None:
            raise ValueError(f"--store is for experiment files: {file} is a store itself")
        return file, name
    from treewise.lab.document import read_document

    own = read_document(file).name
    if name not in (None, own):
        raise ValueError(f"{file} is the experiment '{own}', not '{name}': leave --experiment out, or name the store")
    store = store or _own_store(file)
    _tell_changes(file, store, own)
    return store, own


def _own_store(file: Path) -> Path:
    """The store of an experiment file, or its archive if only that is there."""
    from treewise.lab.database import ARCHIVE

    store, archive = file.with_suffix(".sqlite"), file.with_suffix(ARCHIVE)
    return archive if archive.is_file() and not store.exists() else store


def _tell_changes(file: Path, store: Path, name: str) -> None:
    """Says so if the file, or a Python file that it names, is no longer what the store has been asked by it."""
    from treewise.lab.archive import open_records
    from treewise.lab.own_sources import changed_files

    with open_records(store) as opened:
        source = opened.source(name)
        changed = changed_files(opened.experiment(name)) if name in opened.names() else []
    if source and source != read_source(file):
        changed.insert(0, str(file))
    for path in changed:
        note = f"{path} has changed since 'treewise lab run' last read it: what follows is by the file as it was then"
        print(note, file=sys.stderr)


def _export(args: Namespace) -> int:
    from treewise.lab.archive import write_archive
    from treewise.lab.database import ARCHIVE
    from treewise.lab.export import export

    store, name = _source(args)
    output = args.output or store.with_suffix(ARCHIVE)
    if args.full and args.experiment is not None:
        raise ValueError("--experiment does not go with --full, which writes the whole store: leave one of them out")
    if not args.full and args.output is None:
        raise ValueError("say where to: --output PATH, which ends in .csv or .parquet; or --full for the whole store")
    count = write_archive(store, output) if args.full else export(store, output, name)
    console().print(f"{counted(count, 'match')} written to {output}", soft_wrap=True)
    return 0


def _import(args: Namespace) -> int:
    from treewise.lab.archive import import_archive

    target = args.target or args.file.with_suffix(".sqlite")
    count = import_archive(args.file, target)
    console().print(f"{counted(count, 'match')} copied to {target}", soft_wrap=True)
    return 0


def _rescue(args: Namespace) -> int:
    from treewise.lab.rescue import rescue

    found = rescue(args.file, args.target)
    out = console()
    for line in found.left:
        out.print(f"left behind: {line}", soft_wrap=True)
    out.print(f"{counted(found.matches, 'match')} copied to {args.target}", soft_wrap=True)
    if found.left:
        out.print("What was left behind is played again by treewise lab run, with --store or the file renamed.")
    return 0


def report(args: Namespace) -> int:
    """Shows what an experiment's matches say."""
    from treewise.lab import load
    from treewise.lab.report import build

    store, name = _source(args)
    return _show(args, build(load(store, name)), args.file, store)


def _compare(args: Namespace) -> int:
    from treewise.lab import load
    from treewise.lab.report import compare

    first = _source(args)
    if args.other.suffix == ".toml":
        second = _store_and_name(args.other, args.other_store or args.store, args.other_experiment)
    else:
        second = _store_and_name(args.other, args.other_store, args.other_experiment or args.experiment)
    return _show(args, compare(load(*first), load(*second)), args.file, args.other, first[0], second[0])


def _form_of(output: Path | None) -> str:
    """The form that a file's ending asks for."""
    ending = output.suffix.lower() if output else ""
    if ending not in FORMS:
        known = ", ".join(name for name in FORMS if name)
        raise ValueError(f"--output {output}: a report ends in one of {known}; or say --format")
    return FORMS[ending]


def _show(args: Namespace, found: Report, *sources: Path) -> int:
    """Prints a report, or writes it to a file that is none of its sources, in the form asked for."""
    from treewise.lab.report import terminal_text, to_html, to_markdown, to_terminal
    from treewise.lab.written import check_output, replacing

    if args.output is not None:
        check_output(args.output, *sources)
    form = args.format or _form_of(args.output)
    if args.output is None and form == "terminal":
        console().print(to_terminal(found))
        return 0
    writers = {"terminal": terminal_text, "markdown": to_markdown, "html": to_html}
    text = writers[form](found)
    if args.output is None:
        print(text)
        return 0
    with replacing(args.output) as place:
        place.write_text(text, encoding="utf-8")
    return 0
