"""Reports as pages: sound, self-contained, and whatever the labels are."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from xml.etree import ElementTree

import pytest

from made_outcomes import cell, experiment, paper_like, played, scores
from treewise import spec
from treewise.lab.outcome import CellOutcome, Played, Reference
from treewise.lab.ranges import Choices
from treewise.lab.report import build, terminal_text, to_html, to_markdown
from treewise.lab.report.document import Bar, BarGroup, Bars, Section, Text
from treewise.lab.tune import Trial, Tuning
from treewise.lab.tune_plot import draw


class Checker(HTMLParser):
    """Whether elements are closed in order, what they fetch, and which names are defined."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in {"meta", "br"}:
            self.open.append(tag)
        self.fetched += [value or "" for key, value in attributes if key in ("src", "href") or key.endswith(":href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_page_is_one_sound_file() -> None:
    page = to_html(build(paper_like(400)))
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert checker.seen >= {"svg", "details", "table", "figure"}
    assert not checker.seen & {"script", "link", "img", "iframe"}
    assert all(target.startswith("#") for target in checker.fetched)
    assert "http" not in page
    assert "url(" not in re.sub(r"url\(#\w+\)", "", page)
    used, defined = set(re.findall(r"var\((--[\w-]+)\)", page)), set(re.findall(r"(--[\w-]+):", page))
    assert used <= defined
    assert not re.search(r"#0a0b\d\d", page)  # every colour is the page's


def test_texts_are_escaped() -> None:
    nasty = "<script>alert('x')</script> | a_b *c* `d` [e](f) & \"q\""
    outcome = experiment(
        CellOutcome(
            cell("hex", nasty, game_label=nasty, a_text=spec.write(spec.Call("mcts", {"x": nasty}))),
            played(scores(0.5, 40)),
        ),
        CellOutcome(cell("othello", nasty), played(scores(0.5, 40))),
        title=nasty,
        description=nasty,
    )
    made = build(outcome)
    page = to_html(made)
    assert "<script" not in page
    Checker().feed(page)
    lines = to_markdown(made).splitlines()
    for first, second in pairwise(lines):
        if first.startswith("|") and second.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", first)) == len(re.findall(r"(?<!\\)\|", second)), first
    assert nasty in terminal_text(made, width=400)


ODD = (
    "UCB $c_$1 vs $c_$2",  # not mathematics
    "price $5_ and $6",
    r"cost \$\frac$",
    "搜索 🎲 שלום مرحبا",
    "bell \a nul \0 escape \033 \x7f \x85 \ufffe\nline",
    "--><!-- ]]> <b>&",
)


FORBIDDEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ufffe\uffff]")


def pictures(page: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(svg.replace("xlink:", "")) for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]


def shown(picture: ElementTree.Element) -> str:
    return " ".join(" ".join(text.itertext()) for text in picture.iter("text"))


@pytest.mark.parametrize("label", ODD)
def test_any_label_can_be_drawn(label: str) -> None:
    """Without warnings, which are errors here; as it is, but for what no page may hold."""
    matches = played([1.0, 0.0, 1.0] * 20)
    swept = (CellOutcome(cell("hex", f"{label}, k = {k}", label, game_label=label, value=k), matches) for k in (1, 2))
    made = build(experiment(*swept, title=label, pairing="sweep", parameter=label))
    bars = Bars(label, label, (BarGroup(label, (Bar(label, 1.0, 0.1),)),))
    page = to_html(replace(made, sections=(*made.sections, Section(label, (bars, Text(label))))))
    Checker().feed(page)
    assert not FORBIDDEN.search(page)
    found = pictures(page)
    assert len(found) >= 5
    told = FORBIDDEN.sub("�", label)
    for picture in found:
        assert set(told.split()) <= set(re.split(r"[\s,]+", shown(picture).replace(":", "")))


@pytest.mark.parametrize("label", ODD)
def test_any_choice_can_be_drawn(label: str, tmp_path: Path) -> None:
    choices = (label, "plain")
    trials = tuple(Trial(number, {"p": text}, text, (1.0, 0.0, 1.0, 1.0)) for number, text in enumerate(choices))
    candidates = cast(Any, SimpleNamespace(allowed={"p": Choices(choices)}))
    draw(Tuning(candidates, trials), tmp_path / "p.svg")
    picture = ElementTree.parse(tmp_path / "p.svg").getroot()
    text = " ".join(each.text or "" for each in picture.iter("{http://www.w3.org/2000/svg}text"))
    assert FORBIDDEN.sub("�", label).split()[0] in text


@pytest.mark.parametrize("results", [[], [1.0], [0.5] * 40, [1.0] * 40, [0.0] * 41])
def test_extreme_cells_make_pages(results: list[float]) -> None:
    def untimed(match: Played) -> Played:
        return replace(match, seconds=(0.0, 0.0), moves=(0, 0), simulations=(0, 0))

    matches = tuple(map(untimed, played(results)))
    page = to_html(build(experiment(CellOutcome(cell(reference=Reference(60.0, 1.4)), matches))))
    Checker().feed(page)
    assert ">nan<" not in page
