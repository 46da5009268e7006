"""The characters that a page and its pictures may hold."""

from __future__ import annotations

import re

__all__ = ["printable"]

_UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    """The text with `�` for characters that XML or HTML forbids, even escaped: most of all, control characters.

    >>> printable("bell \\a and escape \\033"), printable("日本\\n🎲")
    ('bell � and escape �', '日本\\n🎲')
    """
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
