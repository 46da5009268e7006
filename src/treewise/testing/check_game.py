"""The conformance suite of games: random matches in which everything that the contract says is tried."""

from __future__ import annotations

import random
from typing import Any

from treewise.game import CHANCE, SIMULTANEOUS, TERMINAL
from treewise.testing import state_checks as checks
from treewise.testing.check_twins import compare_with_twin
from treewise.testing.report import Notebook, Report, Stop
from treewise.testing.subject import Move, NotAGame, Subject, differences, listed, subject_of
from treewise.wording import describe


def check_game(thing: Any, matches: int = 20, seed: int = 0, max_length: int | None = None) -> Report:
    """Plays random matches and reports, in words, where the rules break the contract of a game.

    `thing` is a game, a state to start from, or a class or function that makes the initial state; TypeError if it is
    nothing of these. A state written in Python needs `current_player`, `legal_actions`, `apply`, `is_terminal`,
    `returns` and `clone`; capabilities are found by their methods' names. `num_players`, `min_utility`, `max_utility`,
    `max_length`, `num_action_ids` and `zero_sum` are checked as the state, or its `game`, declares them, or by their
    defaults. A match that is not over after `max_length` steps (None: the game's) is the last one, and so is one in
    which a state does not stand by its answers. A compiled game is also compared, move by move, with its twin in plain
    Python.

    >>> import treewise
    >>> check_game(treewise.load_game("tic_tac_toe"), matches=3).ok
    True
    """
    book = Notebook()
    try:
        subject = subject_of(thing)
    except NotAGame:
        raise
    except Exception as error:
        book.note("error", describe(error))
        return book.report(getattr(thing, "__name__", type(thing).__name__), 0)
    check = _Check(subject, book, random.Random(seed), subject.max_length if max_length is None else max_length)
    played = 0
    while played < matches and not book.has("endless") and not book.has("unsteady"):
        check.run(played)
        played += 1
    check.finish()
    compare_with_twin(book, thing, played, seed, check.max_length)
    return book.report(subject.name, played)


def assert_game(thing: Any, matches: int = 20, seed: int = 0, max_length: int | None = None) -> None:
    """Raises AssertionError with the report of `check_game`, if it lists any problem.

    >>> import treewise
    >>> assert_game(treewise.load_game("pig(goal=10)"), matches=3)
    """
    report = check_game(thing, matches, seed, max_length)
    if not report.ok:
        raise AssertionError(str(report))


class _Check:
    """One run of the suite over one game."""

    def __init__(self, subject: Subject, book: Notebook, rng: random.Random, max_length: int) -> None:
        self.subject = subject
        self.rng = rng
        self.max_length = max_length
        self.book = book
        self.hashes: dict[Any, dict[str, Any]] = {}  # hash -> what must be equal wherever it appears
        self.distinct_views: set[str] = set()
        self.num_features: int | None = None
        self.shape: tuple[int, ...] | None = None

    def run(self, match: int) -> None:
        """Plays one match; whatever the rules raise becomes a problem."""
        self.book.match, self.book.step = match, 0
        try:
            self.play()
        except Stop:
            pass
        except Exception as error:
            self.book.note("error", describe(error))

    def play(self) -> None:
        """Plays a match; then the same actions again, from the start and on a clone kept on the way."""
        state = self.subject.make()
        moves: list[Move] = []
        views: list[dict[str, Any]] = []
        kept, kept_at = state.clone(), 0
        while True:
            self.book.step = len(moves)
            self.look_at(state)
            views.append(self.subject.view(state))
            if state.is_terminal():
                break
            if len(moves) >= self.max_length:
                raise self.book.fatal("endless", self.how_long())
            if self.rng.randrange(len(moves) + 1) == 0:
                kept, kept_at = state.clone(), len(moves)
            moves.append(self.step(state))
        self.play_again(moves, views)
        self.follow(kept_at, views[kept_at:], self.trace(kept, moves[kept_at:]), "clone", "on an earlier clone")

    def how_long(self) -> str:
        """That the match goes on and on, and what to do about it."""
        text = f"the match is not over after {self.max_length} steps"
        if self.max_length < self.subject.max_length:
            return text
        return f"{text}, where searches cut it: end it by a rule, or declare a larger max_length"

    def look_at(self, state: Any) -> None:
        """Everything that one state shows."""
        subject, book = self.subject, self.book
        checks.check_text(book, state)
        checks.check_mover(subject, book, state)
        checks.check_steady(subject, book, state)
        checks.check_returns(subject, book, state)
        if subject.has("hidden"):
            checks.check_hidden(subject, book, state, self.rng)
        if subject.has("score"):
            checks.check_score(book, state)
        if subject.has("features"):
            self.num_features = checks.check_features(book, state, self.num_features)
        if subject.has("scene"):
            self.shape = checks.check_scene(book, state, self.shape)
        if not state.is_terminal():
            checks.check_actions(subject, book, state, self.rng)
            self.try_clone(state)
            self.try_illegal(state)
            self.look_ahead(state)
        else:
            self.try_after_the_end(state)
        if subject.has("hash"):
            self.collect_hash(state)

    def look_ahead(self, state: Any) -> None:
        """The capabilities of a state where somebody is to act."""
        subject, book, player = self.subject, self.book, state.current_player()
        if player == CHANCE:
            checks.check_chance(book, state)
        elif player != SIMULTANEOUS:
            if subject.has("winning") and subject.num_players > 1:
                checks.check_winning(book, state, self.rng)
            if subject.has("policy"):
                checks.check_policy(book, state, self.rng)
        if subject.has("dice") and self.rng.random() < 0.1:
            checks.check_dice(subject, book, state, self.rng)
        if callable(getattr(state, "playout", None)) and callable(getattr(state, "history", None)):
            self.try_playout(state)

    def try_clone(self, state: Any) -> None:
        """A clone equals its original, and what is done to it does not touch the original."""
        before = self.subject.view(state)
        clone = state.clone()
        clone_before = self.subject.view(clone)
        if differences(before, clone_before):
            self.suspect(state)
            self.compare(before, clone_before, "clone", "a clone differs from its original")
        returned = checks.apply_legal(self.book, clone, self.choose(clone))
        if differences(before, self.subject.view(state)):
            self.suspect(state)
            raise self.book.fatal("shared", "an action applied to a clone changes the original: copy deeply")
        another = isinstance(returned, type(clone)) and returned is not clone
        if another and not differences(clone_before, self.subject.view(clone)):
            raise self.book.fatal("apply", "apply() must change this state; it returned a new one")

    def step(self, state: Any) -> Move:
        """Applies a random action; a clone made before must not notice."""
        before = self.subject.view(state)
        clone = state.clone()
        clone_before = self.subject.view(clone)
        move = self.choose(state)
        checks.apply_legal(self.book, state, move)
        self.book.steps += 1
        if differences(clone_before, self.subject.view(clone)):
            self.suspect(clone)
            raise self.book.fatal("shared", "an action applied to a state changes a clone made before it")
        if self.subject.has("rewards"):
            checks.check_rewards(self.subject, self.book, state, before["returns"])
        return move

    def suspect(self, state: Any) -> None:
        """Before something else is blamed: a state that changes now and then when it is asked is a fault of its own."""
        checks.check_steady(self.subject, self.book, state, times=10)

    def choose(self, state: Any) -> Move:
        """A uniform legal action, or one for each player where several act at once."""
        actions = [self.rng.choice(each) for each in self.subject.choices(state)]
        return actions if state.current_player() == SIMULTANEOUS else actions[0]

    def try_illegal(self, state: Any) -> None:
        """Actions that are not listed are refused with ValueError, and change nothing."""
        for move in self.illegal_moves(state):
            victim = state.clone()
            before = self.subject.view(victim)
            try:
                victim.apply(move)
            except ValueError:
                if differences(before, self.subject.view(victim)):
                    self.suspect(victim)
                    self.book.note("illegal_changes", f"apply({move}) is refused, but changes the state")
            except Exception as error:
                self.book.note(
                    "illegal_error",
                    f"apply({move}) is illegal and raised {type(error).__name__}, not ValueError",
                )
            else:
                self.book.note("illegal", f"apply({move}) is accepted although it is not legal")

    def illegal_moves(self, state: Any) -> list[Move]:
        """A few actions that the present player, or one of the present players, may not choose."""
        choices = self.subject.choices(state)
        index = self.rng.randrange(len(choices))
        legal = set(choices[index])
        top = self.subject.num_action_ids or max(legal) + 2
        unlisted = {-1, max(legal) + 1, top, self.rng.randrange(top), self.rng.randrange(top)} - legal
        if state.current_player() != SIMULTANEOUS:
            return list(unlisted)
        joint = [each[0] for each in choices]
        return [joint[:-1], *([*joint[:index], action, *joint[index + 1 :]] for action in unlisted)]

    def try_after_the_end(self, state: Any) -> None:
        """A finished match has no actions; its winner may have a quality."""
        actions = listed(state, "legal_actions")
        text = f"the match is over, but legal_actions() lists {actions[:5]}: return []"
        self.book.require(not actions, "after_end", text)
        for action in (0, 1):
            try:
                state.clone().apply(action)
            except ValueError:
                continue
            except Exception as error:
                self.book.note("after_end", f"apply() after the end raised {type(error).__name__}, not ValueError")
            else:
                self.book.note("after_end", f"apply({action}) is accepted although the match is over")
        if self.subject.has("quality"):
            checks.check_quality(self.book, state)

    def try_playout(self, state: Any) -> None:
        """The engine's own playouts play legal actions."""
        policy = self.subject.has("policy") and self.rng.random() < 0.5
        if self.rng.random() > 0.1:
            return
        played = state.clone()
        played.playout(self.rng.randrange(2**32), policy=policy)
        actions = played.history()[len(state.history()) :]
        replayed = state.clone()
        while actions and not replayed.is_terminal():
            joint = replayed.current_player() == SIMULTANEOUS
            count = self.subject.num_players if joint else 1
            replayed.apply(actions[:count] if joint else actions[0])
            actions = actions[count:]
        self.book.require(not actions, "playout", "a playout goes on after the end of the match")
        self.compare(self.subject.view(played), self.subject.view(replayed), "playout", "replaying a playout differs")

    def play_again(self, moves: list[Move], views: list[dict[str, Any]]) -> None:
        """The same actions lead through the same states, with or without clones around."""
        again, third = (self.trace(self.subject.make(), moves) for _ in range(2))
        if any(map(differences, again, third)):
            self.follow(0, again, third, "replay", "from the start")
        elif not self.book.has("replay"):
            self.follow(0, views, again, "shared", "without any clone around (clones share memory)")

    def trace(self, state: Any, moves: list[Move]) -> list[dict[str, Any]]:
        """The views of the states that `moves` lead through, up to one that is refused."""
        views = [self.subject.view(state)]
        for move in moves:
            try:
                state.apply(move)
            except ValueError:
                break
            views.append(self.subject.view(state))
        return views

    def follow(
        self, start: int, expected: list[dict[str, Any]], found: list[dict[str, Any]], kind: str, where: str
    ) -> None:
        """Notes the first state of a replay, from the step `start` on, that is not the expected one."""
        last = self.book.step
        for self.book.step, (before, after) in enumerate(zip(expected, found, strict=False), start):
            if differences(before, after):
                self.compare(before, after, kind, f"the same actions {where} lead to another state")
                break
        else:
            refused = len(found) < len(expected)
            self.book.require(not refused, kind, f"the same actions {where} are refused")
        self.book.step = last

    def compare(self, expected: dict[str, Any], found: dict[str, Any], kind: str, text: str) -> None:
        """Notes what differs; a hash that is alone in it is a problem of the hash."""
        differ = sorted(differences(expected, found))
        if differ == ["hash"]:
            self.book.note("hash", f"{text} in its hash, and in nothing else")
        elif differ:
            first = differ[0]
            self.book.note(kind, f"{text}: {first} is {found.get(first)!r}, not {expected.get(first)!r}")

    def collect_hash(self, state: Any) -> None:
        """States with one hash agree on everything that matters."""
        key = state.hash()
        if not self.book.require(isinstance(key, int), "hash", f"hash() is a {type(key).__name__}, not an int"):
            return
        over = state.is_terminal()
        matters = {
            "current_player": TERMINAL if over else state.current_player(),
            "legal_actions": [] if over else [sorted(each) for each in self.subject.choices(state)],
            "returns": listed(state, "returns") if over else [],
        }
        differ = differences(self.hashes.setdefault(key, matters), matters)
        self.distinct_views.add(repr(matters))
        if differ:
            self.book.note("hash_collision", f"states with the same hash differ in {', '.join(sorted(differ))}")

    def finish(self) -> None:
        """What can only be said after all matches."""
        if self.subject.has("hash") and len(self.hashes) == 1 < len(self.distinct_views):
            self.book.note("hash_constant", "hash() is the same in all states")
