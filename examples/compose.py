"""Two searches made of different parts play a match, each keeping its own tree.

python examples/compose.py [simulations]
"""

import sys

from treewise import Search, decision, limit, load_game, playout, proof, selection


def main(simulations: int = 5_000) -> None:
    plain = Search(limit=limit.Simulations(simulations))
    composed = Search(
        selection=selection.UCB1Tuned(),
        playout=playout.Decisive(inner=playout.MAST(epsilon=0.2)),
        proof=proof.Solver(),
        decision=decision.Secure(a=1.0),
        limit=limit.Simulations(simulations) | limit.Seconds(2),
    )
    sessions = [composed.session(seed=1), plain.session(seed=2)]
    for player, session in enumerate(sessions):
        print(f"player {player}: {session.search}")
    state = load_game("breakthrough(rows=6, columns=6)").initial_state()
    while not state.is_terminal():
        result = sessions[state.current_player()].run(state)
        assert isinstance(result.action, int)
        print(state.action_name(result.action), end=" ")
        state.apply(result.action)
    print(f"\n{state}\nreturns {state.returns()}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
