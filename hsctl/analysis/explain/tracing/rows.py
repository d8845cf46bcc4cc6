"""What a trace holds: a header, rows of nodes, and an end with the counters of every search.

Every kind of row is a struct; its fields are the columns of the file, in this order. Actions are names (`up+bomb`).
A column is null where a search doesn't know a value.

After a change of the format, write the schema again with

    python -m hsctl.analysis.explain.tracing.rows > docs/reference/schemas/trace.schema.json
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar

import msgspec
import numpy as np

FORMAT: Final = "hsctl-trace"
VERSION: Final = 1

Columns = Mapping[str, "np.ndarray | Sequence[Any]"]  # of equal length, by name

# Fates of the nodes of a layered search.
EXPANDED, NOT_REACHED, DUPLICATE, DEAD, RULED_OUT, LOCAL_CUT, GLOBAL_CUT, LOST = FATES = (
    "expanded",
    "not reached",
    "duplicate",
    "dead",
    "ruled out",
    "local cut",
    "global cut",
    "lost",
)


@dataclass(frozen=True)
class PassCount:
    """What one search of a decision counted, whoever watched."""

    number: int  # of the pass in this decision, from 0
    stage: str  # own, opponent 2, models, threats
    player: int  # for whom it searched
    nodes: int
    depth: int
    line: list[int]  # the best that it found
    width: int | None = None  # of a beam's layers
    model: str | None = None  # by whose weights a beam searched
    totals: dict[str, int] = field(default_factory=dict)  # of the whole search
    layers: list[dict[str, int]] = field(default_factory=list)  # by depth, generation or deepening


class TraceHeader(msgspec.Struct, tag="header", tag_field="record"):
    """What was decided, by whom, with how much thought."""

    format: Literal["hsctl-trace"]
    version: Literal[1]
    hsctl: str  # its version
    title: str  # which decision, in words
    game: str  # the file, or what the position was read from
    turn: int
    player: int
    mates: list[int]
    agent: str
    settings: dict[str, Any]  # all parameters
    seed: int
    budget: dict[str, Any]  # ms, nodes, stages
    position: str  # in the arena's text
    rows: list[str]  # kinds of rows
    filters: dict[str, Any]  # which rows were left out on request
    counted_only: list[str]  # what the search only counts, so that it has no rows


class TraceEnd(msgspec.Struct, tag="end", tag_field="record"):
    """What came out, and what the searches counted."""

    rows: int  # in the file
    cut: bool  # stopped before the end: rows are missing, and so are all fields below
    action: str | None = None
    plan: list[str] = []
    value: float | None = None
    decided_by: str = "own"  # the stage whose line was chosen; "safe move": none, the search ended too early
    best: int | None = None  # the node at the end of the best line; None: no line decided
    passes: list[PassCount] = []


class BeamRow(msgspec.Struct, tag="beam", tag_field="record"):
    """A child of a state of beam or chokudai."""

    stage: str
    pass_: int = msgspec.field(name="pass")  # its number in the decision
    player: int
    node: int
    parent: int | None
    depth: int
    action: str | None
    first_move: str | None
    x: int | None  # where the player stands; null for the dead
    y: int | None
    score: float | None  # null where the search never scored it
    boxes: float | None  # terms of the score: they add up to it
    range: float | None
    bombs: float | None
    future: float | None
    players: float | None
    place: float | None
    rivals: float | None
    early: float | None  # won on the way, for boxes destroyed early
    traps: float | None  # won on the way, for traps
    unsurvivable: float | None
    survivable: bool | None  # whether the known bombs can be survived
    fate: Literal[
        "expanded", "not reached", "duplicate", "dead", "ruled out", "local cut", "global cut", "lost"
    ]  # lost: chokudai drops what can't be survived
    rank: int | None  # among all children of its layer by score, from 0; null if it was not compared
    layer_place: int | None  # in its layer, if it was kept
    margin: float | None  # points above the first that was cut, or below the last that was kept (negative)
    twin: int | None  # the node with the same state that was there before a duplicate
    best: bool  # on the best line of its pass


class ThreatRow(msgspec.Struct, tag="threat", tag_field="record"):
    """A first move of a beam that was judged by an exact search against rivals."""

    stage: str
    pass_: int = msgspec.field(name="pass")
    player: int
    node: int
    parent: int | None
    depth: int  # rounds
    action: str
    first_move: str
    question: str  # wins, holds, or survives if all rivals drop a bomb
    asked: int  # number of the question, which is asked about several moves at once
    verdict: bool | None  # null: the nodes were spent
    replies: int | None  # that refute it
    nodes: int  # that the question took


class TreeRow(msgspec.Struct, tag="tree", tag_field="record"):
    """A node of a tree, as the search left it."""

    stage: str
    pass_: int = msgspec.field(name="pass")
    player: int
    node: int
    parent: int | None
    depth: int  # plies in a duel, else turns
    side: int | None  # the player that moved into it
    action: str | None
    mate_action: str | None  # of a team's move
    first_move: str | None
    visits: int
    mean: float | None
    maximum: float | None
    prior: float | None  # what bias thinks of the action
    untried: int | None  # actions without a node yet
    terminal: str | None  # dead, end or deadly
    best: bool  # on the line that was chosen


class WalkRow(msgspec.Struct, tag="walk", tag_field="record"):
    """One iteration of a tree search: a walk down and the value that it carried up."""

    stage: str
    pass_: int = msgspec.field(name="pass")
    player: int
    iteration: int
    node: int  # where it ended
    depth: int
    first_move: str | None
    is_new: bool  # whether it made the node
    value: float


class GenomeRow(msgspec.Struct, tag="genome", tag_field="record"):
    """An individual of rhea, when it was tried."""

    stage: str
    pass_: int = msgspec.field(name="pass")
    player: int
    node: int
    generation: int
    individual: int  # its place in memory
    operator: str  # random, crossover, crossover+mutation
    mother: int | None  # nodes
    father: int | None
    mutated: int  # genes
    genes: list[str]  # before repair
    done: list[str]  # after repair: the actions that could be done
    first_move: str | None
    fitness: float
    nodes: int  # steps that it took
    best: bool  # the fittest of all so far


class AlphaBetaRow(msgspec.Struct, tag="alpha-beta", tag_field="record"):
    """A node of negamax. Rows come when a node is done, so after those below it."""

    stage: str
    pass_: int = msgspec.field(name="pass")
    player: int
    node: int
    parent: int | None
    deepening: int
    depth: int  # ply
    side: int | None  # who moved into it
    action: str | None
    first_move: str | None
    alpha: float | None  # the window as it was reached; null: open
    beta: float | None
    value: float | None  # for the side that moved into it
    best_reply: str | None
    kind: str  # leaf, over, table, exact, at least, at most, unfinished
    cutoff: bool  # the rest of its replies was left out
    first_cutoff: bool  # by the first of them
    stepped: bool  # whether it took a node of the budget


class CandidateRow(msgspec.Struct, tag="candidate", tag_field="record"):
    """Something that an agent without a tree weighed: an action, a goal, a rule."""

    stage: str
    pass_: int = msgspec.field(name="pass")
    player: int
    node: int
    parent: int | None
    depth: int
    action: str | None
    first_move: str | None
    x: int | None
    y: int | None
    score: float | None
    verdict: str | None
    what: str | None  # the rule, or what there is to win
    terms: dict[str, float] | None
    line: list[str] | None  # of a plan
    nodes: int  # that it took
    best: bool  # the best so far


class OwnRow(msgspec.Struct, tag="own", tag_field="record"):
    """A row of an agent of the user's own, as its `trace()` gives it: all other columns are its own."""

    section: str


ROW_KINDS: dict[str, type[msgspec.Struct]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (BeamRow, ThreatRow, TreeRow, WalkRow, GenomeRow, AlphaBetaRow, CandidateRow, OwnRow)
}


RowKind = TypeVar("RowKind", bound=msgspec.Struct)


class RowBatch(msgspec.Struct):
    """Rows of one kind, by column."""

    kind: type[msgspec.Struct]
    columns: dict[str, Any]  # arrays, masked where a value is null, or lists

    @property
    def count(self) -> int:
        return len(next(iter(self.columns.values())))

    def take(self, chosen: np.ndarray) -> "RowBatch":
        """The rows with these places."""
        return RowBatch(self.kind, {name: take_from(column, chosen) for name, column in self.columns.items()})


def take_from(column: Any, chosen: np.ndarray) -> Any:
    return column[chosen] if isinstance(column, np.ndarray) else [column[at] for at in chosen.tolist()]


def row_of(kind: type[RowKind], **values: Any) -> RowKind:
    """A row; columns that are not named are null."""
    return kind(**{**dict.fromkeys(kind.__struct_fields__), **values})


def batch_of(rows: Sequence[msgspec.Struct]) -> RowBatch:
    """Rows that were made one by one."""
    kind = type(rows[0])
    return RowBatch(kind, {name: [getattr(row, field) for row in rows] for field, name in columns_of(kind).items()})


def columns_of(kind: type[msgspec.Struct]) -> dict[str, str]:
    """The columns of a kind of row, by the names of its fields."""
    return dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))


def format_trace_schema() -> bytes:
    """The schema of a line of a trace in JSON lines."""
    from replays.schema import DIALECT

    kinds = [TraceHeader, *ROW_KINDS.values(), TraceEnd]
    schemas, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    schema = {"$schema": DIALECT, "title": f"{FORMAT} version {VERSION}, one line", "anyOf": schemas, "$defs": parts}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(format_trace_schema())
