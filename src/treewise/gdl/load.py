"""Rulesheets from files and from those that the package brings, and machines for them."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from treewise import spec
from treewise.files import is_file, read_text, shown
from treewise.gdl.grounding.limits import Budget, Limits, TooLarge
from treewise.gdl.language.repair import parse_for_play
from treewise.gdl.machine import MAX_LENGTH, Machine
from treewise.gdl.net_machine import NetGame, NetMachine, check_native
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Sheet
from treewise.wording import shortened

_log = logging.getLogger(__name__)

MACHINES = ("auto", "net", "prover")
_SHIPPED = Path(__file__).with_name("games")
_LIMITS = Limits()
_DEFAULTS: dict[str, str | int | float | bool] = {
    "path": "",
    "max_length": MAX_LENGTH,
    "sequential": False,
    "digest": "",
    "drop_rules": False,
    "ground_seconds": _LIMITS.seconds,
    "ground_megabytes": _LIMITS.megabytes,
    "ground_rules": _LIMITS.rules,
}
_PARAMETERS = tuple(_DEFAULTS)
_ALWAYS_TOLD = ("path", "max_length", "sequential")
"""Parameters that a full text form has in any case."""
_BY_PROVER = (
    "the prover plays it: treewise.gdl.load_machine(path).game in Python, treewise ggp match on the command line"
)
MOST_BYTES = 16_000_000
"""Of a rulesheet. The largest ones that are played have some 40,000."""
_KEPT = 32
"""Games that stay built. An experiment takes turns over its games, and building one takes longer than many a match."""


def sheet_names() -> list[str]:
    """The rulesheets that come with the package.

    >>> "hidden_coin" in sheet_names()
    True
    """
    return sorted(path.stem for path in _SHIPPED.glob("*.kif"))


def sheet_path(path: str | Path) -> Path:
    """The file of a rulesheet: a path, or the name of one that comes with the package.

    >>> sheet_path("hidden_coin").name
    'hidden_coin.kif'
    """
    shipped = _SHIPPED / f"{path}.kif"
    if not is_file(path) and Path(path).name == str(path) and is_file(shipped):
        return shipped
    if not is_file(path):
        names, name = sheet_names(), shown(path)
        hint = spec.suggest(name, names) if Path(path).name == str(path) else f"shipped are {', '.join(names)}"
        raise ValueError(f"no rulesheet '{name}': neither a file nor the name of a shipped one; {hint}")
    return Path(path)


def load_sheet(path: str | Path, drop_rules: bool = False) -> Sheet:
    """Reads a rulesheet for playing: what is wrong with it is repaired, with a warning in the log. Rules that cannot be
    played are an error, unless they are to be left out: what is left would be another game.

    >>> len(load_sheet("tic_tac_toe").roles)
    2
    """
    return _playable(path, read_sheet(path), drop_rules)


def _playable(path: str | Path, text: str, drop_rules: bool) -> Sheet:
    sheet, findings = parse_for_play(text)
    dropped = [finding for finding in findings if finding.code == "dropped"]
    if dropped and not drop_rules:
        more = f" (and {len(dropped) - 1} more)" if len(dropped) > 1 else ""
        advice = "repair the sheet, or leave out what cannot be played with drop_rules=True"
        raise GDLError(f"{path}:{dropped[0].line}:{dropped[0].column}: a rule cannot be played{more}: {advice}")
    for finding in findings:
        _log.warning("%s: %s", path, finding)
    return sheet


def read_sheet(path: str | Path) -> str:
    """The text of a rulesheet."""
    return read_text(sheet_path(path), MOST_BYTES, "rulesheet")


def load_machine(
    path: str | Path,
    machine: str = "auto",
    max_length: int = MAX_LENGTH,
    *,
    limits: Limits | None = None,
    drop_rules: bool = False,
) -> Machine:
    """A machine for a rulesheet, of the kind that is named; `auto`: the fast one, or the prover where that cannot be
    built within the limits.

    >>> load_machine("hidden_coin").roles
    ('guesser', 'random')
    """
    if machine not in MACHINES:
        raise ValueError(f"unknown machine '{shortened(machine)}'; {spec.suggest(machine, MACHINES)}")
    return machine_of(load_sheet(path, drop_rules), machine, max_length, limits)


def machine_of(
    sheet: Sheet, machine: str = "auto", max_length: int = MAX_LENGTH, limits: Limits | None = None
) -> Machine:
    """The same for a sheet that is read already.

    >>> from treewise.gdl import parse_for_play
    >>> sheet, _ = parse_for_play("(role me) (init a) (legal me stop) (<= terminal (not (true a))) (goal me 100)")
    >>> machine_of(sheet).game.initial_state().playout(seed=1)
    1
    """
    if machine != "prover":
        try:
            return net_machine(sheet, max_length, limits=limits)
        except (GDLError, ModuleNotFoundError, MemoryError) as error:
            if machine == "net":
                raise
            _log.warning("played by the prover, which is slow: %s", str(error) or "out of memory")
    from treewise.gdl.prover.machine import ProverMachine

    return ProverMachine(sheet, max_length)


def net_machine(
    sheet: Sheet, max_length: int = MAX_LENGTH, sequential: bool = False, limits: Limits | None = None
) -> NetMachine:
    """The fast machine: seconds to build, then some hundred times as fast as the prover. What was ground once is kept
    for the next process (`treewise.gdl.cache`)."""
    from treewise.gdl import cache
    from treewise.gdl.grounder import ground

    check_native(sheet)
    budget = Budget(limits)
    program = cache.kept(sheet, lambda: ground(sheet, budget))
    budget.count_rules(len(program.heads))
    return NetMachine(sheet, program, max_length=max_length, sequential=sequential, budget=budget)


def load_gdl(arguments: Mapping[str, object]) -> NetGame:
    """The game of the text form `gdl(path=…, max_length=1000, sequential=False)`; `path` is a file, or the name of a
    rulesheet that comes with the package. `digest` is what `game_text(game, full=True)` adds: a changed rulesheet is
    another game. `ground_seconds`, `ground_megabytes` and `ground_rules` limit what building it may cost.

    >>> from treewise import game_text, load_game
    >>> game_text(load_game("gdl('tic_tac_toe')"))
    "gdl(path='tic_tac_toe')"
    """
    if sum(map(str.isdigit, arguments)) > len(_PARAMETERS):
        raise ValueError(f"gdl takes at most {len(_PARAMETERS)} arguments: {', '.join(_PARAMETERS)}")
    given = {_PARAMETERS[int(key)] if key.isdigit() else key: value for key, value in arguments.items()}
    for key, value in given.items():
        if key not in _DEFAULTS:
            raise ValueError(f"gdl: unknown parameter '{shortened(key)}'; {spec.suggest(key, _DEFAULTS)}")
        whole_seconds = type(value) is int and type(_DEFAULTS[key]) is float
        if type(value) is not type(_DEFAULTS[key]) and not whole_seconds:
            raise ValueError(f"gdl: parameter '{key}' must be {spec.type_names[type(_DEFAULTS[key])]}")
    values: dict[str, spec.Value] = {**_DEFAULTS, **given}  # type: ignore[dict-item]
    path, max_length, digest = str(values["path"]), values["max_length"], values["digest"]
    if not path:
        raise ValueError(f"gdl: which rulesheet? gdl(path='mygame.kif'), or one of {', '.join(sheet_names())}")
    assert isinstance(max_length, int)
    if not 1 <= max_length <= 1_000_000:
        raise ValueError(f"gdl: parameter 'max_length' is {max_length}, expected 1 to 1000000")
    for key in ("ground_seconds", "ground_megabytes", "ground_rules"):
        if not float(values[key]) > 0:  # type: ignore[arg-type]
            raise ValueError(f"gdl: parameter '{key}' is {values[key]}, expected more than 0")
    text = read_sheet(path)
    now = hashlib.sha256(text.encode()).hexdigest()[:16]
    if digest and digest != now:
        raise ValueError(f"gdl: the rulesheet '{path}' has changed: its digest is {now}, not {digest}")
    return _game(text, tuple((key, value) for key, value in values.items() if key != "digest"))


@lru_cache(maxsize=_KEPT)
def _game(text: str, arguments: tuple[tuple[str, spec.Value], ...]) -> NetGame:
    values: dict[str, Any] = dict(arguments)
    sheet = _playable(values["path"], text, values["drop_rules"])
    limits = Limits(float(values["ground_seconds"]), values["ground_megabytes"], values["ground_rules"])
    try:
        game = net_machine(sheet, values["max_length"], values["sequential"], limits).game
    except TooLarge as error:
        raise GDLError(f"{error} (ground_seconds=, ground_megabytes=, ground_rules=), or {_BY_PROVER}") from None
    except GDLError as error:
        raise GDLError(f"{error}; {_BY_PROVER}") from None
    short: dict[str, spec.Value] = {key: value for key, value in values.items() if value != _DEFAULTS[key]}
    full = short | {key: values[key] for key in _ALWAYS_TOLD}
    ordered = {key: full[key] for key in values if key in full}
    game.text_form = spec.write(spec.Call("gdl", short))
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    game.full_text_form = spec.write(spec.Call("gdl", {**ordered, "digest": digest}))
    return game
