"""Hidden information over the protocol, in both of its forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from talking import CLOCKS, Serve, quick_player, say

from treewise.ggp.entrants import read_entrant
from treewise.ggp.http import Request
from treewise.ggp.match_server import Conditions, play_ggp_match, read_rules
from treewise.ggp.messages import Play, Stop, read_message
from treewise.ggp.player import Player

CUPS = """
; The server hides a ball under a cup; a player peeks under one, sees whether it is there, and then points at a cup.
(role seeker) (role random)
(cup left) (cup right)
(init hiding)
(<= (legal random (hide ?c)) (true hiding) (cup ?c))
(<= (legal random rest) (not (true hiding)))
(<= (legal seeker rest) (true hiding))
(<= (legal seeker (peek ?c)) (true peeking) (cup ?c))
(<= (legal seeker (point ?c)) (true pointing) (cup ?c))
(<= (next peeking) (true hiding))
(<= (next pointing) (true peeking))
(<= (next (ball ?c)) (does random (hide ?c)))
(<= (next (ball ?c)) (true (ball ?c)))
(<= (next (chosen ?c)) (does seeker (point ?c)))
(<= (sees seeker (found ?c)) (does seeker (peek ?c)) (true (ball ?c)))
(<= terminal (true (chosen ?c)))
(<= right (true (chosen ?c)) (true (ball ?c)))
(<= (goal seeker 100) right) (<= (goal seeker 0) (not right))
(goal random 0)
"""


@pytest.fixture
def player() -> Iterator[Player]:
    made = quick_player()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("peeked", "seen", "answer"),
    [
        ("(peek left)", "((found left))", "(point left)"),
        ("(peek left)", "NIL", "(point right)"),
        ("(PEEK RIGHT)", "()", "(point left)"),
    ],
)
def test_the_form_with_turns(player: Player, peeked: str, seen: str, answer: str) -> None:
    assert say(player, f"(START m seeker ({CUPS}) {CLOCKS})") == "ready"
    assert say(player, "(PLAY m 0 NIL NIL)") == "rest"
    assert say(player, "(PLAY m 1 rest NIL)").startswith("(peek ")
    assert say(player, f"(PLAY m 2 {peeked} {seen})") == answer
    assert say(player, f"(STOP m 3 {answer} NIL)") == "done"


@pytest.mark.parametrize("seen", [True, False])
def test_the_form_with_percepts_in_place_of_moves(player: Player, seen: bool) -> None:
    assert say(player, f"(START m seeker ({CUPS}) {CLOCKS})") == "ready"
    assert say(player, "(PLAY m NIL)") == "rest"
    cup = say(player, "(PLAY m ())").removeprefix("(peek ").removesuffix(")")
    other = {"left": "right", "right": "left"}[cup]
    told = f"((found {cup}))" if seen else "()"
    assert say(player, f"(PLAY m {told})") == f"(point {cup if seen else other})"


def test_a_server_that_tells_everything(player: Player) -> None:
    say(player, f"(START m seeker ({CUPS}) {CLOCKS})")
    say(player, "(PLAY m NIL)")
    assert say(player, "(PLAY m (rest (hide right)))").startswith("(peek ")
    assert say(player, "(PLAY m ((peek left) rest))") == "(point right)"


def test_percepts_that_cannot_be(player: Player, caplog: pytest.LogCaptureFixture) -> None:
    say(player, f"(START m seeker ({CUPS}) {CLOCKS})")
    say(player, "(PLAY m 0 NIL NIL)")
    assert say(player, "(PLAY m 1 rest (thunder))").startswith("(peek ")
    assert "nothing that could have happened agrees" in caplog.text


@pytest.mark.parametrize("broken", ["1 rest (thunder)", "1 (fly away) NIL", "1 (peek ?x) ((found ?x))"])
@pytest.mark.parametrize("replaces", [False, True])
def test_after_a_broken_message_the_next_one_says_where_the_match_stands(
    player: Player, broken: str, replaces: bool
) -> None:
    say(player, f"(START m seeker ({CUPS}) {CLOCKS})")
    say(player, "(PLAY m 0 NIL NIL)")
    assert say(player, f"(PLAY m {broken})").startswith("(peek ")
    if not replaces:
        assert say(player, "(PLAY m 1 rest NIL)").startswith("(peek ")
    assert say(player, "(PLAY m 2 (peek left) ((found left)))") == "(point left)"
    assert say(player, "(STOP m 3 (point left) NIL)") == "done"


@pytest.mark.parametrize("scramble", [False, True])
def test_our_server_tells_each_role_what_it_sees(
    tmp_path: Path, serve: Serve, new_player: Callable[..., int], scramble: bool
) -> None:
    (tmp_path / "cups.kif").write_text(CUPS)
    rules = read_rules(tmp_path / "cups.kif")
    for seed in range(3):
        entrant = read_entrant(f"127.0.0.1:{new_player()}")
        record = play_ggp_match(rules, [entrant], Conditions(1, 10, scramble), seed)
        assert record.goals[0] == 100
        assert record.errors == [["", ""]] * 4


def test_the_messages_of_our_server(tmp_path: Path, serve: Serve) -> None:
    (tmp_path / "cups.kif").write_text(CUPS)
    heard = []

    def seeker(request: Request) -> str:
        message = read_message(request.text)
        heard.append(message)
        return ["ready", "rest", "(peek left)", "(point left)", "done"][len(heard) - 1]

    record = play_ggp_match(read_rules(tmp_path / "cups.kif"), [read_entrant(f"127.0.0.1:{serve(seeker)}")], seed=1)
    there = ("(found left)",) if record.goals[0] == 100 else ()
    assert heard[1:] == [
        Play(record.match, None, 0, None, None),
        Play(record.match, None, 1, "rest", None),
        Play(record.match, None, 2, "(peek left)", there or None),
        Stop(record.match, None, 3, "(point left)", None),
    ]
