"""Cannon's actions and playout candidates by the wording of the rules, one soldier at a time."""

import treewise

Board = dict[tuple[int, int], str]
Hit = tuple[str, tuple[int, int], tuple[int, int]]

DIRECTIONS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]


def cells(state: treewise.State) -> Board:
    rows = [line.split()[1:] for line in str(state).splitlines()[:10]]
    return {(r, c): rows[r][c] for r in range(10) for c in range(10)}


def name(at: tuple[int, int]) -> str:
    return f"{chr(ord('a') + at[1])}{10 - at[0]}"


def hits_and_quiet(board: Board, player: int, clear_path: bool) -> list[Hit]:
    """All (mark, from, to) with towns as prey, by the wording of the rules, one soldier at a time."""
    own, foe, town = ("1", "2", "T") if player == 0 else ("2", "1", "t")
    forward = -1 if player == 0 else 1
    found = []
    for r, c in [at for at, cell in board.items() if cell == own]:

        def at(dr: int, dc: int, n: int, r: int = r, c: int = c) -> tuple[int, int]:
            return r + n * dr, c + n * dc

        ahead = [(forward, dc) for dc in (-1, 0, 1)]
        found += [("-", (r, c), at(*d, 1)) for d in ahead if board.get(at(*d, 1)) == "."]
        for d in [*ahead, (0, -1), (0, 1)]:
            if board.get(at(*d, 1), "") in (foe, town):
                found.append(("x", (r, c), at(*d, 1)))
        if any(board.get(at(*d, 1)) == foe for d in DIRECTIONS):
            for d in [(-forward, dc) for dc in (-1, 0, 1)]:
                if board.get(at(*d, 1)) == "." and board.get(at(*d, 2)) == ".":
                    found.append(("<", (r, c), at(*d, 2)))
        for d in DIRECTIONS:
            if board.get(at(*d, 1)) == own and board.get(at(*d, 2)) == own and board.get(at(*d, 3)) == ".":
                found.append(("=", (r, c), at(*d, 3)))
                if board.get(at(*d, 4), "") in (foe, town):
                    found.append(("*", at(*d, 2), at(*d, 4)))
                if board.get(at(*d, 5), "") in (foe, town) and not (clear_path and board[at(*d, 4)] != "."):
                    found.append(("*", at(*d, 2), at(*d, 5)))
    return found


def exposes(board: Board, player: int, clear_path: bool, action: Hit) -> bool:
    mark, start, to = action
    after = dict(board)
    after[to] = "." if mark == "*" else after[start]
    if mark != "*":
        after[start] = "."
    town = "t" if player == 0 else "T"
    return any(after[target] == town for _, _, target in hits_and_quiet(after, 1 - player, clear_path))


def expected_actions(state: treewise.State, player: int, mate_rule: bool, clear_path: bool) -> list[str]:
    board = cells(state)
    found = hits_and_quiet(board, player, clear_path)
    if mate_rule:
        found = [
            action
            for action in found
            if board[action[2]] not in "tT" and not exposes(board, player, clear_path, action)
        ]
    return sorted(name(start) + mark + name(to) for mark, start, to in found)


def expected_candidates(state: treewise.State, clear_path: bool) -> tuple[str, dict[str, int]]:
    """The policy's stage, and its candidates with their weights."""
    board, player = cells(state), state.current_player()
    town = "T" if player == 0 else "t"
    legal = {state.action_name(action): action for action in state.legal_actions()}
    by_name = {name(s) + m + name(t): (m, s, t) for m, s, t in hits_and_quiet(board, player, clear_path)}
    hits = {n: 4 if "*" in n else 1 for n in legal if by_name[n][0] in "x*"}
    takes = {n: 1 for n in hits if board[by_name[n][2]] == town}
    checks = {}
    for n in legal:
        after = dict(board)
        mark, start, to = by_name[n]
        after[to], after[start] = after[start], "."
        if mark in "-<=" and any(after[t] == town for _, _, t in hits_and_quiet(after, player, clear_path)):
            checks[n] = 1
    stages = {"takes": takes, "checks": checks, "hits": hits, "all": dict.fromkeys(legal, 1)}
    return next((stage, weights) for stage, weights in stages.items() if weights)
