"""Which strategy is played when, the opening, and what the agent makes of drawn positions."""

import pytest

from engine.game import Game
from engine.rules import ACTION_NAMES, BOMB, play_round
from search.agent import Budget
from search.negamax.agent import towards_centre
from search.negamax.params import NegamaxParams
from search.negamax.strategies import choose_strategy
from tests.search.positions import Position, agent, choice, decide, drawn

MANY_BOXES = """
    ..0000000000
    .X.X.X.X.X.X
    .0
    """
FEW_BOXES = """
    ..0000000000
    .X.X.X.X.X.X
    """
PLAYERS = "    0 0 0 0 {} 3\n    0 1 12 10 1 3\n"


def strategy_on(drawing: str, boxes: tuple[int, int], bombs: int = 1, turn: int = 50, **changes: int) -> str:
    """The strategy of player 0 with so many boxes scored and bombs in stock."""
    parts = "".join(f",{key}={value}" for key, value in changes.items())
    player = agent(f"negamax:depth=1{parts}")
    decide(player, drawn(drawing + PLAYERS.format(bombs), turn=turn, boxes=boxes), Budget(nodes=1))
    return player.strategy.name


@pytest.mark.parametrize(
    ("drawing", "boxes", "options", "strategy"),
    [
        *((MANY_BOXES, boxes, {}, "sniper") for boxes in [(0, 30), (0, 2), (0, 0), (2, 0), (30, 0)]),
        (FEW_BOXES, (20, 15), {}, "mortar"),  # far ahead
        (FEW_BOXES, (19, 15), {}, "defensive"),
        (FEW_BOXES, (16, 15), {}, "defensive"),
        (FEW_BOXES, (15, 15), {}, "mortar"),
        (FEW_BOXES, (15, 16), {}, "mortar"),
        (FEW_BOXES, (15, 19), {}, "mortar"),
        (FEW_BOXES, (15, 20), {}, "nuke"),  # far behind
        (FEW_BOXES, (15, 15), {"bombs": 2}, "defensive"),  # bombs are pieces too
        (FEW_BOXES, (15, 15), {"bombs": 6}, "mortar"),
        (FEW_BOXES, (16, 15), {"few_boxes": 9}, "sniper"),
        (FEW_BOXES, (16, 15), {"far": 1}, "mortar"),
    ],
)
def test_boxes_left_and_lead_choose_the_strategy(drawing, boxes, options, strategy):
    assert strategy_on(drawing, boxes, **options) == strategy


@pytest.mark.parametrize("name", ["sniper", "mortar", "defensive", "nuke", "baseline"])
def test_a_strategy_that_was_asked_for_is_kept(name):
    params = NegamaxParams(strategy=name)
    for boxes_left, lead in ((50, 0.0), (3, 9.0), (3, 1.0), (3, -9.0)):
        assert choose_strategy(params, 60, boxes_left, lead).name == name


def test_the_first_four_turns_lead_towards_the_centre_where_there_is_a_way():
    for seed in range(10):
        for seat in range(4):
            game = Game.start(seed, 4)
            player = agent("negamax")
            player.start_game(game.map, seat, 0)
            for turn in range(6):
                decision = player.decide(game.state, seat, Budget(nodes=30))
                rule = towards_centre(player.first_moves, game.state, game.map, seat)
                if turn < 4 and rule is not None:
                    assert (decision.action, decision.nodes) == (rule, 0) and rule < BOMB
                else:
                    assert decision.nodes > 0
                play_round(game.state, game.map, decision.action << 4 * seat)


def test_the_opening_goes_round_a_box_to_the_centre_and_not_into_fire():
    free = drawn("....\n.X\n0 0 0 0 1 3\n0 1 12 10 1 3")
    assert opening_move(free) == "right"
    blocked = drawn(".0..\n.X\n0 0 0 0 1 3\n0 1 12 10 1 3")
    assert opening_move(blocked) == "down"
    shut_in = drawn(".0..\n0X\n0 0 0 0 1 3\n0 1 12 10 1 3")
    assert opening_move(shut_in) is None
    burning = drawn("....\n.X.X\n....\n0 0 0 0 1 3\n0 1 12 10 1 3\n1 1 3 0 2 5")  # the row burns in the round after
    assert opening_move(burning) == "down"


def opening_move(position: Position) -> str | None:
    player = agent("negamax")
    action = towards_centre(player.first_moves, position.state, position.map, position.player)
    return None if action is None else ACTION_NAMES[action]


def test_it_bombs_a_box_next_to_and_walks_out_of_the_fire():
    beside = drawn("...0\n.X.X\n....\n0 0 2 0 1 3\n0 1 12 10 1 3", turn=10)
    assert choice("negamax:few_boxes=0", beside, 2000).endswith("bomb")


def test_it_steps_out_of_a_fire_that_comes_next_round():
    # The bomb on (4, 0) explodes in the next round but one: down is the only way out of its row.
    burning = drawn("....\n.X.X\n....\n0 0 0 0 1 3\n0 1 12 10 1 3\n1 1 2 0 2 5", turn=10)
    assert choice("negamax", burning, 2000) in ("down", "down+bomb")


def test_a_nuke_closes_in_and_a_defender_keeps_away():
    # No boxes: nothing but the distance and booms to play for.
    apart = drawn("0 0 4 4 0 3\n0 1 8 4 0 3", turn=60)
    assert choice("negamax:strategy=nuke,depth=1", apart, 100) == "right"
    assert choice("negamax:strategy=defensive,depth=1", apart, 100) in ("left", "up", "down")


def test_the_opponent_is_the_nearest_one():
    crowd = drawn("0 0 0 0 1 3\n0 1 12 10 1 3\n0 2 4 0 1 3\n0 3 0 10 1 3", turn=60)
    player = agent("negamax")
    decide(player, crowd, Budget(nodes=300))
    assert player.rival == 2 and set(player.thinking.plans) == {2}
