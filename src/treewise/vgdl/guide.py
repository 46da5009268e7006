"""A video game explained to the person who plays it: what is what, what happens when things meet, how it ends."""

from __future__ import annotations

from collections.abc import Mapping

from treewise.vgdl.program import Action, Effect, Pair, Program, Termination

_ARROWS = {Action.UP: "↑", Action.DOWN: "↓", Action.LEFT: "←", Action.RIGHT: "→"}
_WORDS: Mapping[str, str] = {
    "killSprite": "{first} is gone",
    "killBoth": "both are gone",
    "killAll": "all {stype} are gone",
    "stepBack": "{first} stays where it was",
    "undoAll": "nothing moves in this tick",
    "bounceForward": "{first} is pushed",
    "pullWithIt": "{first} is carried along",
    "wallStop": "{first} stops",
    "wallBounce": "{first} bounces back",
    "wallReverse": "{first} turns round",
    "reverseDirection": "{first} turns round",
    "flipDirection": "{first} takes another direction",
    "turnAround": "{first} turns round",
    "wrapAround": "{first} comes back on the other side",
    "attractGaze": "{first} looks where {second} looks",
    "teleportToExit": "{first} is taken to the exit",
    "transformTo": "{first} becomes {stype}",
    "cloneSprite": "{first} is doubled",
    "spawn": "{stype} appears",
    "collectResource": "{second} collects {first}",
    "killIfFromAbove": "{first} is gone if {second} came from above",
}
"""What an effect does, for a reader who does not know its name; others are shown as they are written."""


def keys(program: Program) -> str:
    """The keys that the game has, in a line.

    >>> from treewise.vgdl.load import video_game
    >>> keys(video_game("aliens").program)
    '← → move, space uses, p pauses, h helps, q ends'
    """
    arrows = [sign for action, sign in _ARROWS.items() if action in program.actions]
    moves = "arrows move" if len(arrows) == len(_ARROWS) else f"{' '.join(arrows)} move" if arrows else ""
    use = "space uses" if Action.USE in program.actions else ""
    return ", ".join(filter(None, [moves, use, "p pauses", "h helps", "q ends"]))


def rules(program: Program) -> list[str]:
    """What happens when things meet, a line for each pair.

    >>> from treewise.vgdl.load import video_game
    >>> print(*rules(video_game("zelda").program)[2:5], sep="\\n")
    goal meets withkey: goal is gone, score +1
    enemy meets sword: enemy is gone, score +2
    enemy meets enemy: enemy stays where it was
    """
    lines = [_line(pair, "meets " + program.types[pair.second].name, program) for pair in program.pairs]
    lines += [_line(pair, "leaves the screen", program) for pair in program.edge_rules]
    lines += [_line(pair, "after a time", program) for pair in program.time_rules]
    return lines


def goals(program: Program) -> list[str]:
    """How the game ends, a line for each way.

    >>> from treewise.vgdl.load import video_game
    >>> goals(video_game("zelda").program)
    ['won when no goal is left', 'lost when no avatar is left']
    """
    return [f"{'won' if end.win else 'lost'} when {_end(end, program)}" for end in program.terminations]


def _line(pair: Pair, event: str, program: Program) -> str:
    names = {"first": program.types[pair.first].name}
    names["second"] = program.types[pair.second].name if pair.second >= 0 else ""
    return f"{names['first']} {event}: " + ", ".join(_effect(effect, names, program) for effect in pair.effects)


def _effect(effect: Effect, names: dict[str, str], program: Program) -> str:
    types = {key: _either(kinds, program) for key, kinds in effect.types.items()}
    words = _WORDS.get(effect.name)
    if words is None or ("{stype}" in words and "stype" not in types):
        numbers = (f"{key}={number:g}" for key, number in effect.numbers.items() if number)
        said = " ".join([effect.name, *(f"{key}={value}" for key, value in types.items()), *numbers])
    else:
        said = words.format(**names, **types)
    if effect.name == "transformTo" and effect.numbers.get("killSecond"):
        said += f" and {names['second']} is gone"
    return said + (f", score {effect.score:+d}" if effect.score else "")


def _end(end: Termination, program: Program) -> str:
    groups = [_either(kinds, program) for key, kinds in end.types.items() if key.startswith("stype")]
    limit = int(end.numbers.get("limit", 0))
    if end.kind == "Timeout":
        return f"{limit:,} ticks are over"
    if end.kind == "SpriteCounter" and groups:
        return f"no {groups[0]} is left" if limit == 0 else f"at most {limit} {groups[0]} are left"
    if end.kind == "MultiSpriteCounter" and groups:
        return (
            f"none of {' and '.join(groups)} is left" if limit == 0 else f"{' and '.join(groups)} are {limit} together"
        )
    numbers = [f"{key}={number:g}" for key, number in end.numbers.items() if number]
    return " ".join([end.kind, *groups, *numbers])


def _either(kinds: tuple[int, ...], program: Program) -> str:
    return " or ".join(program.types[kind].name for kind in kinds)
