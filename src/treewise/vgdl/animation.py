"""Matches as animated GIFs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treewise.extras import how_to_install
from treewise.game import State
from treewise.vgdl.drawing import GROUND, picture, status
from treewise.vgdl.pictures import Pictures

if TYPE_CHECKING:
    from PIL.Image import Image

_LINE = 18
"""Pixels of the line with score and tick."""
_LAST_SECONDS = 1.5
"""How long the last picture stays."""
_SLOWEST, _FASTEST = 0.01, 50.0
"""Pictures a second. Shorter delays than 20 milliseconds mean something else to most programs that show animations."""


def write_gif(path: str | Path, frames: Sequence[Image], fps: float = 15.0) -> None:
    """Writes pictures as an animation that starts again at its end. Its delays are hundredths of a second."""
    if not _SLOWEST <= fps <= _FASTEST:
        raise ValueError(f"{fps:g} pictures a second: expected {_SLOWEST:g} to {_FASTEST:g}")
    each = 10 * round(100 / fps)
    durations = [each] * (len(frames) - 1) + [each + round(1000 * _LAST_SECONDS)]
    first, *others = frames
    first.save(path, format="GIF", save_all=True, append_images=others, duration=durations, loop=0, optimize=False)


def frame(state: State, cell: int | None = None, pictures: Pictures | None = None) -> Image:
    """One picture, with its line of text below."""
    image, draw, font = _pillow()
    drawn = picture(state, cell, pictures)
    height, width, _ = drawn.shape
    whole = image.new("RGB", (width, height + _LINE), GROUND)
    whole.paste(image.fromarray(drawn), (0, 0))
    draw.Draw(whole).text((4, height + 3), status(state), fill=(230, 230, 230), font=font.load_default())
    small: Image = whole.quantize(64 if pictures is None else 256, dither=image.Dither.NONE)
    return small


def _pillow() -> tuple[Any, Any, Any]:
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"pictures need Pillow: {how_to_install('vgdl')}") from None
    return Image, ImageDraw, ImageFont
