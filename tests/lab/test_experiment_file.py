"""Experiment files: what they ask for, and what is said of mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_experiments import ALONE, SMALL, experiment, write

from treewise import parse_search
from treewise.lab import read_experiment
from treewise.lab.outcome import Cell, Reference, Sprt

HEAD = """
name = "x"
matches = 4
budgets = { few = "simulations(10)", time = "seconds(0.5)", both = "any([simulations(9), seconds(1)])" }
"""
GAMES = '[[games]]\ngame = "tic_tac_toe"\n'
THREE = '[entrants]\nA = "uct"\nB = "uct(c=1.0)"\nC = "uct(c=2.0)"\n'


def names(cells: tuple[Cell, ...]) -> list[tuple[str, str]]:
    return [(cell.a, cell.b) for cell in cells if cell.budget == "few"]


def test_a_file_becomes_cells_with_full_texts(tmp_path: Path) -> None:
    found = experiment(tmp_path)
    assert (found.name, found.title, found.seed, found.opening, found.reuse) == ("small", "small", 3, 1, False)
    assert names(found.cells) == [("greedy", "base"), ("MAST", "base"), ("base", "base")] * 2
    assert [cell.control for cell in found.cells] == [False, False, True] * 2
    cell = found.cells[3]
    assert (cell.game, cell.game_label) == ("breakthrough(rows=5, columns=3)", "Breakthrough")
    assert (cell.matches, cell.kind, cell.players) == (6, "simulations", 2)
    expected = parse_search("uct(c=1.0, simulations=12)").text(full=True)
    assert cell.b_text == expected
    assert "limit=simulations(count=12)" in cell.a_text


@pytest.mark.parametrize(
    ("pairing", "expected"),
    [
        ('pairing = "round_robin"', [("A", "B"), ("A", "C"), ("B", "C")]),
        ('pairing = "gauntlet"\nbase = "B"', [("A", "B"), ("C", "B")]),
        ('pairing = "round_robin"\nbase = "C"\ncontrol = true', [("A", "B"), ("A", "C"), ("B", "C"), ("C", "C")]),
    ],
)
def test_pairings(tmp_path: Path, pairing: str, expected: list[tuple[str, str]]) -> None:
    assert names(experiment(tmp_path, f"{pairing}\n{HEAD}{THREE}{GAMES}").cells) == expected


def test_head_to_head_puts_the_base_second(tmp_path: Path) -> None:
    text = HEAD + 'base = "A"\n[entrants]\nA = "uct"\nB = "uct(c=1.0)"\n' + GAMES
    assert names(experiment(tmp_path, text).cells) == [("B", "A")]
    assert names(experiment(tmp_path, text.replace('base = "A"', "")).cells) == [("A", "B")]


def test_a_sweep_makes_an_entrant_of_each_value(tmp_path: Path) -> None:
    entrants = 'base = "uct"\nRB = "uct(c={k})"\n'
    text = f'pairing = "sweep"\n{HEAD}[entrants]\n{entrants}[sweep]\nparameter = "k"\nvalues = [0.5, 2]\n{GAMES}'
    found = experiment(tmp_path, text + 'reference = { "RB, k = 2" = { few = [51, 2.5] } }')
    assert found.parameter == "k"
    cells = [cell for cell in found.cells if cell.budget == "few"]
    assert [(cell.a, cell.value) for cell in cells] == [("RB, k = 0.5", 0.5), ("RB, k = 2", 2)]
    assert "ucb1(c=2.0, " in cells[1].a_text
    assert cells[1].reference == Reference(51.0, 2.5)


def test_kinds_follow_from_the_limit(tmp_path: Path) -> None:
    found = experiment(tmp_path, f'pairing = "round_robin"\n{HEAD}{THREE}{GAMES}')
    kinds = {cell.budget: cell.kind for cell in found.cells}
    assert kinds == {"few": "simulations", "time": "seconds", "both": "seconds"}


def test_matches_by_game_and_budget(tmp_path: Path) -> None:
    text = HEAD.replace("matches = 4", "matches = { few = 4, time = 6, both = 8 }") + 'pairing = "round_robin"\n'
    second = GAMES.replace("tic_tac_toe", "knightthrough") + 'label = "second"\nmatches = { time = 7 }\n'
    games = GAMES + "matches = 5\n" + second
    found = experiment(tmp_path, text + THREE + games)
    asked = {(cell.game_label, cell.budget): cell.matches for cell in found.cells}
    assert {asked["tic_tac_toe", budget] for budget in ("few", "time", "both")} == {5}
    assert [asked["second", budget] for budget in ("few", "time", "both")] == [4, 7, 8]


def test_controls_may_have_their_own_number(tmp_path: Path) -> None:
    found = experiment(tmp_path, SMALL.replace("control = true", "control = 50"))
    assert {cell.matches for cell in found.cells if cell.control} == {50}
    assert {cell.matches for cell in found.cells if not cell.control} == {6}


def test_references_and_sequential_test(tmp_path: Path) -> None:
    text = SMALL.replace("seed = 3", 'source = "Table 1"').replace(
        "values = { c = 0.7 }", "values = { c = 0.7 }\nreference = { MAST = { few = [54.7, 1.4] } }"
    )
    found = experiment(tmp_path, text + "[sprt]\np0 = 0.5\np1 = 0.55\n")
    assert [cell.reference for cell in found.cells if cell.reference] == [Reference(54.7, 1.4, "Table 1")]
    assert found.sprt == Sprt(0.5, 0.55)


def test_a_game_may_leave_entrants_out(tmp_path: Path) -> None:
    found = experiment(tmp_path, SMALL.replace("values = { c = 0.7 }", 'values = { c = 0.7 }\nentrants = ["MAST"]'))
    assert names(found.cells)[:2] == [("MAST", "base"), ("base", "base")]


MISTAKES = [
    ("seed = 3", "sede = 3", "unknown key 'sede'; did you mean 'seed'?"),
    ("seed = 3", 'seed = "3"', "'seed' must be a whole number, not '3'"),
    ("seed = 3", "seed = -3", "'seed' must be from 0 to 18446744073709551615, not -3"),
    (
        "seed = 3",
        "seed = 18446744073709551616",
        "'seed' must be from 0 to 18446744073709551615, not 1844674407370955161",
    ),
    ("seed = 3", f"seed = {'9' * 5000}", "not a TOML file: "),
    ("seed = 3", "reuse = 1", "'reuse' must be true or false"),
    ("control = true", "control = 0", "'control' must be at least 1"),
    ('name = "small"', "", "'name' is missing"),
    ('name = "small"', 'name = "sm\\u001b[31mall"', "'name' has the character '\\x1b', which cannot be shown"),
    ('"mcts(playout=mast)"', '"mcts(playout=mast)"\n"B\\nred" = "mcts"', "has the character '\\n'"),
    ("seed = 3", f"seed = {'[' * 5000}{']' * 5000}", "its lists are too deep"),
    ('"gauntlet"', '"gauntlett"', "unknown pairing 'gauntlett'; did you mean 'gauntlet'?"),
    ('"gauntlet"', '"head_to_head"', "head_to_head needs two entrants"),
    ("opening = 1", "opening = 9", "[[games]] 1 (tic_tac_toe): opening = 9: a match has no more than 9 steps"),
    ("opening = 1", "opening = 1001", "'opening' must be from 0 to 1,000 random steps, not 1001"),
    ("opening = 1", "opening = 9999999999999999999999", "'opening' must be from 0 to 1,000 random steps, not 99999"),
    ("opening = 1", "opening = -1", "'opening' must be at least 0, not -1"),
    ("opening = 1", 'base = "bass"', "unknown base 'bass'; did you mean 'base'?"),
    ("matches = 6", "", "[[games]] 1 (tic_tac_toe): 'matches' is missing for the budget 'few'"),
    ("matches = 6", "matches = { fwe = 6 }", "'matches' is missing for the budget 'few'"),
    ("matches = 6", "matches = 0", "'matches' must be at least 1"),
    ('"simulations(12)"', '"simulation(12)"', "budgets: few: unknown limit 'simulation'; did you mean 'simulations'?"),
    ('"simulations(12)"', '"simulations(12"', "budgets: few: cannot read"),
    ('game = "tic_tac_toe"', 'game = "tic_tac_to"', "(tic_tac_to): game: unknown game 'tic_tac_to'; did you mean"),
    ('game = "tic_tac_toe"', 'gme = "tic_tac_toe"', "unknown key 'gme'; did you mean 'game'?"),
    ('"mcts(playout=mast)"', '"mcts(playout=mats)"', "entrant 'MAST': unknown playout 'mats'; did you mean 'mast'?"),
    ('"mcts(playout=mast)"', "3", "entrants: 'MAST' must be a text, not 3"),
    ('"uct(c={c})"', '"uct(c={cc})"', "values: no entrant has {c}"),
    ("c = 0.7", "c = 0.7, d = 3", "values: no entrant has {d}"),
    ("values = { c = 0.7 }", "", "[[games]] 1 (tic_tac_toe): entrant 'base': no value for {c}"),
    ("values = { c = 0.7 }", "values = { c = -1 }", "entrant 'base': ucb1: c must be between"),
    ('"tic_tac_toe"', '"phantom_tic_tac_toe"', "hides information from its players: add information="),
    ("values = { c = 0.7 }", 'values = { c = 1 }\nentrants = ["MATS"]', "unknown entrant 'MATS'; did you mean 'MAST'?"),
    ("values = { c = 0.7 }", "values = { c = 1 }\nreference = { MAST = { few = 3 } }", "'few' must be a list, not 3"),
    ("values = { c = 0.7 }", "values = { c = 1 }\nreference = { MAST = { few = [3] } }", "must be [rate, half width]"),
    ("values = { c = 0.7 }", "values = { c = 1 }\nreference = { MAST = { fw = [3, 1] } }", "did you mean 'few'?"),
    ("values = { c = 0.7 }", "values = { c = 1 }\nreference = { MAST = { few = [3, -1] } }", "from 0 to 100 per cent"),
    (
        "values = { c = 0.7 }",
        "values = { c = 1 }\nreference = { base = { few = [50, 1] } }",
        "[[games]] 1 (tic_tac_toe): reference: 'base' is measured against nobody here",
    ),
    (
        "values = { c = 0.7 }",
        'values = { c = 1 }\nentrants = ["MAST"]\nreference = { greedy = { few = [50, 1] } }',
        "reference: 'greedy' is measured against nobody here",
    ),
    (
        '"mcts(playout=mast)"',
        '"uct(c={c}, simulations=9)"',
        "are the same search on 'tic_tac_toe' at 'few'",
    ),
    ('label = "Breakthrough"', 'game_label = "B"', "unknown key 'game_label'; did you mean 'label'?"),
    ('game = "breakthrough(rows=5, columns=3)"\nlabel = "Breakthrough"', 'game = "tic_tac_toe"', "is there twice"),
    ("budgets =", "sweep = { parameter = 'k' }\nbudgets =", "sweep: only for pairing = 'sweep'"),
    ("budgets =", "sprt = { p0 = 0.6, p1 = 0.5 }\nbudgets =", "sprt: it needs 0 < p0 < p1 < 1"),
    ("budgets =", "sprt = { p0 = 0.6 }\nbudgets =", "sprt: 'p1' is missing"),
    ("budgets =", f"sprt = {{ p0 = 0.5, p1 = 1{'0' * 450} }}\nbudgets =", "sprt: it needs 0 < p0 < p1 < 1"),
    (
        "values = { c = 0.7 }",
        "values = { c = 1 }\nreference = { MAST = { few = [true, false] } }",
        "[rate, half width]",
    ),
    ('label = "Breakthrough"', 'label = "B\\u0007"', "the label 'B\\x07' has the character '\\x07'"),
    (
        '"gauntlet"',
        '"sweep"\nsweep = { parameter = "c", values = [1] }',
        "'base' must not have {c}, which the sweep varies",
    ),
    ("seed = 3", "seed = = 3", "not a TOML file"),
    ("matches = 6", "matches = 400000", "2,400,000 matches: one file may ask for 1,000,000; ask for less, or split it"),
    ('"simulations(12)"', '"proven"', "budgets: few: 'proven' says neither how many simulations"),
    ('"simulations(12)"', '"memory(0.01)"', "budgets: few: 'memory(megabytes=0.01)' says neither"),
    ('"simulations(12)"', '"any([until_stopped, proven])"', "says neither how many simulations a search"),
    ('"simulations(12)"', '"all([until_stopped, simulations(3)])"', "says neither how many simulations"),
    ('"simulations(12)"', '"simulations(0)"', "few: 'simulations(count=0)' ends a search before its first simulation"),
    ('"simulations(12)"', '"seconds(0)"', "few: 'seconds(seconds=0.0)' ends a search before its first simulation"),
    ('"simulations(12)"', '"cpu_seconds(0)"', "few: 'cpu_seconds(seconds=0.0)' ends a search before its first"),
    ('"simulations(12)"', '"seconds(1e-7)"', "few: 'seconds(seconds=1e-07)' ends a search before its first"),
    ('"simulations(12)"', '"any([simulations(0), seconds(1)])"', "ends a search before its first simulation"),
    ('"simulations(12)"', '"any([memory(0), seconds(1)])"', "ends a search before its first simulation"),
    ('"simulations(12)"', '"all([simulations(0), seconds(0)])"', "ends a search before its first simulation"),
    (
        '{ few = "simulations(12)" }',
        '{ few = "simulations(12)", same = "simulations(12)" }',
        "'greedy' on 'tic_tac_toe' at 'few' and 'greedy' on 'tic_tac_toe' at 'same' are the same searches",
    ),
    (
        'MAST = "mcts(playout=mast)"',
        'other = "uct(c=0.0, simulations=7)"',
        "'greedy' on 'tic_tac_toe' at 'few' and 'other' on 'tic_tac_toe' at 'few' are the same searches",
    ),
    (
        'game = "breakthrough(rows=5, columns=3)"\nlabel = "Breakthrough"\nvalues = { c = 1.0 }',
        'game = "tic_tac_toe"\nlabel = "the same"\nvalues = { c = 0.7 }',
        "'greedy' on 'tic_tac_toe' at 'few' and 'greedy' on 'the same' at 'few' are the same searches",
    ),
]


@pytest.mark.parametrize(("right", "wrong", "message"), MISTAKES)
def test_mistakes_are_named_with_their_place(tmp_path: Path, right: str, wrong: str, message: str) -> None:
    assert right in SMALL
    file = write(tmp_path, SMALL.replace(right, wrong, 1))
    with pytest.raises(ValueError, match=r"small\.toml: ") as error:
        read_experiment(file)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "limit",
    [
        "any([proven, simulations(12)])",
        "any([until_stopped(0), simulations(12)])",
        "all([simulations(0), simulations(12)])",
    ],
)
def test_limits_that_also_wait_for_something_else(tmp_path: Path, limit: str) -> None:
    found = experiment(tmp_path, SMALL.replace("simulations(12)", limit))
    assert {cell.kind for cell in found.cells} == {"simulations"}


def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^cannot read .*: Is a directory: name an experiment file"):
        read_experiment(tmp_path)
    with pytest.raises(ValueError, match=r"^.{255}: there is no such file$"):
        read_experiment(tmp_path / ("long" * 100))


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "marked.toml"
    file.write_text(SMALL, encoding="utf-8-sig")
    assert read_experiment(file) == experiment(tmp_path)


def test_the_largest_seed(tmp_path: Path) -> None:
    assert experiment(tmp_path, SMALL.replace("seed = 3", f"seed = {2**64 - 1}")).seed == 2**64 - 1


def test_figures_in_head_to_head_are_the_first_one_s(tmp_path: Path) -> None:
    text = HEAD + '[entrants]\nA = "uct"\nB = "uct(c=1.0)"\n' + GAMES
    assert experiment(tmp_path, text + "reference = { A = { few = [50, 1] } }").cells[0].reference
    with pytest.raises(ValueError, match="reference: 'B' is measured against nobody here"):
        experiment(tmp_path, text + "reference = { B = { few = [50, 1] } }")


def test_a_round_robin_has_no_published_figures(tmp_path: Path) -> None:
    text = f'pairing = "round_robin"\n{HEAD}{THREE}{GAMES}reference = {{ A = {{ few = [50, 1] }} }}'
    with pytest.raises(ValueError, match="an entrant of a round robin has several opponents"):
        experiment(tmp_path, text)


def test_published_figures_of_entrants_alone_are_a_table(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\[\[games\]\] 2 \(Wide\): 'reference' must be a table, not 3"):
        experiment(tmp_path, ALONE.replace('label = "Wide"', 'label = "Wide"\nreference = 3'))


def test_a_sweep_s_values_differ(tmp_path: Path) -> None:
    entrants = 'base = "uct"\nRB = "uct(c={k})"\n'
    sweep = f'pairing = "sweep"\n{HEAD}[entrants]\n{entrants}[sweep]\nparameter = "k"\nvalues = [1, 1.0]\n{GAMES}'
    with pytest.raises(ValueError, match=r"'RB, k = 1' .* and 'RB, k = 1\.0' .* are the same searches"):
        experiment(tmp_path, sweep)


def test_a_sweep_needs_its_parameter(tmp_path: Path) -> None:
    start = 'pairing = "sweep"\n' + HEAD
    for entrants, message in [
        ('base = "uct(c={k})"\nRB = "uct(c={k})"', "'base' must not have {k}"),
        ('base = "uct"\nRB = "uct(c=1)"', "'RB' has no {k}"),
    ]:
        with pytest.raises(ValueError, match=message.replace("{", r"\{")):
            experiment(tmp_path, f'{start}[entrants]\n{entrants}\n[sweep]\nparameter = "k"\nvalues = [1]\n{GAMES}')


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no such file"):
        read_experiment(tmp_path / "none.toml")
