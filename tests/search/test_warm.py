"""What has to be compiled for whom: every agent has its parts, and each kernel is compiled once."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from engine.compile.cache import JIT_DISABLED
from search import AGENTS
from search.warm import ENVIRONMENTS, SECONDS, THE_GAME, parts_of, split, warm_ups

ROOT = Path(__file__).parents[2]

# Sets of cells come as fields of records, as arrays and as tuples of words; numbers of cells and bombs as 8 to 64 bits.
# The searches share what they do with a tree, whatever it holds. Nothing else is compiled more than once.
SEVERAL_KINDS = {
    "expand.copy_forecast",
    "board.has_bit",
    "cells.common",
    "cells.count_cells",
    "cells.has",
    "cells.read",
    "cells.write",
    "random.below",
    "rules.pack",
    "state.bomb_in",
    "state.cell_of",
    "state.range_of",
    "state.row_in",
    "state.slot_of",
    "state.stock_of",
    "survival.joint",
    "tree.play",
    "uct.best_child",
    "uct.carry_up",
    "uct.end_value",
    "uct.mean_of",
    "uct.scratch_place",
}


@pytest.mark.parametrize("agent", AGENTS)
def test_every_agent_has_its_parts(agent):
    parts = parts_of([agent])
    assert THE_GAME in parts
    inner = [split(part)[1] for part in parts if part != THE_GAME]
    assert inner == [""] or sorted(inner) == sorted(warm_ups(agent))
    assert sorted(SECONDS[part] for part in parts) == [SECONDS[part] for part in reversed(parts)]


def test_parts_are_those_of_the_agents_asked_for():
    assert parts_of([]) == [THE_GAME]
    assert parts_of(["mcts", "rhea", "mcts"]) == ["mcts", "rhea", THE_GAME]
    assert parts_of(["beam"]) == ["beam layers", "beam threats", THE_GAME]
    assert set(parts_of([*AGENTS, ENVIRONMENTS])) == set(SECONDS)


# Says for each agent which kernels it takes, and how often each is specialised, by finding their types alone.
COUNT = """
import json
from collections import Counter
from engine.jit import Entry
from search import AGENTS
from search.warm import warm_ups
from tests.search.typing_only import entries_used, specialisations

for agent in AGENTS:
    for use in warm_ups(agent).values():
        use()
print(json.dumps(specialisations(entries_used())))
"""


# Says which kernels Python calls in games of an agent that warming up has not used.
FORGOTTEN = """
import json, sys
import hsctl
from search.warm import THE_GAME, warm_ups
from tests.search.typing_only import entries_used

def used():
    return {(entry.py_func.__module__, entry.py_func.__qualname__, str(types)) for entry, types in entries_used()}

for part in (THE_GAME, sys.argv[1]):
    for use in warm_ups(part).values():
        use()
before = used()
for players in (2, 4):
    hsctl.play_game(*players * [sys.argv[1]], seed=3, nodes=20_000 if sys.argv[1] == "beam" else 300)
print(json.dumps(sorted(used() - before)))
"""


def run(code, *arguments):
    """What a program prints that runs in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize("agent", AGENTS)
def test_nothing_is_compiled_while_a_warm_agent_plays(agent):
    assert run(FORGOTTEN, agent) == []


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_each_kernel_is_compiled_once():
    counts = Counter(run(COUNT))
    assert len(counts) > 250
    several = {".".join(kernel.split(".")[-2:]) for kernel, count in counts.items() if count > 1}
    assert several <= SEVERAL_KINDS
    assert sum(counts.values()) - len(counts) <= 40  # compilations beyond one a kernel
