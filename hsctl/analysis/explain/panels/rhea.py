"""What rhea left behind: the best fitness by generation, the best individuals, the genes that came to nothing.

Fitness, actions done and genes skipped of an individual belong together at any time; the genes of those that were
bred but not tried when the budget ended belong to none yet.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from hsctl.analysis.explain.findings import (
    Extent,
    Findings,
    Panel,
    Section,
    Terms,
    Value,
    findings_of,
    play_line,
    read_search,
)
from hsctl.analysis.explain.tables import BLOCKS, CompactTable, Sized, format_number, format_plan, spread_out
from hsctl.analysis.explain.why_not import (
    INDIVIDUALS,
    Standing,
    WhyNot,
    fate_before_search,
    fate_of_standings,
    fate_of_untried,
    follow_line,
)
from replays.render.turn import QUIET
from search.agent import Decision
from search.common.evaluate import evaluate_terms
from search.rhea.agent import RheaAgent
from search.rhea.evolution import HISTORY, UNTRIED

PUNISHMENT_TERM = "unsurvivable"
ROUNDING = 1e-9  # of the sums of terms
CURVE_WIDTH = 60
GENOMES = 5  # shown


@dataclass(frozen=True)
class Genome:
    """An individual of rhea: what it really did, and how many of its genes were illegal or deadly."""

    fitness: float
    actions: list[int]
    skipped: int


@dataclass(frozen=True)
class Evolution(Panel):
    """What rhea left behind."""

    json_field = "evolution"

    generations: int
    history: list[float]  # best fitness by generation
    genomes: list[Genome]  # best first
    genes: int  # of an individual
    skipped: float  # mean over the individuals that were tried

    def limit(self, extent: Extent) -> Self:
        return replace(self, genomes=self.genomes[: extent.top])

    def sections(self, findings: Findings, names: Sequence[str], extent: Extent) -> Iterator[Section]:
        skipped = f"{self.skipped:.1f} of {self.genes} genes skipped as illegal or deadly (mean)"
        table = CompactTable()
        table.add_column("fitness", justify="right")
        table.add_column("skipped", justify="right")
        table.add_column("what it does", folds=True)
        for genome in self.genomes[: extent.top or GENOMES]:
            table.add_row(format_number(genome.fitness), str(genome.skipped), format_plan(genome.actions))
        summary = Text(f"{self.generations} generations, {skipped}; best fitness by generation:", QUIET)
        yield "the evolution", Group(summary, curve(self.history), Text(""), table)


# Reading


@read_search.register
def read_rhea(agent: RheaAgent, state: np.record, player: int, decision: Decision) -> Findings:
    """A first move's value is its fittest individual's."""
    genomes = genomes_of(agent)
    fittest: dict[int, Genome] = {}
    for genome in genomes:
        if genome.actions:
            fittest.setdefault(genome.actions[0], genome)
    bests = {
        action: Value(genome.fitness, len(genome.actions), terms_of(agent, state, player, genome))
        for action, genome in fittest.items()
    }
    return findings_of(agent, state, player, decision, bests, evolution_of(agent, genomes))


def evolution_of(agent: RheaAgent, genomes: list[Genome]) -> Evolution:
    evolution = agent.evolution
    return Evolution(
        generations=int(evolution.generation),
        history=agent.pool.history[: min(int(evolution.generation), HISTORY)].tolist(),
        genomes=genomes,
        genes=int(evolution.max_length),
        skipped=float(np.mean([genome.skipped for genome in genomes])) if genomes else 0.0,
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


@follow_line.register
def follow_rhea(
    agent: RheaAgent, state: np.record, player: int, line: list[int], decision: Decision, findings: Findings
) -> WhyNot:
    """The individuals of the last population that begin with the line, action by action."""
    if (fate := fate_before_search(line, decision, findings)) is not None:
        return WhyNot(line, [], fate, INDIVIDUALS)
    genomes = genomes_of(agent)
    best = [genome.fitness for genome in genomes[:1]] * len(line)
    standings: list[Standing] = []
    for depth, action in enumerate(line, 1):
        alike = [rank for rank, genome in enumerate(genomes, 1) if genome.actions[:depth] == line[:depth]]
        if not alike:
            return WhyNot(line, standings, fate_of_untried(agent, state, player, line, standings, best), INDIVIDUALS)
        fitness = genomes[alike[0] - 1].fitness
        standings.append(Standing(depth, action, len(alike), alike[0], len(genomes), fitness))
    return WhyNot(line, standings, fate_of_standings(standings, best), INDIVIDUALS)


# Showing


def curve(values: Sequence[float]) -> RenderableType:
    """Numbers as blocks between the lowest and the highest, between the first and the last number."""
    return Sized(lambda width: curve_of(values, width)) if values else Text("none was completed", QUIET)


def curve_of(values: Sequence[float], width: int) -> Text:
    first, last = f"{values[0]:.2f} ", f" {values[-1]:.2f}"
    lowest, highest = min(values), max(values)
    span = highest - lowest or 1.0
    picked = [values[at] for at in spread_out(len(values), max(2, min(CURVE_WIDTH, width - len(first + last))))]
    blocks = "".join(BLOCKS[1 + round(7 * (value - lowest) / span)] for value in picked)
    return Text.assemble((first, QUIET), blocks, (last, QUIET))
