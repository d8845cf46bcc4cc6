"""What a search leaves behind, read after the decision: first moves, layers, the best line, as plain values.

Nothing here runs while an agent thinks. Layers, tree and population stay in the agent's memory until its next
decision; what is no longer there (the states of a beam's earlier layers) is stepped again along its line.

    trace_decision(agent, state, player, decision) -> Trace
"""

from dataclasses import dataclass, field
from importlib import import_module

import numpy as np

from search.agent import Agent, Decision

Terms = dict[str, float]


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
    killable_by: list[int]  # who can surely kill the player within two rounds, though the known bombs would not
    kills: list[int]  # who dies by it within two rounds, whatever he does
    pruned: str | None  # why it was not searched
    best: Value | None
    states: list[int]  # [depth - 1], states of a layer that descend from it


@dataclass(frozen=True)
class Layer:
    """generated = duplicates + dead + unsurvivable + local_cut + global_cut + kept."""

    depth: int
    generated: int
    duplicates: int
    dead: int
    unsurvivable: int
    local_cut: int
    global_cut: int
    kept: int
    best: float | None
    median: float | None
    cutoff: float | None  # the worst score that was kept


@dataclass(frozen=True)
class Unfinished:
    """The layer during which the budget ended; nothing of it counts."""

    depth: int
    expanded: int  # states of the layer above
    of: int
    generated: int


@dataclass(frozen=True)
class Step:
    """One action of the best line and the state it leads to."""

    turn: int
    action: int
    name: str
    x: int  # where the player stands after it
    y: int
    place: int | None = None  # in its layer, from 0
    value: float | None = None
    terms: Terms = field(default_factory=dict)


@dataclass(frozen=True)
class Visit:
    """A node of the tree, by the action that leads to it."""

    action: int
    name: str
    visits: int
    mean: float
    maximum: float
    terms: Terms = field(default_factory=dict)  # what the next walk would compare; empty if it is UCT alone


@dataclass(frozen=True)
class Tree:
    """What a tree search left behind."""

    iterations: int
    size: int
    children: list[Visit]  # of the root
    depths: list[int]  # [depth], nodes of the tree
    most_visited: list[Visit]


@dataclass(frozen=True)
class Genome:
    """An individual of rhea: what it really did, and how many of its genes were illegal or deadly."""

    fitness: float
    actions: list[int]
    skipped: int


@dataclass(frozen=True)
class Evolution:
    """What rhea left behind."""

    generations: int
    history: list[float]  # best fitness by generation
    genomes: list[Genome]  # best first
    genes: int  # of an individual
    skipped: float  # mean over the individuals that were tried


@dataclass(frozen=True)
class Machine:
    """The state of hybrid's machine and what led to it."""

    state: str  # explore, attack or evade
    why: str  # it does what it does
    decided_by: str  # rules, or the search
    rules: str  # what the rules alone would do
    bombs_around: int
    danger_below: float  # ticks
    in_reach: list[str]  # moves onto cells that a dangerous bomb reaches
    bombs_left: int
    enemy: int | None  # the nearest
    distance: int | None  # to him
    score: float | None  # of the position itself, by the search's equation


@dataclass(frozen=True)
class Deepening:
    """One depth of an alpha-beta search, as far as it came."""

    depth: int  # plies
    nodes: int
    action: int | None  # the best first move; None: none was finished
    value: float | None
    hits: int  # positions whose value the table gave
    cutoffs: int
    first_cutoffs: int  # of these by the first action tried
    complete: bool


@dataclass(frozen=True)
class Bound:
    """What a first move is worth, or at most worth."""

    action: int
    value: float
    exact: bool


@dataclass(frozen=True)
class AlphaBeta:
    """What negamax left behind."""

    strategy: str
    stage: str  # opening, middle or end
    reason: str  # for the strategy
    boxes_left: int
    lead: float  # pieces ahead of the adversary
    weights: Terms
    adversary: int | None
    deepenings: list[Deepening]
    bounds: list[Bound]  # of the first moves, best first


@dataclass(frozen=True)
class Choice:
    """A node of a tree of two sides, by the action that leads to it; the mean is that of the side that takes it."""

    player: int
    action: int
    name: str
    visits: int
    mean: float


@dataclass(frozen=True)
class Exchange:
    """One of the own first moves and the answers to it."""

    move: Choice
    answers: list[Choice]


@dataclass(frozen=True)
class Duel:
    """What duel left behind."""

    adversary: int | None  # None: nobody else lives
    iterations: int
    size: int
    kept: int  # nodes of the tree brought along from the turn before
    saved: int  # calls of step that they would have cost
    shared: int  # ways into positions that others led to before
    exchanges: list[Exchange]
    rounds: list[int]  # [rounds from now], positions in the tree
    most_visited: list[Choice]  # sides in turn


@dataclass(frozen=True)
class Trace:
    """All that can be told of a decision."""

    roots: list[Root]
    line: list[Step]
    plans: dict[int, list[int]]  # the opponents' predicted actions
    now: Terms = field(default_factory=dict)  # of the position itself
    layers: list[Layer] = field(default_factory=list)
    unfinished: Unfinished | None = None
    tree: Tree | None = None
    evolution: Evolution | None = None
    machine: Machine | None = None
    alpha_beta: AlphaBeta | None = None
    duel: Duel | None = None


# Who reads what an agent of this class left behind; all others leave nothing but their decision.
READERS = {
    "BeamAgent": ("hsctl.explain.read.beam", "trace_beam"),
    "MctsAgent": ("hsctl.explain.read.mcts", "trace_mcts"),
    "BiasAgent": ("hsctl.explain.read.bias", "trace_bias"),
    "HybridAgent": ("hsctl.explain.read.hybrid", "trace_hybrid"),
    "RheaAgent": ("hsctl.explain.read.rhea", "trace_rhea"),
    "NegamaxAgent": ("hsctl.explain.read.negamax", "trace_negamax"),
    "DuelAgent": ("hsctl.explain.read.duel", "trace_duel"),
}


def trace_decision(agent: Agent, state: np.record, player: int, decision: Decision) -> Trace:
    """The trace of the agent's last decision, which was this one on this state."""
    module, name = READERS.get(type(agent).__name__, ("hsctl.explain.read.simple", "trace_simple"))
    trace: Trace = getattr(import_module(module), name)(agent, state, player, decision)
    return trace
