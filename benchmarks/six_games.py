"""The six games of Pepels et al. 2014 with their playout policies, against the Java engine of the paper's first author.

That engine cannot be installed from a registry. Its rates were measured beforehand on a machine of the same kind: UCT
with policy, simulations per second of one thread's CPU time after warm-up, its state of February 2014.
"""

from __future__ import annotations

from bonuses import SETTINGS, Setting, timed
from timing import Options, Row, Spread, geometric_mean, in_turns

import treewise

SUBJECT = "six games with policies against the Java engine"
NOTE = "the Java rate was measured beforehand on a machine of the same kind"
JAVA = {
    "amazons": 1_920,
    "breakthrough": 14_600,
    "cannon": 2_250,
    "checkers": 21_900,
    "chinese_checkers": 13_400,
    "pentalath": 21_000,
}


def measure(options: Options) -> list[Row]:
    rows = [compare(setting, options) for setting in SETTINGS]
    return [
        *rows,
        Row(SUBJECT, "six games, geometric mean", "x", geometric_mean([row.figure for row in rows]), target=10),
    ]


def compare(setting: Setting, options: Options) -> Row:
    name = treewise.load_game(setting.game).name
    simulations = options.count(32 * setting.simulations, 50)
    (seconds,) = in_turns(options.repeats, timed(setting.game, setting.search(), simulations))
    rates = Spread.of([simulations / each for each in seconds])
    figure = Spread(*(each / JAVA[name] for each in (rates.median, rates.low, rates.high)))
    parts = {"treewise/s": rates.median, "java/s": JAVA[name]}
    return Row(SUBJECT, f"{name}, with policy", "x", figure, parts=parts, note=NOTE)
