"""Whether a trace is right: its rows add up to what the searches counted, and lead to the plan that was played.

Counters come from the searches, rows from what they left behind: nothing but the same decision makes both agree.

    rows        as many as the end says, every node once, every parent there, and they fit each other (`Links`)
    counters    per pass, layer and fate (`counts_of`), against `passes` of the end
    scores      the terms of a beam's row add up to its score; a layer holds the best ranks
    best line   from the best node up to the root: the plan
"""

import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, isclose
from pathlib import Path
from struct import Struct
from typing import Any

import numpy as np

from engine.rules import ACTION_NAMES
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

# How rows fit each other. They are packed one by one as they are read, and compared column by column at the end


MOST_SHOWN = 5  # differences of one kind
NONE = -1  # a value that is null; nan for a number with a fraction
FAR = 1 << 24  # a node's number beyond the rows so far that no search gives
NODE = {  # columns of a node, and how they are packed
    **dict.fromkeys(("node", "parent", "twin", "visits"), "q"),
    **dict.fromkeys(("pass", "depth", "rank", "layer_place", "x"), "i"),
    **dict.fromkeys(("value", "mean"), "d"),
    **dict.fromkeys(("record", "action", "first_move", "side", "fate", "kind", "best"), "h"),
}
WALK = {
    **dict.fromkeys(("node", "iteration"), "q"),
    **dict.fromkeys(("pass", "depth"), "i"),
    **dict.fromkeys(("first_move", "is_new"), "h"),
    "value": "d",
}
NAMES = ("record", "action", "first_move", "fate", "kind")  # packed as numbers
LAYERED = ("beam", "tree")  # whose best rows make a line
TREES = (*LAYERED, "alpha-beta")
FROM_REPLIES = ("exact", "at least")  # nodes of negamax whose value is that of the best reply


class PackedRows:
    """Rows of some columns."""

    def __init__(self, columns: dict[str, str]) -> None:
        self.kinds = [(name, f"={kind}") for name, kind in columns.items()]
        self.empty = {name: np.nan if kind == "d" else NONE for name, kind in columns.items()}
        self.pack = Struct("=" + "".join(columns.values())).pack
        self.data = bytearray()

    def add(self, row: dict[str, Any]) -> None:
        self.data += self.pack(
            *(rest if (value := row.get(name)) is None else value for name, rest in self.empty.items())
        )

    def read(self) -> np.ndarray:
        return np.frombuffer(self.data, self.kinds)


class Links:
    """The nodes and walks of a trace."""

    def __init__(self, header: TraceHeader) -> None:
        self.filters, self.player = header.filters, header.player
        self.is_tree = header.agent.partition(":")[0] != "duel"  # in a duel, several moves may lead to a node
        self.packed, self.packed_walks = PackedRows(NODE), PackedRows(WALK)
        self.codes: dict[str, int] = {}
        self.count = 0
        self.nodes, self.walks = np.zeros(0, self.packed.kinds), np.zeros(0, self.packed_walks.kinds)
        self.above = np.zeros(0, np.int64)  # [node], the place of its parent, or NONE

    def code(self, name: str) -> int:
        return self.codes.setdefault(name, len(self.codes))

    def add(self, row: dict[str, Any]) -> None:
        self.count += 1
        if row["node"] < 0 or (not self.filters and row["node"] > self.count + FAR):
            raise ValueError
        coded = {name: self.code(row[name]) for name in NAMES if row.get(name) is not None}
        (self.packed_walks if row["record"] == "walk" else self.packed).add({**row, **coded})

    def differences(self, end: TraceEnd) -> Iterator[str]:
        """Everything that doesn't fit."""
        nodes = self.packed.read()
        self.nodes = nodes = nodes[np.argsort(nodes["node"], kind="stable")]
        self.walks = self.packed_walks.read()
        if not len(nodes):
            return
        yield from shown(nodes["node"][1:][np.diff(nodes["node"]) == 0], "is there twice")
        self.above = self.places_of(nodes["parent"])
        if "depths" not in self.filters:
            yield from shown(nodes["node"][(nodes["parent"] != NONE) & (self.above == NONE)], "its parent is missing")
        yield from self.check_parents()
        yield from self.check_layers()
        yield from self.check_replies()
        if not self.filters:
            yield from self.check_walks()
            yield from self.check_visits()
        if not {"depths", "first_move"} & self.filters.keys():
            for each in end.passes:
                yield from self.check_line(each)

    def places_of(self, numbers: np.ndarray) -> np.ndarray:
        """Where the nodes with these numbers are, or NONE."""
        at = np.minimum(np.searchsorted(self.nodes["node"], numbers), len(self.nodes) - 1)
        return np.where(self.nodes["node"][at] == numbers, at, NONE)

    def is_of(self, records: Sequence[str]) -> np.ndarray:
        """[node], whether its row is of one of these kinds."""
        return np.isin(self.nodes["record"], [self.code(name) for name in records])

    def check_parents(self) -> Iterator[str]:
        """A child is one deeper than its parent, in the same pass and below the same first move."""
        is_child = self.above != NONE
        nodes, above, is_tree = self.nodes[is_child], self.nodes[self.above[is_child]], self.is_of(TREES)[is_child]
        yield from shown(nodes["node"][nodes["pass"] != above["pass"]], "its parent is of another pass")
        yield from shown(nodes["node"][nodes["depth"] != above["depth"] + 1], "its depth is not that of its parent + 1")
        first = np.where(above["depth"] == 0, nodes["action"], above["first_move"])
        yield from shown(nodes["node"][is_tree & (nodes["first_move"] != first)], "its first move is another")
        is_beam = nodes["record"] == self.code("beam")
        yield from shown(nodes["node"][is_beam & (above["fate"] != self.code(EXPANDED))], "its parent was not expanded")

    def check_layers(self) -> Iterator[str]:
        """The ranks of a layer and the places in it are there once each; the dead stand nowhere; twins are beside."""
        nodes = self.nodes[self.is_of(("beam",))]
        layer = nodes["pass"].astype(np.int64) << 32 | nodes["depth"]
        for name in ("rank", "layer_place"):
            if not self.filters.keys() - ({"depths"} if name == "rank" else {"depths", "kept"}):
                is_there = nodes[name] != NONE
                yield from shown(nodes["node"][is_there][gaps(layer[is_there], nodes[name][is_there])], f"its {name}")
        is_dead, has_cell = nodes["fate"] == self.code(DEAD), nodes["x"] != NONE
        yield from shown(
            nodes["node"][is_dead & has_cell | (nodes["fate"] == self.code(EXPANDED)) & ~has_cell], "its x"
        )
        has_twin = nodes["twin"] != NONE
        twins = self.places_of(nodes["twin"][has_twin])
        own, other = nodes[has_twin], self.nodes[twins]
        is_wrong = (other["pass"] != own["pass"]) | (other["depth"] != own["depth"]) | (other["x"] != own["x"])
        if "first_move" not in self.filters and "kept" not in self.filters:
            yield from shown(own["node"][is_wrong | (twins == NONE)], "its twin")

    def check_replies(self) -> Iterator[str]:
        """A value of negamax is that of the best reply, for the other side."""
        nodes = self.nodes
        is_reply = self.is_of(("alpha-beta",)) & (self.above != NONE) & ~np.isnan(nodes["value"])
        best = np.full(len(nodes), -np.inf)
        np.maximum.at(best, self.above[is_reply], nodes["value"][is_reply])
        best[nodes["parent"] != NONE] *= -1.0
        is_inner = np.isin(nodes["kind"], [self.code(kind) for kind in FROM_REPLIES]) & self.is_of(("alpha-beta",))
        if not self.filters:
            yield from shown(nodes["node"][is_inner & (nodes["value"] != best)], "its value is not that of a reply")

    def check_walks(self) -> Iterator[str]:
        """Every iteration is there, in order, and its end is the node it names."""
        walks, at = self.walks, self.places_of(self.walks["node"])
        ends = self.nodes[at]
        is_wrong = (at == NONE) | (ends["pass"] != walks["pass"])
        if self.is_tree:
            is_wrong |= (ends["depth"] != walks["depth"]) | (ends["first_move"] != walks["first_move"])
        yield from (f"iteration {number}: its node" for number in walks["iteration"][is_wrong][:MOST_SHOWN])
        for number in np.unique(walks["pass"]):
            iterations = walks["iteration"][walks["pass"] == number]
            if (iterations != np.arange(len(iterations))).any():
                yield f"pass {number}: iterations are missing or out of order"
        made, counts = np.unique(walks["node"][walks["is_new"] == 1], return_counts=True)
        is_grown = self.is_of(("tree",)) & np.isin(self.nodes["pass"], self.fresh()) & (self.nodes["parent"] != NONE)
        yield from shown(made[counts > 1], "was made twice")
        yield from shown(np.setdiff1d(self.nodes["node"][is_grown], made), "no walk made it")

    def check_visits(self) -> Iterator[str]:
        """A node of a tree was visited by the walks that ended there and by those that went on below it."""
        if not self.is_tree:
            return
        nodes, is_known = self.nodes, self.is_of(("tree",)) & np.isin(self.nodes["pass"], self.fresh())
        is_child, ended = is_known & (self.above != NONE), self.places_of(self.walks["node"])
        is_ended = ended != NONE
        visits, totals = np.zeros(len(nodes), np.int64), np.zeros(len(nodes))
        np.add.at(visits, self.above[is_child], nodes["visits"][is_child])
        np.add.at(visits, ended[is_ended], 1)
        np.add.at(totals, self.above[is_child], (nodes["mean"] * nodes["visits"])[is_child])
        np.add.at(totals, ended[is_ended], self.walks["value"][is_ended])
        yield from shown(nodes["node"][is_known & (nodes["visits"] != visits)], "its visits are not those of walks")
        is_close = np.isclose(totals, nodes["mean"] * nodes["visits"], rtol=1e-6, atol=1e-6)
        yield from shown(nodes["node"][is_known & (visits > 0) & ~is_close], "its mean is not that of walks")

    def fresh(self) -> list[int]:
        """The passes whose tree began empty: a duel may go on with that of the turn before."""
        numbers, walks = np.unique(self.walks["pass"], return_counts=True)
        is_root = self.is_of(("tree",)) & (self.nodes["parent"] == NONE)
        roots = dict(zip(self.nodes["pass"][is_root].tolist(), self.nodes["visits"][is_root].tolist(), strict=True))
        return [
            number for number, count in zip(numbers.tolist(), walks.tolist(), strict=True) if roots.get(number) == count
        ]

    def check_line(self, each: PassCount) -> Iterator[str]:
        """The rows that are marked as best are the line that the pass found."""
        nodes = self.nodes[(self.nodes["pass"] == each.number) & (self.nodes["best"] == 1) & self.is_of(LAYERED)]
        nodes = nodes[np.argsort(nodes["depth"])]
        if not len(nodes):
            return
        is_line = (nodes["parent"][1:] == nodes["node"][:-1]).all()
        moves, line = self.moves_of(nodes, each.player), [ACTION_NAMES[action] for action in each.line]
        if not is_line or moves != line[: len(moves)] or bool(moves) != bool(line):  # a tree may end before its line
            yield f"pass {each.number} ({each.stage}): its best rows are not the line that it found"

    def moves_of(self, nodes: np.ndarray, player: int) -> list[str]:
        """A player's actions along some nodes."""
        names = list(self.codes)
        is_own = (nodes["action"] != NONE) & np.isin(nodes["side"], (NONE, player))
        return [names[code] for code in nodes["action"][is_own]]

    def line_to(self, node: int) -> list[str]:
        """The player's actions from the root to a node."""
        line, at = list[int](), int(self.places_of(np.array([node]))[0])
        while at != NONE and len(line) <= len(self.nodes):
            line.append(at)
            at = int(self.above[at])
        return self.moves_of(self.nodes[line[::-1]], self.player)


def gaps(groups: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Where the numbers of a group are not 0, 1, 2, ... in some order: the places of those that are out of it."""
    order = np.lexsort((numbers, groups))
    groups, sorted_numbers = groups[order], numbers[order]
    starts = np.flatnonzero(np.r_[True, np.diff(groups) != 0]) if len(groups) else np.zeros(0, np.int64)
    sizes = np.diff(np.r_[starts, len(groups)])
    expected = np.arange(len(groups)) - np.repeat(starts, sizes)
    found: np.ndarray = order[sorted_numbers != expected]
    return found


def shown(nodes: np.ndarray, what: str) -> list[str]:
    return [f"node {node}: {what}" for node in nodes[:MOST_SHOWN].tolist()]


# The check


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
