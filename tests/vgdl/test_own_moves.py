"""What an action does by itself, before the world answers: in features, and in playouts that learn."""

from __future__ import annotations

from random import Random

import pytest
from small_games import small_game

from treewise import Search, State, _core, limit, load_game, parse_search
from treewise.playout import TrueOnlineSarsa
from treewise.vgdl.program import Action

STILL = "g > Immovable\nh > Immovable"
LEVEL = "wwwwwww\nwA.g..w\nw..w..w\nwh...gw\nwwwwwww"
STOPS = "avatar wall > stepBack\navatar h > stepBack"


def features_after(state: State, action: int) -> list[float]:
    after = state.clone()
    after.apply(action)
    return after.features()


@pytest.mark.parametrize(
    "avatar",
    [
        "MovingAvatar",
        "MovingAvatar speed=0.3",
        "MovingAvatar speed=1.4",
        "OrientedAvatar rotateInPlace=True",
        "OngoingAvatar",
        "ShootAvatar stype=s",
        "FlakAvatar stype=s",
    ],
)
@pytest.mark.parametrize("edge", [True, False], ids=["stopped by the edge", "or not"])
def test_where_nothing_answers_it_is_the_whole_step(avatar: str, edge: bool) -> None:
    sprites = f"{STILL}\ns > Immovable singleton=True\navatar > {avatar}"
    rules = STOPS + ("\navatar EOS > stepBack" if edge else "")
    for level in (LEVEL, LEVEL.replace("w", ".")):
        state = small_game(sprites, level, rules).initial_state()
        random = Random(1)
        for _ in range(60):
            for action in state.legal_actions():
                assert state.features(action) == features_after(state, action), (state, action)
            state.apply(random.choice(state.legal_actions()))


def test_what_is_met_is_still_there() -> None:
    state = small_game("g > Immovable", "A.g", "g avatar > killSprite").initial_state()
    state.apply(Action.RIGHT)
    (near,) = state.features()
    assert 0 < near < 1
    assert state.features(Action.RIGHT) == [1.0]
    assert features_after(state, Action.RIGHT) == [0.0]
    assert state.features(Action.LEFT) == features_after(state, Action.LEFT)


def test_others_stay_where_they_are() -> None:
    state = small_game("m > Missile orientation=LEFT speed=1", "A....m").initial_state()
    state.apply(Action.RIGHT)  # nothing moves by itself in its first tick
    assert state.features(Action.RIGHT) == pytest.approx([(1 - 3 / 5) ** 2])
    assert features_after(state, Action.RIGHT) == pytest.approx([(1 - 2 / 5) ** 2])


def test_a_shot_without_ammunition_is_none() -> None:
    sprites = "b > Resource limit=3\ns > Immovable\navatar > ShootAvatar stype=s ammo=b"
    state = small_game(sprites, "Ab.", "b avatar > collectResource").initial_state()
    assert state.features(Action.USE) == state.features()
    state.apply(Action.RIGHT)
    assert state.features(Action.USE) != state.features()
    assert state.features(Action.USE) == features_after(state, Action.USE)


def test_of_a_level_that_is_too_large_for_distances_worked_out_before() -> None:
    level = "\n".join(["A" + "." * 127 + "gh", *["." * 130] * 64])
    state = small_game(f"{STILL}\ns > Immovable\navatar > ShootAvatar stype=s", level).initial_state()
    for action in state.legal_actions():
        assert state.features(action) == features_after(state, action)


def test_wrong_questions() -> None:
    state = small_game(STILL, LEVEL).initial_state()
    with pytest.raises(ValueError, match="illegal action 9"):
        state.features(9)
    board = load_game("breakthrough").initial_state()
    with pytest.raises(ValueError, match="own_moves"):
        board.features(board.legal_actions()[0])


def learned(psi: str, state: State) -> tuple[list[float], list[list[float]]]:
    """The weights after some playouts below a step of the tree, and what these gave."""
    part = TrueOnlineSarsa(psi=psi, epsilon=0.3)
    probe = _core.PlayoutProbe(state.game, part.core())
    probe.start(state)
    given = []
    for seed in range(30):
        probe.begin()
        leaf = state.clone()
        for action in (Action.RIGHT, Action.DOWN)[: seed % 3]:
            leaf.apply(action)
            probe.follow(leaf, action)
        given.append(probe.play(leaf, seed, 12, 0.99)[0])
    return probe.weights, given


def test_where_nothing_answers_the_same_is_learned_as_from_whole_steps() -> None:
    state = small_game(STILL, LEVEL, STOPS + " scoreChange=-1").initial_state()
    weights, given = learned("own_moves", state)
    assert len(set(weights)) > 1
    assert (weights, given) == learned("after_states", state)


def test_where_something_answers_something_else_is_learned() -> None:
    state = small_game(f"{STILL}\nm > RandomNPC", LEVEL.replace("..w\n", ".mw\n", 1), STOPS).initial_state()
    assert learned("own_moves", state) != learned("after_states", state)


def test_in_games_that_do_not_tell_it_is_the_whole_step() -> None:
    state = load_game("breakthrough").initial_state()
    told, whole = (
        Search(playout=TrueOnlineSarsa(psi=psi), max_length=8, limit=limit.Simulations(200)).run(state, seed=3)
        for psi in ("own_moves", "after_states")
    )
    assert told.visits == whole.visits


def test_in_a_search_of_a_video_game() -> None:
    game = load_game("vgdl('zelda')")
    assert "own_moves" in game.capabilities
    for loop in ("closed", "open"):
        search = parse_search(f"td_mcts(playout=true_online_sarsa(discover=100), loop='{loop}')")
        one, other = (search.session(seed=2).run(game.initial_state()) for _ in range(2))
        assert one.visits == other.visits
        assert one.stats.simulations == 50
