"""Every shipped level can be won: a recorded line wins it."""

from __future__ import annotations

import pytest
from winning_lines import Line, read_lines, replay

from treewise.vgdl import shipped_games


@pytest.mark.parametrize("game", shipped_games())
def test_a_recorded_line_wins_every_level(game: str) -> None:
    lines = read_lines(game)
    assert [line.level for line in lines] == [0, 1, 2, 3, 4]
    for line in lines:
        state = replay(game, line)
        assert state.is_terminal(), line.level
        assert state.returns()[0] > state.game.win_value / 2, line.level


@pytest.mark.parametrize("game", shipped_games())
def test_a_line_does_not_win_before_its_end(game: str) -> None:
    for line in read_lines(game):
        shorter = Line(line.level, line.seed, line.actions[:-1])
        assert not replay(game, shorter).is_terminal(), line.level


def test_lines_are_written_as_they_are_read() -> None:
    text = "2 17 3RS12UN"
    assert str(Line.read(text)) == text
    assert Line.read(text).actions == (4, 4, 4, 5, *[1] * 12, 0)
    with pytest.raises(ValueError, match="no actions"):
        Line.read("2 17 3RX")
