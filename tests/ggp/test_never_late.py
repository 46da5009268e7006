"""No reply after its clock, though servers grant a second more, with every core busy with something else."""

from __future__ import annotations

import multiprocessing
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from sheets import NIM, PENNIES, SEVEN, TIC_TAC_TOE

from treewise.ggp.entrants import read_entrant
from treewise.ggp.match_server import Conditions, Rules, play_ggp_match, read_rules
from treewise.ggp.record import Record
from treewise.processes import cores

CLOCK = 2
AT_ONCE = 4
"""Players, each with a match of its own: they too keep each other from the cores."""


def spin() -> None:
    end = time.monotonic() + 3600
    while time.monotonic() < end:
        sum(range(10_000))


@pytest.fixture
def busy_cores() -> Iterator[None]:
    processes = [multiprocessing.get_context("spawn").Process(target=spin, daemon=True) for _ in range(cores())]
    for process in processes:
        process.start()
    yield
    for process in processes:
        process.terminate()
        process.join()


@contextmanager
def player(log: Path) -> Iterator[int]:
    """A player in a process of its own; its port."""
    command = [sys.executable, "-m", "treewise", "ggp", "player", "--port", "0", "--host", "127.0.0.1", "--ponder"]
    with subprocess.Popen([*command, "--log", str(log)], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r":(\d+);", process.stderr.readline())
        assert found is not None
        yield int(found[1])
        process.kill()


def play(folder: Path, sheets: Sequence[Rules], matches: int, longest: int) -> list[Record]:
    """So many matches, by one sheet after the other, each player's against random ones."""
    conditions = Conditions(start_clock=CLOCK, play_clock=CLOCK, longest=longest)

    def match(index: int, port: int) -> Record:
        rules = sheets[index % len(sheets)]
        others = ["random"] * (len(rules.seats) - 1)
        return play_ggp_match(rules, list(map(read_entrant, [f"127.0.0.1:{port}", *others])), conditions, seed=index)

    def of_one_player(first: int) -> list[Record]:
        with player(folder / f"player{first}.log") as port:
            return [match(index, port) for index in range(first, matches, AT_ONCE)]

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [record for records in pool.map(of_one_player, range(AT_ONCE)) for record in records]


def check_clocks(records: Sequence[Record], matches: int) -> None:
    assert len(records) == matches
    for record in records:
        assert record.failures(0) == 0, record.errors
        assert max(step[0] for step in record.reply_times) <= CLOCK, (record.rules, record.reply_times)


@pytest.mark.long
@pytest.mark.usefixtures("busy_cores")
def test_a_hundred_matches_on_busy_cores(tmp_path: Path) -> None:
    sheets = [written(tmp_path, text) for text in (NIM, TIC_TAC_TOE, PENNIES)]
    records = play(tmp_path, sheets, matches=100, longest=20)
    check_clocks(records, 100)
    assert all(record.completed for record in records)


@pytest.mark.long
@pytest.mark.usefixtures("busy_cores")
def test_heavy_rules_on_busy_cores(tmp_path: Path) -> None:
    """Machines that come after the first move, rules for the prover alone, and more roles than a search can take."""
    sheets = [*map(read_rules, ("skirmish", "checkers", "merrills", "kuhn_poker")), written(tmp_path, SEVEN)]
    check_clocks(play(tmp_path, sheets, matches=20, longest=16), 20)
    logs = "".join(log.read_text() for log in tmp_path.glob("*.log"))
    for machine in ("NetMachine after [1-9]", "ProverMachine after 0", "CrowdMachine after 0"):
        assert re.search(f": {machine}", logs), machine


def written(folder: Path, text: str) -> Rules:
    file = folder / f"{len(text)}.kif"
    file.write_text(text)
    return read_rules(file)
