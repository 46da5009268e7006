"""Rulesheets made by chance: stratified, recursive, with negation and `distinct` before what binds their variables."""

import random

NAMES = ["p0", "p1", "p2", "p3", "p4"]
ARITIES = {"p0": 1, "p1": 2, "p2": 2, "p3": 1, "p4": 3}
CONSTANTS = ["a", "b", "c"]


def random_sheet(rng: random.Random) -> str:
    """A sheet of few predicates that call themselves and lower ones, and ask lower ones to be absent."""
    lines = ["(role x)", "(init (s a))", "(init (t b c))"]
    for level, name in enumerate(NAMES):
        for _ in range(rng.randint(1, 3)):
            lines.append(_random_rule(rng, name, level))
    lines += [f"(<= (legal x ({name} {_vars(ARITIES[name])})) ({name} {_vars(ARITIES[name])}))" for name in NAMES]
    lines += ["(<= (legal x ?m) (p3 ?m) (not (p0 ?m)))", "(<= (next (s ?m)) (does x ?m) (p3 ?m))"]
    return "\n".join(lines)


def _vars(count: int) -> str:
    return " ".join(f"?v{i}" for i in range(count))


def _random_rule(rng: random.Random, name: str, level: int) -> str:
    body = []
    for _ in range(rng.randint(1, 3)):
        called = rng.choice(["true", *NAMES[: level + 1]])
        if called == "true":
            body.append(rng.choice([f"(true (s {_term(rng)}))", f"(true (t {_term(rng)} {_term(rng)}))"]))
        else:
            body.append(f"({called} {' '.join(_term(rng) for _ in range(ARITIES[called]))})")
    bound = sorted({word.strip("()") for part in body for word in part.split() if word.startswith("?")})
    choose = [*bound, *CONSTANTS]
    if level and rng.random() < 0.5:
        called = rng.choice(NAMES[:level])
        body.insert(0, f"(not ({called} {' '.join(rng.choice(choose) for _ in range(ARITIES[called]))}))")
    if rng.random() < 0.4:
        body.insert(0, f"(distinct {rng.choice(choose)} {rng.choice(choose)})")
    return f"(<= ({name} {' '.join(rng.choice(choose) for _ in range(ARITIES[name]))}) {' '.join(body)})"


def _term(rng: random.Random) -> str:
    return rng.choice(["?x", "?y", "?z", rng.choice(CONSTANTS)])
