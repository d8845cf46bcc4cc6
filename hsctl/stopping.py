"""Stopped by SIGTERM, or because the terminal is gone: as orderly as by Ctrl-C, with the terminal as it was.

Python ends at once by these signals, with a hidden cursor or another screen left behind. Here they leave every
`with` and `finally` on the way out. A second one ends the process at once.
"""

import signal
from types import FrameType

NAMES = ("SIGTERM", "SIGHUP")  # of which Windows has only the first


def leave_orderly() -> None:
    """Do so from now on; a signal that was to be ignored, as nohup has it, still is."""
    for number in numbers():
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, leave)


def leave(number: int, _: FrameType | None) -> None:
    for each in numbers():
        signal.signal(each, signal.SIG_DFL)
    raise SystemExit(128 + number)  # the exit code that shells give to the end by a signal


def numbers() -> list[signal.Signals]:
    return [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
