"""Reports: what they say, that they say it the same way each time, and that odd input does no harm."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from made_outcomes import cell, experiment, paper_like, played, scores
from treewise.lab.outcome import CellOutcome, ExperimentOutcome, Reference, Sprt
from treewise.lab.report import Report, build, terminal_text, to_html, to_markdown
from treewise.lab.report.document import Curves, Forest, ForestRow, Histograms, Section, Table, Text
from treewise.lab.report.plots import draw
from treewise.lab.report.sketch import sketch


def tables_of(report: Report) -> dict[str, Table]:
    return {block.title: block for section in report.sections for block in section.blocks if isinstance(block, Table)}


def titles(report: Report) -> list[str]:
    return [section.title for section in report.sections]


def short(report: Report) -> str:
    return " ".join(block.text for block in report.sections[0].blocks)  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def report() -> Report:
    return build(paper_like(400))


def test_cells_show_our_rate_the_published_one_and_both_verdicts() -> None:
    matches = played([1.0, 1.0, 1.0, 0.0] * 200)  # 400 pairs, 1 and 1/2 in turn: 1.966 * 0.25 * sqrt(400 / 399) / 20
    reference = Reference(74.8, 1.2)
    outcome = experiment(
        *(CellOutcome(cell(game, reference=reference, matches=800), matches) for game in ("hex", "othello")),
        CellOutcome(cell("othello", "other", matches=800), played([0.5, 0.5] * 395 + [0.0, 0.0] * 5)),
    )
    ours = "75.0 ± 2.5 (800)\nbetter\npublished 74.8 ± 1.2, equivalent"
    found = tables_of(build(outcome))
    rest = "49.4 ± 5.0 (800)\nno difference shown"  # few pairs differ from the others: wider than a t interval
    assert found["Win rates against “plain”"].rows == (("Hex", ours, ""), ("Othello", ours, rest))
    assert found["Verdicts"].rows[2][:4] == ("Othello", "other", "800", "0 – 790 – 10")


def test_equal_simulations_and_equal_time_are_kept_apart() -> None:
    outcome = experiment(
        CellOutcome(cell(kind="seconds", budget="1 s"), played(scores(0.6, 400))),
        CellOutcome(cell(budget="500 simulations"), played(scores(0.4, 400))),
    )
    made = build(outcome)
    order = [title for title in titles(made) if not title.startswith("Details")]
    assert order[2:6] == ["Equal simulations", "500 simulations", "Equal time", "1 s"]
    text = to_markdown(made)
    assert "nothing about what a part costs" in text
    assert "as they are implemented here and on the machines" in text
    assert "Equal time, 1 s. Better: Breakthrough." in text


def test_correction_is_by_table() -> None:
    one = CellOutcome(cell(), played([1.0, 1.0] * 75 + [0.0, 0.0] * 50 + [1.0, 0.0] * 75))
    even = [CellOutcome(cell(f"game_{i}"), played([1.0, 0.0] * 200)) for i in range(9)]
    alone, among = (tables_of(build(experiment(*cells)))["Verdicts"].rows[0] for cells in ([one], [one, *even]))
    assert alone[4] == among[4] == "56.2 ± 5.5"  # the interval stays
    assert (alone[5], among[5]) == ("0.025", "0.25")
    assert alone[6] == "better"
    assert among[6].startswith("too few matches (about ")


def test_incomplete_cells_are_marked() -> None:
    made = build(experiment(CellOutcome(cell(), played(scores(0.6, 100))), CellOutcome(cell("hex"), ())))
    assert [row[2] for row in tables_of(made)["Verdicts"].rows] == ["100 of 400", "0 of 400"]
    assert "2 cells are missing matches" in short(made)
    assert tables_of(made)["Verdicts"].rows[1][6] == "too few matches (none yet)"


def test_controls_pass_and_fail_in_a_table_of_their_own() -> None:
    control = cell(a="plain", control=True)
    even = build(experiment(CellOutcome(control, played([1.0, 0.0] * 200))))
    row = tables_of(even)["An entrant against itself"].rows[0]
    assert row[-2:] == ("every pair even", "pass")
    assert "Controls: 1 of 1 passed." in short(even)
    assert "Verdicts" not in tables_of(even)
    broken = build(experiment(CellOutcome(control, played(scores(0.6, 400)))))
    assert tables_of(broken)["An entrant against itself"].rows[0][-1] == "FAIL"
    assert "1 of 1 controls failed: trust no other table" in short(broken)
    begun = build(experiment(CellOutcome(control, played([1.0] * 10))))
    assert tables_of(begun)["An entrant against itself"].rows[0][-1] == "too few matches"
    assert "Controls: 0 of 1 passed. 1 has too few matches to fail." in short(begun)


def test_published_figures_of_the_other_sign_are_flagged() -> None:
    made = build(experiment(CellOutcome(cell(reference=Reference(46.0, 1.4, "T1")), played(scores(0.6, 800)))))
    assert tables_of(made)["Beside the published figures (T1)"].rows[0][-1] == "opposite sign"
    assert "0 of 1 are shown to be equivalent to the published figures. Opposite sign: Breakthrough." in short(made)


def round_robin(games: tuple[str, ...] = ("hex",)) -> ExperimentOutcome:
    rates = {("a", "b"): 0.6, ("a", "c"): 0.75, ("b", "c"): 0.62}
    return experiment(
        *(
            CellOutcome(cell(game, a, b), played(scores(rate, 400, seed=1)))
            for game in games
            for (a, b), rate in rates.items()
        )
    )


def test_round_robin_gets_ratings_and_a_cross_table() -> None:
    made = build(round_robin())
    found = tables_of(made)
    assert [row[0] for row in found["Hex: ratings"].rows] == ["a", "b", "c"]
    cross = found["Hex: cross table"].rows
    assert [row[index + 1] for index, row in enumerate(cross)] == ["·"] * 3
    one, other = (float(text.split()[0]) for text in (cross[0][2], cross[1][1]))
    assert one + other == pytest.approx(100, abs=0.11)
    assert short(made).startswith("Equal simulations, 1,000 simulations. Hex by ratings, in Elo points with 95 %")
    assert any(isinstance(block, Forest) and block.axis == "Elo" for s in made.sections for block in s.blocks)


def test_cross_table_has_the_intervals_of_the_verdicts_and_their_mirror_images() -> None:
    """Few pairs, nearly all alike, have no symmetric interval; 200 pairs of 1 or 1/2 have one."""
    certain, nearly = played([1.0] * 24), played([0.0] + [1.0] * 23)
    cells = {("a", "b"): certain, ("c", "a"): nearly, ("c", "b"): played([1.0, 1.0, 1.0, 0.0] * 100)}
    made = build(experiment(*(CellOutcome(cell("hex", *pair, matches=24), each) for pair, each in cells.items())))
    rows = tables_of(made)["Hex: cross table"].rows
    assert [row[4] for row in tables_of(made)["Verdicts"].rows] == [
        "100.0 (73.5 to 100.0)",
        "95.8 (67.2 to 100.0)",
        "75.0 ± 3.5",
    ]
    assert rows == (
        ("a", "·", "100.0 (73.5 to 100.0)\n(24)", "4.2 (0.0 to 32.8)\n(24)"),
        ("b", "0.0 (0.0 to 26.5)\n(24)", "·", "25.0 ± 3.5\n(400)"),
        ("c", "95.8 (67.2 to 100.0)\n(24)", "75.0 ± 3.5\n(400)", "·"),
    )


def test_ratings_in_words_have_their_intervals() -> None:
    """Where nothing is shown, an order alone would look like a result."""
    pairs = {("a", "b"): [1.0, 1.0, 0.0, 1.0], ("b", "c"): [1.0, 0.0] * 2, ("c", "a"): [0.0, 1.0] * 2}
    made = build(experiment(*(CellOutcome(cell("hex", *pair, matches=4), played(s)) for pair, s in pairs.items())))
    assert {row[-1].partition(" (")[0] for row in tables_of(made)["Verdicts"].rows} == {"too few matches"}
    ratings = {row[0]: f"{row[0]} {row[1]} ({row[2]})" for row in tables_of(made)["Hex: ratings"].rows}
    said = short(made).partition("95 % intervals: ")[2]
    assert said.startswith(", ".join(ratings.values()))


def test_entrants_that_never_met_are_said_so() -> None:
    outcome = round_robin()
    apart = [CellOutcome(cell("hex", a, b), played(scores(0.5, 40))) for a, b in (("d", "e"), ("e", "f"), ("f", "d"))]
    made = build(experiment(*outcome.cells, *apart))
    assert "never met" in to_markdown(made)
    assert "Hex: no ratings: {a, b, c} and {d, e, f} never met" in short(made)


def test_sweep_is_drawn() -> None:
    cells = [
        CellOutcome(cell(a=f"{name}, k = {k}", value=k), played([1.0, 0.0, 1.0, float(k > 1)] * 50))
        for name in ("RB", "QB")
        for k in (4.0, 0, 2.0)
    ]
    made = build(experiment(*cells, pairing="sweep", parameter="k"))
    figures = [block for section in made.sections for block in section.blocks if isinstance(block, Curves)]
    sweep = next(figure for figure in figures if figure.points)
    assert sweep.panels[0].x_axis == "k"
    assert [(curve.label, curve.x, curve.y) for curve in sweep.panels[0].curves] == [
        ("RB", (0.0, 2.0, 4.0), (50.0, 75.0, 75.0)),
        ("QB", (0.0, 2.0, 4.0), (50.0, 75.0, 75.0)),
    ]
    assert "looks better than it is" in sweep.caption
    words = [replace(each, cell=replace(each.cell, value="online")) for each in cells]
    assert "over the parameter" not in to_html(build(experiment(*words, pairing="sweep", parameter="k")))


def test_returns_are_shown_where_they_say_more_than_who_won() -> None:
    matches = [
        replace(match, returns=(10.0 + match.index % 7, 9.0 + match.index % 5)) for match in played(scores(0.5, 100))
    ]
    made = tables_of(build(experiment(CellOutcome(cell("same_game"), tuple(matches)))))
    mean = sum(10 + index % 7 for index in range(100)) / 100
    assert made["Returns"].rows[0][2] == f"{mean:.4g}"
    assert "Returns" not in tables_of(build(paper_like(40)))


def test_sequential_test_on_request() -> None:
    decided = CellOutcome(cell(matches=1000), played([1.0, 1.0, 1.0, 0.0] * 50))
    open_cell = CellOutcome(cell("hex", matches=1000), played([1.0, 0.0] * 5))
    made = build(experiment(decided, open_cell, sprt=Sprt(0.5, 0.6)))
    rows = tables_of(made)["Sequential test"].rows
    assert rows[0][2:] == ("34", "+3.10", "decided for 60.0 %")
    assert (rows[1][2], rows[1][4]) == ("10", "not decided yet")
    assert [row[2] for row in tables_of(made)["Verdicts"].rows] == ["200 of 1,000, decided", "10 of 1,000"]
    assert tables_of(made)["Verdicts"].rows[0][6] == "better (decided for 60 %, against 50 %)"
    assert "1 cell is missing matches" in short(made)


def test_what_the_sequential_test_has_decided_is_not_too_few() -> None:
    even = CellOutcome(cell(matches=2000), played([1.0, 0.0, 0.0, 1.0] * 15))
    alone = build(experiment(even))
    assert tables_of(alone)["Verdicts"].rows[0][6].startswith("too few matches")
    made = build(experiment(even, sprt=Sprt(0.5, 0.6)))
    assert tables_of(made)["Verdicts"].rows[0][6] == "not better (decided for 50 %, against 60 %)"
    assert "Not better: Breakthrough" in short(made)


def test_a_match_in_which_the_machine_stood_still_does_not_change_the_speeds() -> None:
    matches = [replace(match, seconds=(0.02 * match.moves[0], 0.04 * match.moves[1])) for match in played([1.0] * 40)]
    matches[3] = replace(matches[3], seconds=(1000.0, 0.1))
    row = tables_of(build(experiment(CellOutcome(cell(), tuple(matches)))))["How fast both sides searched"].rows[0]
    assert row[2:] == ("1,000", "1,000", "20.0", "40.0", "50,000", "25,000", "2.000")


def test_budgets_are_spelt_out() -> None:
    rows = tables_of(build(paper_like(40)))["Budgets"].rows
    assert rows[0] == ("Amazons", "simulations(count=1000)")


def test_mixed_versions_and_machines_are_said() -> None:
    matches = played(scores(0.5, 40))
    mixed = (*matches[:20], *(replace(match, version="0.2.0", machine="other", cut=True) for match in matches[20:]))
    text = to_markdown(build(experiment(CellOutcome(cell(kind="seconds"), mixed), opening=0, reuse=False)))
    for said in (
        "several versions of the code are mixed",
        "on 2 kinds of machines",
        "20 of 40 matches were stopped",
        "All matches start from the game's first position",
        "started afresh for each move",
    ):
        assert said in text


def test_all_text_forms_are_there(report: Report) -> None:
    rows = tables_of(report)["Entrants"].rows
    forms = {(each.cell.a, each.cell.a_text) for each in paper_like(400).cells}
    assert forms <= {(row[0], row[2]) for row in rows}


def test_histograms_count_every_match(report: Report) -> None:
    figures = [block for section in report.sections for block in section.blocks if isinstance(block, Histograms)]
    panel = next(panel for panel in figures[0].panels if panel.title == "Cannon")
    assert sum(panel.counts[0][1]) == 800


def test_an_entrant_has_one_colour_in_all_figures() -> None:
    outcome = experiment(*(CellOutcome(cell("hex", name), played(scores(0.6, 40))) for name in ("one", "two")))
    blocks = [block for section in build(outcome).sections for block in section.blocks]
    curves = next(block for block in blocks if isinstance(block, Curves)).panels[0].curves
    assert [curve.label for curve in curves] == ["one", "two"]
    panels = [block.panels for block in blocks if isinstance(block, Histograms) and block.title != "Lengths of matches"]
    labels = [[label for label, _ in panel.counts] for found in panels for panel in found]
    assert labels
    assert all(names == ["one", "two", "plain"] for names in labels)


@pytest.mark.parametrize("width", [80, 100])
def test_terminal_has_the_forest_and_keeps_to_its_width(report: Report, width: int) -> None:
    text = terminal_text(report, width=width)
    assert max(map(len, text.splitlines())) <= width
    lines = [line for line in text.splitlines() if "●" in line]
    assert len(lines) == 10
    assert all(re.search(r"  \d\d\.\d$", line) for line in lines), "with its value at the end"
    assert any("◇" in line for line in lines)
    assert "Full text forms" not in text
    assert "Full text forms" in terminal_text(report, full=True)


def test_labels_that_are_long_or_wide_leave_the_axis_where_it_is() -> None:
    rows = tuple(ForestRow(label, 55.0, 52.0, 58.0) for label in ("hex", "日本語日本語", "as long as a line is" * 4))
    lines = sketch(Forest("", "win rate, %", 50.0, rows), line=80).splitlines()
    assert {cell_len(line) for line in lines[:3]} == {cell_len(lines[0])}
    assert {cell_len(line.partition("●")[0]) for line in lines[:3]} == {cell_len(lines[0].partition("●")[0])}
    assert max(map(cell_len, lines)) <= 80
    assert "…" in lines[2]


@pytest.mark.parametrize("matches", [1, 2, 7, 20, 200])
def test_convergence_is_drawn_from_the_first_matches_on(matches: int) -> None:
    made = build(experiment(CellOutcome(cell(), played(scores(0.6, matches)))))
    curves = next(block for section in made.sections for block in section.blocks if isinstance(block, Curves))
    x = curves.panels[0].curves[0].x
    assert x[0] == max(1.0, min(2.0, matches) if matches < 30 else matches // 10)
    assert x[-1] == matches


def test_entrants_that_one_panel_cannot_show_get_another() -> None:
    cells = [CellOutcome(cell("hex", f"e{number}"), played(scores(0.5, 40, seed=number))) for number in range(8)]
    blocks = [block for section in build(experiment(*cells)).sections for block in section.blocks]
    panels = next(block for block in blocks if isinstance(block, Curves)).panels
    assert [panel.title for panel in panels] == ["Hex, 1 of 2", "Hex, 2 of 2"]
    assert [curve.label for panel in panels for curve in panel.curves] == [f"e{number}" for number in range(8)]
    colours = [colour for _, colour in draw(next(block for block in blocks if isinstance(block, Curves))).legend]
    assert len(set(colours)) == 8


def test_paragraphs_that_begin_like_lists_stay_paragraphs() -> None:
    text = to_markdown(Report("R&amp;D", (Section("+ a", (Text("1. not a list"), Text("- nor this &lt;"))),)))
    assert text == "# R\\&amp;D\n\n## \\+ a\n\n1\\. not a list\n\n\\- nor this \\&lt;\n"


# ---- the same bytes

FAST = experiment(*paper_like(60).cells[:2])


def digest() -> str:
    made = build(FAST)
    text = to_html(made) + to_markdown(made) + terminal_text(made, full=True)
    return hashlib.sha256(text.encode()).hexdigest()


def test_same_outcome_gives_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("font.size: 31\nsvg.fonttype: path\nxtick.major.size: 20\n")
    places = [str(Path(entry).resolve()) for entry in (*sys.path, Path(__file__).parent)]
    changes = {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "MATPLOTLIBRC": str(tmp_path), "COLUMNS": "40"}
    environment = {**os.environ, **changes, "PYTHONPATH": os.pathsep.join(places)}
    code = "import test_report; print(test_report.digest())"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == digest(), done.stderr


# ---- whatever comes

MATCHES = st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=6).map(played)
CELLS = st.builds(
    CellOutcome,
    st.builds(
        cell,
        st.sampled_from(["hex", "othello"]),
        st.sampled_from(["a", "b", "c"]),
        st.sampled_from(["a", "b", "c"]),
        kind=st.sampled_from(["simulations", "seconds"]),
        control=st.booleans(),
        matches=st.integers(0, 10),
        reference=st.sampled_from([None, Reference(60.0, 0.0), Reference(50.0, 1.4)]),
    ),
    MATCHES,
)


@given(st.lists(CELLS, max_size=5))
@settings(max_examples=25)
def test_small_outcomes_make_reports(cells: list[CellOutcome]) -> None:
    made = build(experiment(*cells, sprt=Sprt(0.5, 0.6)))
    assert to_markdown(made).startswith("# Quality rewards")
    assert "nan" not in terminal_text(made, full=True).lower().split()


def test_importing_reports_loads_no_heavy_library() -> None:
    code = "import sys, treewise.lab.report; print({'scipy', 'statsmodels', 'matplotlib', 'pandas'} & set(sys.modules))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(Path(entry).resolve()) for entry in sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "set()", done.stderr
