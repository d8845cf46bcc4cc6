"""A beam search stopped after every layer, so that tests can look at all states that it keeps."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.rules import ACTIONS
from engine.spec.wild import below
from engine.state import FUSE, MAX_PLAYERS
from search import make_agent
from search.beam.agent import BeamAgent
from search.beam.layers import advance, begin
from search.common.planning import ALL_ROOTS, pack_plans
from tests.search.positions import Position, agent


class Node(NamedTuple):
    """A kept state: its place in its layer, and its facts."""

    place: int
    state: np.record
    forecast: np.record
    score: float


def beam_agent(spec: str) -> BeamAgent:
    return agent(spec)


def new_beam(spec: str) -> BeamAgent:
    """One that no other test has used: nothing is left behind in it."""
    return make_agent(spec)


def random_plans(position: Position, random: np.ndarray, length: int = FUSE) -> dict[int, list[int]]:
    """Any actions, also meaningless ones, for all other players."""
    others = [other for other in range(MAX_PLAYERS) if other != position.player]
    return {other: [below(random, ACTIONS) for _ in range(length)] for other in others}


def search_by_layers(
    beam: BeamAgent, position: Position, plans: dict[int, list[int]], depth: int, roots: int = ALL_ROOTS
) -> Iterator[int]:
    """Search, and yield the depth of each complete layer (only its states and its parents' are still there)."""
    search = beam.search
    beam.set_up(position.state, position.player, beam.params.width)
    search.max_depth = min(depth, int(search.max_depth))  # the memory has no more layers than that
    pack_plans(plans, beam.other_actions)
    begin(beam.layers, search, position.state, position.map, beam.weights, np.uint64(roots))
    while not search.finished:
        before = int(search.depth)
        while not search.finished and search.depth == before:
            advance(beam.layers, search, position.map, beam.weights, int(search.nodes) + 1)
        if search.depth > before:
            yield before + 1


def nodes_of(beam: BeamAgent, depth: int) -> list[Node]:
    """The states kept in the layer just completed, in their order."""
    layers = beam.layers
    return [
        Node(
            place,
            layers.states[depth & 1, place],
            layers.forecasts[layers.forecast[depth, place]],
            float(layers.score[depth, place]),
        )
        for place in range(int(beam.search.layer_size))
    ]
