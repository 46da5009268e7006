"""List the games, or describe one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from treewise import spec
from treewise._core import Game, game_catalogue
from treewise.cli.output import console, table
from treewise.game import game_text, load_game
from treewise.vgdl.files import shipped_games, summary

EXAMPLES = """\
examples:
  treewise games                           all games
  treewise games breakthrough              its parameters and what it can do
  treewise games "breakthrough(rows=6)"    the same with another board
  treewise games my_game.py:Nim            the same of a game of yours
"""

_CAPABILITIES = {
    "hash": "states have a hash",
    "chance": "chance decides some steps",
    "simultaneous": "players act at once",
    "rewards": "steps give rewards",
    "hidden": "players do not see everything",
    "quality": "a win has a quality",
    "policy": "brings a playout policy",
    "winning": "lists the actions that win at once",
    "parse": "states can be set up from text",
    "dice": "chance is drawn within steps",
    "score": "points are counted apart from winning",
    "features": "states have features for linear values",
    "own_moves": "tells what an action does before the world answers",
    "scene": "a world of cells that a player walks in",
}
_FAMILIES: dict[str, dict[str, Any]] = {
    "gdl": {
        "summary": "a rulesheet; treewise gdl info tells more",
        "path": "a file, or the name of a rulesheet that is shipped",
        "max_length": "where a match is cut off, in steps",
        "sequential": "who could choose at once choose one after the other",
    },
    "vgdl": {
        "summary": "a video game; treewise vgdl info tells more",
        "game": "the name of a shipped game",
        "level": "its level, from 0",
        "path": "a file with a description, instead of the name",
        "level_path": "a file with a level, instead of its number",
        "win_value": "what a win adds to the score and a loss takes from it",
        "hidden_shown": "a defect of the framework: hidden sprites are seen",
        "shared_pull": "a defect of the framework: copies share the memory of pullWithIt",
        "rules_2016": "the rules of the framework of December 2016",
    },
}
"""Games that are no single entry of the catalogue: what they are, and what their parameters mean."""
_OWN: dict[str, Any] = {"summary": "in a Python file of yours"}


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="a game: name, name(key=value, …), or FILE.py:NAME")


def run(args: Namespace) -> int:
    """Prints the list, or one game."""
    if args.game is None:
        _print_list()
    else:
        _print_game(load_game(args.game))
    return 0


def _print_list() -> None:
    listed = table("game", "players", "what it is", "parameters", right=("players",))
    for entry in sorted(game_catalogue(), key=lambda entry: str(entry["name"])):
        names = ", ".join(parameter["name"] for parameter in entry["parameters"])
        listed.add_row(entry["name"], str(load_game(entry["name"]).num_players), entry["summary"], names)
    for name in shipped_games():
        listed.add_row(f"vgdl('{name}')", "1", summary(name), "level, win_value")
    out = console()
    out.print(listed)
    out.print("treewise games GAME tells more about one of them.")


def _print_game(game: Game) -> None:
    own = bool(spec.parse(game_text(game)).file)
    catalogue = {entry["name"]: entry for entry in game_catalogue()}
    entry = _OWN if own else _FAMILIES.get(game.name) or catalogue[game.name]
    out = console()
    out.print(f"{game_text(game)}: {entry['summary']}\n")
    out.print(str(game.initial_state()).rstrip("\n") + "\n")
    facts = table("property", "value")
    facts.add_row("players", str(game.num_players))
    facts.add_row("utilities", f"{game.min_utility:g} to {game.max_utility:g}")
    facts.add_row("longest match", f"{game.max_length:,} steps")
    ids = f"0 to {game.num_action_ids - 1:,}" if game.num_action_ids else "any"
    facts.add_row("action ids", f"{ids}{'' if game.stable_actions else ', not stable'}")
    for capability in game.capabilities:
        facts.add_row(capability, _CAPABILITIES.get(capability, "yes"))
    out.print(facts)
    if own:
        return
    if game.name in _FAMILIES:
        out.print(_family_table(game))
    elif entry["parameters"]:
        out.print(_parameter_table(entry["parameters"], dict(game.parameters)))
    else:
        out.print("No parameters.")


def _family_table(game: Game) -> Any:
    listed = table("parameter", "value", "meaning")
    for name, value in spec.parse(game_text(game, full=True)).arguments.items():
        if name != "digest":
            listed.add_row(name, str(value), _FAMILIES[game.name][name])
    return listed


def _parameter_table(parameters: list[dict[str, Any]], values: dict[str, Any]) -> Any:
    listed = table("parameter", "value", "default", "allowed", "meaning")
    for parameter in parameters:
        name = parameter["name"]
        listed.add_row(name, str(values[name]), str(parameter["default"]), _allowed(parameter), parameter["help"])
    return listed


def _allowed(parameter: dict[str, Any]) -> str:
    if "choices" in parameter:
        return ", ".join(parameter["choices"])
    return f"{parameter['low']:g} to {parameter['high']:g}" if "low" in parameter else "True, False"
