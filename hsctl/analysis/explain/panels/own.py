"""What an agent of the user's own says of its decision: its `trace`, section by section."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from rich.console import RenderableType
from rich.text import Text

from engine.rules import ACTIONS
from hsctl.analysis.explain.read import read, trace_of
from hsctl.analysis.explain.show.compact import CompactTable
from hsctl.analysis.explain.show.tables import format_number, pick_rows
from hsctl.analysis.explain.trace import Extent, Panel, Section, Trace, Value
from hsctl.match.user_agents.agent import OwnAgent
from hsctl.match.user_agents.base import FIRST_MOVES
from search.agent import Decision


@dataclass(frozen=True)
class OwnPanel(Panel):
    """Titles, and what the agent wants to be shown below each."""

    json_field = "own"

    said: dict[str, Any]

    def sections(self, trace: Trace, names: Sequence[str], extent: Extent) -> Iterator[Section]:
        for title, below in self.said.items():
            yield title, view_of(below, extent)

    def as_fields(self) -> dict[str, object]:
        return {self.json_field: self.said}


@read.register
def read_own(agent: OwnAgent, state: np.record, player: int, decision: Decision) -> Trace:
    said = agent.trace()
    bests = values_of(said.pop(FIRST_MOVES, None))
    return trace_of(agent, state, player, decision, bests, *([OwnPanel(said)] if said else []))


def values_of(said: Any) -> dict[int, Value]:
    """The values of first moves; what is none is left out."""
    if not isinstance(said, dict):
        return {}
    known = {str(action): action for action in range(ACTIONS)}
    return {known[key]: Value(float(value), 1) for key, value in said.items() if key in known and is_number(value)}


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and isfinite(value)


def view_of(below: Any, extent: Extent) -> RenderableType:
    """A list of dicts as a table, everything else as text."""
    is_table = isinstance(below, list) and below and all(isinstance(row, dict) for row in below)
    if not is_table:
        return Text(format_cell(below))
    table = CompactTable()
    columns = list(dict.fromkeys(key for row in below for key in row))
    for name in columns:
        table.add_column(Text(str(name)), folds=True)
    for at in pick_rows(table, len(below), extent.depth):
        table.add_row(*(Text(format_cell(below[at].get(name, ""))) for name in columns))
    return table


def format_cell(value: Any) -> str:
    return format_number(value) if isinstance(value, float) else str(value)
