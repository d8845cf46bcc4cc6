"""Games side by side: worker processes that stay warm, each with a pipe of its own.

    main ── task ──▶ worker ── play(task) ──▶ result ──▶ main        one task at a time per worker

A worker that dies is replaced and its game is played again. Workers never outlive the main process: on Linux the
kernel kills them with it, elsewhere they end at the end of their pipe. Ctrl-C is the main process's business.
"""

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from engine.errors import HsctlError
from hsctl.bots.confine import die_with_parent

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")
MOST_TRIES = 3  # a game that kills so many workers is not played again


def run_games(tasks: Iterable[Task], jobs: int, play: Callable[[Task], Outcome]) -> Generator[Outcome]:
    """Results in order of completion. `play` is a function of a module; with one job it is called right here.

    Tasks are read as workers get free. Closing the iterator ends the workers at once, in the middle of their games.
    """
    if jobs == 1:
        yield from map(play, tasks)
        return
    waiting = iter(tasks)
    workers: list[Worker[Task, Outcome]] = []
    try:
        for task in islice(waiting, jobs):
            workers.append(worker := Worker(play))
            worker.give(task, 1)
        yield from serve(waiting, workers, play)
    finally:
        for worker in workers:
            worker.stop()


def serve(
    waiting: Iterator[Task], workers: list["Worker[Task, Outcome]"], play: Callable[[Task], Outcome]
) -> Iterator[Outcome]:
    """Take in the results, hand out more tasks, replace the dead."""
    while busy := {worker.connection: worker for worker in workers if worker.is_busy}:
        for connection in wait(list(busy)):
            worker = busy[connection]  # type: ignore[index]
            try:
                outcome = worker.take()
            except (EOFError, OSError):
                workers.remove(worker)
                workers.append(worker := worker.replacement(play))
            else:
                for task in islice(waiting, 1):
                    worker.give(task, 1)
                yield outcome


class Worker(Generic[Task, Outcome]):
    """One worker process and the task it has."""

    def __init__(self, play: Callable[[Task], Outcome]) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, os.getpid(), play), daemon=True)
        with interrupts_held():  # the worker inherits this, and keeps it
            self.process.start()
        theirs.close()
        self.task: Task | None = None
        self.tries = 0

    @property
    def is_busy(self) -> bool:
        return self.task is not None

    def give(self, task: Task, tries: int) -> None:
        self.task, self.tries = task, tries
        with suppress(OSError):  # it is dead, as the next look at the pipe will tell
            self.connection.send(task)

    def take(self) -> Outcome:
        """The result of its task, or the error that it raised; EOFError if the worker is dead."""
        outcome, error = self.connection.recv()
        self.task = None
        if error is not None:
            raise error
        result: Outcome = outcome
        return result

    def replacement(self, play: Callable[[Task], Outcome]) -> "Worker[Task, Outcome]":
        """A new worker with the task of this dead one."""
        assert self.task is not None
        self.stop()
        if self.tries >= MOST_TRIES:
            code = self.process.exitcode
            raise HsctlError(f"a game ended its worker process {MOST_TRIES} times (exit code {code}): out of memory?")
        worker = Worker(play)
        worker.give(self.task, self.tries + 1)
        return worker

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def work(connection: Connection, main: int, play: Callable[[Any], Any]) -> None:
    """The worker's life: play what comes until nobody is left to play for."""
    die_with_parent()
    if sys.platform == "linux" and os.getppid() != main:
        return  # it died before that
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        connection.send(outcome_of(play, task))


def outcome_of(play: Callable[[Task], Outcome], task: Task) -> tuple[Outcome | None, Exception | None]:
    try:
        return play(task), None
    except HsctlError as error:
        return None, error
    except Exception:
        return None, RuntimeError(f"in a worker:\n{traceback.format_exc()}")


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back; processes started meanwhile don't hear it at all."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or the first start would do it, and let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
