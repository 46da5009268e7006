"""Writes the figures of matches.npz into README.md of this folder, between `<!-- NAME -->` and `<!-- /NAME -->`.

python experiments/quality_rewards/page.py
"""

from __future__ import annotations

import argparse
import functools
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from treewise import parse_search
from treewise.lab import load
from treewise.lab.report.judgement import Group, Judged, groups
from treewise.lab.statistics import Difference, holm, rate_difference

HERE = Path(__file__).parent
TABLES = {"table_1": "RB", "table_3": "QB", "table_4": "both", "table_4_quality_only": "quality only"}
BUDGETS = {"1 s": "smaller", "5 s": "larger"}
ALONE = ("RB", "QB")
BENCHMARKS = HERE.parents[1] / "benchmarks" / "results" / "latest.json"
COSTS = {"RB": "relative bonus", "QB": "quality bonus", "both, `a = 0.25`": "both", "both, `a'`": "both, online"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, default=HERE / "matches.npz", help="matches to read")
    parser.add_argument("--page", type=Path, default=HERE / "README.md", help="page to write into")
    given = parser.parse_args()
    given.page.write_text(filled(given.page.read_text(encoding="utf-8"), given.store), encoding="utf-8")


def filled(page: str, store: Path) -> str:
    """The page with the figures of the store."""
    for name, tables in (
        ("tables", _tables(store)),
        ("costs", _costs()),
        ("together", _together(store)),
        ("tuned", _beside(store, "tuned", lambda search: f"c = {search.selection.c}")),
        ("author_second", _beside(store, "author_second", lambda search: f"{search.limit.count:,} simulations")),
        ("reasons", _reasons(store)),
    ):
        before, opening, rest = page.partition(f"<!-- {name} -->")
        _, closing, after = rest.partition(f"<!-- /{name} -->")
        if not closing:
            raise SystemExit(f"the page needs <!-- {name} --> and, after it, <!-- /{name} -->: tables go between them")
        page = "\n".join([f"{before}{opening}\n", *tables, f"{closing}{after}"])
    return page


@functools.cache
def _groups(store: Path, name: str) -> list[Group]:
    return groups(load(store, name))


def _tables(store: Path) -> Iterator[str]:
    for name, label in TABLES.items():
        for group in _groups(store, name):
            yield _by_game(f"{label}, {BUDGETS[group.budget]} budget", group, _parameter)


def _costs() -> Iterator[str]:
    """What a bonus leaves of the simulations a second, as the benchmark of the bonuses measured it last."""
    rows = json.loads(BENCHMARKS.read_text(encoding="utf-8"))["subjects"]["bonuses"]["rows"]
    measured = {row["name"]: row["figure"]["median"] for row in rows}
    games = [name.removesuffix(", both") for name in measured if name.endswith(", both") and "uniform" not in name]
    shares = [[measured.get(f"{game}, {bonus}") for bonus in COSTS.values()] for game in games]
    table = [
        [game.replace("_", " ").title(), *("" if share is None else f"{share:.1f} %" for share in row)]
        for game, row in zip(games, shares, strict=True)
    ]
    yield _table([["simulations a second, of those without", *COSTS], *table])


def _together(store: Path) -> Iterator[str]:
    """Both bonuses against each alone. Better than each is what differs from both; the greater p value says it."""
    cells = {
        (group.budget, _parameter(each.cell.a), each.cell.game_label, label): each
        for name, label in TABLES.items()
        for group in _groups(store, name)
        for each in group.cells
    }
    places = [place for *place, label in cells if label == "both"]
    found = [[_more(cells, place, label) for label in ALONE] for place in places]
    claims = holm([max(each.p if each.value > 0 else 1.0 for each in both) for both in found])
    rows = [["both, less each alone", *(text for label in ALONE for text in (f"less {label}", "paper")), "p (Holm)"]]
    for (budget, parameter, game), both, p in zip(places, found, claims, strict=True):
        named = f"{game}, {BUDGETS[budget]} budget, {parameter}"
        paper = [_published_more(cells, (budget, parameter, game), label) for label in ALONE]
        texts = (f"{_points(each)}" for each in both)
        rows.append([named, *(text for pair in zip(texts, paper, strict=True) for text in pair), _p(p)])
    yield _table(rows)


def _more(cells: dict[Any, Judged], place: list[str], label: str) -> Difference:
    """What both bonuses win more than one alone."""
    return rate_difference(cells[*place, label].sample, cells[*place, "both"].sample)


def _published_more(cells: dict[Any, Judged], place: tuple[str, ...], label: str) -> str:
    alone, both = (cells[*place, name].cell.reference for name in (label, "both"))
    assert alone
    assert both
    return f"{both.rate - alone.rate:+.1f} ± {math.hypot(both.half_width, alone.half_width):.1f}"


def _points(each: Difference) -> str:
    """A difference in points, as the tables have rates; nothing where too little was played."""
    return f"{100 * each.value:+.1f} ± {100 * each.half_width:.1f}" if math.isfinite(each.half_width) else "not played"


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.2g}"


def _reasons(store: Path) -> Iterator[str]:
    tested = _groups(store, "reasons")
    for group in tested:
        yield _by_game("Tested", group, str)
    tables = {
        (each.cell.game_label, each.cell.a): each
        for name in TABLES
        for group in _groups(store, name)
        for each in group.cells
        if group.budget in {each.budget for each in tested}
    }
    rows = [["what the change makes", "of the tables' figure", "it is", "difference", "p"]]
    for each in (each for group in tested for each in group.cells):
        before = tables[each.cell.game_label.partition(",")[0], each.cell.a]
        named = f"{each.cell.game_label}: {each.cell.a}"
        rows.append([named, _ours(before), _ours(each), *_changed(before, each)])
    yield _table(rows)


def _by_game(title: str, group: Group, heading: Callable[[str], str]) -> str:
    names = list(dict.fromkeys(each.cell.a for each in group.cells))
    rows = [[title, *(text for name in names for text in (heading(name), "paper"))]]
    for game in group.games:
        cells = {each.cell.a: each for each in group.of_game(game)}
        played = [cells.get(name) for name in names]
        rows.append([game, *(text for each in played for text in ((_ours(each), _paper(each)) if each else ("", "")))])
    return _table(rows)


def _beside(store: Path, name: str, changed: Callable[[Any], str]) -> Iterator[str]:
    """Each cell of an experiment beside the same cell of the tables, under what was changed in the search."""
    cells_of_tables = {
        (each.cell.game_label, each.cell.a, each.cell.budget): each
        for table in TABLES
        for group in _groups(store, table)
        for each in group.cells
    }
    for group in _groups(store, name):
        for game in group.games:
            pairs = [(each, cells_of_tables[game, each.cell.a, each.cell.budget]) for each in group.of_game(game)]
            ours, theirs = (changed(parse_search(each.cell.a_text)) for each in pairs[0])
            rows = [[game, ours, "", f"the tables: {theirs}", "", "paper", "what the change makes", "p"]]
            for each, other in pairs:
                row = [each.cell.a, _ours(each), _word(each), _ours(other), _word(other), _published(each)]
                rows.append([*row, *_changed(other, each)])
            yield _table(rows)


def _changed(before: Judged, after: Judged) -> tuple[str, str]:
    """The difference of two cells beside the same published figure, which cancels out, and its p value."""
    found = rate_difference(before.sample, after.sample)
    return _points(found), _p(found.p) if math.isfinite(found.half_width) else ""


def _parameter(entrant: str) -> str:
    """The part of an entrant's name that its table does not say of all: `a'` of `RB, a'`."""
    _, found, parameter = entrant.partition(", ")
    return f"`{parameter}`" if found else entrant


def _ours(each: Judged) -> str:
    missing = len(each.played) < each.cell.matches
    return f"{each.rate.text()}{f' ({each.count})' if missing else ''}" if each.played else "not played"


def _paper(each: Judged) -> str:
    return f"{_published(each)}, {_word(each)}"


def _published(each: Judged) -> str:
    assert each.cell.reference
    return f"{each.cell.reference.rate:.1f} ± {each.cell.reference.half_width:.1f}"


def _word(each: Judged) -> str:
    return each.agreement.word if each.agreement else "not shown"


def _table(rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:], ""])


if __name__ == "__main__":
    main()
