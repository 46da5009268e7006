"""Searches that are ready to use, and the text form of all searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import cast

from treewise import backup, decision, limit, playout
from treewise import selection as selection_module
from treewise import spec as text_form
from treewise.bonus import Bonus, ClippedResult, RelativeResult
from treewise.own_search import load_own_search
from treewise.part import Part, arguments_from, parameters_of, part_class
from treewise.playout import PlayoutPolicy, TrueOnlineSarsa
from treewise.search import Search
from treewise.wording import shortened

__all__ = ["PRESETS", "cadia", "enhanced", "explorer", "gvgai_sample", "parse_search", "td_mcts", "uct"]


def uct(c: float = sqrt(2), simulations: int = 10_000) -> Search:
    """Plain UCT: UCB1, uniform playouts, the most visited action.

    >>> uct(c=1.0, simulations=500).text()
    'mcts(selection=ucb1(c=1.0), limit=simulations(count=500))'
    """
    return Search(selection=selection_module.UCB1(c), limit=limit.Simulations(simulations))


def enhanced(c: float = 0.7, simulations: int = 10_000) -> Search:
    """UCT with what helps in most games that list their winning actions: decisive moves before MAST, and a solver.

    Its simulations are better and dearer: whether they win at equal time is for `treewise match` to say. In amazons,
    checkers and go they do not; defaults of the command line leave the playouts out there. Where a game does not list
    its winning actions, `decisive` looks ahead by itself, which is slow: leave it out there, too.

    >>> enhanced(simulations=500).proof
    Solver(one_ply=True)
    """
    from treewise.proof import Solver

    return Search(
        selection=selection_module.UCB1(c),
        playout=playout.Decisive(inner=playout.MAST()),
        proof=Solver(),
        limit=limit.Simulations(simulations),
    )


def cadia(
    c: float = 0.4,
    playout: Part | PlayoutPolicy = playout.NGram(),  # noqa: B008
    bonus: Bonus | Sequence[Bonus] = (),
    simulations: int = 10_000,
) -> Search:
    """What CADIAPLAYER does with any game: UCT for every player, n-gram playouts, near results before far ones.

    Two players are compared with each other, and the action with the highest value is played. `bonus` comes on top.

    >>> from treewise.bonus import RelativeBonus
    >>> cadia(bonus=RelativeBonus(k=1.4)) == parse_search("cadia(bonus=[relative_bonus(k=1.4)])")
    True
    """
    return Search(
        selection=selection_module.UCB1(c),
        playout=playout,
        bonus=[RelativeResult(), *(bonus if isinstance(bonus, list | tuple) else [bonus])],
        backup=backup.Discounted(gamma=0.999, alone=1.0),
        decision=decision.Max(),
        limit=limit.Simulations(simulations),
    )


def gvgai_sample(
    loop: str | Part = "closed",
    bounds: str = "node",
    playouts: int = 50,
    depth: int = 10,
    seconds: float | None = None,
) -> Search:
    """The sample MCTS controller of the GVGAI framework, for video games: a new tree at every tick, ten steps deep.

    `loop` is `closed` (the framework until 2016) or `open` (its controller since 2017). `bounds` are those of a node's
    own subtree (since April 2017), `none` (October 2016 to April 2017) or `global` (before that). The framework kept
    the global ones as long as the program ran, from game to game; here they begin anew with each session, a match.

    With `seconds` a tick has that time, the framework's is 0.04, in place of a number of playouts. As in the framework,
    the search ends five milliseconds before (an eighth of the time if that is less): who answers late loses the tick.

    >>> gvgai_sample(loop="open", playouts=25) == parse_search("gvgai_sample(loop='open', playouts=25)")
    True
    >>> gvgai_sample(seconds=0.04).limit
    Seconds(seconds=0.035)
    """
    return Search(
        selection=selection_module.UCB1(bounds=bounds, epsilon=1e-6, offset=1),
        decision=decision.Robust(ties="noise"),
        limit=_playouts_or_seconds(playouts, seconds),
        loop=part_class("loop", loop)() if isinstance(loop, str) else loop,
        reuse=False,
        horizon=depth,
    )


def td_mcts(
    playouts: int = 50,
    playout: TrueOnlineSarsa = TrueOnlineSarsa(psi="action_blocks", ends="features", discover=1000),  # noqa: B008
    loop: str | Part = "closed",
    bounds: str = "node",
    depth: int = 10,
    seconds: float | None = None,
    given: str = "whole",
) -> Search:
    """TD-MCTS (İlhan and Etaner-Uyar 2017): the sample controller of the GVGAI framework with playouts that learn.

    What is learned is kept through a match. The backup has the playouts' discount; `given` says how it takes what the
    steps in the tree have given: as Algorithm 3, where an action has what was given on the way to it and nothing of
    what came after it in the tree, or, with `discounted`, with all that came after it. Actions have weights of their
    own: that costs a third of looking at the states after them, and won more in first trials (experiments/td_mcts). All
    else is `gvgai_sample`.

    >>> td_mcts(playouts=25) == parse_search("td_mcts(playouts=25)")
    True
    >>> parse_search("td_mcts(playout=true_online_sarsa(gamma=0.9))").backup.gamma
    0.9
    """
    if not isinstance(playout, TrueOnlineSarsa):
        given = playout.text() if isinstance(playout, Part) else type(playout).__name__
        raise ValueError(f"td_mcts: playout must be true_online_sarsa(…), not {given}: the backup has its discount")
    return gvgai_sample(loop, bounds, playouts, depth, seconds).replace(
        playout=playout, backup=backup.Discounted(gamma=playout.gamma, given=given)
    )


def explorer(
    playouts: int = 50,
    playout: Part | PlayoutPolicy = playout.Foraging(),  # noqa: B008
    depth: int = 10,
    seconds: float | None = None,
) -> Search:
    """For video games: playouts walk to what is worth meeting, ends are clipped, the tree is kept between actions.

    With as many playouts of the same length it wins far more matches than `td_mcts` (docs/td_mcts.md). It works with
    any game that has a scene and a score. `seconds` is the time for an action, in place of a number of playouts, as in
    `gvgai_sample`.

    >>> explorer(playouts=25) == parse_search("explorer(playouts=25)")
    True
    >>> parse_search("explorer(playout=foraging(tedium=0))").playout.tedium
    0.0
    """
    return Search(
        selection=selection_module.UCB1(c=0.5, bounds="node"),
        playout=playout,
        bonus=[ClippedResult()],
        limit=_playouts_or_seconds(playouts, seconds),
        horizon=depth,
    )


def _playouts_or_seconds(playouts: int, seconds: float | None) -> limit.Limit:
    if seconds is None:
        return limit.Simulations(playouts)
    spare = max(0.0, min(0.005, seconds / 8))
    return limit.Seconds(seconds - spare)


PRESETS: dict[str, Callable[..., Search]] = {
    "uct": uct,
    "enhanced": enhanced,
    "cadia": cadia,
    "gvgai_sample": gvgai_sample,
    "td_mcts": td_mcts,
    "explorer": explorer,
}
"""Ready compositions, by the name that the text form knows them by."""


def parse_search(text: str) -> Search:
    """Reads a search from its text form: `mcts(…)`, a ready composition such as `uct(c=1.0)`, or `FILE.py:NAME`.

    >>> parse_search("mcts(selection=ucb1(c=1.0), playout=mast(epsilon=0.1))").playout.epsilon
    0.1
    """
    if not isinstance(text, str):
        raise ValueError(f"a search is read from its text form, not from {type(text).__name__}")
    call = text_form.parse(text)
    if call.file:
        return load_own_search(call)
    preset = PRESETS.get(call.name)
    if preset is None:
        if call.name != Search.name:
            known = [Search.name, *PRESETS]
            raise ValueError(f"unknown search '{shortened(call.name)}'; {text_form.suggest(call.name, known)}")
        return cast(Search, part_class("search", call.name).from_call(call))
    declared = {d.name: d.metadata["family"] for d in parameters_of(Search)}
    families = {name: declared.get(name, "") for name in list(preset.__annotations__)[:-1]}
    return preset(**arguments_from(call.name, families, call))
