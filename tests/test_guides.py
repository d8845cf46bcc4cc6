"""Every command and every example of README and guides is run, in order, in a folder with what they assume.

The tutorial is run as printed, and must show what it promises. Commands of the other guides are run with few nodes and
games, which is what `cheapen` sees to. No limit of time counts: bots get plenty.
"""

import json
import os
import re
import select
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.hsctl.run import PLENTY, run_here
from tests.replays.arena.writer import write_console, write_frames, write_json
from tests.replays.recorded import record_game

ROOT = Path(__file__).parents[1]
GUIDES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]
INSTALLS = "python3 -m venv "  # what CI runs
BLOCK = re.compile(r"(?:^Save this as `(?P<file>[\w.]+)`:\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
NAMES = ["myname", "bob"]
SEED_OF_THE_CONSOLE = 1234567
EXIT_CODES = {"check": {0, 1}, "compare": {0, 1, 3}, "tune": {0, 1, 3}}  # the others must succeed
OTHER_SCREEN = b"\x1b[?1049h"  # what a terminal is sent when a game takes it over
STOPPED = 130  # by the person who played
ENOUGH_MS = "60000"
BOT = f"""#!{sys.executable} -S
import sys

sys.stdin.readline()
while sys.stdin.readline():  # the first row of a turn
    for _ in range(10):
        sys.stdin.readline()
    for _ in range(int(sys.stdin.readline())):
        sys.stdin.readline()
    print("BOMB 0 0", flush=True)  # and stays there, so its games are short
"""

pytestmark = [pytest.mark.linux, pytest.mark.slow]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The examples, two versions of a bot, and games of the arena."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for name in ("mybot", "mybot-old"):
        (tmp_path / name).write_text(BOT)
        (tmp_path / name).chmod(0o755)
    replay = record_game(11, 2, care=0.999)
    (tmp_path / "arena").mkdir()
    for path in (tmp_path / "game.json", tmp_path / "arena" / "game.json"):
        path.write_text(json.dumps(write_json(replay, write_frames(replay, own=0), NAMES)))
    other = record_game(SEED_OF_THE_CONSOLE, 2)
    (tmp_path / "console.txt").write_text(write_console(write_frames(other), NAMES))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HSCTL_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def blocks_of(guide: Path) -> Iterator[re.Match[str]]:
    return BLOCK.finditer(guide.read_text())


def commands_of(guide: Path) -> list[str]:
    return [line for block in blocks_of(guide) if block["kind"] == "sh" for line in block["text"].splitlines()]


# Running


def set_option(words: list[str], name: str, value: str, is_limit: bool = False) -> None:
    """Give an option this value; as a limit, only where it is missing or larger."""
    if name not in words:
        words += [name, value]
    elif not is_limit or int(words[words.index(name) + 1]) > int(value):
        words[words.index(name) + 1] = value


def cheapen(words: list[str]) -> list[str]:
    """The same command with little to do, and with time enough for bots."""
    command, words = words[0], list(words)
    match command:
        case "play" | "league" | "compare" | "tune" if "--merge" not in words:
            set_option(words, "--nodes", "60", is_limit=True)
            set_option(words, "--time", ENOUGH_MS)
            if command != "play" or "--games" in words:
                set_option(words, "--games", "2", is_limit=True)
                set_option(words, "--jobs", "1")
            if command == "tune":
                set_option(words, "--trials", "12", is_limit=True)
                set_option(words, "--confirm", "0")
        case "explain":
            set_option(words, "--nodes", "300", is_limit=True)
        case "review" if "--quick" not in words:
            set_option(words, "--nodes", "300")
        case "check" if not {"--only", "--quick"} & {*words}:
            set_option(words, "--only", "limits")
        case "conform":
            set_option(words, "--states", "20")
        case "doctor":
            del words[1:]  # the machine alone: its series has no options
    return words


def on_keyboard(words: list[str], keys: str) -> int:
    """hsctl in a terminal: it gets the keys, one whenever it waits, then q until it ends; its exit code."""
    import pty

    terminal, end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    program = [sys.executable, "-m", "hsctl", *words]
    with subprocess.Popen(program, env=environment, stdin=end, stdout=end, stderr=end) as process:
        os.close(end)
        pending, shown = list(keys), b""
        with suppress(OSError):  # which is how a terminal ends
            while True:
                if select.select([terminal], [], [], 0.3)[0]:
                    shown += os.read(terminal, 65536)
                elif OTHER_SCREEN in shown:
                    os.write(terminal, (pending.pop(0) if pending else "q").encode())
        process.wait(PLENTY)
    os.close(terminal)
    return process.returncode


def run_command(line: str, is_exact: bool, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a line of a guide, and return what it prints."""
    words = shlex.split(line)
    if line.startswith(INSTALLS):
        return ""
    if words[0] != "hsctl" or re.search(r"[<>$]", line):
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=PLENTY)
        assert done.returncode == 0, (line, done.stderr)
        return done.stdout
    arguments = [*words[1:], "--time", ENOUGH_MS] if is_exact and words[1] in {"play", "compare"} else words[1:]
    arguments = arguments if is_exact else cheapen(arguments)
    if words[1] == "play" and "me" in re.split(r"[ :+]", line):
        assert on_keyboard(arguments, ".f" * 8) in {0, STOPPED}, line
        return ""
    code, out, err = run_here(capsys, *arguments)
    assert code in EXIT_CODES.get(words[1], {0}), (line, out, err)
    return out


def plain(text: str) -> str:
    """Without lines of tables, and with single spaces."""
    return " ".join(text.replace("─", " ").split())


@pytest.mark.timeout(600)
@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_runs(guide: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    is_exact, shown = guide.stem == "tutorial", ""
    for block in blocks_of(guide):
        match block["kind"]:
            case "sh":
                shown += "".join(run_command(line, is_exact, capsys) for line in block["text"].splitlines())
            case "text":
                lines = [plain(line) for line in block["text"].splitlines()]
                assert [line for line in lines if line not in plain(shown)] == []
            case "python" if block["file"]:
                (folder / block["file"]).write_text(block["text"])
            case "python" if "def test_" in block["text"]:
                (folder / "test_agent.py").write_text(block["text"])
                words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_agent.py"]
                assert subprocess.run(words, timeout=PLENTY).returncode == 0
            case "python":
                exec(compile(block["text"], guide.name, "exec"), {})


def test_guides_have_commands() -> None:
    assert {guide.stem for guide in GUIDES if not commands_of(guide)} == set()
