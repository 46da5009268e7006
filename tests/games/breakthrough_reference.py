"""Breakthrough's playout candidates and qualities by the wording of the rules, one piece at a time."""

import treewise
from positions import position

Square = tuple[int, int]
Board = dict[Square, str]


def cells(state: treewise.State) -> Board:
    rows = position(state)[0].split("/")
    return {(r, c): cell for r, row in enumerate(rows) for c, cell in enumerate(row)}


def steps(board: Board, player: int) -> list[tuple[Square, Square]]:
    own, foe, ahead = ("1", "2", -1) if player == 0 else ("2", "1", 1)
    found = []
    for r, c in [at for at, cell in board.items() if cell == own]:
        if board.get((r + ahead, c)) == ".":
            found.append(((r, c), (r + ahead, c)))
        found += [((r, c), (r + ahead, c + d)) for d in (-1, 1) if board.get((r + ahead, c + d), "") in (".", foe)]
    return found


def is_safe(board: Board, player: int, at: Square) -> bool:
    """Whether both squares diagonally ahead are empty or off the board."""
    ahead = -1 if player == 0 else 1
    return all(board.get((at[0] + ahead, at[1] + d), ".") == "." for d in (-1, 1))


def expected_candidates(state: treewise.State) -> tuple[str, dict[str, int]]:
    """The policy's stage, and its candidates with their weights; of several wins it may list any one."""
    board, player = cells(state), state.current_player()
    last = max(r for r, _ in board)
    home, goal = (last, 0) if player == 0 else (0, last)

    def name(at: Square) -> str:
        return f"{chr(ord('a') + at[1])}{last + 1 - at[0]}"

    wins, saves, weights = {}, {}, {}
    for start, to in steps(board, player):
        step, captures = name(start) + name(to), board[to] != "."
        weights[step] = (5 if is_safe(board, player, to) else 2) if captures else 1
        if to[0] == goal:
            wins[step] = 1
        if captures and start[0] == home:
            saves[step] = 1
    stages = {"wins": wins, "saves": saves, "weights": weights}
    return next((stage, candidates) for stage, candidates in stages.items() if candidates)


def expected_quality(state: treewise.State) -> float:
    """(winner's pieces - loser's) / the pieces that a player begins with."""
    board = cells(state)
    pieces = [list(board.values()).count(cell) for cell in "12"]
    winner = state.returns().index(1.0)
    columns = 1 + max(c for _, c in board)
    return (pieces[winner] - pieces[1 - winner]) / (2 * columns)
