"""The ten first moves: what is certain about each, what was found below it, and why it was not searched."""

from collections.abc import Mapping

import numpy as np

from engine.position import player_of
from engine.rules import ACTION_NAMES, ACTIONS, BOMB, legal_actions
from engine.state import MAX_PLAYERS
from hsctl.analysis.explain.trace import Root, Value
from search.agent import Agent
from search.common.first_moves import FirstMoves, members
from search.common.planning import ALL_ROOTS, PlanningAgent

# Why a first move was not searched.
BLOCKED, NO_BOMB, ON_BOMB = "blocked", "no bomb left", "on a bomb"
UNSURVIVABLE, NOT_KILLING, NO_SACRIFICE, PUNISHABLE = "unsurvivable", "not killing", "no sacrifice", "punishable"
RISKY = "risky"  # lost if the rival acts at the same moment
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
    moves, rivals = FirstMoves(), rivals_of(agent, state, player)
    legal = int(legal_actions(state, player))
    survivable = moves.survivable(state, agent.map, player)
    punishable = {rival: moves.punishable(state, agent.map, player, rival) for rival in rivals}
    killing = {rival: moves.killing(state, agent.map, player, rival) for rival in rivals}
    return [
        Root(
            action=action,
            name=ACTION_NAMES[action],
            legal=is_legal,
            survivable=action in members(survivable),
            killable_by=[rival for rival in rivals if action in members(punishable[rival] & survivable)],
            kills=[rival for rival in rivals if action in members(killing[rival])],
            pruned=(rules or {}).get(action) if is_legal else why_illegal(state, player, action),
            best=bests.get(action),
            states=(states or {}).get(action, []),
        )
        for action in range(ACTIONS)
        for is_legal in [action in members(legal)]
    ]


def rivals_of(agent: Agent, state: np.record, player: int) -> list[int]:
    """Who lives and is not on the agent's side."""
    return [at for at in range(MAX_PLAYERS) if state.players[at] and at != player and at not in agent.mates]


def why_illegal(state: np.record, player: int, action: int) -> str:
    """What stands against an action that is not legal."""
    me = player_of(state, player)
    if me is None or action % BOMB not in members(int(legal_actions(state, player))):
        return BLOCKED
    return ON_BOMB if me.bombs_left else NO_BOMB


def left_out(agent: PlanningAgent, state: np.record, player: int) -> list[int]:
    """The legal first moves that the agent did not search."""
    roots = agent.thinking.roots
    return [] if roots == ALL_ROOTS else members(int(legal_actions(state, player)) & ~roots)


def rules_of_first_moves(agent: PlanningAgent, state: np.record, player: int) -> dict[int, str]:
    """Which rule of first_moves.py left out each of the legal moves that were not searched."""
    moves, rivals = FirstMoves(), rivals_of(agent, state, player)
    if len(rivals) == 1 and moves.sacrifices(state, agent.map, player, rivals[0]):
        return dict.fromkeys(left_out(agent, state, player), NO_SACRIFICE)
    survivable = members(moves.survivable(state, agent.map, player))
    return {action: NOT_KILLING if action in survivable else UNSURVIVABLE for action in left_out(agent, state, player)}
