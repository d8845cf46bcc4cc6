"""Compiling on all cores: what is told of it, and that processes don't do each other's work."""

import os
import subprocess
import sys
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from engine.compile.cache import JIT_DISABLED
from hsctl.match import compiling
from hsctl.match.compiling import Progress, compile_for, ready_first, small_part_early
from search.warm import SECONDS

ROOT = Path(__file__).parents[3]
PARTS = ["beam layers", "beam threats", "mcts", "the game"]


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_the_line_says_what_is_compiled_and_how_far_it_is():
    clock, kernels = Clock(), 10
    progress = Progress(PARTS, 2, clock, lambda: kernels)
    assert str(progress) == "compiling beam layers, beam threats: 0 of 4 parts done"
    kernels += 7
    assert "7 functions, 0 of 4 parts done" in str(progress) and progress.seconds_left is None
    clock.now += 2 * SECONDS["beam threats"]
    progress.finish("beam threats")  # half as fast as the table says
    assert progress.slowness == 2
    assert progress.seconds_left == pytest.approx(2 * (SECONDS["beam layers"] - SECONDS["beam threats"]))
    assert str(progress).startswith("compiling beam layers, mcts: 7 functions, 1 of 4 parts done, about ")


def test_the_time_left_never_climbs():
    clock = Clock()
    progress = Progress(PARTS, 2, clock)
    clock.now += SECONDS["beam threats"]
    progress.finish("beam threats")
    left = [progress.seconds_left]
    for _ in range(100):
        clock.now += 1
        left.append(progress.seconds_left)
    assert left == sorted(left, reverse=True)


def test_one_core_begins_with_the_smallest_part():
    assert small_part_early(["a", "b", "c"], 1) == ["c", "a", "b"]
    assert small_part_early(["a", "b", "c"], 2) == ["a", "c", "b"]
    assert small_part_early(["a"], 2) == ["a"]


@pytest.fixture
def parts(monkeypatch):
    """Three small parts of which one is compiled."""
    monkeypatch.setattr(compiling, "missing_parts", lambda agents: ["osla", "still"] if "osla" in agents else [])
    monkeypatch.setattr(compiling, "count_compiled", lambda: 0)
    compiled = []

    def compile_part(part):
        compiled.append(part)
        return part

    monkeypatch.setattr(compiling, "compile_part", compile_part)
    return compiled


def test_what_is_missing_is_announced_and_compiled(parts):
    said = []
    compile_for(["osla"], said.append)
    assert parts == ["still", "osla"]
    assert said == ["compiling still, osla (once per version, about 1 s on 1 core) ..."]


def test_nothing_is_said_when_nothing_is_missing(parts):
    said = []
    compile_for(["mcts"], said.append)
    assert not parts and not said


def test_a_view_takes_the_place_of_the_announcement(parts):
    said, shown = [], []

    @contextmanager
    def show(progress):
        shown.append(str(progress))
        yield
        shown.append(str(progress))

    compile_for(["osla"], said.append, show)
    assert not said
    assert shown[0].startswith("compiling still: 0 of 2 parts done")
    assert shown[1] == "compiled still, osla"


def test_games_of_agents_that_are_ready_come_first_and_all_come(monkeypatch):
    ready = {"simple"}
    monkeypatch.setattr(compiling, "missing_parts", lambda agents: [agent for agent in agents if agent not in ready])
    games = [["beam", "simple"], ["beam", "mcts"], ["mcts", "simple"], ["simple", "simple"], ["beam", "beam"]]
    order = ready_first(games, lambda game: game)
    assert next(order) == ["simple", "simple"]
    assert next(order) == ["beam", "simple"]  # nobody is ready: the first of all waits for its agents itself
    ready.add("mcts")
    assert next(order) == ["mcts", "simple"]
    ready.add("beam")
    assert list(order) == [["beam", "mcts"], ["beam", "beam"]]


def test_games_are_read_no_farther_than_they_are_looked_at(monkeypatch):
    monkeypatch.setattr(compiling, "missing_parts", lambda agents: agents if "beam" in agents else [])
    read = []
    games = (read.append(n) or ["beam" if n % 2 else "simple"] for n in count())
    order = ready_first(games, lambda game: game)
    assert [next(order) for _ in range(5)] == [["simple"]] * 5
    assert len(read) == compiling.LOOK_AHEAD + 4


LADDER = "from engine.jit import entry, kernel\n\n@kernel\ndef step0(x):\n    return x + 1\n" + "".join(
    f"\n@kernel\ndef step{n}(x):\n    return step{n - 1}(x) * 3 + step{n - 1}(x + {n})\n" for n in range(1, 6)
)
RUNS = f"""{LADDER}
@entry
def climb(x):
    return step5(x)
"""
COUNT = """
from ladder import climb
from numba.core.event import Listener, install_listener

class Count(Listener):
    def __init__(self):
        self.count = 0
    def on_start(self, event):
        self.count += "ladder" in event.data["dispatcher"].py_func.__module__
    def on_end(self, event): ...

with install_listener("numba:compile", counted := Count()):
    print(climb(1))
print(counted.count)
"""


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_processes_that_start_together_compile_each_kernel_once(tmp_path):
    (tmp_path / "ladder.py").write_text(RUNS)
    environment = {**os.environ, "HSCTL_CACHE": str(tmp_path / "cache"), "PYTHONPATH": f"{ROOT}:{tmp_path}"}
    command = [sys.executable, "-c", COUNT]
    together = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    results, counts = zip(*(process.communicate()[0].split() for process in together), strict=True)
    assert len(set(results)) == 1
    assert sum(map(int, counts)) == 7
