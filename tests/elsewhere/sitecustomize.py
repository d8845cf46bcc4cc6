"""Another system, as hsctl's packages see it: with this folder on PYTHONPATH and SYSTEM=win32 or SYSTEM=darwin.

Python itself and other people's packages go on seeing Linux, which they run on. Ours get an `os`, a `signal` and so on
without the names that the other system lacks, don't find modules that it lacks, and find nothing below /proc and /sys.
"""

import builtins
import importlib
import os
import sys
import time
from types import ModuleType
from typing import Any

SYSTEM = os.environ.get("SYSTEM", "")
OURS = ("engine", "search", "replays", "hsctl")
LINUX_OS = {
    *("sched_getaffinity", "sched_setaffinity", "sched_setscheduler", "sched_param", "SCHED_RR", "SCHED_RESET_ON_FORK"),
    *("pipe2", "memfd_create", "pidfd_open", "splice", "eventfd"),
}
POSIX_OS = {
    *("fork", "forkpty", "setsid", "getsid", "getpgid", "setpgid", "killpg", "getuid", "geteuid", "getgid", "uname"),
    *("sysconf", "pread", "pwrite", "set_blocking", "get_blocking", "WNOHANG", "WEXITED", "wait4", "waitid", "nice"),
    *("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "mkfifo", "getloadavg", "statvfs", "fchmod", "chown", "posix_spawn"),
}
POSIX_SIGNALS = {
    *("SIGHUP", "SIGKILL", "SIGQUIT", "SIGALRM", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGPIPE", "SIGUSR1"),
    *(
        "SIGUSR2",
        "SIGWINCH",
        "SIGXFSZ",
        "SIGXCPU",
        "pthread_sigmask",
        "pthread_kill",
        "setitimer",
        "getitimer",
        "alarm",
    ),
    *("set_wakeup_fd_", "sigwait", "SIG_BLOCK", "SIG_SETMASK", "ITIMER_REAL", "pause"),
}
LACKING: dict[str, dict[str, set[str]]] = {
    "darwin": {
        "os": LINUX_OS,
        "select": {"epoll"},
        "time": {"CLOCK_BOOTTIME"},
    },
    "win32": {
        "os": LINUX_OS | POSIX_OS,
        "signal": POSIX_SIGNALS,
        "select": {"epoll", "poll"},
        "socket": {"AF_UNIX"},
        "time": {"CLOCK_BOOTTIME", "CLOCK_MONOTONIC", "clock_gettime"},
    },
}
UNKNOWN_MODULES = {"darwin": set(), "win32": {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}}
OTHERWISE: dict[str, dict[str, dict[str, Any]]] = {
    "darwin": {"sys": {"platform": "darwin"}},
    "win32": {"sys": {"platform": "win32"}, "os": {"name": "nt"}},
}
NOWHERE = ("/proc", "/sys")


class Elsewhere(ModuleType):
    """A module of Python's as it is on the other system."""

    def __init__(self, real: ModuleType) -> None:
        super().__init__(real.__name__)
        self.__dict__["real"] = real
        self.__dict__["lacking"] = LACKING[SYSTEM].get(real.__name__, set())
        self.__dict__.update(OTHERWISE[SYSTEM].get(real.__name__, {}))

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__["lacking"]:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} on {SYSTEM}")
        return getattr(self.__dict__["real"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["real"], name, value)


CHANGED = {*LACKING.get(SYSTEM, {}), *OTHERWISE.get(SYSTEM, {})}
seen: dict[str, Elsewhere] = {}
import_really = builtins.__import__


def import_elsewhere(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
    importer = (globals or {}).get("__name__", "")
    importer = ((globals or {}).get("__spec__") and globals["__spec__"].name) or importer
    if level == 0 and importer.partition(".")[0] in OURS:
        if name in UNKNOWN_MODULES[SYSTEM]:
            raise ModuleNotFoundError(f"No module named {name!r} on {SYSTEM}", name=name)
        if name in CHANGED:
            if name not in seen:
                seen[name] = Elsewhere(importlib.import_module(name))
            return seen[name]
    return import_really(name, globals, locals, fromlist, level)


def find_nothing(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: the folders of Linux's kernel are not there."""
    if event in ("open", "os.listdir", "os.scandir") and str(arguments[0]).startswith(NOWHERE):
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_globals.get("__name__", "").partition(".")[0] in OURS:
                raise FileNotFoundError(2, f"not on {SYSTEM}", str(arguments[0]))
            frame = frame.f_back


def exists_elsewhere(path: Any, exists: Any = os.path.exists) -> bool:
    return not str(path).startswith(NOWHERE) and exists(path)


if SYSTEM:
    assert SYSTEM in LACKING, SYSTEM
    time.sleep(0)  # imported before the names are hidden
    builtins.__import__ = import_elsewhere
    os.path.exists = exists_elsewhere
    sys.addaudithook(find_nothing)
