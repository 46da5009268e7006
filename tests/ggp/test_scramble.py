"""Scrambling: nothing of the names is left, everything else is."""

from __future__ import annotations

from sheets import DIE, NIM, TIC_TAC_TOE

from treewise.gdl.normalise import parse_sheet
from treewise.gdl.syntax import read
from treewise.ggp.scramble import Scrambler


def test_there_and_back() -> None:
    for sheet in (NIM, TIC_TAC_TOE, DIE):
        text = " ".join(map(str, read(sheet)))
        scrambler = Scrambler(text, seed=3)
        hidden = scrambler.hide(text)
        assert scrambler.reveal(hidden) == text
        assert scrambler.reveal(hidden.upper()).lower() == text.lower()
        shapes = [
            [(rule.head.name in ("role", "legal"), len(rule.body)) for rule in parse_sheet(t).rules]
            for t in (text, hidden)
        ]
        assert shapes[0] == shapes[1]


def test_keywords_numbers_and_the_role_of_chance_stay() -> None:
    scrambler = Scrambler("(role random) (Init (f 1 a))", seed=1)
    assert scrambler.hide("(role random) (init 1)") == "(role random) (init 1)"
    assert scrambler.hide("(f 1 A)") == scrambler.hide("(F 1 a)") != "(f 1 a)"


def test_the_old_names_are_unknown() -> None:
    scrambler = Scrambler("(f 1 a)", seed=1)
    assert scrambler.reveal("(f 1 a)") == "(? 1 ?)"
    assert scrambler.reveal("(zzz 1 2)") == "(zzz 1 2)"


def test_seeds() -> None:
    first, again, other = (Scrambler("(f a b c)", seed).hide("(f a b c)") for seed in (1, 1, 2))
    assert first == again != other


def test_nothing_to_scramble() -> None:
    nothing = Scrambler("", seed=1)
    assert nothing.hide("(f ?x 1)") == nothing.reveal("(f ?x 1)") == "(f ?x 1)"
