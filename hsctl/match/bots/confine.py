"""What a process loses before it becomes a bot, and what its guardian and its runner do against it.

Part of the guardian too, so it needs nothing but the standard library. Each call does nothing where the system
doesn't have it; only Linux has most.
"""

import ctypes
import os
import signal
import sys
from contextlib import suppress

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

LARGEST_FILE_MB = 1024
CORE_BYTES = 1  # no core file; and no pipe to a crash reporter either, which 0 would let start
OOM_SCORE = 500  # of 1000: a machine without memory takes bots before the runner

LANDLOCK_CREATE_RULESET = 444
LANDLOCK_RESTRICT_SELF = 446
LANDLOCK_VERSION_FLAG = 1
LANDLOCK_SCOPE_SIGNAL = 2
LANDLOCK_MAKE_BLOCK_DEVICE = 1 << 11
FIRST_VERSION_WITH_SCOPES = 6


def prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def die_with_parent() -> None:
    if sys.platform == "linux":  # Windows has no such signal
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """What is orphaned below this process becomes its child, not that of init."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def hide() -> None:
    """Nobody but root can reach the pipes and the memory of this process through /proc or as a debugger."""
    prctl(PR_SET_DUMPABLE, 0)


def offer_to_oom_killer() -> None:
    """For this process and all below it. To be called before hide(), which closes this file too."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write(str(OOM_SCORE))


def outrank() -> None:
    """Run before all ordinary processes, where that is allowed: a bot that forks without end must not leave its
    guardian without a core. Children are ordinary again."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def limit_files() -> None:
    import resource  # pool.py imports this file on Windows too, which hasn't that

    for which, most in ((resource.RLIMIT_CORE, CORE_BYTES), (resource.RLIMIT_FSIZE, LARGEST_FILE_MB * 2**20)):
        _, hard = resource.getrlimit(which)
        lowest = most if hard == resource.RLIM_INFINITY else min(hard, most)
        resource.setrlimit(which, (lowest, lowest))


def landlock_version() -> int:
    """0 where the kernel has none; from FIRST_VERSION_WITH_SCOPES on it also keeps signals in."""
    if sys.platform != "linux":
        return 0
    version: int = ctypes.CDLL(None).syscall(LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_VERSION_FLAG)
    return max(0, version)


def fence() -> None:
    """This process and all below it reach no process outside: not its pipes, not its memory, and with a newer kernel
    not by signals. It binds root too. Programs that change the user, as sudo does, no longer can."""
    version = landlock_version()
    if version == 0:
        return
    prctl(PR_SET_NO_NEW_PRIVS, 1)  # which fencing without privileges takes
    if version >= FIRST_VERSION_WITH_SCOPES:
        rules = (ctypes.c_uint64 * 3)(0, 0, LANDLOCK_SCOPE_SIGNAL)  # files, network, scope
    else:
        rules = (ctypes.c_uint64 * 1)(LANDLOCK_MAKE_BLOCK_DEVICE)  # a rule set needs a rule: one without effect on bots
    libc = ctypes.CDLL(None, use_errno=True)
    ruleset = libc.syscall(LANDLOCK_CREATE_RULESET, rules, ctypes.sizeof(rules), 0)
    if ruleset < 0 or libc.syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0) != 0:
        raise OSError(ctypes.get_errno(), "landlock")
    os.close(ruleset)


def pin(core: int) -> None:
    if sys.platform == "linux":
        with suppress(OSError):  # the core was taken away meanwhile
            os.sched_setaffinity(0, {core})
