"""What an evolution left behind: the best fitness by generation, the best individuals, the genes that came to nothing.

Fitness, actions done and genes skipped of an individual belong together at any time; the genes of those that were
bred but not tried when the budget ended are nobody's yet.
"""

import numpy as np

from hsctl.explain.read.roots import line_of, plans_of, play_line, roots_of
from hsctl.explain.read.trace import Evolution, Genome, Terms, Trace, Value
from search.agent import Decision
from search.common.evaluate import evaluate_terms
from search.rhea.agent import RheaAgent
from search.rhea.evolution import HISTORY, UNTRIED

PUNISHMENT_TERM = "unsurvivable"
ROUNDING = 1e-9  # of the sums of terms


def trace_rhea(agent: RheaAgent, state: np.record, player: int, decision: Decision) -> Trace:
    """The trace of a decision that this agent just made. A first move's value is its fittest individual's."""
    genomes = genomes_of(agent)
    fittest: dict[int, Genome] = {}
    for genome in genomes:
        if genome.actions:
            fittest.setdefault(genome.actions[0], genome)
    bests = {
        action: Value(genome.fitness, len(genome.actions), terms_of(agent, state, player, genome))
        for action, genome in fittest.items()
    }
    evolution = agent.evolution
    states = play_line(agent, state, player, decision.plan)
    return Trace(
        roots_of(agent, state, player, bests),
        line_of(state, player, decision.plan, states),
        plans_of(agent),
        evolution=Evolution(
            generations=int(evolution.generation),
            history=agent.pool.history[: min(int(evolution.generation), HISTORY)].tolist(),
            genomes=genomes,
            genes=int(evolution.max_length),
            skipped=float(np.mean([genome.skipped for genome in genomes])) if genomes else 0.0,
        ),
    )


def genomes_of(agent: RheaAgent) -> list[Genome]:
    """All individuals that were tried, best first, those that did the same only once."""
    pool = agent.pool
    tried = np.flatnonzero(pool.fitness > UNTRIED)
    found: dict[tuple[int, ...], Genome] = {}
    for at in tried[np.argsort(-pool.fitness[tried], kind="stable")]:
        actions = pool.done[at, : pool.length[at]].tolist()
        found.setdefault(tuple(actions), Genome(float(pool.fitness[at]), actions, int(pool.skipped[at])))
    return list(found.values())


def terms_of(agent: RheaAgent, state: np.record, player: int, genome: Genome) -> Terms:
    """The terms of the state that an individual leads to, and what its fitness lost for being unsurvivable."""
    after = play_line(agent, state, player, genome.actions)[-1]
    terms = evaluate_terms(after, agent.map, player, agent.weights)
    punishment = genome.fitness - sum(terms.values())
    return {**terms, PUNISHMENT_TERM: punishment if abs(punishment) > ROUNDING else 0.0}
