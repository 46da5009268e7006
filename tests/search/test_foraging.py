"""Playouts that look for what is worth meeting: worths, ways and visits by hand, and what they do for a search."""

from typing import Any

import pytest

from feature_games import Scored
from scene_games import DOWN, LEFT, MAT, PIT, RIGHT, UP, WAIT, World
from treewise import Search, _core, backup, bonus, explorer, gvgai_sample, limit, load_game, playout
from treewise.evaluator import Playouts
from treewise.game import as_state
from treewise.playout import Foraging
from treewise.testing import assert_game


class Script:
    """Plays given actions."""

    def __init__(self, *actions: int) -> None:
        self.actions = list(actions)
        self.offered: list[list[int]] = []

    def choose(self, state: Any, actions: list[int], rng: Any) -> int:
        self.offered.append(sorted(actions))
        return self.actions.pop(0)


class Walker:
    """A part at work in a small world, one search after the other."""

    def __init__(self, world: str, script: tuple[int, ...] = (), **parameters: Any) -> None:
        values = {"gamma": 0.5, "curiosity": 1.0, "doubt": 1.0, "epsilon": 1.0, "tedium": 0.0} | parameters
        self.state = as_state(World(world))
        self.script = Script(*script)
        self.probe = _core.PlayoutProbe(self.state.game, Foraging(inner=self.script, **values).core())
        self.probe.start(self.state)

    def take(self, *actions: int) -> None:
        """Steps in the tree."""
        for action in actions:
            self.state.apply(action)
            self.probe.follow(self.state, action)

    def play(self, length: int = 0) -> float:
        utilities, steps, over = self.probe.play(self.state, max_length=length)
        assert steps == length or over
        return float(utilities[0])

    def at(self, world: str, has_key: bool = False) -> "Walker":
        """What was learned is kept, the world is another of the same size."""
        root = World(world)
        root.has_key = has_key
        self.state = as_state(root, self.state.game)
        self.probe.start(self.state)
        return self


def test_what_was_never_met_draws_by_its_distance() -> None:
    assert Walker("@..c").play() == pytest.approx(0.5**3)
    assert Walker("@..c", curiosity=6.0, gamma=0.9).play() == pytest.approx(6 * 0.9**3)
    assert Walker("@c.x").play() == pytest.approx(0.5)
    assert Walker("@...").play() == 0


def test_every_visit_in_the_match_takes_from_a_cell_and_fades() -> None:
    walker = Walker("@...", tedium=0.1, fading=0.5)
    assert walker.play() == pytest.approx(-0.1)
    assert walker.at("@...").play() == pytest.approx(-0.1 * 1.5)
    walker.at(".@..")
    assert walker.play() == pytest.approx(-0.1)
    assert walker.at("@...").play() == pytest.approx(-0.1 * (1.5 / 4 + 1))


def test_points_are_learned_from_steps_in_the_tree_and_after_it() -> None:
    walker = Walker("@c.c")
    walker.take(RIGHT)
    # Met once for 2 points, which is also what is known of coins: (2 + 1 · 2) / (1 + 1) = 2, two steps away.
    assert walker.play() == pytest.approx(2 + 2 * 0.5**2)
    walker = Walker("@c.c", (RIGHT,))
    assert walker.play(1) == pytest.approx(2 + 2 * 0.5**2)


def test_nothing_comes_of_it_where_the_body_stands_already() -> None:
    walker = Walker("@m", (RIGHT, RIGHT, RIGHT))
    assert walker.play(1) == pytest.approx(1)
    assert walker.at("@m").play(1) == pytest.approx(1 / 2)
    assert walker.at("@m").play(1) == pytest.approx(1 / 3)


def test_walls_are_walked_around_once_they_were_bumped_into() -> None:
    walker = Walker("@#c/...", doubt=0.001)
    assert walker.play() == pytest.approx(0.5)  # the wall itself, of which nobody knows
    walker.take(DOWN, UP, RIGHT, DOWN, RIGHT, LEFT, UP)  # only who has gone somewhere by an action is stopped
    walker.take(RIGHT)
    assert walker.play() == pytest.approx(0.5**4, rel=0.01)


@pytest.mark.parametrize(("danger", "steps"), [(10, 4), (2, 3)])
def test_the_deadly_is_walked_around_if_that_is_shorter(danger: int, steps: int) -> None:
    walker = Walker("@xc/...", (RIGHT,), danger=danger)
    assert walker.play() == pytest.approx(0.5)
    assert walker.play(1) == -World.win
    # Nothing draws to the pit any more; the coin is four steps away, or one of `danger` and one more.
    assert walker.play() == pytest.approx(0.5**steps)


def test_playouts_take_no_step_into_what_kills_while_there_are_others() -> None:
    everything = [UP, DOWN, LEFT, RIGHT, WAIT]
    walker = Walker("..@.x", (RIGHT, RIGHT, WAIT, RIGHT, WAIT))
    walker.take(RIGHT, LEFT)
    assert walker.play(2) == -World.win
    assert walker.at("...@x").play(1) == 0
    assert walker.at("..@.x").play(2) == 0
    safe = [UP, DOWN, LEFT, WAIT]
    assert walker.script.offered == [everything, everything, safe, everything, safe]


def test_what_kills_does_not_where_something_carries() -> None:
    class River(World):
        """The mats are met, and whoever is on one is safe from the pit below."""

        def _enter(self, to: int) -> None:
            super()._enter(to)
            self.met = [MAT] if self.items.get(to) == MAT else self.met

        def scene(self) -> Any:
            *rest, items = super().scene()
            return *rest, sorted([*items, *((cell, PIT) for cell, kind in items if kind == MAT)])

    script = Script(RIGHT, LEFT, LEFT, RIGHT, RIGHT, WAIT)
    part = Foraging(gamma=0.5, curiosity=0.0, epsilon=1.0, inner=script)
    state = as_state(River("x.@mmc"))
    probe = _core.PlayoutProbe(state.game, part.core())
    assert probe.play(state, max_length=1)[0] == [0]
    assert probe.play(state, max_length=2)[0] == [-World.win]
    assert probe.play(state, max_length=3)[0] == [0]
    assert script.offered[3] == [UP, DOWN, LEFT, RIGHT, WAIT]  # onto the mat, with the pit below it


def test_another_form_is_curious_again() -> None:
    walker = Walker("@.d.")
    walker.take(RIGHT, RIGHT)
    assert walker.state.returns() == [0]
    assert walker.play() == pytest.approx((1 / 2) * 0.5)  # met once for nothing: (0 + 1) / (1 + 1), one step away
    assert walker.at("@.d.", has_key=True).play() == pytest.approx(0.5**2)


def test_another_form_believes_in_points_and_losses() -> None:
    walker = Walker("@c.x", (RIGHT, RIGHT, RIGHT), curiosity=1.0)
    assert walker.play(3) == 2 - World.win
    assert walker.at("@c.x", has_key=True).play() == pytest.approx(2 * 0.5)
    assert walker.at("@..x", has_key=True).play() == 0


def test_what_is_shot_is_worth_its_points() -> None:
    walker = Walker("@*.*", (WAIT,), curiosity=0.0)
    assert walker.play() == 0
    assert walker.play(1) == pytest.approx(1 + 1 * 0.5**3)


def test_playouts_walk_the_best_way() -> None:
    walker = Walker("@#c/...", epsilon=0.0, doubt=0.001)
    walker.take(DOWN, RIGHT, LEFT, UP, RIGHT)  # where actions lead, and that walls do not
    for world, steps in (("@#c/...", 4), ("..@/c#.", 3), ("@.c/...", 2)):
        walker.at(world)
        for seed in range(5):
            assert walker.probe.play(walker.state, seed, max_length=steps)[0][0] == pytest.approx(2, abs=0.01)


def test_results_can_be_discounted_rewards() -> None:
    walker = Walker("@.cc", (RIGHT, RIGHT), curiosity=0.0)
    utilities, _, _ = walker.probe.play(walker.state, max_length=2, discount=0.5)
    assert utilities[0] == pytest.approx(0.5 * 2 + 0.25 * (2 * 0.5))


def play_match(search: Search, world: str, most: int, seed: int = 1) -> World:
    state, session = World(world), search.session(seed)
    for _ in range(most):
        if state.is_terminal():
            break
        action = session.run(state).action
        state.apply(action)
        session.advance(action)
    return state


ROOMS = "@...#....#k./.##.#.##.#../....#.##.#../.##...##..../....#d###..x"


def test_it_finds_what_is_far_beyond_the_horizon() -> None:
    far = "@" + "." * 30 + "c"
    assert play_match(explorer(playouts=20, depth=5), far, 60).points == 2
    assert play_match(gvgai_sample(playouts=20, depth=5), far, 60).points == 0
    assert [play_match(explorer(playouts=30), ROOMS, 150, seed).result for seed in (1, 2)] == [1, 1]


def test_without_curiosity_and_tedium_nothing_is_looked_for() -> None:
    still = Foraging(curiosity=0.0, tedium=0.0)
    assert play_match(explorer(playouts=20, playout=still, depth=5), "@" + "." * 30 + "c", 60).points == 0


def test_it_works_with_other_parts_and_is_the_same_for_the_same_seed() -> None:
    game = load_game("vgdl(game='zelda')")
    state = game.initial_state()
    for search in (
        explorer(),
        Search(playout=playout.CutOff(depth=5, inner=Foraging(), evaluator=Playouts())),
        Search(playout=Foraging(inner=playout.MAST()), backup=backup.Discounted(gamma=0.9), horizon=10),
    ):
        small = search.replace(limit=limit.Simulations(30))
        first, second = small.run(state, seed=3), small.run(state, seed=3)
        assert [c.value for c in first.children] == [c.value for c in second.children]


def test_worlds_keep_the_contract() -> None:
    assert_game(lambda: World("@.c/xk#/dm*"))


class Wrong(World):
    """Its scene is what the test says."""

    told: Any = None

    def scene(self) -> Any:
        return self.told


GOOD: Any = ((4, 1, 7), (0, 0), [], [], [])


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (5, "expected a list"),
        (GOOD[:4], "expected .shape, body, met, struck, items."),
        (((4, 1), *GOOD[1:]), "shape as"),
        (((1 << 20, 1, 7), *GOOD[1:]), "the width is 1048576, expected 0 to 65536"),
        (((300, 300, 7), *GOOD[1:]), "the height is 300"),
        (((4, 1, 7), (4, 0), [], [], []), "the body's cell is 4, expected 0 to 3"),
        (((4, 1, 7), (0, 0.5), [], [], []), "the form must be a whole number"),
        (((4, 1, 7), None, [7], [], []), "a kind is 7, expected 0 to 6"),
        (((4, 1, 7), None, [], [-1], []), "a kind is -1"),
        (((4, 1, 7), None, [], [], [(4, 0)]), "an item's cell is 4"),
        (((4, 1, 7), None, [], [], [(0, 7)]), "an item's kind is 7"),
        (((4, 1, 7), None, [], [], [0]), "expected a list"),
    ],
)
def test_a_wrong_scene_is_an_error_that_says_what(told: Any, message: str) -> None:
    world = Wrong("@..c")
    world.told = told
    with pytest.raises((ValueError, TypeError), match=message):
        explorer(playouts=5).run(world)


def test_a_scene_may_not_change_its_size() -> None:
    class Growing(World):
        def scene(self) -> Any:
            shape, *rest = super().scene()
            return ((*shape[:2], shape[2] + self.cell), *rest)

    with pytest.raises(ValueError, match="the number of kinds changed"):
        explorer(playouts=5).run(Growing("@..."))


def test_a_body_may_be_missing_and_a_world_empty() -> None:
    world = Wrong("@..c")
    world.told = ((4, 1, 7), None, [], [], [(0, 1)])
    assert explorer(playouts=5).run(world).action in world.legal_actions()
    world.told = ((0, 0, 0), None, [], [], [])
    assert explorer(playouts=5).run(world).action in world.legal_actions()


def test_games_without_a_scene_or_with_several_players_are_refused() -> None:
    with pytest.raises(ValueError, match="needs the capability 'scene', which Scored does not have"):
        explorer().run(Scored())

    class Two(World):
        num_players = 2

        def returns(self) -> list[float]:
            return [self.points, -self.points]

    with pytest.raises(ValueError, match="Two has several players"):
        Search(playout=Foraging(), limit=limit.Simulations(5)).run(Two("@..c"))


def test_it_is_the_outermost_playout() -> None:
    with pytest.raises(ValueError, match="inner must not be foraging"):
        Foraging(inner=Foraging())
    with pytest.raises(ValueError, match="inner must not be cut_off"):
        Foraging(inner=playout.CutOff())
    with pytest.raises(ValueError, match=r"put it into the other, foraging\(inner=mast\)"):
        Search(playout=playout.MAST(inner=Foraging()))


# ---- clipped results


def test_clipping_by_hand() -> None:
    probe = _core.BonusProbe(bonus.ClippedResult(size=20.0, fading=0.5).core(), 1)
    probe.measure([0.5], 0.001)  # 20 points are 0.02
    assert probe.result([0.51], finished=False) == pytest.approx([0.51])
    assert probe.result([0.9], finished=False) == pytest.approx([0.52])
    assert probe.result([0.1], finished=False) == pytest.approx([0.48])
    assert probe.result([0.9], length=3) == pytest.approx([0.52])
    assert probe.result([0.1], length=1) == pytest.approx([0.48])
    assert probe.result([0.1], length=3) == pytest.approx([0.5 - 0.02 / 4])
    assert probe.result([0.499], length=3) == pytest.approx([0.499])


def test_a_clipped_search_still_tells_good_from_bad_beside_a_loss() -> None:
    search = Search(bonus=[bonus.ClippedResult(size=10.0)], horizon=3, limit=limit.Simulations(200))
    values = {child.action: child.value for child in search.run(World("x@..c"), seed=1).children}
    assert values[LEFT] == pytest.approx(-10, abs=0.01)
    assert 2 > values[RIGHT] > values[WAIT] > values[LEFT]


def test_clipping_needs_whole_results() -> None:
    search = Search(bonus=[bonus.ClippedResult()], backup=backup.Discounted(gamma=0.9))
    with pytest.raises(ValueError, match="clips the results of whole simulations"):
        search.run(load_game("vgdl(game='zelda')").initial_state())
