"""Who stole the time: verdicts on counts that are given, and on bots that are late."""

import os

import pytest

from hsctl.match.bots.bot import Bot
from hsctl.match.bots.lateness import CAN_TELL, CoreTime, Culprit, Usage, judge, judge_own, read_own
from tests.hsctl.match.bots.asking import SHORT, command, evil
from tests.hsctl.match.bots.busy import hogs

LIMIT = 0.1
needs_counts = pytest.mark.skipif(not CAN_TELL, reason="this kernel doesn't count the waiting of threads")


def usage(shares: list[tuple[float, float]], stolen: float = 0.0) -> Usage:
    return Usage({(1, str(number)): CoreTime(*share) for number, share in enumerate(shares)}, stolen)


@pytest.mark.parametrize(
    ("spent", "wall", "culprit"),
    [
        ([(0.095, 0.010)], 0.105, "machine"),  # late by 5 ms, kept waiting for 10
        ([(0.104, 0.001)], 0.105, "bot"),
        ([(0.001, 0.000)], 0.105, "bot"),  # it slept
        ([(0.060, 0.040), (0.030, 0.0)], 0.105, "machine"),  # of the 40 its other thread had 30 at the most
        ([(0.060, 0.040), (0.040, 0.0)], 0.105, "unclear"),
        ([(0.060, 0.003), (0.060, 0.003)], 0.105, "unclear"),
        ([(0.090, 0.001), (0.090, 0.001)], 0.105, "bot"),  # many threads don't make an excuse
    ],
)
def test_a_bot_is_judged_by_what_its_threads_ran_and_waited(
    spent: list[tuple[float, float]], wall: float, culprit: Culprit
) -> None:
    late = judge(LIMIT, wall, usage([(5.0, 7.0)] * len(spent)), usage([(5 + a, 7 + b) for a, b in spent]))
    assert late.culprit == culprit
    assert late.wall_ms == 1000 * wall
    assert (late.cpu_ms, late.delay_ms) == pytest.approx([1000 * sum(part) for part in zip(*spent, strict=True)])


def test_without_counts_the_verdict_is_unclear() -> None:
    assert judge(LIMIT, 0.105, None, usage([(0.1, 0.0)])).culprit == "unclear"
    assert judge(LIMIT, 0.105, usage([(0.1, 0.0)]), usage([])).culprit == "unclear"


def test_what_a_hypervisor_took_may_have_been_the_bots() -> None:
    before, after = usage([(0.0, 0.0)], stolen=5.0), usage([(0.1, 0.0)], stolen=5.03)
    assert judge(LIMIT, 0.135, before, after).culprit == "unclear"
    assert judge(LIMIT, 0.145, before, after).culprit == "bot"


def test_a_thread_that_began_after_the_question_counts_from_its_beginning() -> None:
    late = judge(LIMIT, 0.105, usage([]), usage([(0.09, 0.01)]))
    assert late.culprit == "machine"


@pytest.mark.parametrize(
    ("ran", "waited", "wall", "culprit"),
    [
        (0.090, 0.015, 0.105, "machine"),
        (0.104, 0.001, 0.105, "bot"),
        (0.090, 0.001, 0.105, "unclear"),  # something took 14 ms and was not seen
    ],
)
def test_thinking_in_the_runner_is_judged_likewise(ran: float, waited: float, wall: float, culprit: Culprit) -> None:
    late = judge_own(LIMIT, wall, CoreTime(3.0, 4.0), CoreTime(3 + ran, 4 + waited))
    assert late.culprit == culprit


def test_the_own_counts_grow_with_what_is_done() -> None:
    before = read_own()
    while read_own().ran < before.ran + 0.01:
        pass
    assert read_own().waited >= before.waited


# Bots


@needs_counts
def test_a_bot_that_sleeps_is_late_by_its_own_fault() -> None:
    with evil("late_on_turn_7") as bot:
        answers = [bot.ask("turn\n", SHORT) for _ in range(8)]
    late = answers[-1].late
    assert late is not None and late.delay_ms is not None
    assert late.culprit == "bot" or late.delay_ms > 1000 * SHORT  # which takes a machine that does much else
    assert late.wall_ms >= 1000 * SHORT
    assert late.cpu_ms is not None and late.cpu_ms < 500 * SHORT
    assert not any(answer.late for answer in answers[:-1])


@needs_counts
@pytest.mark.linux
def test_a_bot_that_has_to_share_its_core_is_not_the_one_to_blame() -> None:
    """It needs 300 ms and is allowed 350, but others want the same core."""
    core = min(os.sched_getaffinity(0))
    with hogs(2, core), Bot(command("burns_cpu_each_turn"), startup_s=30, core=core) as bot:
        bot.ask("turn\n", 30)
        answer = bot.ask("turn\n", 0.35)
    assert answer.failure is not None and answer.failure.cause == "timeout"
    assert answer.late is not None and answer.late.culprit in ("machine", "unclear")
    assert answer.late.delay_ms is not None and answer.late.delay_ms > 100
    assert "by the machine's fault" in answer.failure.detail
