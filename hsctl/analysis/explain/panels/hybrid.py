"""What hybrid left behind: the state of its machine and why, and the scores of its search if there was one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rich.console import Group
from rich.text import Text

from engine.board import MOVES
from engine.position import player_of
from engine.rules import ACTION_NAMES
from hsctl.analysis.explain.panels.tree import tree_of
from hsctl.analysis.explain.read import read, trace_of
from hsctl.analysis.explain.show.compact import CompactTable
from hsctl.analysis.explain.show.tables import CHOSEN, format_number
from hsctl.analysis.explain.trace import Extent, Panel, Section, Trace, Value
from search.agent import Decision
from search.common.first_moves import members
from search.hybrid.agent import HybridAgent
from search.hybrid.machine import NOBODY, REASONS, STATES
from search.hybrid.tree import score_of

SUICIDE, DEADLY = "suicide", "deadly"


@dataclass(frozen=True)
class Machine(Panel):
    """The state of hybrid's machine and what led to it."""

    json_field = "machine"
    stands_first = True

    state: str  # explore, attack or evade
    why: str  # it does what it does
    decided_by: str  # rules, or the search
    rules: str  # what the rules alone would do
    bombs_around: int
    danger_below: float  # ticks
    in_reach: list[str]  # moves onto cells that a dangerous bomb reaches
    bombs_left: int
    enemy: int | None  # the nearest rival
    distance: int | None  # to that one
    score: float | None  # of the position itself, by the search's equation

    def reasons(self) -> list[str]:
        return [f"{self.state}: {self.why}"]

    def sections(self, trace: Trace, names: Sequence[str], extent: Extent) -> Iterator[Section]:
        """What each state looks at, in their order, and who decided."""
        bombs = f"bombs around {self.bombs_around}, dangerous below {format_number(self.danger_below, 0)} ticks"
        reach = f"in reach: {', '.join(self.in_reach) or 'no move'}"
        rival = "no rival is alive" if self.enemy is None else f"{names[self.enemy]} is {self.distance} away"
        table = CompactTable()
        table.add_column("state")
        table.add_column("what it looks at", folds=True)
        found = {"evade": f"{bombs}; {reach}", "attack": f"{rival}; bombs left {self.bombs_left}", "explore": ""}
        for state, looks_at in found.items():
            table.add_row(Text(state, CHOSEN if state == self.state else ""), looks_at)
        decided = f"\n{self.why}; decided by {self.decided_by}"
        if self.score is not None:
            decided += f" (rules alone: {self.rules}); the position itself scores {format_number(self.score)}"
        yield "the machine", Group(table, Text(decided))


# Reading


@read.register
def read_hybrid(agent: HybridAgent, state: np.record, player: int, decision: Decision) -> Trace:
    """A first move's value is the mean of its scores.

    The line is shown with the others standing still: the target of an attack moves at random.
    """
    machine = machine_of(agent, state, player)
    if not agent.is_searching:
        return trace_of(agent, state, player, decision, {}, machine)
    tree = tree_of(agent.tree, int(agent.search.iterations), int(agent.search.tree_size))
    bests = {child.action: Value(child.mean, 1) for child in tree.children}
    return trace_of(agent, state, player, decision, bests, machine, tree, rules=left_out(agent, bests))


def left_out(agent: HybridAgent, bests: dict[int, Value]) -> dict[int, str]:
    """Why first moves were not searched: bombs that would be suicide, and moves that were tried and found deadly."""
    allowed, untried = (members(int(words)) for words in (agent.search.allowed, agent.tree.untried[0]))
    rules = {action: SUICIDE for action in range(len(ACTION_NAMES)) if action not in allowed}
    return rules | {action: DEADLY for action in allowed if action not in bests and action not in untried}


def machine_of(agent: HybridAgent, state: np.record, player: int) -> Machine:
    machine, me = agent.machine, player_of(state, player)
    assert me is not None
    has_rival = int(machine.rival) != NOBODY
    search = agent.params.search
    return Machine(
        state=STATES[int(machine.state)],
        why=REASONS[int(machine.reason)],
        decided_by=(f"fmcs {agent.params.select}" if search == "fmcs" else search) if agent.is_searching else "rules",
        rules=ACTION_NAMES[int(machine.action)],
        bombs_around=int(machine.around),
        danger_below=float(machine.threshold),
        in_reach=[MOVES[move] for move in members(int(machine.in_reach))],
        bombs_left=me.bombs_left,
        enemy=int(machine.rival) if has_rival else None,
        distance=int(machine.distance) if has_rival else None,
        score=score_now(agent, state, player) if agent.is_searching else None,
    )


def score_now(agent: HybridAgent, state: np.record, player: int) -> float:
    return float(score_of(state, player, int(agent.search.rival), agent.search, agent.tree.areas))
