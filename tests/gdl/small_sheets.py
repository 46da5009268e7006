"""Rulesheets of a few lines, each with something that a rewrite could get wrong."""

from functools import cache

from treewise.gdl import parse_sheet
from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounder import ground, ground_plainly

BOARD = """
(role white) (role black) (init (control white)) (init (step 1))
(init (cell 1 1 white)) (init (cell 3 3 black)) (<= (init (cell ?x ?y blank)) (free ?x ?y))
(<= (free ?x ?y) (index ?x) (index ?y) (distinct ?x ?y)) (free 2 2)
(index 1) (index 2) (index 3) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
(<= (near ?a ?b) (succ ?a ?b) (index ?b)) (<= (near ?b ?a) (succ ?a ?b) (index ?b))
(<= (step ?x ?y ?u ?y) (near ?x ?u) (index ?y)) (<= (step ?x ?y ?x ?v) (near ?y ?v) (index ?x))
(<= (legal ?p (move ?x ?y ?u ?v)) (true (control ?p)) (true (cell ?x ?y ?p)) (step ?x ?y ?u ?v)
    (not (true (cell ?u ?v ?p))))
(<= (legal ?p (drop ?x ?y)) (true (control ?p)) (true (step ?n)) (distinct ?n 1) (true (cell ?x ?y blank)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (cell ?x ?y blank)) (does ?p (move ?x ?y ?u ?v)))
(<= (next (cell ?u ?v ?p)) (does ?p (move ?x ?y ?u ?v)))
(<= (next (cell ?x ?y ?p)) (does ?p (drop ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (does ?p (move ?a ?b ?u ?v))
    (or (distinct ?x ?a) (distinct ?y ?b)) (or (distinct ?x ?u) (distinct ?y ?v)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (does ?p (drop ?u ?v)) (or (distinct ?x ?u) (distinct ?y ?v)))
(<= (next (control black)) (true (control white))) (<= (next (control white)) (true (control black)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (line ?p) (true (cell 1 ?y ?p)) (true (cell 2 ?y ?p)) (true (cell 3 ?y ?p)))
(<= (mixed) (true (cell ?x ?y white)) (true (cell ?u ?v black)) (succ ?x ?u))
(<= terminal (role ?p) (line ?p)) (<= terminal (true (step 8)))
(<= (goal ?p 100) (role ?p) (line ?p)) (<= (goal ?p 50) (role ?p) (not (line ?p)) mixed)
(<= (goal ?p 0) (role ?p) (not (line ?p)) (not mixed))
"""

DUEL = """
(role a) (role b) (role watcher) (init (at a 1)) (init (at b 4)) (init (alive a)) (init (alive b)) (init (round 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (place ?n) (succ ?n ?m) (distinct ?n 0) (distinct ?n 5))
(<= (legal ?r (go ?n)) (true (at ?r ?m)) (or (succ ?m ?n) (succ ?n ?m)) (place ?n))
(<= (legal ?r (shoot ?n)) (true (alive ?r)) (place ?n))
(<= (legal ?r wait) (role ?r))
(<= (leaves ?r) (does ?r (go ?n)))
(<= (next (at ?r ?n)) (does ?r (go ?n)))
(<= (next (at ?r ?n)) (true (at ?r ?n)) (not (leaves ?r)))
(<= (hit ?r) (true (at ?r ?n)) (does ?s (shoot ?n)) (distinct ?s ?r))
(<= (next (alive ?r)) (true (alive ?r)) (not (hit ?r)))
(<= (next (calm ?n)) (place ?n) (does a ?m) (distinct ?m (shoot ?n)) (does b ?k) (distinct ?k (shoot ?n)))
(<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
(<= (sees watcher ?m) (does a ?m)) (<= (sees ?r (hit ?s)) (role ?r) (hit ?s))
(<= terminal (true (round 6))) (<= terminal (role ?r) (distinct ?r watcher) (not (true (alive ?r))))
(<= (goal ?r 100) (true (alive ?r))) (<= (goal ?r 0) (role ?r) (not (true (alive ?r)))) (<= (goal watcher 7) terminal)
"""

COUNTING = """
(role x) (role o) (init (pit 1 empty)) (init (pit 2 empty)) (init (pit 3 empty)) (init (pit 4 empty))
(init (turn x)) (init lamp) (<= (next lamp) (true lamp))
(after 1 2) (after 2 3) (after 3 4) (number 0) (number 5)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (number ?n) (succ ?n ?m))
(<= (legal ?r (put ?n)) (true (turn ?r)) (true (pit ?n empty)) (true lamp))
(<= (legal ?r pass) (true (turn ?r)) (count ?x ?o) (distinct ?x ?o))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (pit ?n ?r)) (does ?r (put ?n)))
(<= (next (pit ?n ?c)) (true (pit ?n ?c)) (not (filled ?n))) (<= (filled ?n) (does ?r (put ?n)))
(<= (next (turn o)) (true (turn x))) (<= (next (turn x)) (true (turn o)))
(<= (count ?x ?o) (loop 1 0 0 ?x ?o))
(<= (loop 4 ?a ?b ?x ?o) (one 4 ?a ?b ?x ?o))
(<= (loop ?n ?a ?b ?x ?o) (one ?n ?a ?b ?c ?d) (after ?n ?m) (loop ?m ?c ?d ?x ?o))
(<= (one ?n ?a ?b ?c ?b) (true (pit ?n x)) (succ ?a ?c) (number ?b))
(<= (one ?n ?a ?b ?a ?d) (true (pit ?n o)) (succ ?b ?d) (number ?a))
(<= (one ?n ?a ?b ?a ?b) (true (pit ?n empty)) (number ?a) (number ?b))
(<= open (true (pit ?n empty))) (<= terminal (not open))
(<= (goal x 100) (count ?x ?o) (less ?o ?x)) (<= (goal x 0) (count ?x ?o) (not (less ?o ?x)))
(<= (goal o 100) (count ?x ?o) (less ?x ?o)) (<= (goal o 0) (count ?x ?o) (not (less ?x ?o)))
(<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?b) (succ ?a ?c) (less ?c ?b))
"""

MAZE = """
(role robot) (init (at a)) (init (open a b)) (init (open b c)) (init (open c d)) (init (open d a)) (init (fuel 5))
(less 5 4) (less 4 3) (less 3 2) (less 2 1) (less 1 0)
(<= (link ?x ?y) (true (open ?x ?y))) (<= (link ?x ?y) (true (open ?y ?x)))
(<= (path ?x ?y) (link ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (link ?y ?z))
(<= (circle ?x) (round ?x)) (<= (round ?x) (circle ?x)) (<= (round b) (true (open a b)))
(<= (legal robot (walk ?y)) (true (at ?x)) (link ?x ?y))
(<= (legal robot (close ?x ?y)) (true (open ?x ?y)) (not (true (at ?x))))
(<= (legal robot rest) (not moving)) (<= moving (true (at ?x)) (link ?x ?y))
(<= (next (at ?y)) (does robot (walk ?y)))
(<= (next (at ?x)) (true (at ?x)) (does robot ?m) (not (walks ?m))) (<= (walks (walk ?y)) (place ?y))
(place a) (place b) (place c) (place d)
(<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does robot (close ?x ?y))))
(<= (next (fuel ?m)) (true (fuel ?n)) (less ?n ?m))
(<= terminal (true (fuel 0))) (<= terminal (true (at ?x)) (not (path ?x d)))
(<= (goal robot 100) (path a c) (not (circle b))) (<= (goal robot 40) (path a c) (circle b))
(<= (goal robot 0) (not (path a c)))
"""

ALL = {"board": BOARD, "duel": DUEL, "counting": COUNTING, "maze": MAZE}


@cache
def plain(name: str) -> GroundProgram:
    """One of them, ground with nothing rewritten."""
    return ground_plainly(parse_sheet(ALL[name]))


@cache
def small(name: str) -> GroundProgram:
    """The same with everything rewritten."""
    return ground(parse_sheet(ALL[name]))
