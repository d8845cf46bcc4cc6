"""The fuzzer in small: some cases of every kind, and searches without the compiler, where numpy checks every index."""

import os
import subprocess
import sys

import pytest

from replays.playback import Playback
from replays.replay import decode, encode, parents_of
from tests.fuzz.mutate import EVIL
from tests.fuzz.samples import PLAYED_ON, played_on
from tests.fuzz.watch import judge
from tests.hsctl.run import PLENTY, ROOT

CASES, SEARCHES = 60, 4


def fuzz(*words: str, **settings: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-W", "ignore", "-m", "tests.fuzz", *words]
    environment = {**os.environ, **settings}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=5 * PLENTY)


@pytest.mark.slow
def test_nothing_strange_does_harm() -> None:
    done = fuzz(str(CASES))
    assert done.returncode == 0, done.stdout
    assert f"{CASES} cases, 0 faults" in done.stdout


@pytest.mark.slow
def test_no_index_of_a_search_is_out_of_bounds() -> None:
    kinds = ("--kind", "thoughts", "--kind", "position")
    done = fuzz(str(SEARCHES), *kinds, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stdout
    assert f"{SEARCHES} cases, 0 faults" in done.stdout


def test_the_samples_that_are_played_on_are_valid() -> None:
    """Else every change of one would be refused, and show nothing."""
    for players in PLAYED_ON:
        assert len(list(parents_of(Playback(decode(encode(played_on(players)))).replay))) == 2


@pytest.mark.parametrize(
    ("code", "out", "err", "fault"),
    [
        (0, "fine\n", "", ""),
        (2, "", "hsctl: no\n", ""),
        (2, "", "no\n", "exit code 2 without its one line"),
        (2, "", "hsctl: no\nhsctl: at all\n", "an error of several lines"),
        (-1, "", "", "exit code -1"),
        (0, EVIL[0], "", "'\\x1b' reaches the terminal"),
        (0, "", "Traceback (most recent call last):", "a traceback or a warning is shown"),
    ],
)
def test_the_end_of_a_case_is_judged(code: int, out: str, err: str, fault: str) -> None:
    assert judge(code, out, err) == fault
