"""Reading: places, comments, line ends, and whatever text there is."""

from __future__ import annotations

import pytest
from fuzzing import fuzz
from hypothesis import given
from hypothesis import strategies as st

from treewise.gdl.syntax import MOST_NESTED, Form, GDLError, Group, Symbol, lines, read


def test_places_count_from_one() -> None:
    (first, second) = read("a\n  (b (c ?d))")
    assert first == Symbol("a", 1, 1)
    assert second == Group((Symbol("b", 2, 4), Group((Symbol("c", 2, 7), Symbol("?d", 2, 9)), 2, 6)), 2, 3)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_like(end: str) -> None:
    text = f"; comment ({end}(a;)){end}\tb){end}c"
    assert [str(form) for form in read(text)] == ["(a b)", "c"]
    assert (read(text)[1].line, read(text)[1].column) == (4, 1)
    assert lines(text) == ["; comment (", "(a;))", "\tb)", "c"]


def test_a_byte_order_mark_is_no_name() -> None:
    assert read("\ufeff(a)") == (Group((Symbol("a", 1, 2),), 1, 1),)


def test_names_are_kept_as_written() -> None:
    assert [str(form) for form in read("01 1 a-b+c.d(x)y Cell")] == ["01", "1", "a-b+c.d", "(x)", "y", "Cell"]


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("a)", 1, 2, "closes nothing"),
        ("(a\n (b)", 1, 1, "never closed"),
        ("(a\n (b", 2, 2, "never closed"),
        ("(" * (MOST_NESTED + 1), 1, MOST_NESTED + 1, "nest less"),
    ],
)
def test_errors_have_a_place(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(GDLError, match=words) as caught:
        read(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"line {line}, column {column}: ")


def test_the_deepest_text_that_is_read() -> None:
    text = "(" * MOST_NESTED + ")" * MOST_NESTED
    assert str(read(text)[0]) == text
    assert read(text) == read(text)


@fuzz
@given(st.text(alphabet="()a? ;\n\r<=\t\u00e9\"'") | st.text())
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    source = lines(text)
    forms, place = _forms(text)
    if place is not None:
        assert source[place[0] - 1][place[1] - 1] in "()"
    todo = list(forms)
    while todo:
        form = todo.pop()
        written = source[form.line - 1][form.column - 1 :]
        assert written.startswith("(" if isinstance(form, Group) else form.text)
        todo.extend(form.items if isinstance(form, Group) else ())
    again = read(" ".join(map(str, forms)))
    assert list(map(str, again)) == list(map(str, forms))


def _forms(text: str) -> tuple[tuple[Form, ...], tuple[int, int] | None]:
    try:
        return read(text), None
    except GDLError as error:
        return (), (error.line, error.column)
