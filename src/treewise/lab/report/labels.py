"""What a comparison of two runs must warn of, since it goes by labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from treewise.lab.report.document import Text

__all__ = ["only_in_one", "renewed"]

_MOST_NAMED = 6


def renewed(found: Iterable[tuple[str, Mapping[str, bool]]]) -> list[Text]:
    """Warns of labels with something else behind them in the other run; told by label what differs and what does not.

    >>> [text.text for text in renewed([("Hex", {"game": True, "A": False}), ("Go", {"game": False, "A": False})])]
    ['Not the same text form in both runs, behind the same label (game): Hex']
    """
    labels: dict[str, list[str]] = {}
    for label, differing in found:
        what = ", ".join(name for name, differs in differing.items() if differs)
        if what:
            labels.setdefault(what, []).append(label)
    return [
        Text(f"Not the same text form in both runs, behind the same label ({what}): {_first(named)}", "warning")
        for what, named in labels.items()
    ]


def only_in_one(first: Sequence[str], second: Sequence[str], what: str) -> list[Text]:
    """Warns of what has no partner in the other run.

    >>> [text.text for text in only_in_one(["Hex", "Go"], [], "cells")]
    ['Only in the first run, 2 of its cells: Hex; Go']
    """
    return [
        Text(f"Only in the {run} run, {len(labels)} of its {what}: {_first(labels)}", "warning")
        for run, labels in (("first", first), ("second", second))
        if labels
    ]


def _first(labels: Sequence[str]) -> str:
    return "; ".join(labels[:_MOST_NAMED]) + ("; …" if len(labels) > _MOST_NAMED else "")
