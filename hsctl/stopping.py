"""Stopped by SIGTERM, or because the terminal is gone: as orderly as by Ctrl-C, with the terminal as it was.

Python ends at once by these signals, with a hidden cursor or another screen left behind. Here they leave every
`with` and `finally` on the way out. A second one ends the process at once, and so does a second Ctrl-C.

The way out is an exception, as Ctrl-C's is. Where a signal arrives in a callback from C (the compiler has some) or in
a finalizer, Python reports an exception and drops it: then it is raised once more, a little later.
"""

import signal
import sys
import threading
from types import FrameType

NAMES = ("SIGTERM", "SIGHUP", "SIGQUIT")  # of which Windows has only the first
CAN_WAIT = hasattr(signal, "setitimer")
LATER_S = 0.002


def leave_orderly() -> None:
    """Do so from now on; a signal that was to be ignored, as nohup has it, still is."""
    for number in numbers():
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, leave)
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = insist


def end_at_second_interrupt() -> None:
    """Let Ctrl-C raise KeyboardInterrupt once; the next ends the process at once, wherever it is on its way out."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)


def interrupt(_: int, __: FrameType | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    raise KeyboardInterrupt


def leave(number: int, _: FrameType | None) -> None:
    for each in numbers():
        signal.signal(each, signal.SIG_DFL)
    raise SystemExit(128 + number)  # the exit code that shells give to the end by a signal


def insist(dropped: "sys.UnraisableHookArgs") -> None:
    """Raise a dropped exception again if it was on the way out; report any other."""
    error = dropped.exc_value
    is_in_main = threading.current_thread() is threading.main_thread()
    if not isinstance(error, SystemExit | KeyboardInterrupt) or not is_in_main or not CAN_WAIT:
        sys.__unraisablehook__(dropped)
        return
    kind, words = type(error), error.args

    def leave_now(_: int, __: FrameType | None) -> None:
        raise kind(*words)

    signal.signal(signal.SIGALRM, leave_now)
    signal.setitimer(signal.ITIMER_REAL, LATER_S)


def numbers() -> list[signal.Signals]:
    return [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
