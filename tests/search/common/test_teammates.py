"""Agents that know their teammate: neither feared nor hunted, and missed when dead."""

import numpy as np
import pytest

from hsctl.analysis.explain.panels import read_findings
from search import make_agent
from search.agent import Budget
from search.clock import Timer
from search.common.first_moves import FirstMoves, members
from search.common.others import living_mates, mates_lost
from search.duel.walk import score
from search.hybrid.tree import START, score_of
from search.mcts.agent import MctsAgent
from search.negamax.evaluate import MATE, Evaluation
from search.negamax.params import NegamaxParams
from search.negamax.strategies import STRATEGIES
from tests.kernels import entries_in
from tests.search.positions import GAME_SEED, Position, after, drawn, legal, random_positions
from tests.search.test_positions import MINE, SACRIFICE

globals().update(entries_in(globals()))

# Player 0 can seal player 1 in by a bomb.
KILL = """
    ....
    0X.X
    0 0 2 0 1 3
    0 1 0 0 1 3
    0 2 12 10 1 3
    """


def first_moves(mcts: MctsAgent, position: Position) -> list[int]:
    return members(mcts.own_roots(position.state, position.player, Timer(Budget(nodes=500)), {}))


def test_no_first_move_is_left_out_for_fear_of_a_teammate():
    mcts = make_agent("mcts")
    fears = 0
    for position in random_positions(60, seed=6):
        others = tuple(mcts.living_others(position.state, position.player))
        mcts.start_game(position.map, position.player, GAME_SEED)
        fears += first_moves(mcts, position) not in ([], legal(position))
        mcts.start_game(position.map, position.player, GAME_SEED, others)
        assert first_moves(mcts, position) == legal(position)
    assert fears > 3


def test_a_teammate_is_predicted_like_an_opponent():
    position = drawn(KILL)
    mcts = make_agent("mcts")
    mcts.start_game(position.map, 0, GAME_SEED, (1,))
    assert list(mcts.decide(position.state, 0, Budget(nodes=500)).stages) == ["opponent 1", "opponent 2", "own"]


def test_explanations_tell_kills_of_opponents_only():
    position = drawn(KILL)
    for mates, kills in (((), [1]), ((1,), [])):
        mcts = make_agent("mcts")
        mcts.start_game(position.map, 0, GAME_SEED, mates)
        decision = mcts.decide(position.state, 0, Budget(nodes=300))
        roots = read_findings(mcts, position.state, 0, decision).roots
        assert sorted({other for root in roots for other in root.kills}) == kills


@pytest.mark.parametrize("dead", [0, 1])
def test_the_teammates_there_are_to_lose_are_those_that_live(dead):
    position = drawn(KILL)
    mates = living_mates(position.state, (1, 3))
    assert mates == np.uint64(0b0010)
    state = after(position, 0)
    if dead:
        state.players[1] = 0
    assert mates_lost(state, mates) == dead


def test_the_death_of_a_teammate_counts_against_us_in_negamax():
    position = drawn(KILL)
    evaluation = Evaluation()
    evaluation.prepare(NegamaxParams(), STRATEGIES["defensive"], position.state, 0, 2, (1,))
    with_mate = evaluation.score(position.state, position.map)
    alone = after(position, 0)
    alone.turn = position.state.turn
    alone.players[1] = 0
    assert evaluation.score(alone, position.map) == with_mate - MATE
    assert evaluation.weighted_terms(alone, position.map)["mate"] == -MATE


def test_the_death_of_a_teammate_counts_against_us_in_the_attack_of_hybrid():
    position = drawn(KILL)
    hybrid = make_agent("hybrid")
    hybrid.search.mates = living_mates(position.state, (1,))
    with_mate = score_of(position.state, 0, 2, hybrid.search, hybrid.tree.areas)
    alone = after(position, 0)
    alone.players[1] = 0
    assert score_of(alone, 0, 2, hybrid.search, hybrid.tree.areas) == with_mate - START


def test_the_death_of_a_teammate_costs_a_life_in_a_duel_of_players():
    position = drawn(KILL)
    duel = make_agent("duel:joint=0")
    duel.start_game(position.map, 0, GAME_SEED, (1,))
    duel.decide(position.state, 0, Budget(nodes=1))
    with_mate = score(position.state, duel.walk)
    alone = after(position, 0)
    alone.players[1] = 0
    assert duel.walk.rival == 2
    assert score(alone, duel.walk) == with_mate - duel.params.life


def test_a_teammate_never_stands_in_for_an_opponent_out_of_sight():
    position = drawn(KILL.replace("    0 2 12 10 1 3\n", ""))
    negamax = make_agent("negamax")
    negamax.start_game(position.map, 0, GAME_SEED, (1,))
    negamax.decide(position.state, 0, Budget(nodes=50))
    assert negamax.evaluation.pair.rival not in (0, 1)


def test_who_has_a_teammate_sacrifices_nothing():
    """It is not the player's boxes alone that decide."""
    position = drawn(SACRIFICE.format(bombs=MINE), boxes=(4, 3))
    moves = FirstMoves()
    alone, with_mate = (moves.allowed(position.state, position.map, 0, [1], is_alone) for is_alone in (True, False))
    assert alone != with_mate == moves.survivable(position.state, position.map, 0)
