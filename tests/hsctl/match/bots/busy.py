"""Neighbours that want a core for themselves, as on a machine that does other work."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

HOG = """
import os, sys
if len(sys.argv) > 1:
    os.sched_setaffinity(0, {int(sys.argv[1])})
print(flush=True)
parent = os.getppid()
while os.getppid() == parent:
    for _ in range(10**5):
        pass
"""


@contextmanager
def hogs(count: int, core: int | None = None) -> Iterator[None]:
    """So many processes that never rest, on this core or wherever they like; at work when this is entered."""
    words = [sys.executable, "-S", "-c", HOG, *([] if core is None else [str(core)])]
    started = [subprocess.Popen(words, stdout=subprocess.PIPE) for _ in range(count)]
    try:
        for hog in started:
            assert hog.stdout is not None
            hog.stdout.readline()
        yield
    finally:
        for hog in started:
            hog.kill()
            hog.communicate()
