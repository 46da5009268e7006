"""Rulesheets of a few lines, one for each thing that the circuit does in a way of its own."""

_CLOCK = """
(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 8)))
"""

_TURNS = """
(role white) (role black) (init (control white))
(<= (next (control black)) (true (control white))) (<= (next (control white)) (true (control black)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
"""

_MARKS = """
(cell 1) (cell 2) (cell 3) (cell 4) (cell 5) (<= (init (mark ?c blank)) (cell ?c))
(<= (next (mark ?c ?r)) (does ?r (put ?c)))
(<= (next (mark ?c ?m)) (true (mark ?c ?m)) (does ?r (put ?d)) (distinct ?c ?d))
(<= (goal ?r 80) (role ?r) (true (mark 1 ?r))) (<= (goal ?r 20) (role ?r) (not (true (mark 1 ?r))))
"""

# ---- recursion -----------------------------------------------------------------------------------------------------

REACH = f"""
(role digger) {_CLOCK} (place a) (place b) (place c) (place d)
(init (open a b)) (init (open b c))
(<= (pair ?x ?y) (place ?x) (place ?y) (distinct ?x ?y))
(<= (legal digger (turn ?x ?y)) (pair ?x ?y))
(<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does digger (turn ?x ?y))))
(<= (next (open ?x ?y)) (does digger (turn ?x ?y)) (not (true (open ?x ?y))))
(<= (reach ?x ?y) (true (open ?x ?y))) (<= (reach ?x ?z) (reach ?x ?y) (true (open ?y ?z)))
(<= (legal digger (rest ?x)) (reach a ?x) (not (reach ?x a)))
(<= terminal (reach a b) (reach b c) (reach c d) (reach d a))
(<= (goal digger 100) (reach a d)) (<= (goal digger 10) (not (reach a d)))
"""

MUTUAL = f"""
(role x) {_CLOCK} (lamp 1) (lamp 2) (lamp 3) (<= (legal x (press ?n)) (lamp ?n))
(<= (next (lit ?n)) (does x (press ?n)) (not (true (lit ?n))))
(<= (next (lit ?n)) (true (lit ?n)) (not (does x (press ?n))))
(<= odd (true (lit 1))) (<= odd even (true (lit 2))) (<= even odd (true (lit 3))) (<= even odd)
(<= (legal x win) even) (<= (legal x (press 4)) (not odd))
(<= (goal x 100) even odd) (<= (goal x 50) odd) (<= (goal x 0) (not even))
"""

ONLY_ITSELF = f"""
(role x) {_CLOCK} (legal x a) (legal x b) (<= (next on) (does x a))
(<= p q) (<= q p) (<= q r (true on)) (<= r q)
(<= (legal x c) p) (<= (legal x d) (not q)) (<= (goal x 100) p) (<= (goal x 1) (not p))
"""

RANKS = f"""
(role x) {_CLOCK} (bit 1) (bit 2) (bit 3) (<= (legal x (flip ?n)) (bit ?n))
(<= (next (on ?n)) (true (on ?n)) (not (does x (flip ?n)))) (<= (next (on ?n)) (does x (flip ?n)) (not (true (on ?n))))
(<= a1 (true (on 1))) (<= a1 a2) (<= a2 a1 (not (true (on 2))))
(<= b1 (not a1)) (<= b1 b2 (true (on 3))) (<= b2 b1) (<= b2 a2)
(<= c1 (not b2) (true (on 2))) (<= c1 c2) (<= c2 c1 b1) (<= c2 c1 (not a2))
(<= (legal x one) c1) (<= (legal x two) c2 (not b1)) (<= (next won) b2 (does x (flip 3)) (not c2))
(<= terminal (true won)) (<= (goal x 100) c2) (<= (goal x 30) (not c2))
"""

GOAL_RECURSION = f"""
(role x) {_CLOCK} (link 1 2) (link 2 3) (link 3 4) (link 4 5) (link 5 1)
(<= (legal x (cut ?a ?b)) (link ?a ?b)) (legal x wait)
(<= (next (gone ?a ?b)) (does x (cut ?a ?b))) (<= (next (gone ?a ?b)) (true (gone ?a ?b)))
(<= (path ?a ?b) (link ?a ?b) (not (true (gone ?a ?b)))) (<= (path ?a ?c) (path ?a ?b) (path ?b ?c))
(<= (goal x 100) (path 1 1)) (<= (goal x 60) (path 2 5) (not (path 1 1))) (<= (goal x 0) (not (path 2 5)))
"""

# ---- whose turn it is ----------------------------------------------------------------------------------------------

PLAIN_TURNS = f"""
{_TURNS} {_MARKS} (<= (legal ?r (put ?c)) (true (control ?r)) (true (mark ?c blank)))
(<= open (true (mark ?c blank))) (<= terminal (not open))
"""

SOME_GROUPS = f"""
{_TURNS} {_MARKS} (init sun) (<= (next sun) (not (true sun)))
(<= (legal ?r (put ?c)) (true (control ?r)) (true (mark ?c blank)) (not (true sun)))
(<= (legal ?r (put ?c)) (true (control ?r)) (true sun) (true (mark ?c blank)) (distinct ?c 1))
(<= (legal ?r (shout ?c)) (true (control ?r)) (true sun) (cell ?c))
(<= (legal ?r (whisper ?c)) (role ?r) (true (control ?r)) (not (true sun)) (cell ?c))
(<= (next (mark ?c ?m)) (true (mark ?c ?m)) (does ?r (shout ?d)) (distinct ?d ?c))
(<= (next (mark ?c ?m)) (true (mark ?c ?m)) (does ?r (whisper ?d)))
(<= open (true (mark ?c blank))) (<= terminal (not open))
"""

STUCK_MAY_IDLE = f"""
{_TURNS} {_MARKS} (<= (legal ?r (put ?c)) (true (control ?r)) (true (mark ?c blank)) (not (blocked ?r ?c)))
(<= (blocked ?r ?c) (true (mark ?d ?r)) (near ?c ?d)) (near 1 2) (near 2 3) (near 3 4) (near 4 5) (near 2 1) (near 5 4)
(<= (can ?r) (role ?r) (cell ?c) (true (mark ?c blank)) (not (blocked ?r ?c)))
(<= (legal ?r noop) (true (control ?r)) (not (can ?r)))
(<= idle (does white noop) (does black noop)) (<= (next (mark ?c ?m)) (true (mark ?c ?m)) idle)
(<= (next (passed 1)) idle (not (true (passed 1)))) (<= (next (passed 2)) idle (true (passed 1)))
(<= terminal (true (passed 2))) (<= open (true (mark ?c blank))) (<= terminal (not open))
"""

ACTIONS_KEEP_THE_TURN = f"""
(role white) (role black) (init (control white)) {_MARKS} {_CLOCK}
(<= (legal ?r (put ?c)) (true (control ?r)) (true (mark ?c blank)))
(<= (legal ?r (take ?c)) (true (control ?r)) (true (mark ?c ?s)) (role ?s) (distinct ?s ?r))
(<= (legal ?r noop) (role ?r) (true (control ?s)) (distinct ?s ?r))
(<= (next (mark ?c blank)) (does ?r (take ?c)))
(<= (next (mark ?c ?m)) (true (mark ?c ?m)) (does ?r (take ?d)) (distinct ?c ?d))
(<= takes (does ?r (take ?c))) (<= (next (control ?r)) (true (control ?r)) takes)
(<= (next (control white)) (true (control black)) (not takes))
(<= (next (control black)) (true (control white)) (not takes))
"""

NEGATED_CONTROL = f"""
(role white) (role black) (init night) {_MARKS} {_CLOCK} (<= (next night) (not (true night)))
(<= (legal white (put ?c)) (true night) (true (mark ?c blank))) (<= (legal white noop) (not (true night)))
(<= (legal black (put ?c)) (not (true night)) (true (mark ?c blank))) (<= (legal black noop) (true night))
"""

TURN_IS_LOST = f"""
(role white) (role black) (init (control white)) {_MARKS} {_CLOCK}
(<= (legal ?r (put ?c)) (true (control ?r)) (true (mark ?c blank)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (control white)) (true (control black))) (<= (next (control black)) (does white (put ?c)) (distinct ?c 3))
(<= (next (mark ?c ?m)) (true (mark ?c ?m)) (does white noop) (does black noop))
"""

ALWAYS_NOOP = f"""
(role white) (role black) (init (control white)) {_MARKS} {_CLOCK}
(<= (legal ?r (put ?c)) (true (control ?r)) (true (mark ?c blank))) (<= (legal ?r noop) (role ?r))
(<= (next (control black)) (true (control white))) (<= (next (control white)) (true (control black)))
(<= (next (mark ?c ?m)) (true (mark ?c ?m)) (does white noop) (does black noop))
"""

PHASES = f"""
(role white) (role black) {_CLOCK} (init (turn odd white)) (init (turn even black))
(<= (next (turn ?b white)) (true (turn ?b black))) (<= (next (turn ?b black)) (true (turn ?b white)))
(board odd) (board even) (cell 1) (cell 2) (cell 3) (<= (init (at ?b ?c blank)) (board ?b) (cell ?c))
(<= (legal ?r (put ?b ?c)) (true (turn ?b ?r)) (true (at ?b ?c blank)))
(<= (legal ?r (pass ?b)) (true (turn ?b ?r)))
(<= (next (at ?b ?c ?r)) (does ?r (put ?b ?c)))
(<= (next (at ?b ?c ?m)) (true (at ?b ?c ?m)) (does ?r (put ?b ?d)) (distinct ?c ?d))
(<= (next (at ?b ?c ?m)) (true (at ?b ?c ?m)) (does ?r (pass ?b)))
(<= (goal ?r 70) (role ?r) (true (at odd 1 ?r))) (<= (goal ?r 30) (role ?r) (not (true (at odd 1 ?r))))
"""

THREE_ROLES = f"""
(role a) (role b) (role c) (init (control a)) {_MARKS}
(after a b) (after b c) (after c a) (<= (next (control ?s)) (true (control ?r)) (after ?r ?s))
(<= (legal ?r (put ?c)) (true (control ?r)) (true (mark ?c blank)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= open (true (mark ?c blank))) (<= terminal (not open))
"""

# ---- several choose at once ----------------------------------------------------------------------------------------

AT_ONCE = f"""
(role x) (role y) (role z) {_CLOCK} (number 1) (number 2) (number 3) (init (has x 0)) (init (has y 0)) (init (has z 0))
(<= (legal ?r (bid ?n)) (role ?r) (number ?n)) (<= (legal z (bid 4)) (true (step 2)))
(<= (same ?r) (does ?r (bid ?n)) (does ?s (bid ?n)) (distinct ?r ?s))
(<= (next (has ?r ?m)) (true (has ?r ?n)) (succ ?n ?m) (does ?r (bid ?k)) (not (same ?r)))
(<= (next (has ?r ?n)) (true (has ?r ?n)) (same ?r))
(<= (goal ?r 100) (true (has ?r ?n)) (more ?n 3)) (<= (goal ?r 40) (true (has ?r ?n)) (not (more ?n 3)))
(<= (more ?n ?m) (succ ?m ?n)) (<= (more ?n ?m) (succ ?k ?n) (more ?k ?m))
"""

SOMETIMES_AT_ONCE = f"""
(role x) (role y) {_CLOCK} (legal x wait) (legal y wait)
(<= (legal x (go ?n)) (true (step ?n)) (succ ?n ?m)) (<= (legal y (go ?n)) (true (step ?n)) (even ?n)) (even 2) (even 6)
(<= (next (met ?n)) (does x (go ?n)) (does y (go ?n))) (<= (next (met ?n)) (true (met ?n)))
(<= (next alone) (does x (go ?n)) (does y wait))
(<= (goal ?r 100) (role ?r) (true (met ?n))) (<= (goal ?r 5) (role ?r) (not (true (met 2))))
"""

ONE_ROLE = f"""
(role me) {_CLOCK} (init (coin 1)) (init (coin 2)) (init (coin 3))
(<= (legal me (take ?n)) (true (coin ?n))) (<= (legal me stop) (not (true (coin 2))))
(<= (next (coin ?n)) (true (coin ?n)) (not (does me (take ?n))))
(<= terminal (true over)) (<= (next over) (does me stop)) (<= (goal me 100) (true over) (true (coin 1)))
"""

# ---- ends and edges ------------------------------------------------------------------------------------------------

STUCK = f"""
(role x) (role y) {_CLOCK} (legal x a) (legal x b) (<= (legal y c) (not (true tied))) (<= (legal y d) (not (true tied)))
(<= (next tied) (does x a) (does y d)) (goal x 90) (goal y 10)
"""

STUCK_AT_THE_END = """
(role x) (init (left 2)) (<= (legal x (take 1)) (true (left 2))) (<= (legal x (take 2)) (true (left 2)))
(<= (next (left 1)) (does x (take 1))) (<= terminal (not (true (left 2)))) (<= (goal x 75) (true (left 1)))
"""

OVER_AT_ONCE = "(role x) (legal x a) (legal x b) (init s) terminal (goal x 33)"

NOTHING_IS_READ = f"""
(role x) (role y) {_CLOCK} (init once) (init forever) (<= (next forever) (true forever)) (init (deaf 1))
(<= (next (deaf 2)) (does x a)) (legal x a) (legal x b) (legal y c) (legal y d) (goal x 50) (goal y 50)
"""

NO_FACTS = "(role x) (role y) (legal x a) (legal x b) (legal y c) (goal x 1) (goal y 2)"

NO_CHOICE = f"(role x) (role y) {_CLOCK} (legal x a) (legal y b) (<= (next (seen ?n)) (true (step ?n)) (does y b))"

GOALS = f"""
(role none) (role many) (role late) {_CLOCK} (legal none a) (legal many b) (legal late c) (legal late d)
(goal many 20) (goal many 80) (<= (goal many 90) (true (last c))) (<= (next (last ?m)) (does late ?m))
(<= (goal late 100) (true (last c)) terminal) (<= (goal late 0) (true (last d)) terminal)
"""

WIDE_COUNTERS = """
(role x) (role y) (init (control x)) (init (count x 0)) (init (count y 0))
(<= (next (control y)) (true (control x))) (<= (next (control x)) (true (control y)))
(tens 0) (tens 1) (tens 2) (ones 0) (ones 1) (ones 2) (ones 3) (ones 4) (ones 5) (ones 6) (ones 7) (ones 8) (ones 9)
(up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5) (up 5 6) (up 6 7) (up 7 8) (up 8 9) (up 9 10) (up 10 11) (up 11 12)
(up 12 13) (up 13 14) (up 14 15) (up 15 16) (up 16 17) (up 17 18) (up 18 19) (up 19 20) (up 20 21) (up 21 22)
(<= (legal ?r (add ?n)) (true (control ?r)) (ones ?n)) (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (counts ?r) (does ?r (add ?n)) (tens ?n))
(<= (next (count ?r ?m)) (true (count ?r ?n)) (up ?n ?m) (counts ?r))
(<= (next (count ?r ?n)) (true (count ?r ?n)) (not (counts ?r)))
(<= terminal (true (count ?r 22)))
(<= (goal ?r 100) (true (count ?r 22))) (<= (goal ?r 0) (role ?r) (not (true (count ?r 22))))
"""

LOOPS = {"reach": REACH, "mutual": MUTUAL, "ranks": RANKS, "goal_recursion": GOAL_RECURSION}
TURNS = {
    "plain_turns": PLAIN_TURNS,
    "some_groups": SOME_GROUPS,
    "stuck_may_idle": STUCK_MAY_IDLE,
    "actions_keep_the_turn": ACTIONS_KEEP_THE_TURN,
    "negated_control": NEGATED_CONTROL,
    "phases": PHASES,
    "three_roles": THREE_ROLES,
    "wide_counters": WIDE_COUNTERS,
}
NO_TURNS = {"turn_is_lost": TURN_IS_LOST, "always_noop": ALWAYS_NOOP}
AT_ONCE_SHEETS = {"at_once": AT_ONCE, "sometimes_at_once": SOMETIMES_AT_ONCE, "stuck": STUCK}
OTHERS = {
    "only_itself": ONLY_ITSELF,
    "one_role": ONE_ROLE,
    "stuck_at_the_end": STUCK_AT_THE_END,
    "over_at_once": OVER_AT_ONCE,
    "nothing_is_read": NOTHING_IS_READ,
    "no_facts": NO_FACTS,
    "no_choice": NO_CHOICE,
    "goals": GOALS,
}
NET_SHEETS = {**LOOPS, **TURNS, **NO_TURNS, **AT_ONCE_SHEETS, **OTHERS}
