"""Two implementations of one game, move by move: compiled rules against the Python they came from, say."""

from __future__ import annotations

import random
from typing import Any

from treewise.game import CHANCE, SIMULTANEOUS
from treewise.testing.report import Notebook, Report, Stop
from treewise.testing.subject import Move, Subject, subject_of


def check_twins(first: Any, second: Any, matches: int = 20, seed: int = 0, max_length: int = 10_000) -> Report:
    """Plays random matches on both at once and reports where they differ.

    Compared are players, legal actions (in any order), their names, chance outcomes, returns and, where both
    have them, rewards, scores, features, winning actions and observations. Hashes and drawings may differ.

    >>> import treewise
    >>> game, same = treewise.load_game("tic_tac_toe"), treewise.load_game("tic_tac_toe")
    >>> check_twins(game, same, matches=2).ok
    True
    """
    twins = (subject_of(first), subject_of(second))
    book = Notebook()
    rng = random.Random(seed)
    for match in range(matches):
        book.match = match
        try:
            _play(twins, book, rng, max_length)
        except Stop:
            pass
        except Exception as error:
            book.note("error", f"{type(error).__name__}: {error}")
    return book.report(f"{twins[0].name} and {twins[1].name}", matches)


def _play(twins: tuple[Subject, Subject], book: Notebook, rng: random.Random, max_length: int) -> None:
    book.step = 0
    states = (twins[0].make(), twins[1].make())
    while True:
        faces = [_face(subject, state, twins) for subject, state in zip(twins, states, strict=True)]
        for key in faces[0]:
            if faces[0][key] != faces[1].get(key):
                text = f"the first says {faces[0][key]!r}, the second {faces[1].get(key)!r}"
                raise book.fatal(key, text)
        if faces[0]["is_terminal"] or book.step >= max_length:
            return
        move = _choose(faces[0], rng)
        for state in states:
            state.apply(move)
        book.step += 1
        book.steps += 1


def _face(subject: Subject, state: Any, twins: tuple[Subject, Subject]) -> dict[str, Any]:
    over, player = bool(state.is_terminal()), state.current_player()
    choices = [] if over else [sorted(each) for each in subject.choices(state)]
    face = {
        "is_terminal": over,
        "current_player": player,
        "legal_actions": choices,
        "action_name": [[state.action_name(action) for action in each] for each in choices],
        "returns": [round(float(value), 9) for value in state.returns()],
    }
    if player == CHANCE:
        pairs = ((outcome, round(float(chance), 9)) for outcome, chance in state.chance_outcomes())
        face["chance_outcomes"] = sorted(pairs)
    both = twins[0].capabilities & twins[1].capabilities
    for name in ("rewards", "features"):
        if name in both:
            face[name] = [round(float(value), 9) for value in getattr(state, name)()]
    if "score" in both:
        face["score"] = round(float(state.score()), 9)
    if "scene" in both:
        face["scene"] = state.scene()
    if "winning" in both and player >= 0:
        face["winning_actions"] = sorted(state.winning_actions())
    if "hidden" in both:
        face["observation"] = [state.observation(each) for each in range(subject.num_players)]
    return face


def _choose(face: dict[str, Any], rng: random.Random) -> Move:
    actions = [rng.choice(each) for each in face["legal_actions"]]
    return actions if face["current_player"] == SIMULTANEOUS else actions[0]
