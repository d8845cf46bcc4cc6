"""The clock of one turn: how long to wait for a bot's answer, and who is to blame if none came in time.

When the time is up without an answer the bot is out, whoever is to blame. But it is watched on for as long as the
machine may have kept it waiting, at most for its time once more: whether it answers then is the evidence.
"""

from time import monotonic

from hsctl.bots.guarded.counts import Counts
from hsctl.bots.lateness import hindrance, judge
from replays.replay import Late


class Clock:
    """Started at once. `limit` in seconds, None: none. An answer is late after `due`, the limit unless it is given."""

    def __init__(self, limit: float | None, counts: Counts, due: float | None = None) -> None:
        self.limit = limit
        self._due = due
        self.is_late = False
        self._counts = counts
        self._deadline = limit  # of the waiting
        if limit is not None:
            counts.mark()
        self._asked_at = monotonic()

    @property
    def wall_s(self) -> float:
        return monotonic() - self._asked_at

    @property
    def is_over(self) -> bool:
        return self._deadline is not None and monotonic() - self._asked_at >= self._deadline

    def left_s(self) -> float | None:
        """For how long to wait on."""
        return None if self._deadline is None else max(0.0, self._asked_at + self._deadline - monotonic())

    def extend(self) -> bool:
        """The time is up, and there is no answer: whether to watch on."""
        assert self.limit is not None
        self.is_late = True
        before = self._counts.marked()
        if before is not None:
            at_most = hindrance(before, self._counts.usage()).at_most
            self._deadline = self.limit + min(at_most, self.limit)
        return not self.is_over

    def waited_s(self, wall_s: float) -> float | None:
        """How much of an answer's time the machine surely took; None if `due` isn't given, or if it isn't known."""
        before = None if self._due is None else self._counts.marked()
        return None if before is None else min(wall_s, hindrance(before, self._counts.usage()).surely)

    def verdict(self) -> Late | None:
        """On an answer that was not in time, None if it was. One that the runner found when it looked for the last
        time, and therefore takes, is late only because the runner itself had to wait for a core."""
        due = self.limit if self._due is None else self._due
        if due is not None and due == self.limit and not self.is_late:
            wall = self.wall_s
            return Late("machine", round(wall * 1000, 3)) if wall > due else None
        return self.judge_by(due)

    def judge_by(self, due: float | None) -> Late | None:
        """The same for any time, None: none."""
        wall = self.wall_s
        if due is None or wall <= due:
            return None
        return judge(due, wall, self._counts.marked(), self._counts.usage())
