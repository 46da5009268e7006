"""Games in files of the user's, loaded by their text form."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import treewise
from own_files import imports_forgotten, own
from treewise import as_state, game_text, load_game, uct
from treewise._core import unwrap_state

__all__ = ["own"]


@pytest.mark.parametrize(
    ("text", "heaps"),
    [
        ("nim.py:Nim", [1, 2, 3]),
        ("nim.py:Nim()", [1, 2, 3]),
        ("nim.py:Nim([4])", [4]),
        ("nim.py:Nim(heaps=[4, 1])", [4, 1]),
        ("nim.py:small", [2, 2]),
        ("nim.py:small(size=3)", [3, 3, 3]),
        ("nim.py:fixed", [2]),
        ("nim.py:Table", [2]),
        ("nim.py:Table(heap=5)", [5]),
        ("./nim.py : Nim( [4] )", [4]),
        ("'nim.py':Nim", [1, 2, 3]),
    ],
)
def test_classes_functions_and_objects_make_games(own: Path, text: str, heaps: list[int]) -> None:
    game = load_game(text)
    state = game.initial_state()
    assert len(state.legal_actions()) == sum(heaps)
    assert game.num_players == 2
    assert state.game is game
    again = load_game(game_text(game))
    assert again == game
    assert load_game(game_text(game, full=True)) == game
    assert pickle.loads(pickle.dumps(game)) == game
    assert repr(game) == f"<Game {game_text(game)}>"
    assert uct(simulations=20).run(state).action in state.legal_actions()


def test_equal_texts_are_written_alike(own: Path) -> None:
    (own / "deep").mkdir()
    texts = ["nim.py:Nim([4])", "nim.py:Nim(heaps=[4])", "deep/../nim.py:Nim(heaps=[4])", "'./nim.py':Nim([4])"]
    assert {game_text(load_game(text)) for text in texts} == {"nim.py:Nim(heaps=[4])"}
    assert load_game("nim.py:Nim([4])") != load_game("nim.py:Nim([5])")


def test_paths_with_anything_in_them(own: Path) -> None:
    for folder in ("my games", "a:b", "it's, [so]=so"):
        (own / folder).mkdir()
        for name in ("nim.py", "rules.py"):
            (own / folder / name).write_text((own / name).read_text(encoding="utf-8"), encoding="utf-8")
        with imports_forgotten(own):
            game = load_game(f"{folder + '/nim.py'!r}:Nim")
            assert load_game(game_text(game)) == game
            assert game_text(game).startswith(("'", '"'))
    with imports_forgotten(own):
        assert game_text(load_game("my games/nim.py:Nim")) == "'my games/nim.py':Nim", "blanks need no quotes"


def test_compiled_games(own: Path) -> None:
    pytest.importorskip("numba")
    for name in ("Countdown", "same"):
        game = load_game(f"countdown.py:{name}")
        assert game_text(game) == f"countdown.py:{name}"
        assert load_game(game_text(game, full=True)) == game
        assert pickle.loads(pickle.dumps(game)) == game
        assert repr(game) == f"<Game countdown.py:{name}>"
        assert treewise.perft(game.initial_state(), 3) == 23
        state = game.initial_state()
        state.apply(2)
        assert pickle.loads(pickle.dumps(state)).history() == [2]
    assert load_game("countdown.py:same") != load_game("countdown.py:Countdown")


def test_what_makes_a_game_of_the_catalogue_is_that_game(own: Path) -> None:
    for text in ("built_in.py:board", "built_in.py:chosen", "built_in.py:chosen(size=3)"):
        assert load_game(text) == load_game("hex(size=3)")
    with pytest.raises(ValueError, match="makes a position in the middle of hex, not a game"):
        load_game("built_in.py:position")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nim.py:Nin", "nim.py has no 'Nin'; did you mean 'Nim'?"),
        ("nom.py:Nim", "no file nom.py (looked for from "),
        ("nim.kif:Nim", "cannot read 'nim.kif:Nim': invalid syntax; write name(key=value, …), or FILE.py:NAME"),
        ("'nim.kif':Nim", "nim.kif is not a Python file: its name must end in .py"),
        (f"{'x' * 300}.py:Nim", "no file xxx"),
        ("nim.py:Nim(heap=[2])", "nim.py:Nim: unknown parameter 'heap'; did you mean 'heaps'?"),
        ("nim.py:Nim([2], 3)", "nim.py:5: Nim(heaps=(1, 2, 3)): too many positional arguments"),
        ("nim.py:Nim([2], heaps=[3])", "nim.py:Nim: a parameter is given twice, by its place and by its name"),
        ("nim.py:Nim(heaps=hex)", "nim.py:Nim: heaps must be a number, a text in quotes or a list, not hex"),
        ("nim.py:fixed(heaps=[2])", "nim.py:37: fixed is an object of Nim, which takes no parameters"),
        (
            "nim.py:nothing",
            "nim.py:38: nothing: it is not a game: int is no state of a game: it has no current_player()",
        ),
        ("nim.py:Broken", "nim.py:Broken: KeyError in __init__(), nim.py:43: 'heaps'"),
        ("nim.py:Nim(2)", "nim.py:Nim: TypeError in __init__(), nim.py:7: 'int' object is not iterable"),
        ("nim.py:Nim(digest='0')", "nim.py has changed, or a file that it imports: its digest is "),
    ],
)
def test_mistakes_take_one_line(own: Path, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        load_game(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("class Nim", "nim.py cannot be imported: SyntaxError: expected ':' (nim.py, line 1)"),
        ("import no_such_module", "nim.py cannot be imported: ModuleNotFoundError in nim.py:1: No module named"),
        ("from rules import MOST", "nim.py cannot be imported: ImportError in nim.py:1: cannot import name 'MOST'"),
        ("import faulty", "nim.py cannot be imported: ZeroDivisionError in faulty.py:2"),
        ("x = 'a\0b'", "nim.py cannot be imported: "),
    ],
)
def test_files_that_cannot_be_imported(own: Path, text: str, message: str) -> None:
    (own / "nim.py").write_text(text, encoding="utf-8")
    (own / "faulty.py").write_text("\n1 / 0", encoding="utf-8")
    with pytest.raises(ValueError, match=r".") as caught:
        load_game("nim.py:Nim")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_parameter_that_is_called_digest_is_refused(own: Path) -> None:
    (own / "nim.py").write_text("def make(digest, size=2): pass", encoding="utf-8")
    with pytest.raises(ValueError, match=r"^nim\.py:1: 'digest' means the source's digest in text forms: rename it$"):
        load_game("nim.py:make(size=3)")


def test_the_digest_follows_the_file_and_its_neighbours(own: Path) -> None:
    for name in ("nim.py", "rules.py"):
        with imports_forgotten(own):
            first = game_text(load_game("nim.py:Nim"), full=True)
        (own / name).write_text((own / name).read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
        with imports_forgotten(own):
            assert game_text(load_game("nim.py:Nim"), full=True) != first
            with pytest.raises(ValueError, match=r"^nim\.py has changed, or a file that it imports: its digest is"):
                load_game(first)


@pytest.mark.parametrize(
    ("imported", "changed"),
    [
        ("import pieces", "pieces/__init__.py"),
        ("import pieces", "pieces/moves.py"),
        ("import pieces.deep.down", "pieces/deep/down.py"),
        ("import pieces.deep.down", "rules.py"),
        ("from pieces.deep import down", "pieces/deep/up.py"),
        ("def later():\n    import pieces", "pieces/moves.py"),
    ],
)
def test_the_digest_follows_packages(imported: str, changed: str, own: Path) -> None:
    text = (own / "nim.py").read_text(encoding="utf-8")
    (own / "nim.py").write_text(f"{imported}\n{text}".replace("from rules import LEAST", "LEAST = 1"), encoding="utf-8")
    (own / "pieces" / "deep").mkdir(parents=True)
    for name, source in {
        "__init__.py": "from . import moves",
        "moves.py": "",
        "deep/__init__.py": "",
        "deep/down.py": "from ..moves import *\nfrom . import up\nimport rules",
        "deep/up.py": "",
    }.items():
        (own / "pieces" / name).write_text(source, encoding="utf-8")
    with imports_forgotten(own):
        before = game_text(load_game("nim.py:Nim"), full=True)
    with open(own / changed, "a", encoding="utf-8") as file:
        file.write("\n# changed\n")
    with imports_forgotten(own):
        assert game_text(load_game("nim.py:Nim"), full=True) != before


def test_what_a_file_does_not_import_is_not_in_its_digest(own: Path) -> None:
    first = game_text(load_game("nim.py:Nim"), full=True)
    (own / "my_parts.py").write_text("", encoding="utf-8")
    assert game_text(load_game("nim.py:Nim"), full=True) == first


def test_a_file_that_changes_is_loaded_anew_in_the_same_process(own: Path) -> None:
    before = load_game("nim.py:Nim")
    text = (own / "nim.py").read_text(encoding="utf-8").replace("heaps=(1, 2, 3)", "heaps=(1,)")
    (own / "nim.py").write_text(text, encoding="utf-8")
    after = load_game("nim.py:Nim")
    assert before != after
    assert len(before.initial_state().legal_actions()) == 6
    assert len(after.initial_state().legal_actions()) == 1


def test_a_neighbour_that_changes_is_refused_in_the_same_process(own: Path) -> None:
    """Python imports it once: what is loaded next would play by the old one."""
    load_game("nim.py:Nim")
    (own / "rules.py").write_text("LEAST = 2\n", encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"^rules\.py, which nim\.py imports, has changed since it was imported: start"
    ):
        load_game("nim.py:Nim")


def test_neighbours_of_the_same_name_are_not_taken_for_each_other(own: Path) -> None:
    (own / "other").mkdir()
    (own / "other" / "nim.py").write_text((own / "nim.py").read_text(encoding="utf-8"), encoding="utf-8")
    (own / "other" / "rules.py").write_text("LEAST = 2\n", encoding="utf-8")
    load_game("nim.py:Nim")
    with pytest.raises(ValueError, match=r"imports rules\.py, but another file of that name was imported before"):
        load_game("other/nim.py:Nim")


def test_a_session_searches_the_state_it_is_given(own: Path) -> None:
    """A state made by hand has no history by which a game loaded another time could make it again."""
    session = uct(simulations=50).session(seed=1)
    session.run(load_game("nim.py:Nim([3])").initial_state())
    game = load_game("nim.py:Nim([3])")
    late = as_state(unwrap_state(load_game("nim.py:Nim([1])").initial_state()), game)
    assert late.game is game
    assert sorted(session.run(late).visits) == [1]


def test_a_tree_names_its_game(own: Path) -> None:
    tree = uct(simulations=20).run(load_game("nim.py:Nim([3])").initial_state()).tree
    assert tree.game == "nim.py:Nim(heaps=[3])"
    assert uct(simulations=20).run(unwrap_state(load_game("nim.py:fixed").initial_state())).tree.game == ""


def test_the_interpreter_ends_without_a_word(own: Path) -> None:
    program = (
        "import treewise\n"
        "a, b = treewise.uct(simulations=5), treewise.parse_search('mcts(playout=my_parts.py:First)')\n"
        "games = [treewise.load_game('nim.py:Nim'), treewise.load_game('nim.py:fixed')]\n"
        "treewise.compare('nim.py:Nim', a, b.replace(limit=treewise.limit.Simulations(5)), matches=2)\n"
    )
    path = os.pathsep.join(str(Path(entry).resolve()) for entry in sys.path if entry)
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
