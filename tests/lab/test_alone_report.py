"""Reports on entrants that play alone: what they say of made outcomes, and that they are functions of the outcome."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_experiments import play_here, printed, write

from made_outcomes import alone
from treewise.lab import read_experiment
from treewise.lab.outcome import CellOutcome, ExperimentOutcome, Figure, Published
from treewise.lab.report import build, compare, figures_beside_published, terminal_text, to_html, to_markdown
from treewise.lab.report.alone.board import board
from treewise.lab.report.document import Bars, Histograms, Report, Table, Text


def tables_of(report: Report) -> dict[str, Table]:
    return {block.title: block for section in report.sections for block in section.blocks if isinstance(block, Table)}


def short(report: Report) -> str:
    return " ".join(block.text for block in report.sections[0].blocks)  # type: ignore[union-attr]


def small() -> ExperimentOutcome:
    """Two games of two levels, four runs; the entrant wins more in the first and scores less in the second."""
    return alone(
        {
            ("Zelda", "base"): [["won", "lost", "lost", "lost"], ["lost", "lost", "won", "lost"]],
            ("Zelda", "TD"): [["won", "won", "won", "won"], ["won", "lost", "won", "won"]],
            ("Frogs", "base"): [["lost"] * 4, ["lost"] * 4],
            ("Frogs", "TD"): [["lost"] * 4, ["neither"] * 4],
        },
        points={("Zelda", "base"): 3.0, ("Zelda", "TD"): 5.0, ("Frogs", "base"): 2.0, ("Frogs", "TD"): 1.0},
    )


def test_runs_are_the_games_of_a_row_together() -> None:
    """Zelda, base: 1 of 2 won in runs 0 and 2, none in 1 and 3."""
    found = board(small())
    entry = found.entries["Zelda", "base"]
    assert entry.wins.values == (50.0, 0.0, 50.0, 0.0)
    assert entry.score.values == (6.0, 6.0, 6.0, 6.0)  # three points on each of two levels
    assert found.entries["Zelda", "TD"].wins.values == (100.0, 50.0, 100.0, 100.0)
    assert found.entries["Overall", "TD"].wins.values == (50.0, 25.0, 50.0, 50.0)
    assert found.entries["Overall", "TD"].score.values == (6.0,) * 4  # (10 + 2) / 2


def test_the_table_is_the_papers() -> None:
    found = tables_of(build(small()))
    assert [column.title for column in found["Win percentages"].columns] == ["Game", "base", "TD"]
    # Zelda: s² = 833.3 and 625 over four runs; p = 0.017 by Welch.
    assert found["Win percentages"].rows == (
        ("Zelda", "25.0 ± 14.4", "87.5 ± 12.5 ++"),
        ("Frogs", "0.0 ± 0.0", "0.0 ± 0.0 ="),
        ("Overall", "12.5 ± 7.2", "43.8 ± 6.2 ++"),
    )
    assert found["Scores"].rows[0] == ("Zelda", "6.0 ± 0.0", "10.0 ± 0.0 ++")  # constant: 2 of 70 ways
    assert found["Scores"].rows[1] == ("Frogs", "4.0 ± 0.0", "2.0 ± 0.0 −−")


def test_it_is_said_in_words() -> None:
    said = short(build(small()))
    assert "TD against base, wins: significantly better in Zelda; equal in Frogs; overall significantly better" in said
    assert "TD against base, scores: significantly better in Zelda; significantly worse in Frogs" in said


def test_only_whole_runs_count() -> None:
    outcome = small()
    cells = list(outcome.cells)
    cells[1] = replace(cells[1], played=cells[1].played[:2])  # the second level of Zelda, base
    made = build(replace(outcome, cells=tuple(cells)))
    assert tables_of(made)["Win percentages"].rows[0][1] == "25.0 ± 25.0\n2 of 4 runs"
    assert "Incomplete: 1 of the figures lack runs" in short(made)
    assert board(replace(outcome, cells=tuple(cells))).entries["Overall", "base"].wins.indices == (0, 1)


def test_published_figures_stand_below_ours() -> None:
    figures = (
        Published("paper", "Zelda", "base", Figure(35.6, 1.9), Figure(25.5, 0.4)),
        Published("paper", "Zelda", "TD", Figure(53.0, 2.2, "++"), Figure(25.3, 0.5, "-")),
        Published("ours", "Zelda", "base", Figure(20.0)),
        Published("paper", "Overall", "TD", Figure(50.5, 1.1, "++")),
    )
    sources = {"paper": "Table II", "ours": "Measured"}
    made = build(replace(small(), published=figures, sources=sources))
    found = tables_of(made)
    assert found["Win percentages"].rows[0][1:] == (
        "25.0 ± 14.4\npaper 35.6 ± 1.9: not shown\nours 20.0",
        "87.5 ± 12.5 ++\npaper 53.0 ± 2.2 ++: not shown",
    )
    assert "“paper”: Table II. “ours”: Measured." in found["Win percentages"].note
    rows = found["Win percentages beside others"].rows
    assert [row[:4] for row in rows] == [
        ("paper", "Zelda", "base", "4"),
        ("paper", "Zelda", "TD", "4"),
        ("paper", "Overall", "TD", "4"),
        ("ours", "Zelda", "base", "4"),
    ]
    assert rows[1][-1] == "++ and ++"
    assert rows[3][6:] == ("–", "–", "–", "–", "")
    # Our scores are constant over four runs: nothing can be told.
    assert [row[9] for row in found["Scores beside others"].rows] == ["not shown", "not shown"]
    assert (
        "Beside Table II, wins: 0 of 3 are shown to be equivalent; neither shown: all; 2 of 2 marks are the same."
        in short(made)
    )
    assert tables_of(figures_beside_published(replace(small(), published=figures, sources=sources))).keys() == {
        "Win percentages",
        "Scores",
    }


def test_bars_have_a_group_a_game_and_a_bar_an_entrant() -> None:
    blocks = [block for section in build(small()).sections for block in section.blocks if isinstance(block, Bars)]
    wins, scores = blocks
    assert [(group.label, [bar.label for bar in group.bars]) for group in wins.groups] == [
        ("Zelda", ["base", "TD"]),
        ("Frogs", ["base", "TD"]),
        ("Overall", ["base", "TD"]),
    ]
    assert wins.groups[0].bars[1].value == 87.5
    assert [[bar.value for bar in group.bars] for group in scores.groups] == [[0.0, 1.0], [1.0, 0.0]]
    page = to_html(build(small()))
    assert page.count('class="bars"') == 2
    assert "Missing" not in page
    assert "http" not in page


def test_a_page_has_the_usual_figures_and_tables() -> None:
    made = build(small())
    assert {block.title for block in made.sections[-2].blocks if isinstance(block, Histograms)} == {
        "Lengths of matches",
        "Time an action",
        "Simulations an action",
    }
    found = tables_of(made)
    assert found["Endings, lengths and speed"].rows[3][:4] == ("Frogs", "TD", "8", "0 – 4 – 4")
    assert found["Game by game"].rows[0] == ("Zelda 1", "1 of 4\n3.0", "4 of 4\n5.0")
    tests = {(row[0], row[2]): row for row in found["Tests"].rows}
    assert tests["Zelda", "Win percentages"][4:] == ("0.017", "0.1", "++")  # Holm: the least of six p values
    text = terminal_text(made, full=True)
    assert "████" in text
    assert "Zelda 2" in to_markdown(made)


def test_games_without_a_winner_have_scores_only() -> None:
    outcome = alone({("Same", "base"): [[""] * 4], ("Same", "TD"): [[""] * 4]}, points={("Same", "TD"): 4.0})
    found = tables_of(build(outcome))
    assert "Win percentages" not in found
    assert found["Scores"].rows == (("Same", "0.0 ± 0.0", "4.0 ± 0.0 ++"),)  # one game: no row for all
    assert "Game by game" not in found


@pytest.mark.parametrize("played", [0, 1])
def test_too_few_runs_do_no_harm(played: int) -> None:
    outcome = small()
    cells = tuple(CellOutcome(each.cell, each.played[:played]) for each in outcome.cells)
    made = build(
        replace(outcome, cells=cells, published=(Published("p", "Zelda", "TD", Figure(1.0, 1.0)),), sources={"p": "P"})
    )
    for text in (terminal_text(made, full=True), to_markdown(made), to_html(made)):
        assert "nan" not in text
    assert "8 of the figures" not in short(made)
    assert "4 of the figures lack runs" in short(made)


def test_an_entrant_may_lack_a_game() -> None:
    outcome = small()
    cells = tuple(each for each in outcome.cells if (each.cell.game_label, each.cell.a) != ("Frogs", "TD"))
    rows = tables_of(build(replace(outcome, cells=cells)))["Win percentages"].rows
    assert [row[2] for row in rows[1:]] == ["", ""]


def test_the_same_outcome_gives_the_same_report() -> None:
    assert build(small()) == build(small())
    assert to_html(build(small())) == to_html(build(small()))


def noisy(shift: float, seed: int) -> ExperimentOutcome:
    rng = np.random.default_rng(seed)
    results = [["won" if value < 0.4 + shift else "lost" for value in rng.random(60)] for _ in range(2)]
    return alone({("Zelda", "base"): results, ("Frogs", "base"): results}, matches=60)


def test_two_runs_are_compared() -> None:
    same = tables_of(compare(noisy(0.0, 1), noisy(0.0, 1)))["Both runs"]
    assert {row[-1] for row in same.rows} == {"no difference shown"}
    assert {row[5] for row in same.rows} == {"+0.0"}
    better = tables_of(compare(noisy(0.0, 1), noisy(0.3, 1)))["Both runs"]
    assert [row[-1] for row in better.rows if row[2] == "Win percentages"] == ["higher"] * 3
    # The same luck in both runs sees what independent samples hide.
    little = compare(noisy(0.0, 1), noisy(0.06, 1))
    assert [row[-1] for row in tables_of(little)["Both runs"].rows][:3] == ["higher"] * 3
    other = noisy(0.06, 1)
    moved = replace(other, cells=tuple(replace(each, cell=replace(each.cell, seed=9)) for each in other.cells))
    assert [row[-1] for row in tables_of(compare(noisy(0.0, 1), moved))["Both runs"].rows][:2] == [
        "no difference shown"
    ] * 2
    few = tables_of(compare(small(), small()))["Both runs"]
    assert {row[-1] for row in few.rows} == {"too few runs"}


def warned(first: ExperimentOutcome, second: ExperimentOutcome) -> list[str]:
    return [block.text for block in compare(first, second).sections[0].blocks if isinstance(block, Text)]


def changed(outcome: ExperimentOutcome, row: str, entrant: str, **changes: Any) -> ExperimentOutcome:
    cells = list(outcome.cells)
    for place, each in enumerate(cells):
        if (each.cell.game_label, each.cell.a) == (row, entrant):
            cells[place] = replace(each, cell=replace(each.cell, **changes))
    return replace(outcome, cells=tuple(cells))


def without(outcome: ExperimentOutcome, game: str, entrant: str) -> ExperimentOutcome:
    cells = (each for each in outcome.cells if (each.cell.game_label, each.cell.a) != (game, entrant))
    return replace(outcome, cells=tuple(cells))


def test_a_comparison_names_labels_with_something_else_behind_them() -> None:
    said = "Not the same text form in both runs, behind the same label"
    assert warned(small(), small()) == []
    other = changed(small(), "Zelda", "TD", a_text="mcts(limit=simulations(count=5))")
    assert warned(small(), other) == [f"{said} (entrant): Zelda, TD; Overall, TD"]
    other = changed(other, "Frogs", "base", game="frogs(level=7)")
    assert warned(small(), other) == [
        f"{said} (entrant): Zelda, TD; Overall, TD",
        f"{said} (game): Frogs, base; Overall, base",
    ]
    both = changed(small(), "Zelda", "TD", a_text="mcts()", game="zelda(level=7)")
    assert warned(both, small()) == [f"{said} (game, entrant): Zelda, TD; Overall, TD"]


def test_a_comparison_names_what_only_one_run_has() -> None:
    lacking = without(small(), "Frogs", "TD")
    assert warned(small(), lacking) == ["Only in the first run, 2 of its figures: Frogs, TD; Overall, TD"]
    assert warned(lacking, small()) == ["Only in the second run, 2 of its figures: Frogs, TD; Overall, TD"]
    unplayed = replace(small(), cells=tuple(CellOutcome(each.cell, ()) for each in small().cells))
    assert warned(unplayed, small())[0].startswith("Only in the second run, 6 of its figures: Zelda, base; ")
    assert warned(unplayed, small())[1:] == ["The two runs have no entrant and game in common."]


def test_a_comparison_names_a_measure_that_only_one_run_has() -> None:
    untold = alone({("Zelda", "base"): [[""] * 4, [""] * 4]}, points={("Zelda", "base"): 3.0})
    told = alone({("Zelda", "base"): [["won", "lost", "lost", "lost"], ["lost", "lost", "won", "lost"]]})
    assert warned(untold, told) == ["Only in the second run, 1 of its figures: Zelda, base, win percentages"]
    assert warned(told, untold) == ["Only in the first run, 1 of its figures: Zelda, base, win percentages"]


def test_all_games_together_are_something_else_where_one_run_has_a_game_more() -> None:
    zelda, frogs, pong = ([["won", "lost", "lost", "won"]] for _ in range(3))
    two = alone({("Zelda", "base"): zelda, ("Frogs", "base"): frogs})
    three = alone({("Zelda", "base"): zelda, ("Frogs", "base"): frogs, ("Pong", "base"): pong})
    assert warned(two, three) == [
        "Not the same text form in both runs, behind the same label (game): Overall, base",
        "Only in the second run, 1 of its figures: Pong, base",
    ]


def test_where_nothing_can_be_tested_the_means_are_told() -> None:
    one_entrant = without(without(small(), "Zelda", "TD"), "Frogs", "TD")
    assert short(build(one_entrant)) == (
        "Win percentages overall: base 12.5 ± 7.2. Scores overall: base 5.0 ± 0.0. "
        "base is the only entrant: there is no other to test it against."
    )
    one_run = alone({("Zelda", "base"): [["lost"]], ("Zelda", "TD"): [["won"]]}, {("Zelda", "TD"): 5.0}, matches=1)
    assert short(build(one_run)) == (
        "Win percentages in Zelda: base 0.0, TD 100.0. Scores in Zelda: base 0.0, TD 5.0. "
        "Nothing can be tested against base: that takes two runs of both in the same game."
    )
    assert short(build(replace(small(), cells=()))) == "There are no cells."
    assert "Nothing can be tested" not in short(build(small()))


STORE = """
name = "alone"
pairing = "alone"
matches = 3
entrants = { few = "uct(simulations=2)", more = "uct(simulations=20)" }
[[games]]
label = "Small"
games = ["same_game(rows=4, columns=4)", "same_game(rows=5, columns=5)"]
[[games]]
game = "same_game(rows=6, columns=6)"
"""


def test_report_of_a_store_in_all_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, STORE)
    play_here(read_experiment(file), tmp_path / "small.sqlite")

    def shown(*arguments: str) -> str:
        return printed(capsys, *arguments)

    text = shown("report", str(file))
    assert "Normalised scores" in text
    assert "more against few, scores" in text
    file.unlink()
    assert shown("report", str(tmp_path / "small.sqlite")) == text
    page = tmp_path / "page.html"
    shown("report", str(tmp_path / "small.sqlite"), "--format", "html", "--output", str(page))
    assert page.read_text(encoding="utf-8").count("<svg") >= 2
    again = str(tmp_path / "small.sqlite")
    assert "# alone, two runs" in shown("compare", again, again, "--format", "markdown")
