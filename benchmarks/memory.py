"""What a search takes: bytes an edge, and a long search under a cap of memory, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys

from timing import Options, Row, Spread

import treewise

SUBJECT = "memory"
CAP_MB = 512

# Resident memory is the most the process ever had, so it is measured in a fresh one, before and after. On Linux
# getrusage would start from what the parent had, and the status file does not.
LONG_SEARCH = """
import json, pathlib, resource, sys
import treewise
def peak():
    status = pathlib.Path("/proc/self/status")
    if status.exists():
        kilobytes = next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(kilobytes) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
simulations, cap = int(sys.argv[1]), float(sys.argv[2])
state = treewise.load_game("breakthrough").initial_state()
treewise.uct(c=1.0, simulations=10).run(state)
before = peak()
search = treewise.Search(selection=treewise.selection.UCB1(1.0), memory_mb=cap,
                         limit=treewise.limit.Simulations(simulations))
stats = search.run(state, seed=1).stats
print(json.dumps({"simulations": stats.simulations, "memory_full": stats.memory_full, "seconds": stats.seconds,
                  "tree_mb": stats.memory_bytes / 1e6, "before_mb": before, "peak_mb": peak()}))
"""


def measure(options: Options) -> list[Row]:
    stats = treewise.uct(simulations=100).run(treewise.load_game("breakthrough").initial_state()).stats
    edge = float(stats.bytes_per_edge)
    return [
        Row(SUBJECT, "an edge, plain UCT", "bytes", Spread(edge, edge, edge)),
        long_search(options.count(10_000_000, 2000)),
    ]


def long_search(simulations: int) -> Row:
    command = [sys.executable, "-c", LONG_SEARCH, str(simulations), str(CAP_MB)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    if found["simulations"] != simulations:
        raise RuntimeError(f"the search ended after {found['simulations']} of {simulations} simulations")
    added = found["peak_mb"] - found["before_mb"]
    note = f"memory_mb={CAP_MB}: resident memory that the search added" + (
        "; the tree was full and searched on" if found["memory_full"] else ""
    )
    return Row(
        SUBJECT,
        f"breakthrough, {simulations:,} simulations",
        "MB",
        Spread(added, added, added),
        target=CAP_MB * 1.1,
        at_most=True,
        parts={"tree MB": found["tree_mb"], "process MB": found["peak_mb"], "seconds": found["seconds"]},
        note=note,
    )
