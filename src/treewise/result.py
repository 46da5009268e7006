"""What a search found."""

from __future__ import annotations

import io
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

from treewise import _core
from treewise.actions import Action, ByAction, Step
from treewise.game import SIMULTANEOUS, State
from treewise.remarks import remarks
from treewise.tree import SearchTree
from treewise.wording import counted

if TYPE_CHECKING:
    from treewise.search import Session

__all__ = ["Child", "Result", "Stats"]

V = TypeVar("V")


@dataclass(frozen=True)
class Child:
    """One action at the root: its statistics, for the player who would choose it, in the game's utilities."""

    action: int
    name: str
    player: int
    visits: int
    value: float | None
    policy: float
    prior: float
    proven: float | None


@dataclass(frozen=True)
class Stats:
    """How much work a search did."""

    simulations: int
    seconds: float
    nodes: int
    edges: int
    memory_bytes: int
    bytes_per_edge: int
    memory_full: bool
    max_depth: int
    mean_depth: float
    stopped: str
    """"limit", "proven" or "interrupted"."""
    reused: bool
    """Whether a part of an earlier tree was searched on."""
    discarded: int
    """Simulations that came to no result, in games that may have none."""

    @property
    def simulations_per_second(self) -> float:
        """Simulations a second."""
        return self.simulations / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class _Source:
    """Where a result came from; its tree is copied when somebody asks."""

    engine: _core.Search
    root: State
    session: Session
    run: int


@dataclass(frozen=True)
class Result:
    """The answer of a search. Prints as a table; `to_json` exports it; `tree` is the searched tree.

    >>> import treewise
    >>> state = treewise.load_game("tic_tac_toe").parse_state("xx./oo./...", 0)
    >>> result = treewise.uct(simulations=100).run(state)
    >>> result.visits[result.action] == max(result.visits.values())
    True
    """

    action: Action
    """What to play; a list with one action for each player where several act at once."""
    value: float
    """Utility of the root for the player to move: the mean over its visits, or exact if it was proven."""
    visits: ByAction[int]
    values: ByAction[float]
    """Mean utility of each visited action for the player who chooses it."""
    policy: ByAction[float]
    """Each action's share of the visits; without any, as at a root that is proven at once, the choice has all."""
    line: list[Step]
    """The most visited continuation, up to a chance event; only its first step where worlds were drawn, since they
    differ after it, and with dice as far as one draw of them allows. Where several players act at once, a step is a
    tuple with an action of each."""
    line_names: list[str]
    proof: list[float] | None
    """The exact returns of every player, if the root was proven. With three players or more the one who chooses may
    have several actions that are best for itself and differ for the others: which one counts depends on the seed. Where
    chance decides, probabilities are kept in single precision, so that the result is exact to seven digits."""
    player: int
    children: list[Child]
    stats: Stats
    remarks: tuple[str, ...]
    """What was not good about the search, and what to try; also below the table."""
    _source: _Source | None = field(repr=False, compare=False)

    @classmethod
    def from_core(cls, core: _core.Search, root: State, seed: int, reused: bool, session: Session) -> Result:
        """Builds the result from the engine's report."""
        report = core.report(seed)
        joint = root.current_player() == SIMULTANEOUS
        children = _children(report, root)
        keyed = {(c.player, c.action) if joint else c.action: c for c in children}
        chosen = [report["children"][index][0] for index in report["chosen"]]
        line, line_names = _line(root, report["line"])
        stats = Stats(
            simulations=report["simulations"],
            seconds=report["seconds"],
            nodes=report["nodes"],
            edges=report["edges"],
            memory_bytes=report["memory"],
            bytes_per_edge=report["bytes_per_edge"],
            memory_full=report["memory_full"],
            max_depth=report["max_depth"],
            mean_depth=report["mean_depth"],
            stopped=report["stopped"],
            reused=reused,
            discarded=report["discarded"],
        )
        return cls(
            action=cast(Action, chosen if joint else chosen[0]),
            value=report["value"],
            visits=_by_action({key: child.visits for key, child in keyed.items()}),
            values=_by_action({key: child.value for key, child in keyed.items() if child.value is not None}),
            policy=_by_action({key: child.policy for key, child in keyed.items()}),
            line=line,
            line_names=line_names,
            proof=report["proven"],
            player=report["player"],
            children=children,
            stats=stats,
            remarks=remarks(session.search, root.game, children, report["proven"] is not None),
            _source=_Source(core, root.clone(), session, session._runs),
        )

    def __repr__(self) -> str:
        names = {(child.player, child.action): child.name for child in self.children}
        if isinstance(self.action, list):
            name = f"({', '.join(names[player, action] for player, action in enumerate(self.action))})"
        else:
            name = names[max(self.player, 0), self.action]
        options = counted(len(self.children), "action")
        value = f"value {_utility(self.value)} for player {max(self.player, 0)}"
        return f"<Result: {name} of {options}, {value}, {counted(self.stats.simulations, 'simulation')}>"

    def __getstate__(self) -> dict[str, Any]:
        """All but the engine's tree: that is saved by `tree.save`."""
        return {**self.__dict__, "_source": None}

    @property
    def tree(self) -> SearchTree:
        """A copy of the searched tree, to walk, save and load; of several trees (root parallelism, determinization) the
        first. Ask before the session's next run."""
        source = self._source
        if source is None:
            raise RuntimeError("a copied or pickled result has no tree: save it with result.tree.save(path)")
        if source.session._runs != source.run:
            raise RuntimeError("the session has searched on since: ask for the tree before the next run")
        return SearchTree.from_core(source.engine, source.root, source.session.search)

    def to_json(self) -> str:
        """The result as JSON text.

        >>> import json, treewise
        >>> state = treewise.load_game("tic_tac_toe").initial_state()
        >>> json.loads(treewise.uct(simulations=50).run(state).to_json())["stats"]["simulations"]
        50
        """
        return json.dumps(
            {
                "action": self.action,
                "value": self.value,
                "player": self.player,
                "line": self.line,
                "line_names": self.line_names,
                "proof": self.proof,
                "children": [asdict(child) for child in self.children],
                "stats": asdict(self.stats),
                "remarks": list(self.remarks),
            },
            allow_nan=False,
        )

    def __str__(self) -> str:
        """A readable table of the best children."""
        from rich.console import Console

        out = io.StringIO()
        Console(file=out, width=100, color_system=None, markup=False).print(self.table())
        return out.getvalue().rstrip("\n")

    def table(self, rows: int = 10) -> Any:
        """The children with the most visits, of each player who chooses, as a table for rich."""
        from rich.table import Table

        stats = self.stats
        shown = " ".join(self.line_names[:8])
        discarded = f", {stats.discarded:,} of them without a result" if stats.discarded else ""
        proof = "" if self.proof is None else f", proven {_utilities(self.proof)}"
        table = Table(
            title=f"value {_utility(self.value)} for player {max(self.player, 0)}{proof}; line {shown}",
            caption=(
                f"{stats.simulations:,} simulations in {stats.seconds:.2f} s "
                f"({stats.simulations_per_second:,.0f}/s){discarded}, {stats.nodes:,} nodes, "
                f"{stats.memory_bytes / 1e6:.1f} MB, depth {stats.mean_depth:.1f} (at most {stats.max_depth})"
                + "".join(f"\n{remark}" for remark in self.remarks)
            ),
            title_justify="left",
            caption_justify="left",
        )
        joint = isinstance(self.action, list)
        player = ("player",) if joint else ()
        for title in ("", *player, "action", "visits", "share", "value", "proven"):
            table.add_column(title, justify="left" if title in ("", "action") else "right")
        listed = self._most_visited(rows)
        for child in listed:
            table.add_row(
                "▶" if self._is_chosen(child) else "",
                *([str(child.player)] if joint else []),
                child.name,
                f"{child.visits:,}",
                f"{child.policy:.1%}",
                "" if child.value is None else _utility(child.value),
                "" if child.proven is None else f"{child.proven:+g}",
            )
        if len(listed) < len(self.children):
            table.add_row("", *([""] if joint else []), f"… {len(self.children) - len(listed)} more")
        return table

    def _is_chosen(self, child: Child) -> bool:
        return child.action == (self.action[child.player] if isinstance(self.action, list) else self.action)

    def _most_visited(self, rows: int) -> list[Child]:
        """So many children of each player, and those that were chosen."""
        listed = []
        for player in sorted({child.player for child in self.children}):
            own = sorted((child for child in self.children if child.player == player), key=lambda child: -child.visits)
            listed += [child for place, child in enumerate(own) if place < rows or self._is_chosen(child)]
        return listed


def _by_action(found: dict[int | tuple[int, int], V]) -> ByAction[V]:
    return cast(ByAction[V], found)


def _utility(value: float) -> str:
    """Three decimals, or none where they would be noise.

    >>> _utility(0.25), _utility(-9731999.704)
    ('+0.250', '-9,732,000')
    """
    return f"{value:+.3f}" if abs(value) < 10_000 else f"{value:+,.0f}"


def _utilities(values: list[float]) -> str:
    return "(" + ", ".join(f"{value:+g}" for value in values) + ")"


def _children(report: dict[str, Any], root: State) -> list[Child]:
    totals: dict[int, int] = {}
    for _, player, visits, *_rest in report["children"]:
        totals[player] = totals.get(player, 0) + visits
    chosen = set(report["chosen"])
    return [
        Child(
            action=action,
            name=root.action_name(action),
            player=player,
            visits=visits,
            value=value,
            policy=visits / totals[player] if totals[player] else float(index in chosen),
            prior=prior,
            proven=proven,
        )
        for index, (action, player, visits, value, prior, proven) in enumerate(report["children"])
    ]


def _line(root: State, steps: list[list[int]]) -> tuple[list[Step], list[str]]:
    """The steps of a line and their names, as far as they can be played from the root."""
    state, line, names = root.clone(), list[Step](), list[str]()
    if "dice" in root.game.capabilities:
        state.reseed(0)
    for actions in steps:
        joint = state.current_player() == SIMULTANEOUS
        if line and not _are_legal(state, actions, joint):
            break
        each = [state.action_name(action) for action in actions]
        names.append(f"({', '.join(each)})" if joint else each[0])
        line.append(cast(Step, tuple(actions) if joint else actions[0]))
        state.apply(actions if joint else actions[0])
    return line, names


def _are_legal(state: State, actions: list[int], joint: bool) -> bool:
    if not joint:
        return actions[0] in state.legal_actions()
    return all(action in state.legal_actions(player) for player, action in enumerate(actions))
