"""Every Python block of the documentation runs, page by page, in the order in which a reader meets it."""

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

import treewise

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """All pages but those of games that this build was told to leave out."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path for path in found if path.parent.name != "games" or path.stem in {"index", *treewise.game_names()}]


def pieces(text: str) -> list[tuple[int, bool, str]]:
    """(line, whether it is a Python block, text) of all blocks and of the prose between them."""
    found, end = [], 0
    for match in FENCE.finditer(text):
        found.append((text.count("\n", 0, end), False, text[end : match.start()]))
        if match[1] == "python":
            found.append((text.count("\n", 0, match.start(2)), True, match[2]))
        end = match.end()
    return [*found, (text.count("\n", 0, end), False, text[end:])]


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_page(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for line, is_python, text in pieces(path.read_text(encoding="utf-8")):
        if ">>>" in text:
            test = doctest.DocTestParser().get_doctest(text, namespace, path.name, str(path), line)
            test.globs = namespace  # not a copy: later blocks go on with it
            report: list[str] = []
            runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
            runner.run(test, out=report.append, clear_globs=False)
            assert runner.failures == 0, "".join(report)
        elif is_python:
            exec(compile("\n" * line + text, str(path), "exec"), namespace)
    namespace.clear()  # a search that holds an object of the page, which holds the page, is beyond Python's collector
