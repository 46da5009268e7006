"""Sprites' pictures from a folder, by the names that descriptions have (`img`). None come with this package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from treewise.extras import how_to_install

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ENDINGS = ("", ".png", "_0.png")
"""A name may have its ending; tiles and frames are numbered from 0, and the first one stands for all."""


class Pictures:
    """Finds and scales pictures. A type whose picture is not in the folder stays a coloured square.

    >>> Pictures(Path(".")).of("oryx/dragon", 24) is None
    True
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise ValueError(f"{folder}: no such folder of sprites' pictures")
        self._kept: dict[tuple[str, int], NDArray[np.uint8] | None] = {}

    def of(self, name: str, size: int) -> NDArray[np.uint8] | None:
        """The picture as (size, size, 4) numbers: red, green, blue and how opaque it is."""
        if (name, size) not in self._kept:
            file = self._file(name)
            self._kept[name, size] = None if file is None else _read(file, size)
        return self._kept[name, size]

    def _file(self, name: str) -> Path | None:
        if not name:
            return None
        root = self.folder.resolve()
        files = ((root / f"{name}{ending}").resolve() for ending in _ENDINGS)
        return next((file for file in files if file.is_file() and file.is_relative_to(root)), None)


def _read(file: Path, size: int) -> NDArray[np.uint8]:
    try:
        from PIL import Image, UnidentifiedImageError
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"pictures need Pillow: {how_to_install('vgdl')}") from None
    try:
        with Image.open(file) as image:
            return np.asarray(image.convert("RGBA").resize((size, size), Image.Resampling.BILINEAR))
    except (OSError, UnidentifiedImageError, ValueError, Image.DecompressionBombError) as error:
        raise ValueError(f"{file} is no picture: {error}") from error
