"""Bots that misbehave, one per mode: `evil_bot.py MODE TOKEN [game]`. The token only marks the processes.

A bot is asked in lines here: it reads one line per turn and answers `MOVE <turn> 0`, turns counted from 0, until
its mode makes it do otherwise. In a game it reads the arena's input of a turn instead, and stays on the board.
"""

import os
import resource
import signal
import sys
import time
from contextlib import suppress

FOREVER = 120  # seconds: even what should ever escape is no burden for long
IS_IN_GAME = sys.argv[3:] == ["game"]
WIDTH, HEIGHT = 13, 11


def say(text: str, end: str = "\n") -> None:
    os.write(1, (text + end).encode())


def hear() -> bytes:
    """What is sent in a turn; nothing at the end."""
    return hear_position() if IS_IN_GAME else hear_line()


def hear_line() -> bytes:
    line = b""
    while not line.endswith(b"\n") and (byte := os.read(0, 1)):
        line += byte
    return line


def hear_position() -> bytes:
    line = hear_line()
    if len(line.split()) == 3:  # the header
        line = hear_line()
    for _ in range(HEIGHT - 1):
        hear_line()
    for _ in range(int(hear_line() or 0)):
        hear_line()
    return line


def answer(turns: int = 10**9, first: int = 0) -> None:
    for turn in range(first, first + turns):
        if not hear():
            sys.exit(0)
        say(f"MOVE {turn % WIDTH if IS_IN_GAME else turn} 0")


def fork_sleeper(*, is_daemon: bool = False) -> None:
    """A child in a session of its own that ignores what can be ignored; a daemon's parent is gone, too."""
    if os.fork() == 0:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        if is_daemon and os.fork() != 0:
            os._exit(0)
        for end in (0, 1, 2):
            os.close(end)
        time.sleep(FOREVER)
        os._exit(0)


def never_answers() -> None:
    time.sleep(FOREVER)


def never_flushes() -> None:
    while hear():
        sys.stdout.write("MOVE 0 0\n")


def late_on_turn_7() -> None:
    answer(7)
    time.sleep(FOREVER)


def starts_slowly() -> None:
    time.sleep(1.5)
    answer()


def dies_on_turn_3() -> None:
    answer(3)
    hear()
    print("first words", file=sys.stderr)
    raise IndexError("the board is smaller than that")


def kills_itself() -> None:
    answer(1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), signal.SIGSEGV)
    time.sleep(FOREVER)


def dies_while_its_child_holds_the_pipes() -> None:
    answer(1)
    if os.fork() == 0:
        time.sleep(FOREVER)
    os._exit(7)


def exits_at_once() -> None:
    sys.exit(0)


def answers_and_exits() -> None:
    answer(2)
    hear()
    os.write(2, b"last words\n")
    say("MOVE 2 0")
    sys.exit(5)


def closes_output() -> None:
    answer(1)
    os.close(1)
    time.sleep(FOREVER)


def closes_input() -> None:
    os.close(0)
    for turn in range(3):
        say(f"MOVE {turn} 0")
    time.sleep(FOREVER)


def prints_megabytes() -> None:
    while True:
        say("MOVE 0 0\n" * 1000)


def line_without_end() -> None:
    while True:
        say("MOVE 1 " + "1" * 1000, end="")


def prints_binary() -> None:
    os.write(1, bytes(range(128, 256)) + b"\n")
    answer()


def prints_nul() -> None:
    os.write(1, b"MOVE\0 1 1\n")
    answer()


def prints_crlf() -> None:
    say("MOVE 1 1\r")
    answer()


def prints_an_empty_line() -> None:
    say("")
    answer()


def huge_numbers() -> None:
    say("MOVE " + "9" * 1000 + " -" + "9" * 1000)
    answer()


def two_lines_at_once() -> None:
    hear()
    say("MOVE 0 0\nMOVE 1 0")
    hear()
    answer(first=2)


def prints_before_asked() -> None:
    say("MOVE 5 5")
    answer()


def line_in_two_halves() -> None:
    hear()
    say("MOVE 3", end="")
    time.sleep(0.3)
    say(" 4")
    answer()


def half_a_line() -> None:
    say("MOVE 3", end="")
    time.sleep(FOREVER)


def ignores_sigterm() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    answer(1)
    time.sleep(FOREVER)


def forks_setsid() -> None:
    fork_sleeper()
    answer()


def forks_daemon() -> None:
    fork_sleeper(is_daemon=True)
    answer()


def family_and_crash() -> None:
    fork_sleeper()
    fork_sleeper(is_daemon=True)
    answer(1)
    sys.exit(3)


def forks_without_end() -> None:
    """A chain of daemons, each of which lives just long enough to fork the next."""
    end = time.monotonic() + 10  # a chain that escaped could hardly be found
    if os.fork() == 0:
        os.setsid()
        while time.monotonic() < end:
            if os.fork() != 0:
                os._exit(0)
        os._exit(0)
    answer()


def parent_exits_child_answers() -> None:
    if os.fork() != 0:
        os._exit(0)
    time.sleep(0.2)
    answer()


def floods_stderr() -> None:
    while True:
        os.write(2, b"x" * 65536)


def floods_stderr_and_answers() -> None:
    for turn in range(10):
        hear()
        for _ in range(50):
            os.write(2, b"x" * 65535 + b"\n")
        os.write(2, f"end of turn {turn}\n\xff".encode("latin-1"))
        say(f"MOVE {turn} 0")


def never_reads() -> None:
    while True:
        say("MOVE 1 1")
        time.sleep(0.01)


def eats_memory() -> None:
    answer(1)
    eaten = []
    for _ in range(300):  # MB; evil, but no danger to the machine
        eaten.append(b"x" * 2**20)
        time.sleep(0.002)
    time.sleep(FOREVER)


def child_eats_memory() -> None:
    if os.fork() == 0:
        os.setsid()
        eats_memory()
    time.sleep(FOREVER)


def stops_itself() -> None:
    answer(1)
    os.kill(os.getpid(), signal.SIGSTOP)


def kills_its_guardian() -> None:
    """Answers `denied` where that can't be."""
    answer(1)
    hear()
    try:
        os.kill(os.getppid(), signal.SIGKILL)
    except PermissionError:
        say("MOVE 0 0 denied" if IS_IN_GAME else "denied")
    answer()


def pesters_its_guardian() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGPIPE, signal.SIGALRM):
        with suppress(PermissionError):
            os.kill(os.getppid(), number)
    answer()


def burns_cpu() -> None:
    hear()
    while time.process_time() < 0.3:
        pass
    say("MOVE 0 0")
    answer()


def burns_cpu_each_turn() -> None:
    while hear():
        end = time.process_time() + 0.3
        while time.process_time() < end:
            pass
        say("MOVE 0 0")


def lists_its_files() -> None:
    say(" ".join(sorted(os.listdir("/proc/self/fd"))))
    answer()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
