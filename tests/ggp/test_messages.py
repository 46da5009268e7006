"""Messages: read in every form that servers use, and written."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from treewise.gdl.syntax import read
from treewise.ggp.messages import (
    Abort,
    Info,
    MessageError,
    Ping,
    Play,
    PlayerInfo,
    Preview,
    Start,
    Stop,
    fold,
    read_info,
    read_message,
    read_move,
)


def test_start_keeps_the_spelling_and_ignores_what_follows() -> None:
    message = read_message(
        "( START M.1 White (( role White )(role black) (<= (Legal ?p Go) (role ?p)) ) 30 15 0 extra)"
    )
    assert isinstance(message, Start)
    assert (message.match, message.role, message.start_clock, message.play_clock) == ("M.1", "White", 30, 15)
    assert message.rules == "( role White )(role black) (<= (Legal ?p Go) (role ?p)) "


@pytest.mark.parametrize(("text", "clock"), [("0", 0.0), ("0.5", 0.5), ("9999999", 9_999_999.0), ("1e1", 10.0)])
def test_clocks(text: str, clock: float) -> None:
    message = read_message(f"(START m r ((role r)) 10 {text})")
    assert isinstance(message, Start)
    assert message.play_clock == clock
    assert read_message(str(message)) == message


def test_what_is_wrong_with_the_parentheses_of_a_start_has_a_place() -> None:
    rules = "(role r) " * 100 + "{} (<= (goal r 100) (true s)) " + "(legal r go) " * 100
    for wrong, message in (
        ("(<= terminal (true s)", "this '\\(' is never closed, near .*terminal"),
        ("(role q)) (legal q go)", "this '\\)' closes nothing, near .*5"),
        ("(" * 300 + ")" * 300, "more than 202 parentheses inside each other, near .*\\(\\("),
    ):
        with pytest.raises(MessageError, match=message):
            read_message(f"(START m r ({rules.format(wrong)}) 10 5)")


def test_the_rules_of_a_start_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    monkeypatch.setattr("treewise.ggp.messages.read", lambda text, most: sizes.append(len(text)) or read(text, most))
    for text in (f"(START m r ({'(p 1) ' * 1000}) 10 5)", f"(preview ({'(p 1) ' * 1000}) 10)"):
        message = read_message(text)
        assert isinstance(message, Start | Preview)
        assert message.rules == "(p 1) " * 1000
    assert max(sizes) < 30


@pytest.mark.parametrize("nothing", ["NIL", "nil", "[]", "()", "( )"])
def test_first_turn(nothing: str) -> None:
    assert read_message(f"(PLAY m {nothing})") == Play("m", None)
    assert read_message(f"(stop m {nothing})") == Stop("m", None)


def test_comments_tabs_line_ends_and_case() -> None:
    text = "(pLaY\tm1 ; (a comment\r\n ( (Mark 1\r\n 1)\tNoop ))"
    assert read_message(text) == Play("m1", ("(Mark 1 1)", "Noop"))


def test_one_role_and_a_missing_list() -> None:
    assert read_message("(PLAY m (go))") == Play("m", ("go",))
    assert read_message("(PLAY m go)") == Play("m", ("go",))
    assert read_message("(PLAY m)") == Play("m", None)


def test_hidden_information_forms() -> None:
    first = read_message("(PLAY m 0 NIL NIL)")
    assert first == Play("m", None, 0, None, None)
    later = read_message("(STOP m 3 (put a) ((seen 1) bang))")
    assert later == Stop("m", None, 3, "(put a)", ("(seen 1)", "bang"))


def test_the_small_ones() -> None:
    assert read_message("(INFO)") == Info() == read_message("info")
    assert read_message("( ping )") == Ping()
    assert read_message("(Abort m)") == Abort("m")
    preview = read_message("(PREVIEW ((role a)) 5)")
    assert isinstance(preview, Preview)
    assert preview.clock == 5


@pytest.mark.parametrize(
    "text",
    [
        "(INFO)",
        "(PING)",
        "(ABORT m)",
        "(PLAY m NIL)",
        "(PLAY m ((a 1) b))",
        "(STOP m 2 a (b))",
        "(PLAY m 0 NIL NIL)",
        "(START m r ((role r) (<= (goal r 100) (true x))) 10 5)",
        "(PREVIEW ((role r)) 10)",
    ],
)
def test_written_as_read(text: str) -> None:
    assert str(read_message(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "()", "hello", "(BOGUS m)", "((((", ")))(", "(INFO) (INFO)", "((INFO))"),
        *("(START m r)", "(ABORT)", "(PLAY)", "(PREVIEW ())", "(START m r rules 1 1)"),
        *("(START m r () soon 1)", "(START m r () 1 -1)", "(START m r () 1e300 1)", "(START m r () nan 1)"),
        *("(PLAY m x y z)", "(PLAY m 99999999999 y z)"),
        *("(" * 20_000 + ")" * 20_000, "(PLAY m " + "(" * 20_000 + ")" * 20_001),
    ],
)
def test_what_is_no_message(text: str) -> None:
    with pytest.raises(MessageError):
        read_message(text)


_words = st.sampled_from(
    [
        "START",
        "play",
        "STOP",
        "abort",
        "info",
        "preview",
        "PING",
        "nil",
        "[]",
        "m",
        "?x",
        "<=",
        "1",
        "99",
        "-1",
        ";",
        "é",
    ]
)
_pieces = st.lists(st.one_of(_words, st.sampled_from(["(", ")", " ", "\n", "\x00"]), st.text(max_size=3)), max_size=40)


@settings(max_examples=300)
@given(_pieces)
@example(["(", "START", " ", "m", " ", "r", " ", "(", ")", " ", "1", " ", "1", ")"])
def test_whatever_comes_is_a_message_or_an_error(pieces: list[str]) -> None:
    text = "".join(pieces)
    try:
        message = read_message(text)
    except MessageError:
        return
    assert str(read_message(str(message))) == str(message)


@settings(max_examples=200)
@given(_pieces)
def test_whatever_is_answered_is_a_move_or_an_error(pieces: list[str]) -> None:
    try:
        move = read_move("".join(pieces))
    except MessageError:
        return
    assert read_move(move) == move


def test_more_words_than_any_game_has_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MessageError, match="more than 1,000,000 words and parentheses"):
        read_message("(PLAY m (" + "(a)" * 333_333 + "))")
    monkeypatch.setattr("treewise.ggp.messages._MOST_PIECES", 9)
    assert read_message("( PLAY m ((a)) )") == Play("m", ("(a)",))
    with pytest.raises(MessageError, match="more than 9 words"):
        read_message("(PLAY m ((a)b))")


def test_replies() -> None:
    assert read_info("available") == PlayerInfo("", "available")
    assert read_info("((Name Some Body) (STATUS Busy) (species alien))") == PlayerInfo("Some Body", "busy")
    assert read_info("()") == PlayerInfo("", "")
    assert fold("( Mark  1 1 )\n") == "(mark 1 1)"
    for text in (")))(", "", "a b", "(" * 50_000 + ")" * 50_000):
        with pytest.raises(MessageError):
            read_move(text)
