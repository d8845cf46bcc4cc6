"""Bots that attack the runner, their opponent or the machine: `attacking_bot.py MODE TOKEN`, as evil_bot.py."""

import os
import resource
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from evil_bot import FOREVER, answer, hear, say

NONSENSE = b"memory much\nexit\n\xff\xfe\n\nstarted " + b"x" * 100 + b"\n"
FORGED = b"MOVE 12 10 forged\n"


def forks_a_nameless_daemon() -> None:
    """One that takes nothing along that could tell whose it is."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() != 0:
            os._exit(0)
        os.execve(sys.executable, [sys.executable, "-S", "-E", sys.argv[0], "waits", sys.argv[2]], {})
    answer()


def waits_in_a_chain() -> None:
    """A grandchild below a child that lives, in sessions of their own."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setsid()
        time.sleep(FOREVER)
    answer()


def waits() -> None:
    time.sleep(FOREVER)


def forges_reports() -> None:
    """Writes into every pipe of its guardian that it can open, and answers how many these were."""
    hear()
    say(f"MOVE {scribble(os.getppid(), NONSENSE)} 0")
    answer(first=1)


def answers_for_others() -> None:
    """Writes an answer of its own into every pipe of every process that it can open but those of its parents."""
    hear()
    own = {os.getpid(), os.getppid()}
    others = [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) not in own]
    say(f"MOVE {sum(scribble(pid, FORGED) for pid in others)} 0")
    answer(first=1)


def scribble(pid: int, text: bytes) -> int:
    """Into how many pipes of a process it was written; nothing is touched that is no pipe of hsctl's tests."""
    written = 0
    with suppress(OSError):
        if b"evil" not in Path(f"/proc/{pid}/cmdline").read_bytes():
            return 0
        for name in os.listdir(f"/proc/{pid}/fd"):
            with suppress(OSError):
                if os.readlink(f"/proc/{pid}/fd/{name}").startswith("pipe:"):
                    pipe = os.open(f"/proc/{pid}/fd/{name}", os.O_WRONLY | os.O_NONBLOCK)
                    written += os.write(pipe, text) > 0
    return written


def dumps_core() -> None:
    answer(1)
    with suppress(ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    os.abort()


def fills_the_disk() -> None:
    """With a file that has a size but no content."""
    answer(1)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    with tempfile.TemporaryFile(dir=".") as file:
        file.truncate(100 * 2**30)
    time.sleep(FOREVER)


def fork_bomb() -> None:
    """One that ends, with about a thousand processes."""
    answer(1)
    for _ in range(10):
        os.fork()
    time.sleep(FOREVER)


def ponders() -> None:
    """A child goes on thinking whoever's turn it is."""
    if os.fork() == 0:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            pass
        os._exit(0)
    answer()


def tells_its_environment() -> None:
    hear()
    say(" ".join(sorted(os.environ)))
    answer(first=1)


def leans_on_the_walls() -> None:
    """Answers which of them gave way: writing here and at home, a network, the /tmp and processes of others."""
    hear()
    attempts = {
        "folder": lambda: Path("written").write_text("x"),
        "home": lambda: (Path.home() / "written").write_text("x"),
        "network": find_a_network,
        "tmp": lambda: next(path for path in Path("/tmp").rglob("*") if sys.argv[2] in path.name),
        "run": lambda: next(Path("/run").iterdir()),
        "processes": lambda: next(name for name in os.listdir("/proc") if name.isdigit() and int(name) > 20),
    }
    say("gave way: " + " ".join(name for name, attempt in attempts.items() if gives_way(attempt)))
    (Path(os.environ["TMPDIR"]) / "note").write_text("a place of its own to write to")
    answer(first=1)


def find_a_network() -> None:
    """Any interface but the one to itself."""
    names = [name for _, name in socket.if_nameindex() if name != "lo"]
    assert names


def gives_way(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, StopIteration, AssertionError):
        return False
    return True


if __name__ == "__main__":
    globals()[sys.argv[1]]()
