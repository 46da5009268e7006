"""Games in files of the user's: how they are loaded, and what their mistakes look like on the screen."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from treewise import spec
from treewise.cli import main
from treewise.own import find

SOUND = """
class Sound:
    def __init__(self): self.n = 0
    def current_player(self): return self.n % 2
    def legal_actions(self): return [0, 1] if self.n < 4 else []
    def apply(self, action):
        if action not in self.legal_actions(): raise ValueError("no")
        self.n += 1
    def is_terminal(self): return self.n >= 4
    def returns(self): return [1.0, -1.0] if self.n >= 4 else [0.0, 0.0]
    def clone(self):
        copy = type(self)()
        copy.n = self.n
        return copy
"""
DEEP = """
class Deep(Sound):
    def apply(self, action):
        super().apply(action)
        if self.n == 3: raise KeyError("deep")
class Early(Sound):
    def __init__(self): raise ZeroDivisionError
class Quits(Sound):
    def apply(self, action): raise SystemExit
class Refuses(Sound):
    def apply(self, action): raise ValueError("too\\nlate")
class Alarm(BaseException): pass
class Alarms(Sound):
    def apply(self, action): raise Alarm("fire")
class Interrupts(Sound):
    def apply(self, action): raise KeyboardInterrupt
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to run in; what is imported from it is forgotten."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


COMMANDS = [
    ["search", "--simulations", "50"],
    ["match", "uct", "uct", "--matches", "2", "--simulations", "20"],
    ["play", "--simulations", "20"],
    ["bench", "--seconds", "0.02", "--repeats", "1"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Deep", "KeyError in apply(), game.py:19: 'deep'"),
        ("Early", "game.py:Early: ZeroDivisionError in __init__(), game.py:21"),
        ("Quits", "SystemExit in apply(), game.py:23"),
        ("Refuses", "ValueError in apply(), game.py:25: too late"),
        ("Alarms", "Alarm in apply(), game.py:28: fire"),
    ],
)
def test_errors_of_a_game_take_one_line_that_says_where(
    command: list[str],
    name: str,
    message: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (folder / "game.py").write_text(SOUND + DEEP, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("0\n" * 4))
    assert main([command[0], f"game.py:{name}", *command[1:]]) == 2
    assert capsys.readouterr().err == f"treewise {command[0]}: {message}\n"


def test_what_is_no_exception_of_the_usual_kind_ends_a_check_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "game.py").write_text(SOUND + DEEP, encoding="utf-8")
    assert main(["check", "game.py:Alarms"]) == 2
    assert capsys.readouterr().err == "treewise check: Alarm in apply(), game.py:28: fire\n"
    assert main(["check", "game.py:Interrupts"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_the_traceback_is_shown_on_request(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "game.py").write_text(SOUND + DEEP, encoding="utf-8")
    monkeypatch.setenv("TREEWISE_TRACEBACK", "1")
    assert main(["search", "game.py:Early"]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback (most recent call last):\n")
    assert shown.endswith("treewise search: game.py:Early: ZeroDivisionError in __init__(), game.py:21\n")
    assert main(["--help"]) == 0
    assert "TREEWISE_TRACEBACK=1" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["check", "search"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import sys; sys.exit()", "game.py cannot be imported: SystemExit in game.py:1"),
        ("import sys; sys.exit('bye')", "game.py cannot be imported: SystemExit in game.py:1: bye"),
        ("import sys; sys.exit(0)", "game.py cannot be imported: SystemExit in game.py:1: 0"),
        ("\n{}[1]", "game.py cannot be imported: KeyError in game.py:2: 1"),
        ("class", "game.py cannot be imported: SyntaxError: invalid syntax (game.py, line 1)"),
        ("Nin = 1", "game.py has no 'Nim'; did you mean 'Nin'?"),
    ],
)
def test_files_that_cannot_be_loaded(
    command: str, text: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "game.py").write_text(text, encoding="utf-8")
    assert main([command, "game.py:Nim"]) == 2
    assert capsys.readouterr().err == f"treewise {command}: {message}\n"


@pytest.mark.parametrize("text", [":", "game.py:", ":Nim", "game:"])
def test_half_a_name(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", text]) == 2
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert "NAME" in shown


def test_a_file_imports_its_neighbours_also_later(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "neighbour.py").write_text(SOUND, encoding="utf-8")
    (folder / "elsewhere" / "later.py").write_text("N = 2", encoding="utf-8")
    lazy = "def current_player(self):\n        import later\n        return self.n % later.N"
    game = f"from neighbour import Sound\nclass Game(Sound):\n    {lazy}\n"
    (folder / "elsewhere" / "game.py").write_text(game, encoding="utf-8")
    assert main(["search", "elsewhere/game.py:Game", "--simulations", "20"]) == 0
    capsys.readouterr()


def test_a_file_may_be_called_like_another_module(folder: Path) -> None:
    """Its classes must find their own module by its name, and the other module must stay what it is."""
    fields = "board: 'dataclasses.KW_ONLY'\n    n: int = {}"
    text = f"import dataclasses\n@dataclasses.dataclass\nclass Game:\n    {fields}"
    first, second = folder / "statistics.py", folder / "other" / "statistics.py"
    second.parent.mkdir()
    first.write_text(text.format(1), encoding="utf-8")
    second.write_text(text.format(2), encoding="utf-8")
    before = sys.modules.get("statistics")
    made = [find(spec.Call("Game", file=str(path))).get("Game") for path in (first, second)]
    assert [kind().n for kind in made] == [1, 2]
    assert [sys.modules[kind.__module__].Game for kind in made] == made
    assert sys.modules.get("statistics") is before
