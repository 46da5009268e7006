"""What all commands print with."""

from __future__ import annotations

import os
import sys
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

_FILE_WIDTH = 120


def console() -> Console:
    """Standard output, as wide as the terminal; texts are printed as they are, square brackets included."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else _FILE_WIDTH
    return Console(width=width, markup=False, emoji=False, highlight=False)


def table(*columns: str, title: str | None = None, right: tuple[str, ...] = ()) -> Table:
    """An empty table; the columns named in `right` hold numbers."""
    made = Table(title=title, title_justify="left", title_style="bold")
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def progress() -> Progress:
    """A bar with the time left and a note, on standard error, and only if a person is looking."""
    columns: list[Any] = [TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn()]
    columns += [TextColumn("{task.fields[note]}", markup=False), TimeElapsedColumn(), TextColumn("left")]
    return Progress(
        *columns,
        TimeRemainingColumn(),
        console=Console(stderr=True, markup=False),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


def approximately(value: float) -> str:
    """A measured number with three digits.

    >>> approximately(1234567), approximately(1.23456)
    ('1,230,000', '1.23')
    """
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:g}"
