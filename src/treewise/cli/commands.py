"""Commands made from modules: the first line of a module is its help, its docstring and EXAMPLES are the long one."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from types import ModuleType
from typing import Any


def add_commands(commands: Any, modules: Iterable[ModuleType]) -> None:
    """One parser for each module, named by the last word of its name: `treewise.cli.gdl_check` makes `check`.

    What a module calls `run` is done; where it has none, one of its own commands is.
    """
    for module in modules:
        first_line = (module.__doc__ or "").split("\n", 1)[0].rstrip(".")
        command = commands.add_parser(
            module.__name__.rsplit(".", 1)[1].rsplit("_", 1)[-1],
            help=first_line[0].lower() + first_line[1:],
            description=module.__doc__,
            epilog=module.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.add_arguments(command)
        if hasattr(module, "run"):
            command.set_defaults(run=module.run)
