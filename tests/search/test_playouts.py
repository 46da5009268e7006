"""Playout policies: their tables against numbers worked out by hand, and their effect."""

import pytest

import treewise
from treewise import _core, playout

TTT = treewise.load_game("tic_tac_toe")


def probe(part: playout.Part, game: treewise.Game = TTT) -> _core.PlayoutProbe:
    return _core.PlayoutProbe(game, part.core())


def test_uniform_playouts_of_tic_tac_toe() -> None:
    """Random play: the first player wins 58.5 % and 12.7 % are drawn (exact by enumeration, catalogue J1)."""
    results = []
    for seed in range(20_000):
        state = TTT.initial_state()
        state.playout(seed)
        results.append(state.returns()[0])
    assert results.count(1.0) / len(results) == pytest.approx(0.585, abs=0.012)
    assert results.count(0.0) / len(results) == pytest.approx(0.127, abs=0.008)


def test_mast_means_by_hand() -> None:
    """Cell 4 had results 1, 0, 1 (2/3) for player 0, cell 0 had 1/2; unseen cells count as 0."""
    mast = probe(playout.MAST(epsilon=0, unseen=0))
    mast.learn([(0, 4), (1, 0)], [1, 0])
    mast.learn([(0, 4), (1, 2)], [0, 1])
    mast.learn([(0, 4), (1, 2), (0, 0)], [1, 0])
    mast.learn([(0, 0)], [0, 1])
    state = TTT.initial_state()
    assert {mast.choose(state, seed=seed)[0] for seed in range(50)} == {4}
    state.apply(4)
    # Player 1: cell 0 gave 0, cell 2 gave 1 and 0.
    assert {mast.choose(state, seed=seed)[0] for seed in range(50)} == {2}


def test_mast_prefers_unseen_when_optimistic_and_breaks_ties_at_random() -> None:
    mast = probe(playout.MAST(epsilon=0, unseen=1))
    mast.learn([(0, 4)], [0.5, 0.5])
    choices = [mast.choose(TTT.initial_state(), seed=seed)[0] for seed in range(4000)]
    assert set(choices) == {0, 1, 2, 3, 5, 6, 7, 8}
    assert choices.count(0) / 4000 == pytest.approx(1 / 8, abs=0.03)


def test_mast_epsilon_is_the_share_of_the_inner_policy() -> None:
    mast = probe(playout.MAST(epsilon=0.3, unseen=0))
    mast.learn([(0, 4)], [1, 0])
    choices = [mast.choose(TTT.initial_state(), seed=seed)[0] for seed in range(6000)]
    assert choices.count(4) / 6000 == pytest.approx(0.7 + 0.3 / 9, abs=0.025)


def test_mast_gibbs_distribution() -> None:
    """exp(1/0.5) against eight times exp(0): 7.389 / 15.389 = 0.480."""
    mast = probe(playout.MAST(mode="gibbs", temperature=0.5, unseen=0))
    mast.learn([(0, 4)], [1, 0])
    choices = [mast.choose(TTT.initial_state(), seed=seed)[0] for seed in range(6000)]
    assert choices.count(4) / 6000 == pytest.approx(0.480, abs=0.025)


def test_mast_tree_only() -> None:
    mast = probe(playout.MAST(epsilon=0, unseen=0, tree_only=True))
    mast.learn([(0, 1), (1, 0), (0, 4)], [1, 0], tree_steps=1)
    assert {mast.choose(TTT.initial_state(), seed=seed)[0] for seed in range(20)} == {1}


def test_mast_decay_lets_new_results_weigh_more() -> None:
    """Ten wins, decayed to a weight of 2, then two losses: mean 1/2; without decay 10/12 would stay above 0.6."""
    for decay, expected in ((0.2, {5}), (1.0, {4})):
        mast = probe(playout.MAST(epsilon=0, unseen=0, decay=decay))
        for _ in range(10):
            mast.learn([(0, 4)], [1, 0])
        for result in (1, 1, 1, 0, 0):
            mast.learn([(0, 5)], [result, 1 - result])
        if decay != 1:
            mast.decay()
            for result in (1, 1, 1, 0, 0):
                mast.learn([(0, 5)], [result, 1 - result])
        else:
            mast.decay()
        for _ in range(2):
            mast.learn([(0, 4)], [0, 1])
        assert {mast.choose(TTT.initial_state(), seed=seed)[0] for seed in range(20)} == expected


def test_ngram_value_by_hand() -> None:
    """After the other's 0: action 4 has a single mean of 1/2, but its pair (0, 4) was seen 7 times with mean 1,
    so its value is (0.5 + 1) / 2 = 0.75; action 5 has a single mean of 0.7."""
    state = TTT.initial_state()
    state.apply(0)
    ngram = probe(playout.NGram(length=2, epsilon=0, unseen=0))
    for _ in range(7):
        ngram.learn([(0, 0), (1, 4)], [0, 1])
        ngram.learn([(0, 8), (1, 4)], [1, 0])
    for result in (1, 1, 1, 1, 1, 1, 1, 0, 0, 0):
        ngram.learn([(1, 5)], [1 - result, result])
    assert {ngram.choose(state, [(0, 0)], seed)[0] for seed in range(20)} == {4}
    # After 8 the pair (8, 4) has mean 0: value 0.25. Without a context the single mean 0.5 loses to 0.7 too.
    assert {ngram.choose(state, [(0, 8)], seed)[0] for seed in range(20)} == {5}
    assert {ngram.choose(state, [], seed)[0] for seed in range(20)} == {5}


def test_ngram_needs_enough_visits() -> None:
    state = TTT.initial_state()
    state.apply(0)
    ngram = probe(playout.NGram(length=2, epsilon=0, unseen=0, min_visits=8))
    for _ in range(7):
        ngram.learn([(0, 0), (1, 4)], [0, 1])
        ngram.learn([(0, 8), (1, 4)], [1, 0])
    ngram.learn([(1, 5)], [0.4, 0.6])
    assert {ngram.choose(state, [(0, 0)], seed)[0] for seed in range(20)} == {5}


def test_ngram_triples() -> None:
    """own 2, other's 0, own 4: known as good only in this order."""
    state = TTT.parse_state("x.o/.../...", 0)
    ngram = probe(playout.NGram(length=3, epsilon=0, unseen=0, min_visits=1))
    ngram.learn([(1, 2), (0, 0), (1, 4)], [0, 1])
    ngram.learn([(1, 3), (0, 0), (1, 4)], [1, 0])
    for _ in range(8):
        ngram.learn([(1, 5)], [0.4, 0.6])
    after = state.clone()
    after.apply(1)
    # single 0.5, pair 0.5, triple 1: 2/3 > 0.6; with the other triple 1/3.
    assert {ngram.choose(after, [(1, 2), (0, 0)], s)[0] for s in range(20)} == {4}
    assert {ngram.choose(after, [(1, 3), (0, 0)], s)[0] for s in range(20)} == {5}


def test_ngram_gibbs_distribution() -> None:
    """Value 0.5 for cell 4, of its own mean 0 and its pair's 1; 0 for the seven others: 2.718 / 9.718 = 0.280."""
    ngram = probe(playout.NGram(mode="gibbs", temperature=0.5, unseen=0, min_visits=1, epsilon=1))
    for first, result in ((0, 1.0), (8, 0.0), (8, 0.0), (8, 0.0)):
        ngram.learn([(0, first), (1, 4)], [1 - result, result])
    for _ in range(10**3):
        ngram.learn([(1, 4)], [1, 0])
    state = TTT.initial_state()
    state.apply(0)
    choices = [ngram.choose(state, [(0, 0)], seed)[0] for seed in range(6000)]
    assert choices.count(4) / 6000 == pytest.approx(0.280, abs=0.025)


@pytest.mark.parametrize("part", [playout.MAST, playout.NGram], ids=lambda part: part.name)
def test_cold_gibbs_takes_the_best(part: type[playout.Part]) -> None:
    """exp(1 / 1e-6) is more than numbers can hold."""
    policy = probe(part(mode="gibbs", temperature=1e-6, unseen=0))
    policy.learn([(0, 4)], [1, 0])
    policy.learn([(0, 5)], [0.9, 0.1])
    assert {policy.choose(TTT.initial_state(), seed=seed)[0] for seed in range(50)} == {4}


def test_ngram_of_length_1_is_mast() -> None:
    """Value by value, though not draw by draw."""
    policies = [probe(part(epsilon=0)) for part in (playout.MAST, lambda **keys: playout.NGram(length=1, **keys))]
    for policy in policies:
        for cell in range(9):
            policy.learn([(1, cell)], [cell / 10, 1 - cell / 10])
            policy.learn([(0, cell)], [cell / 10, 1 - cell / 10])
    state = TTT.initial_state()
    for best in (8, 0, 7, 1, 6):
        assert [policy.choose(state, seed=1)[0] for policy in policies] == [best] * 2
        state.apply(best)


def test_ngram_decay_takes_rare_sequences_out() -> None:
    """Seven visits of the pair, after decay 1.4: it counts no more until it was seen six times again."""
    state = TTT.initial_state()
    state.apply(0)
    ngram = probe(playout.NGram(length=2, epsilon=0, unseen=0))
    for _ in range(7):
        ngram.learn([(0, 0), (1, 4)], [0, 1])
        ngram.learn([(0, 8), (1, 4)], [1, 0])
    ngram.learn([(1, 5)], [0.4, 0.6])
    for visits in range(7):
        expected = 4 if visits in (0, 6) else 5
        assert {ngram.choose(state, [(0, 0)], seed)[0] for seed in range(9)} == {expected}, visits
        if visits == 0:
            ngram.decay()
        ngram.learn([(0, 0), (1, 4)], [0, 1])
        ngram.learn([(0, 8), (1, 4)], [1, 0])


def test_last_good_reply_table() -> None:
    state = TTT.initial_state()
    state.apply(0)
    lgr = probe(playout.LastGoodReply(length=1))
    lgr.learn([(0, 0), (1, 4), (0, 8)], [0, 1])
    assert {lgr.choose(state, [(0, 0)], seed)[0] for seed in range(20)} == {4}, "the winner's reply is kept"
    other = TTT.initial_state()
    other.apply(8)
    assert len({lgr.choose(other, [(0, 8)], seed)[0] for seed in range(60)}) > 3, "no reply is known here"
    lgr.learn([(0, 0), (1, 4)], [1, 0])
    assert len({lgr.choose(state, [(0, 0)], seed)[0] for seed in range(60)}) > 3, "the loser's is forgotten"


def test_last_good_reply_without_forgetting_and_with_two_actions() -> None:
    state = TTT.initial_state()
    state.apply(0)
    keeps = probe(playout.LastGoodReply(length=1, forgetting=False))
    keeps.learn([(0, 0), (1, 4)], [0, 1])
    keeps.learn([(0, 0), (1, 4)], [1, 0])
    assert {keeps.choose(state, [(0, 0)], seed)[0] for seed in range(20)} == {4}
    two = probe(playout.LastGoodReply(length=2))
    two.learn([(1, 3), (0, 0), (1, 4)], [0, 1])
    two.learn([(1, 7), (0, 0), (1, 5)], [0, 1])
    assert {two.choose(state, [(1, 3), (0, 0)], seed)[0] for seed in range(20)} == {4}, "two actions come first"
    assert {two.choose(state, [(1, 8), (0, 0)], seed)[0] for seed in range(20)} == {5}, "else the last one counts"


def test_decisive_and_anti_decisive() -> None:
    win = TTT.parse_state("xx./oo./...", 0)
    assert probe(playout.Decisive()).choose(win)[1] == [2]
    block = TTT.parse_state("x../oo./x..", 0)
    assert probe(playout.Decisive()).choose(block)[1] == [5]
    assert len(probe(playout.Decisive(anti=False)).choose(block)[1]) == 5


def test_wrappers_compose() -> None:
    """MAST inside decisive: the narrowing of one and the choice of the other."""
    both = probe(playout.Decisive(inner=playout.MAST(epsilon=0, unseen=0)))
    both.learn([(0, 8)], [1, 0])
    assert both.choose(TTT.parse_state("xx./oo./...", 0))[0] == 2
    assert both.choose(TTT.parse_state("x../o../...", 0))[0] == 8


def test_game_policy_needs_the_capability() -> None:
    with pytest.raises(ValueError, match="needs the capability 'policy', which tic_tac_toe does not have"):
        treewise.Search(playout=playout.GamePolicy()).run(TTT.initial_state())


def test_cut_off_asks_the_evaluator() -> None:
    class Judge:
        def evaluate(self, states: list[treewise.State]) -> list[list[float]]:
            return [[0.25, -0.25] for _ in states]

    search = treewise.Search(playout=playout.CutOff(depth=0, evaluator=Judge()), limit=treewise.limit.Simulations(9))
    result = search.run(TTT.initial_state(), seed=1)
    assert set(result.values.values()) == {0.25}


def test_cut_off_must_be_outermost() -> None:
    with pytest.raises(ValueError, match="outermost"):
        treewise.Search(playout=playout.MAST(inner=playout.CutOff()))


def test_playouts_that_never_end_are_cut_with_a_stated_value() -> None:
    state = treewise.load_game("breakthrough").initial_state()
    search = treewise.Search(max_length=3, limit=treewise.limit.Simulations(100))
    assert set(search.run(state).values.values()) == {0.0}
    values = search.replace(cut_value=0.5).run(state).values.values()
    assert set(values) == {0.5}
