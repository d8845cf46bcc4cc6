"""Games in parallel: worker processes that stay warm, each with its own pipe.

    main ── task ──▶ worker ── play(task) ──▶ result ──▶ main        one task at a time per worker

A worker that dies is replaced and its game is played again. Workers never outlive the main process: on Linux the
kernel kills them with it, elsewhere they end when their pipe does. Only the main process handles Ctrl-C. No worker
imports from the current folder, which may be a stranger's.
"""

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import resource_tracker, util
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from engine.errors import HsctlError
from hsctl.match.bots.confine import die_with_parent
from hsctl.match.cores import share_out, shares

Task = TypeVar("Task")
Result = TypeVar("Result")
SAFE_PATH = "-P"  # Python's own option; the variable for it would reach bots, and -E would ignore it
MOST_TRIES = 3  # a game that kills this many workers is not played again


def run_games(tasks: Iterable[Task], jobs: int, play: Callable[[Task], Result]) -> Generator[Result]:
    """Results in order of completion. `play` must be a module's function; with one job it is called in this process.

    Tasks are read as workers become free. Closing the iterator ends the workers immediately, in the middle of their
    games.
    """
    if jobs == 1:
        yield from map(play, tasks)
        return
    waiting = iter(tasks)
    workers: list[PoolWorker[Task, Result]] = []
    try:
        for task, cores in zip(islice(waiting, jobs), shares(jobs), strict=False):
            workers.append(worker := PoolWorker(play, cores))
            worker.give(task, 1)
        yield from serve(waiting, workers, play)
    finally:
        for worker in workers:
            worker.stop()


def serve(
    waiting: Iterator[Task], workers: list["PoolWorker[Task, Result]"], play: Callable[[Task], Result]
) -> Iterator[Result]:
    """Take in the results, hand out more tasks, replace the dead."""
    while busy := {worker.connection: worker for worker in workers if worker.is_busy}:
        for connection in wait(list(busy)):
            worker = busy[connection]  # type: ignore[index]
            try:
                result = worker.take()
            except (EOFError, OSError):
                workers.remove(worker)
                workers.append(worker := worker.replacement(play))
            else:
                for task in islice(waiting, 1):
                    worker.give(task, 1)
                yield result


class PoolWorker(Generic[Task, Result]):
    """One worker process and the task it has."""

    def __init__(self, play: Callable[[Task], Result], cores: list[int]) -> None:
        self.cores = cores
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        arguments = (theirs, os.getpid(), play, cores)
        self.process = context.Process(target=work, args=arguments, daemon=True)
        with path_safe(), interrupts_blocked():  # the worker inherits this, and keeps it
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

    def take(self) -> Result:
        """The result of its task, or the error that it raised; EOFError if the worker is dead."""
        result: Result
        result, error = self.connection.recv()
        self.task = None
        if error is not None:
            raise error
        return result

    def replacement(self, play: Callable[[Task], Result]) -> "PoolWorker[Task, Result]":
        """A new worker with the task of this dead one."""
        assert self.task is not None
        self.stop()
        if self.tries >= MOST_TRIES:
            code = self.process.exitcode
            raise HsctlError(f"a game ended its worker process {MOST_TRIES} times (exit code {code}): out of memory?")
        worker = PoolWorker(play, self.cores)
        worker.give(self.task, self.tries + 1)
        return worker

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


def work(connection: Connection, main: int, play: Callable[[Any], Any], cores: list[int]) -> None:
    """In the worker: play each task until the main process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it can't be blocked
    die_with_parent()
    share_out(cores)
    if sys.platform == "linux" and os.getppid() != main:
        return  # it died before that
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        connection.send(try_playing(play, task))


def try_playing(play: Callable[[Task], Result], task: Task) -> tuple[Result | None, Exception | None]:
    try:
        return play(task), None
    except HsctlError as error:
        return None, error
    except Exception:
        return None, RuntimeError(f"in a worker:\n{traceback.format_exc()}")


@contextmanager
def path_safe() -> Iterator[None]:
    """Processes that multiprocessing starts in the meantime import nothing from the current folder."""
    names: Any = util
    options_of = names._args_from_interpreter_flags
    names._args_from_interpreter_flags = lambda: [*options_of(), SAFE_PATH]
    try:
        yield
    finally:
        names._args_from_interpreter_flags = options_of


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Hold Ctrl-C back; processes started in the meantime never get it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or the first start would do it, and let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
