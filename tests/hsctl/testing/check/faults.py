"""The example bot with a planted fault, as a command line."""

import shlex
import sys
from pathlib import Path

BOT = Path(__file__).with_name("faulty_bot.py")


def faulty(fault: str) -> str:
    return shlex.join([sys.executable, "-S", str(BOT), fault])


def scripted(*answers: str) -> str:
    """A bot that reads a turn and gives the next of these answers."""
    script = (
        "import sys\n"
        "sys.stdin.readline()\n"
        "for answer in sys.argv[1:]:\n"
        "    [sys.stdin.readline() for _ in range(11)]\n"
        "    [sys.stdin.readline() for _ in range(int(sys.stdin.readline()))]\n"
        "    print(answer, flush=True)\n"
        "sys.stdin.read()\n"
    )
    return shlex.join([sys.executable, "-S", "-c", script, *answers])
