"""What a search found, read after its decision: first moves, the best line, and the panels of its kind of agent.

Nothing here runs while an agent thinks. Layers, tree and population stay in the agent's memory until its next decision.
States that are gone by then (of a beam's earlier layers) are stepped again along their lines.

    Findings  roots    the ten first moves: what is certain about each, what was found below it
              line     the best line, step by step, while the others follow their plans
              panels   what only this kind of agent can show; see panels/

`read_search` dispatches on the agent's class. Each module of panels/ registers its readers:

    @read_search.register
    def read_duel(agent: DuelAgent, state: np.record, player: int, decision: Decision) -> Findings: ...

A subclass of an agent is read like the agent. Of an agent without a reader, only the decision is shown.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from engine.position import player_of
from engine.rules import ACTION_NAMES, ACTIONS, BOMB, legal_actions, pack, play_round
from engine.state import MAX_PLAYERS, copy_state
from search.agent import Agent, Decision
from search.common.first_moves import FirstMoves, members
from search.common.planning import ALL_ROOTS, PlanningAgent

if TYPE_CHECKING:
    from rich.console import RenderableType


Terms = dict[str, float]
Section = tuple[str, "RenderableType"]  # of the screen: title and content


@dataclass(frozen=True)
class Value:
    """What a search found below a first move: its best state, and how far on that is."""

    value: float
    depth: int
    terms: Terms = field(default_factory=dict)  # they sum up to the value; empty if it has none


@dataclass(frozen=True)
class Root:
    """One of the ten first moves."""

    action: int
    name: str
    legal: bool
    survivable: bool  # the known bombs can be survived after it
    killable_by: list[int]  # players that can surely kill this one within two rounds, though the known bombs would not
    kills: list[int]  # players that die by it within two rounds, whatever they do
    pruned: str | None  # why it was not searched
    best: Value | None
    states: list[int]  # [depth - 1], states of a layer that descend from it


@dataclass(frozen=True)
class Step:
    """One action of the best line and the state it leads to."""

    turn: int
    action: int
    name: str
    x: int  # of the player after it
    y: int
    place: int | None = None  # in its layer, from 0
    value: float | None = None
    terms: Terms = field(default_factory=dict)


@dataclass(frozen=True)
class Extent:
    """How much is shown. None: on the screen what fits, in JSON everything."""

    depth: int | None = None  # layers and turns
    top: int | None = None  # first moves and individuals


class Panel(ABC):
    """What one kind of agent can tell of a decision, on the screen and in the JSON."""

    json_field: ClassVar[str]  # of the document
    comes_first: ClassVar[bool] = False  # on the screen: before the first moves

    @abstractmethod
    def sections(self, findings: "Findings", names: Sequence[str], extent: Extent) -> Iterator[Section]:
        """The sections of the screen; `names` are those of the players by seat."""

    def limit(self, extent: Extent) -> Self:
        """As much of it as the JSON is to show."""
        return self

    def as_fields(self) -> dict[str, object]:
        """The fields of the JSON document."""
        return {self.json_field: self}

    def reasons(self) -> list[str]:
        """What it adds to the reason for the decision, in words."""
        return []


@dataclass(frozen=True)
class Findings:
    """What a search left behind, for any kind of agent."""

    roots: list[Root]
    line: list[Step]
    plans: dict[int, list[int]]  # what the others were predicted to do, by player
    panels: Sequence[Panel] = ()
    now: Terms = field(default_factory=dict)  # of the position itself
    kept: Sequence[int] = ()  # [depth - 1], the states of each layer, if the search had layers


# Lines played again, the others doing what was predicted of them


def plans_of(agent: Agent) -> dict[int, list[int]]:
    """What the others were predicted to do, by player."""
    return dict(agent.thinking.plans) if isinstance(agent, PlanningAgent) else {}


def others_at(agent: Agent, turns: int) -> int:
    """Packed actions of the other players so many turns from now, as the search had them."""
    if isinstance(agent, PlanningAgent) and turns < agent.other_actions.size:
        return int(agent.other_actions[turns])
    return 0


def play_line(agent: Agent, state: np.record, player: int, actions: Iterable[int]) -> list[np.record]:
    """The states that the actions lead to one after the other."""
    states = [state]
    for turns, action in enumerate(actions):
        after = copy_state(states[-1])
        play_round(after, agent.map, np.uint64(others_at(agent, turns)) | pack(player, action))
        states.append(after)
    return states[1:]


def action_at(plan: Sequence[int], turns: int) -> int:
    """What a plan does so many turns from now; after its end nothing."""
    return plan[turns] if turns < len(plan) else 0


def steps_of(state: np.record, player: int, actions: Sequence[int], states: Sequence[np.record]) -> list[Step]:
    """The actions with their turns and the cells they lead to, as long as the player lives."""
    steps = []
    for turn, (action, after) in enumerate(zip(actions, states, strict=True), int(state.turn)):
        me = player_of(after, player)
        if me is None:
            break
        steps.append(Step(turn, action, ACTION_NAMES[action], me.x, me.y))
    return steps


def line_of(agent: Agent, state: np.record, player: int, actions: Sequence[int]) -> list[Step]:
    """A line, played and listed step by step."""
    return steps_of(state, player, actions, play_line(agent, state, player, actions))


# First moves


# Why a first move was not searched.
BLOCKED, NO_BOMB, ON_BOMB = "blocked", "no bomb left", "on a bomb"
UNSURVIVABLE, NOT_KILLING, NO_SACRIFICE, PUNISHABLE = "unsurvivable", "not killing", "no sacrifice", "punishable"
RISKY = "risky"  # lost if the opponent acts at the same moment
UNLIKELY = "not chosen"  # risky, or not among the few actions of a player that a team's moves are made of


def roots_of(
    agent: Agent,
    state: np.record,
    player: int,
    bests: Mapping[int, Value],
    states: Mapping[int, list[int]] | None = None,
    rules: Mapping[int, str] | None = None,
) -> list[Root]:
    """All ten first moves: what is certain about each, and what the search found below it.

    `states`: how many states of each layer descend from a move; `rules`: why legal moves were left out.
    """
    moves, opponents = FirstMoves(), opponents_of(agent, state, player)
    legal = int(legal_actions(state, player))
    survivable = moves.survivable(state, agent.map, player)
    punishable = {opponent: moves.punishable(state, agent.map, player, opponent) for opponent in opponents}
    killing = {opponent: moves.killing(state, agent.map, player, opponent) for opponent in opponents}
    return [
        Root(
            action=action,
            name=ACTION_NAMES[action],
            legal=is_legal,
            survivable=action in members(survivable),
            killable_by=[opponent for opponent in opponents if action in members(punishable[opponent] & survivable)],
            kills=[opponent for opponent in opponents if action in members(killing[opponent])],
            pruned=(rules or {}).get(action) if is_legal else why_illegal(state, player, action),
            best=bests.get(action),
            states=(states or {}).get(action, []),
        )
        for action in range(ACTIONS)
        for is_legal in [action in members(legal)]
    ]


def opponents_of(agent: Agent, state: np.record, player: int) -> list[int]:
    """The living players that are not on the agent's side."""
    return [at for at in range(MAX_PLAYERS) if state.players[at] and at != player and at not in agent.mates]


def why_illegal(state: np.record, player: int, action: int) -> str:
    """Why an action is not legal."""
    me = player_of(state, player)
    if me is None or action % BOMB not in members(int(legal_actions(state, player))):
        return BLOCKED
    return ON_BOMB if me.bombs_left else NO_BOMB


def left_out(agent: PlanningAgent, state: np.record, player: int) -> list[int]:
    """The legal first moves that the agent did not search."""
    roots = agent.thinking.roots
    return [] if roots == ALL_ROOTS else members(int(legal_actions(state, player)) & ~roots)


def rules_of_careful(agent: PlanningAgent, state: np.record, player: int) -> dict[int, str]:
    """Why an agent that keeps away from threats left out each of the legal moves that it did not search."""
    survivable = members(FirstMoves().survivable(state, agent.map, player))
    return {action: PUNISHABLE if action in survivable else UNSURVIVABLE for action in left_out(agent, state, player)}


def rules_of_first_moves(agent: PlanningAgent, state: np.record, player: int) -> dict[int, str]:
    """Which rule of first_moves.py left out each of the legal moves that were not searched."""
    moves, opponents = FirstMoves(), opponents_of(agent, state, player)
    if len(opponents) == 1 and moves.sacrifices(state, agent.map, player, opponents[0]):
        return dict.fromkeys(left_out(agent, state, player), NO_SACRIFICE)
    survivable = members(moves.survivable(state, agent.map, player))
    return {action: NOT_KILLING if action in survivable else UNSURVIVABLE for action in left_out(agent, state, player)}


# Reading


@singledispatch
def read_search(agent: Agent, state: np.record, player: int, decision: Decision) -> Findings:
    """What the search of the agent's last decision found, which was this one on this state."""
    return findings_of(agent, state, player, decision, {})


def findings_of(
    agent: Agent,
    state: np.record,
    player: int,
    decision: Decision,
    bests: Mapping[int, Value],
    *panels: Panel,
    rules: Mapping[int, str] | None = None,
) -> Findings:
    """The findings of any agent; `bests` were found below the first moves, `rules` say why some were left out."""
    return Findings(
        roots_of(agent, state, player, bests, rules=rules),
        line_of(agent, state, player, decision.plan),
        plans_of(agent),
        panels,
    )
