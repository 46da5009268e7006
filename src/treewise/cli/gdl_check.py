"""Say what is wrong with GDL rulesheets, and where, as a compiler does.

Errors break the standard: other programs may refuse the sheet, though treewise plays most of them (--play says how).
Warnings are about what is likely a slip. The exit status is 1 if there is an error, and 2 if a file cannot be read.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict

from rich.console import Console

from treewise.cli.options import add_json
from treewise.cli.output import console, count_findings, print_finding
from treewise.files import read_text, take
from treewise.gdl.language.repair import parse_for_play
from treewise.gdl.language.validate import Finding, validate
from treewise.gdl.load import MOST_BYTES
from treewise.gdl.syntax import GDLError, lines

EXAMPLES = """\
examples:
  treewise gdl check mygame.kif
  treewise gdl check sheets/*.kif --no-warnings        errors only
  treewise gdl check mygame.kif --strict               warnings fail as errors do
  treewise gdl check mygame.kif --play                 also how a player gets along with what is wrong
  treewise gdl check mygame.kif --json                 for programs
  cat mygame.kif | treewise gdl check -
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the action takes."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a rulesheet; - for standard input")
    parser.add_argument("--strict", action="store_true", help="exit with 1 for warnings too")
    parser.add_argument("--no-warnings", action="store_true", help="show errors only")
    parser.add_argument("--play", action="store_true", help="also show what is changed to play the sheet nevertheless")
    add_json(parser)


def run(args: Namespace) -> int:
    """Checks all files and prints what was found."""
    found: dict[str, list[Finding]] = {}
    out = console()
    for file in args.files:
        try:
            text = _read(file)
        except ValueError as error:
            print(f"treewise gdl check: {error}", file=sys.stderr)
            continue
        found[file] = _findings(text, args)
        if not args.json:
            _print(out, file, text, found[file])
    counts: Counter[str] = Counter(finding.severity for findings in found.values() for finding in findings)
    if args.json:
        print(json.dumps([{"file": file, "findings": list(map(asdict, found[file]))} for file in found]))
    elif found:
        out.print(count_findings(len(found), counts))
    if len(found) < len(set(args.files)):
        return 2
    return int(counts["error"] > 0 or (args.strict and counts["warning"] > 0))


def _findings(text: str, args: Namespace) -> list[Finding]:
    found = [finding for finding in validate(text) if finding.severity == "error" or not args.no_warnings]
    return found + (_playing(text) if args.play else [])


def _read(file: str) -> str:
    """The text; bytes that are no text become odd characters, which the checks point at."""
    if file != "-":
        return read_text(file, MOST_BYTES, "rulesheet")
    return take(sys.stdin.buffer, MOST_BYTES, "this is no rulesheet").decode("utf-8", errors="replace")


def _playing(text: str) -> list[Finding]:
    try:
        return parse_for_play(text)[1]
    except GDLError:
        return []  # the checks have said so


def _print(out: Console, file: str, text: str, findings: Iterable[Finding]) -> None:
    source = lines(text)
    for finding in findings:
        line = source[finding.line - 1] if finding.line else None
        print_finding(out, file, finding, f"{finding.message} [{finding.code}]", line)
