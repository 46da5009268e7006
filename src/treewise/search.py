"""A composed search: parts put together, immutable, runnable."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, NoReturn, cast

from treewise import _core, backup, decision, expansion, first_play, information, limit, loop, parallel, playout
from treewise import selection as selection_module
from treewise.bonus import Bonus, WholeResultBonus
from treewise.evaluator import Evaluator
from treewise.game import SIMULTANEOUS, Game, State, as_state, restore_state
from treewise.part import Part, parameter, parameters_of
from treewise.playout import PlayoutPolicy
from treewise.result import Result
from treewise.selection import SelectionRule
from treewise.wording import counted

__all__ = ["Search", "SearchInterrupted", "Session"]


class SearchInterrupted(KeyboardInterrupt):
    """Ctrl-C stopped a search. `result` has what was found until then."""

    def __init__(self, result: Result) -> None:
        super().__init__("the search was interrupted; its partial result is in .result")
        self.result = result


@dataclass(frozen=True)
class Search(Part):
    """A composition of parts. `run` searches one state; `session` keeps the tree through a match.

    >>> import treewise
    >>> search = Search(limit=limit.Simulations(200))
    >>> state = treewise.load_game("tic_tac_toe").parse_state("xx./oo./...", 0)
    >>> state.action_name(search.run(state, seed=1).action)
    'c3'
    """

    family = "search"
    name = "mcts"

    selection: Part | SelectionRule = parameter(
        selection_module.UCB1, "which child a simulation follows", family="selection"
    )
    first_play: Part = parameter(first_play.Infinite, "what an unvisited child is worth", family="first_play")
    expansion: Part = parameter(expansion.All, "when and how a leaf gets children", family="expansion")
    playout: Part | PlayoutPolicy = parameter(playout.Uniform, "how a leaf is played to its end", family="playout")
    evaluator: Part | Evaluator | None = parameter(
        None, "judges leaves instead of playouts", family="evaluator", optional=True
    )
    bonus: Sequence[Bonus] = parameter(tuple, "what is added to scores or results", family="bonus", many=True)
    backup: Part = parameter(backup.Mean, "how results are folded into the path", family="backup")
    proof: Part | None = parameter(None, "keeps what is proven", family="proof", optional=True)
    decision: Part = parameter(decision.Robust, "the action, from the finished root", family="decision")
    limit: Part = parameter(limit.Simulations, "when to stop", family="limit")
    parallel: Part = parameter(parallel.One, "who runs the simulations", family="parallel")
    information: Part | None = parameter(None, "what is seen of hidden things", family="information", optional=True)
    loop: Part = parameter(loop.Open, "what an edge stands for where the rules draw dice", family="loop")
    reuse: bool = parameter(True, "keep the tree between the actions of a match")
    memory_mb: float = parameter(
        2048.0,
        "cap of the tree's memory, and again of what playouts learn; it stops growing there",
        low=0.001,
        high=1e6,
    )
    max_length: int | None = parameter(
        None, "steps after which a playout is cut; None: the game's", 1, 10**9, optional=True, whole=True
    )
    cut_value: float | None = parameter(
        None,
        "every player's utility then; None: what was collected, where steps give rewards or points, "
        "else the middle of the range; games that may have no result discard the simulation",
        -1e12,
        1e12,
        optional=True,
    )
    horizon: int | None = parameter(
        None,
        "the most steps of a simulation, those in the tree included; it is cut there. None: as max_length says",
        1,
        10**9,
        optional=True,
        whole=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        playout.refuse_inner(self.playout)
        if self.evaluator is not None and isinstance(self.parallel, parallel.Leaf):
            raise ValueError(
                "parallel: leaf runs several playouts from a leaf, but this search has an evaluator instead"
            )
        normalises = isinstance(self.selection, selection_module.UCB1) and self.selection.normalises
        if normalises and isinstance(self.first_play, first_play.Parent):
            raise ValueError("first_play: 'parent' is a value on the game's scale, which bounds of ucb1 do not keep")
        if isinstance(self.loop, loop.Closed) and isinstance(self.parallel, parallel.Tree):
            raise ValueError("loop: threads cannot share the states that 'closed' keeps; use parallel=root(threads=…)")
        if self.proof is None and self._waits_for_proof():
            raise ValueError(
                f"limit: '{self.limit.text()}' waits for a proof of the root, which this search never finds; add "
                "proof=solver, or another limit: any(limits=[simulations(1000), proven])"
            )

    def _waits_for_proof(self) -> bool:
        return isinstance(self.limit, limit.Limit) and self.limit.waits_for_proof()

    def run(self, state: Any, seed: int = 0) -> Result:
        """Searches from `state` until the limit.

        The same seed gives the same result, unless the limit is in seconds or several threads share a tree. Ctrl-C
        raises `SearchInterrupted`, which has the partial result.
        """
        return self.session(seed).run(state)

    def session(self, seed: int = 0) -> Session:
        """A search through one match: the tree is kept between actions, what was learned fades."""
        return Session(self, seed)

    def check(self, game: Game) -> None:
        """ValueError, by name, if a part lacks what it needs from the game, or parts do not fit together."""
        has = set(game.capabilities) | ({"stable_actions"} if game.stable_actions else set())
        for declared in parameters_of(type(self)):
            value = getattr(self, declared.name)
            for part in value if isinstance(value, tuple) else (value,):
                if isinstance(part, Part):
                    _check_needs(declared.name, part, has, game)
        if "hidden" in has and self.information is None:
            raise ValueError(
                f"{game.name} hides information from its players: add information=determinization(worlds=20), "
                "or information=open to let the search see everything"
            )
        if self.proof is not None and isinstance(self.information, information.Determinization):
            raise ValueError("proof: what is proven in one drawn world says nothing about the others; leave it out")
        if self._waits_for_proof() and "simultaneous" in has:
            raise ValueError(
                f"limit: '{self.limit.text()}' waits for a proof of the root, but in {game.name} several players act "
                "at once, and such states are never proven; add another limit: any(limits=[simulations(1000), proven])"
            )
        if self.proof is not None and "dice" in has:
            raise ValueError(f"proof: {game.name} draws dice, so that no simulation proves anything; leave it out")
        if isinstance(self.loop, loop.Closed) and "simultaneous" in has:
            raise ValueError(f"loop: 'closed' needs one player to move at a time, in {game.name} several act at once")
        if self.cut_value is not None and not game.min_utility <= self.cut_value <= game.max_utility:
            raise ValueError(
                f"cut_value: {self.cut_value:g} given, but returns of {game.name} lie between {game.min_utility:g} and "
                f"{game.max_utility:g}"
            )
        discounts = isinstance(self.backup, backup.Discounted) and self.backup.discounts(game.num_players)
        rewarded = "rewards" in has and discounts
        if self.proof is not None and rewarded:
            raise ValueError("proof: exact results are undiscounted sums of rewards; use backup=mean with a solver")
        for part in self.bonus:
            if isinstance(part, WholeResultBonus):
                part.check_game(game.name, game.num_players, rewarded)

    def replace(self, **changes: Any) -> Search:
        """The same search with some parts changed.

        >>> Search().replace(limit=limit.Seconds(2)).limit.text()
        'seconds(seconds=2.0)'
        """
        return replace(self, **changes)

    def identity(self) -> str:
        """A hash of the full text form: equal for equal searches, whatever their defaults were when written.

        >>> import treewise
        >>> treewise.uct(c=1).identity() == treewise.parse_search("mcts(selection=ucb1(c=1.0))").identity()
        True
        """
        return hashlib.sha256(self.text(full=True).encode()).hexdigest()[:16]

    def __str__(self) -> str:
        return self.shown()

    def __repr__(self) -> str:
        return f"<Search {self.shown()}>"


def _check_needs(family: str, part: Part, has: set[str], game: Game) -> None:
    missing = sorted(part.all_needs() - has)
    if not missing:
        return
    if missing == ["stable_actions"]:
        raise ValueError(
            f"{family}: '{part.name}' remembers actions by their ids, but {game.name} says that an id means "
            "different things in different states (stable_actions)"
        )
    raise ValueError(
        f"{family}: '{part.name}' needs the capability '{missing[0]}', which {game.name} does not have; choose another "
        f"{family} or give the game that capability"
    )


Stop = _core.Stop
"""Ends runs that are under way in another thread."""


class Session:
    """A search through one match. Runs in states that follow each other reuse what was searched below.

    >>> import treewise
    >>> session = treewise.uct(simulations=100).session(seed=1)
    >>> state = treewise.load_game("tic_tac_toe").initial_state()
    >>> state.apply(session.run(state).action)
    >>> session.run(state).stats.reused
    True
    """

    def __init__(self, search: Search, seed: int = 0, reuse: bool = True) -> None:
        given: Any = seed
        if isinstance(given, bool) or not isinstance(given, Integral):
            raise ValueError(f"seed must be a whole number, not {seed!r}")
        self._search = search
        self._seed = int(seed) % 2**64
        self._reuse = reuse and search.reuse
        self._runs = 0
        self._core: _core.Search | None = None
        self._root: State | None = None
        self._kept = False
        self._told = False
        self._busy = threading.Lock()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a session cannot be pickled or copied: its tree lives in the engine; pickle session.search and the state, "
            "and begin a new session from them, or keep what it found with result.tree.save(path)"
        )

    def __repr__(self) -> str:
        return f"<Session of {self._search.shown()}, {counted(self._runs, 'run')}>"

    @property
    def search(self) -> Search:
        """The search that runs here."""
        return self._search

    def run(self, state: Any, stop: Stop | None = None) -> Result:
        """Searches from `state`, with the tree of the last run if `state` follows from it.

        Another thread may end the run before its limit: by `stop.set()`.
        """
        with self._alone():
            return self._run(state, stop)

    def _run(self, state: Any, stop: Stop | None) -> Result:
        root = self._as_root(state)
        core = self._prepare(root)
        seed = _core.derive_seed(self._seed, self._runs)
        self._runs += 1
        reused, self._kept = self._kept, False
        try:
            stopped = core.run(root, seed, stop)
        except KeyboardInterrupt as error:
            if not core.has_root:
                raise
            raise SearchInterrupted(self._result(core, root, seed, reused)) from error
        self._kept = True
        if isinstance(stopped, KeyboardInterrupt):
            raise SearchInterrupted(self._result(core, root, seed, reused)) from stopped
        if stopped is not None:
            raise cast(BaseException, stopped)
        return self._result(core, root, seed, reused)

    def advance(self, action: int | Sequence[int]) -> None:
        """Says that the match went on by `action`; only needed for states written in Python.

        States of games in C++ know how they came about, so `run` finds out by itself. A state written in Python is
        compared with the one that was announced, by its hash or, where it has none, by who is to move, the legal
        actions and the text: if it is another one, `run` begins a new tree (`stats.reused` is False).
        """
        with self._alone():
            if self._core is None or self._root is None:
                return
            self._root.apply(action)
            self._kept = self._advance(list(action) if isinstance(action, Iterable) else [action]) and self._kept
            self._told = True

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise RuntimeError("this session is searching already, in another thread or further up in this one")
        try:
            yield
        finally:
            self._busy.release()

    def _advance(self, actions: list[int]) -> bool:
        assert self._core is not None
        return self._core.advance(actions)

    def _as_root(self, state: Any) -> State:
        """The state to search; one of an equal game, loaded anew, becomes a state of the game whose tree is here."""
        game = self._root.game if self._root is not None else None
        root = as_state(state, game)
        # What is written in Python may have come about without a history.
        if game is None or root.game is game or root.detached or _core.is_python_state(root) or root.game != game:
            return root
        return restore_state(game, root.start, root.history(), root.seeds())

    def _prepare(self, root: State) -> _core.Search:
        if self._core is None or self._root is None or self._root.game is not root.game:
            self.search.check(root.game)
            self._core = _core.Search(root.game, self.search.core())
            self._kept = False
        elif not self._follow(root):
            self._core.clear()
            self._kept = False
        self._told = False
        self._root = root.clone()
        return self._core

    def _follow(self, root: State) -> bool:
        """Moves the tree along the actions that lead from the last root to this one."""
        assert self._root is not None
        before, now = self._root.history(), root.history()
        if _core.is_python_state(root):
            # Nobody knows how such an object came about: its hash says that it is the root, or the user did.
            hashed = "hash" in root.game.capabilities
            return self._kept and self._reuse and (hashed or self._told) and _alike(self._root, root)
        if root.detached or self._root.detached or self._root.start != root.start or now[: len(before)] != before:
            return False
        if _drawn(root, len(before)) != _drawn(self._root, len(before)):
            return False
        for actions in _steps(self._root, now[len(before) :]):
            self._kept = self._advance(actions) and self._kept
        worlds = isinstance(self.search.information, information.Determinization)  # drawn anew for every run
        return self._kept and self._reuse and not worlds

    def _result(self, core: _core.Search, root: State, seed: int, reused: bool) -> Result:
        return Result.from_core(core, root, seed, reused, self)


def _alike(announced: State, given: State) -> bool:
    """Whether two states written in Python say the same of themselves."""
    capabilities = given.game.capabilities
    if "hash" in capabilities:
        return announced.hash() == given.hash()
    if "dice" in capabilities:
        return True  # the same actions lead to many states
    if announced.current_player() != given.current_player() or _choices(announced) != _choices(given):
        return False
    text, now, copied = map(_text, (announced, given, announced.clone()))
    return text == now or text != copied  # a text with the object's address says nothing


def _text(state: State) -> str | None:
    try:
        return str(state)
    except Exception:  # searching does not need drawings
        return None


def _choices(state: State) -> list[list[int]]:
    if state.current_player() != SIMULTANEOUS:
        return [sorted(state.legal_actions())]
    return [sorted(state.legal_actions(player)) for player in range(state.game.num_players)]


def _drawn(state: State, steps: int) -> list[tuple[int, int]]:
    """The seeds of the dice that the first steps were drawn with."""
    return [(place, seed) for place, seed in state.seeds() if place < steps]


def _steps(start: State, actions: list[int]) -> Iterator[list[int]]:
    """The actions of a history one step after the other; those of a joint action are one."""
    if "simultaneous" not in start.game.capabilities:
        yield from ([action] for action in actions)
        return
    state, at = start.clone(), 0
    while at < len(actions):
        joint = state.current_player() == SIMULTANEOUS
        step = actions[at : at + (state.game.num_players if joint else 1)]
        state.apply(step if joint else step[0])
        at += len(step)
        yield step
