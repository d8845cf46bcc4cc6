"""What an agent leaves of a referee's clock: it follows what it sees, and thinks accordingly."""

import io
import os
import time

import pytest

from engine.game import Game
from engine.notation import format_header, format_position
from hsctl.match.bots.agent_bot import LEAST_MS, MOST, UNKNOWN_MS, WAY, Reserve, Times, serve
from hsctl.match.bots.follower import Input
from search.agent import Budget, Decision
from search.spec import parse_spec

CLOCK_MS = 100.0
OVERRUN_S = 0.01


def test_the_reserve_grows_at_once_and_shrinks_slowly() -> None:
    reserve = Reserve()
    first = reserve.of(CLOCK_MS)
    assert first == WAY * CLOCK_MS + UNKNOWN_MS
    reserve.learn(8.0)
    grown = reserve.of(CLOCK_MS)
    assert grown > WAY * CLOCK_MS + 8.0
    for _ in range(20):
        reserve.learn(0.2)
    assert first < reserve.of(CLOCK_MS) < grown
    for _ in range(500):
        reserve.learn(0.2)
    assert reserve.of(CLOCK_MS) == pytest.approx(WAY * CLOCK_MS + 0.3)


def test_no_hiccup_takes_more_than_its_share_of_the_clock() -> None:
    reserve = Reserve()
    reserve.learn(5000.0)
    assert reserve.of(CLOCK_MS) == MOST * CLOCK_MS


def test_a_fixed_reserve_stays() -> None:
    reserve = Reserve(20.0)
    reserve.learn(50.0)
    assert reserve.of(CLOCK_MS) == reserve.of(1000.0) == 20.0


class Overrunning:
    """An agent that thinks longer than it may, and notes how long that was."""

    def __init__(self) -> None:
        self.budgets_ms: list[float] = []

    def start_game(self, *_: object) -> None: ...

    def decide(self, _state: object, _player: int, budget: Budget) -> Decision:
        assert budget.ms is not None
        self.budgets_ms.append(budget.ms)
        time.sleep(budget.ms / 1000 + OVERRUN_S)
        return Decision(0)


@pytest.mark.linux
@pytest.mark.parametrize(("reserve_ms", "most_ms"), [(None, 94 - 1000 * OVERRUN_S), (30.0, 70.0)])
def test_an_agent_that_overruns_gets_less_to_think_from_the_next_turn_on(
    reserve_ms: float | None, most_ms: float
) -> None:
    agent, game = Overrunning(), Game.start(1, 2)
    read, write = os.pipe()
    os.write(write, format_header(0).encode())
    for _ in range(4):
        os.write(write, format_position(game).encode())
        game.step([0, 0])
    os.close(write)
    out, times = io.StringIO(), Times(CLOCK_MS, CLOCK_MS, reserve_ms)
    serve(agent, parse_spec("still"), Input(read), out, times, lambda _: None)  # type: ignore[arg-type]
    assert out.getvalue() == "MOVE 0 0\n" * 4
    assert all(LEAST_MS <= ms <= most_ms for ms in agent.budgets_ms[1:])


@pytest.mark.linux
def test_a_late_answer_is_told_with_who_is_to_blame() -> None:
    warnings: list[str] = []
    read, write = os.pipe()
    os.write(write, (format_header(0) + format_position(Game.start(1, 2))).encode())
    os.close(write)
    agent, times = Overrunning(), Times(1.0, 1.0)
    serve(agent, parse_spec("still"), Input(read), io.StringIO(), times, warnings.append)  # type: ignore[arg-type]
    [warning] = warnings
    assert warning.startswith("turn 0: answered after ") and " of 1 ms" in warning
