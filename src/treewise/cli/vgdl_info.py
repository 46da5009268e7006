"""Show what a VGDL game consists of: sprites, rules, actions and sizes."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.table import Table

from treewise.cli.options import add_json, whole
from treewise.cli.output import console, table
from treewise.vgdl.compiler import compile_description, compile_level
from treewise.vgdl.files import description_path, level_path, read_text
from treewise.vgdl.program import Direction, Effect, Program, SpriteType
from treewise.vgdl.rules import EOS, TIME
from treewise.vgdl.vocabulary import CATEGORIES, COMMON

EXAMPLES = """\
examples:
  treewise vgdl info zelda
  treewise vgdl info zelda --level 3
  treewise vgdl info mygame.txt mylevel.txt --json
"""


_NO_LIMIT = ("limitHealthPoints", COMMON["limitHealthPoints"].default)


def add_arguments(parser: ArgumentParser) -> None:
    """What the action takes."""
    parser.add_argument("file", metavar="GAME", help="the name of a shipped game, or a file with a description")
    parser.add_argument("level_file", metavar="LEVEL", nargs="?", help="a file with a level")
    parser.add_argument("--level", type=whole(0), default=0, metavar="K", help="GAME_lvlK.txt instead (default: 0)")
    add_json(parser)


def run(args: Namespace) -> int:
    """Prints tables, or JSON."""
    path = description_path(args.file)
    level_file = Path(args.level_file) if args.level_file else level_path(path, args.level)
    description = compile_description(read_text(path), str(path))
    program = description.program(compile_level(description, read_text(level_file), str(level_file))[0])
    if args.json:
        print(json.dumps(asdict(program)))
        return 0
    out = console()
    for shown in (_sizes(program), _types(program), _rules(program), _ends(program)):
        out.print(shown)
    return 0


def _sizes(program: Program) -> Table:
    made = table("property", "value")
    names = [kind.name for kind in program.types]
    made.add_row("level", f"{program.width} by {program.height} cells of {program.block} pixels")
    made.add_row("sprites at the start", f"{len(program.sprites):,}")
    made.add_row("actions", ", ".join(action.name for action in program.actions))
    made.add_row("update order", ", ".join(names[kind] for kind in program.update_order))
    return made


def _types(program: Program) -> Table:
    made = table("id", "sprite", "class", "category", "in the level", "parameters", title="sprites", right=("id",))
    counts = [sum(kind == each for kind, _, _ in program.sprites) for each in range(len(program.types))]
    for number, kind in enumerate(program.types):
        name = "  " * len(kind.ancestors) + kind.name
        seen = "hidden" if kind.hidden else CATEGORIES[kind.category]
        row = (kind.kind, seen, str(counts[number] or "")) if kind.leaf else (kind.kind and f"({kind.kind})", "", "")
        made.add_row(str(number), name, *row, _parameters(kind, program) if kind.leaf else "")
    return made


def _parameters(kind: SpriteType, program: Program) -> str:
    said = [f"speed={kind.speed:g}"] if kind.speed else []
    said += [f"cooldown={kind.cooldown}"] if kind.cooldown > 1 else []
    said += [f"orientation={kind.orientation.name}"] if kind.orientation != Direction.NONE else []
    said += ["singleton=True"] if kind.singleton else []
    return " ".join(said + _values(kind, program))


def _rules(program: Program) -> Table:
    made = table("first", "second", "effects", title="interactions, in order")
    for alone, rules in ((TIME, program.time_rules), (EOS, program.edge_rules), ("", program.pairs)):
        for pair in rules:
            effects = "\n".join(_effect(effect, program) for effect in pair.effects)
            made.add_row(program.types[pair.first].name, alone or program.types[pair.second].name, effects)
    return made


def _ends(program: Program) -> Table:
    made = table("termination", "parameters", "result", title="terminations, in order")
    for end in program.terminations:
        made.add_row(end.kind, " ".join(_values(end, program)), "won" if end.win else "lost")
    return made


def _effect(effect: Effect, program: Program) -> str:
    words = [f"{key}={word}" for key, word in effect.words.items()]
    score = [f"scoreChange={effect.score}"] if effect.score else []
    return " ".join([effect.name, *_values(effect, program), *words, *score])


def _values(part: Any, program: Program) -> list[str]:
    """Parameters as they are written; what changes nothing is left out."""
    types = [f"{key}={','.join(program.types[kind].name for kind in kinds)}" for key, kinds in part.types.items()]
    return types + [
        f"{key}={number:g}" for key, number in part.numbers.items() if number and (key, number) != _NO_LIMIT
    ]
