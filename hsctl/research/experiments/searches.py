"""Searches over the rounds of a game, by every set of features of the beam: what Figures 3 and 4 are drawn from.

One game is played with few nodes. Every few rounds, each set of features searches that round's position for 100 ms,
three times, and the best counts: the others say more about the machine. A search of this width may reach the end of the
game before its time is up; then it stops early. The milliseconds are those of the core, so that other work on the
machine takes nothing away.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.game import Game
from search import make_agent
from search.agent import Budget
from search.beam.agent import BeamAgent
from search.beam.memory import KEPT

FEATURE_SETS = ("zh", "zh+op", "zh+lb", "zh+fmp", "all", "all+sc")
SEED = 7
PLAYERS = 2
MS = 100.0
TRIES = 3
DRIVER, DRIVER_NODES = "beam:paper", 3000


@dataclass(frozen=True)
class Point:
    """One search: of which round, and how far it got. Simulations are nodes; parents were expanded."""

    round: int
    simulations: int
    parents: int
    depth: int
    ms: float

    @property
    def parents_per_100_ms(self) -> float:
        return self.parents * 100.0 / self.ms


def rounds_of_a_game(every: int) -> list[Game]:
    """A game of the beam against itself, copied every few rounds."""
    game = Game.start(SEED, PLAYERS)
    agents = [make_agent(DRIVER) for _ in range(PLAYERS)]
    for seat, agent in enumerate(agents):
        agent.start_game(game.map, seat, SEED)
    games = []
    while not game.is_over:
        if game.turn % every == 0:
            games.append(game.copy())
        game.step(
            [agent.decide(game.state, seat, Budget(nodes=DRIVER_NODES)).action for seat, agent in enumerate(agents)]
        )
    return games


def search_round(agent: BeamAgent, game: Game, ms: float) -> Point:
    agent.start_game(game.map, 0, SEED)
    agent.clock = time.thread_time_ns
    started = agent.clock()
    decision = agent.decide(game.state, 0, Budget(ms=ms))
    elapsed = (agent.clock() - started) / 1e6
    own = decision.stages["own"]  # 0 if the clock was up before it began
    parents = count_parents(agent) * decision.nodes // own if own else 0
    return Point(game.turn, decision.nodes, parents, decision.depth, elapsed)


def count_parents(agent: BeamAgent) -> int:
    """States that the own search expanded: all that were kept above the last layer, and its part of that layer."""
    depth = int(agent.search.depth)
    kept = agent.layers.counters[1:depth, KEPT]
    return 1 + int(np.sum(kept)) + int(agent.search.cursor)


def search_game(every: int, ms: float, on_progress: Callable[[float], None]) -> dict[str, list[Point]]:
    """The points of both figures, by set of features; `on_progress` is told which share more is done."""
    games = rounds_of_a_game(every)
    points: dict[str, list[Point]] = {}
    for features in FEATURE_SETS:
        agent = make_agent(f"beam:{features}")
        assert isinstance(agent, BeamAgent)
        agent.warm_up()
        points[features] = []
        for game in games:
            tries = [search_round(agent, game, ms) for _ in range(TRIES)]
            points[features].append(max(tries, key=lambda point: point.parents_per_100_ms))
            on_progress(1 / (len(games) * len(FEATURE_SETS)))
    return points


def mean_rate(points: Sequence[Point]) -> float:
    """Parents expanded per 100 ms over all searches."""
    return 100.0 * sum(point.parents for point in points) / sum(point.ms for point in points)
