"""Rolling horizon evolution: what an individual is worth, and how the next generation comes about."""

from itertools import pairwise

import numpy as np
import pytest

from engine.rules import ACTIONS, legal_actions, play_round
from engine.state import copy_state
from engine.survival import is_survivable
from search.agent import Budget
from search.common.evaluate import evaluate_terms
from search.rhea.agent import RheaAgent
from search.rhea.evolution import draw_parent, make_child, try_individual
from tests.kernels import entries_in
from tests.search.positions import Position, agent, decide, drawn, random_positions

globals().update(entries_in(globals()))

LENGTH = 17
INVALID = 5  # a bomb, for who has none


def rhea_agent(spec: str) -> RheaAgent:
    return agent(spec)


def history_of(spec: str, position: Position) -> list[float]:
    """The best fitness of each generation."""
    rhea = rhea_agent(spec)
    decide(rhea, position, Budget(nodes=20_000))
    return rhea.pool.history[: int(rhea.evolution.generation)].tolist()


def test_the_best_fitness_never_falls_when_parents_compete():
    for position in random_positions(15, seed=1):
        assert all(before <= after for before, after in pairwise(history_of("rhea", position)))


def test_the_best_fitness_may_fall_when_children_replace_their_parents():
    histories = [history_of("rhea:replacement=comma", position) for position in random_positions(15, seed=1)]
    assert any(before > after for history in histories for before, after in pairwise(history))


def tried(rhea: RheaAgent, position: Position) -> range:
    """The individuals of the first generation that a small search tried."""
    decide(rhea, position, Budget(stages={"own": 40}))
    assert rhea.evolution.generation == 0
    return range(int(rhea.evolution.next))


def follow(position: Position, genes: list[int]) -> tuple[list[int], list[np.record]]:
    """The actions done when invalid and deadly genes are skipped, and the states on the way."""
    done: list[int] = []
    states = [position.state]
    for action in genes:
        if int(legal_actions(states[-1], position.player)) >> action & 1:
            state = copy_state(states[-1])
            play_round(state, position.map, np.uint64(action << 4 * position.player))
            if state.players[position.player]:
                done.append(action)
                states.append(state)
    return done, states


def test_an_individual_is_worth_the_state_after_its_valid_actions_less_its_punishment():
    rhea, skipped, punished = rhea_agent("rhea"), 0, set()
    for position in random_positions(60, seed=2):
        for each in tried(rhea, position):
            done, states = follow(position, rhea.pool.genes[each].tolist())
            assert rhea.pool.done[each, : rhea.pool.length[each]].tolist() == done
            assert rhea.pool.skipped[each] == LENGTH - len(done)
            skipped += int(rhea.pool.skipped[each])
            if not done:
                assert rhea.pool.fitness[each] == -1000
                continue
            turn = last_survivable(position, states)
            punishment = 10 * (LENGTH - turn) if turn < len(done) else 0
            value = sum(evaluate_terms(states[-1], position.map, position.player, rhea.weights).values())
            assert rhea.pool.fitness[each] == pytest.approx(value - punishment)
            punished.add(punishment)
    assert skipped > 0
    assert len(punished) > 3


def last_survivable(position: Position, states: list[np.record]) -> int:
    """The last turn at which the line could be survived, -1 if never."""
    for turn in reversed(range(len(states))):
        if is_survivable(states[turn], position.map, position.player):
            return turn
    return -1


def test_the_earlier_a_line_is_lost_the_more_it_is_punished():
    # Three moves lead around the corner. The bomb leaves five, so standing still is lost from the third turn on.
    corner = drawn(
        """
        .....0
        0X0X.X
        0 0 2 0 0 3
        0 1 12 10 1 3
        1 0 2 0 6 6
        """
    )
    stay, left, right = 0, 1, 2
    assert [punishment(corner, line) for line in ([stay], [stay] * 2, [stay] * 3, [stay] * 4)] == [0, 0, 150, 150]
    assert punishment(corner, [right, right, left]) == 0
    assert punishment(corner, [right, right, left, stay]) == 10 * (LENGTH - 3)
    assert punishment(corner, [left]) == 10 * LENGTH  # the bomb blocks the way back


def punishment(position: Position, line: list[int]) -> float:
    """What an individual that does these actions, and then nothing valid, loses."""
    rhea = rhea_agent("rhea")
    decide(rhea, position, Budget(stages={"own": 1}))
    rhea.pool.genes[0] = [*line, *[INVALID] * (LENGTH - len(line))]
    try_individual(rhea.pool, rhea.evolution, position.map, rhea.weights, 0)
    done, states = follow(position, line)
    assert done == line
    value = sum(evaluate_terms(states[-1], position.map, position.player, rhea.weights).values())
    return round(value - float(rhea.pool.fitness[0]), 6)


def test_a_player_who_stands_well_still_names_an_action():
    # All genes invalid would leave the player where it is, which is fine but for the bomb: it must go right at once.
    corridor = drawn(
        """
        .........
        0X0X.X.X.
        0 0 2 0 0 3
        0 1 12 10 1 3
        1 1 6 0 4 8
        """
    )
    assert decide(agent("rhea"), corridor, Budget(nodes=20_000)).plan[:3] == (2, 2, 4)


def bred(spec: str) -> RheaAgent:
    """An evolution whose first individuals are made of one action each: individual k of k alone."""
    rhea = rhea_agent(spec)
    (position,) = random_positions(1, seed=3)
    decide(rhea, position, Budget(nodes=1))
    for each in range(min(ACTIONS, len(rhea.pool.genes))):
        rhea.pool.genes[each] = each
    return rhea


def test_a_child_of_one_point_crossover_begins_like_its_mother_and_ends_like_its_father():
    rhea, cuts = bred("rhea:mutation=0"), set()
    for _ in range(200):
        make_child(rhea.pool, rhea.evolution, 60, 3, 8)
        child = rhea.pool.genes[60].tolist()
        cut = child.count(3)
        assert child == [3] * cut + [8] * (LENGTH - cut)
        cuts.add(cut)
    assert cuts == set(range(1, LENGTH + 1))


def test_a_child_of_uniform_crossover_has_each_gene_of_either():
    rhea = bred("rhea:mutation=0,crossover=uniform")
    made = []
    for _ in range(100):
        make_child(rhea.pool, rhea.evolution, 60, 3, 8)
        made.append(rhea.pool.genes[60].copy())
    assert set(np.unique(made)) == {3, 8}
    shares = (np.array(made) == 3).mean(axis=0)
    assert (shares > 0.3).all() and (shares < 0.7).all()


def test_half_of_the_genes_mutate_into_any_action():
    rhea, counts = bred("rhea"), np.zeros(10, int)
    for _ in range(300):
        make_child(rhea.pool, rhea.evolution, 60, 4, 4)
        counts += np.bincount(rhea.pool.genes[60], minlength=10)
    shares = counts / counts.sum()
    assert shares[4] == pytest.approx(0.55, abs=0.05)  # those kept, and a tenth of those replaced
    assert np.delete(shares, 4) == pytest.approx([0.05] * 9, abs=0.02)


def test_parents_are_drawn_by_their_fitness_above_the_lowest():
    rhea = bred("rhea:population=4,offspring=4")
    rhea.pool.order[:4] = [0, 1, 2, 3]
    rhea.pool.fitness[:4] = [5.0, 2.0, 3.0, 2.0]
    draws = np.bincount([draw_parent(rhea.pool, rhea.evolution, 4.0, 2.0) for _ in range(2000)], minlength=4)
    assert draws[1] == draws[3] == 0
    assert draws[0] / draws.sum() == pytest.approx(0.75, abs=0.05)
