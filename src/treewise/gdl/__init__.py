"""General game playing: games handed over as rulesheets in the Game Description Language (GDL)."""

from treewise.gdl.normalise import parse_sheet
from treewise.gdl.repair import parse_for_play, prepare
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Sheet
from treewise.gdl.validate import Finding, validate

__all__ = ["Finding", "GDLError", "Sheet", "parse_for_play", "parse_sheet", "prepare", "validate"]
