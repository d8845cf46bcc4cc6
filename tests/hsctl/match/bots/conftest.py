"""No test of bots leaves a process behind."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.hsctl.match.bots.asking import processes


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    left = processes() if os.path.exists("/proc/self/stat") else {}
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)  # or the tests to come would fail for it
    assert not left
