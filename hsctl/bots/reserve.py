"""What an agent leaves unused of a referee's clock: some for the way to and fro, and as much as answers overran.

clock    ├────────────── thinking ──────────────┼─ seen to overrun ─┼─ the way ─┤
"""

WAY = 0.06  # of the clock
UNKNOWN_MS = 4.0  # taken for the overrun before any was seen
CAUTION = 1.5  # times the worst overrun
MEMORY = 0.98  # a turn: what was seen 35 turns ago counts half
MOST = 0.5  # of the clock, whatever the machine does


class Reserve:
    """Follows what is seen, unless it is fixed."""

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
