"""Tests as a user without privileges: where root runs them, a program gives its own up before it starts bots."""

import ctypes
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hsctl.match.bots.confine import PR_SET_DUMPABLE
from tests.hsctl.match.bots.asking import EVIL, PLENTY

NOBODY = 65534
PYTHONS = (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3")
ROOT = Path(__file__).parents[4]


def python_for_all() -> str:
    """A Python that a user without privileges can run, and read these tests with."""
    if os.geteuid() != 0:
        return sys.executable
    found = next(filter(can_run, PYTHONS), None)
    if found is None:
        pytest.skip("there is no Python, no project, or no environment that a user without privileges can read")
    return found


def can_run(python: str) -> bool:
    package = importlib.util.find_spec("numba")
    assert package is not None
    words = [python, "-S", "-c", f"open({str(EVIL)!r}), open({package.origin!r})"]
    try:
        return subprocess.run(words, user=NOBODY, group=NOBODY, extra_groups=[], capture_output=True).returncode == 0
    except OSError:
        return False


def run_and_give_up(code: str, *words: str) -> str:
    """What a program prints that calls give_up()."""
    program = [sys.executable, "-c", code, *words]
    found = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False, timeout=10 * PLENTY)
    assert found.returncode == 0, found.stderr
    return found.stdout


def give_up(python: str) -> None:
    """From here on this process is one of a user without privileges, whose guardians are run by this Python."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # as the processes of a user are
    sys.executable = python
