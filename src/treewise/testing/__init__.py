"""Conformance suites, for the games of this package and for your own."""

from treewise.testing.check_game import assert_game, check_game
from treewise.testing.check_twins import check_twins
from treewise.testing.report import Problem, Report

__all__ = ["Problem", "Report", "assert_game", "check_game", "check_twins"]
