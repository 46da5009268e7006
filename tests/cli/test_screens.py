"""States on the screen: boards of rulesheets, changed places, pages, widths."""

from __future__ import annotations

import io
import random
import subprocess
import sys

import pytest
from rich.console import Console

import treewise
from treewise.cli import main
from treewise.cli.drawing import drawing, marked, print_pages
from treewise.gdl import sheet_names
from treewise.gdl.drawing import draw_facts

NATIVE = sorted(set(sheet_names()) - {"hidden_coin", "kuhn_poker"})


@pytest.mark.parametrize("sheet", NATIVE)
def test_a_rulesheet_fits_on_a_screen(sheet: str) -> None:
    state = treewise.load_game(f"gdl('{sheet}')").initial_state()
    rng = random.Random(1)
    for _ in range(30):
        lines = drawing(state).split("\n")
        assert len(lines) <= 24
        assert max(map(len, lines)) <= 80
        if state.is_terminal() or state.current_player() < 0:
            break
        state.apply(rng.choice(state.legal_actions()))


def test_every_fact_is_drawn() -> None:
    """Each fact that holds changes the drawing of a board, and what is no cell is listed as it is."""
    game = treewise.load_game("gdl('quad')")
    facts = str(game.initial_state()).splitlines()
    whole = draw_facts(facts, game.facts)
    assert "(control x)" in whole
    assert "(quad o 20)" in whole
    for place, fact in enumerate(facts):
        other = fact.replace(" b)", " x)") if fact.startswith("(cell") else fact[:-1] + "7)"
        assert draw_facts([*facts[:place], other, *facts[place + 1 :]], game.facts) != whole


def test_directions() -> None:
    """Letters are columns; r1 is the top row; numbers rise from the bottom."""
    lettered = draw_facts([f"(at {number} {letter} p{number}{letter})" for number in (1, 2) for letter in "ab"])
    assert lettered.split("\n")[1:] == ["2  p2a  p2b", "1  p1a  p1b", "   a    b"]
    rows = draw_facts([f"(at r{row} c{column} p{row}{column})" for row in (1, 2) for column in (1, 2)])
    assert rows.split("\n")[1:] == ["r1  p11  p12", "r2  p21  p22", "    c1   c2"]
    squares = draw_facts(["(at a1 x)", "(at a2 o)", "(at b1 o)", "(at b2 x)"])
    assert squares.split("\n")[1:] == ["2  o  x", "1  x  o", "   a  b"]


def test_known_facts_give_the_size() -> None:
    known = [f"(cell {x} {y} {mark})" for x in (1, 2, 3) for y in (1, 2) for mark in "xo"]
    assert draw_facts(["(cell 2 1 x)"], known).split("\n") == ["cell", "2  .  .  .", "1  .  x  .", "   1  2  3"]


def test_long_contents_get_short_marks_and_a_legend() -> None:
    pieces = ["whiteKing", "whiteKnight", "blackKing", "none"]
    drawn = draw_facts([f"(cell {1 + i % 2} {1 + i // 2} {piece})" for i, piece in enumerate(pieces)])
    assert drawn.split("\n")[1:] == [
        "2  bK    .",
        "1  whKi  whKn",
        "   1     2",
        "bK blackKing, whKi whiteKing, whKn whiteKnight",
    ]


@pytest.mark.parametrize(
    "facts",
    [
        ["(count white 3)", "(count black 4)", "(step 1)"],
        ["(on a b)", "(on b c)", "(on c d)"],
        ["(score 1 17)", "(score 2 99)"],
        ["(holds (card 1 2) me)", "(holds (card 2 2) you)", "alone"],
        ["(cell 1 1 a)", "(cell 1 1 b)", "(cell 1 1 c)", "(cell 2 2 a)", "(cell 1 2 a)", "(cell 2 1 a)"],
        [],
    ],
)
def test_what_is_no_board_is_listed_whole(facts: list[str]) -> None:
    drawn = draw_facts(facts)
    assert all(fact in drawn for fact in facts)


def test_a_board_that_is_too_wide_is_listed() -> None:
    facts = [f"(cell {x} {y} contents{x}x{y})" for x in range(1, 31) for y in range(1, 3)]
    assert all(fact in draw_facts(facts) for fact in facts)


def test_changed_places_are_marked_only_in_boards_of_one_form() -> None:
    assert [span[:2] for span in marked("a.\n..", "..\n.a").spans] == [(0, 1), (4, 5)]
    assert marked(None, "a").spans == []
    assert marked("a", "a.").spans == []
    assert marked("a.", "a.").spans == []


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answers", "shown"), [(["", ""], 20), (["q"], 8), (["", "q"], 16)])
def test_long_lists_come_in_pages(monkeypatch: pytest.MonkeyPatch, answers: list[str], shown: int) -> None:
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return answers[len(asked) - 1]

    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr("sys.stdin", _Screen())
    file = _Screen()
    print_pages(Console(file=file, force_terminal=True, height=10, width=80), [f"line {n}" for n in range(20)])
    assert file.getvalue().count("line ") == shown
    assert len(asked) == len(answers)
    assert "12 more lines" in asked[0]


def test_lists_in_a_pipe_come_whole(capsys: pytest.CaptureFixture[str]) -> None:
    print_pages(Console(width=80, height=10), [f"line {n}" for n in range(50)])
    assert capsys.readouterr().out.count("line ") == 50


def test_pipes_are_as_wide_as_80_columns_where_no_terminal_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS")
    done = subprocess.run(
        [sys.executable, "-m", "treewise", "games"], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8"
    )
    assert max(map(len, done.stdout.splitlines())) == 80


def test_search_draws_boards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "gdl('tic_tac_toe')", "--simulations", "100"]) == 0
    assert "3  .  .  .\n" in capsys.readouterr().out
