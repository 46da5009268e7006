"""Small rulesheets of every kind that the protocol has to carry."""

NIM = """
; Two players take one or two of five sticks; who takes the last one wins.
(role left) (role right)
(init (sticks 5)) (init (turn left))
(less 5 1 4) (less 4 1 3) (less 3 1 2) (less 2 1 1) (less 1 1 0)
(less 5 2 3) (less 4 2 2) (less 3 2 1) (less 2 2 0)
(other left right) (other right left)
(<= (legal ?p (take ?n)) (true (turn ?p)) (true (sticks ?s)) (less ?s ?n ?rest))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
(<= (next (sticks ?rest)) (does ?p (take ?n)) (true (sticks ?s)) (less ?s ?n ?rest))
(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
(<= terminal (true (sticks 0)))
(<= (goal ?p 100) (true (sticks 0)) (true (turn ?q)) (other ?p ?q))
(<= (goal ?p 0) (true (sticks 0)) (true (turn ?p)))
"""

TIC_TAC_TOE = """
(role Cross) (role Nought)
(line a b c) (line d e f) (line g h i) (line a d g) (line b e h) (line c f i) (line a e i) (line c e g)
(<= (cell ?x) (line ?x ?y ?z)) (<= (cell ?y) (line ?x ?y ?z)) (<= (cell ?z) (line ?x ?y ?z))
(<= (init (free ?x)) (cell ?x))
(init (toMove Cross))
(swap Cross Nought) (swap Nought Cross)
(<= (legal ?p (Put ?x)) (true (toMove ?p)) (true (free ?x)))
(<= (legal ?p rest) (role ?p) (not (true (toMove ?p))))
(<= (next (owned ?x ?p)) (does ?p (Put ?x)))
(<= (next (owned ?x ?p)) (true (owned ?x ?p)))
(<= (next (free ?x)) (true (free ?x)) (does ?p (Put ?y)) (distinct ?x ?y))
(<= (next (toMove ?q)) (true (toMove ?p)) (swap ?p ?q))
(<= (row ?p) (line ?x ?y ?z) (true (owned ?x ?p)) (true (owned ?y ?p)) (true (owned ?z ?p)))
(<= room (true (free ?x)))
(<= won (row ?p))
(<= terminal won)
(<= terminal (not room))
(<= (goal ?p 100) (row ?p))
(<= (goal ?p 0) (swap ?p ?q) (row ?q))
(<= (goal ?p 50) (role ?p) (not won) (not room))
"""

PENNIES = """
; Both show a side at once, three times; equal sides are a point for the first, others for the second.
(role even) (role odd)
(init (round 0)) (init (points 0))
(after 0 1) (after 1 2) (after 2 3)
(<= (legal ?p heads) (role ?p)) (<= (legal ?p tails) (role ?p))
(<= (next (round ?b)) (true (round ?a)) (after ?a ?b))
(<= equal (does even ?side) (does odd ?side))
(<= (next (points ?b)) (true (points ?a)) (after ?a ?b) equal)
(<= (next (points ?a)) (true (points ?a)) (not equal))
(<= terminal (true (round 3)))
(worth 0 0 100) (worth 1 33 67) (worth 2 67 33) (worth 3 100 0)
(<= (goal even ?g) (true (points ?n)) (worth ?n ?g ?h))
(<= (goal odd ?h) (true (points ?n)) (worth ?n ?g ?h))
"""

LAMPS = """
; One player: three switches, each of which may be pressed; all lamps lit after three steps is the goal.
(role me)
(lamp p) (lamp q) (lamp r)
(init (step 0)) (after 0 1) (after 1 2) (after 2 3)
(<= (legal me (press ?x)) (lamp ?x))
(<= (next (step ?b)) (true (step ?a)) (after ?a ?b))
(<= (next (lit ?x)) (does me (press ?x)))
(<= (next (lit ?x)) (true (lit ?x)))
(<= terminal (true (step 3)))
(<= dark (lamp ?x) (not (true (lit ?x))))
(<= (goal me 100) (not dark))
(<= (goal me 20) dark)
"""

DIE = """
; The server throws a coin, then the player says what it was.
(role me) (role random)
(init start)
(side 1) (side 2)
(<= (legal random (throw ?n)) (true start) (side ?n))
(<= (legal random pass) (not (true start)))
(<= (legal me pass) (true start))
(<= (legal me (say ?n)) (not (true start)) (side ?n))
(<= (next (shown ?n)) (does random (throw ?n)))
(<= (next right) (does me (say ?n)) (true (shown ?n)))
(<= (next wrong) (does me (say ?n)) (not (true (shown ?n))))
(<= terminal (true right)) (<= terminal (true wrong))
(<= (goal me 100) (true right)) (<= (goal me 0) (not (true right)))
(goal random 0)
"""

STUCK = """
(role a) (role b) (init s) (legal a go) (<= (legal b go) (true s)) (<= (next t) (true s)) (<= terminal (true never))
(goal a 0) (goal b 0)
"""

ENDLESS = "(role a) (init s) (legal a go) (<= (next s) (true s)) (<= terminal (true never)) (goal a 0)"

OVER_AT_ONCE = "(role a) (init s) (legal a go) (<= terminal (true s)) (goal a 70)"

HALF_GOAL = """
(role a) (init s) (legal a go) (legal a stay) (<= (next t) (true s)) (<= terminal (true t))
(worth 30.5) (<= (goal a ?g) (worth ?g))
"""

SEVEN = """
; Whoever is the only one to raise a hand wins.
(role a) (role b) (role c) (role d) (role e) (role f) (role g) (init (time 1))
(<= (legal ?r raise) (role ?r)) (<= (legal ?r rest) (role ?r))
(<= (next (raised ?r)) (does ?r raise)) (<= (next (time 2)) (true (time 1)))
(<= terminal (true (time 2)))
(<= (other ?r) (role ?r) (true (raised ?q)) (distinct ?r ?q))
(<= (goal ?r 100) (true (raised ?r)) (not (other ?r)))
(<= (goal ?r 0) (role ?r) (not (true (raised ?r)))) (<= (goal ?r 0) (other ?r))
"""

NUMBERS = " ".join(f"(number {n})" for n in range(60))
VAST = f"""
; Thirteen million moves in the first state, more than any machine could list in the time of a match.
(role a) {NUMBERS} (init s) (goal a 0) (<= terminal (not (true s)))
(<= (legal a (choose ?p ?q ?r ?s)) (number ?p) (number ?q) (number ?r) (number ?s))
"""
