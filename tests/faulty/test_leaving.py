"""The interpreter leaves, or the process forks, while threads search with code written in Python."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

SUBJECTS = {
    "game": "treewise.uct().replace(limit=FOREVER).run(Nim())",
    "many_runs": "treewise.uct(simulations=3).run(Nim())",
    "threads": "treewise.uct().replace(limit=FOREVER, parallel=parallel.Tree(threads=3)).run(Nim())",
    "leaf": "treewise.uct().replace(limit=FOREVER, parallel=parallel.Leaf(threads=3)).run(Nim())",
    "evaluator": "Search(evaluator=Evaluates(), limit=FOREVER).run(board)",
    "playout": "Search(playout=Chooses(), limit=FOREVER).run(board)",
    "perft": "treewise.game.perft(treewise.load_game('hex').initial_state(), 6)",
    "sleeping": "Search(evaluator=Sleeps(), limit=FOREVER).run(board)",
}

COMMON = """
import os, sys, threading, time
import treewise
from python_game import Nim
from treewise import Search, limit, parallel

FOREVER = limit.Seconds(1000)
board = treewise.load_game("tic_tac_toe").initial_state()
asked = threading.Event()

class Evaluates:
    def evaluate(self, states):
        asked.set()
        return [[0.0, 0.0] for _ in states]

class Sleeps(Evaluates):
    def evaluate(self, states):
        asked.set()
        time.sleep(4)
        return [[0.0, 0.0] for _ in states]

class Chooses:
    def choose(self, state, actions, rng):
        return rng.choice(actions)
"""

LEAVES = """
def search():
    while True:
        asked.set()
        {subject}

for _ in range(2):
    threading.Thread(target=search, daemon=True).start()
asked.wait()
for _ in range(20):
    sum(range(10**5))  # the others get going
print("left")
"""

LATE = """
import builtins

class Late:
    def __del__(self, sleep=time.sleep):
        sleep(5)  # while the interpreter is torn down, the other thread wakes

builtins.late = Late()
asked.clear()
threading.Thread(target=lambda: {subject}, daemon=True).start()
asked.wait()
print("left")
"""


def run(tmp_path: Path, script: str) -> str:
    path = tmp_path / "script.py"
    path.write_text(COMMON + textwrap.dedent(script))
    done = subprocess.run(
        [sys.executable, str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_interpreter_leaves_while_daemon_threads_search(subject: str, tmp_path: Path) -> None:
    assert run(tmp_path, LEAVES.format(subject=SUBJECTS[subject])) == "left\n"


def test_python_code_that_outlasts_the_patience_at_exit(tmp_path: Path) -> None:
    assert run(tmp_path, LATE.format(subject=SUBJECTS["sleeping"])) == "left\n"


def test_searches_at_exit(tmp_path: Path) -> None:
    """Functions that the interpreter calls when it leaves may search, with threads, too."""
    script = """
    import atexit
    for kind in (parallel.One(), parallel.Tree(threads=2)):
        search = Search(evaluator=Evaluates(), limit=limit.Simulations(50), parallel=kind)
        atexit.register(lambda search=search: print(search.run(board).stats.simulations))
    """
    assert run(tmp_path, script) == "50\n50\n"


FORKS = """
stop = treewise.Stop()
for kind in (parallel.One(), parallel.Tree(threads=4), parallel.Root(threads=4)):
    session = Search(limit=FOREVER, parallel=kind).session()
    threading.Thread(target=session.run, args=(Nim(), stop), daemon=True).start()
for _ in range({forks}):
    time.sleep(0.002)
    child = os.fork()
    if child == 0:
        search = treewise.uct(simulations=20).replace(parallel=parallel.Tree(threads=2))
        os._exit(0 if search.run(Nim()).stats.simulations == 20 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
stop.set()
print("all came back")
"""


def test_forks_while_engine_threads_call_python(tmp_path: Path) -> None:
    """In the child no thread is left that would give back the locks of Python which it had."""
    assert run(tmp_path, FORKS.format(forks=60)) == "all came back\n"


def test_a_fork_inside_a_part(tmp_path: Path) -> None:
    script = """
    class Forks:
        def evaluate(self, states):
            child = os.fork()
            if child == 0:
                os._exit(7)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
            return [[0.0, 0.0] for _ in states]

    for kind in (parallel.One(), parallel.Tree(threads=3)):
        print(Search(evaluator=Forks(), limit=limit.Simulations(20), parallel=kind).run(board).stats.simulations)
    """
    assert run(tmp_path, script) == "20\n20\n"
