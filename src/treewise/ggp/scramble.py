"""Scrambling: a sheet with every name replaced by a made-up word, so that no player can guess from names."""

from __future__ import annotations

import random
import re

from treewise.gdl.terms import CONNECTIVES, KEYWORDS

__all__ = ["Scrambler"]

_KEPT = {*KEYWORDS, *CONNECTIVES, "percept", "random", "nil", "<="}
_NAME = re.compile(r"[^\s();]+")
_CONSONANTS, _VOWELS = "bcdfghjklmnprstvwz", "aeiou"


class Scrambler:
    """Made-up words for the names of a text, the same for the whole match. Keywords and whole numbers stay.

    >>> scrambler = Scrambler("(role White) (init (cell 1 ?x))", seed=1)
    >>> hidden = scrambler.hide("(role White) (cell 1 ?x)")
    >>> hidden.startswith("(role "), "White" in hidden, " 1 ?" in hidden
    (True, False, True)
    >>> scrambler.reveal(hidden)
    '(role White) (cell 1 ?x)'
    """

    def __init__(self, text: str, seed: int) -> None:
        rng = random.Random(seed)
        names = {bare.lower(): bare for name in reversed(_NAME.findall(text)) if _scrambled(bare := name.lstrip("?"))}
        self._hidden: dict[str, str] = {}
        self._revealed = dict.fromkeys(names, "?")  # nobody can know them
        for name in sorted(names):
            word = self._new_word(rng)
            self._hidden[name] = word
            self._revealed[word] = names[name]

    def hide(self, text: str) -> str:
        """The text as players see it."""
        return _replace(text, self._hidden)

    def reveal(self, text: str) -> str:
        """What a player meant: a question mark for each name that it cannot know."""
        return _replace(text, self._revealed)

    def _new_word(self, rng: random.Random) -> str:
        while True:
            pairs = range(rng.randint(2, 4))
            word = "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in pairs)
            if word not in self._revealed and word not in _KEPT:
                return word


def _scrambled(name: str) -> bool:
    return name.lower() not in _KEPT and not name.isdecimal()


def _replace(text: str, words: dict[str, str]) -> str:
    def word(found: re.Match[str]) -> str:
        name = found[0]
        mark = "?" if name.startswith("?") else ""
        bare = name.lstrip("?")
        return mark + words.get(bare.lower(), bare)

    return _NAME.sub(word, text)
