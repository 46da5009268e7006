"""Random playouts of fourteen games as rulesheets (those of Pepels et al. 2014), against Sancho 1.61c's network.

Sancho is no package that could be installed here. Its rates were measured beforehand on a machine of the same kind, on
the public rulesheets: playouts per second of CPU time, one thread, after warm-up. It does not build Merrills. Where
TREEWISE_SHARED names a folder with those sheets (gdl/games/), they are judged; otherwise the project's own sheets of
the same games. Both are given where both are there.
"""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path

from timing import Options, Row, Spread, geometric_mean, in_turns

from treewise._core import time_playouts
from treewise.gdl import load_machine

SUBJECT = "rulesheets against Sancho 1.61c"
SANCHO = {
    "zhadu": 2_340,
    "ttcc4": 8_212,
    "skirmish": 896,
    "sheepwolf": 4_866,
    "quad": 9_492,
    "knightthrough": 31_646,
    "connect5": 23_287,
    "checkers": 2_896,
    "breakthrough": 14_489,
    "tictactoe3d": 28_217,
    "chinesecheckers": 22_008,
    "battle": 11_185,
    "chinook": 9_386,
}
MERRILLS = 1_000  # playouts a second; no network that was published builds it


def measure(options: Options) -> list[Row]:
    names = ["connect5", "merrills"] if options.quick else [*SANCHO, "merrills"]
    timed = {name: compare(name, options) for name in names}
    ratios = [row.figure for name, row in timed.items() if name != "merrills"]
    mean = Row(SUBJECT, "all but merrills, geometric mean", "x", geometric_mean(ratios))
    return [*timed.values(), mean, *builds(names)]


def compare(name: str, options: Options) -> Row:
    sheets = {"own sheet/s": name, **({"public sheet/s": str(path)} if (path := public(name)) else {})}
    states = [load_machine(sheet, "net").game.initial_state() for sheet in sheets.values()]

    def playouts(state: object) -> object:
        def work(repeat: int) -> float:
            count, spent = 1, 0.0
            while spent <= options.seconds(0.5):
                count *= 2
                spent, _ = time_playouts(state, count, repeat)
            return count / max(spent, 1e-9)

        return work

    rates = [Spread.of(each) for each in in_turns(options.repeats, *map(playouts, states))]  # type: ignore[arg-type]
    judged = rates[-1]
    parts = {key: rate.median for key, rate in zip(sheets, rates, strict=True)}
    if name == "merrills":
        return Row(SUBJECT, name, "/s", judged, target=MERRILLS, parts=parts, note="Sancho does not build it")
    parts["Sancho/s"] = SANCHO[name]
    figure = Spread(*(each / SANCHO[name] for each in (judged.median, judged.low, judged.high)))
    return Row(SUBJECT, name, "x", figure, target=2, parts=parts)


def public(name: str) -> Path | None:
    """The public sheet of a game, in the revision that Sancho was measured on."""
    folder = Path(os.environ.get("TREEWISE_SHARED", "")) / "gdl" / "games"
    found = sorted(folder.glob(f"[0-9][0-9]_{name}*/*.kif")) if "TREEWISE_SHARED" in os.environ else []
    newer = sorted(found[0].parent.glob("v1/*.kif")) if found else []
    return (newer or found or [None])[0]


def builds(names: list[str]) -> list[Row]:
    """The slowest build, with nothing kept from before, and the most memory that this process ever took."""
    os.environ["TREEWISE_CACHE_DIR"] = ""
    seconds = []
    for name in names:
        start = time.perf_counter()
        load_machine(public(name) or name, "net")
        seconds.append(time.perf_counter() - start)
    slowest = max(seconds)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [
        Row(SUBJECT, "slowest build", "s", Spread(slowest, slowest, slowest), target=20, at_most=True),
        Row(SUBJECT, "memory of a build, at most", "MB", Spread(most, most, most), target=1000, at_most=True),
    ]
