"""Compiled games that are pickled, and machine code that is kept."""

import copy
import dataclasses
import gc
import os
import pickle
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import treewise
from treewise.compiled import CompiledGame
from treewise.extras import how_to_install

pytest.importorskip("numba")

from compiled_breakthrough import Breakthrough

from compiled_faults import Broken, with_functions


def test_pickled_by_name() -> None:
    assert pickle.loads(pickle.dumps(Breakthrough)) is Breakthrough
    assert copy.deepcopy(Breakthrough) is Breakthrough
    with pytest.raises(pickle.PicklingError, match="top of a module"):
        pickle.dumps(with_functions())


def test_the_game_lives_as_long_as_its_states() -> None:
    state = with_functions().parse_state("")
    gc.collect()
    assert treewise.perft(state, 3) == 27
    assert isinstance(state.game, CompiledGame)
    assert state.game.twin.num_players == 2


FACTOR = 3


def scaled(s: Any) -> Any:
    return s.left * FACTOR <= 0


def test_code_is_kept_between_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from treewise.compiled import cache, machine

    monkeypatch.setenv("TREEWISE_CACHE_DIR", str(tmp_path))
    first = with_functions(is_terminal=scaled)
    (file,) = tmp_path.iterdir()
    expected = treewise.perft(first.parse_state(""), 5)
    monkeypatch.setattr(machine, "_compile_rules", lambda *_: pytest.fail("compiled again"))
    monkeypatch.setattr(cache, "_loaded", {})
    assert treewise.perft(with_functions(is_terminal=scaled).parse_state(""), 5) == expected
    for damaged in (
        file.read_text()[:5000],
        "{}",
        file.read_text().replace('"machine": "', '"machine": "AAAA'),
    ):
        file.write_text(damaged)
        monkeypatch.setattr(cache, "_loaded", {})
        assert cache.load(file.stem) is None
    monkeypatch.setenv("TREEWISE_CACHE_DIR", "")
    assert cache.load(file.stem) is None


def test_the_key_covers_what_the_rules_use() -> None:
    from treewise.compiled import cache

    def key(end: Any) -> str | None:
        functions = Broken.twin.rules.functions | {"is_terminal": end}
        return cache.key_of(dataclasses.replace(Broken.twin.rules, functions=functions), ())

    def change(scope: dict[str, Any]) -> Any:
        return FunctionType(scaled.__code__, scaled.__globals__ | scope, "scaled")

    def make(limit: Any) -> Any:
        def end(s: Any) -> Any:
            return s.left <= limit

        return end

    assert key(scaled) == key(change({}))
    assert key(scaled) != key(change({"FACTOR": 4}))
    assert key(change({"FACTOR": np.int8(3)})) != key(change({"FACTOR": np.int16(3)}))
    assert key(make(1)) == key(make(1)) != key(make(2))
    assert key(make(make(1))) != key(make(make(2)))
    assert key(change({"FACTOR": object()})) is None


def test_no_text_form() -> None:
    with pytest.raises(ValueError, match="no text form"):
        treewise.game_text(Breakthrough)


def test_without_numba_the_message_says_what_to_install() -> None:
    code = "import sys; sys.modules['numba'] = None\nfrom compiled_breakthrough import Breakthrough"
    path = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=path, check=False)
    assert f"ImportError: compiled games need Numba: {how_to_install('compile')}" in done.stderr
