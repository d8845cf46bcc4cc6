"""Agents that are late: whose fault it was is measured, not guessed."""

import os
import sys
import time
from pathlib import Path

import pytest

from engine.game import Game
from hsctl.arena.finished import SlowStart
from hsctl.arena.match import Notes
from hsctl.arena.players import read_player
from hsctl.arena.seats import Act, AgentSeat, make_seat, slow_start_of
from hsctl.bots.lateness import CAN_TELL
from replays.replay import Late, Limits, Move
from search.agent import Decision
from tests.hsctl.bots.busy import hogs

THINKING_S, LIMIT_MS = 0.03, 45.0
MOST_TURNS = 200
FAST_START = Limits(1.0, 1.0, 60_000.0)


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


def test_a_bot_that_starts_slowly_is_told_unless_the_machine_is_to_blame() -> None:
    told = [slow_start_of(Late(culprit, 3000.0), 1000.0) for culprit in ("bot", "unclear", "machine")]
    assert told == [SlowStart(3000.0, 1000.0, True), SlowStart(3000.0, 1000.0, False), None]
    assert slow_start_of(None, 1000.0) is None


def test_a_slow_start_is_kept_with_the_game() -> None:
    notes, slow, game = Notes(2), SlowStart(3000.0, 1000.0, True), Game.start(1, 2)
    notes.take(1, Act(Move(0), 3000.0, None, slow), is_first=True)
    notes.take(1, Act(Move(0), 3.0), is_first=False)
    assert notes.finish(game, 1, 2, 0.1).slow_starts == [None, slow]


def test_only_a_first_turn_that_is_played_tells_of_the_start(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import time\nwhile input(): time.sleep(0.2), print('MOVE 0 0', flush=True)")
    seat, game, limits = make_seat(read_player(f"{sys.executable} {tmp_path / 'bot.py'}")), Game.start(1, 2), FAST_START
    for is_first in (True, False):
        seat.begin(game, 0, 1, limits)
        act = seat.act(game, limits, is_first)
        seat.end()
        assert act.move.failure is None and act.move.late is None
        assert is_first or act.slow_start is None
