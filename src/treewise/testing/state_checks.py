"""Checks that look at one state at a time. Each notes what it finds; one that makes the rest of the match
meaningless raises `Stop`.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from numbers import Integral, Real
from typing import Any

import numpy as np

from treewise.game import CHANCE, SIMULTANEOUS, TERMINAL
from treewise.testing.report import Notebook
from treewise.testing.subject import Move, Subject, differences, listed

TOLERANCE = 1e-6
SAMPLE = 20
"""How many actions of a state are tried where all of them would take too long."""


def apply_legal(book: Notebook, state: Any, move: Move) -> Any:
    """Applies what the state itself calls legal; returns what `apply` does, which should be nothing."""
    try:
        return state.apply(move)
    except ValueError as error:
        raise book.fatal("refused", f"apply({move}) is refused although it is legal: {error}") from None


def check_mover(subject: Subject, book: Notebook, state: Any) -> None:
    """Checks `current_player` against `is_terminal` and the number of players."""
    over = state.is_terminal()
    book.require(isinstance(over, bool | np.bool_), "terminal", f"is_terminal() is {over!r}, not True or False")
    if over and not subject.native:
        return  # the engine does not ask who is to act when the match is over
    player = state.current_player()
    if over:
        text = f"the match is over but current_player() is {player!r}, not TERMINAL"
        book.require(player == TERMINAL, "terminal", text)
    elif player == TERMINAL:
        raise book.fatal("terminal", "current_player() is TERMINAL but is_terminal() is False")
    elif player == CHANCE:
        if not subject.has("chance"):
            raise book.fatal("mover", "current_player() is CHANCE but there is no chance_outcomes()")
    elif player == SIMULTANEOUS:
        if not subject.has("simultaneous"):
            raise book.fatal("mover", "current_player() is SIMULTANEOUS but `simultaneous = True` is not set")
    elif not isinstance(player, Integral) or int(player) not in range(subject.num_players):
        raise book.fatal("mover", f"current_player() is {player!r}; players are 0 to {subject.num_players - 1}")


def check_steady(subject: Subject, book: Notebook, state: Any, times: int = 2) -> None:
    """Checks that a state gives the same answers whenever it is asked; else whatever is found later may mislead."""
    first = subject.view(state)
    for _ in range(times - 1):
        differ = sorted(differences(first, subject.view(state)))
        if differ:
            text = f"asking the same state twice gives different answers: {', '.join(differ)}"
            raise book.fatal("unsteady", f"{text}; a question changes it, or is random")


def check_actions(subject: Subject, book: Notebook, state: Any, rng: random.Random) -> None:
    """Checks the lists of legal actions, and their names (a sample, if there are very many)."""
    for actions in subject.choices(state):
        if not actions:
            raise book.fatal("no_actions", "legal_actions() is empty but the match is not over")
        wrong = [action for action in actions if not _is_action(action)]
        if wrong:
            raise book.fatal("actions", f"legal action {wrong[0]!r} is not an int from 0 to 2**31 - 1")
        limit = subject.num_action_ids
        if limit is not None:
            book.require(
                max(actions) < limit,
                "actions",
                f"legal action {max(actions)} is not below num_action_ids, {limit}",
            )
        twice = [action for action, times in Counter(actions).items() if times > 1]
        book.require(not twice, "duplicates", f"legal_actions() lists {twice[:1]} more than once")
        _check_names(book, state, rng.sample(actions, min(10 * SAMPLE, len(actions))))


def _is_action(action: Any) -> bool:
    return isinstance(action, int) and not isinstance(action, bool) and 0 <= action < 2**31  # NumPy's are ints by now


def _check_names(book: Notebook, state: Any, actions: list[int]) -> None:
    if not hasattr(state, "action_name"):
        return  # actions are called by their numbers then
    if not callable(state.action_name):
        return book.note("names", f"action_name is {state.action_name!r}, not a method: define it, or leave it out")
    seen: dict[str, int] = {}
    for action in actions:
        name = state.action_name(action)
        if not isinstance(name, str) or not name:
            book.note("names", f"action_name({action}) is {name!r}, not a text")
        elif seen.setdefault(name, action) != action:
            book.note("names", f"actions {seen[name]} and {action} are both called {name!r}")


def check_returns(subject: Subject, book: Notebook, state: Any) -> None:
    """Checks the shape of `returns` and, at the end, what the game declares about it."""
    values = listed(state, "returns")
    if not _check_values(subject, book, "returns", values) or not state.is_terminal():
        return
    low, high = subject.min_utility, subject.max_utility
    book.require(min(values) >= low, "utility", f"returns() is {values}, below min_utility, {low:g}")
    book.require(max(values) <= high, "utility", f"returns() is {values}, above max_utility, {high:g}")
    if subject.zero_sum and abs(sum(values)) > TOLERANCE * max(1, high):
        text = f"returns() is {values}: the sum is not zero; if that is meant, set zero_sum = False"
        book.note("zero_sum", text)


def _check_values(subject: Subject, book: Notebook, what: str, values: list[Any]) -> bool:
    if len(values) != subject.num_players:
        book.note(
            what,
            f"{what}() has {len(values)} entries, expected one for each of {subject.num_players} players",
        )
        return False
    finite = all(isinstance(value, Real) and math.isfinite(value) for value in values)
    return book.require(finite, what, f"{what}() is {values}: not finite numbers")


def check_rewards(subject: Subject, book: Notebook, state: Any, before: list[float]) -> None:
    """Checks that the last step's rewards lead from the returns `before` it to the present ones."""
    rewards, returns = listed(state, "rewards"), listed(state, "returns")
    if _check_values(subject, book, "rewards", rewards) and len(returns) == len(before) == len(rewards):
        for old, reward, new in zip(before, rewards, returns, strict=True):
            if abs(old + reward - new) > TOLERANCE * max(1, abs(new)):
                book.note("rewards", f"returns() went from {before} to {returns} but rewards() is {rewards}")


def check_chance(book: Notebook, state: Any) -> None:
    """Checks the outcomes of a chance state."""
    pairs = list(state.chance_outcomes())
    outcomes, probabilities = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    book.require(
        sorted(outcomes) == sorted(state.legal_actions()),
        "chance",
        "chance_outcomes() and legal_actions() list different outcomes",
    )
    low, total = min(probabilities, default=0), sum(probabilities)
    book.require(low > 0, "chance", f"an outcome has probability {low}")
    book.require(abs(total - 1) <= TOLERANCE, "chance", f"the probabilities of the outcomes sum to {total}")


def check_winning(book: Notebook, state: Any, rng: random.Random) -> None:
    """Checks that the winning actions win and, in a sample, that no other action does."""
    legal, listed = list(state.legal_actions()), list(state.winning_actions())
    others = [action for action in legal if action not in listed]
    if not book.require(set(listed) <= set(legal), "winning", f"winning_actions() {listed} are not all legal"):
        return
    for action in rng.sample(listed, min(SAMPLE, len(listed))):
        if not _wins(book, state, action):
            book.note("winning", f"winning_actions() lists {action}, which does not win at once")
    for action in rng.sample(others, min(SAMPLE, len(others))):
        if _wins(book, state, action):
            book.note("winning", f"winning_actions() leaves out {action}, which wins at once")


def _wins(book: Notebook, state: Any, action: int) -> bool:
    player = state.current_player()
    child = state.clone()
    apply_legal(book, child, action)
    if not child.is_terminal():
        return False
    values = list(child.returns())
    return bool(values[player] == max(values) and values[player] > min(values))


def check_policy(book: Notebook, state: Any, rng: random.Random) -> None:
    """Checks the candidates of the game's own playout policy."""
    candidates = set(state.playout_candidates(rng.randrange(2**32)))
    if book.require(bool(candidates), "policy", "playout_candidates() is empty"):
        illegal = sorted(candidates - set(state.legal_actions()))
        book.require(not illegal, "policy", f"playout_candidates() lists illegal actions: {illegal[:5]}")


def check_hidden(subject: Subject, book: Notebook, state: Any, rng: random.Random) -> None:
    """Checks that drawing anew what a player cannot know leaves alone what the player knows."""
    before = subject.view(state)
    for player in range(subject.num_players):
        seed = rng.randrange(2**32)
        drawn = subject.view(state.resample(player, seed))
        changed = [key for key in ("current_player", "is_terminal") if drawn[key] != before[key]]
        if before["current_player"] in (player, SIMULTANEOUS):
            changed += [] if _lists_equal(drawn, before, player) else ["legal_actions"]
        if drawn["observation"][player] != before["observation"][player]:
            changed.append("observation")
        book.require(not changed, "hidden", f"resample({player}) changes what the player knows: {', '.join(changed)}")
        again = subject.view(state.resample(player, seed))
        book.require(not differences(drawn, again), "hidden", "resample() with one seed gives different states")
    book.require(not differences(before, subject.view(state)), "hidden", "resample() changes the state it is called on")


def _lists_equal(drawn: dict[str, Any], before: dict[str, Any], player: int) -> bool:
    index = player if before["current_player"] == SIMULTANEOUS else 0
    lists = [view["legal_actions"] for view in (drawn, before)]
    return all(len(each) > index for each in lists) and sorted(lists[0][index]) == sorted(lists[1][index])


def check_dice(subject: Subject, book: Notebook, state: Any, rng: random.Random) -> None:
    """Checks that a seed leaves the position alone, says all draws that follow, and says them to one state only."""
    seed, choices, before = rng.randrange(2**64), rng.randrange(2**32), subject.view(state)
    expected = _line(subject, book, state.clone(), choices)
    lines = []
    for _ in range(2):
        seeded = state.clone()
        seeded.reseed(seed)
        changed = sorted(set(differences(before, subject.view(seeded))) - {"hash"})
        book.require(not changed, "dice", f"reseed() changes the position: {', '.join(changed)}")
        lines.append(_line(subject, book, seeded, choices))
    book.require(lines[0] == lines[1], "dice", "after reseed() with one seed the same actions lead to different states")
    unchanged = _line(subject, book, state.clone(), choices) == expected
    book.require(unchanged, "dice", "reseed() of a clone changes what its original draws: copy the generator deeply")


def _line(subject: Subject, book: Notebook, state: Any, choices: int) -> list[str]:
    """The states on a random way of a few steps from `state`, as text."""
    rng, seen = random.Random(choices), list[str]()
    while len(seen) < SAMPLE and not state.is_terminal():
        actions = [rng.choice(each) for each in subject.choices(state)]
        apply_legal(book, state, actions if state.current_player() == SIMULTANEOUS else actions[0])
        seen.append(repr(sorted(subject.view(state).items())))
    return seen


def check_quality(book: Notebook, state: Any) -> None:
    """Checks that a finished match with one winner has a quality."""
    returns = list(state.returns())
    if returns.count(max(returns)) == 1:
        quality = state.quality()
        finite = isinstance(quality, Real) and math.isfinite(quality)
        book.require(finite, "quality", f"quality() is {quality!r}, not a finite number")


def check_features(book: Notebook, state: Any, size: int | None) -> int:
    """Checks that the features are finite numbers, `size` of them as in the states before; returns how many."""
    values = list(state.features())
    finite = all(isinstance(value, Real) and math.isfinite(value) for value in values)
    book.require(finite, "features", f"features() is {values}: not finite numbers")
    text = f"features() has {len(values)} entries, {size} in a state before"
    book.require(size is None or len(values) == size, "features", text)
    return len(values)


def check_scene(book: Notebook, state: Any, shape: tuple[int, ...] | None) -> tuple[int, ...]:
    """Checks that all that is seen lies in the world, whose `shape` is that of the states before; returns it."""
    (width, height, kinds), body, met, struck, items = state.scene()
    text = f"scene() has the shape {(width, height, kinds)}, {shape} in a state before"
    book.require(shape is None or (width, height, kinds) == shape, "scene", text)
    cells = [cell for cell, _ in items] + ([] if body is None else [body[0]])
    known = [*met, *struck, *(kind for _, kind in items)]
    inside = all(0 <= cell < width * height for cell in cells) and all(0 <= kind < kinds for kind in known)
    book.require(inside, "scene", f"scene() has cells or kinds beyond its shape {(width, height, kinds)}")
    return width, height, kinds


def check_score(book: Notebook, state: Any) -> None:
    """Checks that the points so far are a number."""
    score = state.score()
    finite = isinstance(score, Real) and math.isfinite(score)
    book.require(finite, "score", f"score() is {score!r}, not a finite number")


def check_text(book: Notebook, state: Any) -> None:
    """Checks that the state can be printed."""
    try:
        str(state)
    except Exception as error:
        raise book.fatal("str", f"str(state) raised {type(error).__name__}: {error}") from None
