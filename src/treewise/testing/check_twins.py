"""Two implementations of one game, move by move: compiled rules against the Python they came from, say."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from treewise._core import compiled_record
from treewise.game import CHANCE, SIMULTANEOUS, TERMINAL, Game, State
from treewise.testing.report import Notebook, Report, Stop
from treewise.testing.subject import Move, Subject, subject_of
from treewise.wording import describe

_NEAR = 40
"""Actions that one would still type."""


def check_twins(
    first: Any, second: Any, matches: int = 20, seed: int = 0, max_length: int = 10_000, exact: bool = False
) -> Report:
    """Plays random matches on both at once and reports where they differ.

    Compared are players, legal actions (in any order), their names, chance outcomes, returns and, where both
    have them, rewards, scores, features, qualities, winning actions and observations; with `exact`, also hashes and
    the order of the actions. Drawings may differ.

    >>> import treewise
    >>> game, same = treewise.load_game("tic_tac_toe"), treewise.load_game("tic_tac_toe")
    >>> check_twins(game, same, matches=2).ok
    True
    """
    pair = _Pair((subject_of(first), subject_of(second)), ("the first", "the second"), exact)
    book = Notebook()
    pair.play_all(book, matches, seed, max_length)
    return book.report(f"{pair.subjects[0].name} and {pair.subjects[1].name}", matches)


def compare_with_twin(book: Notebook, thing: Any, matches: int, seed: int, max_length: int) -> None:
    """Compares a compiled game, or a state of one, with the same rules in plain Python; others have no twin."""
    game = thing.game if isinstance(thing, State) else thing
    twin = getattr(game, "twin", None) if isinstance(game, Game) else None
    if twin is None:
        return
    same = twin.state(compiled_record(thing)) if isinstance(thing, State) else twin
    pair = _Pair((subject_of(thing), subject_of(same)), ("compiled", "in Python"), exact=True)
    found = Notebook()
    pair.play_all(found, matches, seed, max_length)
    for problem in found.problems:
        book.add(replace(problem, kind=f"twin_{problem.kind}"))


@dataclass(frozen=True)
class _Pair:
    """Two games that should be one."""

    subjects: tuple[Subject, Subject]
    names: tuple[str, str]
    exact: bool

    def play_all(self, book: Notebook, matches: int, seed: int, max_length: int) -> None:
        """Plays the matches; what differs, and what the rules raise, becomes a problem."""
        rng = random.Random(seed)
        for match in range(matches):
            book.match, book.step = match, 0
            try:
                self.play(book, rng, max_length)
            except Stop:
                pass
            except Exception as error:
                book.note("error", describe(error))

    def play(self, book: Notebook, rng: random.Random, max_length: int) -> None:
        """Plays one match, on both at once."""
        states = (self.subjects[0].make(), self.subjects[1].make())
        while True:
            faces = [self.face(*each) for each in zip(self.subjects, states, strict=True)]
            for key, found in faces[0].items():
                if found != (other := faces[1].get(key)):
                    text = f"{key} is {found!r} {self.names[0]}, {other!r} {self.names[1]}"
                    raise book.fatal(key, f"{text}{_after(states[0])}")
            if faces[0]["is_terminal"] or book.step >= max_length:
                return
            for state in states:
                _check_choice(book, state)
            move = _choose(faces[0], rng)
            for state in states:
                state.apply(move)
            book.step += 1
            book.steps += 1

    def face(self, subject: Subject, state: Any) -> dict[str, Any]:
        """What a state shows, as far as twins must agree on it."""
        over = bool(state.is_terminal())
        player = TERMINAL if over else int(state.current_player())
        choices = [] if over else [each if self.exact else sorted(each) for each in subject.choices(state)]
        face = {
            "is_terminal": over,
            "current_player": player,
            "legal_actions": choices,
            "action_name": [[_name(state, action) for action in each] for each in choices],
            "returns": _rounded(state.returns()),
        }
        if player == CHANCE:
            face["chance_outcomes"] = sorted((outcome, round(float(p), 9)) for outcome, p in state.chance_outcomes())
        return face | self.abilities(subject, state, player)

    def abilities(self, subject: Subject, state: Any, player: int) -> dict[str, Any]:
        """The same of the capabilities that both have."""
        both = self.subjects[0].capabilities & self.subjects[1].capabilities
        found: dict[str, Any] = {
            name: _rounded(getattr(state, name)()) for name in ("rewards", "features") if name in both
        }
        if "score" in both:
            found["score"] = round(float(state.score()), 9)
        if "scene" in both:
            found["scene"] = state.scene()
        if "winning" in both and player >= 0:
            found["winning_actions"] = sorted(state.winning_actions())
        if "hidden" in both:
            found["observation"] = [state.observation(each) for each in range(subject.num_players)]
        if "hash" in both and self.exact:
            found["hash"] = state.hash()
        if "quality" in both and player == TERMINAL and _has_winner(state):
            found["quality"] = round(float(state.quality()), 9)
        return found


def _after(state: Any) -> str:
    """How to get there again, where the state knows it and it is not far."""
    history = state.history() if callable(getattr(state, "history", None)) else []
    return f", after {history}" if 0 < len(history) <= _NEAR else ""


def _rounded(values: Any) -> list[float]:
    return [round(float(value), 9) for value in values]


def _name(state: Any, action: int) -> str:
    return str(state.action_name(action)) if hasattr(state, "action_name") else str(action)


def _has_winner(state: Any) -> bool:
    returns = list(state.returns())
    return returns.count(max(returns)) == 1


def _check_choice(book: Notebook, state: Any) -> None:
    """A twin can tell what its own choice in playouts is: it must be legal."""
    if callable(getattr(state, "playout_action", None)) and state.current_player() >= 0:
        for seed in range(3):
            action = state.playout_action(seed)
            book.require(
                action in state.legal_actions(), "playout_action", f"playout_action() chose {action}: not legal"
            )


def _choose(face: dict[str, Any], rng: random.Random) -> Move:
    actions = [rng.choice(each) for each in face["legal_actions"]]
    return actions if face["current_player"] == SIMULTANEOUS else actions[0]
