"""The layers of a beam search: nothing is lost or invented, and the line to every kept state can be played."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from engine.rules import legal_actions, play_round
from engine.spec.wild import below, new_random
from engine.state import copy_state
from search.beam.agent import BeamAgent
from search.beam.layers import UNITS_PER_POINT, WORST_KEY, advance, begin
from search.beam.memory import COUNTERS, DEAD, DUPLICATES, GENERATED, KEPT, UNSURVIVABLE, best_line
from search.beam.params import BeamParams
from search.clock import NO_LIMIT
from search.common.planning import ALL_ROOTS, pack_plans
from tests.search.beam.beams import Node, beam_agent, new_beam, nodes_of, random_plans, search_by_layers
from tests.search.positions import Position, legal, random_positions

PRESETS = [f"beam:{preset},width=30,local=3" for preset in BeamParams.PRESETS]
NARROW = "beam:width=30,local=3"
DEPTH = 10

each_preset = pytest.mark.parametrize("spec", PRESETS)


def searched(spec: str, count: int, seed: int):
    """(beam, position, depth, kept nodes) of every layer of searches from random positions, the others acting."""
    beam, random = beam_agent(spec), new_random(seed)
    for position in random_positions(count, seed):
        for depth in search_by_layers(beam, position, random_plans(position, random), DEPTH):
            yield beam, position, depth, nodes_of(beam, depth)


def cell_of(node: Node, player: int) -> int:
    return int(node.state.players[player]) & 0xFF


@pytest.mark.slow
@each_preset
def test_every_generated_state_is_accounted_for(spec):
    totals: Counter[str] = Counter()
    for beam, _position, depth, nodes in searched(spec, 20, seed=1):
        counters = dict(zip(COUNTERS, beam.layers.counters[depth].tolist(), strict=True))
        assert counters["generated"] == sum(count for name, count in counters.items() if name != "generated")
        assert counters["kept"] == len(nodes)
        totals.update(counters)
    switches = beam_agent(spec).params
    assert (totals["local_cut"] > 0) == switches.lb
    assert totals["duplicates"] > 0
    assert totals["dead"] > 0
    assert totals["global_cut"] > 0


def test_what_is_generated_is_what_is_legal_in_the_layer_above():
    above = 0
    for beam, position, depth, nodes in searched(NARROW, 20, seed=2):
        expected = len(legal(position)) if depth == 1 else above
        assert beam.layers.counters[depth, GENERATED] == expected
        above = sum(int(legal_actions(node.state, position.player)).bit_count() for node in nodes)


@pytest.mark.slow
@each_preset
def test_layers_are_sorted_by_score(spec):
    for _beam, _position, _depth, nodes in searched(spec, 20, seed=3):
        lowest = nodes[0].score - WORST_KEY / UNITS_PER_POINT  # below that all are equally bad
        scores = [max(lowest, node.score) for node in nodes]
        assert all(better >= worse - 1 / UNITS_PER_POINT for better, worse in pairwise(scores))


def test_at_most_so_many_states_are_kept_per_own_cell():
    most = 0
    for _beam, position, _depth, nodes in searched(NARROW, 20, seed=4):
        most = max(most, *Counter(cell_of(node, position.player) for node in nodes).values())
    assert most == 3


@each_preset
def test_the_best_children_are_kept_as_far_as_cell_and_layer_have_room(spec):
    for beam, _position, depth, nodes in searched(spec, 10, seed=5):
        made = beam.layers.counters[depth]
        count = int(made[GENERATED] - made[DUPLICATES] - made[DEAD] - made[UNSURVIVABLE])
        cells = [int(me) & 0xFF for me in beam.layers.child_player[:count]]
        expected = chosen_slowly(beam.layers.child_score[:count].tolist(), cells, beam.params)
        layers = beam.layers
        assert layers.parent[depth, : len(nodes)].tolist() == layers.child_parent[expected].tolist()
        assert layers.action[depth, : len(nodes)].tolist() == layers.child_action[expected].tolist()


def chosen_slowly(scores: list[float], cells: list[int], params: BeamParams) -> list[int]:
    """The children to keep, best first."""
    worse = [min(WORST_KEY, int((max(scores) - score) * UNITS_PER_POINT)) for score in scores]
    kept: list[int] = []
    for child in sorted(range(len(scores)), key=worse.__getitem__):
        fits = not params.lb or sum(cells[other] == cells[child] for other in kept) < params.local
        if fits and len(kept) < params.width:
            kept.append(child)
    return kept


@pytest.mark.parametrize("switch", ["zh=1", "zh=0"])
def test_no_two_kept_states_are_equal_when_duplicates_are_dropped(switch):
    repeated = 0
    for _beam, _position, _depth, nodes in searched(f"beam:width=30,lb=0,{switch}", 20, seed=6):
        repeated += len(nodes) - len({node.state.tobytes() for node in nodes})
    assert (repeated > 0) == (switch == "zh=0")


@pytest.mark.slow
@each_preset
def test_playing_the_actions_to_a_kept_state_makes_that_state(spec):
    for beam, position, depth, nodes in searched(spec, 10, seed=7):
        for node in nodes:
            line = best_line(beam.layers, depth, node.place)
            assert len(line) == depth
            assert line[0] == beam.layers.root[depth, node.place]
            assert replayed(beam, position, line).tobytes() == node.state.tobytes()


def replayed(beam: BeamAgent, position: Position, line: list[int]) -> np.record:
    """The State after a line of own actions, each of them legal, the others following their plans."""
    state = copy_state(position.state)
    for turn, action in enumerate(line):
        assert int(legal_actions(state, position.player)) >> action & 1
        packed = int(beam.layers.other_actions[turn]) | action << 4 * position.player
        play_round(state, position.map, np.uint64(packed))
    return state


def test_first_moves_that_are_ruled_out_are_counted_and_never_kept():
    beam, random = beam_agent(NARROW), new_random(8)
    for position in random_positions(20, seed=8):
        roots = sum(1 << action for action in legal(position) if below(random, 2))
        for depth in search_by_layers(beam, position, {}, 3, roots):
            kept = set(beam.layers.root[depth, : len(nodes_of(beam, depth))].tolist())
            assert all((roots or -1) >> action & 1 for action in kept)
            ruled_out = len(legal(position)) - roots.bit_count() if roots and depth == 1 else 0
            assert beam.layers.counters[depth, UNSURVIVABLE] == ruled_out


def test_a_search_that_stops_within_a_layer_goes_on_where_it_was():
    whole, parts = new_beam(NARROW), new_beam(NARROW)
    for position in random_positions(10, seed=9):
        depth = max(search_by_layers(parts, position, {}, DEPTH), default=0)
        assert best_line(parts.layers, depth) == whole_line(whole, position)
        kept = int(whole.layers.counters[depth, KEPT])
        assert parts.layers.score[depth, :kept].tolist() == whole.layers.score[depth, :kept].tolist()


def whole_line(beam: BeamAgent, position: Position) -> list[int]:
    """The best line of a search of DEPTH layers in one go."""
    pack_plans({}, beam.other_actions)
    beam.set_up(position.state, position.player, beam.params.width)
    beam.search.max_depth = DEPTH
    begin(beam.layers, beam.search, position.state, position.map, beam.weights, np.uint64(ALL_ROOTS))
    advance(beam.layers, beam.search, position.map, beam.weights, NO_LIMIT)
    return best_line(beam.layers, int(beam.search.depth))
