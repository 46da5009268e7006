"""What the player is told: keys, goals, rules, legend."""

from __future__ import annotations

import io

from rich.console import Console
from small_games import small_game

from treewise.vgdl import guide
from treewise.vgdl.drawing import legend
from treewise.vgdl.files import shipped_games
from treewise.vgdl.load import video_game
from treewise.vgdl.program import Action
from treewise.vgdl.terminal import HELP, QUIT, play


def test_only_the_keys_that_a_game_has() -> None:
    assert guide.keys(video_game("aliens").program).startswith("← → move, space uses,")
    assert guide.keys(video_game("sokoban").program).startswith("arrows move, p pauses")


def test_every_rule_and_every_end_is_told() -> None:
    for name in shipped_games():
        program = video_game(name).program
        assert len(guide.rules(program)) == len([*program.pairs, *program.edge_rules, *program.time_rules])
        assert len(guide.goals(program)) == len(program.terminations)
        assert not any("{" in line for line in guide.rules(program) + guide.goals(program))


def test_ends_in_words() -> None:
    program = small_game(
        "x > Immovable\ny > Immovable",
        "Axy",
        ends="SpriteCounter stype=x limit=2 win=True\nTimeout limit=1500\nMultiSpriteCounter stype1=x stype2=y limit=3",
    ).program
    assert guide.goals(program) == [
        "won when at most 2 x are left",
        "lost when 1,500 ticks are over",
        "lost when x and y are 3 together",
    ]


def test_effects_without_words_are_shown_as_written() -> None:
    program = small_game(
        "x > Immovable\nr > Resource", "Axr", "avatar x > changeResource resource=r value=2 scoreChange=-3"
    ).program
    assert guide.rules(program) == ["avatar meets x: changeResource resource=r value=2, score -3"]


def test_legend_names_what_is_seen() -> None:
    state = video_game("zelda").initial_state()
    assert "▲  nokey" in legend(state).plain
    assert "floor" not in legend(state).plain  # hidden
    assert "withkey" not in legend(state).plain
    assert max(map(len, legend(state, width=30).plain.splitlines())) <= 30


class Script:
    def __init__(self, *keys: Action | str | None) -> None:
        self.keys = iter(keys)
        self.asked: list[float | None] = []

    def read(self, seconds: float | None) -> Action | str | None:
        self.asked.append(seconds)
        return next(self.keys)


def shown(keys: Script, explain: bool = False, height: int = 30) -> tuple[str, str]:
    file = io.StringIO()
    out = Console(file=file, force_terminal=True, width=100, height=height)
    last = play(video_game("zelda").initial_state(), keys, 0.1, out, explain=explain)
    return last, file.getvalue()


def test_rules_are_shown_first_and_the_game_waits() -> None:
    keys = Script(None, Action.LEFT, QUIT)
    last, text = shown(keys, explain=True)
    assert "The game is won when no goal is left." in text
    assert keys.asked == [None, 0.1, 0.1]
    assert "tick 1" in last


def test_rules_on_demand() -> None:
    keys = Script(Action.LEFT, HELP, Action.LEFT, QUIT)
    last, text = shown(keys)
    assert "enemy meets sword" in text
    assert keys.asked == [0.1, 0.1, None, 0.1]
    assert "tick 2" in last


def test_rules_on_a_low_screen_say_what_is_missing() -> None:
    _, text = shown(Script(QUIT), explain=True, height=9)
    assert "more rules: treewise vgdl info shows them" in text


def test_a_key_that_the_game_has_not_is_none() -> None:
    made: list[Action] = []
    state = video_game("aliens").initial_state()
    out = Console(file=io.StringIO(), force_terminal=True, width=80)
    play(state, Script(Action.UP, Action.USE, QUIT), None, out, made.append)
    assert made == [Action.NIL, Action.USE]
