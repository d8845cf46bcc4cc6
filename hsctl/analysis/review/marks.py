"""A reviewed game to step through: mistakes are notes of their turns, so that keys find them and ! marks them.

The stepper and the page know notes and better lines: here they say what was played, what was better and why.
"""

from engine.rules import ACTION_NAMES
from hsctl.analysis.review.report import Mistake, Review
from replays.playback import Playback
from replays.record import Better


class Marked(Playback):
    """The game with a review's mistakes; the reviewed player is in focus."""

    def __init__(self, playback: Playback, review: Review) -> None:
        self.__dict__.update(playback.__dict__)  # nothing is stepped again
        self.reviewed = review.player
        self.mistakes: dict[int, list[Mistake]] = {}
        for mistake in review.mistakes:
            for turn in (mistake.turn, *mistake.repeats):
                self.mistakes.setdefault(turn, []).append(mistake)

    @property
    def own_seat(self) -> int | None:
        return self.reviewed

    def notes_before(self, turn: int) -> list[str]:
        """What is to be said on this turn about the answer to it."""
        return [*super().notes_before(turn), *map(describe, self.mistakes.get(turn, []))]

    def better_at(self, turn: int) -> Better | None:
        """The line of the turn's mistake."""
        lines = [mistake.line for mistake in self.mistakes.get(turn, []) if mistake.line]
        return Better(self.reviewed, tuple(map(ACTION_NAMES.index, lines[0]))) if lines else None


def describe(mistake: Mistake) -> str:
    cost = "" if mistake.cost is None else f" ({mistake.cost:.1f} boxes)"
    return f"turn {mistake.turn}: played {mistake.played}, better {mistake.better}{cost}: {mistake.why}"
