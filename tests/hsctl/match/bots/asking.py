"""Evil bots for tests: started, asked in lines, and looked for when they should be gone."""

import os
import shlex
import sys
import time
from pathlib import Path

import pytest

from engine.errors import HsctlError
from hsctl.match.bots.answer import BLAME, BotAnswer, BotFailure
from hsctl.match.bots.bot import Bot
from hsctl.match.bots.limits import ORDINARY, BotLimits
from hsctl.match.bots.sandbox import check_sandbox

EVIL = Path(__file__).with_name("evil_bot.py")
ATTACKING = Path(__file__).with_name("attacking_bot.py")
PLENTY = 30.0  # seconds; for bots that answer, however busy the machine
SHORT = 1.5  # seconds; for bots that never will
MARK = f"evil-{os.getpid()}-"  # every process of a test's bots has it in its command line


def has_bubblewrap() -> bool:
    try:
        check_sandbox()
    except HsctlError:
        return False
    return True


needs_bubblewrap = pytest.mark.skipif(not has_bubblewrap(), reason="bubblewrap is not here, or not allowed to work")


def processes() -> dict[int, str]:
    """What lives of this process's bots and their guardians, by command line."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path(f"/proc/{name}/cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if any(word.startswith(MARK) for word in words):
            found[int(name)] = " ".join(words)
    return found


def guardians() -> list[int]:
    return [pid for pid, words in processes().items() if "bots.guardian" in words]


def wait_until_none_is_left() -> None:
    deadline = time.monotonic() + PLENTY
    while processes() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not processes()


def command(mode: str, file: Path = EVIL, python: str = sys.executable) -> str:
    return shlex.join([python, "-S", "-E", str(file), mode, MARK + mode])


def evil(mode: str, file: Path = EVIL, startup_s: float = PLENTY, bot_limits: BotLimits = ORDINARY) -> Bot:
    return Bot(command(mode, file), startup_s=startup_s, bot_limits=bot_limits)


def attacking(mode: str, bot_limits: BotLimits = ORDINARY) -> Bot:
    return evil(mode, ATTACKING, bot_limits=bot_limits)


def ask_all(bot: Bot, turns: int, seconds: float = PLENTY) -> list[BotAnswer]:
    return [bot.ask(f"turn {turn}\n", seconds) for turn in range(turns)]


def lines(answers: list[BotAnswer]) -> list[str | None]:
    return [answer.line for answer in answers]


def cause_and_detail(failure: BotFailure) -> tuple[str, str]:
    """Without what is to blame, which depends on what else the machine does."""
    detail = failure.detail
    for blame in filter(None, BLAME.values()):
        detail = detail.replace(blame, "")
    return failure.cause, detail
