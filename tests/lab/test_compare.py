"""Two runs beside each other."""

from __future__ import annotations

from dataclasses import replace

from made_outcomes import cell, experiment, paper_like, played, scores
from treewise.lab.outcome import CellOutcome
from treewise.lab.report import change, compare, to_html, to_markdown


def test_the_four_words() -> None:
    base = CellOutcome(cell(), played(scores(0.5, 800, seed=1)))

    def second(rate: float, count: int) -> str:
        return change(base, CellOutcome(cell(seed=1), played(scores(rate, count, seed=2)))).word

    assert second(0.65, 800) == "higher"
    assert second(0.35, 800) == "lower"
    assert second(0.5, 800) == "no difference shown"
    assert second(0.55, 60) == "too few matches"
    assert second(0.9, 10) == "too few matches"


def test_a_run_beside_itself_has_not_changed() -> None:
    outcome = paper_like(200)
    text = to_markdown(compare(outcome, outcome))
    assert "igher in the second" not in text
    assert "No difference shown: " in text
    assert "| +0.0 ± 4.3 | 1 |" in text, "at most 1 - 0.0125^(1/100) of the pairs would differ"


def test_changes_are_found_and_lone_cells_named() -> None:
    first = experiment(
        CellOutcome(cell(), played(scores(0.5, 600, seed=1))),
        CellOutcome(cell("hex"), played(scores(0.5, 600, seed=2))),
    )
    second = experiment(
        CellOutcome(cell(), played(scores(0.7, 600, seed=3), version="0.2.0")),
        CellOutcome(cell("othello"), played(scores(0.5, 600, seed=4))),
    )
    text = to_markdown(compare(first, second))
    assert "Higher in the second run: Breakthrough." in text
    assert "Only in the first run, 1 of its cells: Hex" in text
    assert "Only in the second run, 1 of its cells: Othello" in text
    assert "0.2.0" in text
    assert to_html(compare(first, second)).count("<svg") == 1


def test_speed_is_compared_too() -> None:
    first = experiment(CellOutcome(cell(), played(scores(0.5, 40), seconds=(1.0, 1.0), simulations=(1000, 1000))))
    faster = tuple(replace(match, seconds=(0.5, 1.0)) for match in first.cells[0].played)
    text = to_markdown(compare(first, replace(first, cells=(replace(first.cells[0], played=faster),))))
    assert "| Breakthrough | 1,000 | 2,000 | 2.000 | 1,000 | 1,000 | 1.000 |" in text


def test_a_label_with_something_else_behind_it_is_named() -> None:
    first = experiment(CellOutcome(cell(), ()), CellOutcome(cell("hex"), ()))
    text = to_markdown(compare(first, experiment(CellOutcome(cell(game="go", game_label="Hex"), ()), first.cells[0])))
    assert "behind the same label (game): Hex" in text
    assert "behind the same label" not in to_markdown(compare(first, first))
    other = CellOutcome(cell(a_text="mcts(limit=simulations(count=5))"), ())
    assert "behind the same label (A): Breakthrough" in to_markdown(compare(first, experiment(other)))


def test_nothing_in_common() -> None:
    first, second = experiment(CellOutcome(cell(), ())), experiment(CellOutcome(cell("hex"), ()))
    assert "no cell in common" in to_markdown(compare(first, second))
