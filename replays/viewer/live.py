"""A game that is still being played: a playback that grows by a turn at a time."""

from msgspec.structs import replace

from replays.playback import Playback, play_turn, result_of, stderr_of
from replays.replay import Replay, Turn


class Live(Playback):
    """`replay` is the game so far, another value after each turn: who reads it in another thread has a whole one."""

    def __init__(self, replay: Replay) -> None:
        super().__init__(replay)
        self.is_stopped = False

    @property
    def is_live(self) -> bool:
        return not (self.is_finished or self.is_stopped)

    def grow(self, turn: Turn) -> None:
        """Add a turn that was played."""
        after = play_turn(self._games[-1], turn)
        self.predictions.follow(stderr_of(turn.moves), after)
        self._games.append(after)
        self._views.clear()
        self.replay = replace(self.replay, turns=[*self.replay.turns, turn], result=result_of(after))

    def title_at(self, turn: int) -> str:
        if not self.is_live:
            return super().title_at(turn)
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"turn {turn}{seed}" if turn == self.end_turn else f"turn {turn} of {self.end_turn} so far{seed}"
