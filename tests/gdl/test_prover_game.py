"""Rulesheets as games: who moves, what the numbers of actions mean, and what becomes of a sheet's faults."""

import pytest

import treewise
from treewise import CHANCE, SIMULTANEOUS
from treewise._core import unwrap_state
from treewise.gdl import GDLError, ProverMachine, load_machine, parse_sheet, prover_machine
from treewise.testing import check_game

NIM = """(role First) (role second)
(init (heap 3)) (init (turn First))
(less 3 2) (less 2 1) (less 1 0) (less2 3 1) (less2 2 0)
(<= (legal ?r (take 1)) (true (turn ?r)) (true (heap ?n)) (less ?n ?m))
(<= (legal ?r (take 2)) (true (turn ?r)) (true (heap ?n)) (less2 ?n ?m))
(<= (legal ?r Wait) (role ?r) (not (true (turn ?r))))
(<= (next (heap ?m)) (does ?r (take 1)) (true (heap ?n)) (less ?n ?m))
(<= (next (heap ?m)) (does ?r (take 2)) (true (heap ?n)) (less2 ?n ?m))
(<= (next (turn ?r)) (role ?r) (not (true (turn ?r))))
(<= terminal (true (heap 0)))
(<= (goal ?r 100) (role ?r) (not (true (turn ?r))))
(<= (goal ?r 0) (true (turn ?r)))"""

PENNIES = """(role a) (role b) (init start)
(side heads) (side tails)
(<= (legal ?r (show ?s)) (role ?r) (side ?s))
(<= (next (shown ?r ?s)) (does ?r (show ?s)))
(<= terminal (true (shown ?r ?s)))
(<= same (true (shown a ?s)) (true (shown b ?s)))
(<= (goal a 100) same) (<= (goal a 0) (not same)) (<= (goal b 0) same) (<= (goal b 100) (not same))"""


def names(state: treewise.State) -> list[str]:
    return [state.action_name(action) for action in state.legal_actions()]


def test_one_role_with_a_choice_moves_alone() -> None:
    machine = prover_machine(NIM)
    state = machine.game.initial_state()
    assert (state.current_player(), names(state)) == (0, ["(take 1)", "(take 2)"])
    state.apply(state.legal_actions()[0])
    assert (state.current_player(), str(state)) == (1, "(heap 2)\n(turn second)")
    state.apply(state.legal_actions()[0])
    assert (state.current_player(), names(state)) == (0, ["(take 1)"]), "nobody has a choice: the first role moves"
    state.apply(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.returns() == [100.0, 0.0]


def test_where_nobody_has_a_choice_the_first_role_moves_for_all() -> None:
    state = prover_machine(NIM).game.initial_state()
    state.apply(state.legal_actions()[1])
    assert (state.current_player(), names(state)) == (0, ["Wait"]), "it is the other's turn, but there is one action"
    state.apply(state.legal_actions()[0])
    assert state.returns() == [0.0, 100.0]


def test_several_roles_with_a_choice_move_at_once() -> None:
    machine = prover_machine(PENNIES)
    state = machine.game.initial_state()
    assert state.current_player() == SIMULTANEOUS
    joint = [state.legal_actions(0)[1], state.legal_actions(1)[1]]
    state.apply(joint)
    assert state.returns() == [100.0, 0.0]
    with pytest.raises(ValueError, match="illegal"):
        machine.game.initial_state().apply(joint[::-1])


@pytest.mark.parametrize("text", [NIM, PENNIES])
def test_the_contract_is_kept(text: str) -> None:
    state = unwrap_state(prover_machine(text).game.initial_state())
    report = check_game(state, matches=5)
    assert report.ok, report


def test_searches_play_it() -> None:
    state = prover_machine(NIM.replace("(heap 3)", "(heap 2)", 1)).game.initial_state()
    result = treewise.parse_search("mcts(limit=simulations(300), proof=solver)").run(state, seed=1)
    assert state.action_name(result.action) == "(take 2)"
    again = prover_machine(NIM)
    search = treewise.parse_search("mcts(limit=simulations(100))")
    first, second = (search.run(again.game.initial_state(), seed=3) for _ in range(2))
    assert first.visits == second.visits, "one seed, one result, whatever was searched before"


def test_machine_speaks_of_all_roles() -> None:
    machine = prover_machine(NIM)
    state = machine.game.initial_state()
    assert machine.roles == ("First", "second")
    assert [machine.action_text(1, action) for action in machine.legal(state, 1)] == ["Wait"]
    joint = [machine.find_action(0, "( TAKE  1 )"), machine.find_action(1, "wait")]
    assert None not in joint
    after = machine.play(state, [number for number in joint if number is not None])
    assert machine.facts(after) == ["(heap 2)", "(turn second)"]
    assert machine.facts(state) == ["(heap 3)", "(turn First)"], "the state given stays as it was"
    assert not machine.is_terminal(after)
    assert after.history() == [joint[0]], "a search can follow"


@pytest.mark.parametrize("text", ["(fly 1)", "(take ten)", "(take ?n)", "(take", "wait wait", "", "()"])
def test_unknown_actions_are_not_found(text: str) -> None:
    assert prover_machine(NIM).find_action(0, text) is None


def test_a_known_action_is_played_even_if_it_is_not_legal() -> None:
    machine = prover_machine(NIM)
    take = machine.find_action(1, "(take 2)")
    wait = machine.find_action(0, "wait")
    assert take is not None
    assert wait is not None
    assert machine.facts(machine.play(machine.game.initial_state(), [wait, take])) == ["(heap 1)", "(turn second)"]


@pytest.mark.parametrize(
    ("goals", "expected", "warning"),
    [
        ("(goal x 20) (goal x 70)", 70, "x has 2 goals in a terminal state; 70 is taken"),
        ("", 0, "x has no goals in a terminal state; 0 is taken"),
        ("(goal x 130)", 100, "x has a goal of 130"),
        ("(goal x -5)", 0, "x has a goal of -5"),
    ],
)
def test_faulty_goals_are_mended_with_a_warning(goals: str, expected: int, warning: str) -> None:
    machine = prover_machine(f"(role x) (init a) (legal x go) terminal {goals}")
    with pytest.warns(UserWarning, match=warning):
        assert machine.game.initial_state().returns() == [float(expected)]
    assert machine.goals(machine.game.initial_state()) == [expected], "it warns once"


def test_goals_are_whole_numbers() -> None:
    state = prover_machine("(role x) (init a) (legal x go) terminal (goal x much)").game.initial_state()
    with pytest.raises(GDLError, match="the goal of x is much"):
        state.returns()


def test_matches_without_an_end_are_cut() -> None:
    sheet = parse_sheet("(role x) (init a) (legal x go) (legal x stay) (<= (next a) (true a)) (<= terminal (true b))")
    machine = ProverMachine(sheet, max_length=7)
    state = machine.game.initial_state()
    assert machine.game.max_length == 7
    assert state.playout(1) == 7
    assert not state.is_terminal()


def test_chance_acts_after_the_players_and_before_anybody_sees() -> None:
    sheet = """(role a) (role random) (role b) (init s) (side h) (side t)
    (<= (legal ?r (show ?s)) (role ?r) (side ?s)) (<= (next (shown ?r ?s)) (does ?r (show ?s)))
    (<= terminal (true (shown a ?s))) (<= (goal a 100) (true (shown random h)) (true (shown a h)))
    (<= (goal a 0) (not (goal a 100))) (goal b 50) (goal random 0)"""
    machine = prover_machine(sheet)
    state = machine.game.initial_state()
    assert machine.roles == ("a", "random", "b")
    assert (machine.game.num_players, state.current_player()) == (2, SIMULTANEOUS)
    state.apply([state.legal_actions(0)[0], state.legal_actions(1)[1]])
    assert state.current_player() == CHANCE
    assert not state.is_terminal()
    outcomes = state.chance_outcomes()
    assert [probability for _, probability in outcomes] == [0.5, 0.5]
    state.apply(outcomes[0][0])
    assert str(state) == "(shown a h)\n(shown b t)\n(shown random h)"
    assert state.returns() == [100.0, 50.0]
    assert machine.goals(state) == [100, 0, 50]
    joint = [machine.find_action(role, "(show t)") for role in range(3)]
    played = machine.play(machine.game.initial_state(), [action for action in joint if action is not None])
    assert machine.facts(played) == ["(shown a t)", "(shown b t)", "(shown random t)"]


def test_a_sheet_without_players_is_refused() -> None:
    with pytest.raises(GDLError, match="no role to play"):
        prover_machine("(init a)")


def test_sheets_are_found_by_name() -> None:
    assert load_machine("kuhn_poker").roles == ("first", "second", "random")
    with pytest.raises(ValueError, match=r"no rulesheet 'kuhn_pokre'.*did you mean 'kuhn_poker'\?"):
        load_machine("kuhn_pokre")
    with pytest.raises(ValueError, match="unknown machine 'abacus'"):
        load_machine("kuhn_poker", machine="abacus")
