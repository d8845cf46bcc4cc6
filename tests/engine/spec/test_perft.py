"""The joint-action tree of drawn positions, counted and hashed.

A file of `perft/` is a comment, the position in the arena's text, and a line `perft depth nodes hash` per depth.
The numbers are written anew by `pytest --snapshot-update`, in a commit that says why they are right.
"""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from engine.notation import parse_position
from engine.spec.bridge import from_state
from engine.spec.naive import legal_actions as slow_legal_actions
from engine.spec.naive import new_naives
from engine.spec.naive import step as slow_step
from engine.spec.perft import Perft, perft, split
from engine.state import MAX_PLAYERS
from tests.engine.draw import assert_same, play_on

FOLDER = Path(__file__).parent / "perft"
FILES = sorted(FOLDER.glob("*.txt"))
MOST_ROUNDS, MOST_NODES = 6, 300_000  # of a line that is written
MOST_SLOW_NODES = 3_000  # walked on both engines

every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def read_position(path):
    lines = path.read_text().splitlines()
    game = parse_position("\n".join(line for line in lines if not line.startswith(("#", "perft"))))
    return game.state, game.map


def read_counts(path):
    """Depth -> Perft."""
    fields = [line.split() for line in path.read_text().splitlines() if line.startswith("perft")]
    return {int(depth): Perft(int(nodes), int(hashed, 16)) for _, depth, nodes, hashed in fields}


def write_counts(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("perft")]
    state, map_ = read_position(path)
    for depth in range(1, MOST_ROUNDS + 1):
        counted = perft(state, map_, depth)
        if counted.nodes > MOST_NODES:
            break
        lines.append(f"perft {depth} {counted.nodes} {counted.hash:016x}")
    path.write_text("\n".join(lines) + "\n")


def format_split(state, map_, depth):
    """To be compared with the split of the version that was right."""
    below = split(state, map_, depth)
    return "\n".join(f"{joint}: {counted.nodes} {counted.hash:016x}" for joint, counted in below.items())


@every_file
def test_perft_counts_and_hashes_are_those_on_file(path, request):
    if request.config.getoption("--snapshot-update"):
        write_counts(path)
    state, map_ = read_position(path)
    expected = read_counts(path)
    assert expected
    for depth, counted in expected.items():
        assert perft(state, map_, depth) == counted, f"depth {depth}, split:\n{format_split(state, map_, depth)}"


def walk_both(naive, state, map_, depth):
    """Leaves below a position, walked on both engines, which must agree on every one."""
    if depth == 0:
        return 1
    choices = [slow_legal_actions(naive, player) or 1 for player in range(MAX_PLAYERS)]
    actions = [[action for action in range(10) if bits >> action & 1] for bits in choices]
    leaves = 0
    for joint in product(*actions):
        packed = np.uint64(sum(action << 4 * player for player, action in enumerate(joint)))
        child = new_naives(1)
        child[0] = naive
        slow_step(child[0], packed)
        after = play_on(state, map_, packed)
        assert_same(child[0], after, map_)
        leaves += walk_both(child[0], after, map_, depth - 1)
    return leaves


@every_file
def test_the_naive_engine_walks_the_same_tree(path):
    state, map_ = read_position(path)
    depths = [depth for depth, counted in read_counts(path).items() if counted.nodes <= MOST_SLOW_NODES]
    depth = max(depths, default=1)
    assert walk_both(from_state(state, map_), state, map_, depth) == read_counts(path)[depth].nodes


@every_file
def test_the_split_adds_up_to_the_whole(path):
    state, map_ = read_position(path)
    below = split(state, map_, 2)
    whole = perft(state, map_, 2)
    assert sum(counted.nodes for counted in below.values()) == whole.nodes
    assert sum(counted.hash for counted in below.values()) % 2**64 == whole.hash


def test_the_hash_of_a_position_ignores_the_turn_but_not_the_score():
    path = FILES[0]
    state, map_ = read_position(path)
    text = "\n".join(line for line in path.read_text().splitlines() if not line.startswith(("#", "perft")))
    later = parse_position(text, turn=13)
    assert perft(later.state, map_, 1) == perft(state, map_, 1)
    state.scored[0] += 1
    assert perft(state, map_, 0) != perft(later.state, map_, 0)
