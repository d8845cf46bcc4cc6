"""What the tests of hybrid share: agents made once, and their decisions on drawn positions."""

import numpy as np

from engine.board import CELLS
from engine.rules import ACTION_NAMES
from search.agent import Budget
from search.hybrid.agent import HybridAgent
from search.hybrid.machine import REASONS, STATES
from tests.search.positions import agent, decide, drawn

NODES = 400
FAR = "0 1 12 10 1 3"  # somebody who is never met
DUEL = "..\n0 0 4 4 1 3\n0 1 6 4 1 3"


def hybrid(spec: str = "hybrid") -> HybridAgent:
    return agent(spec)


def consider(text: str, spec: str = "hybrid:heuristic") -> tuple[str, str, str]:
    """State, reason and action of the rules alone for player 0."""
    machine = hybrid(spec)
    decision = decide(machine, drawn(text), Budget(nodes=NODES))
    found = machine.machine
    return STATES[found.state], REASONS[found.reason], ACTION_NAMES[decision.action]


def searched(text: str, spec: str = "hybrid", nodes: int = NODES) -> HybridAgent:
    """An agent that had to search on the position; its memory is left behind."""
    made = hybrid(spec)
    decide(made, drawn(text), Budget(nodes=nodes))
    assert made.is_searching
    return made


def cell_at(x: int, y: int) -> np.uint64:
    return np.uint64(CELLS[y, x])
