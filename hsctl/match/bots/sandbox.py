"""A bot locked in with bubblewrap: files it can only read, no network, /tmp, /run and /proc of its own.

/run is hidden for its sockets: through that of a session's D-Bus, or of Docker, a bot could start programs outside.
What the command names below /tmp and /run, and the folder it is run in, stay visible.
"""

import os
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

from engine.errors import HsctlError

PROGRAM = "bwrap"
HIDDEN = ("/tmp", "/run")  # behind empty folders in memory
SHOWN = ("/run/current-system",)  # where NixOS has its programs
FOLDER_BYTES = 256 * 2**20
TRIAL_S = 30.0


def sandboxed(command: list[str]) -> list[str]:
    """The command that runs this one locked in, from the same folder."""
    check_sandbox()
    return [*walls(), *windows(command), "--chdir", os.getcwd(), "--", *command]


def environment_inside(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "TMPDIR": HIDDEN[0]}


def exit_code_inside(code: int) -> int:
    """bubblewrap tells the end by a signal as shells do: 128 and its number."""
    return 128 - code if code > 128 else code


def walls() -> list[str]:
    words = [PROGRAM, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--ro-bind", "/", "/"]
    words += ["--dev", "/dev", "--proc", "/proc"]
    for folder in HIDDEN:
        words += [*(("--size", str(FOLDER_BYTES)) if can_limit_size() else ()), "--tmpfs", folder]
    return words


def windows(command: list[str]) -> list[str]:
    """What of the hidden folders stays visible: where the command is run, and the folders of the files it names."""
    words = [shutil.which(command[0]) or "", *command]
    named = [home_of(Path(os.path.abspath(word))) for word in words if os.path.exists(word)]
    inside = {str(path) for path in (Path.cwd(), *named) if is_hidden(path)} | set(SHOWN)
    return [word for path in sorted(inside) for word in ("--ro-bind-try", path, path)]


def home_of(path: Path) -> Path:
    """The folder of a file, or the file alone where its folder is a hidden one itself; of a Python its environment."""
    if path.parent.name == "bin" and (path.parents[1] / "pyvenv.cfg").is_file():
        return path.parents[1]
    return path if str(path.parent) in HIDDEN or path.is_dir() else path.parent


def is_hidden(path: Path) -> bool:
    return any(Path(folder) in path.parents for folder in HIDDEN)


@lru_cache(1)
def can_limit_size() -> bool:
    """Whether this bubblewrap knows --size, as those from 0.7 on do."""
    found = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=False)
    return "--size" in found.stdout + found.stderr


@lru_cache(1)
def check_sandbox() -> None:
    """Refuse where bubblewrap is not installed, or not allowed to do its work."""
    if shutil.which(PROGRAM) is None:
        raise HsctlError(f"--sandbox: there is no {PROGRAM} on the PATH; install bubblewrap")
    trial = [*walls(), "--", "true"]
    try:
        found = subprocess.run(trial, capture_output=True, text=True, check=False, timeout=TRIAL_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HsctlError(f"--sandbox: {PROGRAM} can't be run here: {error}") from None
    if found.returncode != 0:
        reason = (found.stderr.strip().splitlines() or [f"exit code {found.returncode}"])[0]
        raise HsctlError(f"--sandbox: {PROGRAM} doesn't work here: {reason}")
