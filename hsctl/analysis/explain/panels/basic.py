"""Agents that compare a few candidates: simple, osla, seeker, pommer, and user agents, which say what to show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from types import SimpleNamespace
from typing import Any

import numpy as np
from rich.console import RenderableType
from rich.text import Text

from engine.rules import ACTION_NAMES, ACTIONS
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
from hsctl.analysis.explain.tables import CHOSEN, CompactTable, format_number, pick_rows
from hsctl.analysis.explain.tracing.files import rows_of
from hsctl.analysis.explain.tracing.rows import RowBatch
from hsctl.match.user_agents.agent import UserAgent
from hsctl.match.user_agents.base import FIRST_MOVES
from search.agent import Decision
from search.common.evaluate import evaluate_terms
from search.common.planning import OWN_STAGE, Line
from search.osla.agent import OslaAgent
from search.pommer.agent import PommerAgent, look
from search.seeker.agent import SeekerAgent
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


# seeker


@dataclass(frozen=True)
class Goal:
    """A goal that seeker tried first: a cell to drop a bomb on, or an item."""

    what: str  # bomb or item
    x: int
    y: int
    worth: float
    promise: float  # worth by its distance: goals are tried in this order
    value: float | None  # of the best plan that begins with it; None: no way leads there
    first_move: str | None
    is_chosen: bool


@dataclass(frozen=True)
class SeekerGoals(Panel):
    """The goals that seeker compared."""

    json_field = "goals"

    goals: list[Goal]

    def sections(self, findings: Findings, names: Sequence[str], extent: Extent) -> Iterator[Section]:
        table = CompactTable()
        for name in ("goal", "at", "first move"):
            table.add_column(name)
        for name in ("worth", "promise", "best plan"):
            table.add_column(name, justify="right")
        for at in pick_rows(table, len(self.goals), extent.top):
            goal = self.goals[at]
            value = "no way" if goal.value is None else format_number(goal.value)
            what = Text(goal.what, CHOSEN if goal.is_chosen else "")
            numbers = format_number(goal.worth), format_number(goal.promise), value
            table.add_row(what, f"{goal.x},{goal.y}", goal.first_move or "", *numbers)
        yield "the goals it tried first", table


@read_search.register
def read_seeker(agent: SeekerAgent, state: np.record, player: int, decision: Decision) -> Findings:
    """A first move's value is that of the best plan that begins with it."""
    goals = goals_of(agent, state, player)
    values: dict[int, float] = {}
    for goal in goals:
        if goal.value is not None and goal.first_move is not None:
            action = ACTION_NAMES.index(goal.first_move)
            values[action] = max(goal.value, values.get(action, goal.value))
    bests = {action: Value(value, 1) for action, value in values.items()}
    panels, rules = [SeekerGoals(goals)] if goals else [], rules_of_careful(agent, state, player)
    return findings_of(agent, state, player, decision, bests, *panels, rules=rules)


def goals_of(agent: SeekerAgent, state: np.record, player: int) -> list[Goal]:
    """The search made again, goal by goal; what follows a goal counts for it."""
    from hsctl.analysis.explain.tracing.others import SeekerWatcher

    batches: list[RowBatch] = []
    nodes, value = int(agent.seeking.nodes), float(agent.seeking.best_value)
    stage = SimpleNamespace(name=OWN_STAGE)
    given = {"state": state, "player": player, "roots": agent.thinking.roots, "stage": stage}
    SeekerWatcher(agent, batches.append).record(lambda **_: Line([], value, 0, nodes), given)
    rows = [row for batch in batches for row in rows_of(batch)]
    goals = [
        Goal(
            row["what"],
            row["x"],
            row["y"],
            row["terms"]["worth"],
            row["terms"]["promise"],
            max((each["score"] for each in below(rows, row) if each["score"] is not None), default=None),
            row["first_move"],
            any(each["best"] and each["score"] == value for each in below(rows, row)),
        )
        for row in rows
        if row["depth"] == 1
    ]
    return list({(goal.what, goal.x, goal.y): goal for goal in goals}.values())  # a wider search tries them again


def below(rows: list[dict[str, Any]], row: dict[str, Any]) -> list[dict[str, Any]]:
    """A row and all that descend from it; parents come before their children."""
    family = {row["node"]}
    for each in rows:
        if each["parent"] in family:
            family.add(each["node"])
    return [each for each in rows if each["node"] in family]


# pommer


@dataclass(frozen=True)
class PommerRule:
    """A rule of pommer."""

    rule: str
    applies: bool
    goal: tuple[int, int] | None = None  # a cell


@dataclass(frozen=True)
class PommerRules(Panel):
    """The rules in order, up to the one that decided."""

    json_field = "rules"

    rules: list[PommerRule]

    def reasons(self) -> list[str]:
        return [f"rule {len(self.rules)}: {self.rules[-1].rule}"]

    def sections(self, findings: Findings, names: Sequence[str], extent: Extent) -> Iterator[Section]:
        table = CompactTable()
        for name in ("rule", "applies", "goal"):
            table.add_column(name)
        for rule in self.rules:
            goal = "" if rule.goal is None else f"{rule.goal[0]},{rule.goal[1]}"
            table.add_row(Text(rule.rule, CHOSEN if rule.applies else ""), "yes" if rule.applies else "no", goal)
        yield "the rules, up to the one that decided", table


@read_search.register
def read_pommer(agent: PommerAgent, state: np.record, player: int, decision: Decision) -> Findings:
    from hsctl.analysis.explain.tracing.others import rules_of

    rules = [PommerRule(*each) for each in rules_of(look(state, player, agent.mates, agent.params), agent.params)]
    decisive = next(number for number, rule in enumerate(rules, 1) if rule.applies)
    return findings_of(agent, state, player, decision, {}, PommerRules(rules[:decisive]))


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
def read_own(agent: UserAgent, state: np.record, player: int, decision: Decision) -> Findings:
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
