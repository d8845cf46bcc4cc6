"""What a duel left behind: visits and means by side, how far the tree goes, what was kept and shared."""

import numpy as np

from engine.rules import ACTION_NAMES
from hsctl.explain.read.roots import RISKY, UNSURVIVABLE, line_of, plans_of, play_line, roots_of
from hsctl.explain.read.trace import Choice, Duel, Exchange, Trace, Value
from search.agent import Decision
from search.common.first_moves import members
from search.duel.agent import DuelAgent
from search.duel.tree import NOTHING, UNOPENED, Tree, children_of, mean_points, most_visited


def trace_duel(agent: DuelAgent, state: np.record, player: int, decision: Decision) -> Trace:
    """The trace of a decision that this agent just made. A first move's value is the mean of its simulations."""
    exchanges = exchanges_of(agent)
    bests = {exchange.move.action: Value(exchange.move.mean, 1) for exchange in exchanges}
    return Trace(
        roots_of(agent, state, player, bests, rules=left_out(agent, state, player)),
        line_of(state, player, decision.plan, play_line(agent, state, player, decision.plan)),
        plans_of(agent),
        duel=duel_of(agent, exchanges),
    )


def duel_of(agent: DuelAgent, exchanges: list[Exchange]) -> Duel:
    walk, sides = agent.walk, sides_of(agent)
    line = most_visited(agent.tree, int(walk.root))
    return Duel(
        adversary=None if walk.alone else int(walk.enemy),
        iterations=int(walk.iterations),
        size=int(walk.held),
        kept=int(walk.kept),
        saved=int(walk.saved),
        shared=int(walk.shared),
        exchanges=exchanges,
        rounds=count_rounds(agent.tree, int(walk.held)),
        most_visited=[choice_of(agent.tree, sides[ply % 2], *step) for ply, step in enumerate(line)],
    )


def sides_of(agent: DuelAgent) -> tuple[int, int]:
    return int(agent.walk.player), int(agent.walk.enemy)


def left_out(agent: DuelAgent, state: np.record, player: int) -> dict[int, str]:
    """The legal first moves that the tree left out, once it looked for them."""
    tree, root = agent.tree, int(agent.walk.root)
    if int(tree.untried[root]) == int(UNOPENED):
        return {}
    searched = [*children_of(tree, root), *members(int(tree.untried[root]))]
    survivable = members(agent.first_moves.survivable(state, agent.map, player))
    missing = [action for action in agent.first_moves.legal(state, player) if action not in searched]
    return {action: RISKY if action in survivable else UNSURVIVABLE for action in missing}


def exchanges_of(agent: DuelAgent) -> list[Exchange]:
    """Our first moves and his answers, each the most visited first."""
    tree, (player, enemy) = agent.tree, sides_of(agent)
    found = []
    for action, node in children_of(tree, int(agent.walk.root)).items():
        answers = [choice_of(tree, enemy, *step) for step in children_of(tree, node).items()]
        found.append(Exchange(choice_of(tree, player, action, node), by_visits(answers)))
    return sorted(found, key=lambda exchange: -exchange.move.visits)


def by_visits(choices: list[Choice]) -> list[Choice]:
    return sorted(choices, key=lambda choice: -choice.visits)


def choice_of(tree: Tree, player: int, action: int, node: int) -> Choice:
    return Choice(player, action, ACTION_NAMES[action], int(tree.visits[node]), mean_points(tree, node))


def count_rounds(tree: Tree, size: int) -> list[int]:
    """How many positions of the tree are so many rounds from now."""
    turns = tree.states["turn"][:size][tree.pending[:size] == NOTHING].astype(np.int64)
    counts: list[int] = np.bincount(turns - turns.min()).tolist()
    return counts
