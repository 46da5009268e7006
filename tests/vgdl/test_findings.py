"""What is wrong with descriptions and levels: each message, with its place."""

from __future__ import annotations

import pytest

from treewise.vgdl.compiler import compile_description, compile_level
from treewise.vgdl.finding import MOST_FOUND, MOST_SHOWN, VGDLError
from treewise.vgdl.level import LONGEST_SIDE, MOST_SPRITES
from treewise.vgdl.sprites import MOST_TYPES
from treewise.vgdl.syntax import MOST_CHARACTERS, MOST_NESTED
from treewise.vgdl.vocabulary import OTHER_CLASSES, OTHER_EFFECTS, OTHER_TERMINATIONS

SPRITES = "BasicGame\n SpriteSet\n  floor > Immovable\n  group >\n   box > Passive\n"


def errors(text: str) -> list[str]:
    """The messages, with their places."""
    with pytest.raises(VGDLError) as caught:
        compile_description(text, "game.txt")
    return str(caught.value).splitlines()


ERRORS = [
    # what is added to the sprites above, line and column, words of the message
    ("  a > Imovable", "6:7", "unknown class 'Imovable'; did you mean 'Immovable'?"),
    ("  a >", "6:3", "sprite 'a' has no class, nor do its ancestors"),
    ("  a b > Passive", "6:3", "expected one name, then '>'"),
    ("  a Passive", "6:3", "expected one name, then '>'"),
    ("  box > Missile", "6:3", "sprite 'box' is defined twice"),
    ("  box > Passive speed=1", "6:3", "sprite 'box' is defined twice"),
    ("  box > Passive\n    a >", "6:3", "sprite 'box' is defined twice"),
    ("  a > Missile physicstype=CONT", "6:15", "continuous physics is known, but not supported"),
    ("  a > Bomber stype=box spawnorientation=UP", "6:24", "parameter 'spawnorientation' is known, but not supported"),
    (" InteractionSet\n  box wall > spawn stype=box stepBack=True", "7:30", "'stepBack' is known, but not supported"),
    ("  a > Chaser", "6:3", "'a' needs stype=…"),
    ("  a > Chaser stype=bx", "6:14", "unknown sprite 'bx'; did you mean 'box'?"),
    ("  a > SpawnPoint stype=group", "6:18", "sprite 'group' only groups others"),
    ("  a > Chaser stype=box,floor", "6:14", "expected one name"),
    ("  a > ShootAvatar stype=box ammo=floor", "6:29", "sprite 'floor' is no resource"),
    ("  a > ShootAvatar stype=box minAmmo=2", "6:29", "parameter 'minAmmo' is known, but not supported"),
    ("  a > Passive Passive", "6:15", "'Passive' is no parameter: write key=value"),
    ("  a > Passive speed=", "6:15", "'speed=' is no parameter"),
    ("  a > Passive speed=fast", "6:15", "'speed=fast': expected a number from -1 to 100"),
    ("  a > Passive speed=nan", "6:15", "expected a number"),
    ("  a > Passive speed=1e9", "6:15", "expected a number from -1 to 100"),
    ("  a > Passive cooldown=1.5", "6:15", "expected a whole number"),
    ("  a > Passive cooldown=" + "9" * 5000, "6:15", "expected a whole number"),
    ("  a > Passive hidden=yes", "6:15", "expected True or False"),
    ("  a > Missile orientation=NORTH", "6:15", "unknown direction 'NORTH'"),
    (" InteractionSet\n  box > stepBack", "7:3", "expected two names"),
    (" InteractionSet\n  box floor stepBack", "7:3", "expected two names"),
    (" InteractionSet\n  box floor >", "7:3", "expected two names"),
    (" InteractionSet\n  box flor > stepBack", "7:7", "unknown sprite 'flor'; did you mean 'floor'?"),
    (" InteractionSet\n  box floor > stepback", "7:15", "unknown effect 'stepback'; did you mean 'stepBack'?"),
    (" InteractionSet\n  box floor > transformTo", "7:15", "'transformTo' needs stype=…"),
    (" InteractionSet\n  box floor > transformTo stype=group", "7:27", "only groups others"),
    (" InteractionSet\n  box floor > shieldFrom stype=box ftype=kilSprite", "7:36", "did you mean 'killSprite'?"),
    (" InteractionSet\n  box floor > killIfHasLess resource=floor", "7:29", "sprite 'floor' is no resource"),
    (" InteractionSet\n  box floor > changeResource resource=wall", "7:30", "make it a Resource or name one"),
    (" InteractionSet\n  box floor > killIfOtherHasMore resource=group", "7:34", "name the one that is held"),
    (" InteractionSet\n  box EOS > killBoth", "7:13", "effect 'killBoth' needs a second sprite"),
    (" InteractionSet\n  box TIME > killBoth", "7:14", "it has no meaning with TIME"),
    (" InteractionSet\n  TIME box > killSprite", "7:3", "unknown sprite 'TIME'"),
    (" InteractionSet\n  box TIME > killSprite timer=-1", "7:25", "expected a whole number from 0"),
    (" InteractionSet\n  box floor > transformTo stype=box timer=1", "7:37", "is known, but not supported"),
    (" InteractionSet\n  box floor > stepBack scoreChange=1,2", "7:24", "expected a whole number"),
    (" TerminationSet\n  SpriteCount stype=box", "7:3", "unknown termination 'SpriteCount'; did you mean"),
    (" TerminationSet\n  SpriteCounter limit=0", "7:3", "'SpriteCounter' needs stype=…"),
    (" TerminationSet\n  Timeout win=maybe", "7:11", "expected True or False"),
    (" LevelMapping\n  ab > box", "7:3", "expected one character"),
    (" LevelMapping\n  a box", "7:3", "expected one character"),
    (" SpritesSet\n  a > box", "6:2", "unknown section 'SpritesSet'; did you mean 'SpriteSet'?"),
    (" InteractionSet\n  box floor > stepBack\n   box wall > stepBack", "8:4", "indented too far: only sprites have"),
    (" TerminationSet\n  Timeout limit=9\n\t\t\tTimeout limit=3", "8:4", "indented too far: only sprites have"),
    (" LevelMapping\n  a > box\n   b > floor", "8:4", "indented too far: only sprites have"),
    ("  InteractionSet\n   box floor > stepBack", "6:3", "indented too far: InteractionSet is inside SpriteSet"),
    ("    interactionset\n   b > Passive", "6:5", "indented too far: InteractionSet is inside SpriteSet"),
    (" TerminationSet\n  Timeout\n   LevelMapping\n    a > box", "8:4", "LevelMapping is inside TerminationSet"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "message"), ERRORS)
def test_errors(text: str, place: str, message: str) -> None:
    (found,) = errors(SPRITES + text)
    assert found.startswith(f"game.txt:{place}: error: ")
    assert message in found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty description"),
        ("# nothing\n\n", "an empty description"),
        ("BasicGam\n SpriteSet", "'BasicGam': a description begins with BasicGame"),
        ("BasicGame", "there is no SpriteSet"),
        ("BasicGame square_size=1\n SpriteSet", "'square_size=1': expected a whole number from 2 to 1,000"),
        ("BasicGame no_players=2\n SpriteSet", "several players"),
        ("x" * (MOST_CHARACTERS + 1), "is too long"),
        ("BasicGame\n" + "\n".join(" " * depth + "x" for depth in range(1, MOST_NESTED + 2)), "nest less"),
        ("BasicGame\n SpriteSet\n" + "".join(f"  s{n} > Passive\n" for n in range(MOST_TYPES)), "sprites are defined"),
        ("BasicGame\n SpriteSet\n InteractionSet\n" + "  wall avatar > stepBack\n" * 2001, "more than 2,000 rules"),
        (
            "BasicGame\n SpriteSet\n InteractionSet\n"
            + "".join(f"  wall avatar > setSpeedForAll stype=wall value={n}\n" for n in range(32)),
            "setSpeedForAll with 32 different speeds",
        ),
    ],
)
def test_what_is_no_description(text: str, message: str) -> None:
    assert message in errors(text)[0]


@pytest.mark.parametrize("name", sorted(OTHER_CLASSES))
def test_classes_that_are_only_known(name: str) -> None:
    assert errors(SPRITES + f"  a > {name}") == [f"game.txt:6:7: error: class '{name}' is known, but not supported"]


@pytest.mark.parametrize("name", sorted(OTHER_EFFECTS))
def test_effects_that_are_only_known(name: str) -> None:
    (found,) = errors(SPRITES + f" InteractionSet\n  box floor > {name} stype=box")
    assert found == f"game.txt:7:15: error: effect '{name}' is known, but not supported"


@pytest.mark.parametrize("name", sorted(OTHER_TERMINATIONS))
def test_terminations_that_are_only_known(name: str) -> None:
    (found,) = errors(SPRITES + f" TerminationSet\n  {name} limit=3")
    assert found == f"game.txt:7:3: error: termination '{name}' is known, but not supported"


def test_all_errors_are_told_at_once_in_the_order_of_the_text() -> None:
    text = "BasicGame\n InteractionSet\n  a b > nothing\n SpriteSet\n  a > Pasive\n  b > Passive"
    assert [line.split(": ")[0] for line in errors(text)] == ["game.txt:3:9", "game.txt:5:7"]


def test_the_first_sprite_too_many_is_told() -> None:
    lines = "".join(f"  s{number} > Passive\n" for number in range(MOST_TYPES + 100))
    (found,) = errors(f"BasicGame\n SpriteSet\n{lines}")
    line = 3 + MOST_TYPES - 2  # `wall` and `avatar` are there without being defined
    assert (
        found == f"game.txt:{line}:3: error: {MOST_TYPES + 102} sprites are defined: at most {MOST_TYPES} are possible"
    )


def test_every_line_that_is_indented_too_far_is_told() -> None:
    text = SPRITES + " InteractionSet\n  box floor > stepBack\n   box wall > stepBack\n    wall box > stepBack\n   x"
    assert [line.split(": ")[0] for line in errors(text)] == ["game.txt:8:4", "game.txt:9:5", "game.txt:10:4"]


def test_every_section_inside_another_is_told() -> None:
    text = "BasicGame\n SpriteSet\n  InteractionSet\n   TerminationSet\n  LevelMapping"
    assert [line.split(": ")[0] for line in errors(text)] == ["game.txt:3:3", "game.txt:4:4", "game.txt:5:3"]


def test_a_file_with_very_many_errors_is_told_in_part() -> None:
    text = SPRITES + " InteractionSet\n" + "  q r > s\n" * 1000
    with pytest.raises(VGDLError) as caught:
        compile_description(text)
    assert len(caught.value.findings) == MOST_FOUND
    assert len(str(caught.value).splitlines()) == MOST_SHOWN + 1


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("  a > Passive limt=3 color=RED", "6:15", "unknown parameter 'limt' of 'a'"),
        (
            " InteractionSet\n  box floor > bounceForward repeat=2",
            "7:29",
            "'repeat' is known, but not supported",
        ),
        (" InteractionSet\n  box floor > killSprite scorChange=1", "7:26", "did you mean 'scoreChange'?"),
        (" LevelMapping\n  a > box bax", "7:11", "unknown sprite 'bax'; did you mean 'box'?"),
        ("  floor > Immovable img=other color=RED", "6:3", "sprite 'floor' is defined twice, with the same rules"),
        (" TerminationSet\n  Timeout limits=3", "7:11", "did you mean 'limit'?"),
    ],
)
def test_what_is_played_is_a_warning(text: str, place: str, message: str) -> None:
    (found,) = compile_description(SPRITES + text, "game.txt").findings
    assert str(found).startswith(f"game.txt:{place}: warning: ")
    assert message in str(found)


def test_a_parameter_that_only_a_descendant_takes_is_no_slip() -> None:
    assert compile_description("BasicGame\n SpriteSet\n  all > limit=3\n   a > Flicker\n   b > Passive").findings == ()


LEVELS = [
    ("", ":1:1", "a level of 0 by 1 cells: expected 1 to 256 cells each way"),
    ("\nA", ":1:1", "a level of 0 by 2 cells"),
    ("A" * (LONGEST_SIDE + 1), ":1:1", "a level of 257 by 1 cells"),
    ("A\n" * (LONGEST_SIDE + 1), ":1:1", "a level of 1 by 257 cells"),
    ("A" * (MOST_CHARACTERS + 1), ":1:1", "a level of 200,001 characters"),
    ("...", "", "exactly one avatar, this one has 0"),
    ("..A\nA.\nA", ":2:1", "exactly one avatar, this one has 3"),
    (".A\n.m" + "\nmm" * 200, ":2:2", f"a level with more than {MOST_SPRITES:,} sprites"),
    ("A.\n.g\ng", ":2:2", "sprite 'group' only groups others and cannot be in a level"),
]


@pytest.mark.parametrize(("level", "place", "message"), LEVELS)
def test_levels(level: str, place: str, message: str) -> None:
    many = " ".join(["box"] * (MOST_SPRITES + 1))
    text = SPRITES + f" LevelMapping\n  . > floor\n  g > group\n  m > {many}"
    description = compile_description(text)
    with pytest.raises(VGDLError) as caught:
        compile_level(description, level, "level.txt")
    (found,) = str(caught.value).splitlines()
    assert found.startswith(f"level.txt{place}: error: ")
    assert message in found


def test_a_sprite_that_is_defined_again_is_drawn_where_it_stands_last() -> None:
    text = "BasicGame\n SpriteSet\n  a > Missile img=one\n  b > Passive\n  a > Missile img=two"
    sprites = compile_description(text).sprites
    assert [sprites.types[kind].name for kind in sprites.update_order] == ["avatar", "a", "b", "wall"]
    assert sprites.names.ids == {"wall": 0, "avatar": 1, "a": 2, "b": 3}
    assert sprites.types[2].image == "two"


def test_undefined_sprites_of_a_mapping_matter_where_a_level_has_them() -> None:
    description = compile_description(SPRITES + " LevelMapping\n  a > box bax")
    compile_level(description, "A.w")
    with pytest.raises(VGDLError, match="<level>:1:3: error: stands for a sprite that is not defined"):
        compile_level(description, "A.aa")
