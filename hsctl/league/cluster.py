"""Blocks on many machines: a Dask scheduler hands them to its workers, results come back here and into the ledger.

    here ── block ──▶ scheduler ──▶ worker ── its games ──▶ here        one block at a time per worker

If a worker is lost, the scheduler gives its block to another. Workers must have the same hsctl and the same bots, which
each game checks by their digests, and one thread, so that players never share a core while they think.
"""

import logging
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from engine.errors import HsctlError
from hsctl.arena.pinning import share_out
from hsctl.league.games import Delivery, GameTask, play_task
from hsctl.league.runner import Runner

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_S = 10
AHEAD = 2  # blocks given to the scheduler beyond one per worker, so that none has to wait


def play_there(address: str, announce: Callable[[str], None]) -> Runner:
    """The workers of the scheduler at this address."""

    def run(blocks: Iterator[list[GameTask]]) -> Generator[Delivery]:
        client = connect(address)
        try:
            if not client.nthreads():
                announce(f"the scheduler at {address} has no workers yet: waiting")
            yield from serve(client, blocks, address)
        finally:
            client.close()  # this also cancels what is left

    return run


def connect(address: str) -> "Client":
    try:
        from distributed import Client
    except ImportError:
        raise HsctlError("--cluster needs Dask: pip install 'hsctl[cluster]'") from None
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are told once, here
    try:
        return Client(address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise HsctlError(
            f"--cluster {address}: {reason}, expected a Dask scheduler (`dask scheduler` starts one)"
        ) from None


def serve(client: "Client", blocks: Iterator[list[GameTask]], address: str) -> Iterator[Delivery]:
    """Keep all workers busy until the blocks are done."""
    from distributed import as_completed

    given = as_completed(loop=client.loop)
    while True:
        wanted = len(client.nthreads()) + AHEAD - given.count()
        for block in islice(blocks, max(0, wanted)):
            given.add(client.submit(play_block, block, pure=False))
        if given.is_empty():
            return
        yield from games_of(next(given), address)


def games_of(future: "Future[list[Delivery]]", address: str) -> list[Delivery]:
    """The games of a block, or why there are none."""
    from distributed import CancelledError, KilledWorker

    try:
        games: list[Delivery] = future.result()
        return games
    except KilledWorker as error:
        raise HsctlError(f"a block ended {error.allowed_failures + 1} workers of {address}: out of memory?") from None
    except CancelledError:
        raise HsctlError(f"the scheduler at {address} is gone; what was finished is in the ledger") from None
    except ModuleNotFoundError as error:
        raise HsctlError(f"a worker of {address} lacks {error.name}, expected the same hsctl as here") from None


def play_block(tasks: list[GameTask]) -> list[Delivery]:
    """Play the games of a block, on a worker."""
    from distributed import get_worker

    threads = get_worker().state.nthreads
    if threads != 1:
        raise HsctlError(f"a worker has {threads} threads, expected 1: start it with --nthreads 1, once for each core")
    share_out(())  # others work beside this one, who knows on which cores
    return [play_task(task) for task in tasks]
