"""Exact values of small positions, by full search with a table."""

from functools import cache

import treewise


class Minimax:
    """Utilities of player 0 under best play; states are told apart by their hash and mover."""

    def __init__(self) -> None:
        self.table: dict[tuple[int, int], float] = {}

    def value(self, state: treewise.State) -> float:
        if state.is_terminal():
            return state.returns()[0]
        key = (state.hash(), state.current_player())
        if key not in self.table:
            values = [self.after(state, action) for action in state.legal_actions()]
            self.table[key] = max(values) if state.current_player() == 0 else min(values)
        return self.table[key]

    def after(self, state: treewise.State, action: int) -> float:
        child = state.clone()
        child.apply(action)
        return self.value(child)

    def best_actions(self, state: treewise.State) -> set[int]:
        best = self.value(state)
        return {action for action in state.legal_actions() if self.after(state, action) == best}


@cache
def tic_tac_toe_positions() -> tuple[treewise.State, ...]:
    """All reachable positions that are not over, each once."""
    found: dict[int, treewise.State] = {}
    open_states = [treewise.load_game("tic_tac_toe").initial_state()]
    while open_states:
        state = open_states.pop()
        if state.is_terminal() or state.hash() in found:
            continue
        found[state.hash()] = state
        for action in state.legal_actions():
            child = state.clone()
            child.apply(action)
            open_states.append(child)
    return tuple(found.values())
