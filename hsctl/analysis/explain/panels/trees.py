"""Tree searches: visits, means and maxima of the first moves, depths, the most visited line; mcts, bias and hybrid."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from rich.console import Group
from rich.text import Text

from engine.board import MOVES
from engine.position import player_of
from engine.rules import ACTION_NAMES
from hsctl.analysis.explain.findings import (
    Extent,
    Findings,
    Panel,
    Section,
    Terms,
    Value,
    findings_of,
    read_search,
    rules_of_careful,
)
from hsctl.analysis.explain.tables import (
    CHOSEN,
    CompactTable,
    action_text,
    format_number,
    histogram,
    pick_depths,
    term_names,
)
from hsctl.analysis.explain.why_not import (
    UNTRIED,
    VISITS,
    LineFate,
    Standing,
    WhyNot,
    fate_before_search,
    fate_of_standings,
    fate_of_untried,
    follow_line,
)
from replays.render.turn import QUIET, format_count
from search.agent import Agent, Decision
from search.bias.agent import BiasAgent
from search.bias.tree import ROOT, bias, exploitation
from search.common.first_moves import members
from search.common.uct import NO_NODE, Counts, exploration, logarithm, mean_of
from search.hybrid.agent import HybridAgent
from search.hybrid.machine import NOBODY, REASONS, STATES
from search.hybrid.tree import score_of
from search.mcts.agent import MctsAgent


@dataclass(frozen=True)
class Visit:
    """A node of the tree, by the action that leads to it."""

    action: int
    name: str
    visits: int
    mean: float
    maximum: float
    terms: Terms = field(default_factory=dict)  # what the next walk would compare; empty if it is UCT alone


@dataclass(frozen=True)
class Tree(Panel):
    """What a tree search left behind."""

    json_field = "tree"

    iterations: int
    size: int
    children: list[Visit]  # of the root
    depths: list[int]  # [depth], nodes of the tree
    most_visited: list[Visit]

    def limit(self, extent: Extent) -> Self:
        return replace(self, most_visited=self.most_visited[: extent.depth])

    def sections(self, findings: Findings, names: Sequence[str], extent: Extent) -> Iterator[Section]:
        children = sorted(self.children, key=lambda child: -child.terms.get("mean", child.maximum))
        size = f"{format_count(self.iterations)} iterations, {format_count(self.size)} nodes of the tree"
        shown = [self.most_visited[at] for at in pick_depths(len(self.most_visited), extent.depth)]
        yield (
            "the tree",
            Group(
                visit_table("first move", children),
                Text(f"\n{size}; by depth:", QUIET),
                histogram(self.depths),
                Text("\nthe most visited line:", QUIET),
                visit_table("action", shown),
            ),
        )


# Reading


def tree_of(counts: Counts, iterations: int, size: int) -> Tree:
    """The panel of a tree whose root is node 0."""
    return Tree(iterations, size, visits_below(counts, 0), count_depths(counts), most_visited(counts))


def visit_of(counts: Counts, action: int, node: int) -> Visit:
    visits = int(counts.visits[node])
    return Visit(action, ACTION_NAMES[action], visits, float(counts.total[node] / visits), float(counts.best[node]))


def visits_below(counts: Counts, node: int) -> list[Visit]:
    """The children of a node."""
    found = enumerate(counts.child[node].tolist())
    return [visit_of(counts, action, child) for action, child in found if child != NO_NODE]


def count_depths(counts: Counts) -> list[int]:
    """How many nodes of the tree are at each depth, the root's first."""
    sizes = []
    level = np.array([0])
    while level.size:
        sizes.append(int(level.size))
        children = counts.child[level].ravel()
        level = children[children != NO_NODE]
    return sizes


def most_visited(counts: Counts) -> list[Visit]:
    """From the root always to the child visited most."""
    line: list[Visit] = []
    node = 0
    while children := visits_below(counts, node):
        line.append(max(children, key=lambda child: child.visits))
        node = int(counts.child[node, line[-1].action])
    return line


def follow_tree(
    agent: Agent,
    counts: Counts,
    state: np.record,
    player: int,
    line: list[int],
    decision: Decision,
    findings: Findings,
    worth: Callable[[Visit], float],
) -> WhyNot:
    """Follow a line from node to node; `worth` is what the agent chooses by."""
    if (fate := fate_before_search(line, decision, findings)) is not None:
        return WhyNot(line, [], fate, VISITS)
    standings: list[Standing] = []
    best: list[float] = []
    node = 0
    for depth, action in enumerate(line, 1):
        children = sorted(visits_below(counts, node), key=worth, reverse=True)
        rank = next((rank for rank, child in enumerate(children, 1) if child.action == action), None)
        if rank is None:
            return WhyNot(line, standings, fate_of_untried(agent, state, player, line, standings, best), VISITS)
        found = children[rank - 1]
        standings.append(Standing(depth, action, found.visits, rank, len(children), worth(found)))
        best.append(worth(children[0]))
        node = int(counts.child[node, action])
    return WhyNot(line, standings, fate_of_standings(standings, best), VISITS)


# Showing


def visit_table(head: str, visits: Sequence[Visit]) -> CompactTable:
    table = CompactTable()
    table.add_column(head)
    for name in ("visits", "mean", "maximum"):
        table.add_column(name, justify="right")
    names = [name for name in term_names([visit.terms for visit in visits]) if name != "mean"]
    for name in [*names, *(["together"] if names else [])]:
        table.add_column(name, justify="right")
    for visit in visits:
        terms = [visit.terms[name] for name in names]
        cells = [visit.mean, visit.maximum, *terms, *([visit.mean + sum(terms)] if names else [])]
        table.add_row(action_text(visit.action), str(visit.visits), *(format_number(cell, 4) for cell in cells))
    return table


# mcts


@read_search.register
def read_mcts(agent: MctsAgent, state: np.record, player: int, decision: Decision) -> Findings:
    """A first move's value is the highest of its simulations."""
    tree = tree_of(agent.tree, int(agent.walk.iterations), int(agent.walk.tree_size))
    bests = {child.action: Value(child.maximum, 1) for child in tree.children}
    rules = rules_of_careful(agent, state, player)
    return findings_of(agent, state, player, decision, bests, tree, rules=rules)


@follow_line.register
def follow_mcts(
    agent: MctsAgent, state: np.record, player: int, line: list[int], decision: Decision, findings: Findings
) -> WhyNot:
    return follow_tree(agent, agent.tree, state, player, line, decision, findings, lambda visit: visit.maximum)


# bias: what equation 3 adds up for each first move


@read_search.register
def read_bias(agent: BiasAgent, state: np.record, player: int, decision: Decision) -> Findings:
    """A first move's value is the mean of its simulations.

    The line is shown with the others standing still, since no plans are predicted.
    """
    tree = tree_of(agent.tree, int(agent.walk.iterations), int(agent.walk.tree_size))
    tree = replace(tree, children=[replace(child, terms=terms_of(agent, child.action)) for child in tree.children])
    bests = {child.action: Value(child.mean, 1) for child in tree.children}
    return findings_of(agent, state, player, decision, bests, tree)


@follow_line.register
def follow_bias(
    agent: BiasAgent, state: np.record, player: int, line: list[int], decision: Decision, findings: Findings
) -> WhyNot:
    return follow_tree(agent, agent.tree, state, player, line, decision, findings, lambda visit: visit.mean)


def terms_of(agent: BiasAgent, action: int) -> Terms:
    """What the next walk would compare: mean (and what scaling makes of it), exploration and bias of a first move."""
    tree = agent.tree
    child = int(tree.child[ROOT, action])
    log = logarithm(tree.logarithms, tree.visits[ROOT])
    mean = float(mean_of(tree, child))
    scaling = {"scaling": float(exploitation(tree, ROOT, child, True)) - mean} if agent.params.normalise else {}
    return {
        "mean": mean,
        **scaling,
        "exploration": float(exploration(agent.params.c, log, tree.visits[child])),
        "bias": float(bias(tree.h[child], tree.visits[child])),
    }


# hybrid: the state of its machine, and the scores of its search


SUICIDE, DEADLY = "suicide", "deadly"
RULES_ALONE = "the machine's rules decided without a search"


@dataclass(frozen=True)
class Machine(Panel):
    """The state of hybrid's machine and what led to it."""

    json_field = "machine"
    comes_first = True

    state: str  # explore, attack or evade
    why: str  # it does what it does
    decided_by: str  # rules, or the search
    rules: str  # what the rules alone would do
    bombs_around: int
    danger_below: float  # ticks
    in_reach: list[str]  # moves onto cells that a dangerous bomb reaches
    bombs_left: int
    enemy: int | None  # the nearest opponent
    distance: int | None  # to that one
    score: float | None  # of the position itself, by the search's equation

    def reasons(self) -> list[str]:
        return [f"{self.state}: {self.why}"]

    def sections(self, findings: Findings, names: Sequence[str], extent: Extent) -> Iterator[Section]:
        """What each state checks, in their order, and whether rules or the search decided."""
        bombs = f"bombs around {self.bombs_around}, dangerous below {format_number(self.danger_below, 0)} ticks"
        reach = f"in reach: {', '.join(self.in_reach) or 'no move'}"
        rival = "no opponent is alive" if self.enemy is None else f"{names[self.enemy]} is {self.distance} away"
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


@read_search.register
def read_hybrid(agent: HybridAgent, state: np.record, player: int, decision: Decision) -> Findings:
    """A first move's value is the mean of its scores.

    The line is shown with the others standing still: the target of an attack moves at random.
    """
    machine = machine_of(agent, state, player)
    if not agent.is_searching:
        return findings_of(agent, state, player, decision, {}, machine)
    tree = tree_of(agent.tree, int(agent.search.iterations), int(agent.search.tree_size))
    bests = {child.action: Value(child.mean, 1) for child in tree.children}
    return findings_of(agent, state, player, decision, bests, machine, tree, rules=left_out_by_hybrid(agent, bests))


@follow_line.register
def follow_hybrid(
    agent: HybridAgent, state: np.record, player: int, line: list[int], decision: Decision, findings: Findings
) -> WhyNot:
    if not agent.is_searching:
        return WhyNot(line[:1], [], fate_before_search(line, decision, findings) or LineFate(UNTRIED, 1, RULES_ALONE))
    return follow_tree(agent, agent.tree, state, player, line, decision, findings, lambda visit: visit.mean)


def left_out_by_hybrid(agent: HybridAgent, bests: dict[int, Value]) -> dict[int, str]:
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
