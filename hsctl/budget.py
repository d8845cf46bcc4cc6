"""How long an agent thinks on a turn, and by which clock.

    wall    the arena's: real time, whatever else uses the core
    cpu     CPU time of the thread that thinks: what else the machine does costs no nodes (but for shared caches)

Players that think by nodes would play one game again and again from the same position. Where several games of it are
wanted, every decision gets a few more or fewer nodes: how many follows from the game's seed, the seat and the turn.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from msgspec.structs import replace as with_fields

from engine.errors import FIRST_TURN_MS, MOST_NODES, STARTUP_MS, TURN_MS, HsctlError
from replays.replay import CPU, WALL, ClockName, Limits
from search.agent import Budget, Clock, mix_seed
from search.spec import AGENTS, Spec

CLOCKS: dict[str, Clock] = {WALL: time.perf_counter_ns, CPU: time.thread_time_ns}
HAS_CPU_CLOCK = sys.platform != "win32"  # there it ticks only 64 times a second
CLOCK_OF_A_SERIES: Final = CPU if HAS_CPU_CLOCK else WALL  # of built-in agents

ARENA_LIMITS: Final = Limits(FIRST_TURN_MS, TURN_MS, STARTUP_MS)
SHARE_OF_TURN = 0.95  # of its time; the rest is reserve
RESERVE_MS = 2.0  # at least, of a turn of 20 ms or more: a busy cache or a stall of a millisecond happens any time
MOST_RESERVE = 0.1  # of a shorter turn
UNLIMITED_MS = 100.0  # without a time limit
SPREAD = 0.5  # of the nodes of a decision, either way, where games are to differ (docs/lab/statistics.md)


def budget_of(spec: Spec, ms: float, nodes: int | None) -> Budget:
    """The agent's own `time=` or `nodes=`, or else what all players have."""
    if spec.nodes is not None or spec.ms is not None:
        return Budget(spec.ms, spec.nodes)
    return Budget(ms=ms) if nodes is None else Budget(nodes=nodes)


def turn_limit(limits: Limits, is_first: bool) -> float | None:
    """Milliseconds for this turn; None = no clock."""
    return limits.first_turn_ms if is_first else limits.turn_ms


def thinking_ms(limit_ms: float | None) -> float:
    """How much of a turn's time an agent uses; a fixed time if there is no limit."""
    if limit_ms is None:
        return UNLIMITED_MS
    return min(SHARE_OF_TURN * limit_ms, max(limit_ms - RESERVE_MS, (1 - MOST_RESERVE) * limit_ms))


def vary(budget: Budget, spread: float, seed: int, seat: int, turn: int) -> Budget:
    """The same budget with up to this share more or fewer nodes; time is left as it is."""
    if budget.nodes is None or not spread:
        return budget
    drawn = mix_seed(seed, turn, seat) / 2**63 - 1  # -1 to 1; the agents' own seeds mix the seat before the turn
    return replace(budget, nodes=min(MOST_NODES, max(1, round(budget.nodes * (1 + spread * drawn)))))


def clock_of(specs: Sequence[Spec | None], limits: Limits) -> ClockName | None:
    """The clock of these players, None for one that isn't an agent; no clock if nodes limit all of them."""
    return limits.clock if any(is_timed(spec, limits) for spec in specs) else None


def is_timed(spec: Spec | None, limits: Limits) -> bool:
    """Whether a player thinks by time."""
    if spec is None:
        return True
    has_own = spec.ms is not None or spec.nodes is not None
    return spec.nodes is None if has_own else limits.nodes is None


def choose_clock(specs: Sequence[Spec | None], limits: Limits, is_series: bool, wanted: str | None = None) -> Limits:
    """The limits with the clock that is wanted, or else the usual one: cpu for a series of built-in agents."""
    built_in = [spec is not None and spec.name in AGENTS for spec in specs]
    if wanted is None:
        is_usual = is_series and all(built_in) and clock_of(specs, limits)
        return with_fields(limits, clock=CLOCK_OF_A_SERIES if is_usual else WALL)
    clock = read_clock(wanted)
    if clock_of(specs, limits) is None:
        raise HsctlError(f"--clock {clock}: nodes limit all players; drop --clock, or limit them by time")
    if clock == CPU and not any(built_in):
        raise HsctlError("--clock cpu is for built-in agents, and none plays: drop it")
    return with_fields(limits, clock=clock)


def read_clock(text: str) -> ClockName:
    if text == WALL:
        return WALL
    if text != CPU:
        raise HsctlError(f"--clock {text}: write {CPU} or {WALL}")
    if not HAS_CPU_CLOCK:
        raise HsctlError("--clock cpu: the CPU clock of this system is too coarse; use --clock wall or --nodes")
    return CPU
