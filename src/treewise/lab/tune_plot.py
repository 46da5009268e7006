"""The picture of a tuning: the win rate over each parameter, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from treewise.lab.extra import extra
from treewise.lab.ranges import Choices, Range
from treewise.lab.report.svg import SVG_STYLE, svg_text
from treewise.lab.tune import Trial, Tuning
from treewise.lab.written import check_place, replacing

__all__ = ["check_picture", "draw"]

_FORMATS = (".svg", ".png")
_PANEL = (4.2, 3.2)
_PLAIN, _STOPPED, _BEST, _CONFIRMED = "#4477aa", "#bbbbbb", "#228833", "#ee6677"
_LEGEND = {"frameon": False, "fontsize": 7, "columnspacing": 1.0, "handletextpad": 0.2}
_STYLE = {
    **SVG_STYLE,
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def check_picture(path: str | Path) -> None:
    """An error unless a picture can be made, and written under this name.

    >>> check_picture("k.gif")
    Traceback (most recent call last):
    ValueError: k.gif: the name of a plot must end in .svg or .png
    """
    if Path(path).suffix not in _FORMATS:
        raise ValueError(f"{path}: the name of a plot must end in {' or '.join(_FORMATS)}")
    check_place(path)
    extra("matplotlib.figure", "tune")


def draw(tuning: Tuning, path: str | Path) -> None:
    """Writes a picture with one panel for each parameter; the ending of the name says the format."""
    check_picture(path)
    matplotlib = extra("matplotlib", "tune")
    ranges = tuning.candidates.allowed
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        figure = extra("matplotlib.figure", "tune").Figure(
            figsize=(_PANEL[0] * len(ranges), _PANEL[1]), layout="constrained"
        )
        panels = figure.subplots(1, len(ranges), sharey=True, squeeze=False)[0]
        for axes, (name, allowed) in zip(panels, ranges.items(), strict=True):
            _panel(axes, tuning, name, allowed)
        panels[0].set_ylabel("win rate, %")
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, **_LEGEND)
        with replacing(path) as place:
            if Path(path).suffix == ".svg":
                place.write_text(svg_text(figure, {"Date": None}), encoding="utf-8")
            else:
                figure.savefig(place, format="png", dpi=150)


def _panel(axes: Any, tuning: Tuning, name: str, allowed: Range) -> None:
    axes.axhline(50, color="#888888", linewidth=0.8)
    ranking, best = tuning.ranking, tuning.best
    groups = [
        ("stopped early", _STOPPED, [trial for trial in ranking if trial.stopped]),
        ("complete", _PLAIN, [trial for trial in ranking if not trial.stopped and trial is not best]),
        ("best", _BEST, [best]),
        ("confirmation", _CONFIRMED, [tuning.confirmation] if tuning.confirmation else []),
    ]
    if isinstance(allowed, Choices):
        axes.plot(allowed.texts, [50] * len(allowed.texts), alpha=0)  # all choices, in their order
    for label, colour, trials in groups:
        if trials:
            _points(axes, trials, name, label, colour)
    if not isinstance(allowed, Choices) and allowed.log:
        _logarithmic(axes)
    axes.set_xlabel(name)
    axes.set_ylim(0, 100)


def _logarithmic(axes: Any) -> None:
    """With plain numbers at 1, 2, 5, 10 and so on."""
    ticker = extra("matplotlib.ticker", "tune")
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter(ticker.NullFormatter())


def _points(axes: Any, trials: Sequence[Trial], name: str, label: str, colour: str) -> None:
    rates = [100 * trial.rate for trial in trials]
    below = [max(0.0, rate - 100 * trial.interval[0]) for rate, trial in zip(rates, trials, strict=True)]
    above = [max(0.0, 100 * trial.interval[1] - rate) for rate, trial in zip(rates, trials, strict=True)]
    values = [trial.values[name] for trial in trials]
    axes.errorbar(values, rates, (below, above), fmt="o", markersize=4, linewidth=1, color=colour, label=label)
