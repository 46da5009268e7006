"""A rulesheet as an ordinary game over the prover.

Where one role has a choice it is the player to move, and the others make their only actions with it. Where several
have, the state is simultaneous; where none has, the first player moves. The role `random` of GDL-II is chance: its
action is drawn after the players have chosen theirs and before any of them sees anything, so that the order gives
nobody an advantage. Returns are goals, 0 to 100.

A state in which some role has no legal action although the sheet does not call it terminal ends the match without a
result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock

from treewise.game import CHANCE, SIMULTANEOUS, TERMINAL
from treewise.gdl.goals import Goals
from treewise.gdl.machine import MAX_LENGTH
from treewise.gdl.prover.reasoner import Prover
from treewise.gdl.prover.tabling import Situation
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Term


class ProverGame:
    """What all states of one rulesheet share: the prover, the players and the numbers of their actions."""

    min_utility, max_utility = 0.0, 100.0
    simultaneous = True

    def __init__(self, prover: Prover, max_length: int = MAX_LENGTH) -> None:
        self.prover = prover
        self.max_length = max_length
        self.roles = tuple(map(prover.values.of, prover.roles))
        self.random = prover.roles.index(Term("random")) if Term("random") in prover.roles else None
        self.players = tuple(role for role in range(len(self.roles)) if role != self.random)
        """The role of each player: all but `random`."""
        self.num_players = len(self.players)
        self.texts: list[str] = []
        """Of each action. Actions are numbered through all roles, as they are first met."""
        self.terms: list[int] = []
        self._actions: list[dict[int, int]] = [{} for _ in self.roles]
        self._lock = Lock()
        self._goals = Goals()
        if not self.players:
            raise GDLError("the sheet has no role to play: add (role ...)")

    def action(self, role: int, term: int) -> int:
        """The number of a role's action."""
        found = self._actions[role].get(term)
        if found is not None:
            return found
        with self._lock:
            found = self._actions[role].setdefault(term, len(self.texts))
            if found == len(self.texts):
                self.terms.append(term)
                self.texts.append(self.prover.sheet.spell(self.prover.values.term(term)))
        return found

    def legal(self, situation: Situation, role: int) -> list[int]:
        """A role's legal actions. They are in the order of their texts, so that a search with one seed finds the same
        whatever has been searched before."""
        terms = self.prover.ask(situation, "legal", self.roles[role])
        known = self._actions[role]
        new = [term for term in terms if term not in known]
        if len(new) > 1:
            new.sort(key=lambda term: str(self.prover.values.term(term)))
        for term in new:
            self.action(role, term)
        return sorted([known[term] for term in terms], key=self.texts.__getitem__)

    def goal(self, situation: Situation, role: int, at_end: bool = True) -> int:
        """A role's goal. The sheet's faults are mended, at the end of a match with a warning."""
        name = self.prover.sheet.spell(self.prover.roles[role])
        terms = [self.prover.values.term(term) for term in self.prover.ask(situation, "goal", self.roles[role])]
        wrong = [term for term in terms if term.args or not term.name.lstrip("-").isdecimal()]
        if wrong:
            raise GDLError(f"the goal of {name} is {wrong[0]}: goals are whole numbers from 0 to 100")
        return self._goals.take(name, [int(term.name) for term in terms], at_end)

    def percepts(self, step: Situation, role: int) -> tuple[str, ...]:
        """What a role sees of a joint action, as the sheet spells it, sorted."""
        values, spell = self.prover.values, self.prover.sheet.spell
        return tuple(sorted(spell(values.term(seen)) for seen in self.prover.ask(step, "sees", self.roles[role])))


class ProverState:
    """One position of a rulesheet."""

    def __init__(self, game: ProverGame, situation: Situation) -> None:
        self.game = game
        self.situation = situation
        self.pending: tuple[int, ...] | None = None
        """The players' actions where only the role `random` is still to act, one for each role (its own is 0)."""
        self._choices: list[list[int]] | None = None

    # ---- what the sheet says ----

    @property
    def facts(self) -> frozenset[int]:
        """What is true, as numbers of terms."""
        found: frozenset[int] = self.situation[0]
        return found

    def is_over(self) -> bool:
        """Whether the sheet calls the state terminal."""
        return bool(self.game.prover.ask(self.situation, "terminal"))

    def choices(self) -> list[list[int]]:
        """The legal actions of each role."""
        if self._choices is None:
            self._choices = [self.game.legal(self.situation, role) for role in range(len(self.game.roles))]
        return self._choices

    # ---- the contract of a state ----

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.is_over() or not all(self.choices())

    def current_player(self) -> int:
        """The only player with a choice, or who else is to move."""
        if self.is_terminal():
            return TERMINAL
        if self.pending is not None:
            return CHANCE
        choices = self.choices()
        choosing = [player for player, role in enumerate(self.game.players) if len(choices[role]) > 1]
        if len(choosing) > 1:
            return SIMULTANEOUS
        if not choosing and self.has_chance():
            return CHANCE
        return choosing[0] if choosing else 0

    def has_chance(self) -> bool:
        """Whether the role `random` has a choice."""
        return self.game.random is not None and len(self.choices()[self.game.random]) > 1

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The actions of a player, or of whoever is to move."""
        mover = self.current_player()
        if mover == TERMINAL:
            return []
        if mover == CHANCE:
            return self.choices()[self.game.random or 0]
        chosen = mover if player is None else player
        return self.choices()[self.game.players[0 if chosen == SIMULTANEOUS else chosen]]

    def apply(self, action: int | Sequence[int]) -> None:
        """Takes one action, or one of each player at a simultaneous state."""
        mover = self.current_player()
        joint = self._joint(mover, action)
        if mover != CHANCE and self.has_chance():
            self.pending = joint
        else:
            self.take(joint)

    def _joint(self, mover: int, action: int | Sequence[int]) -> tuple[int, ...]:
        choices, game = self.choices(), self.game
        if mover == TERMINAL:
            raise ValueError("the match is over")
        joint = list(self.pending) if self.pending else [legal[0] if legal else 0 for legal in choices]
        if mover == SIMULTANEOUS:
            if isinstance(action, int) or len(action) != game.num_players:
                raise ValueError(f"a joint action has {game.num_players} parts, one for each player")
            chosen = list(zip(game.players, action, strict=True))
        else:
            role = game.random if mover == CHANCE else game.players[mover]
            chosen = [(role or 0, action)] if isinstance(action, int) else []
        if not chosen or any(each not in choices[role] for role, each in chosen):
            raise ValueError(f"illegal action {action}")
        for role, each in chosen:
            joint[role] = each
        return tuple(joint)

    def take(self, joint: Sequence[int]) -> None:
        """Makes a joint action, one of each role, whether it is legal or not."""
        prover, game = self.game.prover, self.game
        step = prover.step(self.situation, {role: game.terms[a] for role, a in zip(game.roles, joint, strict=True)})
        self.situation = prover.situation(prover.ask(step, "next"))
        self.pending = self._choices = None
        self._notice(step, joint)

    def _notice(self, step: Situation, joint: Sequence[int]) -> None:
        """For those who keep what the players see."""

    def returns(self) -> list[float]:
        """Each player's goal at the end, 0 before and where the match ended because somebody cannot move."""
        if not self.is_over():
            return [0.0] * self.game.num_players
        return [float(self.game.goal(self.situation, role)) for role in self.game.players]

    def has_result(self) -> bool:
        """Whether the sheet says who has won what: not where somebody cannot move before the end."""
        return self.is_over()

    def clone(self) -> ProverState:
        """Another state; what has been proved is shared."""
        copy = type(self)(self.game, self.situation)
        copy.pending, copy._choices = self.pending, self._choices
        return copy

    def action_name(self, action: int) -> str:
        """An action as the sheet spells it."""
        return self.game.texts[action]

    def hash(self) -> int:
        """Equal for equal facts."""
        return hash((self.facts, self.pending))

    def texts(self) -> list[str]:
        """What is true, spelt as in the sheet, sorted."""
        prover = self.game.prover
        return sorted(prover.sheet.spell(prover.values.term(fact)) for fact in self.facts)

    def __str__(self) -> str:
        return "\n".join(self.texts())


class ChanceState(ProverState):
    """A position of a rulesheet with the role `random`, which chooses each of its actions with equal chance."""

    def chance_outcomes(self) -> Iterable[tuple[int, float]]:
        """The actions of `random`."""
        outcomes = self.choices()[self.game.random or 0]
        chance = 1 / len(outcomes)
        return [(outcome, chance) for outcome in outcomes]
