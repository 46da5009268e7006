"""A search for one role, ended by a stop."""

from __future__ import annotations

from treewise.bonus import Bonus, Record, RelativeBonus
from treewise.compositions import cadia
from treewise.gdl import load_machine
from treewise.ggp.thinker import Thinker
from treewise.limit import UntilStopped
from treewise.search import Stop


class StopAfter:
    """Looks at what is backed up, as bonuses may, and ends the search after so many simulations."""

    def __init__(self, simulations: int) -> None:
        self.stop = Stop()
        self.left = simulations
        self.seen: set[float] = set()

    def result(self, record: Record) -> list[float]:
        self.seen.update(record.values)
        self.left -= 1
        if self.left == 0:
            self.stop.set()
        return list(record.values)


def results(*bonuses: Bonus) -> set[float]:
    watch = StopAfter(2000)
    machine = load_machine("tic_tac_toe")
    search = cadia(bonus=[*bonuses, watch]).replace(limit=UntilStopped(1e-6))
    assert Thinker(search, machine, role=0, seed=1).run(machine.game.initial_state(), watch.stop) is not None
    assert watch.left <= 0, "it ended by the stop, long after the seconds that were expected"
    return watch.seen


def test_a_bonus_that_waits_for_a_share_of_the_simulations_acts_before_the_stop() -> None:
    plain = {0.0, 0.5, 1.0}
    assert results() == plain
    assert results(RelativeBonus()) > plain
