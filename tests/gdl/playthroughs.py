"""Two ground programs of one sheet, compared along the same random playthroughs."""

import random

from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounding.evaluate import Evaluator


def assert_same_game(one: GroundProgram, two: GroundProgram, matches: int = 3, steps: int = 20, seed: int = 1) -> None:
    """Legal actions, facts, the end and all goals agree in every state met."""
    chance = random.Random(seed)
    first, second = Evaluator(one), Evaluator(two)
    assert one.roles == two.roles
    assert first.initial == second.initial
    for _ in range(matches):
        state = first.initial
        for _ in range(steps):
            _assert_same_answers(first, second, state)
            legal = first.legal(state)
            if first.is_terminal(state) or not all(legal):
                break
            joint = [chance.choice(own) for own in legal]
            after = first.play(state, joint)
            assert sorted(map(str, after)) == sorted(map(str, second.play(state, joint)))
            state = after


def _assert_same_answers(first: Evaluator, second: Evaluator, state: frozenset) -> None:  # type: ignore[type-arg]
    for own, other in zip(first.legal(state), second.legal(state), strict=True):
        assert sorted(map(str, own)) == sorted(map(str, other))
    assert first.is_terminal(state) == second.is_terminal(state)
    assert first.goals(state) == second.goals(state)
