"""The papers whose tables this project reproduces: a folder of experiment files each."""

from __future__ import annotations

from pathlib import Path

__all__ = ["experiment_files", "papers"]

_PACKAGE = Path(__file__).parents[1]


def papers() -> dict[str, Path]:
    """The folder of each paper, by the name that `treewise reproduce` takes.

    >>> sorted(papers())
    ['ggp', 'quality-rewards', 'td-mcts']
    """
    folders = sorted(path for path in _experiments().iterdir() if (path / "quick.toml").exists())
    return {folder.name.replace("_", "-"): folder for folder in folders}


def experiment_files(paper: Path, quick: bool) -> list[Path]:
    """The experiment files of a paper's folder: the quick look, or one for each table.

    >>> [path.stem for path in experiment_files(papers()["quality-rewards"], quick=True)]
    ['quick']
    """
    return [paper / "quick.toml"] if quick else sorted(paper.glob("table*.toml"))


def _experiments() -> Path:
    """Installed beside the package, or in the checkout that the package runs from."""
    for place in (_PACKAGE / "experiments", _PACKAGE.parents[1] / "experiments"):
        if place.is_dir():
            return place
    raise ValueError("the experiment files are missing from this installation: install treewise again")
