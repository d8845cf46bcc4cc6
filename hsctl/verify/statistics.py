"""Whether intervals and tests keep their word, checked on simulated leagues of players whose strength is known."""

from collections.abc import Callable
from dataclasses import dataclass

from hsctl.stats.simulation import SETTINGS, TRIALS, Coverage, Errors, check_intervals, check_test, is_honest


@dataclass(frozen=True)
class Check:
    """How much is simulated: leagues of every setting, and tests at both bounds of every duel."""

    leagues: int
    tests: int
    seed: int

    @property
    def all_leagues(self) -> int:
        return self.leagues * len(SETTINGS)

    @property
    def all_tests(self) -> int:
        return self.tests * 2 * len(TRIALS)

    def run(self, on_done: Callable[[int], None]) -> "Checked":
        """Simulate; `on_done` is told how many more leagues or tests are done."""
        coverages = [check_intervals(setting, self.leagues, self.seed, on_done) for setting in SETTINGS]
        return Checked(coverages, [check_test(trial, self.tests, self.seed, on_done) for trial in TRIALS])


@dataclass(frozen=True)
class Checked:
    """What was found out about the intervals and about the sequential test."""

    coverages: list[Coverage]
    errors: list[Errors]

    @property
    def is_honest(self) -> bool:
        return is_honest(self.coverages, self.errors)


def plan_check(runs: int, seed: int) -> Check:
    """At least this many leagues, and as many tests, shared out evenly."""
    return Check(-(-runs // len(SETTINGS)), -(-runs // (2 * len(TRIALS))), seed)
