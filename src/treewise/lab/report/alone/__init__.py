"""Reports of experiments whose entrants play alone."""

from treewise.lab.report.alone.build import build_alone, figures_alone
from treewise.lab.report.alone.compare import compare_alone

__all__ = ["build_alone", "compare_alone", "figures_alone"]
