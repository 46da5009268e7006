"""A game of your own as a rulesheet (GDL), and a general game player's search against plain UCT, seats swapped.

python examples/general_game.py [simulations]
"""

import sys

from treewise import cadia, uct
from treewise.gdl import machine_of, parse_for_play

# Col: paint a cell in your colour, but none beside a cell that is yours already. Who cannot paint has lost.
SHEET = """
(role red) (role blue) (init (turn red)) (other red blue) (other blue red)
(beside a b) (beside b c) (beside d e) (beside e f) (beside g h) (beside h i)
(beside a d) (beside d g) (beside b e) (beside e h) (beside c f) (beside f i)
(<= (near ?x ?y) (or (beside ?x ?y) (beside ?y ?x)))
(<= (init (free ?x)) (near ?x ?y))
(<= (blocked ?p ?x) (near ?x ?y) (true (painted ?y ?p)))
(<= (possible ?p ?x) (role ?p) (true (free ?x)) (not (blocked ?p ?x)))
(<= (legal ?p (paint ?x)) (true (turn ?p)) (possible ?p ?x))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
(<= (next (painted ?x ?p)) (or (does ?p (paint ?x)) (true (painted ?x ?p))))
(<= (next (free ?x)) (true (free ?x)) (does ?p (paint ?y)) (distinct ?x ?y))
(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
(<= open (true (turn ?p)) (possible ?p ?x))
(<= terminal (not open))
(<= (goal ?p 0) (true (turn ?p))) (<= (goal ?p 100) (role ?p) (not (true (turn ?p))))
"""


def main(simulations: int = 2_000) -> None:
    machine = machine_of(parse_for_play(SHEET)[0])
    searches = {"cadia": cadia(simulations=simulations), "uct": uct(simulations=simulations)}
    for seats in (("cadia", "uct"), ("uct", "cadia")):
        sessions = [searches[name].session(seed=1) for name in seats]
        state = machine.game.initial_state()
        while not state.is_terminal():
            action = sessions[state.current_player()].run(state).action
            print(state.action_name(action), end=" ")
            state.apply(action)
        print("goals", dict(zip(seats, state.returns(), strict=True)))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
