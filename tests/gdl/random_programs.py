"""Ground programs made by chance: stratified, recursive, with actions of two roles."""

import random

import numpy as np

from treewise.gdl.ground import GroundProgram
from treewise.gdl.terms import Term


def random_program(seed: int, facts: int = 6, actions: int = 5, inner: int = 24) -> GroundProgram:
    """A game of which each role's first action is always legal. Atoms: always, facts, inner ones, actions, inner ones.

    The first inner ones read the state only, the others actions too; an atom negates only lower ones.
    """
    chance = random.Random(seed)
    true = range(2, 2 + facts)
    first = range(true.stop, true.stop + inner)
    does = [range(first.stop, first.stop + actions), range(first.stop + actions, first.stop + 2 * actions)]
    second = range(does[1].stop, does[1].stop + inner)
    rules: list[tuple[int, tuple[int, ...]]] = [(1, ())]
    for layer, low in ((first, [*true]), (second, [*true, *first, *does[0], *does[1], *does[0], *does[1]])):
        for atom in layer:
            for _ in range(chance.choice((0, 1, 1, 2, 3, 7))):
                below = [*low, *range(layer.start, atom)]
                body = [chance.choice(below) * chance.choice((1, 1, -1)) for _ in range(chance.randint(1, 3))]
                if chance.random() < 0.2:
                    body.append(chance.randrange(layer.start, atom + 1))
                rules.append((atom, tuple(body)))
    bodies = [body for _, body in rules]
    return GroundProgram(
        roles=(Term("x"), Term("o")),
        facts=tuple(Term(f"f{number}") for number in range(facts)),
        actions=tuple(tuple(Term("ab"[n % 2], (Term(str(n)),)) for n in range(actions)) for _ in does),
        initial=np.array(sorted(chance.sample(range(facts), facts // 2)), np.int32),
        true=np.array(true, np.int32),
        next=np.array([chance.choice((0, *second, *second)) for _ in true], np.int32),
        does=tuple(np.array(own, np.int32) for own in does),
        legal=tuple(np.array([1, *(chance.choice(first) for _ in range(1, actions))], np.int32) for _ in does),
        terminal=chance.choice(first),
        goals=tuple(tuple((value, chance.choice(first)) for value in (0, 50, 100)) for _ in does),
        sees=((), ()),
        num_atoms=second.stop - 1,
        heads=np.array([head for head, _ in rules], np.int32),
        starts=np.concatenate(([0], np.cumsum([len(body) for body in bodies]))).astype(np.int32),
        body=np.array([literal for body in bodies for literal in body], np.int32),
    )
