"""Playouts: how a match is played on from a leaf to its end.

A policy written in Python is any object with `choose(state, actions, rng)` that returns one of the actions; if it
also has `learn(record)`, that is called after every simulation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from treewise._core import Record, Rng
from treewise.evaluator import Evaluator, Playouts
from treewise.part import Part, parameter

__all__ = [
    "MAST",
    "CutOff",
    "Decisive",
    "Foraging",
    "GamePolicy",
    "LastGoodReply",
    "NGram",
    "PlayoutPolicy",
    "Record",
    "Rng",
    "TrueOnlineSarsa",
    "Uniform",
]


class PlayoutPolicy(Protocol):
    """What a playout written in Python must have."""

    def choose(self, state: Any, actions: list[int], rng: Rng, /) -> int:
        """One of the actions, for the player to move; `state` is a copy, a `State` or the user's own object."""


@dataclass(frozen=True)
class Uniform(Part):
    """Every legal action with the same probability; by far the fastest.

    >>> Uniform().text()
    'uniform'
    """

    family = "playout"
    name = "uniform"
    citation = "Abramson 1990"


@dataclass(frozen=True)
class GamePolicy(Part):
    """The playout policy that the game brings: its candidates, each with its weight.

    >>> GamePolicy().text()
    'game_policy'
    """

    family = "playout"
    name = "game_policy"
    needs = ("policy",)
    citation = "Pepels et al. 2014 for the six games"


@dataclass(frozen=True)
class MAST(Part):
    """Move-average sampling: actions that did well anywhere are played again.

    Keeps the mean result of every (player, action). `greedy`: with probability `epsilon` the inner policy chooses,
    else the best mean does; `gibbs`: drawn by exp(mean / temperature), means on the scale [0, 1]; CADIAPLAYER's
    temperature is 0.1. `inner` also says which actions are considered.

    >>> MAST(epsilon=0.1).text()
    'mast(epsilon=0.1)'
    """

    family = "playout"
    name = "mast"
    needs = ("stable_actions",)
    citation = "Finnsson & Björnsson 2008; Tak, Winands & Björnsson 2012"

    epsilon: float = parameter(0.4, "probability of the inner policy's choice", low=0, high=1)
    mode: str = parameter("greedy", "how means become choices", choices=("greedy", "gibbs"))
    temperature: float = parameter(1.0, "of the Gibbs distribution", low=1e-6, high=1e6)
    unseen: float = parameter(1.0, "mean of an action that was never played", low=-10, high=10)
    decay: float = parameter(0.2, "what the counts are multiplied by between actions", low=0, high=1)
    tree_only: bool = parameter(False, "learn from the steps in the tree only")
    inner: Part | PlayoutPolicy = parameter(Uniform, "the policy that is sharpened", family="playout")


@dataclass(frozen=True)
class NGram(Part):
    """N-gram selection (NST): means of sequences of one to `length` actions that end in the player's own.

    A longer sequence has what the player before it in turn order played last, and before that what the player before
    that one did: with two players who take turns, own, other's, own. Where all act at once these are of one and two
    moments ago. All steps of a simulation are learned from, in the tree and in the playout, each with the result of
    the player who took it.

    An action's value is the mean of its own average and those of its longer sequences seen `min_visits` times.
    `greedy`: with probability `epsilon` the inner policy chooses, else the greatest value does; `gibbs`: drawn by
    exp(value / temperature). `inner` also says which actions are considered. With `length=1` it is MAST.

    >>> NGram(length=2).text()
    'ngram(length=2)'
    """

    family = "playout"
    name = "ngram"
    needs = ("stable_actions",)
    citation = "Tak, Winands & Björnsson 2012, 2014"

    length: int = parameter(3, "longest sequence", low=1, high=3)
    min_visits: float = parameter(7.0, "visits before a longer sequence counts", low=0, high=1e9)
    epsilon: float = parameter(0.4, "probability of the inner policy's choice", low=0, high=1)
    mode: str = parameter("greedy", "how values become choices", choices=("greedy", "gibbs"))
    temperature: float = parameter(1.0, "of the Gibbs distribution", low=1e-6, high=1e6)
    unseen: float = parameter(1.0, "value of an action that was never played", low=-10, high=10)
    decay: float = parameter(0.2, "what the counts are multiplied by between actions", low=0, high=1)
    inner: Part | PlayoutPolicy = parameter(Uniform, "the policy that is sharpened", family="playout")


@dataclass(frozen=True)
class LastGoodReply(Part):
    """The reply that won last time after the same one or two actions is played again while it is legal.

    With forgetting, a reply that lost is dropped.

    >>> LastGoodReply(length=1).text()
    'last_good_reply(length=1)'
    """

    family = "playout"
    name = "last_good_reply"
    needs = ("stable_actions",)
    citation = "Drake 2009; Baier & Drake 2010"

    length: int = parameter(2, "actions before the reply that are remembered", low=1, high=2)
    forgetting: bool = parameter(True, "drop replies that lost")
    inner: Part | PlayoutPolicy = parameter(Uniform, "the policy for everything else", family="playout")


@dataclass(frozen=True)
class Decisive(Part):
    """An action that wins at once is played; else, with `anti`, none that lets the next player win at once.

    Fast where the game lists its winning actions, by looking ahead otherwise. The inner policy chooses first: the other
    actions are looked at only if its choice lets the next player win, and then it chooses again.

    >>> Decisive(anti=False).text()
    'decisive(anti=False)'
    """

    family = "playout"
    name = "decisive"
    citation = "Teytaud & Teytaud 2010"

    anti: bool = parameter(True, "also avoid giving the next player a winning action")
    inner: Part | PlayoutPolicy = parameter(Uniform, "the policy among what is left", family="playout")


@dataclass(frozen=True)
class CutOff(Part):
    """The inner policy for `depth` steps; then an evaluator says what the state is worth.

    It must be the outermost playout.

    >>> CutOff(depth=4).text()
    'cut_off(depth=4)'
    """

    family = "playout"
    name = "cut_off"
    citation = "Lorentz 2008; Winands & Björnsson 2010"

    depth: int = parameter(10, "steps before the cut", low=0, high=10**9)
    inner: Part | PlayoutPolicy = parameter(Uniform, "the policy before the cut", family="playout")
    evaluator: Part | Evaluator = parameter(Playouts, "what judges the state reached", family="evaluator")

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.inner, CutOff):
            raise ValueError("cut_off: inner must not be another cut_off")


@dataclass(frozen=True)
class TrueOnlineSarsa(Part):
    """Playouts that learn a linear value function of the game's features while they play, and choose by it (TD-MCTS).

    Every step of every playout changes the weights by true online Sarsa(λ). The weights as they were when the search
    began choose the actions, the greatest value but for a random action with probability `epsilon`, and say what a
    state is worth in which a playout is cut off: set the search's `max_length`, as in the example. What was learned is
    kept through a match. `inner` says which actions are considered, and chooses the random ones.

    Results are rewards discounted by `gamma`: give `backup.Discounted` the same. What is learned from is the score
    where the game has one, else the rewards of the steps, else the returns at the end. Two players share one value
    function, which the second wants small. It has to be the outermost playout, or the one inside `cut_off`, whose
    evaluator then judges the states.

    >>> from treewise import Search, backup
    >>> search = Search(playout=TrueOnlineSarsa(epsilon=0.2), backup=backup.Discounted(gamma=0.99), max_length=10)
    >>> search.playout.text()
    'true_online_sarsa(epsilon=0.2)'
    """

    family = "playout"
    name = "true_online_sarsa"
    needs = ("features",)
    citation = "İlhan & Etaner-Uyar 2017; van Seijen et al. 2016"

    alpha: float = parameter(0.05, "learning rate", low=0, high=10)
    lam: float = parameter(0.2, "decay of the eligibility traces, λ", low=0, high=1)
    gamma: float = parameter(0.99, "discount of rewards, for every choice", low=0, high=1)
    epsilon: float = parameter(0.1, "probability of a random action", low=0, high=1)
    psi: str = parameter(
        "own_moves",
        "features of an action: those of the state after it and before the world answers, in games that can tell, else "
        "as after_states; those of the state after the whole step; or those of the state, with weights for each "
        "action, with weights for each and others for all, or with the same weights for all",
        choices=("own_moves", "after_states", "action_blocks", "shared_blocks", "states"),
    )
    initial: float = parameter(1.0, "the weights before anything is learned", low=-1e6, high=1e6)
    q_old: str = parameter(
        "first",
        "Q_old when a playout begins: the value of its first step; or 0 as published, with which values grow without "
        "end",
        choices=("first", "zero"),
    )
    ends: str = parameter(
        "zero",
        "what a state in which the match is over is worth to learning: nothing, or what its features say, as published",
        choices=("zero", "features"),
    )
    discover: int = parameter(
        0,
        "random steps before the first search; features that are zero in all of them are left out; 0: none are",
        0,
        10**7,
    )
    fresh: bool = parameter(
        False, "after_states: look at actions with dice of their own, not with those they are played with"
    )
    inner: Part | PlayoutPolicy = parameter(Uniform, "the actions considered, and the random one", family="playout")
    floors: bool = parameter(True, "count features about floors: what lies under nearly everything in a video game")
    restart: bool = parameter(
        True, "weights that lead to errors of ten thousand times any reward start again at their first values"
    )
    snapshot: str = parameter(
        "all",
        "what the weights as they were when the search began are for: choices and the states where playouts are cut "
        "off, or the latter alone, or nothing: for the rest they are as they are now",
        choices=("all", "values", "none"),
    )
    keep: bool = parameter(True, "keep what was learned from one action of the match to the next")
    discovers: str = parameter(
        "features",
        "what is looked for in the random steps of `discover`: features that are not zero, or the kinds of things that "
        "features are about, and then all that are about two of these",
        choices=("features", "kinds"),
    )
    fixed: str = parameter(
        "counted",
        "features about kinds of things that always stay where they are, as walls: counted, not those of two such "
        "kinds together, or left out",
        choices=("counted", "not_together", "left_out"),
    )
    hidden: bool = parameter(True, "count features about hidden things that show all the same")

    def __post_init__(self) -> None:
        super().__post_init__()
        _refuse_whole(self, self.inner)

    def all_needs(self) -> set[str]:
        """Action ids must mean the same in all states where actions have weights of their own."""
        return super().all_needs() | ({"stable_actions"} if self.psi.endswith("_blocks") else set())


@dataclass(frozen=True)
class Foraging(Part):
    """Playouts of a body in a world of cells, which look for what is worth meeting.

    What comes of meeting things is learned by their kinds, from every step of every simulation, and kept through a
    match: points, wins and losses (`end` points each), and whether the body can pass. A kind that was never met
    promises `curiosity` points, and does so again to a body that is or holds something else than before.

    With probability 1 - `epsilon` a playout takes a step on the best way: the one to what is worth most, times `gamma`
    for every step. What kills is walked around if that takes less than `danger` steps, and no step leads into it while
    there are others. Where a playout is cut off (set the search's `horizon` or `max_length`), the state is worth its
    points, plus the greatest worth in sight by its walking distance, less `tedium` for every visit of the body to that
    cell in the match; visits fade. `inner` says which actions are considered, and chooses the others.

    It needs a game for one player, and has to be the outermost playout, or the one inside `cut_off`, whose evaluator
    then judges the states.

    >>> Foraging(curiosity=2.0).text()
    'foraging(curiosity=2.0)'
    """

    family = "playout"
    name = "foraging"
    needs = ("scene", "score", "stable_actions")
    citation = "after Perez, Samothrakis & Lucas 2014; Soemers et al. 2016"

    gamma: float = parameter(0.97, "what is left of a worth for every step of the way", low=0, high=1)
    curiosity: float = parameter(1.0, "points that are expected of a kind that was never met", low=0, high=1e6)
    doubt: float = parameter(5.0, "how many meetings that counts for", low=0.001, high=1e6)
    epsilon: float = parameter(0.5, "probability of the inner policy's choice", low=0, high=1)
    danger: int = parameter(10, "steps that a cell with something deadly counts for", low=1, high=31)
    end: float = parameter(10.0, "points that winning or losing counts for, to what was met then", low=0, high=1e6)
    tedium: float = parameter(0.01, "points that every visit takes from a cell", low=0, high=1e6)
    fading: float = parameter(0.99, "what is left of a visit after every action of the match", low=0, high=1)
    inner: Part | PlayoutPolicy = parameter(Uniform, "the actions considered, and the others", family="playout")

    def __post_init__(self) -> None:
        super().__post_init__()
        _refuse_whole(self, self.inner)


def _refuse_whole(part: Part, inner: Part | PlayoutPolicy) -> None:
    if isinstance(inner, CutOff | TrueOnlineSarsa | Foraging):
        raise ValueError(f"{part.name}: inner must not be {inner.name}")


def refuse_inner(part: Part | PlayoutPolicy) -> None:
    """ValueError where a wrapper holds a part that plays whole playouts and would never be asked to."""
    inner = getattr(part, "inner", None)
    while isinstance(part, Part) and isinstance(inner, Part):
        if isinstance(inner, CutOff):
            raise ValueError(f"{part.name}: cut_off must be the outermost playout, not inside another")
        if isinstance(inner, TrueOnlineSarsa | Foraging) and not isinstance(part, CutOff):
            raise ValueError(f"{part.name}: put it into the other, {inner.name}(inner={part.name})")
        part, inner = inner, getattr(inner, "inner", None)
