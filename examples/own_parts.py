"""A selection, a playout and a whole search in a file of one's own, which go wherever a text form of a search goes.

treewise search tic_tac_toe --search "mcts(selection=examples/own_parts.py:EpsilonGreedy(epsilon=0.2))"
treewise match hex "mcts(playout=examples/own_parts.py:Central)" uct --matches 4 --simulations 50
treewise match connect_four "examples/own_parts.py:greedy(epsilon=0.1)" uct --matches 4 --simulations 50
"""

from collections.abc import Sequence

import numpy as np

import treewise
from treewise import Search, State, limit, selection
from treewise.playout import Rng


class EpsilonGreedy:
    """The best mean, or with some probability any child."""

    def __init__(self, epsilon: float = 0.1, seed: int = 0) -> None:
        self.epsilon, self.rng = epsilon, np.random.default_rng(seed)

    def score(self, children: selection.Children) -> Sequence[float]:
        if self.rng.random() < self.epsilon:
            return list(self.rng.random(len(children)))
        return list(np.where(children.visits > 0, children.values / np.maximum(children.visits, 1), 1.0))


class Central:
    """Of two random actions the one nearer to the middle of the list: on most boards nearer to the middle."""

    def choose(self, state: State, actions: list[int], rng: Rng) -> int:
        middle = sum(actions) / len(actions)
        return min((rng.choice(actions) for _ in range(2)), key=lambda action: abs(action - middle))


def greedy(epsilon: float = 0.1) -> Search:
    """A search of both."""
    return Search(selection=EpsilonGreedy(epsilon), playout=Central(), limit=limit.Simulations(200))


if __name__ == "__main__":
    state = treewise.load_game("connect_four").initial_state()
    print(greedy().run(state, seed=1))
