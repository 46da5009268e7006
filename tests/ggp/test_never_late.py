"""No reply after its clock, with every core busy with something else."""

from __future__ import annotations

import multiprocessing
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sheets import PENNIES, TIC_TAC_TOE

from treewise.ggp.entrants import read_entrant
from treewise.ggp.match_server import Conditions, play_ggp_match, read_rules
from treewise.processes import cores


def spin() -> None:
    end = time.monotonic() + 600
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


@pytest.fixture
def player_port() -> Iterator[int]:
    command = [sys.executable, "-m", "treewise", "ggp", "player", "--port", "0", "--host", "127.0.0.1", "--ponder"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r":(\d+);", process.stderr.readline())
        assert found is not None
        yield int(found[1])
        process.kill()
        process.stderr.read()


@pytest.mark.long
@pytest.mark.usefixtures("busy_cores")
def test_twenty_matches_on_busy_cores(player_port: int, tmp_path: Path) -> None:
    slowest = []
    for index in range(20):
        file = tmp_path / "sheet.kif"
        file.write_text(TIC_TAC_TOE if index % 2 else PENNIES)
        entrants = [read_entrant(f"127.0.0.1:{player_port}"), read_entrant("random")]
        record = play_ggp_match(read_rules(file), entrants, Conditions(start_clock=2, play_clock=2), seed=index)
        assert record.completed
        assert record.failures(0) == 0, record.errors
        assert record.reply_times[0][0] < 2.0
        slowest.append(max(step[0] for step in record.reply_times[1:]))
    assert max(slowest) < 2.0, slowest
