"""Whether a trace is right: its rows add up to what the searches counted, and lead to the plan that was played.

Counters come from the searches, rows from what they left behind: nothing but the same decision makes both agree.

    rows        as many as the end says, every node once, every parent there
    counters    per pass, layer and fate (`counts_of`), against `passes` of the end
    scores      the terms of a beam's row add up to its score; a layer holds the best ranks
    best line   from the best node up to the root: the plan
"""

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isclose
from pathlib import Path
from typing import Any

from hsctl.analysis.explain.tracing.files import TraceReader
from hsctl.analysis.explain.tracing.rows import (
    DEAD,
    DUPLICATE,
    EXPANDED,
    GLOBAL_CUT,
    LOCAL_CUT,
    LOST,
    RULED_OUT,
    PassCount,
    TraceEnd,
    TraceHeader,
)
from search.beam.terms import BEAM_TERMS
from search.common.planning import SAFE_MOVE

Count = tuple[int | None, str, int]  # layer (None: the whole pass), what is counted, by how much it grows
MOST_SHOWN = 5  # differences of one kind
FATE_COUNTERS = {
    DUPLICATE: "duplicates",
    DEAD: "dead",
    RULED_OUT: "unsurvivable",
    LOCAL_CUT: "local_cut",
    GLOBAL_CUT: "global_cut",
    LOST: "lost",
}
FAR = 1 << 24  # a node's number beyond the rows so far that no search gives
WHEN_KEPT = {"kept", "expanded"}  # counters that can be checked without dropped children


@dataclass
class TraceCheck:
    """What was compared, and what differed."""

    rows: int = 0
    compared: int = 0  # counters
    has_plan: bool = False  # whether the best line was compared with the plan
    skipped: list[str] = field(default_factory=list)  # what could not be compared
    differences: list[str] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        return not self.differences


def check_trace(path: Path) -> TraceCheck:
    """Read a trace and compare."""
    reader, found = TraceReader(path), TraceCheck()
    book = Book(reader.header)
    for row in reader.rows():
        found.rows += 1
        try:
            book.add(row)
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
            raise reader.damaged() from None
    end = reader.ended
    if end is None or end.cut:
        found.differences.append("the trace was cut: rows are missing")
        return found
    if end.rows != found.rows:
        found.differences.append(f"{found.rows} rows, but its end says {end.rows}")
    found.differences += book.differences
    compare_counters(book, end, found)
    if not reader.header.filters:
        found.differences += book.missing_parents()
        found.differences += check_plan(book, end)
        found.has_plan = True
    else:
        found.skipped.append("parents and the best line: rows were filtered")
    return found


class Book:
    """What is kept of the rows while they are read."""

    def __init__(self, header: TraceHeader) -> None:
        self.header = header
        self.counts: Counter[tuple[int, int | None, str]] = Counter()
        self.nodes = 0
        self.parents = array("q")  # [node], -1 for a root, -2 where there is no row
        self.moves: dict[str, int] = {}
        self.actions = array("b")  # [node], number in moves
        self.sides = array("b")  # [node], -1: the player's
        self.differences: list[str] = []
        self.plans: dict[int, list[str]] = {}  # of rows that are whole plans
        self.filtered: set[int] = set()  # nodes of a trace with fewer rows: their numbers are far apart
        self.asked: set[tuple[int, int]] = set()

    def add(self, row: dict[str, Any]) -> None:
        if "node" in row and row["record"] != "walk":
            self.add_node(row)
        if row["record"] == "own":
            return
        for layer, name, amount in self.counts_of(row):
            self.counts[row["pass"], layer, name] += amount

    def differ(self, text: str) -> None:
        if len(self.differences) < MOST_SHOWN:
            self.differences.append(text)

    def add_node(self, row: dict[str, Any]) -> None:
        node, parent = row["node"], row.get("parent")
        if self.header.filters:
            if node in self.filtered:
                self.differ(f"node {node} is there twice")
            self.filtered.add(node)
            return
        self.nodes += 1
        if not 0 <= node < self.nodes + FAR:
            raise ValueError
        if (missing := node + 1 - len(self.parents)) > 0:
            self.parents.extend([-2] * missing)
            self.actions.extend([-1] * missing)
            self.sides.extend([-1] * missing)
        if self.parents[node] != -2:
            self.differ(f"node {node} is there twice")
        self.parents[node] = -1 if parent is None else parent
        action = row.get("action")
        self.actions[node] = -1 if action is None else self.moves.setdefault(action, len(self.moves))
        side = row.get("side")
        self.sides[node] = -1 if side is None or side == self.header.player else side
        if plan := row.get("done", row.get("line")):
            self.plans[node] = plan

    def counts_of(self, row: dict[str, Any]) -> Iterator[Count]:
        """What a row adds to which counters."""
        match row["record"]:
            case "beam":
                yield from self.count_child(row)
            case "threat":
                question = row["pass"], row["asked"]
                if question not in self.asked:
                    self.asked.add(question)
                    yield None, "questions", 1
                    yield None, "nodes", row["nodes"]
            case "tree":
                yield None, "size", 1
                yield row["depth"], "nodes", 1
                if row["parent"] is None:
                    yield None, "visits", row["visits"]
            case "walk":
                yield None, "iterations", 1
            case "genome":
                yield None, "tried", 1
                yield None, "nodes", row["nodes"]
                yield row["generation"], "tried", 1
            case "alpha-beta":
                yield row["deepening"], "nodes", int(row["stepped"])
                yield row["deepening"], "hits", int(row["kind"] == "table")
                yield row["deepening"], "cutoffs", int(row["cutoff"])
                yield row["deepening"], "first_cutoffs", int(row["first_cutoff"])
                yield None, "nodes", int(row["stepped"])
            case "candidate":
                yield None, "candidates", 1
                yield None, "nodes", row["nodes"]

    def count_child(self, row: dict[str, Any]) -> Iterator[Count]:
        depth, fate = row["depth"], row["fate"]
        if fate == EXPANDED:
            yield depth + 1, "expanded", 1
        if depth == 0:
            return
        yield depth, "generated", 1
        yield None, "nodes", int(fate != RULED_OUT)
        if fate in FATE_COUNTERS:
            yield depth, FATE_COUNTERS[fate], 1
        elif row["layer_place"] is not None:
            yield depth, "kept", 1
            yield None, "states", 1
        self.check_score(row)

    def check_score(self, row: dict[str, Any]) -> None:
        """The terms add up, and the selection went by rank."""
        node, score = row["node"], row["score"]
        if score is not None:
            total = sum(row[name] or 0.0 for name in BEAM_TERMS)
            if not isclose(total, score, rel_tol=1e-9, abs_tol=1e-6):
                self.differ(f"node {node}: its terms add up to {total}, its score is {score}")
        if row["fate"] == EXPANDED and row["layer_place"] is None:
            self.differ(f"node {node}: expanded, but in no layer")
        if row["rank"] is not None and row["layer_place"] is not None and row["layer_place"] > row["rank"]:
            self.differ(f"node {node}: place {row['layer_place']} in its layer, but rank {row['rank']}")

    def missing_parents(self) -> list[str]:
        """Nodes whose parent has no row."""
        count = len(self.parents)
        lost = [
            at
            for at, parent in enumerate(self.parents)
            if parent >= count or (parent >= 0 and self.parents[parent] == -2)
        ]
        return [f"node {node}: its parent {self.parents[node]} is missing" for node in lost[:MOST_SHOWN]]

    def line_to(self, node: int) -> list[str]:
        """The player's actions from the root to a node."""
        names, line, steps = list(self.moves), [], 0
        while 0 <= node < len(self.parents) and steps <= len(self.parents):
            if self.actions[node] >= 0 and self.sides[node] == -1:
                line.append(names[self.actions[node]])
            node, steps = self.parents[node], steps + 1
        return line[::-1]


def compare_counters(book: Book, end: TraceEnd, found: TraceCheck) -> None:
    """The counters of every pass against the rows."""
    filters = book.header.filters
    if "depths" in filters and "alpha-beta" in book.header.rows:
        found.skipped.append("counters: only some plies were written")
        return
    if "first_move" in filters:
        found.skipped.append("counters: only one first move was written")
        return
    for each in end.passes:
        expected: list[Count] = [(None, name, count) for name, count in each.totals.items()]
        for layer in each.layers:
            expected += [(layer["depth"], name, count) for name, count in layer.items() if name != "depth"]
        for depth, name, count in expected:
            if is_comparable(filters, depth, name):
                found.compared += 1
                rows = book.counts[each.number, depth, name]
                if rows != count:
                    found.differences.append(describe_difference(each, depth, name, count, rows))
    if "kept" in filters:
        found.skipped.append("dropped children: they were left out")
    if "depths" in filters:
        found.skipped.append("other depths: they were left out")


def is_comparable(filters: dict[str, Any], depth: int | None, name: str) -> bool:
    """Whether the rows that were wanted can add up to a counter."""
    if "kept" in filters and name not in WHEN_KEPT:
        return False
    if "depths" not in filters:
        return True
    first, last = filters["depths"]
    return depth is not None and first <= depth <= last and (name != "expanded" or depth > first)


def describe_difference(each: PassCount, depth: int | None, name: str, count: int, rows: int) -> str:
    where = f"pass {each.number} ({each.stage})" + ("" if depth is None else f", layer {depth}")
    return f"{where}: {count} {name} counted, {rows} in the rows"


def check_plan(book: Book, end: TraceEnd) -> list[str]:
    """Following parents from the best node gives the plan."""
    if end.best is None:
        is_missing = end.decided_by != SAFE_MOVE and any(each.stage == "own" and each.line for each in end.passes)
        return ["the end names no best node"] if is_missing else []
    line = book.plans.get(end.best) or book.line_to(end.best)
    return [] if line == end.plan else [f"the best line is {' '.join(line)}, the plan was {' '.join(end.plan)}"]
