"""From the texts of a description and a level to a `Program`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from treewise.vgdl.finding import Finding, Report
from treewise.vgdl.level import Level, LevelMap, read_level, read_mapping
from treewise.vgdl.program import Action, Pair, Program, Termination
from treewise.vgdl.rules import read_interactions, read_terminations
from treewise.vgdl.sprites import SpriteSet, read_sprites
from treewise.vgdl.syntax import Line, read_tree
from treewise.vgdl.values import Names, keyed, read_values, warn_of_unknown
from treewise.vgdl.vocabulary import CLASSES, GAME, GAME_IGNORED
from treewise.wording import counted, shortened

_SECTIONS = ("SpriteSet", "LevelMapping", "InteractionSet", "TerminationSet")


@dataclass(frozen=True)
class Description:
    """A compiled description, ready for levels. `findings` are its warnings."""

    sprites: SpriteSet
    pairs: tuple[Pair, ...]
    edge_rules: tuple[Pair, ...]
    time_rules: tuple[Pair, ...]
    terminations: tuple[Termination, ...]
    mapping: LevelMap
    square_size: int | None
    findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<Description: {counted(len(self.sprites.types), 'type')} of sprites, {counted(len(self.pairs), 'pair')}>"
        )

    def program(self, level: Level, options: Mapping[str, bool] | None = None) -> Program:
        """The description with a level. A cooldown was at least 1 only after 2016."""
        shortest = 0 if options and options.get("rules_2016") else 1
        return Program(
            types=tuple(replace(kind, cooldown=max(shortest, kind.cooldown)) for kind in self.sprites.types),
            update_order=self.sprites.update_order,
            pairs=self.pairs,
            edge_rules=self.edge_rules,
            time_rules=self.time_rules,
            terminations=self.terminations,
            actions=self._actions(level),
            width=level.width,
            height=level.height,
            block=level.block,
            sprites=level.sprites,
            options=dict(options or {}),
        )

    def _actions(self, level: Level) -> tuple[Action, ...]:
        """What the class of the level's avatar lets the player choose from."""
        kinds = (CLASSES[self.sprites.types[kind].kind] for kind, _, _ in level.sprites)
        return next((kind.actions for kind in kinds if kind.actions is not None), ())


def compile_description(text: str, file: str = "<description>") -> Description:
    """Reads a description; a `VGDLError` has everything that is wrong with it.

    >>> text = "BasicGame\\n  SpriteSet\\n    box > Pasive\\n  TerminationSet\\n    Timeout limit=ten"
    >>> compile_description(text, "boxes.txt")
    Traceback (most recent call last):
    treewise.vgdl.finding.VGDLError: boxes.txt:3:11: error: unknown class 'Pasive'; did you mean 'Passive'?
    boxes.txt:5:13: error: 'limit=ten': expected a whole number from -1,000,000 to 1,000,000
    """
    report = Report(file)
    roots = read_tree(text, report)
    report.check()
    game, sections = _sections(roots, report)
    report.check()
    square_size = _square_size(game, report)
    sprites = read_sprites(sections["SpriteSet"], report)
    interactions = read_interactions(sections["InteractionSet"], sprites.names, report)
    terminations = read_terminations(sections["TerminationSet"], sprites.names, report)
    mapping = read_mapping(sections["LevelMapping"], sprites.names, report)
    report.check()
    return Description(sprites, *interactions, terminations, mapping, square_size, report.findings)


def compile_level(description: Description, text: str, file: str = "<level>") -> tuple[Level, tuple[Finding, ...]]:
    """Reads a level, and what there is to warn of; a `VGDLError` has everything that is wrong with it."""
    report = Report(file)
    level = read_level(text, description.mapping, description.sprites, description.square_size, report)
    report.check()
    return level, report.findings


def compile_game(description: str, level: str, options: Mapping[str, bool] | None = None) -> Program:
    """A description and a level, both as texts, as what the machine runs.

    >>> game = "BasicGame\\n  SpriteSet\\n    box > Passive\\n  LevelMapping\\n    1 > box\\n"
    >>> program = compile_game(game, "wwww\\nwA1w\\nwwww")
    >>> program.width, program.height, program.block, len(program.sprites)
    (4, 3, 200, 12)
    """
    made = compile_description(description)
    return made.program(compile_level(made, level)[0], options)


def _sections(roots: list[Line], report: Report) -> tuple[Line | None, dict[str, list[Line]]]:
    """The line of the game, and the lines of each section."""
    sections: dict[str, list[Line]] = {name: [] for name in _SECTIONS}
    if not roots:
        report.error("an empty description: expected BasicGame and its four sections")
        return None, sections
    game, *others = roots
    if game.words[0].text != "BasicGame":
        report.error(f"'{shortened(game.words[0].text)}': a description begins with BasicGame", game.place)
    names = {name.lower(): name for name in _SECTIONS}
    seen = set()
    for line in [*game.children, *others]:
        name = names.get(line.text.lower())
        if name is None:
            report.unknown("section", line.text, _SECTIONS, line.place)
        else:
            seen.add(name)
            sections[name] += line.children
        for inner in line.below():
            name = names.get(inner.text.lower())
            if name is not None:
                seen.add(name)
                report.error(f"indented too far: {name} is inside {shortened(line.text)}", inner.place)
    if "SpriteSet" not in seen:
        report.error("there is no SpriteSet section", game.place)
    return game, sections


def _square_size(game: Line | None, report: Report) -> int | None:
    """The size of a cell in pixels, where the description says one."""
    assert game is not None
    given = keyed(game.words[1:], report)
    players = given.pop("no_players", None)
    if players is not None and players.text != "no_players=1":
        report.error("games for several players are known, but not supported", players.place)
    warn_of_unknown(given.items(), {*GAME, *GAME_IGNORED}, [], "BasicGame", report)
    values = read_values(given, GAME, Names({}), game.words[0], report)
    return int(values.numbers["square_size"]) or None
