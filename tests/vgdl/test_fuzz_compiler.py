"""Whatever is read: a program that fits together, or a `VGDLError` with places in the text."""

from __future__ import annotations

from descriptions import broken, descriptions, levels
from hypothesis import given
from hypothesis import strategies as st
from vgdl_fuzzing import fuzz

from treewise.vgdl.compiler import compile_description, compile_game, compile_level
from treewise.vgdl.finding import VGDLError
from treewise.vgdl.program import EDGE, Program
from treewise.vgdl.syntax import source_lines
from treewise.vgdl.vocabulary import CLASSES


def check_places(error: VGDLError, texts: dict[str, str]) -> None:
    for finding in error.findings:
        lines = source_lines(texts[finding.file])
        assert 0 <= finding.line <= len(lines)
        if finding.line:
            assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1


def compiled(description: str, level: str) -> Program | None:
    """The program, or None where the texts are refused."""
    try:
        made = compile_description(description, "game")
        return made.program(compile_level(made, level, "level")[0])
    except VGDLError as error:
        check_places(error, {"game": description, "level": level})
        return None


def check_program(program: Program) -> None:
    """Everything that the machine indexes with is in range, and what it makes can be made."""
    known = range(len(program.types))
    for number, kind in enumerate(program.types):
        assert not kind.leaf or kind.kind in CLASSES
        assert all(other in known and other != number for other in kind.ancestors + kind.descendants)
        assert all(number in program.types[above].descendants for above in kind.ancestors)
        assert 1 <= kind.cooldown < 2**16
        assert all(other in known for others in kind.types.values() for other in others)
    assert len(set(program.update_order)) == len(program.update_order)
    assert {number for number in known if program.types[number].leaf} <= {*program.update_order}
    pairs = [(pair.first, pair.second) for pair in program.pairs]
    assert len(set(pairs)) == len(pairs)
    for rule in program.pairs + program.edge_rules + program.time_rules:
        assert rule.first in known
        assert rule.second in known or (rule.second == EDGE and rule not in program.pairs)
        assert rule.effects
    for kind, x, y in program.sprites:
        assert program.types[kind].leaf
        assert 0 <= x < program.width * program.block
        assert 0 <= y < program.height * program.block
    assert sum(program.types[kind].category == 0 for kind, _, _ in program.sprites) == 1


@fuzz
@given(st.text(max_size=300), st.text(max_size=60))
def test_any_text(description: str, level: str) -> None:
    program = compiled(description, level)
    assert program is None or check_program(program) is None


def test_descriptions_that_name_what_they_define() -> None:
    accepted = []

    @fuzz
    @given(descriptions(), levels())
    def check(description: str, level: str) -> None:
        program = compiled(description, level)
        accepted.append(program is not None)
        assert program is None or check_program(program) is None

    check()
    assert sum(accepted) > len(accepted) / 5  # or the checks would say little


@fuzz
@given(broken(descriptions()), broken(levels()))
def test_broken_descriptions(description: str, level: str) -> None:
    program = compiled(description, level)
    assert program is None or check_program(program) is None


@fuzz
@given(descriptions(), levels(), st.sampled_from(["\r\n", "\r", " \n", "\t\n", "  # a comment\n", "\n\n\n", "\n  \n"]))
def test_blanks_and_comments_change_nothing(description: str, level: str, end: str) -> None:
    program = compiled(description, level)
    assert compiled(description.replace("\n", end), level) == program


def test_a_game_that_makes_itself_is_no_problem_for_the_compiler() -> None:
    text = "BasicGame\n SpriteSet\n  a > SpawnPoint stype=a\n  b > Chaser stype=b\n  c > Portal stype=c"
    assert compile_game(text, "A").types[2].types == {"stype": (2,)}
