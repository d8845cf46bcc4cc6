"""The tree of a search: visits, means and maxima of its first moves, its depths, its most visited line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from rich.console import Group
from rich.text import Text

from engine.rules import ACTION_NAMES
from hsctl.analysis.explain.show.compact import CompactTable
from hsctl.analysis.explain.show.tables import action_text, format_number, histogram, pick_depths, term_names
from hsctl.analysis.explain.trace import Extent, Panel, Section, Terms, Trace
from replays.render.turn import QUIET, format_count
from search.common.uct import NO_NODE, Counts


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

    def sections(self, trace: Trace, names: Sequence[str], extent: Extent) -> Iterator[Section]:
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
