"""The passes of growing width: which of them decides, and what it leaves behind."""

from itertools import count

from engine.game import Game
from search import make_agent
from search.agent import Budget, Clock
from search.beam.agent import BeamAgent
from search.beam.memory import best_line
from search.common.planning import Line
from tests.search.positions import Position, decide

SPEC = "beam:op=0,threats=0"  # nothing but the main search


class Watched(BeamAgent):
    """One that remembers its passes."""

    def run_pass(self, *args, **kwargs) -> Line:
        self.lines.append(super().run_pass(*args, **kwargs))
        return self.lines[-1]


def watched() -> Watched:
    beam = Watched(make_agent(SPEC).params)
    beam.lines = []
    return beam


def stopping_clock(looks: int) -> Clock:
    """A clock on which a look takes a millisecond, and after so many looks all time is gone."""
    at = count()
    return lambda: 1_000_000 * look if (look := next(at)) < looks else 10**12


def came_to_nothing(lines: list[Line]) -> bool:
    return len(lines) > 1 and lines[-1].depth < lines[-2].depth // 2


def cut_short() -> tuple[Position, Watched, Budget]:
    """A decision whose last pass the clock stopped before it was half as deep as the one before."""
    game = Game.start(1, 2)
    position = Position(game.state, game.map, 0)
    for looks in range(1, 100):
        beam = watched()
        beam.clock = stopping_clock(looks)
        decision = decide(beam, position, Budget(ms=1000))
        if came_to_nothing(beam.lines):
            assert decision.plan == tuple(beam.lines[-2].actions)
            return position, beam, decision.budget()
    raise AssertionError("no such decision")


def test_when_time_is_up_nothing_is_searched_any_more():
    _, beam, budget = cut_short()
    assert len(beam.lines) == len(budget.stages)


def test_made_again_by_nodes_the_pass_that_decided_is_left_behind():
    position, _, budget = cut_short()
    again = watched()
    decision = decide(again, position, budget)
    assert len(again.lines) == len(budget.stages) + 1
    assert decision.plan == tuple(best_line(again.layers, int(again.search.depth)))
