"""The one text form: what is written can be read again, and what cannot be read is refused with a ValueError."""

import os
import random
import re
import subprocess
import sys
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from python_game import Nim

import treewise
from random_play import choices, step
from treewise import bonus, limit, playout, spec
from treewise.gdl.load import load_sheet, net_machine
from treewise.part import Part, default_of, part_classes

QUICK = settings(max_examples=150, suppress_health_check=list(HealthCheck))
DEPTH = 2


def values_of(declared: Field[Any], depth: int) -> st.SearchStrategy[Any]:
    """Values that the declaration of a parameter allows."""
    rules, default = declared.metadata, default_of(declared)
    if rules["many"]:
        known = rules["family"] in part_classes()
        found = st.lists(parts_of(rules["family"], depth - 1), min_size=1, max_size=3) if known else st.just([])
        return found.map(tuple)
    if rules["family"]:
        found = parts_of(rules["family"], depth - 1)
    elif isinstance(default, str):
        found = st.sampled_from(rules["choices"])
    elif isinstance(default, bool):
        found = st.booleans()
    elif isinstance(default, int) or rules["whole"]:
        found = st.integers(int(rules["low"]), int(rules["high"]))
    else:
        high = min(rules["high"], 1e299)
        found = st.floats(max(rules["low"], -1e299), high, allow_nan=False)
        found = found | st.sampled_from(rules["choices"]) if rules["choices"] else found
    return st.none() | found if rules["optional"] else found


def parts_of(family: str, depth: int) -> st.SearchStrategy[Part]:
    """Any part of a family, with any parameters; at depth 0 only parts that hold no others."""
    classes = [
        cls
        for cls in part_classes()[family].values()
        if depth > 0 or not any(d.metadata["family"] for d in fields(cls))
    ]
    return st.one_of([part_of(cls, depth) for cls in classes])


def part_of(cls: type[Part], depth: int) -> st.SearchStrategy[Part]:
    return st.fixed_dictionaries({}, optional={d.name: values_of(d, depth) for d in fields(cls)}).map(
        lambda chosen: build(cls, chosen)
    )


def build(cls: type[Part], chosen: dict[str, Any]) -> Part:
    """Some combinations are refused by name; then the defaults of the culprits are taken."""
    if any(d.metadata["many"] and d.metadata["family"] == "limit" for d in fields(cls)) and not chosen.get("limits"):
        chosen["limits"] = (limit.Simulations(),)
    try:
        return cls(**chosen)
    except ValueError as error:
        if not any(word in str(error) for word in ("cut_off", "leaf", "loop", "bounds", "waits for a proof")):
            raise
        culprits = ("inner", "playout", "parallel", "first_play", "limit")
        return cls(**{key: value for key, value in chosen.items() if key not in culprits})


searches = part_of(treewise.Search, DEPTH)


@QUICK
@given(searches)
def test_what_is_written_can_be_read(search: treewise.Search) -> None:
    assert treewise.parse_search(search.text()) == search
    assert treewise.parse_search(search.text(full=True)) == search
    assert len(search.text()) <= len(search.text(full=True))
    assert str(search) == search.text()


@QUICK
@given(searches, searches)
def test_identity_is_equality(one: treewise.Search, other: treewise.Search) -> None:
    assert treewise.parse_search(one.text()).identity() == one.identity()
    assert (one.identity() == other.identity()) == (one == other)


def test_equal_searches_that_were_written_differently() -> None:
    one = treewise.Search(first_play=treewise.first_play.Constant(value=0.0))
    for value in (-0.0, 0):
        other = treewise.Search(first_play=treewise.first_play.Constant(value=value))
        assert other == one
        assert other.identity() == one.identity()
    assert limit.Any([limit.Proven()]) == limit.Any((limit.Proven(),))  # type: ignore[arg-type]


@pytest.mark.parametrize("cls", [cls for parts in part_classes().values() for cls in parts.values()])
def test_every_part_alone(cls: type[Part]) -> None:
    part = build(cls, {})
    call = spec.parse(part.text(full=True))
    assert set(call.arguments) == {d.name for d in fields(cls)}
    assert cls.from_call(call) == part


def test_games_are_written_and_read() -> None:
    for name in treewise.game_names():
        game = treewise.load_game(name)
        assert treewise.game_text(game) == name
        changed = {d["name"]: other_value(d, game) for d in game_parameters(name)}
        for key, value in changed.items():
            text = spec.write(spec.Call(name, {key: value}))
            try:
                made = treewise.load_game(text)
            except ValueError:
                continue  # the value does not fit with the defaults of the others
            assert treewise.game_text(made) in (text, name)
            assert treewise.load_game(treewise.game_text(made)).parameters == made.parameters


def game_parameters(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = next(e for e in treewise._core.game_catalogue() if e["name"] == name)["parameters"]
    return found


def other_value(declared: dict[str, Any], game: treewise.Game) -> Any:
    if "choices" in declared:
        return declared["choices"][-1]
    if isinstance(declared["default"], bool):
        return not declared["default"]
    return type(declared["default"])(max(declared["low"], declared["default"] - 1))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("mtcs", "did you mean 'mcts'"),
        ("uct(simulation=5)", "did you mean 'simulations'"),
        ("mcts(selction=ucb1)", "did you mean 'selection'"),
        ("mcts(selection=ucb(c=1))", "did you mean 'ucb1'"),
        ("mcts(selection=ucb1(d=1))", "unknown parameter 'd'"),
        ("mcts(simulations=200)", "unknown parameter 'simulations'; write limit=simulations(200)"),
        ("mcts(mast=True)", "unknown parameter 'mast'; write playout=mast()"),
        ("mcts(slection=ucb1)", "did you mean 'selection'?"),
        ("mcts(playout=mast(mode='gredy'))", "did you mean 'greedy'"),
        ("mcts(selection=mast)", "unknown selection 'mast'"),
        ("mcts(bonus=[relative_bonus(a='onlin')])", "did you mean 'online'"),
        ("mcts(bonus=[relative_bonus(a=-1)])", "must be between 0 and 10"),
        ("mcts(bonus=[relative_bonus(a=online)])", "texts have quotes: 'online'"),
        ("mcts(bonus=[relative_bonus(k=1e999)])", "relative_bonus: k must be between 0 and 1000"),
        ("mcts(bonus=quality_bonuss)", "did you mean 'quality_bonus'"),
        ("mcts(limit=any(limits=[seconds(1), simulatoins(3)]))", "did you mean 'simulations'"),
    ],
)
def test_unknown_names_come_with_a_suggestion(text: str, hint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(hint)):
        treewise.parse_search(text)


def test_unknown_games_come_with_a_suggestion() -> None:
    with pytest.raises(ValueError, match="did you mean 'breakthrough'"):
        treewise.load_game("breaktrough")
    with pytest.raises(ValueError, match="did you mean 'columns'"):
        treewise.load_game("breakthrough(colums=5)")


@pytest.mark.parametrize(
    "text",
    [
        "uct(1, c=2)",
        "uct(c=1, c=2)",
        "mcts(ucb1, selection=ucb1)",
        "uct(**{})",
        "mcts(selection=[1])",
        "mcts(selection=[])",
        "mcts(limit=[simulations])",
        "mcts(bonus=[ucb1])",
        "mcts(limit=any(limits=[]))",
        "mcts(max_length=1.5)",
        "mcts(memory_mb=inf)",
        "uct(c=" + "9" * 400 + ")",
        "uct(c=" + "9" * 5000 + ")",
        "uct(simulations=" + "9" * 400 + ")",
        "uct(c=inf)",
        "uct(c=-1)",
        "uct(c='1')",
        "uct(c=True)",
        "uct(c=None)",
        "uct(c=1j)",
        "uct(c=uct)",
        "uct(c=lambda: 1)",
        "uct(c=1)(2)",
        "uct.c",
        "uct; uct",
        "x" * 30_000,
        "-" * 15_000 + "1",
        "(" * 5_000,
        "a(" * 3_000 + ")" * 3_000,
        "[" * 150 + "]" * 150,
        "1" + "+1" * 5_000,
        "a" + ".a" * 9_000,
        "f(" + "-" * 3_000 + "1)",
        "not " * 3_000 + "1",
        "",
        " ",
        "\0",
        "uct(\0)",
        "uct(c=1)\n\n#",
        "'",
    ],
)
def test_nonsense_is_refused(text: str) -> None:
    if text == "uct(c=1)\n\n#":
        treewise.parse_search(text)  # a comment is no nonsense
        return
    with pytest.raises(ValueError, match=r".") as caught:
        treewise.parse_search(text)
    assert len(str(caught.value)) < 12_000
    with pytest.raises(ValueError, match=r"."):
        treewise.load_game(text)


def test_other_types_are_refused() -> None:
    for wrong in (None, 3, b"uct", ["uct"]):
        with pytest.raises((ValueError, TypeError)):
            treewise.parse_search(wrong)  # type: ignore[arg-type]
        with pytest.raises((ValueError, TypeError)):
            treewise.load_game(wrong)  # type: ignore[arg-type]
        with pytest.raises((ValueError, TypeError)):
            treewise.load_game("hex").parse_state(wrong, 0)  # type: ignore[arg-type]


WORDS = sorted(
    {name for parts in part_classes().values() for name in parts}
    | {d.name for parts in part_classes().values() for cls in parts.values() for d in fields(cls)}
    | set(treewise.game_names())
    | {"uct", "enhanced", "cadia", "True", "None", "inf", "-1", "1e9", "0.5", "'a'", "10", "99999999999"}
)
sentences = st.lists(st.sampled_from([*WORDS, "(", ")", "=", ",", "[", "]", " "]), max_size=14).map("".join)


@QUICK
@given(sentences | st.text(max_size=80))
def test_random_texts_give_a_search_or_a_value_error(text: str) -> None:
    for read in (treewise.parse_search, treewise.load_game, spec.parse):
        try:
            found = read(text)
        except ValueError:
            continue
        assert found is not None


ROWS = {
    "amazons": [10] * 10,
    "breakthrough": [8] * 8,
    "cannon": [10] * 10,
    "chinese_checkers": [1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1],
    "checkers": [8] * 8,
    "connect_four": [7] * 6,
    "go": [9] * 9,
    "gomoku": [15] * 15,
    "hex": [11] * 11,
    "knightthrough": [8] * 8,
    "lines_of_action": [8] * 8,
    "othello": [8] * 8,
    "pentalath": [5, 6, 7, 8, 9, 8, 7, 6, 5],
    "phantom_tic_tac_toe": [3] * 3,
    "same_game": [15] * 15,
    "tic_tac_toe": [3] * 3,
}
PATTERNS = {
    "goofspiel": r"[0-4]: [3-5] (?:9|10)(?:/[0-9]: (?:3 4 5|1 2 7|2 13)){2}",
    "pig": r"\d{1,3} \d{1,2}/\d{1,9}(?:/rolls)?",
}


@pytest.mark.parametrize("name", treewise.game_names())
def test_random_boards_give_a_state_that_can_be_played_or_a_value_error(name: str) -> None:
    """Boards of the right shape with pieces anywhere, such boards with a few characters changed, and any text."""
    game = treewise.load_game(name)
    signs = {"cannon": ".........1212tT", "phantom_tic_tac_toe": "....xoXO"}.get(name, ".........12")
    if name in PATTERNS:
        shape = st.from_regex(PATTERNS[name], fullmatch=True)
    else:
        shape = st.tuples(*[st.text(signs, min_size=n, max_size=n) for n in ROWS[name]]).map("/".join)
    spoilt = st.tuples(shape, st.integers(0, 120), st.integers(0, 3), st.text("./12345xoXOtT é\0\n", max_size=3)).map(
        lambda t: t[0][: t[1]] + t[3] + t[0][t[1] + t[2] :]
    )
    accepted = 0

    @settings(max_examples=100, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(shape | spoilt | st.text(max_size=300), st.sampled_from([0, 1]) | st.integers(-3, 7))
    def check(board: str, player: int) -> None:
        nonlocal accepted
        try:
            state = game.parse_state(board, player)
        except ValueError:
            return
        accepted += 1
        assert isinstance(str(state), str)
        rng = random.Random(len(board))
        while not state.is_terminal() and len(state.history()) < 12:
            for legal in choices(state):
                assert legal
                assert len(set(legal)) == len(legal)
                assert all(state.action_name(action) for action in legal)
            step(state, rng)
        state.playout(3, max_length=500)
        assert len(state.returns()) == game.num_players

    check()
    if name in {"go", "goofspiel", "pig", "same_game"}:
        assert accepted > 0, "the boards are not nonsense altogether"


def test_fuzzing_finds_nothing() -> None:
    """A short run of the coverage-guided fuzzer; `python tests/fuzz/fuzz_text.py` goes on for as long as one likes."""
    pytest.importorskip("atheris")
    script = Path(__file__).parent / "fuzz" / "fuzz_text.py"
    done = subprocess.run(
        [sys.executable, str(script), "-runs=20000", "-seed=1", "-max_len=200", "-rss_limit_mb=0"],
        capture_output=True,
        text=True,
        timeout=240,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    assert "Done 20000 runs" in done.stderr + done.stdout


# ---- equal games

EQUAL = {
    "hex(7)": ["hex(size=7)", "hex(7, swap=False)"],
    "go(9, komi=6)": ["go(size=9, komi=6.0)"],
    "tic_tac_toe": ["tic_tac_toe()"],
    "gdl('tic_tac_toe')": ["gdl(path='tic_tac_toe')"],
    "vgdl('aliens', 1)": ["vgdl(game='aliens', level=1)"],
    "vgdl('aliens')": ["vgdl(game='aliens', level=0)"],
}


def test_games_are_equal_by_their_full_text_form() -> None:
    for text, others in EQUAL.items():
        game = treewise.load_game(text)
        for other in map(treewise.load_game, others):
            assert game == other
            assert (game != other) is False
            assert len({game, other}) == 1

        assert [found for found in EQUAL if treewise.load_game(found) == game] == [text]
        assert game != text


def test_games_without_a_text_form_equal_themselves_only() -> None:
    games = [treewise.as_state(Nim()).game for _ in range(2)]
    assert games[0] == games[0]
    assert games[0] != games[1]
    assert len({*games, games[0]}) == 2
    sheets = [net_machine(load_sheet("tic_tac_toe")).game for _ in range(2)]
    assert sheets[0] != sheets[1]
    assert len({*sheets, treewise.load_game("hex")}) == 3


def nested(depth: int) -> treewise.Search:
    inner: Any = playout.Uniform()
    for _ in range(depth):
        inner = playout.Decisive(inner=inner)
    return treewise.Search(playout=inner)


@pytest.mark.parametrize(
    "search",
    [
        treewise.Search(limit=limit.Any(limits=[limit.Simulations(5)] * 4000)),
        treewise.Search(bonus=[bonus.RelativeBonus(k=2)] * 2000),
        nested(90),
    ],
    ids=["limits", "bonuses", "nested"],
)
def test_long_texts_are_read_back(search: treewise.Search) -> None:
    assert treewise.parse_search(search.text()) == search


@pytest.mark.parametrize(
    ("search", "reason"),
    [
        (treewise.Search(limit=limit.Any(limits=[limit.Simulations(5)] * 10_000)), "characters, and at most 100,000"),
        (nested(150), "more than 100 deep"),
    ],
    ids=["limits", "nested"],
)
def test_texts_that_would_not_be_read_back_are_not_written(search: treewise.Search, reason: str) -> None:
    for write in (search.text, search.identity, lambda: search.text(full=True)):
        with pytest.raises(ValueError, match=reason):
            write()
