"""One search: load a game, search its first state, look at the result.

python examples/first_search.py [simulations]
"""

import sys

import treewise


def main(simulations: int = 100_000) -> None:
    state = treewise.load_game("breakthrough").initial_state()
    result = treewise.uct(c=0.7, simulations=simulations).run(state, seed=7)
    print(state)
    print(result)  # a table of the most visited actions
    assert isinstance(result.action, int)
    print("play", state.action_name(result.action))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
