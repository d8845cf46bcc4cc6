"""Agents that compare first moves directly: simple, osla, and user agents, which say themselves what to show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from rich.console import RenderableType
from rich.text import Text

from engine.rules import ACTIONS
from hsctl.analysis.explain.findings import Extent, Findings, Panel, Section, Terms, Value, findings_of, read_search
from hsctl.analysis.explain.tables import CompactTable, format_number, pick_rows
from hsctl.match.user_agents.agent import OwnAgent
from hsctl.match.user_agents.base import FIRST_MOVES
from search.agent import Decision
from search.common.evaluate import evaluate_terms
from search.osla.agent import OslaAgent
from search.simple.agent import NO_VALUE, SimpleAgent

# simple


@read_search.register
def read_simple(agent: SimpleAgent, state: np.record, player: int, decision: Decision) -> Findings:
    bests = {action: Value(float(value), 1) for action, value in enumerate(agent.values) if value > NO_VALUE}
    return findings_of(agent, state, player, decision, bests)


# osla


@read_search.register
def read_osla(agent: OslaAgent, state: np.record, player: int, decision: Decision) -> Findings:
    bests = {
        action: Value(agent.value_after(state, player, action), 1, terms_after(agent, state, player, action))
        for action in agent.first_moves.legal(state, player)[: decision.nodes]
    }
    return findings_of(agent, state, player, decision, bests)


def terms_after(agent: OslaAgent, state: np.record, player: int, action: int) -> Terms:
    after = agent.first_moves.after(state, agent.map, {player: action})
    return evaluate_terms(after, agent.map, player, agent.weights)


# User agents


@dataclass(frozen=True)
class OwnPanel(Panel):
    """Titles, and what the agent wants to be shown below each."""

    json_field = "own"

    said: dict[str, Any]

    def sections(self, findings: Findings, names: Sequence[str], extent: Extent) -> Iterator[Section]:
        for title, below in self.said.items():
            yield title, view_of(below, extent)

    def as_fields(self) -> dict[str, object]:
        return {self.json_field: self.said}


@read_search.register
def read_own(agent: OwnAgent, state: np.record, player: int, decision: Decision) -> Findings:
    said = agent.trace()
    bests = values_of(said.pop(FIRST_MOVES, None))
    return findings_of(agent, state, player, decision, bests, *([OwnPanel(said)] if said else []))


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
