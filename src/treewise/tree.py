"""The searched tree in Python: columns in NumPy arrays, to walk, save and load."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from treewise import _core
from treewise.files import shown
from treewise.game import CHANCE, SIMULTANEOUS, State, game_text
from treewise.wording import counted

if TYPE_CHECKING:
    from treewise.search import Search

__all__ = ["Edge", "JointEdge", "Node", "SearchTree"]

_NO_NODE = 0xFFFFFFFE
_FORMAT = 1
_NODE_COLUMNS = {"first_edge", "num_edges", "node_visits", "player"}
_EDGE_COLUMNS = {"action", "visits", "value", "child"}
_EXTRA_NODE_COLUMNS = {"low", "high"}
_REAL_COLUMNS = {"value", "prior", "squares", "proof", "low", "high"}
_EXTRA_COLUMNS = {"prior", "squares", "chooser", "proven", "proof"}
_JOINT_COLUMNS = {"joint_node", "joint_child", "joint_edges"}
_WIDE_COLUMNS = {"proof", "joint_edges"}
"""These have a number for each player."""


_SIZES = (("first_edge", "node"), ("action", "edge"))
"""Columns with an item for each node and each edge."""


def _text_of(write: Callable[[], str]) -> str:
    try:
        return write()
    except ValueError:  # written in Python, and not loaded by its file
        return ""


def _who(player: int) -> str:
    return {CHANCE: "chance", SIMULTANEOUS: "all players"}.get(player, f"player {player}")


@dataclass(frozen=True)
class Edge:
    """An action of a node: its statistics, and the node it leads to if that was expanded.

    Where several players act at once, an edge is one player's choice and leads nowhere by itself: see `JointEdge`.
    """

    tree: SearchTree
    index: int

    def __repr__(self) -> str:
        value = "" if self.value is None else f", value {self.value:+.3f}"
        return (
            f"<Edge {self.index}: action {self.action} of {_who(self.player)}, {counted(self.visits, 'visit')}{value}>"
        )

    @property
    def player(self) -> int:
        """Who chooses it, or CHANCE."""
        owner = int(np.searchsorted(self.tree.columns["first_edge"], self.index, side="right")) - 1
        player = int(self.tree.columns["player"][owner])
        return int(self.tree.columns["chooser"][self.index]) if player == SIMULTANEOUS else player

    @property
    def action(self) -> int:
        """What the edge plays."""
        return int(self.tree.columns["action"][self.index])

    @property
    def visits(self) -> int:
        """Simulations that went through it."""
        return int(self.tree.columns["visits"][self.index])

    @property
    def value(self) -> float | None:
        """Mean utility for the player who chooses here; None if never visited."""
        if self.visits == 0:
            return None
        unit = float(self.tree.columns["value"][self.index]) / self.visits
        return self.tree.min_utility + unit * (self.tree.max_utility - self.tree.min_utility)

    @property
    def prior(self) -> float | None:
        """The prior probability, where the search had any."""
        return float(self.tree.columns["prior"][self.index]) if "prior" in self.tree.columns else None

    @property
    def proven(self) -> bool:
        """Whether the result below is exact."""
        return bool(self.tree.columns["proven"][self.index]) if "proven" in self.tree.columns else False

    @property
    def node(self) -> Node | None:
        """The node below, or None at a leaf."""
        child = int(self.tree.columns["child"][self.index])
        return None if child >= _NO_NODE else Node(self.tree, child)


@dataclass(frozen=True)
class JointEdge:
    """What several players do at once, and the node it leads to.

    Only those are kept below which the tree goes on: an action that ends the match has none.
    """

    tree: SearchTree
    index: int

    def __repr__(self) -> str:
        return f"<JointEdge {self.index}: actions {self.actions}, {counted(self.visits, 'visit')}>"

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The choices it is made of, one of each player."""
        return tuple(Edge(self.tree, int(index)) for index in self.tree.columns["joint_edges"][self.index])

    @property
    def actions(self) -> tuple[int, ...]:
        """What is played, an action of each player; `state.apply` takes it."""
        return tuple(edge.action for edge in self.edges)

    @property
    def node(self) -> Node:
        """The node below."""
        return Node(self.tree, int(self.tree.columns["joint_child"][self.index]))

    @property
    def visits(self) -> int:
        """Simulations that went through it."""
        return self.node.visits


@dataclass(frozen=True)
class Node:
    """An expanded state: who chooses there, and the edges."""

    tree: SearchTree
    index: int

    def __repr__(self) -> str:
        edges = int(self.tree.columns["num_edges"][self.index])
        return f"<Node {self.index} of {_who(self.player)}: {counted(self.visits, 'visit')}, {counted(edges, 'edge')}>"

    @property
    def player(self) -> int:
        """Who chooses here, or CHANCE, SIMULTANEOUS."""
        return int(self.tree.columns["player"][self.index])

    @property
    def visits(self) -> int:
        """Simulations that reached the node, the evaluation that made it included."""
        return int(self.tree.columns["node_visits"][self.index])

    @property
    def edges(self) -> list[Edge]:
        """All actions, the most visited first."""
        first = int(self.tree.columns["first_edge"][self.index])
        count = int(self.tree.columns["num_edges"][self.index])
        return sorted((Edge(self.tree, first + i) for i in range(count)), key=lambda edge: -edge.visits)

    @property
    def joint_edges(self) -> list[JointEdge]:
        """Where several players act at once: what they did together, the most visited first. Else there are none."""
        if "joint_node" not in self.tree.columns:
            return []
        first, last = np.searchsorted(self.tree.columns["joint_node"], [self.index, self.index + 1])
        return sorted((JointEdge(self.tree, i) for i in range(first, last)), key=lambda edge: -edge.visits)

    @property
    def children(self) -> list[Node]:
        """All nodes right below, in the order of the edges."""
        single = [edge.node for edge in self.edges]
        return [*(node for node in single if node is not None), *(edge.node for edge in self.joint_edges)]


def _unpacked_size(file: BinaryIO) -> int:
    with zipfile.ZipFile(file) as archive:
        size = sum(member.file_size for member in archive.infolist())
    file.seek(0)
    return size


@dataclass(frozen=True)
class SearchTree:
    """A copy of a searched tree. `root` starts a walk; `save` and `load` keep it in a file.

    >>> import treewise
    >>> state = treewise.load_game("tic_tac_toe").initial_state()
    >>> tree = treewise.uct(simulations=200).run(state).tree
    >>> sum(edge.visits for edge in tree.root.edges)
    200
    """

    columns: dict[str, np.ndarray[Any, Any]]
    root_index: int
    min_utility: float
    max_utility: float
    game: str
    """The game's text form; empty for games written in Python that were not loaded by their file."""
    start: tuple[str, int] | None
    history: list[int]
    """How the root came about: the starting position, and the actions since."""
    search: str
    """The search's text form; empty if parts of it were written in Python."""
    seeds: list[tuple[int, int]] = field(default_factory=list)
    """The seeds of the dice on the way to the root, each with the number of actions before it."""

    def __repr__(self) -> str:
        nodes, edges = (counted(len(self.columns[name]), what) for name, what in _SIZES)
        visits = counted(self.root.visits, "visit")
        return f"<SearchTree of {self.game or 'a game in Python'}: {nodes}, {edges}, {visits} at the root>"

    @classmethod
    def from_core(cls, core: _core.Search, root: State, search: Search) -> SearchTree:
        """Copies the engine's (first) tree."""
        columns = core.columns(0)
        index = columns.pop("root")
        return cls(
            columns=columns,
            root_index=index,
            min_utility=root.game.min_utility,
            max_utility=root.game.max_utility,
            game=_text_of(lambda: game_text(root.game)),
            start=root.start,
            history=root.history(),
            search=_text_of(lambda: search.text(full=True)),
            seeds=root.seeds(),
        )

    @property
    def root(self) -> Node:
        """The node the search started from."""
        return Node(self, self.root_index)

    def walk(self) -> Iterator[tuple[int, Node]]:
        """All nodes with their depths, from the root down, without recursion."""
        open_nodes = [(0, self.root)]
        while open_nodes:
            depth, node = open_nodes.pop()
            yield depth, node
            open_nodes += [(depth + 1, child) for child in node.children]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the tree to a file; a file that exists is replaced only when the new one is complete."""
        target = Path(path)
        meta = {
            "format": _FORMAT,
            "root": self.root_index,
            "min_utility": self.min_utility,
            "max_utility": self.max_utility,
            "game": self.game,
            "start": self.start,
            "history": self.history,
            "search": self.search,
            "seeds": self.seeds,
        }
        columns: dict[str, Any] = self.columns
        partial = target.with_name(target.name + ".partial")
        try:
            with open(partial, "wb") as file:
                np.savez_compressed(file, meta=np.array(json.dumps(meta)), **columns)
            os.replace(partial, target)
        finally:
            partial.unlink(missing_ok=True)

    @classmethod
    def load(cls, path: str | os.PathLike[str], memory_mb: float = 8192.0) -> SearchTree:
        """Reads a tree written by `save`; ValueError if the file is damaged or something else, or needs more memory."""
        wrong = f"{shown(path)} is not a tree saved by Treewise, or is damaged"
        with open(path, "rb") as file:
            try:
                needed = _unpacked_size(file) / 1e6
                tree = cls._read(file) if needed <= memory_mb else None
            except Exception:  # in many ways, of which NumPy's words speak of other files
                raise ValueError(wrong) from None
        if tree is None:
            raise ValueError(f"{shown(path)} needs {needed:,.0f} MB, and may take {memory_mb:,g}: set memory_mb")
        try:
            tree._validate()
        except Exception as error:
            raise ValueError(f"{wrong}: {error}") from error
        return tree

    @classmethod
    def _read(cls, file: BinaryIO) -> SearchTree:
        with np.load(file, allow_pickle=False) as data:
            columns = {key: data[key] for key in data.files if key != "meta"}
            meta = json.loads(str(data["meta"]))
        return cls(
            columns=columns,
            root_index=int(meta["root"]),
            min_utility=float(meta["min_utility"]),
            max_utility=float(meta["max_utility"]),
            game=str(meta["game"]),
            start=None if meta["start"] is None else (str(meta["start"][0]), int(meta["start"][1])),
            history=[int(action) for action in meta["history"]],
            search=str(meta["search"]),
            seeds=[(int(place), int(seed)) for place, seed in meta.get("seeds", [])],
        )

    def _validate(self) -> None:
        self._check_columns()
        self._check_links()
        if "joint_node" in self.columns:
            self._check_joint()

    def _check_columns(self) -> None:
        missing = (_NODE_COLUMNS | _EDGE_COLUMNS) - set(self.columns)
        if _JOINT_COLUMNS & set(self.columns):
            missing |= (_JOINT_COLUMNS | {"chooser"}) - set(self.columns)
        of_nodes = _NODE_COLUMNS | _EXTRA_NODE_COLUMNS
        unknown = set(self.columns) - of_nodes - _EDGE_COLUMNS - _EXTRA_COLUMNS - _JOINT_COLUMNS
        if missing or unknown:
            raise ValueError(f"columns missing {sorted(missing)}, unknown {sorted(unknown)}")
        for key, column in self.columns.items():
            first = "first_edge" if key in of_nodes else "joint_node" if key in _JOINT_COLUMNS else "action"
            if column.ndim != (2 if key in _WIDE_COLUMNS else 1) or len(column) != len(self.columns[first]):
                raise ValueError(f"column {key} has the shape {column.shape}")
            if column.dtype.kind not in ("f" if key in _REAL_COLUMNS else "iu"):
                raise ValueError(f"column {key} has the type {column.dtype}")

    def _check_links(self) -> None:
        nodes, edges = len(self.columns["first_edge"]), len(self.columns["action"])
        counts = self.columns["num_edges"].astype(np.int64)
        if (
            np.any(counts < 0)
            or np.any(self.columns["first_edge"] != np.cumsum(counts) - counts)
            or counts.sum() != edges
        ):
            raise ValueError("the edges of the nodes do not follow each other")
        children = self.columns["child"].astype(np.int64)
        inner = children < _NO_NODE
        parents, below = np.repeat(np.arange(nodes), counts)[inner], children[inner]
        if "joint_node" in self.columns:
            parents = np.append(parents, self.columns["joint_node"].astype(np.int64))
            below = np.append(below, self.columns["joint_child"].astype(np.int64))
        if not 0 <= self.root_index < nodes or np.any(below >= nodes) or np.any(below < 0) or np.any(parents < 0):
            raise ValueError("an index points outside")
        if np.any(below <= parents) or len(np.unique(below)) != len(below):
            raise ValueError("not a tree: a node comes before its parent, or has two")

    def _check_joint(self) -> None:
        """Every joint action has an edge of each player, all at its node, which has each only once."""
        nodes, edges = self.columns["joint_node"].astype(np.int64), self.columns["joint_edges"].astype(np.int64)
        first = self.columns["first_edge"].astype(np.int64)[nodes]
        last = first + self.columns["num_edges"].astype(np.int64)[nodes]
        if np.any(np.diff(nodes) < 0) or np.any(self.columns["player"][nodes] != SIMULTANEOUS):
            raise ValueError("the joint actions are not in the order of their nodes")
        if np.any(edges < first[:, None]) or np.any(edges >= last[:, None]):
            raise ValueError("an edge of a joint action lies at another node")
        if np.any(self.columns["chooser"][edges] != np.arange(edges.shape[1])):
            raise ValueError("a joint action needs an edge of each player")
        if len(np.unique(edges, axis=0)) != len(edges):
            raise ValueError("a joint action leads to two nodes")
