"""Positions that try single rules of the project's own rulesheets: games with pieces that move, and quad."""

import itertools
import random

from sheet_positions import Position, filled

# ---- zhadu


def test_zhadu_stones_go_over_empty_cells() -> None:
    position = Position("zhadu", "(control light) (step 20) (piece light 2 a) (piece dark 1 a2) (piece dark 4 c3)")
    assert position.legal(0) == {"(move 2 a1)", "(move 2 a2)", "(move 2 a3)", "(move 2 c2)"}  # not c3: a2 is in the way


def test_zhadu_first_and_latest_capture() -> None:
    position = Position("zhadu", "(control light) (step 20) (piece light 1 a) (piece dark 4 a1) (piece dark 1 h)")
    after = position.play("(move 1 a1)", "noop")
    assert after.has("(firstCapture light 4)", "(lastCapture light 4)", "(piece light 1 a1)")
    assert not after.has("(piece dark 4 a1)")
    assert (after.is_over(), after.goals()) == (True, [100, 0])
    assert not Position("zhadu", "(control dark) (step 20) (piece dark 1 h) (firstCapture light 1)",
                        "(lastCapture light 4)").is_over()  # fmt: skip


def test_zhadu_winning_pairs_hold_in_both_orders() -> None:
    winning = {(1, 3), (4, 4), (1, 123), (2, 123), (3, 123)}
    winning |= {(last, first) for first, last in winning}
    for first, last in itertools.product((1, 2, 3, 4, 123), repeat=2):
        captures = f"(firstCapture dark {first}) (lastCapture dark {last})"
        position = Position("zhadu", "(control light) (step 20) (piece light 1 a)", captures)
        assert position.goals() == ([0, 100] if (first, last) in winning else [50, 50])


def test_zhadu_who_cannot_move_loses() -> None:
    stuck = Position("zhadu", "(control dark) (step 20) (piece light 1 a)")
    assert (stuck.legal(1), stuck.is_over(), stuck.goals()) == (set(), True, [100, 0])
    assert Position("zhadu", "(control dark) (step 100) (piece dark 1 h)").goals() == [50, 50]


# ---- ttcc4


def test_ttcc4_discs_fall_until_something_stops_them() -> None:
    position = Position("ttcc4", "(control light) (step 5) (cell 3 4 darkKnight) (cell 4 6 darkDisc)")
    assert position.legal(0) == {"(drop 3)", "(drop 5)"}
    assert position.play("(drop 3)", "noop").has("(cell 3 5 lightDisc)")  # the hole below the knight stays
    assert position.play("(drop 5)", "noop").has("(cell 5 2 lightDisc)")


def test_ttcc4_captured_pieces_come_back_discs_do_not() -> None:
    position = Position("ttcc4", "(control light) (step 5) (cell 3 3 lightPawn) (cell 4 4 darkKnight)",
                        "(cell 2 4 darkDisc) (cell 3 4 lightDisc)")  # fmt: skip
    captures = {"(pawnmove 3 3 4 4)", "(pawnmove 3 3 2 4)"}
    steps = {"(pawnmove 3 3 3 2)", "(pawnmove 3 3 2 3)", "(pawnmove 3 3 4 3)"}
    assert position.legal(0, "(pawn") == captures | steps
    assert position.play("(pawnmove 3 3 4 4)", "noop").has("(cell 7 5 darkKnight) (cell 4 4 lightPawn)")
    after = position.play("(pawnmove 3 3 2 4)", "noop")
    assert sum(fact.name == "cell" for fact in after.facts) == 3


def test_ttcc4_checkers_jump_and_stuck_players_pass() -> None:
    position = Position("ttcc4", "(control light) (step 5) (cell 1 4 lightChecker) (cell 2 5 darkPawn)")
    assert position.legal(0, "(jump") == {"(jump 1 4 2 5 3 6)"}
    assert position.play("(jump 1 4 2 5 3 6)", "noop").has("(cell 7 3 darkPawn) (cell 3 6 lightChecker)")
    lids = "(cell 3 6 darkDisc) (cell 4 6 darkDisc) (cell 5 6 darkDisc)"
    assert Position("ttcc4", "(control light) (step 5)", lids).legal(0) == {"noop"}


# ---- skirmish


def test_skirmish_promotion_and_payment() -> None:
    position = Position("skirmish", "(control white) (step 9) (captureCount white 12) (captureCount black 0)",
                        "(location 1 7 whitePawn) (location 2 8 blackRook) (location 8 1 blackKing)")  # fmt: skip
    assert position.legal(0) == {"(move 1 7 1 8)", "(move 1 7 2 8)"}
    after = position.play("(move 1 7 2 8)", "noop")
    assert after.has("(location 2 8 whiteQueen)", "(captureCount white 13)", "(captureCount black 0)")
    assert after.goals() == [79, 0]


def test_skirmish_pays_for_each_capture() -> None:
    worth = [*range(0, 73, 6), 79, 86, 93, 100]
    board = "(location 1 1 whiteRook) (location 1 2 blackPawn) (location 8 8 blackKing)"
    for count in range(16):
        before = Position("skirmish", board, f"(control white) (captureCount white {count}) (captureCount black 2)")
        after = before.play("(move 1 1 1 2)", "noop")
        assert (before.goals(), after.goals()) == ([worth[count], 12], [worth[count + 1], 12])


def test_skirmish_ends_when_the_side_not_to_move_is_stuck() -> None:
    start = "(control white) (step 9) (captureCount white 0) (captureCount black 0) (location 4 4 whiteKnight)"
    assert not Position("skirmish", start, "(location 4 5 blackPawn) (location 5 4 whiteKing)").is_over()
    assert Position("skirmish", start, "(location 4 5 blackPawn)").is_over()
    assert Position("skirmish", start).is_over()


def test_skirmish_pieces_do_not_slide_through_others() -> None:
    position = Position("skirmish", "(control black) (step 9) (location 1 1 blackRook) (location 1 3 blackPawn)",
                        "(location 3 1 whitePawn) (location 4 1 whiteKing)")  # fmt: skip
    rook = {action for action in position.legal(1) if action.startswith("(move 1 1")}
    assert rook == {"(move 1 1 1 2)", "(move 1 1 2 1)", "(move 1 1 3 1)"}


# ---- sheepwolf


PASTURE = [f"c{x} c{y}" for x in range(1, 9) for y in range(1, 9)]


def pasture(pieces: str) -> Position:
    return Position("sheepwolf", filled(pieces, PASTURE, "(cell {} b)"), "(control sheep)")


def test_sheepwolf_endings() -> None:
    open_field = pasture("(cell c1 c1 s) (cell c4 c4 w)")
    assert not open_field.is_over()
    assert open_field.legal(1) == {"(move c1 c1 c2 c2)"}
    passed = pasture("(cell c1 c3 s) (cell c5 c3 w)")
    assert (passed.is_over(), passed.goals()) == (True, [100, 0])
    caught = pasture("(cell c1 c1 s) (cell c2 c8 s) (cell c7 c7 s) (cell c8 c8 w)")
    assert (caught.is_over(), caught.goals()) == (True, [0, 100])
    held_up = pasture("(cell c1 c8 s) (cell c1 c1 s) (cell c2 c2 w)")
    assert (held_up.is_over(), held_up.goals()) == (True, [100, 0])


# ---- quad


FIELDS = [f"r{r} c{c}" for r in range(1, 12) for c in range(1, 12) if {r, c} - {1, 11}]


def quad(cells: str, rest: str) -> Position:
    return Position("quad", filled(cells, FIELDS, "(cell {} b)"), rest)


def test_quad_squares_may_be_slanted() -> None:
    hand = "(quad x 9) (quad o 9) (white x 7) (white o 6) (control x)"
    position = quad("(cell r2 c3 x) (cell r3 c5 x) (cell r5 c4 x) (cell r6 c6 o)", hand)
    assert not position.is_over()
    after = position.play("(mark r4 c2)", "noop")
    assert (after.is_over(), after.goals()) == (True, [100, 0])
    assert after.has("(control o)", "(quad x 8)", "(white x 7)")
    again = position.play("(block r4 c2)", "noop")
    assert again.has("(cell r4 c2 w)", "(control x)", "(quad x 9)", "(white x 6)", "(white o 6)")
    assert not again.is_over()


def test_quad_squares_lie_everywhere() -> None:
    corners = itertools.product(range(1, 12), range(1, 12), range(1, 11), range(11))
    squares = [((r, c), (r + m, c + n), (r + m - n, c + n + m), (r - n, c + m)) for r, c, m, n in corners]
    inside = [[f"r{r} c{c}" for r, c in square] for square in squares]
    inside = [square for square in inside if set(square) <= set(FIELDS)]
    assert len(inside) == 1173
    for square in random.Random(3).sample(inside, 80):
        held = [f"(cell {cell} o)" for cell in square]
        assert quad(" ".join(held), "(control x)").goals() == [0, 100]
        assert not quad(" ".join(held[1:]), "(control x)").is_over()


def test_quad_when_all_are_on_the_board() -> None:
    spent = "(quad x 0) (quad o 0) (control x)"
    three = "(cell r2 c2 x) (cell r2 c3 x) (cell r3 c2 x)"
    assert quad(three, f"{spent} (white x 0) (white o 7)").goals() == [95, 5]
    assert quad(f"{three} (cell r3 c3 w)", f"{spent} (white x 0) (white o 2)").goals() == [10, 90]
    assert quad("(cell r2 c2 o) (cell r2 c3 o) (cell r3 c2 o)", f"{spent} (white x 4) (white o 4)").goals() == [50, 50]
    for missing in ("r2 c2", "r2 c3", "r3 c2", "r3 c3"):
        corners = " ".join(f"(cell {cell} x)" for cell in ("r2 c2", "r2 c3", "r3 c2", "r3 c3") if cell != missing)
        assert quad(corners, f"{spent} (white x 0) (white o 1)").goals() == [95, 5]
    assert not quad(three, "(quad x 0) (quad o 1) (control o) (white x 1) (white o 1)").is_over()
    assert (
        quad("(cell r2 c2 o)", "(quad x 5) (quad o 5) (control o) (white x 1) (white o 0)").legal(1, "(block") == set()
    )


# ---- merrills


POINTS = [f"{s} {d}" for s in ("outer", "middle", "inner") for d in ("n", "ne", "e", "se", "s", "sw", "w", "nw")]


def merrills(stones: str, rest: str) -> Position:
    return Position("merrills", filled(stones, POINTS, "(pit {} empty)"), rest)


WHITE_MILL = "(pit outer nw white) (pit outer n white) (pit outer ne white) "
BLACK_MILL = "(pit inner nw black) (pit inner n black) (pit inner ne black) "


def test_merrills_a_mill_removes_a_stone_that_is_in_none() -> None:
    hand = "(heap white 3) (heap black 3) (control white) (step 9)"
    before = merrills(f"(pit outer nw white) (pit outer n white) {BLACK_MILL} (pit middle s black)", hand)
    after = before.play("(place outer ne)", "noop")
    assert after.has("(heap white 2)", "(control white)", "made_a_mill", "(step 10)")
    assert after.legal(0) == {"(remove middle s)"}
    done = after.play("(remove middle s)", "noop")
    assert done.has("(pit middle s empty)", "(control black)", "(heap white 2)")
    assert not done.has("made_a_mill")
    assert merrills(WHITE_MILL + BLACK_MILL, f"{hand} made_a_mill").legal(0) == {"noop"}


def test_merrills_has_sixteen_mills() -> None:
    sides = [("nw", "n", "ne"), ("ne", "e", "se"), ("se", "s", "sw"), ("sw", "w", "nw")]
    mills = [[f"{square} {d}" for d in side] for square in ("outer", "middle", "inner") for side in sides]
    mills += [[f"{square} {d}" for square in ("outer", "middle", "inner")] for d in ("n", "e", "s", "w")]
    hand = "(heap white 3) (heap black 3) (control black) (step 9)"
    for first, second, third in itertools.chain.from_iterable(map(itertools.permutations, mills)):
        before = merrills(f"(pit {first} black) (pit {second} black)", hand)
        assert before.play("noop", f"(place {third})").has("made_a_mill")
    corner = merrills("(pit outer n black) (pit outer ne black)", hand)
    assert not corner.play("noop", "(place outer e)").has("made_a_mill")


def test_merrills_a_stone_leaves_its_own_line() -> None:
    hand = "(heap white 0) (heap black 0) (control white) (step 30)"
    flying = merrills(f"(pit outer nw white) (pit outer n white) (pit inner s white) {BLACK_MILL}", hand)
    assert flying.play("(move outer nw outer ne)", "noop").has("(control black)")
    assert flying.play("(move inner s outer ne)", "noop").has("(control white)", "made_a_mill")
    assert len(flying.legal(0)) == 3 * 18


def test_merrills_without_a_move_one_passes() -> None:
    hand = "(heap white 0) (heap black 0) (control white) (step 30)"
    corners = "(pit outer nw white) (pit outer ne white) (pit outer se white) (pit outer sw white) "
    sides = "(pit outer n black) (pit outer e black) (pit outer s black) (pit outer w black)"
    stuck = merrills(corners + sides, hand)
    assert (stuck.legal(0), stuck.is_over(), stuck.goals()) == ({"noop"}, False, [50, 50])


def test_merrills_results() -> None:
    empty = "(heap white 0) (heap black 0) (control white)"
    two = "(pit middle e white) (pit inner s white)"
    lost = merrills(BLACK_MILL + two, f"{empty} (step 40)")
    assert (lost.is_over(), lost.goals()) == (True, [0, 100])
    assert not merrills(BLACK_MILL + two, "(heap white 0) (heap black 1) (control white) (step 40)").is_over()
    more = merrills(f"{BLACK_MILL} {two} (pit outer w white) (pit outer e white)", f"{empty} (step 60)")
    assert (more.is_over(), more.goals()) == (True, [75, 25])


# ---- checkers


CELLS = [f"{file} {rank}" for file in "abcdefgh" for rank in range(1, 9)]


def checkers(pieces: str, rest: str) -> Position:
    return Position("checkers", filled(pieces, CELLS, "(cell {} b)"), rest)


def test_checkers_up_to_three_jumps() -> None:
    black = "(cell d 3 bp) (cell f 5 bk) (cell f 7 bp)"
    rest = "(control white) (step 9) (piece_count white 1) (piece_count black 3)"
    king = checkers(f"(cell c 2 wk) {black}", rest)
    assert king.legal(0, "(doublejump") == {"(doublejump wk c 2 e 4 g 6)"}
    assert king.legal(0, "(triplejump") == {"(triplejump wk c 2 e 4 g 6 e 8)"}
    assert "(move wk c 2 e 4)" in king.legal(0)
    after = king.play("(triplejump wk c 2 e 4 g 6 e 8)", "noop")
    assert after.has("(cell e 8 wk) (cell d 3 b) (cell f 5 b) (cell f 7 b) (cell c 2 b) (piece_count black 0)")
    assert (after.is_over(), after.goals()) == (True, [100, 0])
    man = checkers(f"(cell c 2 wp) {black}", rest).play("(triplejump wp c 2 e 4 g 6 e 8)", "noop")
    assert man.has("(cell e 8 wk)", "(step 10)", "(control black)")


def test_checkers_who_cannot_move_may_still_win() -> None:
    """By the numbers of pieces, which are facts of their own."""
    counts = "(control black) (step 9) (piece_count white 4) (piece_count black 5)"
    stuck = checkers("(cell a 4 bp) (cell b 3 wp) (cell c 2 wp)", counts)
    assert (stuck.legal(1), stuck.is_over(), stuck.goals()) == (set(), True, [0, 100])
    assert checkers("(cell a 4 bp) (cell b 3 wp)", counts).legal(1) == {"(move bp a 4 c 2)"}


def test_checkers_goals_go_by_the_numbers() -> None:
    for white, black in itertools.product(range(13), repeat=2):
        position = Position("checkers", f"(control white) (piece_count white {white}) (piece_count black {black})")
        assert position.goals() == ([50, 50] if white == black else [100, 0] if white > black else [0, 100])


# ---- chinesecheckers


STAR = {"b": 2, "c": 7, "d": 6, "e": 5, "f": 6, "g": 7, "h": 2, "a": 1, "i": 1}
HOLES = [f"{row}{n}" for row, count in STAR.items() for n in range(1, count + 1)]


def star(pieces: str, control: str, step: int = 9) -> Position:
    return Position("chinesecheckers", filled(pieces, HOLES, "(cell {} blank)"), f"(control {control}) (step {step})")


def test_chinesecheckers_two_hops_turn_corners() -> None:
    position = star("(cell c4 red) (cell d3 teal) (cell f3 teal) (cell i1 teal)", "red")
    expected = {"(move c4 d4)", "(move c4 e2)", "(move c4 g4)", "noop"}
    assert position.legal(0) == expected
    assert star("(cell f3 red) (cell e3 teal)", "teal").legal(1) == {"(move e3 d3)", "(move e3 d4)", "noop"}


def test_chinesecheckers_goals() -> None:
    assert star("(cell h1 red) (cell c3 red) (cell a1 teal) (cell b2 teal)", "red").goals() == [25, 50]
    end = star("(cell h1 red) (cell h2 red) (cell i1 red) (cell e1 teal)", "teal")
    assert (end.is_over(), end.goals()) == (True, [100, 0])
    assert not star("(cell h1 red)", "red", 39).is_over()
    assert star("(cell h1 red)", "red", 40).is_over()


# ---- battle


def battle(cells: str) -> Position:
    return Position("battle", cells, "(capture_count north 0) (capture_count south 9) (step 3)")


def test_battle_places_are_swapped_and_left_cells_entered() -> None:
    swap = battle("(cell 4 4 np) (cell 4 5 sp)").play("(move 4 4 4 5)", "(move 4 5 4 4)")
    assert swap.has("(cell 4 4 sp) (cell 4 5 np) (capture_count north 0) (capture_count south 9)")


def test_battle_two_that_meet_are_lost() -> None:
    meet = battle("(cell 4 4 np) (cell 4 6 sp) (cell 1 1 sk)").play("(move 4 4 4 5)", "(move 4 6 4 5)")
    assert sum(fact.name == "cell" for fact in meet.facts) == 1
    assert meet.has("(capture_count north 0) (capture_count south 9)")
    assert meet.is_over()  # north has no piece


def test_battle_captures() -> None:
    position = battle("(cell 4 4 np) (cell 4 5 sp) (cell 8 8 sk) (cell 1 8 nk)")
    taken = position.play("(move 4 4 4 5)", "(move 8 8 7 7)")
    assert taken.has("(cell 4 5 np) (capture_count north 1) (cell 7 7 sk)")
    defended = position.play("(move 4 4 4 5)", "(defend 4 5)")
    assert defended.has("(cell 4 5 sp) (capture_count north 0) (capture_count south 10) (step 4)")
    assert (defended.is_over(), defended.goals()) == (True, [0, 100])
    assert "(move 4 4 5 5)" not in position.legal(0)  # pawns do not go diagonally


def test_battle_pays_for_each_capture() -> None:
    board = "(cell 4 4 nk) (cell 5 5 sk) (cell 8 8 sk) (step 3)"
    for count in range(10):
        before = Position("battle", board, f"(capture_count north {count}) (capture_count south 1)")
        after = before.play("(move 4 4 5 5)", "(defend 8 8)")
        assert (before.goals(), after.goals()) == ([10 * count, 10], [10 * count + 10, 10])


# ---- chinook


ODD = [f"{file} {rank}" for x, file in enumerate("abcdefgh") for rank in range(1, 9) if (x + rank) % 2]
EVEN = [f"{file} {rank}" for x, file in enumerate("abcdefgh") for rank in range(1, 9) if (x + rank) % 2 == 0]


def chinook(odd: str, even: str) -> Position:
    boards = filled(odd, ODD, "(oddcell {} b)") + filled(even, EVEN, "(evencell {} b)")
    return Position("chinook", boards, "(oddcontrol white) (evencontrol black) (oddstep 7) (evenstep 7)")


def test_chinook_goes_round_and_jumps() -> None:
    position = chinook("(oddcell a 3 white) (oddcell h 4 black)", "(evencell a 2 black) (evencell b 1 white)")
    assert position.legal(0) == {"(oddmove a 3 b 4)", "(oddjump a 3 h 4 g 5)", "oddnoop"}
    assert position.legal(1) == {"(evenmove a 2 h 1)", "evennoop"}
    after = position.play("(oddjump a 3 h 4 g 5)", "(evenmove a 2 h 1)")
    assert after.has("(oddcell g 5 white) (oddcell h 4 b) (oddcell a 3 b) (oddcontrol black) (evencontrol white)")
    assert (after.is_over(), after.goals()) == (True, [0, 100])


def test_chinook_both_or_none_may_win() -> None:
    position = chinook("(oddcell a 7 white)", "(evencell a 2 black)")
    both = position.play("(oddmove a 7 b 8)", "(evenmove a 2 b 1)")
    assert (both.is_over(), both.goals()) == (True, [100, 100])
    assert (position.is_over(), position.goals()) == (False, [0, 0])
