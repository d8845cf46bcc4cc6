"""Alpha-beta finds what plain negamax finds, value and move, whatever is switched on to make it faster."""

import math

import numpy as np
import pytest

from engine.rules import ACTIONS, legal_actions, play_round
from engine.spec.wild import below, new_random
from engine.state import MAX_TURNS, copy_state
from search.agent import Budget
from search.common.first_moves import members
from search.negamax.agent import NegamaxAgent
from search.negamax.deepen import BOMBS_FIRST
from search.negamax.evaluate import is_over
from tests.search.positions import Position, agent, decide, drawn, random_positions

ENDLESS = Budget(nodes=10_000_000)
SWITCHES = ("pruning", "table", "ordering", "killers")
NO_OPENING = "opening=0"


def negamax(*parts: str) -> NegamaxAgent:
    return agent("negamax:" + ",".join((NO_OPENING, *parts)))


def plain_value(player: NegamaxAgent, position: Position, state: np.record, pending: int | None, plies: int) -> float:
    """The definition: the best of the negated values of all children, with nothing left out."""
    pair = player.evaluation.pair
    if pending is None and (plies == 0 or is_over(state, pair)):
        return player.evaluation.score(state, position.map)
    if plies == 0:
        return -player.evaluation.score(played(position, state, {int(pair.player): pending}), position.map)
    if pending is None:
        return max(-plain_value(player, position, state, action, plies - 1) for action in actions(state, pair.player))
    children = [
        played(position, state, {int(pair.player): pending, int(pair.rival): reply})
        for reply in actions(state, pair.rival)
    ]
    return max(-plain_value(player, position, child, None, plies - 1) for child in children)


def plain_choice(player: NegamaxAgent, position: Position, plies: int) -> tuple[int, float]:
    """The first of the best first moves, and its value."""
    values = {
        action: -plain_value(player, position, position.state, action, plies - 1)
        for action in actions(position.state, position.player)
    }
    best = max(values, key=values.__getitem__)
    return best, values[best]


def actions(state: np.record, player: int) -> list[int]:
    return members(int(legal_actions(state, player))) or [0]


def played(position: Position, state: np.record, both: dict[int, int | None]) -> np.record:
    after = copy_state(state)
    play_round(after, position.map, np.uint64(sum((action or 0) << 4 * seat for seat, action in both.items())))
    return after


@pytest.mark.parametrize(("depth", "count"), [(1, 500), (2, 300), (3, 25), (4, 3)])
def test_alpha_beta_finds_the_value_and_the_move_of_plain_negamax(depth, count):
    fast = negamax(f"depth={depth}")
    for position in random_positions(count, seed=depth):
        decision = decide(fast, position, ENDLESS)
        plies = min(depth, 2 * (MAX_TURNS - int(position.state.turn)))
        assert (decision.action, decision.value) == plain_choice(fast, position, plies)


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "count"), [(2, 800), (3, 300), (4, 40)])
def test_no_switch_changes_value_or_move(depth, count):
    plain = negamax(f"depth={depth}", "pruning=0", "table=0", "ordering=0", "killers=0")
    others = [negamax(f"depth={depth}", *(f"{name}=0" for name in off)) for off in subsets(SWITCHES)]
    random = new_random(depth)
    for position in random_positions(count, seed=10 + depth):
        expected = decide(plain, position, ENDLESS)
        for _ in range(4):
            found = decide(others[below(random, len(others))], position, ENDLESS)
            assert (found.action, found.value) == (expected.action, expected.value)
            assert found.nodes <= expected.nodes


def subsets(names: tuple[str, ...]) -> list[list[str]]:
    return [[name for at, name in enumerate(names) if bits >> at & 1] for bits in range(1 << len(names))]


def test_a_table_far_too_small_changes_nothing_either():
    small, none = negamax("depth=4", "table_bits=4"), negamax("depth=4", "table=0")
    for position in random_positions(150, seed=20):
        found, expected = decide(small, position, ENDLESS), decide(none, position, ENDLESS)
        assert (found.action, found.value) == (expected.action, expected.value)


def test_every_means_saves_nodes():
    """Summed over positions, as a single one may be unlucky."""
    specs = {name: negamax("depth=6", f"{name}=0") for name in SWITCHES[1:]} | {"": negamax("depth=6")}
    nodes = dict.fromkeys(specs, 0)
    for position in random_positions(60, seed=21):
        for name, player in specs.items():
            nodes[name] += decide(player, position, ENDLESS).nodes
    assert all(nodes[name] > nodes[""] for name in SWITCHES[1:]), nodes


def test_cut_offs_save_more_than_half_of_the_nodes():
    saving, plain = negamax("depth=4"), negamax("depth=4", "pruning=0")
    nodes = [[decide(each, position, ENDLESS).nodes for each in (saving, plain)] for position in random_positions(40)]
    assert 2 * sum(each[0] for each in nodes) < sum(each[1] for each in nodes)


def test_deepening_ends_with_what_its_last_depth_would_have_found_alone():
    deepening = negamax()
    for position in random_positions(40, seed=22):
        found = decide(deepening, position, Budget(nodes=1500))
        complete = [log for log in logs(deepening) if log.is_complete]
        for log in complete[:3]:
            alone = decide(negamax(f"depth={int(log.depth)}"), position, ENDLESS)
            assert (alone.action, alone.value) == (log.action, log.value)
        assert found.nodes == sum(int(log.nodes) for log in logs(deepening))


def logs(player: NegamaxAgent) -> np.ndarray:
    return player.stack.iterations[: int(player.search.iteration) + 1].copy().view(np.recarray)


def test_a_deepening_that_was_cut_short_counts_once_its_first_move_was_finished():
    deepening, counted, ignored = negamax(), 0, 0
    for position in random_positions(150, seed=23):
        found = decide(deepening, position, Budget(nodes=230))
        *complete, last = logs(deepening)
        if last.is_complete or not complete:
            continue
        values, first = deepening.search.root_values, complete[-1].action
        if math.isnan(values[first]) or found.depth < last.depth:
            assert (found.action, found.value, found.depth) == (first, complete[-1].value, complete[-1].depth)
            ignored += 1
        else:
            assert (found.action, found.value, found.depth) == (last.action, last.value, last.depth)
            counted += 1
    assert counted > 10 and ignored > 10


def test_the_line_leads_to_a_state_of_the_value():
    """Where the table gave a value the line ends early; without it never."""
    player = negamax("depth=4", "table=0")
    for position in random_positions(60, seed=24):
        decision = decide(player, position, ENDLESS)
        state, rival = position.state, int(player.evaluation.pair.rival)
        replies = player.thinking.plans.get(rival, [0] * len(decision.plan))
        for own, reply in zip(decision.plan, replies, strict=True):
            state = played(position, state, {position.player: own, rival: reply})
        assert player.evaluation.score(state, position.map) == decision.value


def test_a_win_comes_as_soon_and_a_defeat_as_late_as_can_be():
    # Shut in with a bomb that explodes in its third round: nothing helps, but there is nothing to hasten it either.
    doomed = drawn(
        """
        .0
        0X
        0 0 0 0 0 3
        0 1 12 10 1 3
        1 1 0 0 3 3
        """
    )
    decision = decide(negamax("depth=8"), doomed, ENDLESS)
    assert decision.value == -(100_000 - 3)
    from_their_side = Position(doomed.state, doomed.map, 1)
    assert decide(negamax("depth=8"), from_their_side, ENDLESS).value == 100_000 - 3


def test_bombs_are_tried_before_moves_and_moves_before_staying():
    assert sorted(BOMBS_FIRST.tolist()) == list(range(ACTIONS))
    kinds = [("bomb" if action >= 5 else "move" if action else "stay") for action in BOMBS_FIRST.tolist()]
    assert kinds == ["bomb"] * 5 + ["move"] * 4 + ["stay"]
