"""How many games can be played in parallel without players sharing a core."""

import os
from pathlib import Path

CPUS = Path("/sys/devices/system/cpu")
QUOTA = Path("/sys/fs/cgroup/cpu.max")  # of a container, in microseconds: allowed, of a period


def core_count() -> int:
    """Physical cores that this process may use, siblings (hyper-threads) counted once."""
    try:
        allowed = os.sched_getaffinity(0)
        cores = {(CPUS / f"cpu{cpu}/topology/thread_siblings_list").read_text() for cpu in allowed}
    except (AttributeError, OSError):  # not Linux, or a system that doesn't say
        return os.cpu_count() or 1
    return max(1, min(len(cores), quota()))


def quota() -> int:
    """Whole cores that a container may use; all of them if it isn't limited."""
    try:
        allowed, period = QUOTA.read_text().split()
        return int(allowed) // int(period)
    except (OSError, ValueError):  # no such limit, or "max"
        return len(os.sched_getaffinity(0))
