"""Our server: matches with good, slow, dead, lying and babbling players, and what is recorded of them."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from sheets import DIE, ENDLESS, HALF_GOAL, LAMPS, NIM, OVER_AT_ONCE, PENNIES, SEVEN, STUCK, TIC_TAC_TOE
from talking import Serve

from treewise.compositions import parse_search
from treewise.gdl.grounding.limits import Limits
from treewise.gdl.machine import Machine
from treewise.gdl.prover.game import ProverState
from treewise.gdl.prover.machine import ProverMachine
from treewise.gdl.terms import Sheet
from treewise.ggp.entrants import FLAT_MONTE_CARLO, Thoughtful, read_entrant
from treewise.ggp.http import Request
from treewise.ggp.match_server import Conditions, Rules, play_ggp_match, read_rules
from treewise.ggp.messages import Message, Play, Start, Stop, read_message
from treewise.ggp.record import Record


@pytest.fixture
def rules(tmp_path: Path) -> Callable[[str], Rules]:
    def make(sheet: str) -> Rules:
        file = tmp_path / "sheet.kif"
        file.write_text(sheet)
        return read_rules(file)

    return make


def play(rules: Rules, *players: str | int, seed: int = 1, **changes: object) -> Record:
    entrants = [read_entrant(f"127.0.0.1:{player}" if isinstance(player, int) else player) for player in players]
    return play_ggp_match(rules, entrants, Conditions(**{"start_clock": 1, "play_clock": 10} | changes), seed)  # type: ignore[arg-type]


class Script:
    """A player that answers PLAY from a list, and keeps what it was told."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.heard: list[Message] = []

    def __call__(self, request: Request) -> str:
        message = read_message(request.text)
        self.heard.append(message)
        if isinstance(message, Play):
            return self.answers.pop(0) if self.answers else "wait"
        return {"Start": "READY", "Stop": "DONE"}.get(type(message).__name__, "nil")


def test_built_in_players(rules: Callable[[str], Rules]) -> None:
    record = play(rules(NIM), "mcts(limit=simulations(200), proof=solver)", "legal")
    assert record.moves == [
        ["(take 2)", "wait"],
        ["wait", "(take 1)"],
        ["(take 2)", "wait"],
    ]
    assert record.goals == [100, 0]
    assert record.completed
    assert record.errors == [["", ""]] * 4


def test_flat_monte_carlo_lights_all_lamps(rules: Callable[[str], Rules]) -> None:
    flat = read_entrant("flat")
    assert isinstance(flat, Thoughtful)
    assert flat.search == parse_search(FLAT_MONTE_CARLO)
    assert play(rules(LAMPS), FLAT_MONTE_CARLO.replace("mcts(", "mcts(limit=simulations(200), ")).goals == [100]


def test_the_same_seed_gives_the_same_match(rules: Callable[[str], Rules]) -> None:
    sheet = rules(TIC_TAC_TOE)
    first, again, other = (play(sheet, "random", "random", seed=seed).moves for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_the_whole_conversation(rules: Callable[[str], Rules], serve: Serve) -> None:
    left, right = Script("(take 2)", "wait", "(TAKE 2)"), Script("wait", "( take 1 )\n")
    record = play(rules(NIM), serve(left), serve(right))
    assert record.errors == [["", ""]] * 4
    assert record.moves[1] == ["wait", "(take 1)"]
    start = left.heard[0]
    assert isinstance(start, Start)
    assert (start.role, start.start_clock, start.play_clock) == ("left", 1, 10)
    assert "(init (sticks 5))" in str(start)
    assert [message.moves for message in right.heard[1:] if isinstance(message, Play)] == [
        None,
        ("(take 2)", "wait"),
        ("wait", "(take 1)"),
    ]
    assert right.heard[-1] == Stop(record.match, ("(take 2)", "wait"))


def test_a_dead_player_is_played_at_random(rules: Callable[[str], Rules]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    record = play(rules(NIM), port, "legal")
    assert record.completed
    assert {step[0] for step in record.errors} == {"CE"}
    assert {step[1] for step in record.errors} == {""}


@pytest.fixture
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treewise.ggp.entrants.GRACE", 0.0)


@pytest.mark.usefixtures("no_grace")
def test_a_silent_player_is_timed_out(rules: Callable[[str], Rules]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:  # connects, and never says a word
        record = play(rules(OVER_AT_ONCE), listener.getsockname()[1], play_clock=1)
    assert record.completed
    assert record.goals == [70]
    assert record.errors == [["TO"]]
    assert 0.9 < record.reply_times[0][0] < 8


@pytest.mark.usefixtures("no_grace")
def test_a_slow_player_misses_its_turn_and_plays_on(rules: Callable[[str], Rules], serve: Serve) -> None:
    woken = threading.Event()

    class Sleepy(Script):
        def __call__(self, request: Request) -> str:
            if "PLAY" in request.text and "NIL" in request.text:
                woken.wait(20)
            return super().__call__(request)

    sleepy = serve(Sleepy("(take 1)", "(take 1)", "(take 1)"))
    record = play(rules(NIM), sleepy, "legal", failed="first", play_clock=1)
    woken.set()
    assert [step[0] for step in record.errors[:2]] == ["", "TO"]
    assert record.moves[0][0] == "(take 1)", "the first legal move"
    assert record.completed


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("(take 9)", "IL (take 9)"),
        ("wait", "IL wait"),
        (")))(", "IL )))("),
        ("", "IL"),
        ("(take 1) (take 2)", "IL (take 1) (take 2)"),
        ("nil", "IL nil"),
        ("(take ?n)", "IL (take ?n)"),
    ],
)
@pytest.mark.parametrize("failed", ["random", "first"])
def test_a_lying_player(rules: Callable[[str], Rules], serve: Serve, answer: str, error: str, failed: str) -> None:
    record = play(rules(NIM), serve(Script(answer)), "legal", failed=failed)
    assert record.errors[1][0].strip() == error
    assert record.moves[0][0] in ("(take 1)", "(take 2)")
    assert record.completed
    if failed == "first":
        assert record.moves[0][0] == "(take 1)"


def test_a_babbling_player(rules: Callable[[str], Rules], serve: Serve) -> None:
    record = play(rules(NIM), serve(lambda request: "blah " * 1_000_000), serve(lambda request: "x" * 3000))
    assert record.completed
    assert record.errors[1][0] == "CE", "a reply of megabytes is no reply"
    assert record.errors[1][1].startswith("IL xxx")
    assert len(record.errors[1][1]) <= 200


def test_scrambled(rules: Callable[[str], Rules], new_player: Callable[..., int], serve: Serve) -> None:
    script = Script()
    record = play(rules(NIM), new_player(), serve(script), scramble=True)
    assert record.completed
    assert record.moves[0] == ["(take 2)", "wait"], "our player found it without knowing any name"
    assert record.errors[1][1] == "IL wait", "the other did not know the new word"
    heard = " ".join(map(str, script.heard)).lower()
    for name in ("sticks", "take", "left", "wait", "turn"):
        assert name not in heard
    for keyword in ("(role ", "(init ", "legal", "(<= terminal", "5 1 4"):
        assert keyword in heard
    assert record.roles == ("left", "right")


def test_simultaneous_and_alone_and_by_chance(rules: Callable[[str], Rules], new_player: Callable[..., int]) -> None:
    pennies = play(rules(PENNIES), new_player(), "random")
    assert len(pennies.moves) == 3
    assert sum(pennies.goals) == 100
    assert pennies.errors == [["", ""]] * 4
    lamps = play(rules(LAMPS), new_player())
    assert lamps.goals == [100]
    die = play(rules(DIE), new_player())
    assert die.goals[0] == 100
    assert die.players[1] == "random"
    assert die.moves[0][0] == "pass"
    assert die.moves[0][1].startswith("(throw")


def test_more_roles_than_a_search_can_take(rules: Callable[[str], Rules], new_player: Callable[..., int]) -> None:
    seven = rules(SEVEN)
    record = play(seven, new_player(), *["legal"] * 5, "random")
    assert record.errors == [[""] * 7] * 2
    assert record.moves[0][1:6] == ["raise"] * 5
    assert record.goals == [0] * 7
    with pytest.raises(ValueError, match=r"^uct: searches play games for up to 6 players"):
        play(seven, "uct", *["legal"] * 6)


def test_tic_tac_toe_over_http_ends_in_a_draw(rules: Callable[[str], Rules], new_player: Callable[..., int]) -> None:
    record = play(rules(TIC_TAC_TOE), new_player(), new_player())
    assert record.errors == [["", ""]] * len(record.errors)
    assert record.completed
    assert len(record.moves) >= 5


def test_rules_that_get_stuck_call_the_match_off(rules: Callable[[str], Rules], serve: Serve) -> None:
    script = Script("go", "go")
    record = play(rules(STUCK), serve(script), "legal")
    assert not record.completed
    assert record.problem == "b has no legal move, though the match is not over"
    assert str(script.heard[-1]) == f"(ABORT {record.match})"
    assert record.to_dict()["isAborted"] is True


def test_rules_that_never_end_call_the_match_off(rules: Callable[[str], Rules]) -> None:
    record = play(rules(ENDLESS), "legal", longest=7)
    assert (record.completed, len(record.moves)) == (False, 7)
    assert "after 7 steps" in record.problem


def test_goals_that_are_no_numbers_call_the_match_off(rules: Callable[[str], Rules], serve: Serve) -> None:
    script = Script("go")
    record = play(rules(HALF_GOAL), serve(script))
    assert (record.completed, record.goals) == (False, [])
    assert "the goal of a is 30.5" in record.problem
    assert [type(message).__name__ for message in script.heard] == ["Start", "Play", "Abort"]


def test_the_record_as_json(rules: Callable[[str], Rules], tmp_path: Path) -> None:
    record = play(rules(NIM), "legal", "legal", seed=5)
    read = json.loads(record.write(tmp_path / "records").read_text())
    assert read["roles"] == ["left", "right"]
    assert read["goalValues"] == [100, 0]
    assert (read["isCompleted"], read["isAborted"]) == (True, False)
    assert (read["startClock"], read["playClock"], read["seed"]) == (1, 10, 5)
    assert len(read["states"]) == len(read["stateTimes"]) == len(read["moves"]) + 1 == len(read["errors"])
    assert read["states"][0] == "( (sticks 5) (turn left) )"
    assert read["stateTimes"] == sorted(read["stateTimes"])
    assert len(read["randomToken"]) == 32
    assert len(read["rulesHash"]) == 64
    assert read["matchId"] == record.match


def test_broken_rules_are_mended_as_players_do(
    rules: Callable[[str], Rules], new_player: Callable[..., int], caplog: pytest.LogCaptureFixture
) -> None:
    broken = rules(NIM.replace("(role ?p) (not", "(not") + "(<=) (<= (odd ?x) (not (odd ?x)) (role ?x))")
    assert "sheet.kif: 9:1: warning: ?p is bound by nothing: it ranges over the roles [repaired]" in caplog.text
    assert caplog.text.count("[dropped]") == 2
    record = play(broken, new_player(), "legal")
    assert (record.goals, record.errors) == ([100, 0], [["", ""]] * 4)


def test_without_memory_for_the_fast_machine_the_prover_plays(
    rules: Callable[[str], Rules], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def large(sheet: Sheet, max_length: int, limits: Limits | None) -> Machine:
        raise MemoryError

    monkeypatch.setattr("treewise.gdl.load.net_machine", large)
    assert isinstance(rules(NIM).machine, ProverMachine)
    assert "played by the prover, which is slow: out of memory" in caplog.text


def test_wrong_numbers_of_players(rules: Callable[[str], Rules]) -> None:
    with pytest.raises(ValueError, match="is for 2 players, but 1 are given"):
        play(rules(NIM), "legal")
    with pytest.raises(ValueError, match="a port is a number"):
        read_entrant("localhost:99999")
    with pytest.raises(ValueError, match="unknown search 'rnadom'"):
        read_entrant("rnadom")


def test_a_simulation_longer_than_the_clock_is_broken_off(
    rules: Callable[[str], Rules], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One would take a thousand steps, of which few fit into the clock."""
    steps: list[int] = []

    def slowly(state: ProverState, joint: Sequence[int]) -> None:
        steps.append(len(steps))
        time.sleep(0.05)
        take(state, joint)

    take = ProverState.take
    monkeypatch.setattr(ProverState, "take", slowly)
    monkeypatch.setattr("treewise.ggp.match_server.best_machine", ProverMachine)
    record = play(rules(ENDLESS + "(legal a stay)"), "uct", play_clock=1, longest=1)
    assert len(record.moves) == 1
    assert len(steps) < 500
