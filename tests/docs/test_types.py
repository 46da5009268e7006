"""What the README, the pages and the examples show checks under `mypy --strict`, as a reader would write it."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from pathlib import Path

import pytest

import treewise

from .test_examples import ROOT, pages, pieces

COMPILED = "compiled.game("
"""Rules that Numba compiles are no typed Python: fields hold machine numbers, and mypy does not see that the decorator
makes a game of the class."""
LEFT_OUT = '# mypy: disable-error-code="no-untyped-def,no-untyped-call"\n'
"""Classes on the pages are written without annotations, as most people write a first one; their bodies are checked."""

TYPICAL = """
import treewise

state = treewise.load_game("hex").initial_state()
result = treewise.uct().run(state)


def best(result: treewise.Result) -> int:
    return result.action


names = [state.action_name(action) for action in result.visits]
shares: list[float] = [result.policy[child.action] for child in result.children]
most = max(result.visits, key=lambda action: result.visits[action])
value: float = result.values.get(most, 0.0)
state.apply(result.action)
for step in result.line:
    print(state.action_name(step))
joint = treewise.uct().run(treewise.load_game("goofspiel").initial_state())
mine, yours = joint.action
print(joint.visits[0, mine], len(joint.action), [player for player, action in joint.policy])
record = treewise.play_match("hex", [treewise.uct(), treewise.uct()])
for step in record.actions:
    state.apply(step)
"""
WRONG = {
    'result.action + "a"': "operator",
    "result.visits['a']": "index",
    "result.stats.simulation": "attr-defined",
    "treewise.uct(c='much')": "arg-type",
}


def strictly(folder: Path, *files: Path) -> str:
    """What mypy says of some files."""
    sources = ROOT / "src"  # where it is installed, mypy finds it by itself
    used = [sources] if Path(str(treewise.__file__)).is_relative_to(sources) else []
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(ROOT / ".mypy_cache" / "samples")]
    environment = {**os.environ, "MYPYPATH": os.pathsep.join(map(str, [*used, folder]))}
    run = [*command, "--config-file", str(ROOT / "pyproject.toml"), *map(str, files)]
    return subprocess.run(run, capture_output=True, text=True, cwd=folder, env=environment).stdout


def samples(folder: Path) -> list[Path]:
    """The Python blocks and doctests of each page in a file of its own."""
    made = []
    for page in pages():
        text = LEFT_OUT if page.parent != ROOT else ""
        for _, is_python, piece in pieces(page.read_text(encoding="utf-8")):
            if ">>>" in piece:
                examples = doctest.DocTestParser().get_examples(piece)
                text += "".join(example.source for example in examples if example.exc_msg is None)
            elif is_python and COMPILED not in piece:
                text += piece
        file = folder / f"{'_'.join(page.relative_to(ROOT).with_suffix('').parts)}.py"
        if text not in ("", LEFT_OUT):
            file.write_text(text, encoding="utf-8")
            made.append(file)
    return made


def test_samples_and_examples_check(tmp_path: Path) -> None:
    found = sorted((ROOT / "examples").glob("*.py"))
    typed = [path for path in found if COMPILED not in path.read_text(encoding="utf-8")]
    shown = samples(tmp_path)
    assert tmp_path / "README.py" in shown
    assert len(shown) > 5 < len(typed)
    typical = tmp_path / "typical.py"
    typical.write_text(TYPICAL, encoding="utf-8")
    files = len(shown) + len(typed) + 1
    assert strictly(tmp_path, *shown, typical, *typed) == f"Success: no issues found in {files} source files\n"


@pytest.mark.parametrize("line", WRONG)
def test_what_is_wrong_is_still_found(line: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(f"import treewise\nresult = treewise.uct().run(0)\n{line}\n", encoding="utf-8")
    found = strictly(tmp_path, file)
    assert f"[{WRONG[line]}]" in found
    assert "Found 1 error" in found
