"""The match server: START to all players, PLAY until the match is over, STOP; every fault recorded and survived."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from treewise._core import derive_seed
from treewise.gdl.load import sheet_path
from treewise.gdl.machine import Machine
from treewise.gdl.syntax import Form, GDLError, read
from treewise.ggp.entrants import Entrant, Reply, Seat, Turn
from treewise.ggp.machines import best_machine, readable_sheet
from treewise.ggp.messages import Abort, MessageError, Play, Start, Stop, read_move
from treewise.ggp.percepts import Percepts, hides
from treewise.ggp.position import Position
from treewise.ggp.record import Record
from treewise.ggp.scramble import Scrambler
from treewise.ggp.thinker import RANDOM_ROLE

__all__ = ["Conditions", "Rules", "play_ggp_match", "read_rules"]

Message = TypeVar("Message", Play, Stop)

_TOKEN_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True, eq=False)
class Rules:
    """A rulesheet, as it is sent and as a machine."""

    name: str
    forms: tuple[Form, ...]
    hash: str
    """SHA-256 of the text."""
    machine: Machine

    @property
    def seats(self) -> list[int]:
        """The roles that players take: all but the one that the server plays by chance."""
        return [role for role, name in enumerate(self.machine.roles) if name.lower() != RANDOM_ROLE]


def read_rules(path: str | Path) -> Rules:
    """Reads a rulesheet, a file or a shipped one by its name; ValueError or OSError say why it cannot be read.

    What is wrong with the rules is repaired or left out, as players do, with a warning in the log.
    """
    file = sheet_path(path)
    text = file.read_text(encoding="utf-8", errors="replace")
    forms = read(text)
    machine = best_machine(readable_sheet(text, file.name))
    return Rules(file.stem, forms, hashlib.sha256(text.encode()).hexdigest(), machine)


@dataclass(frozen=True)
class Conditions:
    """How matches are played. Clocks are in seconds."""

    start_clock: int = 30
    play_clock: int = 15
    scramble: bool = False
    failed: Literal["random", "first"] = "random"
    """What is played for a role that gives no legal move in time."""
    longest: int = 1000
    """Steps after which a match is called off."""


def play_ggp_match(
    rules: Rules,
    entrants: Sequence[Entrant],
    conditions: Conditions | None = None,
    seed: int = 0,
    report: Callable[[Record], None] = lambda record: None,
) -> Record:
    """Plays one match, with one entrant for each role but `random`, in the order of the sheet.

    `report` is called after every step. The seed decides what the server and built-in entrants do by chance.
    """
    if len(entrants) != len(rules.seats):
        raise ValueError(f"{rules.name} is for {len(rules.seats)} players, but {len(entrants)} are given")
    return _Match(rules, entrants, conditions or Conditions(), seed, report).play()


class _Match:
    def __init__(
        self,
        rules: Rules,
        entrants: Sequence[Entrant],
        conditions: Conditions,
        seed: int,
        report: Callable[[Record], None],
    ) -> None:
        self.rules, self.machine, self.conditions, self.report = rules, rules.machine, conditions, report
        self.rng = random.Random(derive_seed(seed, 0))
        self.position = Position(self.machine)
        self.seats: dict[int, Seat] = {}
        for role, entrant in zip(rules.seats, entrants, strict=True):
            self.seats[role] = entrant.sit(self.machine, role, conditions.play_clock, derive_seed(seed, 1 + role))
        self.scrambler = Scrambler(
            " ".join(map(str, rules.forms)) if conditions.scramble else "", derive_seed(seed, 99)
        )
        self.percepts = Percepts(self.machine.sheet) if hides(self.machine.sheet) else None
        self.record = self._new_record([entrant.text for entrant in entrants], seed)

    def _new_record(self, texts: list[str], seed: int) -> Record:
        by_role = dict(zip(self.rules.seats, texts, strict=True))
        names = tuple(by_role.get(role, RANDOM_ROLE) for role in range(len(self.machine.roles)))
        token = "".join(self.rng.choice(_TOKEN_LETTERS) for _ in range(32))
        now = time.time()
        return Record(
            match=f"{self.rules.name}.{round(1000 * now)}.{token[:6]}",
            token=token,
            rules=self.rules.name,
            rules_hash=self.rules.hash,
            roles=self.machine.roles,
            players=names,
            start_clock=self.conditions.start_clock,
            play_clock=self.conditions.play_clock,
            seed=seed,
            scrambled=self.conditions.scramble,
            started=now,
        )

    # ---- the course of a match

    def play(self) -> Record:
        """All of it."""
        with ThreadPoolExecutor(max(1, len(self.seats)), thread_name_prefix="ggp-seat") as pool:
            self.pool = pool
            try:
                self._start()
                self._steps()
                self.record.goals = self.machine.goals(self.position.state)
            except BaseException as error:
                self.record.problem = str(error) or type(error).__name__
                self._end(lambda role: Abort(self.record.match))
                if not isinstance(error, GDLError):  # anything but rules that cannot be played
                    raise
            else:
                self.record.completed = True
                self._end(lambda role: self._told(Stop, role))
        return self.record

    def _start(self) -> None:
        rules = self.scrambler.hide(" ".join(map(str, self.rules.forms)))
        clocks = self.conditions.start_clock, self.conditions.play_clock

        def begin(role: int) -> Reply:
            name = self.scrambler.hide(self.machine.roles[role])
            return self.seats[role].start(Start(self.record.match, name, rules, *clocks))

        replies = self._from_all(begin)
        self._note([reply.error for reply in replies], replies)

    def _steps(self) -> None:
        self._note_state()
        while not self.machine.is_terminal(self.position.state):
            if len(self.record.moves) >= self.conditions.longest:
                raise GDLError(f"the match is not over after {self.conditions.longest} steps")
            self._step()
            self._note_state()
            self.report(self.record)

    def _step(self) -> None:
        legal = [self.position.legal_texts(role) for role in range(len(self.machine.roles))]
        for role, moves in enumerate(legal):
            if not moves:
                raise GDLError(f"{self.machine.roles[role]} has no legal move, though the match is not over")
        replies = self._from_all(
            lambda role: self.seats[role].play(Turn(self._told(Play, role), self.position, legal[role]))
        )
        chosen = [self._chosen(role, reply, legal[role]) for role, reply in enumerate(replies)]
        self._note([error for _, error in chosen], replies)
        moves = [move for move, _ in chosen]
        self.position = self.position.after(moves)
        self.record.moves.append(moves)
        self.record.actions.append(tuple(self.machine.find_action(r, move) or 0 for r, move in enumerate(moves)))

    def _chosen(self, role: int, reply: Reply, legal: list[str]) -> tuple[str, str]:
        """The move that counts, and what was wrong with the answer."""
        if role not in self.seats:
            return self.rng.choice(legal), ""
        error = reply.error
        if not error:
            try:
                action = self.machine.find_action(role, self.scrambler.reveal(read_move(reply.text)))
                text = "" if action is None else self.machine.action_text(role, action)
                if text in legal:
                    return text, ""
            except MessageError:
                pass
            error = f"IL {reply.text}"
        move = self.rng.choice(legal) if self.conditions.failed == "random" else legal[0]
        return move, error[:200]

    def _end(self, message: Callable[[int], Stop | Abort]) -> None:
        list(self.pool.map(lambda role: self.seats[role].end(message(role)), self.seats))

    # ---- what is sent and noted

    def _told(self, kind: type[Message], role: int) -> Message:
        """What a role is told: the last joint move or, where the rules hide something, what it did and saw of it."""
        last = [self.scrambler.hide(move) for move in self.position.played[-1]] if self.position.played else None
        if self.percepts is None:
            return kind(self.record.match, tuple(last) if last is not None else None)
        if last is None:
            return kind(self.record.match, None, 0, None, None)
        seen = self.percepts.of(self.record.states[-2], self.position.played[-1], role)
        hidden = tuple(map(self.scrambler.hide, seen))
        return kind(self.record.match, None, len(self.position.played), last[role], hidden)

    def _from_all(self, ask: Callable[[int], Reply]) -> list[Reply]:
        """The replies of all seats, asked at the same time; nothing from roles without one."""
        replies = dict(zip(self.seats, self.pool.map(ask, self.seats), strict=True))
        return [replies.get(role, Reply("", "", 0.0)) for role in range(len(self.machine.roles))]

    def _note(self, errors: list[str], replies: Iterable[Reply]) -> None:
        self.record.errors.append(errors)
        self.record.reply_times.append([round(reply.seconds, 4) for reply in replies])

    def _note_state(self) -> None:
        self.record.states.append(self.machine.facts(self.position.state))
        self.record.state_times.append(time.time())
