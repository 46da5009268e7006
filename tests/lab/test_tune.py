"""Tuning: ranges, what is refused, hopeless trials, resuming after anything, the honest measure, plots, the command."""

from __future__ import annotations

import errno
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from small_experiments import Here

from treewise.cli import main
from treewise.extras import how_to_install
from treewise.lab import Candidates, LocalExecutor, StoreError, Tuning, load, tune
from treewise.lab.executor import FinishedMatch, Result
from treewise.lab.origin import origin
from treewise.lab.ranges import Choices, Numbers, parse_range
from treewise.lab.schedule import PlannedMatch
from treewise.lab.store import Store
from treewise.lab.tune import Progress, Trial, _Hopeless, _Pairs
from treewise.lab.tune_plot import draw
from treewise.match import MatchRecord

GAME, BASE, SMALL = "tic_tac_toe", "uct(c=1.0)", "simulations(10)"
PLAIN = Candidates(GAME, "uct(c={c})", BASE, {"c": "0:2"}, budget=SMALL, seed=5)
MANY = Candidates(
    GAME,
    "mcts(selection=ucb1(c={c}), playout={p}, memory_mb={m})",
    BASE,
    {"c": "0.1:10:log", "p": "uniform|mast", "m": "1:4:int"},
    budget=SMALL,
)


class Made(Here):
    """Makes results up: the closer c is to 1, the more often the search with it wins against the base with c = 77."""

    def results(self, timeout: float) -> list[Result]:
        played, self.queue = self.queue, []
        return [self.make(match) for match in played]

    def make(self, match: PlannedMatch) -> FinishedMatch:
        values = [float(re.findall(r"c=([\d.e-]+)", text)[0]) for text in match.searches]
        seat = values.index(77.0) ^ 1
        wins = random.Random(match.seed * 2 + seat).random() < 0.9 - 0.4 * abs(values[seat] - 1)
        returns = (1.0, -1.0) if wins == (seat == 0) else (-1.0, 1.0)
        record = MatchRecord(returns, 5, (0.0, 0.0), (1, 1), (1,), match.seed, False, (1, 1))
        return FinishedMatch(match, record, origin())


MADE = Candidates(GAME, "uct(c={c})", "uct(c=77.0)", {"c": "0:3"}, budget=SMALL, seed=2)


def tune_here(candidates: Candidates, store: Path, executor: Here | None = None, **options: Any) -> Tuning:
    return tune(candidates, store, executor or Here(), **{"trials": 4, "matches": 4} | options)


# ---- what may be tried


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("5", "cannot read the range '5'; write LOW:HIGH, LOW:HIGH:int, LOW:HIGH:log or ONE|ANOTHER"),
        ("1:2:exp", "cannot read the range '1:2:exp'; write"),
        ("a:2", "its ends must be numbers"),
        ("2:1", "the first number must be less than the second"),
        ("0:inf", "its ends must be finite"),
        ("nan:1", "its ends must be finite"),
        ("1:99999999999999999999:int", "must be between -2^53 and 2^53"),
        ("0.5:3:int", "the ends of an int range must be whole numbers"),
        ("0:1:log", "a log range must begin above 0"),
        ("a||b", "empty or there twice"),
        ("a|b|a", "empty or there twice"),
    ],
)
def test_ranges_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_range(text)


def test_suggested_values_are_short_and_inside() -> None:
    low = SimpleNamespace(suggest_float=lambda name, low, high, log: low + 1e-9)
    assert Numbers(0.123446, 1.0).suggest(low, "c") == 0.123446
    middle = SimpleNamespace(suggest_float=lambda name, low, high, log: 0.777777, suggest_int=lambda *a, log: 3)
    assert Numbers(0.1, 1.0).suggest(middle, "c") == 0.7778
    assert repr(Numbers(1, 4, whole=True, log=True).suggest(middle, "c")) == "3"
    assert Choices(("a", "b")).ends() == ("a", "b")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"search": "uct(c=1.0)"}, "the search has nothing to tune: write a name in braces"),
        ({"ranges": {}}, "no range for {c}: give one, such as c=0.5:10"),
        ({"ranges": {"c": "0:1", "cc": "0:1"}}, "a range for 'cc', but the search has no {cc}; did you mean 'c'?"),
        ({"ranges": {"c": "-3:1"}}, "c = -3.0 cannot be tried: ucb1: c must be between 0 and inf, not -3.0"),
        ({"ranges": {"c": "1|x"}}, "c = x cannot be tried: "),
        ({"search": "mcts(max_length={c})"}, "c = 0.0 cannot be tried: mcts: max_length must be a whole number"),
        ({"search": "mcts(bonus=[quality_bonus(k={c})])"}, "needs the capability 'quality', which tic_tac_toe"),
        ({"against": "utc"}, "entrant 'base': unknown search 'utc'; did you mean 'uct'?"),
        ({"game": "tic_tac"}, "tic_tac: game: "),
        ({"budget": "simulation(9)"}, "budgets: simulation(9): unknown limit 'simulation'"),
        ({"budget": "seconds(0)"}, "budgets: seconds(0): 'seconds(seconds=0.0)' ends a search before its first"),
        ({"seed": -1}, "the seed must be from 0 to 18446744073709551615, not -1"),
        ({"seed": 2**64}, "the seed must be from 0 to 18446744073709551615, not 18446744073709551616"),
        ({"opening": -1}, "tic_tac_toe: 'opening' must be from 0 to 1,000 random steps, not -1"),
        (
            {"search": "mcts(limit=simulations({c}))", "ranges": {"c": "1:9:int"}},
            "c changes nothing: the search is the same at both ends of its range. The budget, simulations(1000),",
        ),
    ],
)
def test_what_cannot_be_tuned_is_told_before_anything_is_played(changes: dict[str, Any], message: str) -> None:
    given = {"game": GAME, "search": "uct(c={c})", "against": BASE, "ranges": {"c": "0:2"}} | changes
    with pytest.raises(ValueError, match=re.escape(message)):
        Candidates(**given)


def test_numbers_of_trials_and_matches(tmp_path: Path) -> None:
    for wrong in ({"trials": 0}, {"matches": 3}, {"matches": 0}, {"confirm": 5}):
        with pytest.raises(ValueError, match="even numbers of matches"):
            tune_here(PLAIN, tmp_path / "a.sqlite", **wrong)


# ---- trials


def test_a_peak_is_found(tmp_path: Path) -> None:
    tuning = tune(MADE, tmp_path / "a.sqlite", Made(capacity=8), trials=40, matches=40, confirm=400)
    assert distance([tuning.best]) < 0.3
    assert tuning.confirmation is not None
    low, high = tuning.confirmation.interval
    assert low < 0.9 - 0.4 * distance([tuning.best]) < high
    stopped, others = ([trial for trial in tuning.trials if trial.stopped == which] for which in (True, False))
    assert all(8 <= len(trial.scores) < 40 for trial in stopped)
    assert all(len(trial.scores) == 40 for trial in others)
    assert distance(stopped) > 0.5 > distance(others)


def distance(trials: Sequence[Trial]) -> float:
    """From the peak, on average."""
    return sum(abs(float(trial.values["c"]) - 1) for trial in trials) / len(trials)


def test_the_ranking_has_each_search_once(tmp_path: Path) -> None:
    candidates = Candidates(GAME, "mcts(playout={p})", BASE, {"p": "uniform|mast"}, budget=SMALL)
    executor = Here()
    tuning = tune_here(candidates, tmp_path / "a.sqlite", executor, trials=8)
    assert (len(tuning.trials), len(tuning.ranking)) == (8, 2)
    assert len(executor.submitted) == 8
    assert tuning.ranking[0] is tuning.best
    assert tuning.best.rate == max(trial.rate for trial in tuning.trials)


def pairs_told(order: Sequence[int], scores: Sequence[float], stop_at: float = -1.0) -> tuple[list[Any], str]:
    told: list[tuple[float, int]] = []
    proposed = SimpleNamespace(
        report=lambda rate, pair: told.append((rate, pair)), should_prune=lambda: told[-1][0] <= stop_at
    )
    pairs = _Pairs(proposed, len(scores) // 2)
    for index in order:
        pairs.add(index, scores[index])
    return told, pairs.decision


def test_pairs_are_told_in_the_order_of_the_schedule() -> None:
    scores = [1.0, 0.0, 0.0, 0.0, 1.0, 1.0]
    expected = [(0.5, 1), (0.25, 2), (0.5, 3)]
    for order in ([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [2, 3, 0, 4, 5, 1]):
        assert pairs_told(order, scores) == (expected, "go on")
        assert pairs_told(order, scores, stop_at=0.25) == (expected[:2], "stopped")
    assert pairs_told(range(6), [0.0] * 6, stop_at=-1.0)[1] == "go on"
    assert pairs_told(range(2), [0.0] * 2, stop_at=1.0)[1] == "go on"  # it is finished: nothing is left to stop


def test_what_is_hopeless() -> None:
    def hopeless(rate: float, pairs: int, *complete: float) -> bool:
        done = [SimpleNamespace(value=value) for value in complete]
        study = SimpleNamespace(get_trials=lambda deepcopy, states: done)
        return _Hopeless(40).prune(study, SimpleNamespace(last_step=pairs, intermediate_values={pairs: rate}))

    assert not hopeless(0.0, 10)  # nothing to compare with
    assert not hopeless(0.0, 3, 0.9)  # too early
    assert hopeless(0.0, 4, 0.9)
    assert hopeless(0.25, 8, 0.3, 0.7)  # 10.2 to 49.5 % against 54.6 to 81.9 %
    assert not hopeless(0.3125, 8, 0.3, 0.7)  # 14.2 to 55.6 %


# ---- the store


def test_nothing_is_played_twice_and_more_is_added(tmp_path: Path) -> None:
    store, first, again, more = tmp_path / "a.sqlite", Here(), Here(), Here()
    tuning = tune_here(PLAIN, store, first)
    assert len({match.key for match in first.submitted}) == len(first.submitted) == 16
    assert tune_here(PLAIN, store, again) == tuning
    assert again.submitted == []
    longer = tune_here(PLAIN, store, more, trials=6, confirm=6)
    assert longer.trials[:4] == tuning.trials
    assert len(more.submitted) == 8 + 6


def test_the_confirmation_has_fresh_seeds(tmp_path: Path) -> None:
    executor = Here()
    tuning = tune_here(PLAIN, tmp_path / "a.sqlite", executor, trials=2, confirm=8)
    assert tuning.confirmation is not None
    assert (tuning.confirmation.values, len(tuning.confirmation.scores)) == (tuning.best.values, 8)
    seeds = [{match.seed for match in found} for found in (executor.submitted[:8], executor.submitted[8:])]
    assert not seeds[0] & seeds[1]
    assert len(seeds[1]) == 4  # a pair shares one


def test_neither_the_number_of_workers_nor_the_order_matters(tmp_path: Path) -> None:
    one, many = Made(capacity=1), Made(capacity=7)
    expected = tune(MADE, tmp_path / "one.sqlite", one, trials=12, matches=20)
    assert tune(MADE, tmp_path / "many.sqlite", many, trials=12, matches=20) == expected
    assert len(many.submitted) > len(one.submitted)  # some were under way when their trial was stopped
    executor = LocalExecutor(2)
    try:
        there = tune(PLAIN, tmp_path / "there.sqlite", executor, trials=3, matches=4)
    finally:
        executor.close()
    assert there == tune_here(PLAIN, tmp_path / "here.sqlite", trials=3)


def test_a_report_can_be_made_of_the_trials(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    tuning = tune(MADE, store, Made(), trials=12, matches=20)
    assert any(trial.stopped for trial in tuning.trials)
    outcome = load(store)
    assert (outcome.name, outcome.pairing, outcome.parameter) == (MADE.name, "sweep", "c")
    found = [(each.cell.value, tuple(played.score for played in each.played)) for each in outcome.cells]
    assert found == [(trial.values["c"], trial.scores) for trial in tuning.ranking]
    assert outcome.cells[0].cell.a == f"tuned, c = {tuning.best.values['c']}"


@pytest.mark.parametrize("after", [0, 2, 9])
def test_a_tuning_that_is_stopped_keeps_its_trials(tmp_path: Path, after: int) -> None:
    """In the middle of a trial: status and reports have all that were played, and that one."""
    store = tmp_path / "a.sqlite"

    def stop(now: Progress) -> None:
        if len(now.finished) == after and now.played == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune_here(PLAIN, store, trials=12, report=stop)
    outcome = load(store)
    played = sorted(len(each.played) for each in outcome.cells)
    assert played == [2, *[4] * after]
    assert {each.cell.matches for each in outcome.cells} == {4}
    tune_here(PLAIN, store, trials=12)
    assert len(load(store).cells) == 12


def test_many_trials_do_not_fill_the_disk(tmp_path: Path) -> None:
    """What was tried is kept anew when it has grown by a tenth, and not at all where it is known."""
    store = tmp_path / "a.sqlite"
    tune(MADE, store, Made(), trials=60, matches=2)
    with Store(store) as opened:
        rows = opened.database.connection.execute("SELECT count(*) FROM experiment").fetchone()[0]
    assert rows < 40
    tune(MADE, store, Made(), trials=60, matches=2)
    with Store(store) as opened:
        assert opened.database.connection.execute("SELECT count(*) FROM experiment").fetchone()[0] == rows


def test_several_parameters(tmp_path: Path) -> None:
    tuning = tune_here(MANY, tmp_path / "a.sqlite", trials=12)
    assert {trial.values["p"] for trial in tuning.trials} == {"uniform", "mast"}
    assert {trial.values["m"] for trial in tuning.trials} <= {1, 2, 3, 4}
    assert all(0.1 <= float(trial.values["c"]) <= 10 for trial in tuning.trials)
    first = tuning.trials[0]
    assert first.text == MANY.text(first.values)
    assert load(tmp_path / "a.sqlite").pairing == "gauntlet"


def test_progress_is_told(tmp_path: Path) -> None:
    seen: list[Progress] = []
    tuning = tune_here(PLAIN, tmp_path / "a.sqlite", report=seen.append)
    assert [(len(now.finished), now.played) for now in seen] == [
        (trial, done) for trial in range(4) for done in range(5)
    ]
    assert seen[0].best is None
    assert seen[-1].best == max(tuning.trials[:3], key=lambda trial: trial.rate)


# ---- pictures


def test_plots(tmp_path: Path) -> None:
    tuning = tune_here(MANY, tmp_path / "a.sqlite", confirm=4)
    for name in ("a.svg", "b.svg", "c.png"):
        draw(tuning, tmp_path / name)
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert svg == (tmp_path / "b.svg").read_text(encoding="utf-8")
    texts = set(re.findall(r">([^<>]+)</text>", svg))
    assert {"c", "p", "m", "uniform", "mast", "win rate, %", "complete", "best", "confirmation"} <= texts
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


# ---- the command

COMMAND = ["tune", GAME, "uct(c={c})", "--against", BASE, "--range", "c=0:2", "--budget", SMALL]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, picture = tmp_path / "a.sqlite", tmp_path / "a.svg"
    counts = ["--trials", "4", "--matches", "4", "--seed", "5", "--store", str(store), "--processes", "1"]
    assert main([*COMMAND, *counts, "--confirm", "6", "--plot", str(picture)]) == 0
    out = capsys.readouterr().out
    tuning = tune_here(PLAIN, store, confirm=6)
    best = tuning.best
    assert f"Best of 4 trials: c = {best.values['c']}, as in {best.text}\n" in out
    assert tuning.confirmation is not None
    assert f"In 6 matches with fresh seeds it wins {100 * tuning.confirmation.rate:.1f} % (" in out
    for trial in tuning.trials:
        low, high = trial.interval
        cells = (str(trial.number), str(trial.values["c"]), "4", f"{100 * trial.rate:.1f} %")
        row = r" │ *".join(map(re.escape, [*cells, f"{100 * low:.1f} % to {100 * high:.1f} %"]))
        assert re.search(row, out), row
    assert "svg" in picture.read_text(encoding="utf-8")
    assert main([*COMMAND, *counts]) == 0
    assert "is optimistic: the best of many is lucky as well as good. Add --confirm 200" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--range", "c"], "'c' is not NAME=RANGE, such as k=0.5:10"),
        (["--range", "c=0:1"], "a name has two ranges: give one"),
        (["--range", "k=0:1"], "a range for 'k', but the search has no {k}; known: c"),
        (["--matches", "3"], "3 is odd, but matches are played in pairs"),
        (["--plot", "a.pdf"], "a.pdf: the name of a plot must end in .svg or .png"),
        (["--plot", "no_folder/k.svg"], "no_folder/k.svg: there is no folder no_folder"),
        (["--opening", "20"], "tic_tac_toe: opening = 20: a match has no more than 9 steps"),
        (["--opening", "2000"], "'opening' must be from 0 to 1,000 random steps, not 2000"),
        (["--budget", "minutes(1)"], "unknown limit 'minutes'"),
    ],
)
def test_wrong_arguments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    store = tmp_path / "a.sqlite"
    assert main([*COMMAND, "--store", str(store), *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not store.exists()


@pytest.mark.parametrize("library", ["optuna", "statsmodels"])
def test_without_the_extra(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    store = tmp_path / "a.sqlite"
    assert main([*COMMAND, "--store", str(store), "--processes", "1"]) == 2
    assert capsys.readouterr().err == f"treewise tune: the laboratory needs {library}: {how_to_install('tune')}\n"
    assert not store.exists()


def test_a_picture_that_cannot_be_made_is_told_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store, picture = tmp_path / "a.sqlite", tmp_path / "k.svg"
    command = [*COMMAND, "--store", str(store), "--processes", "1", "--plot", str(picture)]
    with monkeypatch.context() as missing:
        missing.setitem(sys.modules, "matplotlib.figure", None)
        assert main(command) == 2
    assert capsys.readouterr().err == f"treewise tune: the laboratory needs matplotlib: {how_to_install('tune')}\n"
    picture.mkdir()
    assert main(command) == 2
    assert capsys.readouterr().err == f"treewise tune: {picture} was not written: it is a folder\n"
    assert list(tmp_path.iterdir()) == [picture]


def test_a_picture_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tuning, picture = tune_here(PLAIN, tmp_path / "a.sqlite"), tmp_path / "k.svg"
    draw(tuning, picture)
    before = picture.read_bytes()

    def fail(place: Path, text: str, encoding: str) -> None:
        place.write_bytes(text[:100].encode())
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(OSError, match=r"k\.svg was not written: the disk is full$"):
        draw(tuning, picture)
    assert picture.read_bytes() == before


def start(store: Path) -> subprocess.Popen[str]:
    options = ["--trials", "4", "--matches", "6", "--seed", "5", "--store", str(store), "--processes", "1"]
    slower = [argument.replace(SMALL, "simulations(1000)") for argument in COMMAND]
    command = [sys.executable, "-W", "ignore", "-m", "treewise", *slower, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(count: int, store: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while True:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        with suppress(StoreError), Store(store) as opened:
            if len(opened.endings()) >= count:
                return
        time.sleep(0.01)


def test_kill_9_and_ctrl_c_change_nothing(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    killed = start(store)
    wait_for(3, store, killed)
    killed.kill()
    killed.communicate()
    interrupted = start(store)
    wait_for(13, store, interrupted)
    interrupted.send_signal(signal.SIGINT)
    out, error = interrupted.communicate(timeout=60)
    assert (interrupted.returncode, error) == (130, "")
    assert f"stopped; what was finished is in {store}. To go on: treewise tune {GAME}" in out
    candidates = Candidates(GAME, "uct(c={c})", BASE, {"c": "0:2"}, budget="simulations(1000)", seed=5)
    executor = Here()
    resumed = tune_here(candidates, store, executor, trials=4, matches=6)
    assert 0 < len(executor.submitted) <= 24 - 13
    assert resumed == tune_here(candidates, tmp_path / "undisturbed.sqlite", trials=4, matches=6)
