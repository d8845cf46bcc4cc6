"""Games to watch: played one after the other in a worker process, which sends every turn to this one.

    worker ── the record so far, then turn by turn ──▶ feed ──▶ stepper
           ◀── the next task ──   ── its result ──▶

The worker sends a turn when no player's clock runs, and a slow viewer can't hold a game up: drawing happens in another
process, with a lower priority. If it is ended in the middle of a game, the feed has all turns that were played.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path

from engine.errors import HsctlError
from engine.game import Game
from hsctl.match.cores import shares
from hsctl.match.pool import PoolWorker
from hsctl.match.result import GameResult
from hsctl.match.runner import GameTask, play
from replays.playback import Live
from replays.replay import Replay, Turn

Keep = Callable[[GameResult], Path | None]  # files a game that was played; where its replay is

POLITE = 5  # how much less of a core the watching process asks for than the playing one


def play_and_send(news: Connection, task: GameTask) -> GameResult:
    """In the worker: play a game, and send its record before the first turn, then each turn."""
    known: Replay | None = None

    def on_turn(replay: Replay, _: Game) -> None:
        nonlocal known
        news.send(replay.turns[-1] if replay is known else replay)
        known = replay

    return play(task, on_turn)


class WatchedGames:
    """A feed of the stepper. Made when the first game has begun."""

    def __init__(self, tasks: Sequence[GameTask], keep: Keep) -> None:
        self.tasks = tasks
        self.keep = keep
        self.path: Path | None = None
        self.played = 0
        self.news, theirs = Pipe(duplex=False)
        self.worker: PoolWorker[GameTask, GameResult] = PoolWorker(partial(play_and_send, theirs), shares(1)[0])
        theirs.close()
        with suppress(OSError):
            os.nice(POLITE)
        try:
            self.worker.give(tasks[0], 1)
            self.record = self.first_record()
        except BaseException:
            self.worker.stop()
            raise

    @property
    def is_over(self) -> bool:
        return self.played == len(self.tasks)

    @property
    def place(self) -> str:
        return f"game {min(self.played + 1, len(self.tasks))} of {len(self.tasks)}" if len(self.tasks) > 1 else ""

    def first_record(self) -> Live:
        """Wait for the first game; the worker's error if it can't begin."""
        wait([self.news, self.worker.connection])
        for news in self.arrived():
            assert isinstance(news, Replay)
            return Live(news)
        raise RuntimeError(f"a game without a record: {self.take_result()}")

    def read(self) -> bool:
        """Take in the turns that were played, and the result of a game; then the next one is played."""
        is_over = self.worker.is_busy and self.worker.connection.poll()  # asked first: then all its turns have come
        has_news = is_over
        for news in self.arrived():
            self.take(news)
            has_news = True
        if is_over:
            self.path = self.keep(self.take_result())
            self.played += 1
            if not self.is_over:
                self.worker.give(self.tasks[self.played], 1)
        return has_news

    def arrived(self) -> Iterator[Replay | Turn]:
        with suppress(EOFError, OSError):  # the worker is dead, as its result will tell
            while self.news.poll():
                yield self.news.recv()

    def take(self, news: Replay | Turn) -> None:
        if isinstance(news, Turn):
            self.record.grow(news)
        else:
            self.record, self.path = Live(news), None

    def take_result(self) -> GameResult:
        try:
            return self.worker.take()
        except (EOFError, OSError):
            self.worker.process.join()
            raise HsctlError(
                f"the process that played the game ended (exit code {self.worker.process.exitcode}): out of memory?"
            ) from None

    def stop(self) -> Replay | None:
        """End the worker with its bots; the game that it was playing, if that was not finished."""
        for news in self.arrived():
            self.take(news)
        self.worker.stop()
        self.news.close()
        if not self.record.is_live:
            return None
        self.record.is_stopped = True
        return self.record.replay
