"""A match has a process of its own, which ends with it: whatever its rules do, later matches notice nothing."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sheets import NIM, TIC_TAC_TOE, VAST
from talking import post, quick_settings, say

from treewise.compositions import parse_search
from treewise.ggp.match_process import OUT_OF_MEMORY, MatchProcess
from treewise.ggp.player import Player

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no processes to look at in /proc")


@pytest.fixture
def new_player() -> Iterator[Callable[..., Player]]:
    """Players whose matches have processes."""
    players = []

    def make(**changes: object) -> Player:
        players.append(Player(quick_settings(**changes)))
        return players[-1]

    yield make
    for player in players:
        player.close()


def start(match: str, role: str, sheet: str, clocks: str = "60 10") -> str:
    """The start clock is long: it is used up only where there is something to think about."""
    return f"(START {match} {role} ({sheet}) {clocks})"


def process_of(player: Player) -> MatchProcess:
    assert player._match is not None
    assert isinstance(player._match.reasoner, MatchProcess)
    return player._match.reasoner


def until(condition: Callable[[], bool]) -> None:
    """Waits, for as long as it takes."""
    while not condition():
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def cpu_seconds(pid: int) -> float:
    """Of the processor; 0 if it has ended. The grounder would end by itself after some more of them."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> set[int]:
    """All processes below one."""
    parents = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(file.parent.name)] = int(file.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found, todo = set(), [pid]
    while todo:
        parent = todo.pop()
        below = {child for child, its in parents.items() if its == parent} - found
        found |= below
        todo += below
    return found


def megabytes(process: MatchProcess) -> float:
    pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_a_match(new_player: Callable[..., Player], caplog: pytest.LogCaptureFixture) -> None:
    player = new_player()
    with caplog.at_level(logging.INFO):
        assert say(player, start("m", "left", NIM)) == "ready"
        assert say(player, "(PLAY m NIL)") == "(take 2)"
        assert say(player, "(PLAY m ((take 2) wait))") == "wait"
        assert say(player, "(PLAY m (wait (take 1)))") == "(take 2)"
        assert say(player, "(STOP m ((take 2) wait))") == "done"
    assert "ProverMachine after 0 steps" in caplog.text, "what is logged there is heard here"
    assert "goals [100, 0], over: True" in caplog.text


@pytest.mark.parametrize("end", ["(ABORT m)", "(STOP m NIL)"])
def test_a_match_ends_with_its_process(new_player: Callable[..., Player], end: str) -> None:
    player = new_player()
    assert say(player, start("m", "left", NIM)) == "ready"
    process = process_of(player)._process
    assert process.is_alive()
    say(player, end)
    assert not process.is_alive()
    assert say(player, start("n", "left", NIM)) == "ready"
    assert process_of(player)._process is not process
    assert say(player, "(PLAY n NIL)") == "(take 2)"


def test_a_search_with_a_part_of_the_users_own_file(new_player: Callable[..., Player], tmp_path: Path) -> None:
    part = "class Last:\n    def choose(self, state, actions, rng):\n        return actions[-1]\n"
    (tmp_path / "parts.py").write_text(part)
    search = parse_search(f"mcts(playout={tmp_path / 'parts.py'}:Last, proof=solver)")
    player = new_player(search=search)
    assert pickle.loads(pickle.dumps(player.settings)).search.text() == search.text()
    assert say(player, start("m", "left", NIM)) == "ready"
    assert say(player, "(PLAY m NIL)") == "(take 2)"


@needs_proc
def test_a_prover_that_never_comes_back_ends_with_its_match(new_player: Callable[..., Player]) -> None:
    player = new_player()
    replies: list[str] = []
    starting = threading.Thread(target=lambda: replies.append(say(player, start("m", "a", VAST, "3600 1"))))
    starting.start()
    until(lambda: player._match is not None)
    process = process_of(player)
    until(lambda: megabytes(process) > 200)  # it is at it
    assert say(player, "(PLAY m NIL)") == "nil", "in time"
    assert say(player, "(ABORT m)") == "aborted"
    assert not process._process.is_alive()
    starting.join()
    assert replies == ["ready"]
    assert say(player, start("n", "left", NIM)) == "ready"
    assert say(player, "(PLAY n NIL)") == "(take 2)"


@needs_proc
def test_a_match_has_a_limit_of_memory(new_player: Callable[..., Player], caplog: pytest.LogCaptureFixture) -> None:
    player = new_player(memory_mb=300)
    assert say(player, start("m", "a", VAST, "3600 1")) == "ready", "as soon as there is nothing to be waited for"
    assert process_of(player)._process.exitcode == OUT_OF_MEMORY
    assert "took more than 300 MB" in caplog.text
    assert say(player, "(PLAY m NIL)") == "nil"
    assert say(player, "(STOP m ((choose 1 1 1 1)))") == "done"
    assert say(player, start("n", "left", NIM)) == "ready"
    assert say(player, "(PLAY n NIL)") == "(take 2)"


def test_a_process_that_breaks_is_survived(new_player: Callable[..., Player], caplog: pytest.LogCaptureFixture) -> None:
    player = new_player()
    assert say(player, start("m", "left", NIM)) == "ready"
    process_of(player)._process.kill()
    assert say(player, "(PLAY m NIL)") == "nil"
    assert say(player, "(PLAY m ((take 2) wait))") == "nil"
    assert "the process of the match has ended, it broke" in caplog.text
    assert say(player, "(STOP m NIL)") == "done"
    assert say(player, start("n", "left", NIM)) == "ready"
    assert say(player, "(PLAY n NIL)") == "(take 2)"


def test_what_is_ready_for_the_next_match_ends_with_the_player() -> None:
    before = set(multiprocessing.active_children())
    player = Player(quick_settings())
    player.prepare()
    player.prepare()
    (ready,) = set(multiprocessing.active_children()) - before
    assert say(player, start("m", "left", NIM)) == "ready"
    assert process_of(player)._process is ready
    say(player, "(ABORT m)")
    (ready,) = set(multiprocessing.active_children()) - before
    player.close()
    assert not ready.is_alive()


@needs_proc
@pytest.mark.parametrize("sheet", [VAST, TIC_TAC_TOE])
def test_nothing_outlives_a_player_that_is_killed(sheet: str) -> None:
    """Neither the match nor what grounds its rules, while that is at work or when all is built."""
    command = [sys.executable, "-m", "treewise", "ggp", "player", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r"listens at 127.0.0.1:(\d+)", process.stderr.readline())
        assert found is not None
        role = "a" if sheet is VAST else "Cross"
        assert post(int(found[1]), start("m", role, sheet, "2 1")) == "ready"
        if sheet is VAST:
            until(lambda: len(children(process.pid)) >= 3)  # the match, the grounder and its own
        below = {pid: cpu_seconds(pid) for pid in children(process.pid)}
        assert below
        process.send_signal(signal.SIGKILL)
        process.wait()
    while any(map(is_running, below)):
        assert all(cpu_seconds(pid) < before + 3 for pid, before in below.items()), "it works on for nobody"
        time.sleep(0.01)
