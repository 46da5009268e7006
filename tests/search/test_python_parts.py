"""Parts written in Python: each has the effect it should, and what is missing is named."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from python_game import Nim

import treewise
from treewise import Search, backup, expansion, first_play, limit, playout, proof, selection

TTT = treewise.load_game("tic_tac_toe")
BREAKTHROUGH = treewise.load_game("breakthrough")


# ---- selection


class UCB1:
    """The native rule again, in the same order of operations."""

    def __init__(self, c: float = math.sqrt(2)) -> None:
        self.c = c

    def score(self, children: selection.Children) -> list[float]:
        spread = self.c * math.sqrt(math.log(children.parent_visits))
        return [
            children.first_play if n == 0 else (total + spread * math.sqrt(n)) / n
            for n, total in zip(children.visits.tolist(), children.values.tolist(), strict=True)
        ]


@pytest.mark.parametrize("rule", [first_play.Infinite(), first_play.Constant(value=0.6), first_play.Parent()])
@pytest.mark.parametrize("steps", [expansion.All(), expansion.One(), expansion.All(after=3)])
def test_ucb1_in_python_is_the_native_one(rule: first_play.Part, steps: expansion.Part) -> None:
    search = Search(selection=UCB1(0.8), first_play=rule, expansion=steps, limit=limit.Simulations(1500))
    native = search.replace(selection=selection.UCB1(0.8))
    for state in (BREAKTHROUGH.initial_state(), TTT.initial_state(), treewise.load_game("pig").initial_state()):
        ours, theirs = search.run(state, seed=4), native.run(state, seed=4)
        assert ours.visits == theirs.visits
        assert ours.values == theirs.values
        assert ours.line == theirs.line


def test_what_a_selection_sees() -> None:
    class Curious:
        columns = ("prior", "squares")

        def __init__(self) -> None:
            self.seen: list[Any] = []

        def score(self, children: selection.Children) -> Any:
            self.seen.append(children)
            return -children.visits.astype(float)

    rule = Curious()
    state = TTT.initial_state()
    search = Search(selection=rule, first_play=first_play.Constant(value=0.5), limit=limit.Simulations(200))
    result = search.run(state, seed=1)
    assert max(result.visits.values()) - min(result.visits.values()) <= 1, "the least visited is followed"
    for children in rule.seen:  # they may be kept
        assert len(children) == len(children.visits) == len(children.priors) == len(children.squares)
        assert children.parent_visits >= children.visits.sum() >= 0
        assert np.all(children.values <= children.visits)
        assert np.all(children.squares <= children.values + 1e-9), "squares of numbers in [0, 1]"
        assert children.priors.sum() == pytest.approx(1)
        assert children.first_play == 0.5
    root = [children for children in rule.seen if len(children) == 9]
    assert root[-1].visits.sum() == 199

    class Plain(Curious):
        columns = ()  # type: ignore[assignment]

    plain = Plain()
    search.replace(selection=plain).run(state, seed=1)
    assert len(plain.seen[-1].priors) == len(plain.seen[-1].squares) == 0, "only what was asked for"


def test_unknown_columns_are_refused() -> None:
    rule = UCB1()
    rule.columns = ("amaf",)  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="unknown column 'amaf'; known: prior, squares"):
        Search(selection=rule).run(TTT.initial_state())
    rule.columns = (3,)  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match=r"UCB1\.columns: expected a str, got int"):
        Search(selection=rule).run(TTT.initial_state())


# ---- playout


class First:
    """Always the first action."""

    def choose(self, state: treewise.State, actions: list[int], rng: playout.Rng) -> int:
        return actions[0]


def test_a_playout_decides_the_results() -> None:
    """From the empty board, each player taking the first free cell: x wins by 0, 2, 4, 6 whatever else is said."""
    search = Search(playout=First(), limit=limit.Simulations(9))
    values = search.run(TTT.initial_state(), seed=1).values
    expected = {}
    for action in range(9):
        state = TTT.initial_state()
        state.apply(action)
        while not state.is_terminal():
            state.apply(state.legal_actions()[0])
        expected[action] = state.returns()[0]
    assert values == expected
    assert len(set(expected.values())) > 1


def test_a_playout_learns_and_draws_by_the_seed() -> None:
    class Learner:
        def __init__(self) -> None:
            self.records: list[playout.Record] = []
            self.drawn: list[float] = []

        def choose(self, state: treewise.State, actions: list[int], rng: playout.Rng) -> int:
            assert state.legal_actions() == sorted(actions)
            self.drawn.append(rng.random())
            assert 0 <= rng.below(5) < 5
            return rng.choice(actions)

        def learn(self, record: playout.Record) -> None:
            self.records.append(record)

    one, two, three = Learner(), Learner(), Learner()
    search = Search(limit=limit.Simulations(100))
    results = [
        search.replace(playout=rule).run(TTT.initial_state(), seed=seed)
        for rule, seed in ((one, 1), (two, 1), (three, 2))
    ]
    assert one.drawn == two.drawn != three.drawn
    assert results[0].values == results[1].values
    assert len(one.records) == 100
    for record in one.records:  # kept beyond the call, and still right
        state = TTT.initial_state()
        for player, action in record.trace:
            assert player == state.current_player()
            state.apply(action)
        assert state.is_terminal() == record.finished
        assert record.outcome == [(value + 1) / 2 for value in state.returns()]
        assert record.length == len(record.trace) >= record.tree_steps >= 1
        assert record.values == record.outcome


def test_a_playout_inside_native_ones() -> None:
    """Decisive narrows, the inner policy in Python chooses: it never sees a state in which somebody can win at once."""

    class Watch(First):
        def choose(self, state: treewise.State, actions: list[int], rng: playout.Rng) -> int:
            wins = state.winning_actions()
            assert not wins or set(actions) <= set(wins)
            return rng.choice(actions)

    search = Search(playout=playout.Decisive(inner=Watch()), limit=limit.Simulations(200))
    assert search.run(TTT.initial_state(), seed=1).stats.simulations == 200


# ---- bonus


def test_a_score_bonus_is_added() -> None:
    class Prefer:
        def score(self, children: selection.Children) -> Any:
            extra = np.zeros(len(children))
            extra[0] = 100.0
            return extra

    search = Search(limit=limit.Simulations(300), bonus=[Prefer()])
    result = search.run(BREAKTHROUGH.initial_state(), seed=1)
    assert max(result.visits.values()) == 300 - 21, "the first one once all have been tried"
    plain = search.replace(bonus=()).run(BREAKTHROUGH.initial_state(), seed=1)
    assert max(plain.visits.values()) < 100

    class Nothing:
        def score(self, children: selection.Children) -> Any:
            return [0.0] * len(children)

    assert search.replace(bonus=[Nothing(), Nothing()]).run(BREAKTHROUGH.initial_state(), seed=1).visits == plain.visits


def test_a_result_bonus_is_backed_up() -> None:
    class Constant:
        def result(self, record: treewise.bonus.Record) -> list[float]:
            return [0.75, 0.25]

    class Mirror:
        def result(self, record: treewise.bonus.Record) -> list[float]:
            return [1 - value for value in record.values]

    state = BREAKTHROUGH.initial_state()
    search = Search(limit=limit.Simulations(100), bonus=[Constant()])
    assert set(search.run(state).values.values()) == {0.5}
    twice = search.replace(bonus=[Constant(), Mirror()])
    assert set(twice.run(state).values.values()) == {-0.5}, "one after the other"
    there_and_back = search.replace(bonus=[Mirror(), Mirror()])
    assert there_and_back.run(state, seed=1).visits == search.replace(bonus=()).run(state, seed=1).visits


# ---- evaluator


class Judge:
    """Likes one action; knows who is ahead in material."""

    def __init__(self, batch_size: int = 1, form: str = "values", favourite: int = 0) -> None:
        self.batch_size, self.form, self.favourite = batch_size, form, favourite
        self.sizes: list[int] = []

    def evaluate(self, states: list[treewise.State]) -> Any:
        self.sizes.append(len(states))
        values = [self.value(state) for state in states]
        if self.form == "values":
            return values
        if self.form == "arrays":
            return np.array(values), [np.array(self.weights(state)) for state in states]
        if self.form == "lists":
            return values, [self.weights(state) for state in states]
        if self.form == "none":
            return values, [None for _ in states]
        return values, [dict(zip(state.legal_actions(), self.weights(state), strict=True)) for state in states]

    def value(self, state: treewise.State) -> list[float]:
        text = str(state)
        ahead = (text.count("x") - text.count("o")) / 10
        return [ahead, -ahead]

    def weights(self, state: treewise.State) -> list[float]:
        return [50.0 if action == self.favourite else 1.0 for action in state.legal_actions()]


def test_values_of_an_evaluator() -> None:
    judge = Judge()
    search = Search(evaluator=judge, limit=limit.Simulations(9))
    result = search.run(TTT.initial_state(), seed=1)
    assert list(result.values.values()) == pytest.approx([0.1] * 9), "one cross more than noughts"
    assert sum(judge.sizes) == 10, "the root and nine leaves"


@pytest.mark.parametrize("form", ["dicts", "lists", "arrays"])
@pytest.mark.parametrize("favourite", [0, 4, 8])
def test_puct_follows_priors_at_first(form: str, favourite: int) -> None:
    """The tree has an order of its own; the priors must find their actions whichever way they are given."""
    search = Search(
        selection=selection.PUCT(),
        first_play=first_play.Parent(),
        evaluator=Judge(form=form, favourite=favourite),
        limit=limit.Simulations(12),
    )
    result = search.run(TTT.initial_state(), seed=3)
    assert result.action == favourite
    assert result.visits[favourite] >= 8
    priors = {child.action: child.prior for child in result.children}
    assert priors[favourite] == pytest.approx(50 / 58)
    assert sum(priors.values()) == pytest.approx(1)
    for _, node in result.tree.walk():
        assert sum(edge.prior or 0.0 for edge in node.edges) == pytest.approx(1, abs=1e-5)
        for edge in node.edges:
            if len(node.edges) < 9 and edge.action == favourite:
                assert edge.prior == max(other.prior or 0.0 for other in node.edges)


def test_without_priors_they_are_equal() -> None:
    for form in ("values", "none"):
        search = Search(selection=selection.PUCT(), evaluator=Judge(form=form), limit=limit.Simulations(30))
        result = search.run(TTT.initial_state(), seed=3)
        assert [child.prior for child in result.children] == pytest.approx([1 / 9] * 9)


def test_batches() -> None:
    for size in (1, 3, 16):
        judge = Judge(batch_size=size)
        search = Search(evaluator=judge, limit=limit.Simulations(100))
        result = search.run(BREAKTHROUGH.initial_state(), seed=1)
        assert sum(result.visits.values()) == 100
        assert judge.sizes[0] == 1, "the root"
        assert judge.sizes[1:-1] == [size] * (len(judge.sizes) - 2)
        assert sum(judge.sizes) == 101


def test_leaves_of_a_batch_differ() -> None:
    """Simulations under way count as losses, so that a batch spreads out."""

    class Distinct(Judge):
        def evaluate(self, states: list[treewise.State]) -> Any:
            boards = [str(state) for state in states]
            self.distinct.append(len(set(boards)) / len(boards))
            return super().evaluate(states)

        distinct: list[float] = []

    search = Search(evaluator=Distinct(batch_size=8), limit=limit.Simulations(800))
    search.run(BREAKTHROUGH.initial_state(), seed=1)
    assert sum(Distinct.distinct) / len(Distinct.distinct) > 0.7


def test_an_evaluator_speaks_of_the_whole_match() -> None:
    """With discounted step rewards, what was collected on the way is not counted twice."""

    class NothingToCome:
        def evaluate(self, states: list[treewise.State]) -> Any:
            return [state.returns() for state in states]

    state = treewise.load_game("same_game(rows=4, columns=4, colours=2, seed=3)").initial_state()
    state.apply(state.legal_actions()[0])
    actions = state.legal_actions()
    rewards = {}
    for action in actions:
        child = state.clone()
        child.apply(action)
        rewards[action] = child.rewards()[0]
    search = Search(backup=backup.Discounted(gamma=0.5), limit=limit.Simulations(len(actions)))
    for parts in ({"evaluator": NothingToCome()}, {"playout": playout.CutOff(depth=0, evaluator=NothingToCome())}):
        values = search.replace(**parts).run(state, seed=1).values
        for action in actions:
            assert values[action] == pytest.approx(rewards[action], abs=1e-6)


def test_evaluators_of_python_games_get_the_users_objects() -> None:
    class Knows:
        def __init__(self) -> None:
            self.seen: list[Any] = []

        def evaluate(self, states: list[Nim]) -> list[list[float]]:
            self.seen += states
            balance = [state.heaps[0] ^ state.heaps[1] ^ state.heaps[2] for state in states]
            wins = [
                (1.0 if total else -1.0) * (1 if state.player == 0 else -1)
                for total, state in zip(balance, states, strict=True)
            ]
            return [[value, -value] for value in wins]

    knows = Knows()
    result = Search(evaluator=knows, limit=limit.Simulations(60)).run(Nim(), seed=1)
    assert all(isinstance(state, Nim) for state in knows.seen)
    assert result.action == 2, "two stones of the first heap leave 1, 4, 5"
    assert result.value == pytest.approx(result.values[2], abs=0.8)


# ---- missing methods


class Nothing:
    pass


@pytest.mark.parametrize(
    ("compose", "match"),
    [
        (
            lambda: Search(selection=Nothing()),
            "a selection written in Python needs a method 'score', which Nothing lacks",
        ),
        (lambda: Search(playout=Nothing()), "a playout written in Python needs a method 'choose', which Nothing lacks"),
        (lambda: playout.MAST(inner=Nothing()), "mast: inner: a playout written in Python needs a method 'choose'"),
        (lambda: Search(evaluator=Nothing()), "an evaluator written in Python needs a method 'evaluate'"),
        (lambda: playout.CutOff(evaluator=Nothing()), "needs a method 'evaluate'"),
        (lambda: Search(bonus=[Nothing()]), "needs a method 'score' or 'result', which Nothing lacks"),
        (
            lambda: Search(first_play=Nothing()),
            "a first_play cannot be written in Python; use one of constant, infinite",
        ),
        (lambda: Search(expansion=Nothing()), "an expansion cannot be written in Python; use one of all, one"),
        (lambda: Search(backup=Nothing()), "a backup cannot be written in Python"),
        (lambda: Search(proof=Nothing()), "a proof cannot be written in Python"),
        (lambda: Search(decision=Nothing()), "a decision cannot be written in Python; use one of max, max_robust"),
        (lambda: Search(limit=Nothing()), "a limit cannot be written in Python"),
        (lambda: limit.Simulations(5) | Nothing(), "a limit cannot be written in Python"),
        (lambda: Search(parallel=Nothing()), "a parallel cannot be written in Python"),
        (lambda: Search(information=Nothing()), "an information cannot be written in Python"),
        (lambda: Search(loop=Nothing()), "a loop cannot be written in Python"),
    ],
)
def test_what_is_no_part_is_refused_at_once(compose: Callable[[], Any], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        compose()


def test_classes_and_numbers_are_no_parts() -> None:
    for wrong in (UCB1, 3, "ucb1", None, [UCB1()], {}):
        with pytest.raises(ValueError, match="selection must be a selection"):
            Search(selection=wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be a selection, not the playout 'mast'"):
        Search(selection=playout.MAST())
    with pytest.raises(ValueError, match="no text form"):
        Search(selection=UCB1()).text()
    with pytest.raises(ValueError, match=r"must be a proof \(one of solver\), not 3"):
        Search(proof=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"must be a selection .* not the class PUCT"):
        Search(selection=selection.PUCT)  # type: ignore[arg-type]


def test_numbers_of_every_kind() -> None:
    """Those of NumPy and fractions become Python's own; truth values stay what they are."""
    assert limit.Simulations(np.int64(5)).text() == "simulations(count=5)"
    assert limit.Seconds(np.float32(0.5)).text() == "seconds(seconds=0.5)"
    assert limit.Seconds(np.int8(2)) == limit.Seconds(Fraction(4, 2)) == limit.Seconds(2)
    assert Search(memory_mb=np.float64(3), max_length=np.uint8(7)).text() == "mcts(memory_mb=3.0, max_length=7)"
    assert selection.UCB1(c=np.float64(1)).core() == selection.UCB1(c=1.0).core()
    for wrong in (True, np.bool_(True), np.float64(5), "5", 5j):
        with pytest.raises(ValueError, match="must be a whole number"):
            limit.Simulations(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="between"):
        limit.Seconds(np.float32("nan"))  # type: ignore[arg-type]
    state = TTT.initial_state()
    search = Search(limit=limit.Simulations(20))
    assert search.run(state, seed=np.int64(3)).visits == search.run(state, seed=3).visits


def test_a_part_in_python_is_a_part() -> None:
    assert Search(proof=None).proof is None
    assert Search(proof=proof.Solver()).proof == proof.Solver()
