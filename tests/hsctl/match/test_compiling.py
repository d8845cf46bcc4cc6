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
from hsctl.match.compiling import Progress, compile_for, ready_first
from search.warm import SECONDS

ROOT = Path(__file__).parents[3]
PARTS = ["beam layers", "beam threats", "mcts", "the game"]


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_the_line_says_what_is_compiled_how_far_it_is_and_how_long_it_takes():
    clock = Clock()
    progress = Progress(PARTS, 2, clock)
    together = sum(SECONDS[part] for part in PARTS) / 2
    longest = max(together, SECONDS["beam layers"])
    assert str(progress) == f"compiling beam layers, beam threats: 0 of 4 parts done, about {longest:.0f} s left"
    clock.now += 3
    assert progress.seconds_left == pytest.approx(longest - 3)
    clock.now += 2 * SECONDS["beam threats"] - 3
    progress.finish("beam threats")  # half as fast as thought
    left = 2 * SECONDS["beam layers"] - 2 * SECONDS["beam threats"]
    assert progress.slowness == 2
    assert str(progress).startswith("compiling beam layers, mcts: 1 of 4 parts done, about ")
    assert progress.seconds_left >= left


def test_a_part_that_takes_longer_than_thought_is_never_due_in_the_past():
    clock = Clock()
    progress = Progress(["mcts"], 1, clock)
    clock.now += 1000
    assert str(progress) == "compiling mcts: 0 of 1 parts done, about 200 s left"


@pytest.fixture
def parts(monkeypatch):
    """Three small parts of which one is compiled."""
    monkeypatch.setattr(compiling, "missing_parts", lambda agents: ["osla", "still"] if "osla" in agents else [])
    compiled = []

    def compile_part(part):
        compiled.append(part)
        return part

    monkeypatch.setattr(compiling, "compile_part", compile_part)
    return compiled


def test_what_is_missing_is_announced_and_compiled(parts):
    said = []
    compile_for(["osla"], said.append)
    assert parts == ["osla", "still"]
    assert said == ["compiling osla, still (once per version, about 1 s on 1 core) ..."]


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
    assert shown[0].startswith("compiling osla: 0 of 2 parts done")
    assert shown[1] == "compiled osla, still"


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
