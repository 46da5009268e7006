"""Tree-parallel play with two threads against one thread, at equal time an action. Takes minutes; needs two idle cores.

Seats are swapped in every pair of matches, and every match has its own seed. A match is counted for two threads or
against them; the interval is Wilson's, 95 %. "Not weaker" is shown only by an interval that leaves no room for much
less than half: its lower end is judged, five points below.
"""

from __future__ import annotations

from math import sqrt

from timing import Options, Row, Spread

import treewise
from treewise import limit, parallel
from treewise.search import Search
from treewise.selection import UCB1

SUBJECT = "strength"
SECONDS = 0.04


def measure(options: Options) -> list[Row]:
    seconds = 0.001 if options.quick else SECONDS
    matches = options.count(300, 2)
    two = Search(selection=UCB1(1.0), parallel=parallel.Tree(2), limit=limit.Seconds(seconds))
    one = Search(selection=UCB1(1.0), limit=limit.Seconds(seconds))
    points = sum(play(two, one, first=match % 2, seed=match) for match in range(matches))
    low, high = wilson(points, matches)
    return [
        Row(
            SUBJECT,
            "breakthrough, tree parallel with 2 threads against 1",
            "%",
            Spread(100 * points / matches, 100 * low, 100 * high),
            target=45,
            judged_by="low",
            parts={"matches": matches, "seconds an action": seconds},
            note="share of matches won, with its 95 % interval: not weaker if all of it lies above 45 %",
        )
    ]


def play(subject: Search, opponent: Search, first: int, seed: int) -> float:
    """One match; what the subject gets of it (1, 0.5 or 0). `first`: the player that the subject is."""
    state = treewise.load_game("breakthrough").initial_state()
    entrants = [subject, opponent] if first == 0 else [opponent, subject]
    sessions = [search.session(seed=2 * seed + player) for player, search in enumerate(entrants)]
    while not state.is_terminal():
        action = sessions[state.current_player()].run(state).action
        state.apply(action)
    return (1 + state.returns()[first]) / 2


def wilson(points: float, matches: int, z: float = 1.96) -> tuple[float, float]:
    share = points / matches
    centre = share + z * z / (2 * matches)
    half = z * sqrt(share * (1 - share) / matches + z * z / (4 * matches * matches))
    return (centre - half) / (1 + z * z / matches), (centre + half) / (1 + z * z / matches)
