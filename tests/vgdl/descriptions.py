"""Random descriptions and levels for property tests: mostly sound ones, and ones with slips."""

from __future__ import annotations

from hypothesis import strategies as st

from treewise.vgdl.vocabulary import CLASSES, CLOCK, COMMON, EFFECTS, RESOURCE, TERMINATIONS, Parameter

NAMES = ["a", "b", "c", "d", "avatar", "wall"]
CHARACTERS = "abcdAw."
ODD = st.sampled_from(["", " ", ">", "=", "x=", "=x", "EOS", "TIME", "#", "\t", "🂡", "BasicGame", "SpriteSet",
                       "stype=a,b", "speed=-1e999", "limit=99999999999999999999", "no_players=2"])  # fmt: skip
_NUMBERS = {
    "whole": st.integers(-3, 12).map(str),
    "real": st.sampled_from(["0", "0.1", "0.5", "1", "2.5", "-1", ".3"]),
    "truth": st.sampled_from(["True", "False", "true"]),
    "direction": st.sampled_from(["UP", "DOWN", "LEFT", "RIGHT", "NONE"]),
    "effect": st.sampled_from(sorted(EFFECTS)),
}


@st.composite
def _parameters(
    draw: st.DrawFn, declared: dict[str, Parameter], names: list[str], resources: list[str] | None = None
) -> str:
    """Those that are required, and some of the others."""
    said = []
    for key, parameter in declared.items():
        if parameter.required or draw(st.integers(0, 4)) == 0:
            fitting = resources if resources and parameter.kind == "resource" else names
            value = draw(_NUMBERS.get(parameter.kind, st.sampled_from(fitting)))
            if parameter.kind in ("whole", "real") and draw(st.integers(0, 9)) == 0:
                value = f"{draw(st.sampled_from([parameter.low, parameter.high])):.0f}"
            said.append(f"{key}={value}")
    return " ".join(said)


@st.composite
def descriptions(draw: st.DrawFn) -> str:
    """A description in which every name is defined, though not always as a leaf."""
    names = [*draw(st.permutations(NAMES[:4])), "avatar", "wall"]
    lines = ["BasicGame" + draw(st.sampled_from(["", " square_size=10"])), " SpriteSet"]
    indent = 2
    avatars = sorted(name for name, kind in CLASSES.items() if kind.actions is not None)
    others = sorted(CLASSES.keys() - set(avatars))
    resources: list[str] = []
    for name in names:
        if name in ("avatar", "wall"):
            indent = 2
        kind = draw(st.sampled_from(avatars if name == "avatar" else others))
        declared = {**COMMON, **CLASSES[kind].parameters}
        lines.append(" " * indent + f"{name} > {kind} {draw(_parameters(declared, names, resources))}")
        if CLASSES[kind].category == RESOURCE:
            resources.append(name)
        indent = draw(st.sampled_from([2, 2, indent, indent + 1]))
    lines.append(" LevelMapping")
    for name in names[:4]:
        lines.append(f"  {name} > {draw(st.sampled_from(['', 'wall ']))}{name}")
    lines.append(" InteractionSet")
    for _ in range(draw(st.integers(0, 8))):
        second = draw(st.sampled_from([*names, "EOS", "TIME"]))
        effect = draw(st.sampled_from(sorted(EFFECTS)))
        declared = {"scoreChange": Parameter("whole"), **EFFECTS[effect].parameters}
        if second == "TIME":
            declared |= CLOCK
        lines.append(
            f"  {draw(st.sampled_from(names))} {second} > {effect} {draw(_parameters(declared, names, resources))}"
        )
    lines.append(" TerminationSet")
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(sorted(TERMINATIONS)))
        declared = {"win": Parameter("truth"), **TERMINATIONS[kind].parameters}
        lines.append(f"  {kind} {draw(_parameters(declared, names))}")
    return "\n".join(lines)


@st.composite
def levels(draw: st.DrawFn) -> str:
    """A level with one avatar."""
    width, height = draw(st.integers(1, 7)), draw(st.integers(1, 6))
    cells = [draw(st.sampled_from(CHARACTERS.replace("A", ""))) for _ in range(width * height)]
    cells[draw(st.integers(0, width * height - 1))] = "A"
    return "\n".join("".join(cells[row * width : (row + 1) * width]) for row in range(height))


@st.composite
def broken(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A text with words and lines left out, doubled, moved or replaced."""
    lines = draw(texts).split("\n")
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        words = lines[at].split(" ")
        word = draw(st.integers(0, len(words) - 1))
        match draw(st.integers(0, 4)):
            case 0:
                words[word] = draw(ODD)
            case 1:
                words.insert(word, draw(ODD))
            case 2:
                del words[word]
            case 3:
                lines.insert(draw(st.integers(0, len(lines))), lines[at])
            case _:
                words.insert(0, draw(st.sampled_from(["", "", "  ", "\t"])))
        lines[at] = " ".join(words)
    return "\n".join(lines)
