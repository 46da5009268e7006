"""The sprite set: names, ids, what is inherited, and the order of updates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from treewise.vgdl.finding import Place, Report
from treewise.vgdl.program import Direction, SpriteType
from treewise.vgdl.syntax import Line, Word
from treewise.vgdl.values import Names, keyed, read_values, warn_of_unknown
from treewise.vgdl.vocabulary import CLASSES, COMMON, MOVABLE, OTHER_CLASSES, PORTAL, RESOURCE, VISUAL, SpriteClass
from treewise.wording import shortened

MOST_TYPES = 200
WALL, AVATAR = 0, 1
PHYSICS, GRID = "physicstype", "GRID"
"""The parameter that says how sprites move, and the only way that is supported."""


@dataclass(eq=False)
class Node:
    """One name of the sprite set with what is written at it and what it inherits."""

    name: Word
    kind: Word | None = None  # the class in force
    handed_down: Word | None = None  # the class its children get
    own: dict[str, Word] = field(default_factory=dict)
    given: dict[str, Word] = field(default_factory=dict)  # own and inherited
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    def class_text(self) -> str:
        """The class in force as it is written, if there is one."""
        return self.kind.text if self.kind else ""

    def rules(self) -> dict[str, str]:
        """What is written at it, without its looks."""
        return {key: word.text for key, word in self.own.items() if key not in VISUAL}

    def below(self) -> Iterator[Node]:
        """Itself and its descendants, in order of definition."""
        yield self
        for child in self.children:
            yield from child.below()


@dataclass
class SpriteSet:
    """The types of a game by id, and the leaves in the order they are updated."""

    names: Names
    types: list[SpriteType]
    update_order: tuple[int, ...]


def read_sprites(lines: list[Line], report: Report) -> SpriteSet:
    """Compiles a sprite set; what is wrong goes to the report.

    >>> from treewise.vgdl.syntax import read_tree
    >>> sprites = read_sprites(read_tree("box > Passive\\navatar > MovingAvatar", Report()), Report())
    >>> dict(sprites.names.ids), [sprites.types[id].name for id in sprites.update_order]
    ({'wall': 0, 'avatar': 1, 'box': 2}, ['avatar', 'box', 'wall'])
    """
    nodes: dict[str, Node] = {}
    for line in lines:
        _define(line, None, nodes, report)
    for name, kind in (("wall", "Immovable"), ("avatar", "MovingAvatar")):
        if name not in nodes:
            nodes[name] = Node(Word(name, Place()), Word(kind, Place()), Word(kind, Place()))
    ids = {"wall": WALL, "avatar": AVATAR}
    for name in nodes:
        ids.setdefault(name, len(ids))
    if len(ids) > MOST_TYPES:
        first = nodes[list(ids)[MOST_TYPES]].name.place
        report.error(f"{len(ids):,} sprites are defined: at most {MOST_TYPES} are possible", first)
        report.check()
    by_id = sorted(nodes.values(), key=lambda node: ids[node.name.text])
    resources = {node.name.text for node in by_id if _may_be_held(node)}
    names = Names(ids, {node.name.text for node in by_id if node.children}, resources)
    types = [_type(node, names, report) for node in by_id]
    _warn(nodes, report)
    return SpriteSet(names, types, _update_order(nodes, ids))


def _define(line: Line, parent: Node | None, nodes: dict[str, Node], report: Report) -> None:
    sides = line.sides()
    if sides is None or len(sides[0]) != 1:
        report.error("expected one name, then '>': name > Class key=value …", line.place)
        return
    name, words = sides[0][0], sides[1]
    kind = words[0] if words and words[0].split() is None else None
    own = keyed(words[1:] if kind else words, report)
    handed = parent.handed_down if parent else None
    node = Node(name, kind=handed or kind, handed_down=kind or handed, own=own, parent=parent)
    node.given = {**(parent.given if parent else {}), **own}
    if name.text in nodes:
        _define_again(nodes[name.text], node, bool(line.children), report)
        return
    nodes[name.text] = node
    if kind is not None and kind.text not in CLASSES and kind.text not in OTHER_CLASSES:
        report.unknown("class", kind.text, CLASSES, kind.place)
    if parent is not None:
        parent.children.append(node)
    for child in line.children:
        _define(child, node, nodes, report)


def _define_again(node: Node, again: Node, groups: bool, report: Report) -> None:
    """The same a second time, but for how it looks, is played: drawn where and as the second time says."""
    both = [(each.parent, each.class_text(), each.rules()) for each in (node, again)]
    title = f"sprite '{shortened(again.name.text)}' is defined twice"
    if groups or node.children or both[0] != both[1]:
        report.error(title, again.name.place)
        return
    report.warning(f"{title}, with the same rules", again.name.place)
    node.name, node.own, node.given = again.name, again.own, again.given


def _type(node: Node, names: Names, report: Report) -> SpriteType:
    """The type with every default filled in. A name without a class only groups others."""
    own = _class(node, report) or SpriteClass("", MOVABLE)
    leaf, given = not node.children, node.given
    needed = own.parameters if leaf else {}
    values = read_values(given, {**COMMON, **needed}, names, node.name, report)
    common = {key: values.numbers.pop(key) for key in ("hidden", "portal", "speed", "cooldown", "singleton")}
    orientation = Direction(int(values.numbers.pop("orientation", own.orientation)))
    if "rotateInPlace" not in given:
        values.numbers["rotateInPlace"] = float(own.rotates)
    return SpriteType(
        name=node.name.text,
        kind=own.name,
        category=PORTAL if common["portal"] and own.actions is None else own.category,
        ancestors=tuple(names.ids[above.name.text] for above in _above(node)),
        descendants=tuple(names.ids[below.name.text] for below in node.below() if below is not node),
        leaf=leaf,
        hidden=bool(common["hidden"]),
        singleton="singleton" in node.own and bool(common["singleton"]),
        static=own.static,
        oriented=own.oriented or orientation is not Direction.NONE,
        orientation=orientation,
        speed=common["speed"] if "speed" in given else own.speed,
        cooldown=max(0, int(common["cooldown"])),
        numbers=values.numbers,
        types=values.types,
        image=given["img"].text.partition("=")[2] if "img" in given else "",
    )


def _check_physics(node: Node, report: Report) -> None:
    """A game of sprites that fly and fall would have other rules on the grid."""
    physics = node.own.get(PHYSICS)
    if physics is not None and physics.text.partition("=")[2].upper() != GRID:
        report.error("continuous physics is known, but not supported", physics.place)


def _class(node: Node, report: Report) -> SpriteClass | None:
    if node.kind is None:
        if not node.children:
            report.error(f"sprite '{shortened(node.name.text)}' has no class, nor do its ancestors", node.name.place)
        return None
    if node.kind.text in OTHER_CLASSES and not node.children:
        report.error(f"class '{node.kind.text}' is known, but not supported", node.kind.place)
    return CLASSES.get(node.kind.text)


def _may_be_held(node: Node) -> bool:
    """Whether it is a resource, or of a class that is an error already."""
    known = CLASSES.get(node.kind.text) if node.kind else None
    return known is None or known.category == RESOURCE


def _above(node: Node) -> list[Node]:
    found: list[Node] = []
    while node.parent is not None:
        node = node.parent
        found.insert(0, node)
    return found


def _warn(nodes: dict[str, Node], report: Report) -> None:
    """A parameter is in use if it means something to the type at which it stands or to one that inherits it."""
    for node in nodes.values():
        _check_physics(node, report)
        used = {below.kind.text for below in node.below() if below.kind}
        if used <= CLASSES.keys():
            known = {*COMMON, PHYSICS, *(key for kind in used for key in CLASSES[kind].parameters)}
            warn_of_unknown(node.own.items(), known, used, f"'{shortened(node.name.text)}'", report)


def _update_order(nodes: dict[str, Node], ids: dict[str, int]) -> tuple[int, ...]:
    """Leaves are drawn in order of definition, the avatar last, and updated the other way round."""
    drawn = [WALL, AVATAR]
    for node in sorted(nodes.values(), key=lambda node: node.name.place.line):
        here = ids[node.name.text]
        if not node.children and node.name.place.line:
            if here in drawn:
                drawn.remove(here)
            drawn.append(here)
    drawn.remove(AVATAR)
    return (AVATAR, *reversed(drawn))
