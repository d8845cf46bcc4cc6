"""Blocks on many machines: a Dask scheduler hands them to its workers, results come back here and into the ledger.

    here ── block ──▶ scheduler ──▶ worker ── its games ──▶ here        one block at a time per worker

Workers must have the same hsctl and the same bots, and one thread, so that players never share a core while they
think: each is asked when it appears, and left out if not. The block of a lost worker is given to another. A worker
whose client is gone ends its block at the next turn.
"""

import logging
import time
from collections.abc import Callable, Collection, Generator, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.compile.sources import digest_of, import_closure
from engine.errors import HsctlError
from hsctl.league.games import League
from hsctl.league.runner import Runner
from hsctl.match.identity import SeatIdentity, check_digest
from hsctl.match.result import GameResult
from hsctl.match.runner import GameTask, OnTurn, play
from search.spec import AGENTS

if TYPE_CHECKING:
    from distributed import Client, Future, Worker

CONNECT_S = 10
TLS_SETTINGS = "distributed.comm.tls.ca-file, client.cert and client.key"
LOOK_S = 1  # between two looks at the workers
AHEAD = 2  # blocks given to the scheduler beyond one per worker, so that none has to wait

Block = list[GameTask]


class Given(NamedTuple):
    """A block at the scheduler, and the workers that it may go to."""

    block: Block
    workers: frozenset[str]


def play_there(league: League, address: str, announce: Callable[[str], None]) -> Runner:
    """The workers of the scheduler at this address."""

    def run(blocks: Iterator[Block]) -> Generator[GameResult]:
        client = connect(address)
        try:
            yield from Cluster(client, league, address, announce).serve(blocks)
        finally:
            client.close(timeout=CONNECT_S)  # this also cancels the rest

    return run


def connect(address: str) -> "Client":
    """With the certificates of Dask's own configuration, if the address is one of TLS."""
    try:
        from distributed import Client
        from distributed.security import Security
    except ImportError:
        raise HsctlError("--cluster needs Dask: pip install 'hsctl[cluster]'") from None
    for name in ("distributed", "distributed.client", "distributed.comm", "distributed.core", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are reported once, here
    security = Security()
    if address.startswith("tls:") and not getattr(security, "tls_ca_file", None):
        raise HsctlError(f"--cluster {address}: no certificates; set {TLS_SETTINGS} in Dask's configuration")
    try:
        return Client(address, timeout=CONNECT_S, set_as_default=False, security=security)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise HsctlError(f"--cluster {address}: {reason}; `dask scheduler` starts a scheduler") from None


@dataclass
class Cluster:
    """The workers of a scheduler while a league is played there."""

    client: "Client"
    league: League
    address: str
    announce: Callable[[str], None]
    fit: set[str] = field(default_factory=set)  # workers that can play
    unfit: dict[str, str] = field(default_factory=dict)  # those that can't, and why
    given: "dict[Future[list[GameResult] | Refusal], Given]" = field(default_factory=dict)
    returned: list[Block] = field(default_factory=list)  # blocks that came back unplayed

    def serve(self, blocks: Iterator[Block]) -> Iterator[GameResult]:
        """Keep all workers busy until the blocks are done."""
        self.look_around()
        if not self.fit:
            self.announce(f"the scheduler at {self.address} has no workers yet: waiting")
        while True:
            lacking = len(self.fit) + AHEAD - len(self.given) if self.fit else 0
            for block in islice(chain(self.take_returned(), blocks), max(0, lacking)):
                self.give(block)
            if self.fit and not self.given:
                return
            for future in self.await_any():
                yield from self.take(future)
            self.look_around()

    def take_returned(self) -> Iterator[Block]:
        while self.returned:
            yield self.returned.pop()

    def give(self, block: Block) -> None:
        workers = frozenset(self.fit)
        future = self.client.submit(play_block, block, pure=False, workers=sorted(workers))
        self.given[future] = Given(block, workers)

    def await_any(self) -> "Collection[Future[list[GameResult] | Refusal]]":
        """Those that are done, as soon as one is, or none for a while."""
        from distributed import wait

        if not self.given:
            time.sleep(LOOK_S)
            return ()
        try:
            with self.client.as_current():
                done = wait(list(self.given), LOOK_S, "FIRST_COMPLETED").done
        except TimeoutError:
            return ()
        except (CancelledError, OSError):
            raise self.gone() from None
        return list(done)

    def take(self, future: "Future[list[GameResult] | Refusal]") -> list[GameResult]:
        """The games of a block; none if it has to be given to another worker."""
        from distributed import KilledWorker

        block = self.given.pop(future).block
        try:
            played = future.result(CONNECT_S)
        except KilledWorker as error:
            lost = error.allowed_failures + 1
            raise HsctlError(f"a block ended {lost} workers of {self.address}: out of memory?") from None
        except (CancelledError, TimeoutError, OSError):
            raise self.gone() from None
        if isinstance(played, Refusal):
            self.leave_out(played.worker, played.reason)
            self.returned.append(block)
            return []
        return played

    def look_around(self) -> None:
        """See which workers have come and gone; take back the blocks of those that are gone."""
        there = self.workers()
        for worker in sorted(there - self.fit - self.unfit.keys()):
            if reason := self.ask(worker):
                self.leave_out(worker, reason)
            else:
                self.fit.add(worker)
        for worker in sorted(self.fit - there):
            self.announce(f"worker {worker} is lost: others play its games")
        self.fit &= there
        self.unfit = {worker: reason for worker, reason in self.unfit.items() if worker in there}
        if self.unfit and not self.fit:
            worker, reason = next(iter(self.unfit.items()))
            raise HsctlError(f"no worker of {self.address} can play; {worker}: {reason}")
        for future in [each for each, given in self.given.items() if not given.workers & there]:
            self.returned.append(self.given.pop(future).block)
            future.cancel()

    def workers(self) -> set[str]:
        """All there are; the scheduler has to answer."""
        try:
            found = self.client.nthreads()
        except (OSError, TimeoutError, RuntimeError, ValueError):
            raise self.gone() from None
        if self.client.status not in ("running", "connecting"):
            raise self.gone()
        return set(found)

    def ask(self, worker: str) -> str:
        """Why a worker can't play; empty if it can."""
        try:
            answers: dict[str, Any] = self.client.run(
                find_fault,
                self.league,
                self.league.seat_identities,
                sources_of(self.league),
                workers=[worker],
                on_error="return",
            )
        except (OSError, TimeoutError, RuntimeError, ValueError):
            return ""  # it is gone, or the scheduler is: the next look tells
        answer = answers.get(worker, "")
        if isinstance(answer, ModuleNotFoundError):
            return f"it lacks {answer.name}; install the same hsctl as here"
        return str(answer).splitlines()[0] if isinstance(answer, Exception) else str(answer)

    def leave_out(self, worker: str, reason: str) -> None:
        self.fit.discard(worker)
        self.unfit[worker] = reason
        self.announce(f"worker {worker} is left out: {reason}")

    def gone(self) -> HsctlError:
        return HsctlError(
            f"the scheduler at {self.address} is gone; finished games are in the ledger, and the same command resumes"
        )


# On a worker


@dataclass(frozen=True)
class Refusal:
    """That a worker doesn't play a block, and why."""

    worker: str
    reason: str


class Abandoned(Exception):
    """Nobody waits for this block any more."""


def find_fault(league: League, seat_identities: list[SeatIdentity], sources: str, dask_worker: "Worker") -> str:
    """Why this worker can't play in a league; empty if it can. The other
    arguments are as the client has them."""
    threads = dask_worker.state.nthreads
    if threads != 1:
        return f"it has {threads} threads; start it with --nthreads 1, once for each core"
    if sources_of(league) != sources:
        return "its hsctl has other sources: install the same version everywhere"
    try:
        for player, seat_identity in zip(league.players, seat_identities, strict=True):
            check_digest(player, seat_identity.digest, league.bot_limits)
    except HsctlError as error:
        return str(error)
    return ""


def sources_of(league: League) -> str:
    """A digest of all that plays the games here."""
    return digest_of(
        import_closure("hsctl.match.runner", *(AGENTS[name].module for name in league.agents if name in AGENTS))
    )


def play_block(tasks: Block) -> list[GameResult] | Refusal:
    """Play the games of a block, as long as its client wants them."""
    from distributed import get_worker

    try:
        return [play(task, while_wanted()) for task in tasks]
    except HsctlError as error:
        return Refusal(get_worker().address, str(error))


def while_wanted() -> OnTurn:
    """What ends a game whose block is no longer wanted, because its client is gone or has cancelled it."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def look(*_: object) -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise Abandoned

    return look
