"""Servers and players that the tests of the protocol talk to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from talking import Serve, quick_player

from treewise.ggp.http import Limits, MessageServer, Request


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves an `answer(request)` at a free port, which it returns."""
    with ExitStack() as stack:

        def start(answer: Callable[[Request], str], limits: Limits | None = None) -> int:
            server = stack.enter_context(MessageServer(("127.0.0.1", 0), answer, limits))
            server.start()
            return server.port

        yield start


@pytest.fixture
def new_player(serve: Serve) -> Iterator[Callable[..., int]]:
    """Starts our player with some settings at a free port, which it returns."""
    players = []

    def start(**changes: object) -> int:
        player = quick_player(**changes)
        players.append(player)
        return serve(player.answer)

    yield start
    for player in players:
        player.close()


@pytest.fixture(scope="session")
def transcripts() -> Path:
    """The recorded dialogues of stock programs, where they are."""
    root = Path(os.environ.get("TREEWISE_SHARED", Path(__file__).parents[3] / "shared" / "data"))
    folder = root / "gdl" / "protocol"
    if not folder.is_dir():
        pytest.skip(f"no transcripts at {folder}")
    return folder
