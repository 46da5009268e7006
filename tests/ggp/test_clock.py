"""Margins and the report of reply times."""

from __future__ import annotations

import pytest

from treewise.ggp.clock import Margins, ReplyTimes


@pytest.mark.parametrize(
    ("host", "play", "start"),
    [
        ("127.0.0.1", 0.3, 0.3),
        ("::1", 0.3, 0.3),
        ("localhost", 0.3, 0.3),
        ("192.0.2.7", 2.0, 4.0),
        ("example", 2.0, 4.0),
    ],
)
def test_margins_by_the_way_to_the_server(host: str, play: float, start: float) -> None:
    assert Margins.towards(host) == Margins(play, start)


def test_thinking_time() -> None:
    margins = Margins(play=2.0, start=4.0)
    assert margins.seconds(15) == 13.0
    assert margins.seconds(30, start=True) == 26.0
    assert margins.seconds(2) == 0.5, "a clock that is no longer than its margin is used by a quarter"


def test_the_shortest_clocks() -> None:
    margins = Margins(play=0.3, start=0.3)
    assert margins.seconds(0.5) == pytest.approx(0.2)
    assert margins.seconds(0) == margins.latest(0) == 0.1, "a legal move a little late is worth more than none"
    assert margins.seconds(0.5) < margins.latest(0.5) < 0.5


def test_reply_times() -> None:
    times = ReplyTimes()
    assert str(times) == "0 replies (50 %: 0.000 s, 95 %: 0.000 s, 100 %: 0.000 s), 0 late"
    for tenth in range(1, 101):
        times.add(tenth / 10, clock=9.95)
    assert times.late == 1
    assert (times.percentile(0), times.percentile(50), times.percentile(95), times.percentile(100)) == (
        0.1,
        5.1,
        9.6,
        10,
    )
