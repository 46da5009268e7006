"""Video games described in VGDL, with the behaviour of the GVGAI framework.

In reading order (`docs/design/vgdl.md` follows a description through all of it):

- `syntax`: from text to an indented tree; `finding`: what is wrong with it, and where
- `vocabulary`: every class, effect and termination by name, with parameters; `values`: how those are read
- `sprites`, `rules`, `level`: the sections of a description, and levels; `compiler`: all of them together
- `program`: what the machine is given
- `files`, `load`: games by name or path, as the text form `vgdl(…)`
- `observation`: what a player sees; `trace`: recorded trajectories to check the machine with
- `drawing`, `animation`, `terminal`: to look at and to play; `gym`: as Gymnasium environments
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from treewise.vgdl.compiler import Description, compile_description, compile_game, compile_level
from treewise.vgdl.files import Source, shipped_games, shipped_levels
from treewise.vgdl.finding import Finding, VGDLError

if TYPE_CHECKING:
    from treewise.vgdl.load import make_game
    from treewise.vgdl.observation import Observation, observe, record_events

__all__ = [
    "Description",
    "Finding",
    "Observation",
    "Source",
    "VGDLError",
    "compile_description",
    "compile_game",
    "compile_level",
    "make_game",
    "observe",
    "record_events",
    "shipped_games",
    "shipped_levels",
]

_ELSEWHERE = {
    "Observation": "observation",
    "make_game": "load",
    "observe": "observation",
    "record_events": "observation",
}
"""Imported when they are first asked for: reading a description needs none of it."""


def __getattr__(name: str) -> Any:
    if name not in _ELSEWHERE:
        raise AttributeError(f"module 'treewise.vgdl' has no attribute '{name}'")
    found = getattr(import_module(f"treewise.vgdl.{_ELSEWHERE[name]}"), name)
    globals()[name] = found
    return found
