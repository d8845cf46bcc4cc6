"""Every agent runs as plain Python too, without the compiler, and decides the same."""

import os
import subprocess
import sys

import pytest

from search import AGENTS
from search.agent import Budget
from tests.search.positions import agent, decide, drawn

# Two opponents near each other, a bomb, boxes and an item: tight enough for every search to begin.
POSITION = """
    ..0..0
    .X.X.X
    ..0...
    0 0 0 0 1 3
    0 1 3 0 1 4
    1 1 3 0 6 4
    2 0 1 0 1 1
"""
NODES = 150


def decisions() -> list[str]:
    """What every agent decides on the position."""
    position = drawn(POSITION, turn=60)
    return [repr(decide(agent(name), position, Budget(nodes=NODES))) for name in AGENTS]


@pytest.mark.slow
def test_agents_decide_the_same_without_the_compiler():
    code = "from tests.search.test_plain_python import decisions; print(*decisions(), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],  # numpy warns of words that overflow, as hashes do
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == decisions()
