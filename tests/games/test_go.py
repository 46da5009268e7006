"""Go: counts of legal positions, an independent rule book in Python, OpenSpiel, ko, superko, scoring."""

import itertools
import random

import pyspiel
import pytest

import treewise


def stones(state: treewise.State) -> str:
    """The board in the form of `parse_state`."""
    rows = str(state).splitlines()[:-1]
    return "/".join(row[2:].replace(" ", "") for row in rows)


def play(state: treewise.State, *names: str) -> None:
    for name in names:
        by_name = {state.action_name(action): action for action in state.legal_actions()}
        state.apply(by_name[name])


def names(state: treewise.State) -> set[str]:
    return {state.action_name(action) for action in state.legal_actions()}


class Book:
    """The rules again, as plainly as possible: boards are tuples, chains are found by search."""

    def __init__(self, size: int, superko: str, suicide: bool) -> None:
        self.size, self.superko, self.suicide = size, superko, suicide
        self.board = (".",) * (size * size)
        self.boards = [self.board]
        self.player = 0

    def around(self, p: int) -> list[int]:
        row, column = divmod(p, self.size)
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [r * self.size + c for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def region(self, board: tuple[str, ...], p: int) -> tuple[set[int], set[str]]:
        """The points connected to p with the same content, and what borders on them."""
        region, border, todo = {p}, set(), [p]
        while todo:
            for q in self.around(todo.pop()):
                if board[q] != board[p]:
                    border.add(board[q])
                elif q not in region:
                    region.add(q)
                    todo.append(q)
        return region, border

    def after(self, p: int) -> tuple[str, ...] | None:
        if self.board[p] != ".":
            return None
        own, other = "12"[self.player], "21"[self.player]
        board = list(self.board)
        board[p] = own
        for colour in (other, own):
            for q in [*self.around(p), p]:
                if board[q] == colour:
                    chain, border = self.region(tuple(board), q)
                    if "." not in border:
                        if colour == own and (not self.suicide or len(chain) == 1):
                            return None
                        for r in chain:
                            board[r] = "."
        result = tuple(board)
        forbidden = self.boards if self.superko == "positional" else self.boards[-2:-1]
        return None if result in forbidden else result

    def legal(self) -> list[int]:
        return [p for p in range(self.size**2) if self.after(p) is not None] + [self.size**2]

    def apply(self, action: int) -> None:
        if action < self.size**2:
            after = self.after(action)
            assert after is not None
            self.board = after
        self.boards.append(self.board)
        self.player ^= 1

    def area(self) -> int:
        total = 0
        for p, content in enumerate(self.board):
            owners = {content} if content != "." else self.region(self.board, p)[1]
            total += (owners == {"1"}) - (owners == {"2"})
        return total


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("superko", ["positional", "simple"])
@pytest.mark.parametrize(("size", "matches"), [(2, 60), (3, 60), (4, 30), (5, 15), (7, 3), (10, 1)])
def test_against_the_book(size: int, matches: int, superko: str, suicide: bool) -> None:
    length = 4 * size * size
    game = treewise.load_game(f"go(size={size}, komi=0, superko='{superko}', suicide={suicide}, max_length={length})")
    rng = random.Random(size)
    for _ in range(matches):
        state, book = game.initial_state(), Book(size, superko, suicide)
        while not state.is_terminal():
            assert state.legal_actions() == book.legal(), str(state)
            # Few passes, so that matches last and boards fill up again and again.
            action = rng.choice(book.legal()[:-1] or [size**2]) if rng.random() < 0.95 else size**2
            state.apply(action)
            book.apply(action)
            assert stones(state).replace("/", "") == "".join(book.board)
        area = book.area()
        assert state.returns()[0] == (area > 0) - (area < 0)


@pytest.mark.parametrize(("size", "legal"), [(2, 57), (3, 12675)])
def test_number_of_legal_positions(size: int, legal: int) -> None:
    """The numbers of Tromp and Farnebäck, Combinatorics of Go, 2007."""
    game = treewise.load_game(f"go(size={size})")
    found = 0
    for cells in itertools.product(".12", repeat=size * size):
        board = "/".join("".join(cells[i : i + size]) for i in range(0, size * size, size))
        try:
            state = game.parse_state(board, 0)
        except ValueError as error:
            assert "no liberty" in str(error)  # noqa: PT017
        else:
            found += 1
            assert stones(state) == board
    assert found == legal


@pytest.mark.parametrize(("size", "matches"), [(5, 60), (9, 30), (13, 5), (19, 3)])
def test_against_openspiel(size: int, matches: int) -> None:
    """OpenSpiel has simple ko, no suicide, and calls a match off when a board comes again."""
    length = 2 * size * size
    game = treewise.load_game(f"go(size={size}, komi=7.5, superko='simple', max_length={length})")
    spiel = pyspiel.load_game(f"go(board_size={size},komi=7.5,max_game_length={length})")
    rng = random.Random(size)
    finished = 0
    for _ in range(matches):
        ours, theirs = game.initial_state(), spiel.new_initial_state()
        seen = {stones(ours)}
        while not ours.is_terminal() and not theirs.is_terminal():
            # Theirs counts rows from the bottom.
            to_theirs = {a: (size - 1 - a // size) * size + a % size for a in range(size * size)}
            to_theirs[size * size] = size * size
            legal = ours.legal_actions()
            assert sorted(to_theirs[a] for a in legal) == sorted(theirs.legal_actions()), str(ours)
            action = rng.choice(legal)
            assert ours.action_name(action).lower() == theirs.action_to_string(to_theirs[action])[2:].lower()
            ours.apply(action)
            theirs.apply_action(to_theirs[action])
            again = action != size * size and stones(ours) in seen
            seen.add(stones(ours))
            if again:
                assert theirs.is_terminal()
                break
        else:
            assert ours.is_terminal()
            assert theirs.is_terminal()
            assert ours.returns() == theirs.returns()
            finished += 1
    assert finished > 0


def test_capture_and_ko() -> None:
    for superko in ("positional", "simple"):
        game = treewise.load_game(f"go(size=5, superko='{superko}')")
        state = game.parse_state("...../.12../1.12./.12../.....", 1)
        play(state, "B3")
        assert stones(state) == "...../.12../12.2./.12../....."
        assert "C3" not in names(state)
        play(state, "E1", "E5")
        assert "C3" in names(state)
        play(state, "C3")
        assert stones(state) == "....2/.12../1.12./.12../....1"


def test_suicide() -> None:
    game = {suicide: treewise.load_game(f"go(size=5, suicide={suicide})") for suicide in (False, True)}
    one = ".2.../2.2../.2.../...../....."
    two = "1.2../222../...../...../.1..."
    for allowed in (False, True):
        assert not names(game[allowed].parse_state(one, 0)) & {"A5", "B4"}
    assert "B5" not in names(game[False].parse_state(two, 0))
    state = game[True].parse_state(two, 0)
    play(state, "B5")
    assert stones(state) == "..2../222../...../...../.1..."


def test_send_two_return_one() -> None:
    """Black sends two, White takes them with one, Black takes that one: the first board again."""
    board = ".1.1./2211./2.2../...../....."
    for superko in ("positional", "simple"):
        state = treewise.load_game(f"go(size=5, superko='{superko}')").parse_state(board, 0)
        play(state, "A5", "C5")
        assert stones(state) == "..21./2211./2.2../...../....."
        assert ("B5" in names(state)) == (superko == "simple")
        play(state, "E1", "A1")
        assert "B5" in names(state)


def test_two_passes_end_the_match() -> None:
    state = treewise.load_game("go(size=5)").initial_state()
    play(state, "pass", "C3", "pass")
    assert not state.is_terminal()
    play(state, "pass")
    assert state.is_terminal()
    assert state.returns() == [-1.0, 1.0]


@pytest.mark.parametrize(
    ("board", "komi", "value"),
    [
        (".1.2./.1.2./.1.2./.1.2./.1.2.", 0.0, 0.0),  # the middle column is nobody's
        (".1.2./.1.2./.1.2./.1.2./.1.2.", 0.5, -1.0),
        (".1.2./.1.2./.1.2./.1.2./.1.2.", -0.5, 1.0),
        (".11../.11../111../...../.....", 24.0, 1.0),  # all 25 points
        (".11../.11../111../...../.....", 25.0, 0.0),
        (".11../.11../111../...../....2", 8.0, 0.0),  # two points of territory and seven stones against one
        ("...../...../...../...../.....", 0.0, 0.0),
    ],
)
def test_area_scoring(board: str, komi: float, value: float) -> None:
    state = treewise.load_game(f"go(size=5, komi={komi})").parse_state(board, 0)
    play(state, "pass", "pass")
    assert state.returns() == [value, -value]


def test_the_cap_scores_the_board() -> None:
    state = treewise.load_game("go(size=5, komi=0, max_length=3)").initial_state()
    play(state, "C3", "pass")
    assert state.returns() == [0.0, 0.0]
    play(state, "C4")
    assert state.is_terminal()
    assert state.returns() == [1.0, -1.0]


@pytest.mark.parametrize("superko", ["simple", "positional"])
def test_hash(superko: str) -> None:
    """Superko looks at the boards before, so that two ways to a board are two states."""
    game = treewise.load_game(f"go(size=5, superko='{superko}')")
    one, two = game.initial_state(), game.initial_state()
    play(one, "A1", "B2", "C3")
    play(two, "C3", "B2", "A1")
    assert (one.hash() == two.hash()) == (superko == "simple")
    play(two, "pass")
    assert one.hash() != two.hash()
    ko = game.parse_state("...../.12../1.12./.12../.....", 1)
    play(ko, "B3")
    assert ko.hash() != game.parse_state(stones(ko), 0).hash()


def test_states_with_one_hash_have_the_same_actions() -> None:
    """On 2 x 2 points the same board comes about in many ways, and superko forbids different points."""
    game, rng = treewise.load_game("go(size=2)"), random.Random(1)
    actions: dict[int, list[int]] = {}
    for _ in range(500):
        state = game.initial_state()
        while not state.is_terminal():
            assert actions.setdefault(state.hash(), state.legal_actions()) == state.legal_actions()
            state.apply(rng.choice(state.legal_actions()))


def test_playouts_are_legal_and_end() -> None:
    """Every action of a playout may be applied, superko included, and leads to the same state."""
    for size, matches in ((2, 200), (3, 200), (5, 50), (9, 10), (19, 1)):
        game = treewise.load_game(f"go(size={size}, max_length=2000)")
        for seed in range(matches):
            state, again = game.initial_state(), game.initial_state()
            state.playout(seed)
            assert state.is_terminal()
            for action in state.history():
                again.apply(action)
            assert again.hash() == state.hash()


def test_playouts_keep_eyes() -> None:
    game = treewise.load_game("go(size=5, komi=0.5)")
    alive = game.parse_state(".1111/11111/11111/11111/1111.", 0)
    assert alive.playout(1) == 2
    assert alive.returns() == [1.0, -1.0]
    # One of the other player's stones at a diagonal point spoils an eye at the edge, two spoil one inside.
    for board, point, filled in (
        (".1.../1..../...../...../.....", "A5", False),
        (".1.../12.1./...../...../.....", "A5", True),
        ("..1../.1.1./..1../...../.....", "C4", False),
        ("..12./.1.1./..1../...../.....", "C4", False),
        ("..12./.1.1./..12./...../.....", "C4", True),
        (".1.1./..1../...../...../.....", "C5", False),
        (".1.1./..12./...../...../.....", "C5", True),
    ):
        start = game.parse_state(board, 0)
        played = set()
        for seed in range(500):
            state = start.clone()
            state.playout(seed, max_length=1)
            played.add(start.action_name(state.history()[0]))
        assert (point in played) == filled, board


def test_playouts_are_uniform() -> None:
    game = treewise.load_game("go(size=3)")
    board = ".../.1./2.."
    counts: dict[int, int] = {}
    for seed in range(7000):
        state = game.parse_state(board, 0)
        state.playout(seed, max_length=1)
        counts[state.history()[0]] = counts.get(state.history()[0], 0) + 1
    assert sorted(counts) == [0, 1, 2, 3, 5, 7, 8]
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 22.5  # chi-squared, 6 degrees, 0.999


def test_names_skip_the_letter_i() -> None:
    state = treewise.load_game("go(size=19)").initial_state()
    assert [state.action_name(a) for a in (0, 8, 18, 360, 361)] == ["A19", "J19", "T19", "T1", "pass"]


@pytest.mark.parametrize(
    "board", ["", "...", ".../.../..", ".../.x./...", "111/111/111", "21./1../...", ".../.../.../..."]
)
def test_broken_boards_are_refused(board: str) -> None:
    with pytest.raises(ValueError, match="board"):
        treewise.load_game("go(size=3)").parse_state(board, 0)


def test_parameters_are_checked() -> None:
    for text in ("go(size=1)", "go(size=20)", "go(superko='none')"):
        with pytest.raises(ValueError, match="go: parameter"):
            treewise.load_game(text)
    with pytest.raises(ValueError, match="player"):
        treewise.load_game("go").parse_state("/".join(["." * 9] * 9), 2)


def test_policy_is_what_uniform_playouts_draw_from() -> None:
    """From positions of random matches: the candidates are the actions that one-step playouts reach, no others."""
    game = treewise.load_game("go(size=5)")
    for seed in range(40):
        state = game.initial_state()
        state.playout(seed, max_length=10 + seed)
        if state.is_terminal():
            continue
        drawn = set()
        for other in range(400):
            trial = state.clone()
            trial.playout(other, max_length=1)
            drawn.add(trial.history()[-1])
        assert drawn == set(state.playout_candidates())
