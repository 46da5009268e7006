"""Parts and searches in files of the user's: text forms of their own, new objects for each match."""

from __future__ import annotations

import pickle
from keyword import iskeyword
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treewise
from own_files import own
from treewise import Search, limit, parse_search, playout, spec
from treewise.own_part import OwnPart
from treewise.processes import cached_search

__all__ = ["own"]
TTT = treewise.load_game("tic_tac_toe")


NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,5}", fullmatch=True).filter(
    lambda name: not iskeyword(name) and name != "inf"
)


def calls(values: st.SearchStrategy[spec.Value]) -> st.SearchStrategy[spec.Call]:
    """Calls with a file or without, whose path may have anything in it."""
    paths = st.just("") | (st.text(max_size=9) | st.sampled_from(["a b/c", "a:b", "it's", '"', "\\", "a@b"])).map(
        lambda path: f"{path}.py"
    )
    return st.builds(spec.Call, NAMES, st.dictionaries(NAMES, values, max_size=2), paths)


VALUES = st.recursive(
    st.integers() | st.text(max_size=5) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=2) | calls(inner),
    max_leaves=5,
)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(calls(VALUES))
def test_what_is_written_can_be_read(call: spec.Call) -> None:
    assert spec.parse(spec.write(call)) == call


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("mcts(playout=my_parts.py:First)", None),
        ("mcts(playout=my_parts.py:First(2))", "mcts(playout=my_parts.py:First(x=2))"),
        ("mcts(playout=my_parts.py:First(inner=mast(epsilon=0.4)))", "mcts(playout=my_parts.py:First(inner=mast))"),
        ("mcts(playout=my_parts.py:First(x=[1, 'a', None], inner=my_parts.py:first(3)))", None),
        ("mcts(playout=my_parts.py:first(x=4))", None),
        ("mcts(playout=my_parts.py:ready)", None),
        ("mcts(playout=decisive(inner=my_parts.py:First))", None),
        ("mcts(selection=my_parts.py:Middle)", None),
        ("mcts(evaluator=my_parts.py:Even)", None),
        ("mcts(bonus=[relative_bonus, my_parts.py:Short(factor=0.5)])", None),
        ("cadia(playout=my_parts.py:First, bonus=my_parts.py:Short)", None),
        ("mcts(selection=my_parts.py:tuned)", "mcts(selection=ucb1(c=0.3))"),
        ("my_parts.py:search", None),
        ("my_parts.py:search(limit=simulations(9))", "my_parts.py:search(limit=simulations(count=9))"),
        ("my_parts.py:build(0.5)", "my_parts.py:build(c=0.5)"),
        ("my_parts.py:build(playout=my_parts.py:First(x=5), reuse=False)", None),
        ("my_parts.py:build(playout=mast)", "mcts(selection=ucb1(c=1.0), playout=mast)"),
        ("my_parts.py:plainly(c=2)", "mcts(selection=ucb1(c=2.0))"),
        ("my_parts.py:limited(limit=simulations(count=7))", None),
    ],
)
def test_text_forms(own: Path, text: str, short: str | None) -> None:
    search = parse_search(text)
    if short is None and not text.startswith("cadia"):
        short = text.replace("first(3)", "first(x=3)")
    assert short is None or search.text() == short
    assert str(search) == search.text()
    for again in (
        parse_search(search.text()),
        parse_search(search.text(full=True)),
        pickle.loads(pickle.dumps(search)),
    ):
        assert again.text(full=True) == search.text(full=True)
        assert again.identity() == search.identity()
    digests = [call.arguments["digest"] for call in spec.files(spec.parse(search.text(full=True)))]
    assert len(digests) == search.text().count(".py:"), "of each file that is named"
    few = search.replace(limit=limit.Simulations(20))
    assert parse_search(few.text()).text() == few.text()
    assert few.run(TTT.initial_state()).stats.simulations == 20


def test_the_object_itself_is_called(own: Path) -> None:
    part = parse_search("mcts(playout=my_parts.py:First(x=4, inner=my_parts.py:First(5)))").playout
    assert isinstance(part, OwnPart)
    assert (part.object.x, part.object.inner.x) == (4, 5)
    ours = Search(playout=part, limit=limit.Simulations(9)).run(TTT.initial_state(), seed=1)
    theirs = Search(playout=part.object, limit=limit.Simulations(9)).run(TTT.initial_state(), seed=1)
    assert ours.values == theirs.values


def test_equal_parts_are_those_of_the_same_source(own: Path) -> None:
    first, same, other = (parse_search(f"mcts(playout=my_parts.py:First(x={x}))") for x in (1, 1, 2))
    assert first == same
    assert len({first, same, other}) == 2
    (own / "my_parts.py").write_text((own / "my_parts.py").read_text(encoding="utf-8") + "# new\n", encoding="utf-8")
    changed = parse_search("mcts(playout=my_parts.py:First(x=1))")
    assert changed.text() == first.text()
    assert changed != first
    with pytest.raises(ValueError, match=r"^my_parts\.py has changed, or a file that it imports"):
        parse_search(first.text(full=True))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "mcts(playout=my_parts.py:Nothing)",
            "my_parts.py:56: Nothing: a playout written in Python needs a method 'choose'",
        ),
        (
            "mcts(selection=my_parts.py:First)",
            "my_parts.py:7: First: a selection written in Python needs a method 'score'",
        ),
        ("mcts(limit=my_parts.py:First)", "my_parts.py:7: First: a limit cannot be written in Python; use one of"),
        ("mcts(playout=my_parts.py:tuned)", "mcts: playout must be a playout, not the selection 'ucb1'"),
        ("mcts(playout=my_parts.py:Frist)", "my_parts.py has no 'Frist'; did you mean 'First'?"),
        ("mcts(playout=my_parts.py:First(y=1))", "my_parts.py:First: unknown parameter 'y'; known: inner, x"),
        ("mcts(playout=my_parts.py:First(x=all))", "my_parts.py:First: x: all may be of expansion or limit: call the"),
        ("mcts(playout=my_parts.py:First(x=hex))", "my_parts.py:First: x must be a number, a text in quotes or a list"),
        ("uct(c=my_parts.py:First)", "First stands where a number or a text is expected"),
        ("my_parts.py:First", "my_parts.py:7: First is not a search, nor a function that returns one, but gives First"),
        ("my_parts.py:search(c=3)", "my_parts.py:60: search is an object of Search, which takes no parameters"),
        ("my_parts.py:build(d=3)", "my_parts.py:build: unknown parameter 'd'; known: c, playout"),
        ("my_parts.py:build(limit=3)", "mcts: limit must be a limit (one of"),
        (
            "my_parts.py:build(c=-1)",
            "my_parts.py:build: ValueError in build(), my_parts.py:64: ucb1: c must be between",
        ),
    ],
)
def test_mistakes_take_one_line(own: Path, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse_search(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_what_a_function_asks_for_it_is_given(own: Path) -> None:
    search = parse_search("my_parts.py:limited")
    more = search.replace(limit=limit.Simulations(9), reuse=False)
    assert more.text() == "my_parts.py:limited(limit=simulations(count=9), reuse=False)"
    assert (more.limit, more.reuse) == (limit.Simulations(9), False)
    again = more.replace(limit=limit.Simulations(10))
    assert again.text() == "my_parts.py:limited(limit=simulations(count=10), reuse=False)"
    with pytest.raises(ValueError, match=r"^my_parts\.py:stubborn has a parameter 'limit', and makes something else"):
        parse_search("my_parts.py:stubborn").replace(limit=limit.Simulations(9))


def test_a_part_that_is_replaced_leaves_the_file(own: Path) -> None:
    search = parse_search("my_parts.py:search").replace(playout=playout.MAST())
    assert parse_search(search.text()).playout == playout.MAST()
    assert parse_search(search.text(full=True)).playout == playout.MAST()


def test_each_match_gets_new_objects_in_one_process_as_in_several(own: Path) -> None:
    restless = parse_search("mcts(playout=my_parts.py:Restless, limit=simulations(15))")
    few = treewise.uct(simulations=15)
    assert cached_search(restless.text()).playout is not cached_search(restless.text()).playout
    here = treewise.compare("tic_tac_toe", restless, few, matches=6, seed=2)
    there = treewise.compare("tic_tac_toe", restless, few, matches=6, seed=2, processes=2)
    assert here.encounters == there.encounters
    assert here.a == there.a == "mcts(playout=my_parts.py:Restless, limit=simulations(count=15))"
