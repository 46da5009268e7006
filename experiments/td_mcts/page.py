"""Prints what the trials of readings and the hundred runs say, as tables for README.md of this folder.

python experiments/td_mcts/page.py --store STORE
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from choose import HERE, PLAYOUTS, Plan, Player, Rules, Standing, ranked, readings, standings

from treewise.lab.published import OVERALL
from treewise.lab.report.alone.board import MEASURES, Board, Measure

SHOWN = {"wins": "wins %", "score": "points"}
HUNDRED = "chosen_original"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, default=HERE / "readings.sqlite", help="matches to read")
    given = parser.parse_args()
    for text in page(Player(HERE, given.store, None), Plan()):
        print(text)


def page(player: Player, plan: Plan) -> Iterator[str]:
    """The readings of both steps of the rule, and the table of the chosen one as far as it is played."""
    name = plan.rules[0].file
    first = player.board(name)
    found = ranked(standings({Rules(name, 0, plan.first): first}, readings(first)))
    yield trial_table(found, {name: first})
    kept = [each.reading for each in found[: plan.kept]]
    boards = {rules: player.board(rules.file) for rules in plan.rules}
    yield trial_table(ranked(standings(boards, kept)), {rules.file: each for rules, each in boards.items()})
    if (player.folder / f"{HUNDRED}.toml").exists():
        played = player.board(HUNDRED)
        for measure in MEASURES:
            yield results(played, measure)
            yield same_marks(played, measure)


def trial_table(found: list[Standing], boards: dict[str, Board]) -> str:
    """Readings, the nearest first, with what they have overall."""
    heads = [f"{SHOWN[measure]} ({playouts})" for measure in MEASURES for playouts in PLAYOUTS]
    rows = [["reading", "rules", "runs", "mean z²", *heads]]
    for each in found:
        rules, entries = each.rules, boards[each.rules.file].entries
        cells = [each.reading, rules.file, str(each.runs), f"{each.distance:.2f}"]
        for measure in MEASURES:
            for playouts in PLAYOUTS:
                runs = entries[OVERALL, f"{each.reading} ({playouts})"].runs(measure)
                values = [v for i, v in zip(runs.indices, runs.values, strict=True) if rules.first <= i < rules.last]
                values = values[: each.runs]
                cells.append(f"{sum(values) / len(values):.1f}")
        rows.append(cells)
    return table(rows)


def results(played: Board, measure: Measure) -> str:
    """A row for each game: every entrant, and beside it the figure of the paper. Marks are against the base."""
    heads = [f"original levels, {SHOWN[measure]}"]
    for entrant in played.entrants:
        heads += [entrant, "paper"] if played.published(OVERALL, entrant, measure) else [entrant]
    rows = [heads]
    for game in played.rows:
        cells = [game]
        for entrant in played.entrants:
            cells.append(ours(played, game, entrant, measure))
            cells += [f"{each.value:.1f} {each.mark}".strip() for _, each in played.published(game, entrant, measure)]
        rows.append(cells)
    return table(rows)


def ours(played: Board, game: str, entrant: str, measure: Measure) -> str:
    """Our figure with its standard error and its mark."""
    entry = played.entries.get((game, entrant))
    if not entry or not entry.runs(measure).values:
        return "not played"
    runs, marked = entry.runs(measure), played.marked(game, entrant, measure)
    missing = f" ({len(runs)} runs)" if not entry.complete else ""
    return f"{runs.mean:.1f} ± {runs.error:.1f} {marked.mark if marked else ''}".strip() + missing


def same_marks(played: Board, measure: Measure) -> str:
    """How many marks are those of the paper."""
    found = []
    for game in played.rows:
        for entrant in played.entrants:
            marked = played.marked(game, entrant, measure)
            theirs = [each.mark for _, each in played.published(game, entrant, measure) if each.mark]
            if marked and theirs:
                found.append(marked.mark == theirs[0])
    return f"Of {len(found)} marks of {measure} {sum(found)} are those of the paper.\n"


def table(rows: list[list[str]]) -> str:
    """In Markdown."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:], ""])


if __name__ == "__main__":
    main()
