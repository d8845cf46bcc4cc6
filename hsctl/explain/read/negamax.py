"""What an alpha-beta search left behind: the strategy and why, its deepenings, bounds of the first moves, the line.

The line holds both sides' actions; his are shown as what he is predicted to do. It ends early where the table gave
a value, so its last state need not be the one that was valued.
"""

import math
from dataclasses import asdict

import numpy as np

from engine.rules import ACTIONS
from hsctl.explain.read.roots import line_of, plans_of, play_line, roots_of
from hsctl.explain.read.trace import AlphaBeta, Bound, Deepening, Step, Terms, Trace, Value
from search.agent import Decision
from search.negamax.agent import NegamaxAgent
from search.negamax.strategies import STRATEGIES
from search.negamax.table import NO_ACTION

EXACT = 1e-9


def trace_negamax(agent: NegamaxAgent, state: np.record, player: int, decision: Decision) -> Trace:
    """The trace of a decision that this agent just made. A first move's value is at most what stands there."""
    states = play_line(agent, state, player, decision.plan)
    bounds = bounds_of(agent, decision)
    bests = {bound.action: Value(bound.value, decision.depth) for bound in bounds}
    if decision.value is not None:
        bests[decision.action] = Value(decision.value, decision.depth, terms_of_leaf(agent, states, decision.value))
    choice = agent.choice
    return Trace(
        roots_of(agent, state, player, bests),
        steps_of(agent, state, player, decision, states),
        plans_of(agent),
        agent.evaluation.weighted_terms(state, agent.map),
        alpha_beta=AlphaBeta(
            strategy=choice.strategy,
            stage=choice.stage,
            reason=choice.reason,
            boxes_left=choice.boxes_left,
            lead=choice.lead,
            weights=asdict(STRATEGIES[choice.strategy]),
            adversary=agent.enemy,
            deepenings=deepenings_of(agent) if decision.nodes else [],
            bounds=bounds,
        ),
    )


def deepenings_of(agent: NegamaxAgent) -> list[Deepening]:
    """All depths that were begun."""
    found = []
    for log in agent.stack.iterations[: int(agent.search.iteration) + 1]:
        is_any = log["action"] != NO_ACTION
        found.append(
            Deepening(
                depth=int(log["depth"]),
                nodes=int(log["nodes"]),
                action=int(log["action"]) if is_any else None,
                value=float(log["value"]) if is_any else None,
                hits=int(log["hits"]),
                cutoffs=int(log["cutoffs"]),
                first_cutoffs=int(log["first_cutoffs"]),
                complete=bool(log["is_complete"]),
            )
        )
    return found


def bounds_of(agent: NegamaxAgent, decision: Decision) -> list[Bound]:
    """The first moves that were finished in the deepening that counts: the chosen one, then by value."""
    search = agent.search
    bounds = [
        Bound(action, float(search.root_values[action]), bool(search.root_exact[action]))
        for action in range(ACTIONS)
        if not math.isnan(search.root_values[action])
    ]
    return sorted(bounds, key=lambda bound: (bound.action != decision.action, -bound.value))


def terms_of_leaf(agent: NegamaxAgent, states: list[np.record], value: float) -> Terms:
    """The terms of the state at the end of the line, if that is the one valued."""
    terms = agent.evaluation.weighted_terms(states[-1], agent.map)
    return terms if abs(sum(terms.values()) - value) < EXACT else {}


def steps_of(
    agent: NegamaxAgent, state: np.record, player: int, decision: Decision, states: list[np.record]
) -> list[Step]:
    """The line with the score after each round, where anything was searched."""
    steps = line_of(state, player, decision.plan, states)
    if decision.value is None:
        return steps
    return [
        Step(step.turn, step.action, step.name, step.x, step.y, value=sum(terms.values()), terms=terms)
        for step, after in zip(steps, states, strict=False)
        for terms in [agent.evaluation.weighted_terms(after, agent.map)]
    ]
