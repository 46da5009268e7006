"""An evaluator in Python in the place of playouts: it judges a batch of breakthrough positions by counting pieces.

python examples/python_evaluator.py [simulations]
"""

import math
import sys

from treewise import Search, State, first_play, limit, load_game, selection


class CountPieces:
    """Values by material; priors that like diagonal steps. A network has the same shape."""

    batch_size = 16

    def evaluate(self, states: list[State]) -> tuple[list[list[float]], list[list[float]]]:
        return [self.values(state) for state in states], [self.priors(state) for state in states]

    def values(self, state: State) -> list[float]:
        board = str(state)
        lead = math.tanh((board.count("1") - board.count("2")) / 4)
        return [lead, -lead]

    def priors(self, state: State) -> list[float]:
        return [2.0 if action % 3 else 1.0 for action in state.legal_actions()]


def main(simulations: int = 2_000) -> None:
    search = Search(
        selection=selection.PUCT(c=1.5),
        first_play=first_play.Parent(),
        evaluator=CountPieces(),
        limit=limit.Simulations(simulations),
    )
    print(search.run(load_game("breakthrough").initial_state(), seed=1))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
