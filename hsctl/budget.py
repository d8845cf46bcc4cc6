"""How long a built-in agent thinks on a turn."""

from replays.replay import Limits
from search.agent import Budget
from search.spec import Spec

SHARE_OF_TURN = 0.95  # of its time; the rest is reserve
RESERVE_MS = 2.0  # at least, of a turn of 20 ms or more: a busy cache or a stall of a millisecond happens any time
MOST_RESERVE = 0.1  # of a shorter turn
UNLIMITED_MS = 100.0  # without a time limit


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
