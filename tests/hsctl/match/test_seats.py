"""Agents that are late: whose fault it was is measured, not guessed."""

import os
import sys
import time
from pathlib import Path

import pytest

from engine.game import Game
from hsctl.match import seats
from hsctl.match.bots.lateness import CAN_TELL, CoreTime
from hsctl.match.players import read_player
from hsctl.match.result import SlowStart
from hsctl.match.runner import GameLog
from hsctl.match.seats import Act, AgentSeat, make_seat, slow_start_of
from replays.replay import ClockName, Late, Limits, Move
from search.agent import Decision
from tests.hsctl.match.bots.busy import hogs

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
    notes, slow, game = GameLog(2), SlowStart(3000.0, 1000.0, True), Game.start(1, 2)
    notes.add(1, Act(Move(0), 3000.0, None, slow), is_first=True)
    notes.add(1, Act(Move(0), 3.0), is_first=False)
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


class FakeTime:
    """What the modules read instead of the real clocks: seconds that pass, and seconds that a thread ran."""

    def __init__(self) -> None:
        self.wall = self.ran = 0.0

    def perf_counter(self) -> float:
        return self.wall

    def thread_time(self) -> float:
        return self.ran

    def share(self) -> CoreTime:
        return CoreTime(self.ran, self.wall - self.ran)


class Busy:
    """Takes so much of a fake time for a decision."""

    def __init__(self, fake: FakeTime, ran: float, waited: float) -> None:
        self.fake, self.ran, self.waited = fake, ran, waited
        self.clock: object = None

    def start_game(self, *_: object) -> None: ...

    def decide(self, *_: object) -> Decision:
        self.fake.ran += self.ran
        self.fake.wall += self.ran + self.waited
        return Decision(0, nodes=4500)


def act_busily(monkeypatch: pytest.MonkeyPatch, clock: ClockName, ran_ms: float, waited_ms: float) -> tuple[Busy, Act]:
    """A turn of 10 ms."""
    fake, limits, game = FakeTime(), Limits(10.0, 10.0, clock=clock), Game.start(1, 2)
    monkeypatch.setattr(seats, "time", fake)
    monkeypatch.setattr(seats, "read_own", fake.share)
    seat, agent = AgentSeat(read_player("still")), Busy(fake, ran_ms / 1000, waited_ms / 1000)
    seat.agent = agent  # type: ignore[assignment]
    seat.begin(game, 0, 1, limits)
    return agent, seat.act(game, limits, is_first=False)


def test_on_the_cpu_clock_only_the_time_that_an_agent_ran_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    agent, act = act_busily(monkeypatch, "cpu", 9.0, 30.0)
    assert agent.clock is time.thread_time_ns
    assert act.move.time_ms == 9.0 and act.ms == pytest.approx(9.0) and act.move.late is None
    agent, act = act_busily(monkeypatch, "wall", 9.0, 30.0)
    assert agent.clock is time.perf_counter_ns
    assert act.move.time_ms == 39.0 and act.move.late == Late("machine", 39.0, 9.0, 30.0 if CAN_TELL else None)


def test_an_agent_that_runs_too_long_is_late_by_its_own_fault_on_either_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    _, act = act_busily(monkeypatch, "cpu", 11.0, 30.0)
    assert act.move.late == Late("bot", 41.0, 11.0)
    _, act = act_busily(monkeypatch, "wall", 11.0, 0.0)
    assert act.move.late is not None and act.move.late.culprit == "bot"


@pytest.mark.parametrize(
    ("clock", "ran_ms", "waited_ms", "is_delayed"),
    [
        ("wall", 9.0, 0.0, False),
        ("wall", 8.0, 1.7, False),
        ("wall", 7.0, 2.0, True),  # in time, but with a fifth less to think
        ("wall", 9.0, 30.0, True),
        ("wall", 30.0, 0.0, False),
        ("cpu", 9.0, 30.0, False),
    ],
)
def test_a_turn_is_delayed_if_the_agent_waited_long_for_a_core(
    clock: ClockName, ran_ms: float, waited_ms: float, is_delayed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "HAS_CPU_CLOCK", True)
    _, act = act_busily(monkeypatch, clock, ran_ms, waited_ms)
    assert act.is_delayed == is_delayed
    notes = GameLog(2)
    notes.add(0, act, is_first=False)
    assert notes.finish(Game.start(1, 2), 1, 1, 0.1).thinking[0].delayed == is_delayed


def test_a_bot_is_delayed_if_it_was_late_by_the_machine_s_fault() -> None:
    assert [Act(Move(late=Late(culprit, 120.0)), 120.0).is_delayed for culprit in ("machine", "bot", "unclear")] == [
        True,
        False,
        False,
    ]


def test_nodes_are_added_up_beside_the_time_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = GameLog(2)
    for _ in range(2):
        notes.add(0, act_busily(monkeypatch, "cpu", 9.0, 30.0)[1], is_first=False)
    thinking = notes.finish(Game.start(1, 2), 1, 2, 0.1).thinking[0]
    assert (thinking.nodes, thinking.total_ms) == (9000, 18.0)
