"""Agents that are late: whose fault it was is measured, not guessed."""

import os
import sys
import time

import pytest

from engine.game import Game
from hsctl.arena.players import read_player
from hsctl.arena.seats import AgentSeat
from hsctl.bots.lateness import CAN_TELL
from replays.replay import Late, Limits
from search.agent import Decision
from tests.hsctl.bots.busy import hogs

THINKING_S, LIMIT_MS = 0.03, 45.0
MOST_TURNS = 200


class Diligent:
    """Takes 30 ms of CPU time for every decision, whatever the clock says."""

    def start_game(self, *_: object) -> None: ...

    def decide(self, *_: object) -> Decision:
        end = time.thread_time() + THINKING_S
        while time.thread_time() < end:
            pass
        return Decision(0)


@pytest.mark.skipif(not CAN_TELL or sys.platform != "linux", reason="this system doesn't count the waiting of threads")
def test_an_agent_that_has_to_share_its_core_is_not_the_one_to_blame() -> None:
    """It needs 30 ms and is allowed 45, but others want the same core."""
    seat = AgentSeat(read_player("still"))
    seat.agent = Diligent()  # type: ignore[assignment]
    limits, game, cores = Limits(LIMIT_MS, LIMIT_MS), Game.start(1, 2), os.sched_getaffinity(0)
    seat.begin(game, 0, 1, limits)
    found: list[Late] = []
    with hogs(2, min(cores)):
        os.sched_setaffinity(0, {min(cores)})
        try:
            for _ in range(MOST_TURNS):
                move = seat.act(game, limits, is_first=False).move
                found += [move.late] if move.late else []
                if len(found) == 3:
                    break
        finally:
            os.sched_setaffinity(0, cores)
    assert len(found) == 3
    for late in found:
        assert late.culprit in ("machine", "unclear")  # what a hypervisor takes is not counted by thread
        assert late.cpu_ms is not None and late.wall_ms > LIMIT_MS > late.cpu_ms >= 1000 * THINKING_S
        assert late.delay_ms is not None and (late.culprit == "machine") == (late.delay_ms >= late.wall_ms - LIMIT_MS)
