"""Whose fault a late answer is: the player's, or the machine's that let it wait for a core.

    wall = running + ready, but without a core + asleep         of one thread
           player    machine                     player

The kernel counts the first two for every thread (/proc/PID/task/TID/schedstat). An answer that is late by less than
its thread was surely kept waiting is the machine's fault; one that is late by more than all that could have kept it
is the player's; between the two it is unclear. What its own other threads ran may have been at its cost, and is
no fault of the machine. A hypervisor that takes the cores away doesn't show in the counts of a thread, only in a
sum for the whole machine, to a hundredth of a second.
"""

import os
import time
from dataclasses import dataclass
from typing import Literal, NamedTuple

from hsctl.match.bots.tree import read_proc
from replays.replay import Late

Culprit = Literal["bot", "machine", "unclear"]
OWN = "/proc/thread-self/schedstat"
CAN_TELL = os.path.exists(OWN)
TICK_S = 1 / os.sysconf("SC_CLK_TCK") if os.name == "posix" else 0.0


class CoreTime(NamedTuple):
    """Seconds of a thread since it began."""

    ran: float
    waited: float  # for a core


class Hindrance(NamedTuple):
    """Seconds that an answer was kept back by the machine."""

    surely: float
    at_most: float


@dataclass(frozen=True)
class Usage:
    """What threads have had of the cores by a moment."""

    shares: dict[tuple[int, str], CoreTime]  # by process and thread
    stolen: float  # by a hypervisor, of all cores


def parse_share(data: bytes) -> CoreTime:
    """Out of a schedstat file."""
    ran, waited, _ = data.split()
    return CoreTime(int(ran) / 1e9, int(waited) / 1e9)


def read_share(path: str) -> CoreTime | None:
    """None if the thread is gone, or the kernel doesn't count."""
    data = read_proc(path)
    return parse_share(data) if data else None


def read_stolen() -> float:
    """Seconds since the machine started that its hypervisor gave to others; 0 on a machine of its own."""
    words = read_proc("/proc/stat").partition(b"\n")[0].split()
    return int(words[8]) * TICK_S if len(words) > 8 else 0.0


def judge(limit: float, wall: float, before: Usage | None, after: Usage) -> Late:
    """The verdict on a bot by what it had at the question and has by now; None: that isn't known."""
    if before is None or not after.shares:
        return Late("unclear", to_ms(wall))
    spent = spent_between(before, after)
    culprit = culprit_of(wall - limit, hindrance(before, after))
    ran, waited = sum(share.ran for share in spent), sum(share.waited for share in spent)
    return Late(culprit, to_ms(wall), to_ms(ran), to_ms(waited))


def hindrance(before: Usage, after: Usage) -> Hindrance:
    """What the machine kept from a bot's threads between the two."""
    spent = spent_between(before, after)
    busiest = max(spent, key=sum, default=CoreTime(0.0, 0.0))
    by_others = sum(share.ran for share in spent) - busiest.ran
    stolen = after.stolen and after.stolen - before.stolen + TICK_S  # what it counts may lag by one
    return Hindrance(max(0.0, busiest.waited - by_others), sum(share.waited for share in spent) + stolen)


def spent_between(before: Usage, after: Usage) -> list[CoreTime]:
    nothing = CoreTime(0.0, 0.0)
    pairs = [(before.shares.get(thread, nothing), share) for thread, share in after.shares.items()]
    return [CoreTime(now.ran - then.ran, now.waited - then.waited) for then, now in pairs]


def culprit_of(excess: float, hindered: Hindrance) -> Culprit:
    if excess <= hindered.surely:
        return "machine"
    return "bot" if excess > hindered.at_most else "unclear"


def read_own() -> CoreTime:
    """Of this thread."""
    share = read_share(OWN)
    return CoreTime(time.thread_time(), share.waited if share else 0.0)


def judge_own(limit: float, wall: float, before: CoreTime, after: CoreTime) -> Late:
    """The verdict on thinking in this thread, which never sleeps: what it neither ran nor waited, something took."""
    ran, waited = after.ran - before.ran, after.waited - before.waited
    culprit = culprit_of(wall - limit, Hindrance(waited, wall - ran))
    return Late(culprit, to_ms(wall), to_ms(ran), to_ms(waited) if CAN_TELL else None)


def to_ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
