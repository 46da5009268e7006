"""What came out of an experiment whose entrants play alone, in words, and what it cannot say."""

from __future__ import annotations

from collections.abc import Iterator

from treewise.lab.published import OVERALL
from treewise.lab.report.alone.board import Board, Measure
from treewise.lab.report.alone.tables import TITLES, runs_text
from treewise.lab.report.document import Section, Text
from treewise.lab.report.tables import p_text

__all__ = ["caveats", "summary"]

_MARKS = {
    "++": "significantly better",
    "+": "better, not significantly",
    "=": "equal",
    "-": "worse, not significantly",
    "--": "significantly worse",
}
_MEASURES: dict[Measure, str] = {"wins": "wins", "score": "scores"}


def summary(board: Board) -> Section:
    """What a reader should know who reads no further."""
    outcome = board.outcome
    texts = [Text(" ".join(paragraph.split())) for paragraph in outcome.description.split("\n\n") if paragraph.strip()]
    tested = [Text(text) for entrant in board.entrants[1:] for text in _against_base(board, entrant)]
    texts += tested or [Text(text) for text in _untested(board)]
    texts += [Text(text) for source in outcome.sources for text in _beside(board, source)]
    missing = [entry for entry in board.entries.values() if not entry.complete and entry.cells]
    if missing:
        text = f"Incomplete: {len(missing)} of the figures lack runs; they are marked by “n of N runs”."
        texts.append(Text(text, "warning"))
    return Section("In short", tuple(texts))


def _untested(board: Board) -> Iterator[str]:
    """What there is to say where nothing can be tested: the means, and why that is all."""
    entrants = list(dict.fromkeys(entrant for _, entrant in board.entries))
    if not entrants:
        yield "There are no cells."
        return
    game = board.rows[-1]
    for measure in board.measures:
        found = [(entrant, board.entries.get((game, entrant))) for entrant in entrants]
        runs = [(entrant, entry.runs(measure)) for entrant, entry in found if entry]
        means = [f"{entrant} {runs_text(each)}" for entrant, each in runs if each.values]
        if means:
            yield f"{TITLES[measure]}{' overall' if game == OVERALL else f' in {game}'}: {', '.join(means)}."
    if len(entrants) == 1:
        yield f"{entrants[0]} is the only entrant: there is no other to test it against."
    else:
        yield f"Nothing can be tested against {board.base}: that takes two runs of both in the same game."


def _against_base(board: Board, entrant: str) -> Iterator[str]:
    """How an entrant stands against the base in each game, and in all of them together."""
    for measure in board.measures:
        found = {game: board.marked(game, entrant, measure) for game in board.rows}
        said = []
        for mark, words in _MARKS.items():
            games = [game for game in board.games if (test := found[game]) and test.mark == mark]
            if games:
                said.append(f"{words} in {', '.join(games)}")
        overall = found.get(OVERALL)
        if overall and overall.mark:
            ours, base = (board.entries[OVERALL, name].runs(measure) for name in (entrant, board.base))
            pair = f"{runs_text(ours)} against {runs_text(base)}, p {p_text(overall.p)}"
            said.append(f"overall {_MARKS[overall.mark]} ({pair})")
        if said:
            yield f"{entrant} against {board.base}, {_MEASURES[measure]}: {'; '.join(said)}."


def _beside(board: Board, source: str) -> Iterator[str]:
    """How often we agree with a source, and where not."""
    for measure in board.measures:
        words: dict[str, list[str]] = {}
        marks: list[bool] = []
        for game, entrant in board.entries:
            for given, figure in board.published(game, entrant, measure):
                result = board.beside(game, entrant, measure, figure) if given == source else None
                if result:
                    words.setdefault(result.word, []).append(f"{game} ({entrant})")
                    test = board.marked(game, entrant, measure)
                    marks += [test.mark == figure.mark] if figure.mark and test else []
        if words:
            said = [*_listed(words), *([f"{sum(marks)} of {len(marks)} marks are the same"] if marks else [])]
            yield f"Beside {board.outcome.sources[source]}, {_MEASURES[measure]}: {'; '.join(said)}."


def _listed(words: dict[str, list[str]]) -> Iterator[str]:
    total = sum(map(len, words.values()))
    yield f"{len(words.get('equivalent', []))} of {total} are shown to be equivalent"
    for word, said in {"higher": "higher", "lower": "lower", "not shown": "neither shown"}.items():
        if found := words.get(word):
            yield f"{said}: {'all' if len(found) == total > 1 else ', '.join(found)}"


def caveats(board: Board) -> Section:
    """The limits of such an experiment."""
    texts = [
        "All entrants meet the same games with the same seeds, so they have the same luck as long as they act alike; "
        "the tests take their runs as independent all the same, as papers do.",
        "A result holds for the games and levels that were played. Parameters chosen by looking at such matches make "
        "the same matches look better than new ones would.",
        "Entrants keep their own limits: a simulation of one may cost more than one of another. The table of speeds "
        "says what it was.",
    ]
    matches = [match for each in board.outcome.cells for match in each.played]
    if cut := sum(match.cut for match in matches):
        texts.append(f"{cut:,} of {len(matches):,} matches were stopped at the game's longest length.")
    if board.outcome.published:
        texts.append(
            "The figures of others come from other implementations, perhaps other levels, and other machines. Where "
            "ours differ, any of these may be the reason."
        )
    return Section("What this comparison cannot say", tuple(Text(text) for text in texts))
