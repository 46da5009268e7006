"""General game playing: games handed over as rulesheets in the Game Description Language (GDL)."""

from treewise.gdl.normalise import parse_sheet
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Sheet

__all__ = ["GDLError", "Sheet", "parse_sheet"]
