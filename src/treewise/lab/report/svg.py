"""SVG from matplotlib: text stays text, exactly as it was given, and the same picture has the same bytes."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping
from typing import Any

from treewise.wording import printable

__all__ = ["SVG_STYLE", "svg_text"]

SVG_STYLE = {
    "svg.fonttype": "none",  # small, searchable, in the page's font
    "svg.hashsalt": "treewise",
    "text.parse_math": False,  # a label may have dollars
}


def svg_text(figure: Any, metadata: Mapping[str, str | None], transparent: bool = False) -> str:
    """A figure of matplotlib, drawn in `SVG_STYLE`, as a sound file of XML.

    Glyphs that matplotlib's own font lacks are no loss: whoever shows the picture takes a font of its own.
    """
    written = io.StringIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ |Matplotlib currently does not support", UserWarning)
        figure.savefig(written, format="svg", transparent=transparent, metadata=metadata)
    return printable(written.getvalue())
