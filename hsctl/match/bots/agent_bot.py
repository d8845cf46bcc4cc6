"""A built-in agent on the bot's side of the protocol: inputs in, lines out, in time from the first turn on.

The arena's clock of the first turn may run while the program still starts. So an input that is already there when
the agent is warm counts as sent at the start of the process; one that comes later counts from then.
"""

import gc
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

from engine.game import Game
from engine.notation import digest, format_action
from engine.position import player_of
from hsctl.budget import budget_of
from hsctl.match.bots.answer import BLAME
from hsctl.match.bots.follower import Follower, Input
from hsctl.match.bots.lateness import CoreTime, judge_own, read_own
from search.agent import Agent, Budget
from search.spec import Spec

# What an agent leaves unused of a referee's clock: some for the way to and fro, and as much as answers overran.
#
# clock ├────────────── thinking ──────────────┼─ seen to overrun ─┼─ the way ─┤


WAY = 0.06  # of the clock
UNKNOWN_MS = 4.0  # taken for the overrun before any was seen
CAUTION = 1.5  # times the worst overrun
MEMORY = 0.98  # a turn: a delay 35 turns ago counts half
MOST = 0.5  # of the clock, whatever the machine does


class Reserve:
    """Adapts to the delays it sees, unless it is fixed."""

    def __init__(self, fixed_ms: float | None = None) -> None:
        self._fixed_ms = fixed_ms
        self._overrun_ms = UNKNOWN_MS

    def of(self, limit_ms: float) -> float:
        """Milliseconds to keep of a clock of so many."""
        if self._fixed_ms is not None:
            return self._fixed_ms
        return min(WAY * limit_ms + self._overrun_ms, MOST * limit_ms)

    def learn(self, overrun_ms: float) -> None:
        """An answer came so much later than planned."""
        self._overrun_ms = max(CAUTION * overrun_ms, MEMORY * self._overrun_ms)


LEAST_MS = 5.0  # of thinking, however late the start was
DEAD_LINE = "MOVE 0 0"  # for a referee that goes on asking the dead


@dataclass(frozen=True)
class Times:
    """The referee's clock in milliseconds, and what to leave of it (None: as much as answers overrun); or nodes."""

    first_turn_ms: float
    turn_ms: float
    reserve_ms: float | None = None
    nodes: int | None = None


def serve(agent: Agent, spec: Spec, source: Input, out: TextIO, times: Times, warn: Callable[[str], None]) -> None:
    """Answer the turns until the input ends."""
    player = source.read_header()
    if player is None:
        return
    sent_at, own = first_sent_at(source), read_own()
    follower, reserve = Follower(), Reserve(times.reserve_ms)
    limit_ms = times.first_turn_ms
    gc.freeze()
    gc.disable()
    while (turn := source.read_turn()) is not None:
        first_line, text = turn
        is_first, was_surprised = follower.game is None, follower.is_surprised
        game = follower.follow(text, first_line)
        if is_first:
            agent.start_game(game.map, player, int(digest(game), 16))
        begun_ms = ms_since(sent_at)
        left_ms = max(LEAST_MS, limit_ms - reserve.of(limit_ms) - begun_ms)
        budget = budget_of(spec, left_ms, times.nodes)
        out.write(answer(agent, game, player, budget) + "\n")
        out.flush()
        taken_ms = ms_since(sent_at)
        if budget.ms is not None:
            reserve.learn(taken_ms - begun_ms - budget.ms)
            if taken_ms > limit_ms:
                late = judge_own(limit_ms / 1000, taken_ms / 1000, own, read_own())
                warn(f"turn {game.turn}: answered after {taken_ms:.0f} of {limit_ms:g} ms{BLAME[late.culprit]}")
        if follower.is_surprised and not was_surprised:
            warn(
                f"turn {game.turn}: other boxes or bombs than the rules leave: was a turn left out? scores may be wrong"
            )
        gc.collect(1)
        limit_ms = times.turn_ms
        sent_at, own = await_turn(source)


def await_turn(source: Input) -> tuple[float, CoreTime]:
    """When the next input came (in monotonic time), and what this thread has had of the cores by then."""
    before = read_own()
    source.wait()
    own = read_own()
    return time.monotonic() - (own.waited - before.waited), own  # it may have been there before this thread was


def ms_since(moment: float) -> float:
    return (time.monotonic() - moment) * 1000


def answer(agent: Agent, game: Game, player: int, budget: Budget) -> str:
    if player_of(game.state, player) is None:
        return DEAD_LINE
    decision = agent.decide(game.state, player, budget)
    return format_action(game.state, player, decision.action, decision.message)


def first_sent_at(source: Input) -> float:
    """When the first turn was sent, at the earliest (in monotonic time)."""
    if source.is_waiting():
        return time.monotonic() - process_age()
    source.wait()
    return time.monotonic()


def process_age() -> float:
    """Seconds since this process was started; only what can be known where there is no /proc."""
    if sys.platform != "linux":
        return time.process_time()
    with open("/proc/self/stat", "rb") as file:
        ticks = int(file.read().rpartition(b")")[2].split()[19])
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
