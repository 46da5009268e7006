"""The documentation builds without a warning, and everything in the catalogues has its page."""

import doctest
import html
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import treewise
from treewise.part import part_classes

ROOT = Path(__file__).parents[2]
PARTS = [
    (family, name)
    for family, parts in part_classes().items()
    for name, cls in parts.items()
    if cls.__module__.startswith("treewise.")
]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(target)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(Path(entry).resolve()) for entry in sys.path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    return target


@pytest.mark.parametrize(("family", "name"), PARTS)
def test_every_part_has_a_page(site: Path, family: str, name: str) -> None:
    page = (site / "parts" / family / name / "index.html").read_text(encoding="utf-8")
    assert part_classes()[family][name].__name__ in page
    assert f'id="{family}"' in (site / "parts" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", treewise.game_names())
def test_every_game_has_a_page(site: Path, name: str) -> None:
    assert (ROOT / "docs" / "games" / f"{name}.md").exists(), f"write docs/games/{name}.md"
    page = (site / "games" / name / "index.html").read_text(encoding="utf-8")
    for parameter in treewise.load_game(name).parameters:
        assert f"<code>{parameter}</code>" in page, f"docs/games/{name}.md has no line <!-- parameters -->"
    assert f'href="{name}/"' in (site / "games" / "index.html").read_text(encoding="utf-8")


def test_examples_of_parts_run_as_shown(site: Path) -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    for page in (site / "parts").rglob("index.html"):
        for block in re.findall(r"<pre[^>]*>(.*?)</pre>", page.read_text(encoding="utf-8"), re.DOTALL):
            text = html.unescape(re.sub(r"<[^>]+>", "", block))
            runner.run(parser.get_doctest(text + "\n", {}, str(page), str(page), 0))
    assert runner.tries > len(PARTS)
    assert runner.failures == 0


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        tags = re.findall(r"<(?:script|img|iframe|link)\b[^>]*>", page.read_text(encoding="utf-8"))
        fetched = [tag for tag in tags if re.search(r"(?:src|href)=\"?(?:https?:)?//", tag)]
        assert not fetched, f"{page}: {fetched}"


@pytest.mark.parametrize("name", ["small", "alone", "own"])
def test_the_page_of_the_laboratory_shows_the_experiments_as_they_are(name: str) -> None:
    page = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
    file = (ROOT / "examples" / "experiments" / f"{name}.toml").read_text(encoding="utf-8")
    assert f"```toml\n{file}```" in page
