"""The reports in `experiments/` are what the laboratory says of the matches beside them, today."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewise.lab import load
from treewise.lab.archive import import_archive
from treewise.lab.document import read_document
from treewise.lab.report import build, to_markdown

FOLDER = Path(__file__).parents[2] / "experiments"
REPORTS = sorted(FOLDER.glob("*/reports/*.md"))


def archive_of(experiment: Path) -> Path:
    own = experiment.with_suffix(".npz")
    return own if own.exists() else experiment.with_name("matches.npz")


def said(report: Path, source: Path | None = None) -> str:
    experiment = report.parents[1] / f"{report.stem}.toml"
    return to_markdown(build(load(source or archive_of(experiment), read_document(experiment).name)))


def test_every_folder_has_reports() -> None:
    assert {report.parents[1] for report in REPORTS} == {path.parent for path in FOLDER.glob("*/*.npz")}


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
def test_a_report_is_what_the_archive_says(report: Path) -> None:
    assert said(report) == report.read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("archive", sorted(FOLDER.glob("*/*.npz")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_report_is_what_the_imported_store_says(archive: Path, tmp_path: Path) -> None:
    store = tmp_path / "imported.sqlite"
    import_archive(archive, store)
    for report in archive.parent.glob("reports/*.md"):
        if archive_of(archive.parent / f"{report.stem}.toml") == archive:
            assert said(report, store) == report.read_text(encoding="utf-8")
