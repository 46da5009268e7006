"""Trees in files: kept as they were, and nothing is lost or believed that should not be."""

import io
import os
import pickle
import random
import re
import resource
import traceback
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewise
from subtrees import subtree
from treewise import selection


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[treewise.SearchTree, Path]:
    state = treewise.load_game("tic_tac_toe").parse_state("x../.../...", 1)
    state.apply(4)
    tree = treewise.enhanced(simulations=300).replace(selection=selection.PUCT()).run(state, seed=1).tree
    path = tmp_path_factory.mktemp("trees") / "tree.npz"
    tree.save(path)
    return tree, path


def test_saved_trees_are_loaded_as_they_were(saved: tuple[treewise.SearchTree, Path]) -> None:
    tree, path = saved
    loaded = treewise.SearchTree.load(path)
    assert {key: column.tolist() for key, column in loaded.columns.items()} == {
        key: column.tolist() for key, column in tree.columns.items()
    }
    for name in ("root_index", "min_utility", "max_utility", "game", "start", "history", "search"):
        assert getattr(loaded, name) == getattr(tree, name)
    assert subtree(loaded.root) == subtree(tree.root)
    assert treewise.parse_search(loaded.search) == treewise.enhanced(simulations=300).replace(
        selection=selection.PUCT()
    )
    assert loaded.start == ("x../.../...", 1)
    assert list(path.parent.iterdir()) == [path], "nothing is left behind"


def walk_through(path: Path) -> None:
    """Loads and walks; ValueError is the only way to fail."""
    tree = treewise.SearchTree.load(path)
    for _, node in tree.walk():
        assert node.visits is not None


def test_files_that_unpack_to_more_than_they_may(saved: tuple[treewise.SearchTree, Path], tmp_path: Path) -> None:
    _, path = saved
    with pytest.raises(ValueError, match=r"tree\.npz needs .* MB, and may take 0\.001: set memory_mb"):
        treewise.SearchTree.load(path, memory_mb=0.001)
    bomb = tmp_path / "bomb.npz"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("meta.npy", "w") as member:
        for _ in range(200):
            member.write(bytes(10**6))
    with pytest.raises(ValueError, match=r"needs 200 MB, and may take 100"):
        treewise.SearchTree.load(bomb, memory_mb=100)


def test_damaged_files_are_refused(saved: tuple[treewise.SearchTree, Path], tmp_path: Path) -> None:
    data = saved[1].read_bytes()
    path = tmp_path / "damaged.npz"
    rng = random.Random(1)
    refused = 0
    for trial in range(300):
        spoilt = bytearray(data)
        if trial % 3 == 0:
            del spoilt[rng.randrange(len(spoilt)) :]
        elif trial % 3 == 1:
            for _ in range(rng.choice([1, 3, 20])):
                spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
        else:
            spoilt = bytearray(rng.randbytes(rng.randrange(2000)))
            if trial % 2:
                spoilt[:4] = data[:4]
        path.write_bytes(spoilt)
        try:
            walk_through(path)
        except ValueError as error:
            refused += "is not a tree saved by Treewise, or is damaged" in str(error)
    assert refused > 280, "bits that only archives care about may be flipped"


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.pop("child"),
        lambda c: c.update(extra=np.zeros(3)),
        lambda c: c.update(child=c["child"][:-1]),
        lambda c: c.update(visits=c["visits"].astype(float)),
        lambda c: c.update(value=c["value"].astype(str)),
        lambda c: c.update(visits=c["visits"].reshape(1, -1)),
        lambda c: c.update(child=np.zeros_like(c["child"])),
        lambda c: c.update(first_edge=np.zeros_like(c["first_edge"])),
        lambda c: c.update(num_edges=c["num_edges"] + 1),
        lambda c: c.update(child=np.where(c["child"] == 1, 10**6, c["child"])),
        lambda c: c.update(child=np.where(c["child"] == 2, 1, c["child"])),
        lambda c: c.update(child=c["child"].astype(np.int64) * -1),
    ],
)
def test_trees_that_are_none_are_refused(saved: tuple[treewise.SearchTree, Path], tmp_path: Path, change: Any) -> None:
    with np.load(saved[1]) as data:
        columns = dict(data)
    change(columns)
    path = tmp_path / "wrong.npz"
    np.savez(path, **columns)
    with pytest.raises(ValueError, match="is not a tree saved by Treewise"):
        treewise.SearchTree.load(path)


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other"
    np.save(tmp_path / "array.npy", np.arange(5))
    np.savez(tmp_path / "arrays.npz", a=np.arange(5))
    objects = np.array([{}], dtype=object)
    np.save(tmp_path / "objects.npy", objects, allow_pickle=True)
    np.savez(tmp_path / "objects.npz", meta=objects)
    (tmp_path / "pickled").write_bytes(pickle.dumps({"a": 1}))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("meta.npy", b"nonsense")
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("a tree", encoding="utf-8")
    for name in ("array.npy", "arrays.npz", "objects.npy", "objects.npz", "pickled", "other", "empty", "text"):
        with pytest.raises(ValueError, match="is not a tree saved by Treewise") as caught:
            treewise.SearchTree.load(tmp_path / name)
        assert str(caught.value) == f"{tmp_path / name} is not a tree saved by Treewise, or is damaged"
        assert not re.search("pickle=|unsafe", "".join(traceback.format_exception(caught.value)))
    with pytest.raises(FileNotFoundError):
        treewise.SearchTree.load(tmp_path / "missing.npz")
    with pytest.raises(IsADirectoryError):
        treewise.SearchTree.load(tmp_path)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_destroys_nothing(saved: tuple[treewise.SearchTree, Path], tmp_path: Path) -> None:
    tree, path = saved[0], tmp_path / "tree.npz"
    tree.save(path)
    before = path.read_bytes()
    os.symlink("/dev/full", tmp_path / "tree.npz.partial")  # where the new file is written first
    with pytest.raises(OSError, match="No space left"):
        tree.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    assert os.path.exists("/dev/full")


def test_a_file_that_may_not_grow_destroys_nothing(saved: tuple[treewise.SearchTree, Path], tmp_path: Path) -> None:
    tree, path = saved[0], tmp_path / "tree.npz"
    tree.save(path)
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            tree.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    with pytest.raises(FileNotFoundError):
        tree.save(tmp_path / "missing" / "tree.npz")
    buffer = io.BytesIO(before)
    assert zipfile.is_zipfile(buffer)
