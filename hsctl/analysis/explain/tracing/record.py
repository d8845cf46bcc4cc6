"""A decision made again, and every node of it handed to a file."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from types import FrameType
from typing import Any

import numpy as np

import hsctl
from engine.errors import HsctlError
from engine.notation import format_header, format_position
from engine.rules import ACTION_NAMES
from hsctl.analysis.explain.answer import by_nodes, repeat
from hsctl.analysis.explain.question import Question
from hsctl.analysis.explain.tracing import beam as _beam  # noqa: F401 (adds its watchers)
from hsctl.analysis.explain.tracing import chokudai as _chokudai  # noqa: F401
from hsctl.analysis.explain.tracing import others as _others  # noqa: F401
from hsctl.analysis.explain.tracing import trees as _trees  # noqa: F401
from hsctl.analysis.explain.tracing.files import Kinds, TraceFile, tag_of
from hsctl.analysis.explain.tracing.rows import (
    EXPANDED,
    FORMAT,
    NOT_REACHED,
    VERSION,
    BeamRow,
    OwnRow,
    RowBatch,
    TraceEnd,
    TraceHeader,
    columns_of,
)
from hsctl.analysis.explain.tracing.watch import Watcher, watcher_of
from hsctl.match.user_agents.agent import UserAgent
from hsctl.match.user_agents.spec import make_agent
from search.agent import Agent, Decision
from search.common.planning import OWN_STAGE, SAFE_MOVE, PlanningAgent

KEPT_FATES = (EXPANDED, NOT_REACHED)
STOPS = ("SIGINT", "SIGTERM", "SIGHUP")
Progress = Callable[[int], None]  # so many rows more


@dataclass(frozen=True)
class RowFilter:
    """Which rows are wanted."""

    depths: tuple[int, int] | None = None  # from, to
    first_move: int | None = None
    kept: bool = False  # no children that were dropped

    def as_dict(self) -> dict[str, Any]:
        """What was asked for, for the header."""
        found = {
            "depths": self.depths and list(self.depths),
            "first_move": None if self.first_move is None else ACTION_NAMES[self.first_move],
            "kept": self.kept or None,
        }
        return {name: value for name, value in found.items() if value is not None}

    def apply(self, batch: RowBatch) -> RowBatch | None:
        """Those of the rows that are wanted; the root is never left out for its first move."""
        wanted = np.ones(batch.count, bool)
        columns = batch.columns
        if self.depths is not None and (depths := columns.get("depth", columns.get("generation"))) is not None:
            wanted &= (np.asarray(depths) >= self.depths[0]) & (np.asarray(depths) <= self.depths[1])
        if self.first_move is not None and "first_move" in columns:
            first = np.asarray(columns["first_move"], object)
            wanted &= (first == ACTION_NAMES[self.first_move]) | (first == None)  # noqa: E711 (by element)
        if self.kept and batch.kind is BeamRow:
            wanted &= np.isin(np.asarray(columns["fate"], object).astype(str), KEPT_FATES)
        if wanted.all():
            return batch
        return batch.take(np.flatnonzero(wanted)) if wanted.any() else None


EVERY_ROW = RowFilter()


class TraceRun:
    """Takes the rows of one decision to a file."""

    def __init__(self, question: Question, game: str, file: TraceFile, wanted: RowFilter, progress: Progress) -> None:
        self.question, self.game, self.file = question, game, file
        self.wanted, self.progress = wanted, progress
        self.agent: Agent = make_agent(question.spec)
        self.seen = False  # whether anything was searched
        self.rows = 0
        self.stopped: Callable[[], None] | None = None  # what a signal would have done

    def run(self) -> TraceEnd:
        """Decide again; how it ended. A run that is stopped leaves a file that says so."""
        self.check_kinds(watcher_of(self.agent).kinds)
        question = self.question
        if question.budget.nodes is None and question.budget.stages is None:
            self.agent.warm_up()
            question = self.question = by_nodes(question, repeat(question, self.agent)[0])
        stop: BaseException | None = None
        with self.file.written():
            try:
                with self.postponed_stops():
                    decision, watcher = repeat(question, self.agent, self.take)
                    end = end_of(decision, watcher, self.rows)
                    if not self.seen:
                        raise HsctlError(self.nothing_searched())
                    self.open(())  # all rows may have been filtered out
                    self.file.close(end)
            except (KeyboardInterrupt, SystemExit) as error:
                if not self.file.is_open:
                    raise
                end, stop = TraceEnd(self.rows, cut=True), error
                self.file.close(end)
        if stop is not None:
            raise stop
        return end

    def check_kinds(self, kinds: Kinds) -> None:
        """Refuse, before anything is searched, what rows of these kinds can't be: reduced or drawn."""
        name = self.question.spec.name
        if self.wanted.kept and BeamRow not in kinds:
            raise HsctlError(f"--kept is for beam and chokudai: drop it, {name} keeps all that it searches")
        if self.file.is_drawing and kinds and not any("parent" in columns_of(kind) for kind in kinds):
            raise HsctlError(f"{self.file.path}: the rows of {name} are no tree to draw; write .jsonl or .csv instead")

    def nothing_searched(self) -> str:
        name, turn = self.question.spec.name, self.question.game.turn
        if isinstance(self.agent, UserAgent):
            return f"{name}: its trace() gives no rows; return {{title: [{{column: value, ...}}, ...]}} from it"
        return f"turn {turn}: {name} decided without a search; choose another turn, or another agent with --agent NAME"

    def take(self, batch: RowBatch) -> None:
        """Rows as they come from a search."""
        self.seen = True
        self.progress(batch.count)
        found = self.wanted.apply(batch)
        if found is not None:
            self.open((found,))
            self.file.write(found)
            self.rows += found.count
        if self.stopped is not None:
            self.stopped()

    def open(self, batches: tuple[RowBatch, ...]) -> None:
        if not self.file.is_open:
            watcher = watcher_of(self.agent)
            own = [name for batch in batches if batch.kind is OwnRow for name in batch.columns]
            self.file.open(header_of(self.question, self.game, watcher, self.wanted), watcher.kinds, own)

    @contextmanager
    def postponed_stops(self) -> Iterator[None]:
        """Ctrl-C and its like wait until a batch is written: a file is never left with half a row."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before: dict[int, Any] = {}

        def postpone(number: int, frame: FrameType | None) -> None:
            original = before[number]
            if self.stopped is not None:  # a second time
                self.stopped()
            self.stopped = (lambda: original(number, frame)) if callable(original) else stop_at_once

        for name in STOPS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):
                before[number] = signal.signal(number, postpone)
        try:
            yield
        finally:
            for number, original in before.items():
                signal.signal(number, original)


def stop_at_once() -> None:
    raise KeyboardInterrupt


def header_of(question: Question, game: str, watcher: Watcher, wanted: RowFilter) -> TraceHeader:
    return TraceHeader(
        format=FORMAT,
        version=VERSION,
        hsctl=hsctl.__version__,
        title=question.title,
        game=game,
        turn=question.game.turn,
        player=question.seat,
        mates=list(question.mates),
        agent=question.spec.text,
        settings=watcher.agent.settings(),
        seed=question.seed,
        budget={name: value for name, value in asdict(question.budget).items() if value is not None},
        position=format_header(question.seat) + format_position(question.game),
        rows=[tag_of(kind) for kind in watcher.kinds],
        filters=wanted.as_dict(),
        counted_only=list(watcher.counted_only),
    )


def end_of(decision: Decision, watcher: Watcher, rows: int) -> TraceEnd:
    agent = watcher.agent
    decided_by = agent.thinking.decided_by if isinstance(agent, PlanningAgent) else OWN_STAGE
    return TraceEnd(
        rows=rows,
        cut=False,
        action=ACTION_NAMES[decision.action],
        plan=[ACTION_NAMES[action] for action in decision.plan],
        value=decision.value,
        decided_by=decided_by,
        best=None if decided_by == SAFE_MOVE else watcher.best,
        passes=watcher.passes,
    )
