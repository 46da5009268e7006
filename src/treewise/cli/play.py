"""Play against a search in the terminal.

Type an action by its name or its number in the list, or: help, actions, hint, undo, quit. Ctrl-C while the search
thinks makes it play at once.
"""

from __future__ import annotations

import random
from argparse import ArgumentParser, Namespace

from rich.columns import Columns
from rich.text import Text

from treewise._core import derive_seed
from treewise.cli.drawing import drawing, marked, print_pages
from treewise.cli.notation import action_names, find_action, numbered_actions
from treewise.cli.options import (
    SEARCH_HELP,
    add_game,
    add_limit,
    add_seed,
    asked_limit,
    fitted,
    load_target,
    read_search,
    start,
    whole,
)
from treewise.cli.output import console
from treewise.compositions import enhanced
from treewise.game import CHANCE, SIMULTANEOUS, State, game_text
from treewise.limit import Seconds
from treewise.match import Seat, Step, apply_step, final_returns, own_action, sample_outcome, seed_dice
from treewise.result import Result
from treewise.search import Search, SearchInterrupted

EXAMPLES = """\
examples:
  treewise play breakthrough
  treewise play tic_tac_toe --seat 1 --search "uct(simulations=100)"
  treewise play "pig(players=3)" --seconds 0.2
  treewise play breakthrough --search enhanced --seconds 5
"""

_HELP = """\
NAME or NUMBER   play this action (by name only, where the names themselves are numbers)
actions          list the legal actions, with their numbers
hint             let the search think for you and show what it found
undo             take back your last action
quit             end the match (so does Ctrl-D)
Ctrl-C           while your opponent thinks: it plays what it has found; else it ends the match"""

_COMMANDS = {word: word for word in ("help", "actions", "hint", "undo", "quit")}
_COMMANDS |= {"?": "help", "h": "help", "q": "quit", "exit": "quit"}
_LISTED = 12
_AGAIN = -1


class _Quit(Exception):
    """The person leaves."""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_game(parser)
    parser.add_argument("--search", metavar="TEXT", help=f"your opponent: {SEARCH_HELP} (default: enhanced)")
    parser.add_argument("--seat", type=whole(0), default=0, metavar="N", help="the player you are, from 0 (default: 0)")
    add_limit(parser, "one second")
    add_seed(parser, None)


def run(args: Namespace) -> int:
    """Plays one match."""
    state = start(load_target(args.game))
    if state.game.name == "vgdl":
        text = game_text(state.game)
        raise ValueError(f'video games are played tick by tick, by another command: treewise vgdl play "{text}"')
    if args.seat >= state.game.num_players:
        raise ValueError(f"--seat {args.seat}: the players of {state.game.name} are 0 to {state.game.num_players - 1}")
    seed = random.SystemRandom().randrange(2**32) if args.seed is None else args.seed
    seed_dice(state, seed)
    match = _Match(state, _opponent(args, state), args.seat, seed)
    match.out.print(f"You are player {args.seat} of {state.game.name}; seed {seed}. Type 'help' for help.")
    try:
        match.play()
    except (EOFError, _Quit):
        match.out.print("\nThe match ends here. Goodbye.")
    except KeyboardInterrupt:
        match.out.print("\nThe match ends here. Goodbye.")
        return 130
    return 0


def _opponent(args: Namespace, state: State) -> Search:
    if args.search is not None:
        search = read_search(args.search, args, Seconds(1.0))
    else:
        search = fitted(enhanced(), state.game).replace(limit=asked_limit(args) or Seconds(1.0))
    search.check(state.game)
    return search


class _Match:
    """A match between a person and searches, with the way back."""

    def __init__(self, state: State, search: Search, person: int, seed: int) -> None:
        self.out = console()
        self.state, self.search, self.person, self.seed = state, search, person, seed
        self.hidden = "hidden" in state.game.capabilities
        self.rng = random.Random(derive_seed(seed, 0))
        self.seats = self._new_seats()
        self.steps = 0
        self.remarked = False  # that a search does not do well: said once
        self.seen: str | None = None  # the drawing that the person saw last
        self.past: list[tuple[State, object, int]] = []  # the person's decisions: state, random stream, steps

    def play(self) -> None:
        """Plays to the end."""
        while not self.state.is_terminal() and self.steps < self.state.game.max_length:
            player, step = self.state.current_player(), self._next_step()
            if step == _AGAIN:
                continue
            self._tell(step)
            apply_step(self.state, step)
            if player == self.person:
                self.seen = None if self.hidden else drawing(self.state)
            self.steps += 1
            for seat in self.seats:
                seat.follow(step)
        self._draw(drawing(self.state))
        self.out.print(self._outcome())

    def _next_step(self) -> Step:
        player = self.state.current_player()
        if player == CHANCE:
            return sample_outcome(self.state, self.rng)
        if player == SIMULTANEOUS:
            mine = self._ask()
            others = [
                mine if seat.player == self.person or mine == _AGAIN else self._choose(seat) for seat in self.seats
            ]
            return _AGAIN if mine == _AGAIN else tuple(others)
        return self._ask() if player == self.person else self._choose(self.seats[player])

    def _choose(self, seat: Seat) -> int:
        found = self._think(seat, f"player {seat.player} thinks …")
        if found.remarks and not self.hidden and not self.remarked:
            self.remarked = True
            self.out.print(f"player {seat.player} does not search well: {found.remarks[0]}")
        return own_action(found, seat.player)

    def _think(self, seat: Seat, word: str) -> Result:
        """What a search finds. Ctrl-C stops the thinking, not the match."""
        try:
            with self.out.status(Text(f"{word} (Ctrl-C stops it)")):
                return seat.search(self.state)
        except SearchInterrupted as stopped:
            self.out.print(f"stopped after {stopped.result.stats.simulations:,} simulations")
            return stopped.result

    def _tell(self, step: Step) -> None:
        """What happened, as far as the person may know it."""
        player = self.state.current_player()
        if self.hidden or player == self.person:
            return
        names = [self.state.action_name(action) for action in (step if isinstance(step, tuple) else (step,))]
        if player == SIMULTANEOUS:
            told = ", ".join(f"player {index}: {name}" for index, name in enumerate(names))
        else:
            told = f"chance: {names[0]}" if player == CHANCE else f"player {player} plays {names[0]}"
        self.out.print(told)

    def _ask(self) -> int:
        """The person's action, or _AGAIN after an undo."""
        self._show()
        self.past.append((self.state.clone(), self.rng.getstate(), self.steps))
        while True:
            typed = input("your action> ").strip()
            named = typed in action_names(self.state, self.person)
            command = None if named else _COMMANDS.get(typed.lower())
            if command == "undo" and self._undo():
                return _AGAIN
            if command is not None:
                self._obey(command)
            elif typed:
                try:
                    return find_action(self.state, typed, self.person)
                except ValueError as error:
                    self.out.print(f"{error}. Type 'actions' for all, 'help' for help.")

    def _obey(self, command: str) -> None:
        if command == "quit":
            raise _Quit
        if command == "actions":
            self._list()
        elif command == "hint":
            self._hint()
        else:
            self.out.print(_HELP if command == "help" else "There is nothing to take back.")

    def _show(self) -> None:
        self._draw(self.state.observation(self.person).rstrip("\n") if self.hidden else drawing(self.state))
        if len(action_names(self.state, self.person)) <= _LISTED:
            self._list()

    def _draw(self, view: str) -> None:
        """The board, with what the others have changed since the person saw it last."""
        self.out.print()
        self.out.print(marked(self.seen, view))
        self.seen = view

    def _list(self) -> None:
        names = action_names(self.state, self.person)
        numbers = [f"{number} " for number in numbered_actions(names)] or [""] * len(names)
        listed = Columns(map("".join, zip(numbers, names, strict=True)), padding=(0, 3))
        with self.out.capture() as lines:
            self.out.print(listed)
        print_pages(self.out, lines.get().rstrip("\n").split("\n"))

    def _hint(self) -> None:
        adviser = Seat(self.search, self.person, derive_seed(self.seed, self.steps))
        self.out.print(self._think(adviser, "thinking for you …").table(5))

    def _undo(self) -> bool:
        """Back to the person's decision before this one. The same dice will fall again."""
        if len(self.past) < 2:
            return False
        self.past.pop()
        self.state, stream, self.steps = self.past.pop()
        self.rng.setstate(stream)  # type: ignore[arg-type]
        self.seats = self._new_seats()
        return True

    def _new_seats(self) -> list[Seat]:
        players = range(self.state.game.num_players)
        return [Seat(self.search, player, derive_seed(self.seed, 1 + player)) for player in players]

    def _outcome(self) -> str:
        returns = final_returns(self.state)
        listed = ", ".join(f"player {index} {value:+g}" for index, value in enumerate(returns))
        mine, others = returns[self.person], [*returns[: self.person], *returns[self.person + 1 :]]
        if not others:
            return f"The match is over with {mine:g}."
        word = "You win" if mine > max(others) else "A draw" if mine == max(others) else "You lose"
        cut = "" if self.state.is_terminal() else " (the match was cut at the game's longest length)"
        return f"{word}: {listed}.{cut}"
