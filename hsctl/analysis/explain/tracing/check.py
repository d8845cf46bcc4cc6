"""Whether a trace is right: its rows add up to what the searches counted, and lead to the plan that was played.

Counters come from the searches, rows from what they left behind: nothing but the same decision makes both agree.

    rows        as many as the end says, every node once, every parent there, and how they fit (links.py)
    counters    per pass, layer and fate (`counts_of`), against `passes` of the end
    scores      the terms of a beam's row add up to its score; a layer holds the best ranks
    best line   from the best node up to the root: the plan
"""

import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf, isclose
from pathlib import Path
from typing import Any

from hsctl.analysis.explain.tracing.files import TraceReader
from hsctl.analysis.explain.tracing.links import MOST_SHOWN, Links
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
FATE_COUNTERS = {
    DUPLICATE: "duplicates",
    DEAD: "dead",
    RULED_OUT: "unsurvivable",
    LOCAL_CUT: "local_cut",
    GLOBAL_CUT: "global_cut",
    LOST: "lost",
}
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
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError, struct.error):
            raise reader.damaged() from None
    end = reader.ended
    if end is None or end.cut:
        found.differences.append("the trace was cut: rows are missing")
        return found
    if end.rows != found.rows:
        found.differences.append(f"{found.rows} rows, but its end says {end.rows}")
    found.differences += book.differences
    found.differences += check_stages(book, end)
    found.differences += book.links.differences(end)
    compare_counters(book, end, found)
    if has_plan(reader.header.filters, end):
        found.differences += check_plan(book, end)
        found.has_plan = end.best is not None
    else:
        found.skipped.append("the best line: its rows were left out")
    return found


class Book:
    """What is kept of the rows while they are read."""

    def __init__(self, header: TraceHeader) -> None:
        self.header = header
        self.counts: Counter[tuple[int, int | None, str]] = Counter()
        self.links = Links(header)
        self.stages: set[tuple[int, str, int]] = set()  # pass, stage, player
        self.differences: list[str] = []
        self.plans: dict[int, list[str]] = {}  # of rows that are whole plans
        self.asked: set[tuple[int, int]] = set()
        self.fittest: dict[int, float] = {}  # by pass

    def add(self, row: dict[str, Any]) -> None:
        if row["record"] == "own":
            return
        self.links.add(row)
        self.stages.add((row["pass"], row["stage"], row["player"]))
        if plan := row.get("done", row.get("line")):
            self.plans[row["node"]] = plan
        for layer, name, amount in self.counts_of(row):
            self.counts[row["pass"], layer, name] += amount

    def differ(self, text: str) -> None:
        if len(self.differences) < MOST_SHOWN:
            self.differences.append(text)

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
                self.check_fitness(row)
            case "alpha-beta":
                yield row["deepening"], "nodes", int(row["stepped"])
                yield row["deepening"], "hits", int(row["kind"] == "table")
                yield row["deepening"], "cutoffs", int(row["cutoff"])
                yield row["deepening"], "first_cutoffs", int(row["first_cutoff"])
                yield None, "nodes", int(row["stepped"])
            case "candidate":
                yield None, "candidates", 1
                yield None, "nodes", row["nodes"]

    def check_fitness(self, row: dict[str, Any]) -> None:
        """Best is who is fitter than all before."""
        fittest = self.fittest.get(row["pass"], -inf)
        if row["best"] != (row["fitness"] > fittest):
            self.differ(f"node {row['node']}: its fitness is {row['fitness']}, the best before {fittest}")
        self.fittest[row["pass"]] = max(fittest, row["fitness"])

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


def check_stages(book: Book, end: TraceEnd) -> list[str]:
    """Every row is of a pass that the end knows, of its stage and its player."""
    wrong = sorted(book.stages - {(each.number, each.stage, each.player) for each in end.passes})
    return [f"pass {number} of player {player}: no such pass ({stage})" for number, stage, player in wrong[:MOST_SHOWN]]


def has_plan(filters: dict[str, Any], end: TraceEnd) -> bool:
    """Whether the rows of the best line are there."""
    return "depths" not in filters and filters.get("first_move", end.action) == end.action


def check_plan(book: Book, end: TraceEnd) -> list[str]:
    """Following parents from the best node gives the plan."""
    if end.best is None:
        is_missing = end.decided_by != SAFE_MOVE and any(each.stage == "own" and each.line for each in end.passes)
        return ["the end names no best node"] if is_missing else []
    line = book.plans.get(end.best) or book.links.line_to(end.best)
    return [] if line == end.plan else [f"the best line is {' '.join(line)}, the plan was {' '.join(end.plan)}"]
