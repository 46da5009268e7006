"""The circuit against the prover and against plain evaluation: the same answers in every state."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from net_sheets import AT_ONCE_SHEETS, LOOPS, NET_SHEETS, NO_TURNS, STUCK, TURNS, WIDE_COUNTERS
from random_games import Draft, random_game
from random_programs import random_program
from same_game import assert_agree, assert_right, net_of

from treewise.gdl import GDLError, ProverMachine, parse_sheet
from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounder import ground, ground_plainly
from treewise.gdl.grounding.listing import listing
from treewise.gdl.load import load_machine, load_sheet, sheet_names
from treewise.gdl.net_machine import NetMachine

GDL_2 = ("hidden_coin", "kuhn_poker")
SHIPPED = [name for name in sheet_names() if name not in GDL_2]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """The prover warns of goals that are missing, which some of these sheets mean."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*goals? (in a|of)")
        yield


def plain_net(text: str, **options: bool) -> NetMachine:
    sheet = parse_sheet(text)
    return NetMachine(sheet, ground_plainly(sheet), **options)


# ---- sheets --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NET_SHEETS)
def test_small_sheets(name: str) -> None:
    sheet = parse_sheet(NET_SHEETS[name])
    prover = ProverMachine(sheet)
    for program in (ground(sheet), ground_plainly(sheet)):
        for sequential in (False, True):
            assert_agree(prover, NetMachine(sheet, program, sequential=sequential), steps=30)


@pytest.mark.parametrize("name", LOOPS)
def test_recursion_makes_loops(name: str) -> None:
    assert plain_net(LOOPS[name]).game.sizes["loops"] > 0


@pytest.mark.parametrize("name", TURNS)
def test_turns_are_proven(name: str) -> None:
    assert plain_net(TURNS[name]).game.sizes["takes_turns"]


@pytest.mark.parametrize("name", NO_TURNS)
def test_turns_are_not_taken_for_granted(name: str) -> None:
    assert not plain_net(NO_TURNS[name]).game.sizes["takes_turns"]


@pytest.mark.parametrize("name", NET_SHEETS)
def test_who_chooses_at_once(name: str) -> None:
    expected = name in {*AT_ONCE_SHEETS, "phases", "nothing_is_read"}
    assert ("simultaneous" in plain_net(NET_SHEETS[name]).game.capabilities) == expected
    assert "simultaneous" not in plain_net(NET_SHEETS[name], sequential=True).game.capabilities


def test_wide_counters_are_switched() -> None:
    assert plain_net(WIDE_COUNTERS).game.sizes["switched_gates"] > 0


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_sheets(name: str) -> None:
    assert assert_agree(load_machine(name, "prover"), load_machine(name, "net"), matches=1, steps=25) > 5


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_whole_matches_of_shipped_sheets(name: str) -> None:
    net = load_machine(name, "net")
    assert_agree(load_machine(name, "prover"), net, seed=1, matches=5, steps=1000)
    sheet = load_sheet(name)
    in_turn = NetMachine(sheet, ground(sheet), sequential=True)
    assert_agree(net, in_turn, seed=2, matches=20, steps=1000)


@pytest.mark.parametrize("name", GDL_2)
def test_percepts_are_refused(name: str) -> None:
    with pytest.raises(GDLError, match="has no percepts"):
        load_machine(name, "net")


# ---- games by chance -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(10))
def test_random_games(part: int) -> None:
    for seed in range(100 * part, 100 * part + 40):
        assert_right(random_game(seed), seed, sequential=seed % 4 == 0)


def test_random_programs() -> None:
    for seed in range(100):
        assert_right(random_program(seed), seed)


def test_random_games_against_the_prover() -> None:
    for seed in range(8):
        sheet = parse_sheet("\n".join(listing(random_game(seed))))
        assert_agree(ProverMachine(sheet), NetMachine(sheet, ground(sheet)), seed)


@pytest.mark.long
def test_many_random_games() -> None:
    for seed in range(1000, 5000):
        assert_right(random_game(seed), seed, sequential=seed % 4 == 0)


def test_random_games_have_everything() -> None:
    sizes = [net_of(random_game(seed)).game.sizes for seed in range(200)]
    for kind in ("loops", "takes_turns", "guarded_gates", "switched_gates", "goal_gates"):
        assert sum(size[kind] > 0 for size in sizes) > 5, kind


# ---- what once went wrong ------------------------------------------------------------------------------------------


def solitaire(draft: Draft, legal: list[int], next_of: dict[int, int], goal: int = 0) -> GroundProgram:
    """A game of one role over a draft."""
    draft.legal, draft.next, draft.goals = [legal], next_of, [[(100, goal)]]
    return draft.program()


def draft_of(facts: int) -> tuple[Draft, list[int], list[int]]:
    """A draft, its facts and its actions, as many; each action turns a fact."""
    draft = Draft(np.random.default_rng(0), 1)  # type: ignore[arg-type]
    own = [draft.fact(False) for _ in range(facts)]
    draft.does = [[draft.atom() for _ in range(facts + 1)]]
    return draft, own, draft.does[0]


def turning(draft: Draft, facts: list[int], does: list[int]) -> dict[int, int]:
    return {f: draft.atom([f, -a], [-f, a]) for f, a in zip(facts, does, strict=False)}


def test_several_common_facts_of_which_one_is_absent() -> None:
    draft, (a, b, c, d), does = draft_of(4)
    goal = draft.atom([a, -b, -c], [a, -b, -d])
    assert_right(solitaire(draft, [1] * 5, turning(draft, [a, b, c, d], does), goal), steps=60)


def test_an_atom_alone_in_its_circle_does_not_hold_itself_up() -> None:
    draft, (a, b), does = draft_of(2)
    p, q = draft.atom([a]), draft.atom()
    draft.rules += [(p, (p,)), (p, (q,)), (q, (p, b, -b))]
    assert_right(solitaire(draft, [1, 1, p], turning(draft, [a, b], does), p), steps=40)


def test_circles_without_any_way_in() -> None:
    draft, (a,), does = draft_of(1)
    p, q = draft.atom(), draft.atom()
    draft.rules += [(p, (q, a, -a)), (q, (p,))]
    assert_right(solitaire(draft, [1, p], turning(draft, [a], does), q), steps=10)


@pytest.mark.parametrize("kind", ["goal", "legal", "next"])
def test_chains_of_many_rules(kind: str) -> None:
    draft, (a, b), does = draft_of(2)
    top = does[0] if kind == "next" else a
    for _ in range(1000):  # each change of `b` goes through them all
        top = -draft.atom([top, b], [-b, -top])
    top = draft.atom([top])
    following = turning(draft, [a, b], does) | ({b: top} if kind == "next" else {})
    program = solitaire(draft, [1, 1, top if kind == "legal" else 1], following, top if kind == "goal" else 0)
    assert assert_right(program, steps=6) > 12


def test_chains_of_actions_alone_decide_whose_turn_it_is() -> None:
    draft = Draft(np.random.default_rng(0), 2)  # type: ignore[arg-type]
    control = [draft.fact(True), draft.fact(False)]
    draft.does = [[draft.atom() for _ in range(3)] for _ in range(2)]
    top = draft.does[0][1]
    for _ in range(30_000):
        top = -draft.atom([top, draft.does[1][1]], [-draft.does[1][1], -top])
    stays = draft.atom([top])
    draft.next = {control[0]: draft.atom([stays]), control[1]: draft.atom([-stays])}
    draft.legal = [[draft.atom([-own]), own, own] for own in control]
    draft.goals = [[(100, control[0])], []]
    program = draft.program()
    assert net_of(program, max_length=10).game.sizes["takes_turns"]
    assert assert_right(program, steps=6, max_length=10) > 12


# ---- ends ----------------------------------------------------------------------------------------------------------


def test_where_a_role_cannot_act_the_match_ends_with_nothing() -> None:
    net = NetMachine(sheet := parse_sheet(STUCK), ground(sheet))
    state = net.game.initial_state()
    joint = [net.find_action(0, "a"), net.find_action(1, "d")]
    state = net.play(state, joint)  # type: ignore[arg-type]
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]
    assert not net.is_terminal(state), "the rules do not call it terminal"
    assert net.goals(state) == [90, 10]
    assert [len(net.legal(state, role)) for role in (0, 1)] == [2, 0]
