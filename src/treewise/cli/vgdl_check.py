"""Say what is wrong with a VGDL description and its levels, and where, as a compiler does.

Errors keep a game from being loaded. Warnings are about what is left out or likely a slip. The exit status is 1 if
there is an error, and 2 if a file cannot be read.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from treewise.cli.options import add_json
from treewise.cli.output import console, count_findings, print_finding
from treewise.vgdl.compiler import compile_description, compile_level
from treewise.vgdl.files import description_path, read_text
from treewise.vgdl.finding import Finding, VGDLError
from treewise.vgdl.syntax import source_lines

EXAMPLES = """\
examples:
  treewise vgdl check mygame.txt                       the description by itself
  treewise vgdl check mygame.txt mygame_lvl*.txt       and its levels
  treewise vgdl check mygame.txt --strict              warnings fail as errors do
  treewise vgdl check mygame.txt --json                for programs
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the action takes."""
    parser.add_argument("file", metavar="FILE", help="a description: a file, or the name of a shipped game")
    parser.add_argument("levels", metavar="LEVEL", nargs="*", help="files of levels")
    parser.add_argument("--strict", action="store_true", help="exit with 1 for warnings too")
    parser.add_argument("--no-warnings", action="store_true", help="show errors only")
    add_json(parser)


def run(args: Namespace) -> int:
    """Checks the files and prints what was found."""
    path = description_path(args.file)
    texts = {str(file): read_text(file) for file in (path, *map(Path, args.levels))}
    found = [
        finding
        for finding in check(str(path), list(map(str, map(Path, args.levels))), texts)
        if finding.severity == "error" or not args.no_warnings
    ]
    counts: Counter[str] = Counter(finding.severity for finding in found)
    if args.json:
        print(json.dumps(list(map(asdict, found))))
    else:
        out = console()
        for finding in found:
            line = source_lines(texts[finding.file])[finding.line - 1] if finding.line else None
            print_finding(out, finding.file, finding, finding.message, line)
        out.print(count_findings(len(texts), counts))
    return int(counts["error"] > 0 or (args.strict and counts["warning"] > 0))


def check(file: str, levels: Sequence[str], texts: dict[str, str]) -> list[Finding]:
    """What there is to say about a description and, if it can be read at all, its levels."""
    try:
        description = compile_description(texts[file], file)
    except VGDLError as error:
        return error.findings
    found = list(description.findings)
    for level in levels:
        try:
            found += compile_level(description, texts[level], level)[1]
        except VGDLError as error:
            found += error.findings
    return found
