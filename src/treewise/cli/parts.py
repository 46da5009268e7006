"""List the parts that searches are made of, or describe one.

Each part is one published technique; `mcts(selection=…, playout=…, …)` puts them together.
"""

from __future__ import annotations

import inspect
import math
from argparse import ArgumentParser, Namespace
from dataclasses import Field, fields
from typing import Any

from rich.console import Console

from treewise import spec
from treewise.cli.output import console, table
from treewise.compositions import PRESETS
from treewise.part import Part, default_of, part_classes, to_text_value
from treewise.search import Search
from treewise.wording import shortened

EXAMPLES = """\
examples:
  treewise parts                           everything, by family
  treewise parts playout                   one family
  treewise parts mast                      one part: parameters, source, how it is written
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="a part, a family, or a ready search")


def run(args: Namespace) -> int:
    """Prints the list, a family, or every part of the name."""
    families = part_classes()
    out = console()
    if args.name is None or args.name in families.keys() - {Search.family}:
        _print_list(out, families if args.name is None else {args.name: families[args.name]})
        return 0
    found = [parts[args.name] for parts in families.values() if args.name in parts]
    for part in found:
        _print_part(out, part)
    if args.name in PRESETS:
        out.print(f"{args.name}: {_summary(PRESETS[args.name])}\n  = {PRESETS[args.name]().text(full=True)}")
    elif not found:
        known = {*families, *PRESETS, *(name for parts in families.values() for name in parts)}
        raise ValueError(f"unknown part '{shortened(args.name)}'; {spec.suggest(args.name, known)}")
    return 0


def _print_list(out: Console, families: dict[str, dict[str, type[Part]]]) -> None:
    listed = table("family", "part", "what it does", "source")
    for family, parts in families.items():
        for index, (name, part) in enumerate(parts.items()):
            last = index == len(parts) - 1
            listed.add_row(family if index == 0 else "", name, _summary(part), part.citation, end_section=last)
    if len(families) > 1:
        for index, (name, preset) in enumerate(PRESETS.items()):
            listed.add_row("ready" if index == 0 else "", name, _summary(preset), "")
    out.print(listed)
    out.print("treewise parts NAME shows the parameters of one.")


def _print_part(out: Console, part: type[Part]) -> None:
    out.print(f"{part.name} ({part.family})\n")
    out.print(_prose(part) + "\n")
    if part.citation:
        out.print(f"source: {part.citation}")
    if part.needs:
        out.print(f"needs of the game: {', '.join(part.needs)}")
    if fields(part):
        listed = table("parameter", "default", "allowed", "meaning")
        for declared in fields(part):
            listed.add_row(declared.name, _default(part, declared), _allowed(declared), declared.metadata["help"])
        out.print(listed)
    else:
        out.print("No parameters.")
    out.print("")


def _summary(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").split("\n", 1)[0]


def _prose(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").split(">>>", 1)[0].strip()


def _default(part: type[Part], declared: Field[Any]) -> str:
    return spec.write(to_text_value(part.name, declared.name, default_of(declared), False))


def _allowed(declared: Field[Any]) -> str:
    rules, default = declared.metadata, default_of(declared)
    if rules["family"]:
        return ("parts, family " if rules["many"] else "a part, family ") + str(rules["family"])
    if isinstance(default, str):
        return ", ".join(rules["choices"])
    if isinstance(default, bool):
        return "True, False"
    unbounded = math.isinf(rules["low"]) and math.isinf(rules["high"])
    number = "any number" if unbounded else f"{rules['low']:g} to {rules['high']:g}"
    return ", ".join([number, *map(repr, rules["choices"])])
