"""How the policy of the root settles as simulations grow: one session searches the same state on and on.

python examples/watch_a_search.py [simulations]
"""

import sys

from treewise import load_game, uct


def main(simulations: int = 20_000) -> None:
    state = load_game("tic_tac_toe").parse_state("x../.o./..x", 1)
    names = {action: state.action_name(action) for action in state.legal_actions()}
    print("simulations  value  " + "  ".join(f"{name:>5}" for name in names.values()))
    session = uct(c=0.7, simulations=max(1, simulations // 10)).session(seed=3)
    for _ in range(10):
        result = session.run(state)  # the same state again: the tree is kept and grows
        shares = "  ".join(f"{result.policy[action]:5.0%}" for action in names)
        print(f"{sum(result.visits.values()):11,}  {result.value:+.2f}  {shares}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
