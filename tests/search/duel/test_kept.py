"""The tree kept from turn to turn: nothing in it changes, and the nodes that it took need not be spent again."""

from collections.abc import Iterator

import numpy as np
import pytest

from engine.state import copy_state
from engine.survival import joint, play_round
from search.agent import Budget, Decision
from search.duel.agent import DuelAgent
from search.duel.tree import NONE_PENDING, children_of, most_visited
from tests.kernels import entries_in
from tests.search.positions import GAME_SEED, Position, agent, decide, drawn, random_positions

globals().update(entries_in(globals()))

EXACT = "duel:share=0"
NODES = 3_000


def duel(spec: str) -> DuelAgent:
    return agent(spec)


def numbers_of(found: DuelAgent, node: int) -> tuple:
    """All that is known below a node, as far as it can be compared: nested by actions."""
    tree = found.tree
    own = (tree.states[node].tobytes(), int(tree.pending[node]), int(tree.untried[node]), int(tree.visits[node]))
    sums = (float(tree.total[node]), int(tree.spent[node]), int(tree.random[node]))
    return own, sums, {action: numbers_of(found, child) for action, child in children_of(tree, node).items()}


def next_position(found: DuelAgent, position: Position) -> Position:
    """What comes about if both do as the search expects."""
    (action, _), (reply, _) = most_visited(found.tree, int(found.walk.root))[:2]
    state = copy_state(position.state)
    play_round(state, position.map, joint(position.player, action, found.walk.rival, reply))
    return Position(state, position.map, position.player)


def two_turns(spec: str, count: int, seed: int) -> Iterator[tuple[DuelAgent, Position]]:
    """An agent that has decided once, and the position that it expects; only where the search goes on."""
    found = duel(spec)
    for position in random_positions(count, seed):
        decide(found, position, Budget(nodes=NODES))
        if len(most_visited(found.tree, int(found.walk.root))) > 4:
            after = next_position(found, position)
            if after.state.players[position.player] and (found.walk.alone or after.state.players[found.walk.rival]):
                yield found, after


def decide_on(found: DuelAgent, position: Position, nodes: int) -> Decision:
    """A decision in the same game."""
    return found.decide(position.state, position.player, Budget(nodes=nodes))


def fresh_decision(spec: str, position: Position, nodes: int) -> tuple[DuelAgent, Decision]:
    """What an agent decides that knows nothing of the turns before."""
    fresh = DuelAgent(duel(spec).params)
    fresh.start_game(position.map, position.player, GAME_SEED)
    return fresh, decide_on(fresh, position, nodes)


@pytest.mark.parametrize("spec", [EXACT, "duel"])
def test_all_numbers_below_the_new_root_are_kept_and_nothing_else(spec):
    seen = 0
    for found, position in two_turns(spec, 20, seed=1):
        expected = numbers_of(found, most_visited(found.tree, int(found.walk.root))[1][1])
        decision = decide_on(found, position, 0)
        if not decision.carried:
            continue  # another opponent is nearer now
        assert numbers_of(found, int(found.walk.root)) == expected
        assert reachable(found) == int(found.walk.tree_size) == int(found.walk.kept)
        seen += 1
    assert seen > 8


def reachable(found: DuelAgent) -> int:
    seen, waiting = {int(found.walk.root)}, [int(found.walk.root)]
    while waiting:
        new = set(children_of(found.tree, waiting.pop()).values()) - seen
        seen |= new
        waiting += new
    return len(seen)


def test_a_kept_tree_decides_what_a_fresh_one_decides_that_spends_the_saved_nodes_too():
    saved = 0
    for found, position in two_turns(EXACT, 16, seed=2):
        decision = decide_on(found, position, NODES)
        if not decision.carried:
            continue
        fresh, again = fresh_decision(EXACT, position, int(found.walk.saved) + decision.nodes)
        assert numbers_of(fresh, int(fresh.walk.root)) == numbers_of(found, int(found.walk.root))
        assert (again.action, again.plan, again.value, again.depth) == (
            decision.action,
            decision.plan,
            decision.value,
            decision.depth,
        )
        assert again.nodes == decision.nodes + int(found.walk.saved)
        saved += int(found.walk.saved)
    assert saved > 5 * NODES / 10


def test_a_position_that_was_not_expected_starts_a_fresh_tree():
    found = duel("duel")
    decide(found, drawn("0 0 0 0 1 3\n0 1 12 10 1 3"), Budget(nodes=NODES))
    decision = decide_on(found, drawn("0 0 4 0 1 3\n0 1 12 10 1 3", turn=1), 200)
    assert (decision.carried, int(found.walk.kept), int(found.walk.saved)) == ((), 0, 0)


@pytest.mark.parametrize("spec", ["duel:keep=0", "duel:paper"])
def test_the_switch_keeps_no_tree(spec):
    for found, position in two_turns(spec, 4, seed=1):
        decision = decide_on(found, position, NODES)
        assert decision.carried == ()
        _fresh, again = fresh_decision(spec, position, NODES)
        assert again == decision


def test_a_new_game_forgets_the_tree():
    for found, position in two_turns("duel", 4, seed=1):
        assert decide(found, position, Budget(nodes=500)).carried == ()


def test_shared_positions_are_found_again_in_a_kept_tree():
    position = drawn("0 0 0 0 1 3\n0 1 12 10 1 3")
    found = duel("duel")
    decide(found, position, Budget(nodes=20_000))
    decide_on(found, next_position(found, position), 20_000)
    assert found.walk.kept and found.walk.shared
    ours = np.flatnonzero(found.tree.pending[: int(found.walk.tree_size)] == NONE_PENDING)
    keys = found.tree.key[ours].tolist()
    assert len(set(keys)) == len(keys)
