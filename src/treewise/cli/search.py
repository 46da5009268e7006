"""Search one state and show what the search thinks of each action."""

from __future__ import annotations

import json
import random
from argparse import ArgumentParser, Namespace

from treewise._core import derive_seed
from treewise.cli.drawing import drawing
from treewise.cli.notation import play_actions
from treewise.cli.options import (
    SEARCH_HELP,
    add_game,
    add_json,
    add_limit,
    add_seed,
    asked_limit,
    fitted,
    load_target,
    read_search,
    start,
    target_text,
    whole,
)
from treewise.cli.output import console
from treewise.compositions import explorer, uct
from treewise.game import CHANCE, Game, State
from treewise.match import sample_outcome, seed_dice
from treewise.result import Result
from treewise.search import Search, SearchInterrupted

EXAMPLES = """\
examples:
  treewise search breakthrough
  treewise search tic_tac_toe --board "xx./oo./..." --player 0
  treewise search breakthrough --actions a2a3,h7h6 --seconds 2
  treewise search breakthrough --search "mcts(playout=mast, proof=solver)" --simulations 50000 --seed 7
  treewise search pig --json
"""

_DEFAULT = "uct; explorer for games with a scene"


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_game(parser)
    parser.add_argument(
        "--search", metavar="TEXT", help=f"{SEARCH_HELP} (default: uct; for games with a scene, explorer)"
    )
    parser.add_argument(
        "--board", metavar="TEXT", help="a position in the game's notation, instead of the initial state"
    )
    parser.add_argument("--player", type=whole(0, 99), metavar="N", help="who is to move on that board (default: 0)")
    parser.add_argument("--actions", metavar="NAMES", default="", help="actions to play first, commas between")
    add_limit(parser, "10000, or what the search says")
    add_seed(parser)
    parser.add_argument("--rows", type=whole(1), default=10, metavar="N", help="actions to show (default: 10)")
    add_json(parser)


def run(args: Namespace) -> int:
    """Prints the state and the table, or both as JSON."""
    target = load_target(args.game)
    state = _state(target, args)
    search = _search(args, state)
    try:
        result, status = search.run(state, args.seed), 0
    except SearchInterrupted as error:
        result, status = error.result, 130
    if args.json:
        print(_json(args, target_text(target, args.game), search, state, result))
        return status
    out = console()
    out.print(drawing(state) + "\n")
    if status:
        out.print("interrupted; found until then:")
    out.print(result.table(args.rows))
    return status


def _state(target: Game | State, args: Namespace) -> State:
    state = start(target)
    if args.board is not None:
        state = state.game.parse_state(args.board.replace("\\n", "\n"), args.player or 0)
    elif args.player is not None:
        raise ValueError("--player says who is to move on a --board: give both")
    seed_dice(state, args.seed)
    play_actions(state, args.actions)
    rng = random.Random(derive_seed(args.seed, 0))
    while state.current_player() == CHANCE:
        state.apply(sample_outcome(state, rng))
    return state


def _search(args: Namespace, state: State) -> Search:
    if args.search is not None:
        return read_search(args.search, args)
    default = explorer(playouts=10_000) if "scene" in state.game.capabilities else fitted(uct(), state.game)
    return default.replace(limit=asked_limit(args) or default.limit)


def _json(args: Namespace, game: str, search: Search, state: State, result: Result) -> str:
    about = {"game": game, "search": search.text(), "seed": args.seed, "state": str(state)}
    return json.dumps(about | json.loads(result.to_json()))
