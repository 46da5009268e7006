"""The text of a state's position, read off its drawing: what `parse_state` takes."""

import re

import treewise

ROW = re.compile(r" *(?:\d+|[a-m])((?: +[.\dxoXOtT])+)")
"""A row of a board: its number or, on boards of hexagons, its letter, then the cells."""
LETTERS = re.compile(r"[ a-zA-Z]+")
HEXAGONS = ("chinese_checkers", "pentalath")


def position(state: treewise.State) -> tuple[str, int]:
    """(board, player); -3 is the player of a finished match, as in `current_player`."""
    if state.game.name == "pig":
        return pig_position(str(state))
    if state.game.name == "goofspiel":
        return goofspiel_position(str(state)), 0
    found = [ROW.fullmatch(line) for line in str(state).splitlines() if is_row(line, state.game.name)]
    return "/".join(match[1].replace(" ", "") for match in found if match), state.current_player()


def is_row(line: str, name: str) -> bool:
    return name in HEXAGONS or not LETTERS.fullmatch(line)


def pig_position(drawing: str) -> tuple[str, int]:
    match = re.fullmatch(r"scores ([\d ]+), turn total (\d+), player (\d+) (.+)\n", drawing)
    assert match
    return f"{match[1]}/{match[2]}" + ("/rolls" if match[4] == "rolls" else ""), int(match[3])


def goofspiel_position(drawing: str) -> str:
    table, *players = drawing.splitlines()
    rows = [re.sub(r"^(?:prize (\d+), )?(?:to come|the match is over)", lambda m: f"{m[1] or 0}:", table)]
    return "/".join(rows + [re.sub(r"player \d+: (\d+) points, hand", r"\1:", line) for line in players])
