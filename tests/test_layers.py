"""The order of the layers: includes and imports point down only; every file has its page, test and place."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CPP = ROOT / "cpp"
PYTHON = ROOT / "src" / "treewise"

# ---- C++

FOLDERS = {
    "base": set(),
    "game": {"base"},
    "games": {"base", "game"},
    "gdl": {"base", "game"},
    "vgdl": {"base", "game"},
    "tree": {"base"},
    "search": {"base", "game", "tree"},
    "bind": {"base", "game", "games", "gdl", "vgdl", "tree", "search"},
    "tests": {"base", "game", "games", "gdl", "vgdl", "tree", "search"},
}
"""What each folder of cpp/ may include besides itself."""

BLIND_TO_GAMES = ["tree", "search/selection", "search/first_play", "search/limit", "search/decision"]
"""They see numbers only: compiled once, not once a game."""

ASSEMBLY = {"search/composition.h", "search/worker.h", "search/search.h"}
"""What is put together from the families of parts; `parallel` works with it, the other families must not see it."""

GENERATED = {"game_list.inc"}


def sources(folder: str) -> list[Path]:
    return sorted(path for path in (CPP / folder).rglob("*") if path.suffix in {".h", ".cpp"})


def includes(path: Path) -> list[str]:
    found = re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    return [name for name in found if name not in GENERATED]


def all_includes(path: Path) -> set[str]:
    """The headers of the engine that a file sees, directly or through others."""
    seen: set[str] = set()
    todo = includes(path)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += includes(CPP / name)
    return seen


def cpp_folders() -> list[str]:
    return sorted(path.name for path in CPP.iterdir() if path.is_dir())


@pytest.mark.parametrize("folder", cpp_folders())
def test_includes_point_down(folder: str) -> None:
    assert folder in FOLDERS, f"cpp/{folder} is new: say in FOLDERS what it may include"
    for path in sources(folder):
        for name in includes(path):
            assert (CPP / name).exists(), f"{path} includes {name} by another path than from cpp/"
            target = name.partition("/")[0]
            assert target == folder or target in FOLDERS[folder], f"{path} looks up at {name}"


@pytest.mark.parametrize("folder", BLIND_TO_GAMES)
def test_blind_to_games(folder: str) -> None:
    assert sources(folder)
    for path in sources(folder):
        seen = [name for name in all_includes(path) if name.startswith(("game/", "games/"))]
        assert not seen, f"{path} sees {seen}, directly or through another header"


def test_parts_do_not_see_the_search() -> None:
    families = [path for path in (CPP / "search").iterdir() if path.is_dir() and path.name != "parallel"]
    for family in families:
        for path in sources(f"search/{family.name}"):
            assert not ASSEMBLY & all_includes(path), f"{path} sees what parts are put together in"


def test_only_bindings_know_python() -> None:
    for folder in set(cpp_folders()) - {"bind"}:
        for path in sources(folder):
            outside = re.findall(r"#\s*include\s+<([^>]+)>", path.read_text(encoding="utf-8"))
            assert not [name for name in outside if name.startswith(("nanobind", "Python"))], path


def test_the_interpreters_lock_is_taken_in_one_way() -> None:
    """nanobind's own classes know neither of forks nor of an interpreter that leaves."""
    for path in sources("bind"):
        text = path.read_text(encoding="utf-8")
        allowed = path.stem == "interpreter"
        assert allowed or not re.search(r"gil_scoped|PyGILState_Ensure|PyEval_SaveThread|ALLOW_THREADS", text), path
        assert path.name == "vectors.h" or "nanobind/stl/vector.h>" not in text, f"{path}: see bind/vectors.h"


def test_readme_lists_folders_in_order() -> None:
    text = (CPP / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE)
    assert set(cpp_folders()) <= set(listed), "every folder of cpp/ needs its line in cpp/README.md"
    for folder in cpp_folders():
        used = {name.partition("/")[0] for path in sources(folder) for name in includes(path)} - {folder}
        assert all(listed.index(name) < listed.index(folder) for name in used), f"{folder} stands before what it uses"


@pytest.mark.parametrize("name", [p.stem for p in sources("games") if p.suffix == ".cpp" and p.stem != "catalogue"])
def test_same_stem_everywhere(name: str) -> None:
    for place in (f"tests/games/test_{name}.py", f"docs/games/{name}.md"):
        assert (ROOT / place).exists(), f"cpp/games/{name}.cpp has no {place}"


# ---- Python

FAMILIES = (
    "selection first_play bonus expansion playout evaluator backup proof decision limit parallel information loop"
)
LAYERS = [
    {"_core", "actions", "extras", "starting", "version", "wording"},
    {"files", "spec"},
    {"own"},
    {"game", "own_game"},
    {"compiled"},
    {"games", "gdl", "vgdl"},
    {"part", "own_part"},
    set(FAMILIES.split()),
    {"tree"},
    {"remarks"},
    {"result"},
    {"search"},
    {"own_search"},
    {"compositions"},
    {"testing", "nets", "adapters", "match", "processes"},
    {"lab", "comparison"},
    {"ggp"},
    {"cli", "web"},
    {"__init__", "__main__"},
]
"""Modules and packages of treewise from the lowest to the highest; those of one layer may import each other."""

RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}


def modules() -> list[str]:
    return sorted(path.relative_to(PYTHON).as_posix() for path in PYTHON.rglob("*.py"))


def running(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """All nodes but those that only a type checker reads."""
    for statement in body:
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test):
            continue
        yield from ast.walk(statement)


def imported(path: Path) -> set[str]:
    """What a module imports of treewise, by the first name below it; `__init__` for the package itself."""
    package = ["treewise", *path.relative_to(PYTHON).parts[:-1]]
    found = set()
    for node in running(ast.parse(path.read_text(encoding="utf-8")).body):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = above + (node.module.split(".") if node.module else [])
            names = [[*base, alias.name] for alias in node.names]
        else:
            continue
        for name in names:
            if name[0] == "treewise":
                found.add(name[1] if len(name) > 1 and name[1] in RANK else "__init__")
    return found


@pytest.mark.parametrize("module", modules())
def test_imports_point_down(module: str) -> None:
    path = PYTHON / module
    own = path.relative_to(PYTHON).parts[0].removesuffix(".py")
    assert own in RANK, f"treewise.{own} is new: give it its place in LAYERS"
    upward = {name for name in imported(path) if RANK[name] > RANK[own]}
    assert not upward, f"src/treewise/{module} looks up at {sorted(upward)}"


# ---- names


def test_no_drawers_for_everything() -> None:
    forbidden = {"util", "utils", "helper", "helpers", "common", "manager", "managers", "misc"}
    for top in ("cpp", "src", "tests", "docs", "examples", "benchmarks", "experiments"):
        for path in (ROOT / top).rglob("*"):
            words = set(re.split(r"[_\-.]", path.name.lower()))
            assert not words & forbidden, f"{path}: name it by what it is for"
