"""The table of names: what it calls supported is what the machine knows, and no name is in it twice."""

from __future__ import annotations

from treewise import _core
from treewise.vgdl.load import OPTIONS
from treewise.vgdl.vocabulary import (
    ALONE,
    CLASSES,
    EFFECTS,
    NOT_TAKEN,
    OTHER_CLASSES,
    OTHER_EFFECTS,
    OTHER_TERMINATIONS,
    TERMINATIONS,
)

# What a player has to have for the ten games of the first competition.
NEEDED = """
Immovable Door Passive Resource Missile Flicker OrientedFlicker SpawnPoint Bomber Portal RandomNPC Chaser Fleeing
MovingAvatar FlakAvatar ShootAvatar
stepBack killSprite killBoth turnAround reverseDirection wrapAround cloneSprite transformTo collectResource
killIfOtherHasMore killIfFromAbove bounceForward undoAll teleportToExit shieldFrom pullWithIt addHealthPoints
subtractHealthPoints SpriteCounter MultiSpriteCounter Timeout
"""


def test_the_machine_knows_the_same_names() -> None:
    kinds = _core.vgdl_kinds()
    assert set(kinds["sprites"]) == set(CLASSES)
    assert set(kinds["effects"]) == set(EFFECTS)
    assert set(kinds["terminations"]) == set(TERMINATIONS)
    assert set(kinds["options"]) == set(OPTIONS)


def test_names_are_supported_or_not() -> None:
    assert OTHER_CLASSES.isdisjoint(CLASSES)
    assert OTHER_EFFECTS.isdisjoint(EFFECTS)
    assert OTHER_TERMINATIONS.isdisjoint(TERMINATIONS)
    assert {*ALONE} <= {*EFFECTS}
    assert {*NOT_TAKEN} <= {*CLASSES, *EFFECTS}


def test_all_that_is_needed_is_supported() -> None:
    assert set(NEEDED.split()) <= {*CLASSES, *EFFECTS, *TERMINATIONS}


def test_it_has_as_many_names_as_the_framework() -> None:
    assert len({*EFFECTS, *OTHER_EFFECTS}) == 58
    assert len({*TERMINATIONS, *OTHER_TERMINATIONS}) == 6
    assert "killIfNotUpright" in OTHER_EFFECTS
