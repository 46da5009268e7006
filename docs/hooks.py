"""What MkDocs makes pages from: the declarations of parts and games themselves, so that the two cannot drift apart."""

from __future__ import annotations

import ast
import doctest
import inspect
import math
import re
import sys
from collections.abc import Sequence
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import treewise
from treewise import _core, spec
from treewise.part import Part, default_of, part_classes

PARAMETERS = "<!-- parameters -->"
GAMES = "<!-- games -->"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fills the entries of the navigation that stand for a folder."""
    docs = Path(config.docs_dir)
    filled: list[Any] = []
    for entry in config.nav or []:
        ((title, target),) = entry.items()
        if target == "parts/":
            filled.append({title: _part_nav()})
        elif target.endswith("/"):
            pages = sorted(path.relative_to(docs).as_posix() for path in (docs / target).glob("*.md"))
            filled.append({title: sorted(pages, key=lambda page: not page.endswith("/index.md"))})
        else:
            filled.append({title: target})
    config.nav = filled
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the generated pages."""
    for uri, text in part_pages().items():
        files.append(File.generated(config, uri, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Puts the tables into the pages of games."""
    path = Path(page.file.src_uri)
    if path.parent.name != "games":
        return markdown
    if PARAMETERS in markdown:
        markdown = markdown.replace(PARAMETERS, game_facts(path.stem))
    return markdown.replace(GAMES, game_table())


# ---- games


def game_facts(name: str) -> str:
    """The generated lines of a game's page: players, utilities, capabilities, parameters."""
    entry = next((entry for entry in _core.game_catalogue() if entry["name"] == name), None)
    if entry is None:
        return "*This page was built without the game: its parameters are not shown.*"
    game = treewise.load_game(name)
    lines = [
        f"Players: {game.num_players}. Utilities: {game.min_utility:g} to {game.max_utility:g}. "
        f"Capabilities: {_code_list(game.capabilities)}.",
        "",
    ]
    if not entry["parameters"]:
        return "\n".join([*lines, f'Load it with `load_game("{name}")`; there are no parameters.'])
    rows = [(f"`{p['name']}`", f"`{spec.write(p['default'])}`", _game_range(p), p["help"]) for p in entry["parameters"]]
    first = entry["parameters"][0]
    example = spec.write(spec.Call(name, {first["name"]: first["default"]}))
    return "\n".join([*lines, f'Parameters, as in `load_game("{example}")`:', "", *_parameter_table(rows)])


def game_table() -> str:
    """A line for every game of the catalogue."""
    rows = []
    for entry in sorted(_core.game_catalogue(), key=lambda entry: str(entry["name"])):
        name = entry["name"]
        game = treewise.load_game(name)
        rows.append((f"[{name}]({name}.md)", entry["summary"], str(game.num_players), _code_list(game.capabilities)))
    return "\n".join(_table(("game", "what it is", "players", "capabilities"), rows))


def _game_range(parameter: dict[str, Any]) -> str:
    if "choices" in parameter:
        return _code_list(map(repr, parameter["choices"]))
    if isinstance(parameter["default"], bool):
        return "`True`, `False`"
    return _range(isinstance(parameter["default"], int), parameter["low"], parameter["high"])


# ---- parts


def part_pages() -> dict[str, str]:
    """All generated pages of parts by their place under docs/."""
    pages = {"parts/index.md": _part_index()}
    for family, parts in part_classes().items():
        for name, cls in parts.items():
            pages[f"parts/{family}/{name}.md"] = part_page(cls)
    return pages


def part_page(cls: type[Part]) -> str:
    """One part's page, from its declaration and docstring."""
    description, example = _split(inspect.getdoc(cls) or "")
    lines = [
        f"# {cls.__name__}",
        "",
        description,
        "",
        f"Family: [{cls.family}](../index.md#{cls.family}). Text form, with all defaults: `{_full_text(cls)}`",
        "",
        "## Parameters",
        "",
    ]
    rows = [(f"`{d.name}`", _default_text(d), _part_range(d), d.metadata["help"]) for d in fields(cls)]
    lines += _parameter_table(rows) if rows else ["None."]
    if cls.needs:
        lines += ["", "## Needs", "", f"Of the game: {_code_list(cls.needs)}."]
    if example:
        lines += ["", "## Example", "", "```python", *_imports(cls, example), example, "```"]
    if cls.citation:
        lines += ["", "## Source", "", f"{cls.citation}."]
    return "\n".join(lines) + "\n"


def _part_nav() -> list[Any]:
    families: list[Any] = ["parts/index.md"]
    for family, parts in part_classes().items():
        families.append({family: [{cls.__name__: f"parts/{family}/{name}.md"} for name, cls in parts.items()]})
    return families


def _part_index() -> str:
    lines = [
        "# Parts",
        "",
        "Every technique is a part; a search is made of one or more of each family. These pages are made from the "
        "declarations of the parts, which also check arguments and make the text form. `needs` lists the capabilities "
        "that a game must have; a search that lacks one is refused before it runs.",
    ]
    for family, parts in part_classes().items():
        module = sys.modules[next(iter(parts.values())).__module__]
        intro, _ = _split(inspect.getdoc(module) or "")
        rows = [
            (f"[{cls.__name__}]({family}/{name}.md)", f"`{name}`", _summary(cls), _code_list(cls.needs))
            for name, cls in parts.items()
        ]
        lines += ["", f"## {family}", "", intro, "", *_table(("part", "text form", "in short", "needs"), rows)]
    return "\n".join(lines) + "\n"


def _summary(cls: type[Part]) -> str:
    return (inspect.getdoc(cls) or "").partition("\n\n")[0].replace("\n", " ")


def _split(docstring: str) -> tuple[str, str]:
    """A docstring's prose and its examples."""
    prose, mark, example = docstring.partition(">>> ")
    return prose.strip(), (mark + example).strip()


def _imports(cls: type[Part], example: str) -> list[str]:
    """The imports that an example relies on because it runs inside its module."""
    module = vars(sys.modules[cls.__module__])
    source = "".join(item.source for item in doctest.DocTestParser().get_examples(example + "\n"))
    names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    wanted: dict[str, list[str]] = {}
    for name in sorted(names & set(module)):
        origin = module[name]
        home = origin.__name__.rpartition(".")[0] if inspect.ismodule(origin) else origin.__module__
        if home.partition(".")[0] == "treewise":
            wanted.setdefault(home, []).append(name)
    return [f">>> from {home} import {', '.join(found)}" for home, found in sorted(wanted.items())]


def _full_text(cls: type[Part]) -> str:
    try:
        return cls().text(full=True)
    except (TypeError, ValueError):  # it has a parameter without a usable default
        return f"{cls.name}({', '.join(f'{d.name}=…' for d in fields(cls))})"


def _default_text(declared: Field[Any]) -> str:
    value = default_of(declared)
    text = value.text() if isinstance(value, Part) else spec.write(list(value) if isinstance(value, tuple) else value)
    return f"`{text}`"


def _part_range(declared: Field[Any]) -> str:
    rules, default = declared.metadata, default_of(declared)
    optional = ", or `None`" if rules["optional"] else ""
    if rules["family"]:
        family = rules["family"]
        what = f"[{family}](../index.md#{family})" if family in part_classes() else family
        return f"list: {what}" if rules["many"] else what + optional
    words = _code_list(map(repr, rules["choices"]))
    if isinstance(default, str):
        return words + optional
    if isinstance(default, bool):
        return "`True`, `False`"
    number = _range(rules["whole"] or isinstance(default, int), rules["low"], rules["high"]) + optional
    return f"{number}, or {words}" if words else number


# ---- tables


def _range(whole: bool, low: float, high: float) -> str:
    what = "whole number" if whole else "number"
    if math.isinf(low) and math.isinf(high):
        return what
    if math.isinf(high):
        return f"{what}, at least {low:g}"
    return f"{what}, {low:,.10g} to {high:,.10g}"


def _code_list(names: Any) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _parameter_table(rows: Sequence[tuple[str, ...]]) -> list[str]:
    return _table(("parameter", "default", "allowed", "meaning"), rows)


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    cells = [head, ("---",) * len(head), *rows]
    return ["| " + " | ".join(re.sub(r"(?<!\\)\|", r"\\|", cell) for cell in row) + " |" for row in cells]
