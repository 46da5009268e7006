"""A ground program as text: a rulesheet without variables, which any GDL reader understands."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounding.rulebook import rules_of
from treewise.gdl.terms import Term


def listing(program: GroundProgram, spell: Callable[[Term], str] = str) -> Iterator[str]:
    """The lines of a program; atoms that the rules only pass on are called `(atom 1)`, `(atom 2)` and so on.

    >>> from treewise.gdl import parse_sheet
    >>> from treewise.gdl.grounder import ground
    >>> rules = "(role X) (init (at 1)) (<= (legal x (to 2)) (true (at 1))) (<= (next (at ?n)) (does x (to ?n)))"
    >>> sheet = parse_sheet(rules)
    >>> for line in listing(ground(sheet), sheet.spell):
    ...     print(line)
    (role X)
    (init (at 1))
    (<= (next (at 2)) (does X (to 2)))
    (<= (legal X (to 2)) (true (at 1)))
    """
    yield from (f"(role {spell(role)})" for role in program.roles)
    yield from (f"(init {spell(program.facts[number])})" for number in program.initial)
    names = _inputs(program, spell)

    def name(literal: int) -> str:
        text = names.get(abs(literal), f"(atom {abs(literal)})")
        return text if literal > 0 else f"(not {text})"

    for head, body in rules_of(program):
        yield f"(<= {' '.join(map(name, (head, *body)))})" if body else name(head)
    yield from (f"(<= {text} {name(atom)})" for text, atom in _outputs(program, spell) if atom)


def _inputs(program: GroundProgram, spell: Callable[[Term], str]) -> dict[int, str]:
    names = {atom: f"(true {spell(f)})" for f, atom in zip(program.facts, program.true.tolist(), strict=True)}
    for role, actions, atoms in zip(program.roles, program.actions, program.does, strict=True):
        names |= {a: f"(does {spell(role)} {spell(m)})" for m, a in zip(actions, atoms.tolist(), strict=True)}
    return names


def _outputs(program: GroundProgram, spell: Callable[[Term], str]) -> Iterator[tuple[str, int]]:
    for fact, atom in zip(program.facts, program.next.tolist(), strict=True):
        yield f"(next {spell(fact)})", atom
    for number, role in enumerate(map(spell, program.roles)):
        for action, atom in zip(program.actions[number], program.legal[number].tolist(), strict=True):
            yield f"(legal {role} {spell(action)})", atom
        for value, atom in program.goals[number]:
            yield f"(goal {role} {value})", atom
        for percept, atom in program.sees[number]:
            yield f"(sees {role} {spell(percept)})", atom
    yield "terminal", program.terminal
