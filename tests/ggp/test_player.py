"""The player's answers to every message, in order, out of order and broken."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from types import SimpleNamespace

import pytest
from sheets import DIE, HALF_GOAL, LAMPS, NIM, OVER_AT_ONCE, PENNIES, SEVEN, STUCK, TIC_TAC_TOE
from talking import post, quick_player, say, talk

from treewise._core import expected_simulations
from treewise.compositions import parse_search
from treewise.gdl.machine import Machine
from treewise.gdl.prover.machine import ProverMachine
from treewise.gdl.terms import Sheet
from treewise.ggp.clock import Margins
from treewise.ggp.messages import Ping, Start
from treewise.ggp.player import Player
from treewise.ggp.reasoning import Reasoning
from treewise.limit import Seconds


def start(match: str, role: str, sheet: str, start_clock: int = 1, play_clock: int = 10) -> str:
    return f"(START {match} {role} ({sheet}) {start_clock} {play_clock})"


@pytest.fixture
def player() -> Iterator[Player]:
    made = quick_player()
    yield made
    made.close()


def test_presence(player: Player) -> None:
    assert say(player, "(INFO)") == "((name treewise) (status available))"
    assert say(player, "(ping)") == "available"
    assert say(player, "(PREVIEW ((role a)) 5)") == "ready"
    assert say(player, start("m", "left", NIM)) == "ready"
    assert say(player, "(info)") == "((name treewise) (status busy))"
    assert say(player, "(PING)") == "busy"
    assert say(player, "(PREVIEW ((role a)) 5)") == "busy"


def test_a_match_of_nim(player: Player) -> None:
    assert say(player, start("m.1", "left", NIM)) == "ready"
    assert say(player, "(PLAY m.1 NIL)") == "(take 2)", "leaves three sticks: the only winning move"
    assert say(player, "(PLAY m.1 ((take 2) wait))") == "wait"
    assert say(player, "(PLAY m.1 (wait (take 1)))") == "(take 2)"
    assert say(player, "(STOP m.1 ((take 2) wait))") == "done"
    assert say(player, "(INFO)") == "((name treewise) (status available))"


def test_the_start_clock_finds_out_what_kind_of_game_it_is(player: Player, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        assert say(player, start("m", "even", PENNIES, start_clock=10)) == "ready"
    kind = caplog.text.partition("random matches a second, ")[2]
    assert "'length_mean': 3.0, 'length_sd': 0.0, 'branching_mean': 2.0, 'simultaneous_share': 1.0" in kind
    assert "'constant_sum': 100" in kind
    assert "'length_goal_correlation': [None, None]" in kind, "all matches are equally long"


def test_everything_in_upper_case_is_answered_in_upper_case(player: Player) -> None:
    assert say(player, start("m", "left", NIM).upper()) == "ready"
    assert say(player, "(PLAY M NIL)") == "(TAKE 2)"
    assert say(player, "(PLAY M ((TAKE 2) WAIT))") == "WAIT"


def test_the_sheet_is_answered_in_its_own_spelling(player: Player) -> None:
    assert say(player, start("m", "CROSS", TIC_TAC_TOE)) == "ready"
    assert say(player, "(PLAY m NIL)").startswith("(Put ")
    assert say(player, "(PLAY m ((PUT E) REST))") == "rest"


def test_both_choose_at_once(player: Player) -> None:
    assert say(player, start("m", "odd", PENNIES)) == "ready"
    for told in ("NIL", "(heads tails)", "(tails tails)"):
        assert say(player, f"(PLAY m {told})") in ("heads", "tails")
    assert say(player, "(STOP m (heads tails))") == "done"


def test_alone(player: Player) -> None:
    assert say(player, start("m", "me", LAMPS)) == "ready"
    pressed = [say(player, "(PLAY m NIL)")]
    for _ in range(2):
        pressed.append(say(player, f"(PLAY m ({pressed[-1]}))"))
    assert sorted(pressed) == ["(press p)", "(press q)", "(press r)"]


def test_more_roles_than_a_search_can_take(player: Player, caplog: pytest.LogCaptureFixture) -> None:
    assert say(player, start("m", "g", SEVEN)) == "ready"
    assert "7 roles are too many for a search" in caplog.text
    assert say(player, "(PLAY m NIL)") in ("raise", "rest")
    with caplog.at_level(logging.INFO):
        assert say(player, "(STOP m (rest rest rest rest rest rest raise))") == "done"
    assert "goals [0, 0, 0, 0, 0, 0, 100], over: True" in caplog.text


def test_chance_is_played_by_the_server(player: Player) -> None:
    assert say(player, start("m", "me", DIE)) == "ready"
    assert say(player, "(PLAY m NIL)") == "pass"
    assert say(player, "(PLAY m (pass (throw 2)))") == "(say 2)"


def test_wrong_order(player: Player) -> None:
    for message in ("(PLAY m NIL)", "(STOP m NIL)", "(ABORT m)"):
        assert say(player, message) == "busy"
    assert say(player, start("m", "left", NIM)) == "ready"
    for message in ("(PLAY other NIL)", "(STOP other NIL)", "(ABORT other)", start("n", "left", NIM)):
        assert say(player, message) == "busy"
    assert say(player, "(ABORT m)") == "aborted"
    assert say(player, "(ABORT m)") == "busy"
    assert say(player, start("n", "left", NIM)) == "ready"
    assert say(player, "(STOP n ((take 1) wait))") == "done"
    assert say(player, "(STOP n ((take 1) wait))") == "busy"


def test_a_match_that_is_over_at_once(player: Player) -> None:
    assert say(player, start("m", "a", OVER_AT_ONCE)) == "ready"
    assert say(player, "(STOP m NIL)") == "done"


@pytest.mark.parametrize(
    "text",
    ["", "hello", "(BOGUS m)", "((((", ")))(", "(START m left)", "(START m left rules 1 1)", "\x00\xff", "(PLAY)"],
)
def test_what_is_no_message_is_answered_with_nil(player: Player, text: str) -> None:
    assert say(player, text) == "nil"
    assert say(player, "(PING)") == "available"


@pytest.mark.parametrize(
    "sheet",
    [
        "",
        "hello",
        "(role left) (<=) (legal left go)",
        "(role left) (<= (legal left ?x) (true (free ?y)))",
        "(role left) (<= (p ?x) (not (p ?x)) (true ?x)) (<= (legal left ?x) (p ?x))",
        "(role right) (legal right go)",
        "(role left) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) (legal left go)",
    ],
)
def test_broken_sheets_are_survived(player: Player, sheet: str) -> None:
    assert say(player, start("m", "left", sheet)) == "ready"
    answer = say(player, "(PLAY m NIL)")
    assert answer in ("nil", "go")
    say(player, f"(PLAY m ({answer}))")
    assert say(player, "(STOP m (go))") == "done"
    assert say(player, start("n", "left", NIM)) == "ready"
    assert say(player, "(PLAY n NIL)") == "(take 2)"


def test_a_message_nested_too_deeply_is_answered_with_nil(player: Player) -> None:
    deep = "(role left) (legal left go) (init " + "(g " * 3000 + "x" + ")" * 3001
    assert say(player, start("m", "left", deep)) == "nil"
    assert say(player, "(PING)") == "available"


def test_what_can_be_read_of_a_broken_sheet_is_played(player: Player) -> None:
    assert say(player, start("m", "left", NIM + "(<=) (<= (?x))")) == "ready"
    assert say(player, "(PLAY m NIL)") == "(take 2)"


def test_a_role_without_a_legal_move(player: Player) -> None:
    assert say(player, start("m", "b", STUCK)) == "ready"
    assert say(player, "(PLAY m NIL)") == "go"
    assert say(player, "(PLAY m (go go))") == "nil"


def test_a_goal_that_is_no_number(player: Player) -> None:
    assert say(player, start("m", "a", HALF_GOAL)) == "ready"
    assert say(player, "(PLAY m NIL)") in ("go", "stay")
    assert say(player, "(STOP m (go))") == "done"


def test_the_server_is_right_about_what_was_played(player: Player, caplog: pytest.LogCaptureFixture) -> None:
    say(player, start("m", "left", NIM))
    assert say(player, "(PLAY m NIL)") == "(take 2)"
    with caplog.at_level(logging.WARNING):
        assert say(player, "(PLAY m ((take 1) wait))") == "wait"
    assert "answered (take 2), but the server played (take 1)" in caplog.text
    assert say(player, "(PLAY m (wait (take 2)))") == "(take 2)", "two sticks are left, not one"


def test_moves_that_are_not_legal_or_not_known(player: Player, caplog: pytest.LogCaptureFixture) -> None:
    say(player, start("m", "left", NIM))
    say(player, "(PLAY m NIL)")
    with caplog.at_level(logging.WARNING):
        assert say(player, "(PLAY m ((fly away) wait))") == "wait", "taken for what was answered"
        assert say(player, "(PLAY m ((take 1) (take 1)))").startswith(("(take", "wait", "nil"))
        assert say(player, "(PLAY m (wait))") != ""
        assert say(player, "(PLAY m (wait wait wait))") != ""
    assert "which no rule knows" in caplog.text
    assert "which is not legal here" in caplog.text
    assert "moves were told, but there are 2 roles" in caplog.text
    assert say(player, "(STOP m (x y))") == "done"


def test_a_repeated_message_is_not_played_twice(player: Player) -> None:
    say(player, start("m", "right", NIM))
    assert say(player, "(PLAY m NIL)") == "wait"
    assert say(player, "(PLAY m NIL)") == "wait"
    first = say(player, "(PLAY m ((take 2) wait))")
    assert first.startswith("(take")
    assert say(player, "(PLAY m ((take 2) wait))").startswith("(take"), "still three sticks, and our turn"
    assert say(player, f"(PLAY m (wait {first}))") == "wait"


def test_info_is_answered_while_thinking(new_player: Callable[..., int]) -> None:
    port = new_player(margins=Margins(play=0.3, start=0.3), limit=Seconds(60))
    replies: dict[str, str] = {}

    def send() -> None:
        replies["start"] = post(port, start("m", "Cross", TIC_TAC_TOE, start_clock=2))

    thread = threading.Thread(target=send)
    thread.start()
    while "busy" not in post(port, "(INFO)"):
        time.sleep(0.01)
    assert "start" not in replies, "INFO was answered before START"
    thread.join()
    assert replies == {"start": "ready"}


def test_abort_while_thinking_frees_the_player_at_once(new_player: Callable[..., int]) -> None:
    port = new_player(margins=Margins(play=0.3, start=0.3), limit=Seconds(60))
    thread = threading.Thread(target=post, args=(port, start("m", "Cross", TIC_TAC_TOE, start_clock=60)))
    begun = time.monotonic()
    thread.start()
    while "busy" not in post(port, "(INFO)"):
        time.sleep(0.01)
    assert post(port, "(ABORT m)") == "aborted"
    thread.join()
    assert post(port, start("n", "left", NIM)) == "ready"
    assert time.monotonic() - begun < 20


def test_an_abandoned_match_is_given_up_for_another_server(monkeypatch: pytest.MonkeyPatch) -> None:
    patient, stubborn = quick_player(patience=2.0), quick_player(patience=float("inf"))
    for player in (patient, stubborn):
        assert say(player, start("m", "left", NIM)) == "ready"
    begun = time.monotonic()
    for later, status, reply in ((19.0, "busy", "busy"), (23.0, "available", "ready")):
        monkeypatch.setattr("treewise.ggp.player.time", SimpleNamespace(monotonic=lambda now=begun + later: now))
        assert say(stubborn, "(PING)") == "busy"
        assert say(patient, "(INFO)") == f"((name treewise) (status {status}))"
        assert say(patient, "(PREVIEW ((role a)) 5)") == reply
        assert say(stubborn, start("n", "left", NIM)) == "busy"
        assert say(patient, start("n", "left", NIM)) == reply
    assert say(patient, "(PLAY m NIL)") == "busy"
    assert say(patient, "(PLAY n NIL)") == "(take 2)"
    for player in (patient, stubborn):
        player.close()


def test_a_match_goes_over_to_a_better_machine() -> None:
    ready, built = threading.Event(), []

    def better(sheet: Sheet, closed: threading.Event) -> Machine:
        ready.wait(10)
        built.append(ProverMachine(sheet))
        return built[0]

    def broken(sheet: Sheet, closed: threading.Event) -> Machine:
        raise MemoryError

    player = quick_player(faster=(broken, better))
    say(player, start("m", "left", NIM))
    assert say(player, "(PLAY m NIL)") == "(take 2)"
    ready.set()
    while not built:
        time.sleep(0.01)
    say(player, "(PLAY m ((take 2) wait))")
    assert say(player, "(PLAY m (wait (take 1)))") == "(take 2)"
    assert player._match is not None
    reasoning = player._match.reasoner
    assert isinstance(reasoning, Reasoning)
    assert reasoning.worlds is not None
    assert reasoning.worlds.best.machine is built[0]
    assert reasoning.worlds.best.played[-1] == ("wait", "(take 1)")
    player.close()


def test_a_machine_that_knows_less_is_refused() -> None:
    ready = threading.Event()

    def wrong(sheet: Sheet, closed: threading.Event) -> Machine:
        ready.wait(10)
        return ProverMachine(type(sheet)(sheet.rules[:2], sheet.roles, sheet.spelling))

    player = quick_player(faster=(wrong,))
    say(player, start("m", "left", NIM))
    say(player, "(PLAY m NIL)")
    ready.set()
    assert player._match is not None
    assert isinstance(player._match.reasoner, Reasoning)
    assert player._match.reasoner.machines is not None
    assert player._match.reasoner.machines.wait(10)
    say(player, "(PLAY m ((take 2) wait))")
    assert say(player, "(PLAY m (wait (take 1)))") == "(take 2)"
    player.close()


def test_a_search_that_does_not_fit_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    player = quick_player(search=parse_search("mcts(playout=game_policy)"))
    say(player, start("m", "left", NIM))
    assert say(player, "(PLAY m NIL)") == "(take 2)"
    assert "plain UCT goes on" in caplog.text
    player.close()


def test_a_search_knows_how_long_the_clock_lets_it_run(caplog: pytest.LogCaptureFixture) -> None:
    search = parse_search("cadia(bonus=[relative_bonus()])")
    player = quick_player(search=search, limit=None)
    say(player, start("m", "left", NIM, play_clock=2))
    assert say(player, "(PLAY m NIL)") == "(take 2)"
    assert player._match is not None
    assert isinstance(player._match.reasoner, Reasoning)
    assert player._match.reasoner.thinker is not None
    found = player._match.reasoner.thinker._session.search
    assert found.bonus == search.bonus
    assert expected_simulations(found.limit.core(), 100, 0.25) == pytest.approx(200), "half a second is thought"
    assert "plain UCT" not in caplog.text
    player.close()


def test_pondering() -> None:
    player = quick_player(ponder=True)
    say(player, start("m", "left", NIM))
    assert say(player, "(PLAY m NIL)") == "(take 2)"
    assert say(player, "(PLAY m ((take 2) wait))") == "wait"
    time.sleep(0.2)
    assert say(player, "(PLAY m (wait (take 1)))") == "(take 2)"
    assert say(player, "(STOP m ((take 2) wait))") == "done"
    player.close()


def test_many_matches_one_after_the_other(player: Player) -> None:
    before = threading.active_count()
    for index in range(15):
        say(player, start(f"m{index}", "left", NIM))
        assert say(player, f"(ABORT m{index})") == "aborted"
    deadline = time.monotonic() + 10
    while threading.active_count() > before + 1 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before + 1, "the threads of a match end with it"


def test_the_log_has_the_beginning_of_a_message(
    player: Player, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Start, "__str__", lambda message: pytest.fail("the whole sheet is written out again"))
    with caplog.at_level(logging.INFO):
        assert say(player, start("m", "left", NIM)) == "ready"
        assert say(player, "(STOP\n\tm2 " + "x" * 1000) == "nil"
    assert "127.0.0.1: (START m left ( ; Two players take one or two of five sticks;" in caplog.text
    assert "(STOP m2 xxx" in caplog.text
    assert "x" * 200 not in caplog.text
    assert "-> ready (" in caplog.text


def test_a_start_during_a_match_is_not_even_read(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    assert say(player, start("m", "left", NIM)) == "ready"
    monkeypatch.setattr("treewise.ggp.player.read_message", lambda text: pytest.fail("this takes seconds"))
    assert say(player, start("n", "left", NIM)) == "busy"


def test_long_messages_are_read_one_at_a_time(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    alone: list[bool] = []

    def read(text: str) -> Ping:
        alone.append(player._reading.locked())
        return Ping()

    monkeypatch.setattr("treewise.ggp.player.read_message", read)
    for words in (10, 100_000, 10):
        assert say(player, "(PREVIEW (" + "x " * words + ") 1)") == "available"
    assert alone == [False, True, False]


def test_hostile_bytes_over_http(new_player: Callable[..., int]) -> None:
    port = new_player()
    for data in (b"\x00" * 5000, b"POST / HTTP/1.0\r\n\r\n" + bytes(range(256)), b"GET / HTTP/1.0\r\n\r\n"):
        assert talk(port, data, finish=True).startswith(b"HTTP/1.0 ")
    assert post(port, "(" * 100_000) == "nil"
    assert post(port, "(INFO)") == "((name treewise) (status available))"


def test_a_sheet_and_moves_nested_as_deep_as_may_be(player: Player) -> None:
    move = "(s " * 199 + "0" + ")" * 199
    rules = f"(role a) (init (n 0)) (legal a {move}) (<= (next (n 1)) (does a {move[3:-1]})) (goal a 1)"
    rules += f"(<= (next (n 1)) (true (n 0)) {'(or (true (n 2)) ' * 100} (true (n 0)) {')' * 100})"
    assert say(player, start("m", "a", rules)) == "ready"
    assert say(player, "(PLAY m NIL)") == move
    assert say(player, f"(PLAY m ({move}))") == move
    assert say(player, f"(STOP m ({move}))") == "done"


@pytest.mark.parametrize("clock", ["0", "0.5"])
def test_the_shortest_play_clocks_have_a_legal_move(player: Player, clock: str) -> None:
    assert say(player, f"(START m left ({NIM}) 10 {clock})") == "ready"
    assert say(player, "(PLAY m NIL)").startswith("(take ")


def test_a_match_of_months_does_not_keep_others_out(monkeypatch: pytest.MonkeyPatch) -> None:
    player = quick_player(longest=40.0, margins=Margins(play=39.0, start=39.9), limit=None)
    assert say(player, f"(START m left ({LAMPS}) 9999999 9999999)") == "ready", "of a role that it does not have"
    begun = time.monotonic()
    for later, reply in ((79.0, "busy"), (300.0, "available")):
        monkeypatch.setattr("treewise.ggp.player.time", SimpleNamespace(monotonic=lambda now=begun + later: now))
        assert say(player, "(PING)") == reply
    player.close()


def test_a_second_message_leaves_a_legal_answer_to_the_first(new_player: Callable[..., int]) -> None:
    port = new_player(margins=Margins(play=0.3, start=0.3), limit=Seconds(60))
    assert post(port, start("m", "Cross", TIC_TAC_TOE, play_clock=60)) == "ready"
    with ThreadPoolExecutor(7) as pool:
        answered = as_completed([pool.submit(post, port, "(PLAY m NIL)") for _ in range(7)])
        replies = [next(answered).result() for _ in range(6)]  # all but the last have another behind them
        assert post(port, "(ABORT m)") == "aborted"
    assert all(reply.startswith("(Put ") for reply in replies), replies
