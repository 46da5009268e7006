"""Reports: a pure function of an experiment's outcome, in the terminal, in Markdown and as one HTML file."""

from treewise.lab.report.build import build
from treewise.lab.report.compare import Change, change, compare
from treewise.lab.report.document import Report
from treewise.lab.report.html import to_html
from treewise.lab.report.markdown import to_markdown
from treewise.lab.report.terminal import terminal_text, to_terminal

__all__ = [
    "Change",
    "Report",
    "build",
    "change",
    "compare",
    "terminal_text",
    "to_html",
    "to_markdown",
    "to_terminal",
]
