"""The interaction set and the termination set."""

from __future__ import annotations

from collections.abc import Mapping

from treewise.vgdl.finding import Report
from treewise.vgdl.program import EDGE, Effect, Pair, Termination
from treewise.vgdl.syntax import Line, Word, refuse_inner
from treewise.vgdl.values import Names, Values, keyed, read_values, truth_of, warn_of_unknown
from treewise.vgdl.vocabulary import (
    ALONE,
    CLOCK,
    EFFECTS,
    OTHER_EFFECTS,
    OTHER_TERMINATIONS,
    SCORE,
    TERMINATIONS,
    Parameter,
    Rule,
)

MOST_RULES = 2000
MOST_SPEEDS = 31
"""Different ones that rules set."""
EOS = "EOS"
"""The end of the screen: the edge of the world. Descriptions write it in any case, and first or second."""
TIME = "TIME"
"""The clock, as a second."""
Rules = tuple[Pair, ...]


def read_interactions(lines: list[Line], names: Names, report: Report) -> tuple[Rules, Rules, Rules]:
    """The pairs in order of first appearance with all their effects; the rules of the edge, and those of the clock.

    >>> from treewise.vgdl.syntax import read_tree
    >>> lines = read_tree("a b a > stepBack\\nb EOS > killSprite\\na b > killSprite scoreChange=2", Report())
    >>> pairs, edge, clock = read_interactions(lines, Names({"a": 2, "b": 3}), Report())
    >>> [(pair.first, pair.second, [effect.name for effect in pair.effects]) for pair in pairs]
    [(2, 3, ['stepBack', 'killSprite']), (2, 2, ['stepBack'])]
    """
    pairs: dict[tuple[int, int], list[Effect]] = {}
    edge: list[Pair] = []
    clock: list[Pair] = []
    refuse_inner(lines, report)
    for line in lines:
        sides = line.sides()
        if sides is None or len(sides[0]) < 2 or not sides[1]:
            report.error("expected two names, '>', an effect: first second > effect key=value …", line.place)
            continue
        (first, *seconds), (name, *words) = sides
        timed = any(second.text == TIME for second in seconds)
        effect = _effect(name, words, names, CLOCK if timed else {}, report)
        for second in seconds:
            if EOS in (first.text.upper(), second.text.upper()):
                _check_alone(name, EOS, report)
                inside = second if first.text.upper() == EOS else first
                edge.append(Pair(_sprite(inside, names, report), EDGE, (effect,)))
            elif second.text == TIME:
                _check_alone(name, TIME, report)
                clock.append(Pair(_sprite(first, names, report), EDGE, (effect,)))
            else:
                both = _sprite(first, names, report), _sprite(second, names, report)
                pairs.setdefault(both, []).append(effect)
    found = tuple(Pair(*both, tuple(effects)) for both, effects in pairs.items())
    _check_numbers([effect for pair in (*found, *edge, *clock) for effect in pair.effects], report)
    return found, tuple(edge), tuple(clock)


def read_terminations(lines: list[Line], names: Names, report: Report) -> tuple[Termination, ...]:
    """The terminations in the file's order."""
    found = []
    refuse_inner(lines, report)
    for line in lines:
        name, *words = line.words
        if _supported(name, "termination", TERMINATIONS, OTHER_TERMINATIONS, report):
            given = keyed(words, report)
            win = truth_of(given.pop("win"), report) if "win" in given else False
            values = _values(name, TERMINATIONS[name.text], given, names, {}, report)
            found.append(Termination(name.text, win, values.numbers, values.types))
    return tuple(found)


def _effect(name: Word, words: list[Word], names: Names, common: Mapping[str, Parameter], report: Report) -> Effect:
    given = keyed(words, report)
    if not _supported(name, "effect", EFFECTS, OTHER_EFFECTS, report):
        return Effect(name.text, 0)
    values = _values(name, EFFECTS[name.text], given, names, {"scoreChange": SCORE, **common}, report)
    if common:
        values.numbers["nextExecution"] = values.numbers["timer"] if "nextExecution" in given else 0
    return Effect(name.text, int(values.numbers.pop("scoreChange")), values.numbers, values.types, values.words)


def _values(
    name: Word,
    rule: Rule,
    given: dict[str, Word],
    names: Names,
    common: Mapping[str, Parameter],
    report: Report,
) -> Values:
    declared = {**common, **rule.parameters}
    warn_of_unknown(given.items(), declared, [name.text], f"'{name.text}'", report)
    return read_values(given, declared, names, name, report)


def _supported(name: Word, what: str, known: Mapping[str, Rule], others: frozenset[str], report: Report) -> bool:
    if name.text in others:
        report.error(f"{what} '{name.text}' is known, but not supported", name.place)
    elif name.text not in known:
        report.unknown(what, name.text, known, name.place)
    return name.text in known


def _check_numbers(effects: list[Effect], report: Report) -> None:
    if len(effects) > MOST_RULES:
        report.error(f"more than {MOST_RULES:,} rules: write fewer")
    speeds = {effect.numbers.get("value") for effect in effects if effect.name == "setSpeedForAll"}
    if len(speeds) > MOST_SPEEDS:
        report.error(f"setSpeedForAll with {len(speeds):,} different speeds: at most {MOST_SPEEDS} are possible")


def _sprite(word: Word, names: Names, report: Report) -> int:
    if word.text not in names.ids:
        report.unknown("sprite", word.text, names.ids, word.place)
    return names.ids.get(word.text, 0)


def _check_alone(name: Word, second: str, report: Report) -> None:
    if name.text in EFFECTS and name.text not in ALONE:
        report.error(f"effect '{name.text}' needs a second sprite: it has no meaning with {second}", name.place)
