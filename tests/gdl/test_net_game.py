"""Games of the circuit under the contract of games: states, hashes, texts, threads, and programs that make no sense."""

from __future__ import annotations

import copy
import pickle
import random
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from net_sheets import NET_SHEETS, PHASES, PLAIN_TURNS, STUCK, THREE_ROLES
from random_games import random_game
from same_game import net_of

import treewise
from treewise import SIMULTANEOUS, load_game, parse_search
from treewise.gdl import parse_sheet
from treewise.gdl.grounder import ground
from treewise.gdl.net_machine import NetGame, NetMachine
from treewise.testing import check_game


def net(text: str, **options: Any) -> NetMachine:
    sheet = parse_sheet(text)
    return NetMachine(sheet, ground(sheet), **options)


@pytest.fixture(scope="module")
def duel() -> NetMachine:
    """Three roles that bid at once, made to choose one after the other."""
    return net(NET_SHEETS["at_once"], sequential=True)


# ---- the contract --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sequential", [False, True])
@pytest.mark.parametrize("name", sorted(set(NET_SHEETS) - {"no_facts"}))
def test_the_contract_holds(name: str, sequential: bool) -> None:
    report = check_game(net(NET_SHEETS[name], sequential=sequential).game, matches=4)
    assert report.ok, str(report)


@pytest.mark.parametrize("name", ["battle", "merrills", "chinook", "quad"])
def test_the_contract_holds_for_shipped_sheets(name: str) -> None:
    report = check_game(load_game(f"gdl('{name}')"), matches=1)
    assert report.ok, str(report)


def test_states_that_are_half_chosen(duel: NetMachine) -> None:
    state = duel.game.initial_state()
    assert state.current_player() == 0
    first, second = state.clone(), state.clone()
    first.apply(state.legal_actions()[0])
    second.apply(state.legal_actions()[1])
    assert (first.current_player(), second.current_player()) == (1, 1)
    assert str(first) == str(second) == str(state), "nothing has happened yet"
    assert len({state.hash(), first.hash(), second.hash()}) == 3
    again = state.clone()
    again.apply(state.legal_actions()[0])
    assert again.hash() == first.hash()
    assert first.clone().hash() == first.hash()
    assert copy.deepcopy(first).current_player() == 1
    played = duel.play(first, [state.legal_actions()[0], first.legal_actions()[1], duel.legal(state, 2)[2]])
    assert played.current_player() == 0, "what was chosen already is not chosen again"
    assert len(played.history()) == 3


def test_hashes_know_facts_only() -> None:
    machine = net(PLAIN_TURNS)
    hashes: dict[int, str] = {}
    texts: dict[str, int] = {}
    chance = random.Random(1)
    for _ in range(60):
        state = machine.game.initial_state()
        while not state.is_terminal():
            state.apply(chance.choice(state.legal_actions()))
            assert hashes.setdefault(state.hash(), str(state)) == str(state)
            assert texts.setdefault(str(state), state.hash()) == state.hash()
    assert len(hashes) > 50


@pytest.mark.parametrize("sequential", [False, True])
@pytest.mark.parametrize("length", range(8))
def test_playouts_are_as_long_as_they_say(sequential: bool, length: int) -> None:
    machine = net(NET_SHEETS["at_once"], sequential=sequential)
    for begun in (0, 1, 2) if sequential else (0,):
        state = machine.game.initial_state()
        for _ in range(begun):
            state.apply(state.legal_actions()[0])
        played = state.clone()
        assert played.playout(seed=3, max_length=length) == length
        assert len(played.history()) - begun == length * (1 if sequential else 3)
        assert played.history()[:begun] == state.history()
        if sequential:
            assert played.current_player() == (begun + length) % 3


def test_texts_of_positions() -> None:
    game = net(PLAIN_TURNS).game
    state = game.initial_state()
    state.apply(state.legal_actions()[0])
    for text in (str(state), str(state).replace("\n", "  "), "\t" + str(state).replace(" (", "(") + "\n"):
        again = game.parse_state(text, state.current_player())
        assert (str(again), again.hash()) == (str(state), state.hash())
        assert again.legal_actions() == state.legal_actions()
    assert game.parse_state("", 0).is_terminal(), "no cell is blank where there are no cells"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(mark 9 blank)", "'(mark 9 blank)' is no fact of this game"),
        ("(mark 1 blank", "is no fact"),
        ("mark 1 blank)", "'mark' is no fact"),
        (")(", "')' is no fact"),
        ("()", r"'()' is no fact"),
        ("(control white))", "')' is no fact"),
        ("(control white) (mark 1 blank)", "player 0 is to move in this position, not 1"),
    ],
)
def test_texts_of_no_position(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        net(PLAIN_TURNS).game.parse_state(text, 1)


@pytest.mark.parametrize("text", [PLAIN_TURNS, PHASES, THREE_ROLES], ids=["turns", "phases", "three"])
def test_positions_that_no_match_reaches(text: str) -> None:
    """Whose turn it is was proven for matches. Elsewhere anything may follow, but nothing breaks."""
    machine, chance = net(text), random.Random(1)
    facts = _some_facts(machine.game)
    for _ in range(200):
        board = "\n".join(chance.sample(facts, chance.randint(0, len(facts))))
        state = _parsed(machine.game, board)
        state.playout(seed=1, max_length=20)
        assert all(0 <= value <= 100 for value in state.returns())


def _some_facts(game: Any) -> list[str]:
    found: set[str] = set()
    for seed in range(30):
        state = game.initial_state()
        while not state.is_terminal():
            found.update(str(state).splitlines())
            state.playout(seed=seed, max_length=1)
    return sorted(found)


def _parsed(game: Any, board: str) -> Any:
    for player in range(game.num_players - 1):
        try:
            return game.parse_state(board, player)
        except ValueError:
            continue
    return game.parse_state(board, game.num_players - 1)


def test_pickled_games_and_states() -> None:
    game = load_game("gdl('battle', sequential=True)")
    state = game.initial_state()
    for _ in range(5):
        state.apply(state.legal_actions()[-1])
    again = pickle.loads(pickle.dumps(state))
    assert (str(again), again.hash(), again.current_player()) == (str(state), state.hash(), 1), "half chosen"
    assert again.legal_actions() == state.legal_actions()
    assert treewise.game_text(again.game) == treewise.game_text(game)
    with pytest.raises(ValueError, match="save that to a file"):
        pickle.dumps(net(STUCK).game)


def test_names_of_actions() -> None:
    machine = net(PLAIN_TURNS)
    state = machine.game.initial_state()
    assert sorted(map(state.action_name, state.legal_actions())) == [f"(put {n})" for n in range(1, 6)]
    for role in (0, 1):
        for action in machine.legal(state, role):
            text = machine.action_text(role, action)
            assert machine.find_action(role, f" {text.upper()} ".replace(" ", "  ")) == action
    assert machine.find_action(0, "(put 9)") is None
    for wrong in (-1, machine.game.num_action_ids):
        with pytest.raises(ValueError, match="no such action"):
            machine.game.action_text(wrong)
        with pytest.raises(ValueError, match="illegal action"):
            state.action_name(wrong)


def test_what_is_not_legal_is_refused() -> None:
    machine = net(PLAIN_TURNS)
    state = machine.game.initial_state()
    noop = machine.find_action(1, "noop")
    taken = machine.find_action(1, "(put 1)")
    put = machine.find_action(0, "(put 1)")
    assert None not in (noop, taken, put)
    with pytest.raises(ValueError, match="of black is not legal"):
        machine.play(state, [put, taken])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="not legal"):
        machine.play(state, [noop, put])  # type: ignore[list-item]
    for role in (-1, 2):
        with pytest.raises(ValueError, match="expected 0 to 1"):
            machine.legal(state, role)
    with pytest.raises(ValueError, match="not a state of a rulesheet"):
        machine.legal(load_game("tic_tac_toe").initial_state(), 0)


# ---- searches ------------------------------------------------------------------------------------------------------

SEARCH = "uct(simulations=300)"
THREADS = [f"mcts(limit=simulations(300), parallel={kind}(threads=3))" for kind in ("root", "tree", "leaf")]


@pytest.mark.parametrize("name", ["breakthrough", "battle"])
def test_the_same_seed_gives_the_same_tree(name: str) -> None:
    """Whatever was played on the circuit before, and on how many of its copies."""
    game, search = load_game(f"gdl('{name}')"), parse_search(SEARCH)
    fresh = search.run(game.initial_state(), seed=5)
    others = [game.initial_state() for _ in range(4)]
    for number, state in enumerate(others):
        state.playout(seed=number, max_length=10)
        state.legal_actions() if state.current_player() != SIMULTANEOUS else None
    parse_search(THREADS[1]).run(others[0], seed=1)
    again = search.run(game.initial_state(), seed=5)
    assert _edges(again) == _edges(fresh)


def test_two_searches_at_once() -> None:
    game, search = load_game("gdl('connect_four')"), parse_search(SEARCH)
    alone = [search.run(game.initial_state(), seed=seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: search.run(game.initial_state(), seed=seed), range(4)))
    for one, other in zip(alone, together, strict=True):
        assert _edges(one) == _edges(other)


def _edges(result: treewise.Result) -> list[tuple[int, int, int, float | None]]:
    return [(depth, edge.action, edge.visits, edge.value) for depth, node in result.tree.walk() for edge in node.edges]


@pytest.mark.parametrize("text", THREADS)
@pytest.mark.parametrize("name", ["tic_tac_toe", "battle"])
def test_searches_of_several_threads(name: str, text: str) -> None:
    game = load_game(f"gdl('{name}')")
    result = parse_search(text).run(game.initial_state(), seed=1)
    assert result.stats.simulations == 300
    assert isinstance(game, NetGame)
    assert 1 <= game.sizes["nets"] <= 40


def test_choosing_in_turns_is_searched_as_well(duel: NetMachine) -> None:
    result = parse_search("cadia(simulations=200)").run(duel.game.initial_state(), seed=1)
    assert result.action in duel.game.initial_state().legal_actions()


# ---- programs that make no sense -----------------------------------------------------------------------------------


def arguments() -> dict[str, Any]:
    """What the game of two roles, three facts and two actions each is made from."""
    return {
        "name": "gdl",
        "roles": ["x", "y"],
        "facts": ["a", "b", "c"],
        "actions": [["go", "stay"], ["go", "stay"]],
        "initial": [0, 2],
        "truth": [1, 2, 3],
        "next": [8, 1, 0],
        "does": [[4, 5], [6, 7]],
        "legal": [[9, 9], [9, 1]],
        "terminal": 2,
        "goals": [[(100, 1), (0, 9)], []],
        "num_atoms": 9,
        "heads": [8, 8, 9],
        "starts": [0, 1, 3, 3],
        "body": [4, -6, 2],
        "max_length": 10,
        "sequential": False,
    }


def test_programs_that_make_sense() -> None:
    state = NetGame(**arguments()).initial_state()
    assert state.legal_actions(0) == [0, 1]
    assert state.playout(seed=1) <= 10


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("roles", []),
        ("roles", list("abcdefg")),
        ("facts", ["a"]),
        ("actions", [["go", "stay"]]),
        ("actions", [["go"], ["go", "stay"]]),
        ("initial", [3]),
        ("initial", [-1]),
        ("initial", [2, 0]),
        ("truth", [1, 2, 10]),
        ("truth", [1, 2]),
        ("truth", [1, 2, -3]),
        ("next", [8, 1, 99]),
        ("does", [[4, 5], [6, 10]]),
        ("does", [[4, 5], [6, -7]]),
        ("legal", [[9, 9], [9, 2**30]]),
        ("legal", [[9, 9], [9]]),
        ("terminal", -1),
        ("terminal", 10),
        ("goals", [[(100, 10)], []]),
        ("goals", [[(101, 1)], []]),
        ("goals", [[(-1, 1)], []]),
        ("goals", [[]]),
        ("num_atoms", 8),
        ("num_atoms", -1),
        ("num_atoms", 2**28),
        ("heads", [8, 8, 10]),
        ("heads", [8, 8]),
        ("heads", [8, 8, -1]),
        ("starts", [0, 1, 3]),
        ("starts", [0, 3, 1, 3]),
        ("starts", [1, 1, 3, 3]),
        ("starts", [0, 1, 3, 4]),
        ("starts", []),
        ("body", [4, -6, 0]),
        ("body", [4, -6, 10]),
        ("body", [4, -(2**31), 2]),
        ("body", [4, -6]),
        ("max_length", 0),
        ("max_length", -5),
    ],
)
def test_wrong_arrays_are_refused(key: str, value: object) -> None:
    with pytest.raises(ValueError, match=r"range|one (atom|list)|roles|ascending|many atoms|fit together|max_length"):
        NetGame(**{**arguments(), key: value})


@pytest.mark.parametrize(
    "rules",
    [
        [(8, [-8])],
        [(8, [-9]), (9, [-8])],
        [(8, [9, 1]), (9, [-8, 2])],
        [(8, [9]), (9, [8, 1]), (9, [-8])],
    ],
)
def test_what_depends_on_its_own_absence_is_refused(rules: list[tuple[int, list[int]]]) -> None:
    starts = [sum(len(body) for _, body in rules[:number]) for number in range(len(rules) + 1)]
    program = {"heads": [head for head, _ in rules], "starts": starts, "body": [b for _, body in rules for b in body]}
    with pytest.raises(ValueError, match="its own absence"):
        NetGame(**{**arguments(), **program, "next": [8, 9, 0]})


@pytest.mark.parametrize("seed", range(60))
def test_programs_of_any_kind_break_nothing(seed: int) -> None:
    """Facts and actions that share atoms or have rules, legal actions that read actions: wrong, but harmless."""
    chance = random.Random(seed)
    atoms, facts, actions = chance.randint(1, 20), chance.randint(0, 6), [chance.randint(0, 4) for _ in range(2)]
    rules = chance.randint(0, 30)
    bodies = [[chance.randint(1, atoms) for _ in range(chance.randint(0, 3))] for _ in range(rules)]
    if seed % 2:
        bodies = [[literal * chance.choice((1, 1, 1, -1)) for literal in body] for body in bodies]

    def some(count: int) -> list[int]:
        return [chance.randint(0, atoms) for _ in range(count)]

    given = {
        **arguments(),
        "facts": [f"f{number}" for number in range(facts)],
        "actions": [[f"a{number}" for number in range(count)] for count in actions],
        "initial": sorted(chance.sample(range(facts), facts // 2)),
        "truth": some(facts),
        "next": some(facts),
        "does": [some(count) for count in actions],
        "legal": [some(count) for count in actions],
        "terminal": chance.randint(0, atoms),
        "goals": [[(chance.randint(0, 100), chance.randint(0, atoms)) for _ in range(3)] for _ in range(2)],
        "num_atoms": atoms,
        "heads": some(rules),
        "starts": [sum(map(len, bodies[:number])) for number in range(rules + 1)],
        "body": [literal for body in bodies for literal in body],
        "sequential": seed % 3 == 0,
    }
    try:
        state = NetGame(**given).initial_state()
    except ValueError:
        return  # it depends on its own absence
    assert 0 <= state.playout(seed=seed) <= 10
    assert all(0 <= value <= 100 for value in state.returns())


def test_searches_of_random_games() -> None:
    search = parse_search("cadia(simulations=60)")
    for seed in range(25):
        state = net_of(random_game(seed), sequential=seed % 2 == 0, max_length=30).game.initial_state()
        if not state.is_terminal():
            assert search.run(state, seed=seed).stats.simulations == 60
