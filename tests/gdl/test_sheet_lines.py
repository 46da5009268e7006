"""Positions that try single rules of the project's own rulesheets: lines, chains, races and numbers of discs."""

import itertools
import random

import pytest

from sheet_positions import Position, filled


def lines(size: int, dimensions: int) -> list[list[str]]:
    """The straight lines from side to side of a square or cube, as coordinates from 1."""
    found = set()
    for direction in itertools.product((-1, 0, 1), repeat=dimensions):
        for start in itertools.product(range(1, size + 1), repeat=dimensions):
            cells = [[x + step * d for x, d in zip(start, direction, strict=True)] for step in range(size)]
            if any(direction) and all(1 <= x <= size for cell in cells for x in cell):
                found.add(tuple(sorted(" ".join(map(str, cell)) for cell in cells)))
    return [list(line) for line in sorted(found)]


@pytest.mark.parametrize(("name", "size", "dimensions", "count"), [("tic_tac_toe", 3, 2, 8), ("tictactoe3d", 4, 3, 76)])
def test_every_line_wins(name: str, size: int, dimensions: int, count: int) -> None:
    board = [" ".join(map(str, cell)) for cell in itertools.product(range(1, size + 1), repeat=dimensions)]
    found = lines(size, dimensions)
    assert len(found) == count
    for number, line in enumerate(found):
        stone = "xo"[number % 2]
        full = Position(name, filled(" ".join(f"(cell {c} {stone})" for c in line), board, "(cell {} b)"))
        assert (full.is_over(), full.goals()) == (True, [100, 0] if stone == "x" else [0, 100])
        broken = filled(" ".join(f"(cell {c} {stone})" for c in line[1:]), board, "(cell {} b)")
        assert (Position(name, broken).is_over(), Position(name, broken).goals()) == (False, [50, 50])


def test_full_boards_are_draws() -> None:
    cube = "xooooxxxxxoxxxoxoxoxoxxoxoxxoxoooxxoxooooxoooooxoxxoxoxxoxooxoxx"
    cells = zip(itertools.product("1234", repeat=3), cube, strict=True)
    full = Position("tictactoe3d", " ".join(f"(cell {' '.join(cell)} {stone})" for cell, stone in cells))
    assert (full.is_over(), full.goals()) == (True, [50, 50])
    letters = list(enumerate("abcdefgh"))
    board = [f"(cell {a} {b} {'xo'[(x + 2 * y) % 4 // 2]})" for (x, a), (y, b) in itertools.product(letters, letters)]
    assert (Position("connect5", *board).is_over(), Position("connect5", *board).goals()) == (True, [50, 50])
    board = [f"(cell {x} {y} {('red', 'black')[(x + 2 * y) % 4 // 2]})" for x in range(1, 9) for y in range(1, 7)]
    assert (Position("connect_four", *board).is_over(), Position("connect_four", *board).goals()) == (True, [50, 50])


@pytest.mark.parametrize(("step", "first_of_five", "first_of_four"), [(0, 2, 4), (1, 2, 3), (-1, 6, 6)])
def test_rows_and_diagonals(step: int, first_of_five: int, first_of_four: int) -> None:
    letters = "abcdefgh"
    board = [f"{a} {b}" for a in letters for b in letters]
    five = [f"(cell {letters[n + 1]} {letters[first_of_five - 1 + n * step]} o)" for n in range(5)]
    assert Position("connect5", filled(" ".join(five), board, "(cell {} b)")).goals() == [0, 100]
    assert not Position("connect5", filled(" ".join(five[1:]), board, "(cell {} b)")).is_over()
    four = [f"(cell {n + 5} {first_of_four + n * step} black)" for n in range(4)]
    assert Position("connect_four", *four).goals() == [0, 100]
    assert not Position("connect_four", *four[1:]).is_over()


def test_columns() -> None:
    board = [f"{a} {b}" for a in "abcdefgh" for b in "abcdefgh"]
    five = " ".join(f"(cell c {rank} x)" for rank in "defgh")
    assert Position("connect5", filled(five, board, "(cell {} b)")).goals() == [100, 0]
    four = " ".join(f"(cell 8 {row} red)" for row in (3, 4, 5, 6))
    assert Position("connect_four", four).goals() == [100, 0]


def test_ttcc4_lines_are_those_of_the_centre() -> None:
    pieces = itertools.cycle(["lightDisc", "lightPawn", "lightKnight"])
    for line in lines(3, 2):
        cells = [[int(x) + 2 for x in cell.split()] for cell in line]
        position = Position("ttcc4", *(f"(cell {x} {y} {next(pieces)})" for x, y in cells), "(control dark) (step 9)")
        assert (position.is_over(), position.goals()) == (True, [100, 0])
    assert not Position("ttcc4", "(cell 2 3 darkDisc) (cell 3 3 darkDisc) (cell 4 3 darkDisc) (step 9)").is_over()


def test_more_than_five_win_too() -> None:
    row = " ".join(f"(cell {file} d x)" for file in "abcefgh")
    board = [f"{file} {rank}" for file in "abcdefgh" for rank in "abcdefgh"]
    gap = Position("connect5", filled(row, board, "(cell {} b)"), "(control x)")
    assert not gap.is_over()
    assert gap.play("(mark d d)", "noop").goals() == [100, 0]


@pytest.mark.parametrize(("name", "fact"), [("breakthrough", "cellHolds"), ("knightthrough", "cell")])
def test_races(name: str, fact: str) -> None:
    apart = f"({fact} 3 4 white) ({fact} 4 5 black)"
    assert not Position(name, apart, "(control white)").is_over()
    assert Position(name, apart, f"({fact} 8 1 black)", "(control white)").goals() == [0, 100]
    assert Position(name, f"({fact} 3 4 white)", "(control black)").goals() == [100, 0]


def test_hex_chains_touch_both_edges() -> None:
    column = " ".join(f"(cell e {row} red)" for row in range(1, 9))
    assert not Position("hex", column, "(control red)").is_over()
    assert Position("hex", column, "(control red)").play("(place d 9)", "noop").goals() == [100, 0]
    assert not Position("hex", column, "(control red)").play("(place f 9)", "noop").is_over()
    assert Position("hex", " ".join(f"(cell {c} 4 blue)" for c in "abcdefghi"), "(control red)").goals() == [0, 100]


def test_reversi_passes_and_counts() -> None:
    position = Position("reversi", "(cell 1 1 black) (cell 2 1 white)", "(control white)")
    assert (position.legal(1), position.is_over()) == ({"noop"}, False)
    after = position.play("noop", "noop").play("(place 3 1)", "noop")
    assert (after.is_over(), after.goals()) == (True, [100, 0])
    even = Position("reversi", "(cell 1 1 black) (cell 8 8 white)", "(control white)")
    assert (even.is_over(), even.goals()) == (True, [50, 50])


def test_reversi_goals_go_by_the_number_of_discs() -> None:
    chance, cells = random.Random(4), [(x, y) for x in range(1, 9) for y in range(1, 9)]
    for black in (0, 1, 9, 31, 32, 32, 33, 40, 63, 64):
        held = set(chance.sample(cells, black))
        board = [f"(cell {x} {y} {'black' if (x, y) in held else 'white'})" for x, y in cells]
        expected = [100, 0] if black > 32 else [0, 100] if black < 32 else [50, 50]
        assert (Position("reversi", *board).is_over(), Position("reversi", *board).goals()) == (True, expected)
