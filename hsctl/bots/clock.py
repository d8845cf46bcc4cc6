"""The clock of one turn: how long to wait for a bot's answer, and who is to blame if none came in time.

When the time is up without an answer the bot is out, whoever is to blame. But it is watched on for as long as the
machine may have kept it waiting, at most for its time once more: whether it answers then is the evidence.
"""

import time

from hsctl.bots.lateness import Usage, hindrance, judge
from hsctl.bots.process import Process
from replays.replay import Late

UNSEEN_S = 0.002  # what a bot has had of the cores is read only so late: fast answers need none of it


class Clock:
    """Started at once. `limit` in seconds, None: none."""

    def __init__(self, limit: float | None, process: Process) -> None:
        self.limit = limit
        self.is_late = False
        self._process = process
        self._deadline = limit  # of the waiting
        self._before: Usage | None = None
        self._after: Usage | None = None
        self._asked_at = time.monotonic()

    @property
    def wall_s(self) -> float:
        return time.monotonic() - self._asked_at

    @property
    def is_over(self) -> bool:
        return self._deadline is not None and self.wall_s >= self._deadline

    def wait_s(self) -> float | None:
        """How long the runner may sleep before it should look at this clock again."""
        if self._deadline is None:
            return None
        if self._before is None and (left := min(UNSEEN_S, self._deadline) - self.wall_s) > 0:
            return left
        if self._before is None:
            self._before = self._process.usage()
        return max(0.0, self._deadline - self.wall_s)

    def extend(self) -> bool:
        """The time is up, and there is no answer: whether to watch on."""
        assert self.limit is not None and self._deadline is not None
        self.is_late = True
        if self._before is not None:
            self._after = self._process.usage()
            at_most = hindrance(self._asked_at, self._before, self._after).at_most
            self._deadline = self.limit + min(at_most, self.limit)
        return not self.is_over

    def verdict(self) -> Late | None:
        """For an answer that was not in time: None if it was. One that the runner found when it looked for the last
        time, and therefore takes, is late only because the runner itself had to wait for a core."""
        wall = self.wall_s
        if self.limit is None or wall <= self.limit:
            return None
        if not self.is_late:
            return Late("machine", round(wall * 1000, 3))
        return judge(self.limit, self._asked_at, wall, self._before, self._after or self._process.usage())
