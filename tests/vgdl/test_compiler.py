"""Descriptions and levels of our own, compiled: inheritance, ids, orders, defaults, geometry."""

from __future__ import annotations

import pytest

from treewise.vgdl.compiler import compile_description, compile_game, compile_level
from treewise.vgdl.finding import VGDLError
from treewise.vgdl.program import EDGE, Action, Direction, Program, SpriteType

GAME = """
# A comment before everything
BasicGame square_size=10 key_handler=Pulse
    SpriteSet
        floor > Immovable hidden=True img=somewhere/floor
        structure > Immovable color=BLUE
            goal > Door            # the parent's class wins …
            entries > Portal
                inside > stype=goal    # … and the written one is handed down
        mover > speed=0.5 stype=shot
        @archer > Missile orientation=LEFT
        @hunter > Chaser stype=avatar cooldown=0
        @    quick > speed=1
        shot > Flicker singleton=True
            spark >
        avatar > ShootAvatar stype=spark
    LevelMapping
        . > floor
        q > quick floor
        g > floor goal
    TerminationSet
        SpriteCounter stype=goal win=true
        MultiSpriteCounter stype1=mover stype2=goal limit=2
        Timeout limit=30 win=False
    InteractionSet
        mover wall EOS > stepBack
        goal avatar > killSprite scoreChange=-3
        mover wall > killSprite
        avatar eos > killSprite
""".replace("@", "\t")


def program(level: str = "wAq\nwg.") -> Program:
    return compile_game(GAME, level)


def by_name(made: Program) -> dict[str, SpriteType]:
    return {kind.name: kind for kind in made.types}


def test_ids_are_given_in_order_of_appearance() -> None:
    names = [kind.name for kind in program().types]
    assert names == ["wall", "avatar", "floor", "structure", "goal", "entries", "inside", "mover", "archer", "hunter",
                     "quick", "shot", "spark"]  # fmt: skip


def test_the_parents_class_wins_and_the_written_one_is_handed_down() -> None:
    kinds = {name: kind.kind for name, kind in by_name(program()).items()}
    assert kinds["goal"] == "Immovable"
    assert kinds["entries"] == "Immovable"
    assert kinds["inside"] == "Portal"
    assert kinds["mover"] == ""
    assert kinds["quick"] == "Chaser"
    assert kinds["wall"] == "Immovable"


def test_parameters_are_inherited_and_ones_own_win() -> None:
    types = by_name(program())
    assert (types["archer"].speed, types["quick"].speed, types["hunter"].speed) == (0.5, 1.0, 0.5)
    assert types["quick"].types == {"stype": (1,)}
    assert types["floor"].hidden
    assert not types["goal"].hidden


def test_singleton_marks_only_where_it_is_written() -> None:
    types = by_name(program())
    assert types["shot"].singleton
    assert not types["spark"].singleton


def test_a_cooldown_is_at_least_one() -> None:
    assert by_name(program())["hunter"].cooldown == 1


def test_the_rules_of_2016_have_no_least_cooldown() -> None:
    assert by_name(compile_game(GAME, "A", {"rules_2016": True}))["hunter"].cooldown == 0


def test_families() -> None:
    types = by_name(program())
    assert types["quick"].ancestors == (7, 9)
    assert types["mover"].descendants == (8, 9, 10)
    assert [name for name, kind in types.items() if not kind.leaf] == [
        "structure",
        "entries",
        "mover",
        "hunter",
        "shot",
    ]


def test_orientation() -> None:
    types = by_name(program())
    assert (types["archer"].oriented, types["archer"].orientation) == (True, Direction.LEFT)
    assert (types["avatar"].oriented, types["avatar"].orientation) == (True, Direction.RIGHT)
    assert (types["quick"].oriented, types["quick"].orientation) == (False, Direction.NONE)


def test_update_order_is_the_reverse_of_definition_after_the_avatar() -> None:
    made = program()
    order = [made.types[kind].name for kind in made.update_order]
    assert order == ["avatar", "spark", "quick", "archer", "inside", "goal", "floor", "wall"]


def test_update_order_has_a_defined_wall_in_its_place_and_an_avatar_that_groups_others_first() -> None:
    text = """
BasicGame
  SpriteSet
    a > Immovable
    wall > Immovable
    avatar > MovingAvatar
      one >
      two >
    b > Immovable
  LevelMapping
    A > one
"""
    made = compile_game(text, "A")
    order = [made.types[kind].name for kind in made.update_order]
    assert order == ["avatar", "b", "two", "one", "wall", "a"]


def test_pairs_are_grouped_by_their_first_appearance() -> None:
    pairs = [(pair.first, pair.second, [effect.name for effect in pair.effects]) for pair in program().pairs]
    assert pairs == [(7, 0, ["stepBack", "killSprite"]), (4, 1, ["killSprite"])]
    assert program().pairs[1].effects[0].score == -3


def test_rules_of_the_edge_stay_in_the_files_order() -> None:
    rules = [(rule.first, rule.second, rule.effects[0].name) for rule in program().edge_rules]
    assert rules == [(7, EDGE, "stepBack"), (1, EDGE, "killSprite")]


def test_the_edge_may_be_named_first() -> None:
    text = "BasicGame\n SpriteSet\n  a > Immovable\n  b > Immovable\n InteractionSet\n  EOS a b > killSprite"
    assert [rule.first for rule in compile_game(text, "A").edge_rules] == [2, 3]


def test_terminations() -> None:
    first, second, third = program().terminations
    assert (first.kind, first.win, first.numbers, first.types) == ("SpriteCounter", True, {"limit": 0}, {"stype": (4,)})
    assert (second.win, second.types) == (False, {"stype1": (7,), "stype2": (4,)})
    assert (third.kind, third.win, third.numbers) == ("Timeout", False, {"limit": 30})


def test_level() -> None:
    made = program()
    assert (made.width, made.height, made.block) == (3, 2, 10)
    # `w` and `A` are there without being mapped
    assert made.sprites == ((0, 0, 0), (1, 10, 0), (10, 20, 0), (2, 20, 0), (0, 0, 10), (2, 10, 10), (4, 10, 10),
                            (2, 20, 10))  # fmt: skip


@pytest.mark.parametrize(
    ("level", "size", "block"),
    [
        ("A", (1, 1), 800),
        ("A\n", (1, 1), 800),
        ("A..", (3, 1), 266),
        ("A" + "." * 199, (200, 1), 4),
        ("A\n\n", (1, 2), 400),
    ],
)
def test_geometry(level: str, size: tuple[int, int], block: int) -> None:
    made = compile_game("BasicGame\n SpriteSet\n  floor > Immovable\n LevelMapping\n  . > floor", level)
    assert ((made.width, made.height), made.block) == (size, block)


def test_line_ends_do_not_matter() -> None:
    assert compile_game(GAME.replace("\n", "\r\n"), "wAq\r\nwg.\r\n") == program()


def test_shorter_lines_are_filled_and_longer_ones_cut() -> None:
    description = compile_description(GAME)
    level, findings = compile_level(description, "wA.\nw\nw..q!", "level.txt")
    assert [kind for kind, _, y in level.sprites if y == 10] == [0]
    assert [kind for kind, _, y in level.sprites if y == 20] == [0, 2, 2]
    assert list(map(str, findings)) == [
        "level.txt:3:4: warning: longer than the first line (3 cells): the rest is left out"
    ]


def test_unknown_characters_make_nothing_and_are_told_once() -> None:
    level, findings = compile_level(compile_description(GAME), "A?? \n?..q", "level.txt")
    assert len(level.sprites) == 5
    assert list(map(str, findings)) == ["level.txt:1:2: warning: '?' stands for nothing in the LevelMapping"]


@pytest.mark.parametrize(
    ("kind", "actions"),
    [
        ("FlakAvatar stype=shot", (Action.USE, Action.LEFT, Action.RIGHT)),
        ("ShootAvatar", (Action.USE, Action.LEFT, Action.RIGHT, Action.DOWN, Action.UP)),
        ("MovingAvatar", (Action.LEFT, Action.RIGHT, Action.DOWN, Action.UP)),
    ],
)
def test_actions_are_those_of_the_avatars_class(kind: str, actions: tuple[Action, ...]) -> None:
    text = f"BasicGame\n SpriteSet\n  shot > Passive\n  avatar > {kind}"
    assert compile_game(text, "A").actions == actions


def test_categories() -> None:
    classes = [
        "Resource",
        "Door",
        "RandomNPC",
        "SpawnPoint stype=a",
        "Missile",
        "Passive",
        "Flicker",
        "Immovable portal=True",
    ]
    text = "BasicGame\n SpriteSet\n" + "".join(f"  {chr(97 + n)} > {kind}\n" for n, kind in enumerate(classes))
    assert [kind.category for kind in compile_game(text, "A").types] == [4, 0, 1, 2, 3, 4, 6, 6, 6, 2]


def test_sections_in_any_order_and_case() -> None:
    text = "BasicGame\n TERMINATIONSET\n  SpriteCounter stype=a\n spriteset\n  a > Passive"
    assert compile_game(text, "A").terminations[0].types == {"stype": (2,)}


def test_options_are_passed_on() -> None:
    assert compile_game(GAME, "A", {"rules_2016": True}).options == {"rules_2016": True}


def test_findings_survive_pickling() -> None:
    import pickle

    with pytest.raises(VGDLError) as caught:
        compile_description("BasicGame\n SpriteSet\n  a > Nothing")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.findings == caught.value.findings
