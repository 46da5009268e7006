"""docs/vgdl.md: its tables have every name of the vocabulary, with its parameters; its examples are right."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from treewise.vgdl import compile_description, compile_level
from treewise.vgdl.load import OPTIONS, GameText
from treewise.vgdl.vocabulary import (
    CATEGORIES,
    CLASSES,
    COMMON,
    EFFECTS,
    OTHER_CLASSES,
    OTHER_EFFECTS,
    OTHER_TERMINATIONS,
    TERMINATIONS,
    VISUAL,
    Parameter,
)

TEXT = (Path(__file__).parents[2] / "docs" / "vgdl.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text below a heading, up to the next one of its rank."""
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows(title: str) -> dict[str, str]:
    """The first two columns of a section's table."""
    found = re.findall(r"^\| `([^|]+)` \| ([^|]*)\|", section(title), re.MULTILINE)
    return {name: second.strip() for name, second in found}


def written(parameters: Mapping[str, Parameter]) -> str:
    """Parameters as the tables have them."""
    return ", ".join(f"`{key}{_default(parameter)}`" for key, parameter in parameters.items())


def _default(parameter: Parameter) -> str:
    if parameter.required:
        return ""
    if parameter.kind == "truth":
        return f"={bool(parameter.default)}"
    return f"={parameter.default:g}" if parameter.kind in ("whole", "real") else ""


@pytest.mark.parametrize(
    ("title", "known"), [("Sprite classes", CLASSES), ("Effects", EFFECTS), ("Terminations", TERMINATIONS)]
)
def test_tables_of_names(title: str, known: Mapping[str, Any]) -> None:
    assert rows(title) == {name: written(entry.parameters) for name, entry in known.items()}


def test_names_that_are_not_supported() -> None:
    for word, names in {"Classes": OTHER_CLASSES, "Effects": OTHER_EFFECTS, "Terminations": OTHER_TERMINATIONS}.items():
        (listed,) = re.findall(rf"^{word}: (.*?)\.$", section("Not supported"), re.MULTILINE | re.DOTALL)
        assert listed.replace("\n", " ").split(", ") == [f"`{name}`" for name in sorted(names)]


def test_common_and_visual_parameters() -> None:
    text = section("Sprite classes")
    assert all(f"`{name}`" in text for name in [*COMMON, *VISUAL])
    classes = [name for name, kind in CLASSES.items() if kind.actions is not None]
    for name in classes:
        (listed,) = re.findall(rf"^\| `{name}` .*Actions (.*) \|$", text, re.MULTILINE)
        assert listed == (", ".join(f"`{action.name}`" for action in CLASSES[name].actions or ()) or "none")


def test_categories() -> None:
    found = {name: int(number) for name, number in rows("Observation").items()}
    assert found == {name: number for number, name in enumerate(CATEGORIES)}


@pytest.mark.parametrize("name", ["resource", "portal", "npc", "static"])
def test_categories_have_their_classes(name: str) -> None:
    (row,) = re.findall(rf"^\| `{name}` \|.*$", section("Observation"), re.MULTILINE)
    number = CATEGORIES.index(name)
    assert set(re.findall("`([A-Z]\\w+)`", row)) == {kind.name for kind in CLASSES.values() if kind.category == number}


def test_parameters_of_the_text_form() -> None:
    text = section("Loading")
    assert all(f"`{name}`" in text for name in GameText.__dataclass_fields__)
    assert re.findall(r"^\| `(\w+)` \| [^|]*\|$", text.split("### Defects")[1], re.MULTILINE) == list(OPTIONS)


def test_the_example_is_a_game() -> None:
    (game,) = re.findall(r"```vgdl\n(.*?)```", TEXT, re.DOTALL)
    (level,) = re.findall(r"```level\n(.*?)```", TEXT, re.DOTALL)
    description = compile_description(game)
    assert description.findings == ()
    made, findings = compile_level(description, level)
    assert findings == ()
    assert (made.width, made.height) == (9, 5)


def test_the_examples_in_python_run(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        exec(compile(block, "docs/vgdl.md", "exec"), {})
    assert "vgdl(game='zelda')" in capsys.readouterr().out
