"""Every name of the framework's language: what is supported, with parameters and defaults, and what is only known.

The one place to add a class, an effect or a termination; the compiler, the documentation and their tests read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from treewise.vgdl.program import Action, Direction

Kind = Literal["whole", "real", "truth", "type", "made", "resource", "types", "effect", "direction"]


@dataclass(frozen=True)
class Parameter:
    """What a key takes; `made` is a type of which sprites are made, `resource` one that can be held.

    `default` is a number: types, effects and directions have none.
    """

    kind: Kind
    default: float = 0.0
    required: bool = False
    low: float = -1e6
    high: float = 1e6


@dataclass(frozen=True)
class SpriteClass:
    """A class of sprites. `actions` is None for what is no avatar."""

    name: str
    category: int
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    static: bool = False
    oriented: bool = False
    orientation: Direction = Direction.NONE
    speed: float = 0.0
    rotates: bool = False  # turns before it moves
    actions: tuple[Action, ...] | None = None


@dataclass(frozen=True)
class Rule:
    """An effect or a termination."""

    name: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


AVATAR, RESOURCE, PORTAL, NPC, STATIC, FROM_AVATAR, MOVABLE = range(7)
CATEGORIES = ("avatar", "resource", "portal", "npc", "static", "from avatar", "movable")
"""What a player sees a sprite as, by number."""

COMMON: Mapping[str, Parameter] = {
    "singleton": Parameter("truth"),
    "hidden": Parameter("truth"),
    "portal": Parameter("truth"),
    "orientation": Parameter("direction"),
    "speed": Parameter("real", low=-1.0, high=100.0),
    "cooldown": Parameter("whole", high=60_000),
    "rotateInPlace": Parameter("truth"),
    "healthPoints": Parameter("whole"),
    "limitHealthPoints": Parameter("whole", 1000),
}
"""What every class of sprites has."""

VISUAL = _names("img color autotiling randomtiling frameRate shrinkfactor invisible")
"""How sprites look in the framework's window: no part of the rules."""

GAME = {"square_size": Parameter("whole", low=2, high=1000)}
GAME_IGNORED = frozenset({"key_handler", "obs", "frame_rate"})
"""Keyboards, drawing and path finding of the framework's own; `no_players` above 1 is not supported."""

NOT_TAKEN = {
    "ShootAvatar": _names("minAmmo ammoCost"),
    "FlakAvatar": _names("minAmmo ammoCost"),
    "Missile": _names("timeToLive"),
    "Fleeing": _names("maxDistance"),
    "Chaser": _names("maxDistance"),
    **{name: _names("spawnorientation") for name in ("SpawnPoint", "Bomber", "RandomBomber")},
    **{name: _names("stepBack") for name in ("spawn", "spawnIfHasMore", "spawnIfHasLess")},
    "transformTo": _names("forceOrientation timer repeating"),
    "subtractHealthPoints": _names("stype timer repeating"),
}
"""Parameters that the framework has and this machine does not: without them a game would have other rules."""

LEFT_OUT = {"bounceForward": _names("repeat")}
"""Such as change places by less than a step. A game that has one is played without it."""

_STYPE = {"stype": Parameter("type", required=True)}
_MADE = {"stype": Parameter("made", required=True)}
_SPAWN = {"prob": Parameter("real", 1.0), "total": Parameter("whole"), **_MADE}
_LIMIT = {"limit": Parameter("whole")}
_SHOT = {"stype": Parameter("made"), "ammo": Parameter("resource")}
_AMOUNT = {"limit": Parameter("whole", 2), "value": Parameter("whole", 1)}
_SPREAD = {"limit": Parameter("whole", 1), "spreadprob": Parameter("real", 1.0), "stype": Parameter("made")}
_FACING: dict[str, object] = {"oriented": True, "orientation": Direction.RIGHT, "speed": 1.0, "rotates": True}
_TWO = (Action.LEFT, Action.RIGHT)
_FOUR = (Action.LEFT, Action.RIGHT, Action.DOWN, Action.UP)


def _class(name: str, category: int, *, avatar: tuple[Action, ...] | None = None, **rest: object) -> SpriteClass:
    return SpriteClass(name, category, actions=avatar, **rest)  # type: ignore[arg-type]


CLASSES: Mapping[str, SpriteClass] = {
    made.name: made
    for made in (
        _class("Immovable", STATIC, static=True),
        _class("Door", PORTAL, static=True),
        _class("Passive", MOVABLE),
        _class("Resource", RESOURCE, parameters=_AMOUNT),
        _class("Missile", MOVABLE, oriented=True, speed=1.0),
        _class("Flicker", MOVABLE, parameters={"limit": Parameter("whole", 1)}),
        _class("OrientedFlicker", MOVABLE, oriented=True, parameters={"limit": Parameter("whole", 1)}),
        _class("SpawnPoint", STATIC, static=True, parameters=_SPAWN),
        _class("Bomber", NPC, oriented=True, orientation=Direction.RIGHT, parameters=_SPAWN),
        _class("Portal", PORTAL, static=True, parameters={"stype": Parameter("type")}),
        _class("RandomNPC", NPC, speed=1.0, parameters={"cons": Parameter("whole")}),
        _class("Chaser", NPC, speed=1.0, parameters={"cons": Parameter("whole"), **_STYPE}),
        _class("Fleeing", NPC, speed=1.0, parameters={"cons": Parameter("whole"), **_STYPE}),
        _class("RandomMissile", MOVABLE, oriented=True, speed=1.0),
        _class("ErraticMissile", MOVABLE, oriented=True, speed=1.0, parameters={"prob": Parameter("real", 0.1)}),
        _class("Spreader", MOVABLE, parameters=_SPREAD),
        _class("RandomBomber", NPC, speed=1.0, parameters=_SPAWN),
        _class("ResourcePack", RESOURCE, static=True, parameters=_AMOUNT),
        _class("MovingAvatar", AVATAR, speed=1.0, avatar=_FOUR),
        _class("HorizontalAvatar", AVATAR, speed=1.0, avatar=_TWO),
        _class("VerticalAvatar", AVATAR, speed=1.0, avatar=(Action.DOWN, Action.UP)),
        _class("OrientedAvatar", AVATAR, **_FACING, avatar=_FOUR),
        _class("OngoingAvatar", AVATAR, oriented=True, speed=1.0, avatar=_FOUR),
        _class("MissileAvatar", AVATAR, oriented=True, speed=1.0, avatar=()),
        _class("FlakAvatar", AVATAR, speed=1.0, parameters=_SHOT, avatar=(Action.USE, *_TWO)),
        _class("ShootAvatar", AVATAR, **_FACING, parameters=_SHOT, avatar=(Action.USE, *_FOUR)),
    )
}
"""Classes of sprites that are supported."""

OTHER_CLASSES = _names(
    """
    AimedAvatar AimedFlakAvatar AlternateChaser BirdAvatar BomberRandomMissile CarAvatar Conveyor LOSChaser
    LanderAvatar NullAvatar OngoingShootAvatar OngoingTurningAvatar PathAltChaser PathChaser
    PlatformerAvatar RandomAltChaser RandomInertial RandomPathAltChaser ShootOnlyAvatar SpaceshipAvatar
    SpawnPointMultiSprite SpriteProducer Walker WalkerJumper WizardAvatar
    """
)
"""Classes that the framework has and this machine does not."""

SCORE = Parameter("whole", low=-100_000, high=100_000)
_KILL_SECOND = {"killSecond": Parameter("truth")}
_HELD = {"resource": Parameter("resource", required=True)}
_RESOURCE = {**_HELD, **_LIMIT}
_VALUE = {"value": Parameter("whole", 1)}
_CHANCE = {"prob": Parameter("real", 1.0)}

_BESIDE = ("spawnAbove", "spawnBelow", "spawnLeft", "spawnRight")

EFFECTS: Mapping[str, Rule] = {
    name: Rule(name, parameters)
    for name, parameters in {
        "stepBack": {"pixelPerfect": Parameter("truth")},
        "killSprite": {},
        "killBoth": {},
        "turnAround": {},
        "reverseDirection": {},
        "wrapAround": {"offset": Parameter("real", low=-100.0, high=100.0)},
        "cloneSprite": {},
        "transformTo": {**_MADE, **_KILL_SECOND},
        "collectResource": {},
        "killIfOtherHasMore": _RESOURCE,
        "killIfFromAbove": {},
        "bounceForward": {},
        "undoAll": {"notStype": Parameter("types")},
        "teleportToExit": {},
        "shieldFrom": {**_STYPE, "ftype": Parameter("effect", required=True)},
        "pullWithIt": {},
        "addHealthPoints": {**_VALUE, **_KILL_SECOND},
        "subtractHealthPoints": {**_VALUE, **_LIMIT, "scoreChangeIfKilled": SCORE},
        "spawn": {**_MADE, **_CHANCE},
        **{name: {**_MADE, **_CHANCE, "stepBack": Parameter("truth")} for name in _BESIDE},
        "spawnIfHasMore": {**_MADE, **_RESOURCE, "spend": Parameter("whole")},
        "spawnIfHasLess": {**_MADE, **_RESOURCE, "spend": Parameter("whole")},
        "transformToAll": {**_STYPE, "stypeTo": Parameter("made", required=True)},
        "transformIfCount": {
            **_MADE,
            "stypeCount": Parameter("type", required=True),
            "geq": Parameter("whole"),
            "leq": Parameter("whole", 1e6),
            "estype": Parameter("made"),
        },
        "transformToRandomChild": _STYPE,
        "changeResource": {**_HELD, **_VALUE, "killResource": Parameter("truth")},
        "killIfHasMore": _RESOURCE,
        "killIfHasLess": _RESOURCE,
        "killAll": _STYPE,
        "killIfAlive": {},
        "killIfFrontal": {},
        "killIfNotFrontal": {},
        "flipDirection": {},
        "removeScore": {},
        "setSpeedForAll": {"value": Parameter("real", required=True, low=-1.0, high=100.0), **_STYPE},
        "attractGaze": {**_CHANCE, "align": Parameter("truth")},
        "align": {"orient": Parameter("truth", 1)},
    }.items()
}
"""Effects that are supported. Every effect also has `scoreChange`."""

ALONE = _names(
    """
    stepBack killSprite turnAround reverseDirection wrapAround cloneSprite transformTo undoAll addHealthPoints
    subtractHealthPoints spawn spawnAbove spawnBelow spawnLeft spawnRight spawnIfHasMore spawnIfHasLess transformToAll
    transformIfCount transformToRandomChild changeResource killIfHasMore killIfHasLess killAll flipDirection removeScore
    setSpeedForAll
    """
)
"""Effects that need no second sprite: what a rule about the edge of the world (EOS) or the clock (TIME) may have."""

CLOCK: Mapping[str, Parameter] = {
    "timer": Parameter("whole", low=0),
    "repeating": Parameter("truth"),
    "nextExecution": Parameter("whole", low=0),
}
"""What every effect of a rule of the clock has. As the framework plays, the first time is in the first tick or, with
`nextExecution`, whatever it says, after `timer` ticks."""

OTHER_EFFECTS = _names(
    """
    addHealthPointsToMax addTimer bounceDirection collectResourceIfHeld decreaseSpeedToAll halfSpeed
    increaseSpeedToAll killIfFast killIfNotUpright killIfSlow spawnBehind spawnIfCounterSubTypes
    transformToSingleton updateSpawnType wallBounce wallReverse wallStop waterPhysics
    """
)
"""Effects that the framework has and this machine does not."""

_COUNTED = {"limit": Parameter("whole"), "stype1": Parameter("type", required=True)}
TERMINATIONS: Mapping[str, Rule] = {
    name: Rule(name, parameters)
    for name, parameters in {
        "SpriteCounter": {**_LIMIT, **_STYPE},
        "MultiSpriteCounter": {**_COUNTED, "stype2": Parameter("type"), "stype3": Parameter("type")},
        "Timeout": _LIMIT,
        "SpriteCounterMore": {**_LIMIT, **_STYPE},
    }.items()
}
"""Terminations that are supported. Every one also has `win`."""

OTHER_TERMINATIONS = frozenset({"MultiSpriteCounterSubTypes", "StopCounter"})
"""Terminations that the framework has and this machine does not."""
