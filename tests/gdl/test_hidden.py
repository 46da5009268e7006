"""GDL-II: what players see, the worlds that fit it, and exact expectations of the two small games."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest

import treewise
from treewise import CHANCE, TERMINAL
from treewise._core import unwrap_state
from treewise.gdl import load_machine, prover_machine
from treewise.testing import check_game

Policy = Callable[[treewise.State, list[str]], dict[str, Fraction]]


def names(state: treewise.State) -> dict[str, int]:
    return {state.action_name(action): action for action in state.legal_actions()}


def after(state: treewise.State, *actions: str) -> treewise.State:
    copy = state.clone()
    for action in actions:
        copy.apply(names(copy)[action])
    return copy


def expectation(state: treewise.State, policies: list[Policy]) -> list[Fraction]:
    """The exact mean of the returns where every player follows its policy."""
    player = state.current_player()
    if player == TERMINAL:
        return [Fraction(value) for value in state.returns()]
    listed = names(state)
    if player == CHANCE:
        chances = {name: Fraction(1, len(listed)) for name in listed}
    else:
        chances = policies[player](state, list(listed)) if len(listed) > 1 else dict.fromkeys(listed, Fraction(1))
    parts = [
        [chance * v for v in expectation(after(state, name), policies)] for name, chance in chances.items() if chance
    ]
    return [sum(column, Fraction(0)) for column in zip(*parts, strict=True)]


def uniform(state: treewise.State, listed: list[str]) -> dict[str, Fraction]:
    return dict.fromkeys(listed, Fraction(1, len(listed)))


@pytest.mark.parametrize("name", ["hidden_coin", "kuhn_poker"])
def test_the_contract_is_kept(name: str) -> None:
    machine = load_machine(name)
    assert machine.game.capabilities == ["hash", "chance", "simultaneous", "hidden"]
    report = check_game(unwrap_state(machine.game.initial_state()), matches=5)
    assert report.ok, report


# ---- hidden coin


def trusting(state: treewise.State, listed: list[str]) -> dict[str, Fraction]:
    whispered = state.observation(0).split()[-1]
    return {f"(guess {whispered})": Fraction(1)}


def test_the_best_guess_is_worth_two_thirds() -> None:
    start = load_machine("hidden_coin").game.initial_state()
    assert expectation(start, [trusting]) == [Fraction(200, 3)]
    assert expectation(start, [lambda state, listed: {"pass": Fraction(1)}]) == [50]
    assert expectation(start, [uniform]) == [50]


def test_the_whisper_is_seen_and_the_coin_is_not() -> None:
    start = load_machine("hidden_coin").game.initial_state()
    state = after(start, "(turn heads)", "lie")
    assert state.observation(0) == "noop:\nnoop: tails"
    assert state.observation(0) == after(start, "(turn tails)", "truth").observation(0)
    coins = Counter("(coin heads)" in str(state.resample(0, seed)) for seed in range(900))
    assert 240 < coins[True] < 360, "a lie is half as likely as the truth"


def test_determinized_search_trusts_the_whisper() -> None:
    search = treewise.parse_search("mcts(limit=simulations(2000), information=determinization(worlds=50))")
    start = load_machine("hidden_coin").game.initial_state()
    for lie in ("truth", "lie"):
        state = after(start, "(turn heads)", lie)
        whispered = state.observation(0).split()[-1]
        assert state.action_name(search.run(state, seed=2).action) == f"(guess {whispered})"


# ---- Kuhn poker


def first_equilibrium(state: treewise.State, listed: list[str]) -> dict[str, Fraction]:
    card = state.observation(0).split()[1]
    if "check" in listed:
        return {"check": Fraction(1)}
    call = {"jack": Fraction(0), "queen": Fraction(1, 3), "king": Fraction(1)}[card]
    return {"call": call, "fold": 1 - call}


def second_equilibrium(state: treewise.State, listed: list[str]) -> dict[str, Fraction]:
    card = state.observation(1).split()[1]
    if "check" in listed:
        bet = {"jack": Fraction(1, 3), "queen": Fraction(0), "king": Fraction(1)}[card]
        return {"bet": bet, "check": 1 - bet}
    call = {"jack": Fraction(0), "queen": Fraction(1, 3), "king": Fraction(1)}[card]
    return {"call": call, "fold": 1 - call}


def test_the_equilibrium_of_kuhn_poker_is_worth_minus_an_eighteenth() -> None:
    start = load_machine("kuhn_poker").game.initial_state()
    value = expectation(start, [first_equilibrium, second_equilibrium])
    assert value == [50 - Fraction(10, 18), 50 + Fraction(10, 18)]


def test_no_policy_does_better_against_the_second_player() -> None:
    start = load_machine("kuhn_poker").game.initial_state()

    def fixed(choice: dict[tuple[str, bool], str]) -> Policy:
        return lambda state, listed: {choice[state.observation(0).split()[1], "check" in listed]: Fraction(1)}

    best = max(
        expectation(start, [fixed({**calm, **pressed}), second_equilibrium])[0]
        for calm in _choices(True, ("check", "bet"))
        for pressed in _choices(False, ("call", "fold"))
    )
    assert best == 50 - Fraction(10, 18)


def _choices(calm: bool, options: tuple[str, str]) -> list[dict[tuple[str, bool], str]]:
    cards = ("jack", "queen", "king")
    return [{(card, calm): options[number >> place & 1] for place, card in enumerate(cards)} for number in range(8)]


def test_players_see_their_card_and_what_the_other_does() -> None:
    start = load_machine("kuhn_poker").game.initial_state()
    state = after(start, "(deal queen jack)", "check", "bet")
    assert state.observation(0) == "noop: queen\ncheck:\nnoop: (did bet)"
    assert state.observation(1) == "noop: jack\nnoop: (did check)\nbet:"
    hands = Counter(str(state.resample(0, seed)).split("\n")[1] for seed in range(200))
    assert set(hands) == {"(hand second jack)", "(hand second king)"}
    assert 70 < hands["(hand second king)"] < 130
    world = state.resample(0, 5)
    assert world.observation(0) == state.observation(0)
    assert world.legal_actions() == state.legal_actions()


def test_determinized_search_calls_with_the_best_card() -> None:
    start = load_machine("kuhn_poker").game.initial_state()
    search = treewise.parse_search("mcts(limit=simulations(400), information=determinization(worlds=10))")
    for card, other, action in (("king", "queen", "call"), ("jack", "queen", "fold")):
        state = after(start, f"(deal {card} {other})", "check", "bet")
        assert state.action_name(search.run(state, seed=4).action) == action


# ---- particulars


def test_many_worlds_are_sampled() -> None:
    """Of four hidden digits it is told whether the first is even."""
    digits = " ".join(f"(digit {n})" for n in range(8))
    sheet = f"""(role x) (role random) (init (step 0)) {digits} (succ 0 1) (succ 1 2)
    (even 0) (even 2) (even 4) (even 6)
    (<= (legal random (pick ?a ?b ?c ?d)) (true (step 0)) (digit ?a) (digit ?b) (digit ?c) (digit ?d))
    (<= (legal random noop) (not (true (step 0)))) (legal x a) (legal x b)
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= (next (picked ?a ?b)) (does random (pick ?a ?b ?c ?d)))
    (<= (sees x even) (does random (pick ?a ?b ?c ?d)) (even ?a)) (<= terminal (true (step 2))) (goal x 0)"""
    machine = prover_machine(sheet)
    state = machine.game.initial_state()
    assert len(machine.legal(state, 1)) == 8**4, "more than are tried"
    joint = [machine.find_action(0, "a"), machine.find_action(1, "(pick 4 7 0 0)")]
    state = machine.play(state, [action for action in joint if action is not None])
    worlds = {str(state.resample(0, seed)).split("\n")[0] for seed in range(300)}
    assert 15 < len(worlds) <= 32
    assert {world.split()[1] for world in worlds} == set("0246")


def test_a_pending_choice_is_kept() -> None:
    sheet = """(role x) (role y) (role random) (init s) (side h) (side t)
    (<= (legal ?r (show ?s)) (role ?r) (side ?s)) (<= (next (shown ?r ?s)) (does ?r (show ?s)))
    (<= (sees x ?s) (does random (show ?s))) (<= terminal (true (shown x ?s))) (goal x 1) (goal y 2) (goal random 0)"""
    state = prover_machine(sheet).game.initial_state()
    state.apply([state.legal_actions(0)[0], state.legal_actions(1)[1]])
    assert state.current_player() == CHANCE
    assert state.observation(0) == "(show h)"
    worlds = {state.resample(0, seed).observation(1) for seed in range(30)}
    assert worlds == {"(show h)", "(show t)"}
