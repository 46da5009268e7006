"""The first section: what came out, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from treewise.lab.outcome import ExperimentOutcome
from treewise.lab.report.caveats import KINDS
from treewise.lab.report.controls import controls_in_words
from treewise.lab.report.document import Section, Text
from treewise.lab.report.judgement import Group, Judged
from treewise.lab.report.tables import points
from treewise.lab.report.tournament import is_tournament, ratings
from treewise.lab.statistics.verdict import Word

__all__ = ["summary", "title_of"]


def summary(outcome: ExperimentOutcome, compared: Sequence[Group], of_itself: Sequence[Group]) -> Section:
    """What a reader should know who reads no further."""
    texts = [Text(" ".join(paragraph.split())) for paragraph in outcome.description.split("\n\n") if paragraph.strip()]
    for group in compared:
        texts.append(Text(f"{title_of(group)}. {_outcome_in_words(group)}. {_published_in_words(group)}".strip()))
    if of_itself:
        texts.append(controls_in_words(of_itself))
    missing = [each for group in (*compared, *of_itself) for each in group.cells if not each.complete]
    if missing:
        cells = "1 cell is" if len(missing) == 1 else f"{len(missing)} cells are"
        texts.append(Text(f"Incomplete: {cells} missing matches; they are marked by “n of N”.", "warning"))
    return Section("In short", tuple(texts) or (Text("There are no cells."),))


def title_of(group: Group) -> str:
    """A budget in words.

    >>> title_of(Group("seconds", "1 s a move", ()))
    'Equal time, 1 s a move'
    """
    return f"{KINDS[group.kind][0]}, {group.budget}"


def _outcome_in_words(group: Group) -> str:
    """Ratings where all met each other, else which cells got which verdict."""
    said = []
    for game in group.games:
        if is_tournament(group.of_game(game)):
            said.append(_ranking(game, group.of_game(game)))
    rest = [each for each in group.cells if not is_tournament(group.of_game(each.cell.game_label))]
    for word in get_args(Word):
        cells = [each for each in rest if each.verdict.word == word]
        if cells:
            said.append(f"{word}: {_listed(group, cells)}")
    return ". ".join(f"{words[0].upper()}{words[1:]}" for words in said)


def _ranking(game: str, cells: Sequence[Judged]) -> str:
    """The ratings with their intervals: an order alone would look like a result where all of them overlap."""
    try:
        entries = ratings(cells).entries
    except ValueError as error:
        return f"{game}: {error}"
    rated = (f"{entry.name} {points(entry.elo)} ({points(entry.low)} to {points(entry.high)})" for entry in entries)
    return f"{game} by ratings, in Elo points with 95 % intervals: {', '.join(rated)}"


def _listed(group: Group, cells: Sequence[Judged]) -> str:
    """The games of these cells, with the entrants where not all of the game are among them."""
    found: dict[str, list[str]] = {}
    for each in cells:
        found.setdefault(each.cell.game_label, []).append(group.entrants(each))
    return "; ".join(
        game if len(names) == len(group.of_game(game)) else f"{game} ({' / '.join(names)})"
        for game, names in found.items()
    )


def _published_in_words(group: Group) -> str:
    found = [(each, each.agreement) for each in group.cells if each.agreement]
    if not found:
        return ""
    equal = sum(agreement.word == "equivalent" for _, agreement in found)
    said = f"{equal} of {len(found)} are shown to be equivalent to the published figures"
    for word in ("not shown", "higher", "lower", "opposite sign"):
        cells = [each for each, agreement in found if agreement.word == word]
        heading = "Neither that nor a difference is shown" if word == "not shown" else word.capitalize()
        said += f". {heading}: {_listed(group, cells)}" if cells else ""
    return f"{said}."
