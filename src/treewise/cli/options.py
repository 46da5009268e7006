"""Options that several commands share, and how they are read."""

from __future__ import annotations

import inspect
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treewise import information, limit, playout, selection, spec
from treewise.compositions import PRESETS, parse_search
from treewise.game import Game, State, game_text, load_game
from treewise.match import starting_state
from treewise.own_game import load_own_game
from treewise.part import Part
from treewise.search import Search
from treewise.wording import shortened

if TYPE_CHECKING:
    from treewise.gdl.grounding.limits import Limits

GAME_HELP = "a game: name, name(key=value, …), or FILE.py:NAME for one written in Python"
SEARCH_HELP = "a search: uct, enhanced, cadia, uct(c=1.0), mcts(selection=…, playout=…), FILE.py:NAME, …"


def whole(low: int, high: int = 2**63 - 1) -> Callable[[str], int]:
    """Reads a whole number of at least `low`."""

    def read(text: str) -> int:
        try:
            number = int(text.replace("_", ""))
        except ValueError:
            wrong = "is too large" if text.isdecimal() else "is not a whole number"  # Python reads 4300 digits at most
            raise ArgumentTypeError(f"'{shortened(text)}' {wrong}") from None
        if not low <= number <= high:
            wrong = f"is less than {low}" if number < low else "is too large"
            raise ArgumentTypeError(f"{shortened(text)} {wrong}")
        return number

    return read


def duration(unit: str, low: float = 0.0, high: float = 1e9) -> Callable[[str], float]:
    """Reads a number of seconds, or whatever the unit is, that is more than `low`."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            raise ArgumentTypeError(f"'{text}' is not a number of {unit}") from None
        if not low < number <= high:
            raise ArgumentTypeError(f"the {unit} must be more than {low:g}, and at most {high:g}")
        return number

    return read


def add_limit(parser: ArgumentParser, default: str) -> None:
    """--simulations and --seconds."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--simulations", type=whole(1, 2**60), metavar="N", help=f"for each action (default: {default})")
    group.add_argument("--seconds", type=duration("seconds"), metavar="S", help="time for each action instead")


def add_seed(parser: ArgumentParser, default: int | None = 0) -> None:
    """--seed."""
    shown = "a new one each time" if default is None else str(default)
    parser.add_argument("--seed", type=whole(0), default=default, metavar="N", help=f"of everything (default: {shown})")


def add_machine(parser: ArgumentParser) -> None:
    """A rulesheet and --machine: which reasoner plays it."""
    parser.add_argument("sheet", metavar="FILE", help="a rulesheet: a file, or the name of one that is shipped")
    add_machine_kind(parser)


def add_machine_kind(parser: ArgumentParser) -> None:
    """--machine by itself."""
    from treewise.gdl.load import MACHINES

    text = "who reasons: the fast machine, the slow prover, or the fast one where it can be built (default: auto)"
    parser.add_argument("--machine", choices=MACHINES, default="auto", help=text)
    add_ground_limits(parser)
    parser.add_argument("--drop-rules", action="store_true", help="leave out rules that cannot be played")


def add_ground_limits(parser: ArgumentParser) -> None:
    """--ground-seconds, --ground-megabytes, --ground-rules: what building the fast machine of a rulesheet may cost."""
    from treewise.gdl.grounding.limits import Limits

    most = Limits()
    what = "seconds of the processor to build the fast machine in"
    parser.add_argument(
        "--ground-seconds",
        type=duration("seconds"),
        default=most.seconds,
        metavar="S",
        help=f"{what} (default: {most.seconds:g})",
    )
    for name, default, text in (("megabytes", most.megabytes, "memory for that"), ("rules", most.rules, "its rules")):
        parser.add_argument(
            f"--ground-{name}", type=whole(1), default=default, metavar="N", help=f"{text} (default: {default:,})"
        )


def ground_limits(args: Namespace) -> Limits:
    """What these options say."""
    from treewise.gdl.grounding.limits import Limits

    return Limits(args.ground_seconds, args.ground_megabytes, args.ground_rules)


def building(args: Namespace) -> dict[str, Any]:
    """What `load_machine` takes of the options of `add_machine_kind` besides the kind."""
    return {"limits": ground_limits(args), "drop_rules": args.drop_rules}


def add_workers(parser: ArgumentParser) -> None:
    """--processes and --ray: who plays the laboratory's matches."""
    default = "as many as the cores allow"
    parser.add_argument("--processes", type=whole(1, 1024), metavar="K", help=f"matches at a time (default: {default})")
    where = "play on a Ray cluster: HOST:PORT, auto for the one of this machine, or local for a new one"
    parser.add_argument("--ray", metavar="ADDRESS", help=where)


def add_json(parser: ArgumentParser) -> None:
    """--json."""
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def load_target(text: str) -> Game | State:
    """The game that a text names, or the position that a file's function makes."""
    call = spec.parse(text)
    return load_own_game(call) if call.file else load_game(text)


def start(target: Game | State) -> State:
    """The state that a match of the game starts from."""
    return starting_state(target)


def target_text(target: Game | State, given: str) -> str:
    """How to name a game on the screen: its shortest text form, or what was typed for a position."""
    return game_text(target) if isinstance(target, Game) else given


def read_search(text: str, args: Namespace, default: limit.Limit | None = None) -> Search:
    """The search of a text, limited by --simulations or --seconds if given, else by `default` if its text has none."""
    search = parse_search(text)
    chosen = asked_limit(args) or (None if has_limit(text, search) else default)
    return search if chosen is None else search.replace(limit=chosen)


def asked_limit(args: Namespace) -> limit.Limit | None:
    """What --simulations or --seconds say."""
    if args.simulations is not None:
        return limit.Simulations(args.simulations)
    return None if args.seconds is None else limit.Seconds(args.seconds)


def has_limit(text: str, search: Search) -> bool:
    """Whether the text of a search says how long it searches."""
    call = spec.parse(text)
    if call.file:
        return search.limit != Search().limit
    names = list(inspect.signature(PRESETS.get(call.name, Search)).parameters)
    given = {names[int(key)] if key.isdigit() else key for key in call.arguments}
    return not given.isdisjoint({"limit", "simulations", "playouts", "seconds"})


PLAIN_PLAYOUTS = ("amazons", "checkers", "go")
"""Games in which the playouts of `enhanced` cost more than they win at equal time (docs/command_line.md)."""


def fitted(search: Search, game: Game) -> Search:
    """A default search, changed where the game does not allow it as it is, without parts that are too dear there."""
    if game.name in PLAIN_PLAYOUTS and isinstance(search.playout, playout.Decisive):
        search = search.replace(playout=playout.Uniform())
    if "hidden" in game.capabilities:
        search = search.replace(information=information.Determinization(), proof=None)
    if "dice" in game.capabilities:
        search = search.replace(proof=None)
    if "score" in game.capabilities and isinstance(search.selection, selection.UCB1):
        search = search.replace(selection=replace(search.selection, bounds="node"))
    if isinstance(search.playout, playout.Decisive) and "winning" not in game.capabilities:
        search = search.replace(playout=search.playout.inner)
    needs = search.playout.all_needs() if isinstance(search.playout, Part) else set()
    if not game.stable_actions and "stable_actions" in needs:
        search = search.replace(playout=playout.Uniform())
    return search


def add_game(parser: ArgumentParser, default: str | None = None) -> None:
    """The game, by position."""
    if default is None:
        parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    else:
        parser.add_argument(
            "game", metavar="GAME", nargs="?", default=default, help=f"{GAME_HELP} (default: {default})"
        )
