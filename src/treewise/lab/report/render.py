"""From outcomes to text in one step, for the command line."""

from __future__ import annotations

from collections.abc import Callable

from treewise import spec
from treewise.lab.outcome import ExperimentOutcome
from treewise.lab.report.build import build
from treewise.lab.report.compare import compare
from treewise.lab.report.document import Report
from treewise.lab.report.html import to_html
from treewise.lab.report.markdown import to_markdown
from treewise.lab.report.terminal import terminal_text

__all__ = ["render", "render_comparison"]

_FORMATS: dict[str, Callable[[Report], str]] = {
    "terminal": terminal_text,
    "markdown": to_markdown,
    "html": to_html,
}


def render(outcome: ExperimentOutcome, form: str = "terminal") -> str:
    """The report of an experiment as `terminal`, `markdown` or `html` text.

    >>> render(ExperimentOutcome("e", "Trial", "", 0, 0, True, ()), "markdown").splitlines()[0]
    '# Trial'
    """
    return _writer(form)(build(outcome))


def render_comparison(first: ExperimentOutcome, second: ExperimentOutcome, form: str = "terminal") -> str:
    """The report on two runs, in the same forms.

    >>> run = ExperimentOutcome("e", "Trial", "", 0, 0, True, ())
    >>> render_comparison(run, run, "tex")
    Traceback (most recent call last):
        ...
    ValueError: unknown form 'tex' of a report; known: html, markdown, terminal
    """
    return _writer(form)(compare(first, second))


def _writer(form: str) -> Callable[[Report], str]:
    if form not in _FORMATS:
        raise ValueError(f"unknown form '{form}' of a report; {spec.suggest(form, _FORMATS)}")
    return _FORMATS[form]
