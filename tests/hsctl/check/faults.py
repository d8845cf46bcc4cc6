"""The example bot with a planted fault, as a command line."""

import shlex
import sys
from pathlib import Path

BOT = Path(__file__).with_name("faulty_bot.py")


def faulty(fault: str) -> str:
    return shlex.join([sys.executable, "-S", str(BOT), fault])
