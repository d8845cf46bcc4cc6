"""Drawn positions with a known right answer."""

import pytest

from engine.position import bombs_on, player_of
from engine.rules import ACTION_NAMES, play_round
from engine.state import copy_state
from search.agent import Budget
from search.common.first_moves import FirstMoves, members
from tests.search.positions import Position, agent, choice, decide, drawn, others_of

NODES = 20_000
SEARCHES = ["beam", "beam:zh", "mcts", "rhea"]
FIRST_MOVES = FirstMoves()

each_search = pytest.mark.parametrize("spec", SEARCHES)


def played(spec: str, position: Position, rounds: int) -> Position:
    """The position after so many rounds of the agent, the others staying."""
    state = copy_state(position.state)
    for _ in range(rounds):
        if state.players[position.player]:
            now = position._replace(state=state)
            action = decide(agent(spec), now, Budget(nodes=NODES)).action
            play_round(state, position.map, action << 4 * position.player)
    return position._replace(state=state)


def capacity(position: Position) -> int:
    """How many bombs the player has, in hand and on the board."""
    me = player_of(position.state, position.player)
    assert me is not None
    return me.bombs_left + sum(bomb.owner == position.player for bomb in bombs_on(position.state))


def names(actions: int) -> set[str]:
    return {ACTION_NAMES[action] for action in members(actions)}


def allowed(position: Position) -> set[str]:
    return names(FIRST_MOVES.allowed(*position, others_of(position)))


# Around the corner in three moves: right, right, down. The left is a dead end, with an item to lure.
ONE_ESCAPE = """
    .....0
    0X0X.X
    0 0 2 0 0 3
    0 1 12 10 1 3
    1 0 2 0 4 6
    2 0 1 0 2 2
    """


@each_search
def test_the_only_way_out_is_taken(spec):
    assert choice(spec, drawn(ONE_ESCAPE), NODES) == "right"
    assert player_of(played(spec, drawn(ONE_ESCAPE), 4).state, 0)


# The item is four moves into a dead end, and its mouth burns in seven: there is no time to come back.
TRAP = """
    .........
    0X0X.X.X.
    0 0 4 0 1 3
    0 1 12 10 1 3
    {bomb}
    2 0 0 0 2 2
    """


@each_search
def test_an_item_in_a_dead_end_that_will_burn_is_left_alone(spec):
    assert player_of(played(spec, drawn(TRAP.format(bomb="1 1 6 0 7 8")), 7).state, 0)


@each_search
def test_an_item_in_a_dead_end_is_taken_when_nothing_burns_there(spec):
    assert capacity(played(spec, drawn(TRAP.format(bomb="")), 8)) == 2


# The opponent is in a dead end, the player at its mouth.
KILL = """
    ....
    0X.X
    0 0 2 0 1 3
    0 1 0 0 1 3
    """


@pytest.mark.parametrize("spec", ["beam", "beam:zh+fmp"])
def test_an_opponent_in_a_dead_end_is_sealed_in(spec):
    decision = decide(agent(spec), drawn(KILL), Budget(nodes=NODES))
    assert ACTION_NAMES[decision.action] in {"right+bomb", "down+bomb"}
    after = played(spec, drawn(KILL), 9).state
    assert player_of(after, 0) and not player_of(after, 1)


# The bomb on the left explodes in four and lights one dropped now: the opponent would have got away from it in
# eight (down the column and around the corner, four moves), but not in four. The player does: right, right, down.
CHAIN = """
    ....
    .X.X
    .0
    .X
    .
    0 0 0 0 1 8
    0 1 0 1 0 3
    {bomb}
    """


def test_a_bomb_that_another_one_lights_kills_in_time():
    assert allowed(drawn(CHAIN.format(bomb="1 0 3 0 4 4"))) == {"right+bomb"}  # staying would kill both
    assert choice("beam", drawn(CHAIN.format(bomb="1 0 3 0 4 4")), NODES) == "right+bomb"
    after = played("beam", drawn(CHAIN.format(bomb="1 0 3 0 4 4")), 4).state
    assert player_of(after, 0) and not player_of(after, 1)


@pytest.mark.parametrize("bomb", ["", "1 0 3 0 5 4", "1 0 3 0 4 3"])
def test_without_the_chain_there_is_no_kill(bomb):
    assert FIRST_MOVES.killing(*drawn(CHAIN.format(bomb=bomb)), 1) == 0


# The nearest boxes are to the right, a bomb item three steps to the left, and there is enough to bomb for two.
DETOUR = """
    .......0
    .X.X.X.X
    .......0
    .X.X.X.X
    00000000
    .X.X.X.X
    00000000
    0 0 4 0 1 3
    0 1 12 10 1 3
    2 0 1 0 2 2
    """


@pytest.mark.parametrize("spec", ["beam", "beam:zh", "rhea"])  # to mcts a bomb is worth no more than a box
def test_an_item_is_worth_a_detour(spec):
    assert capacity(played(spec, drawn(DETOUR), 10)) == 2


# The row burns in two rounds. The opponent can't get out of it, the player can step in or stay away. The box is hit
# by whoever owns the bomb.
SACRIFICE = """
    .....0
    0X0X.X
    0 0 4 1 0 3
    0 1 0 0 0 3
    {bombs}
    """
MINE, HIS = "1 0 3 0 2 4", "1 1 3 0 2 4"


@pytest.mark.parametrize(("bomb", "boxes"), [(MINE, (4, 3)), (MINE, (3, 3)), (HIS, (5, 3))])
def test_the_player_dies_together_with_the_last_opponent_when_the_boxes_then_win(bomb, boxes):
    position = drawn(SACRIFICE.format(bombs=bomb), boxes=boxes)
    assert allowed(position) == {"up"}
    assert choice("beam:scaled", position, NODES) == "up"
    assert choice("beam", position, NODES) in ("stay", "down")  # they are lost in any case


def test_the_sacrifice_may_take_two_rounds():
    # Wherever the opponent goes, they are in the row when it burns; the player can still be there too.
    position = drawn(SACRIFICE.format(bombs="1 0 3 0 3 4"), boxes=(9, 0))
    assert allowed(position) == {"stay", "up"}
    assert choice("beam:scaled", position, NODES) in ("stay", "up")


@pytest.mark.parametrize(("bomb", "boxes"), [(MINE, (2, 3)), (MINE, (1, 3)), (HIS, (4, 3)), (HIS, (3, 3))])
def test_nobody_is_sacrificed_for_a_tie_or_less(bomb, boxes):
    position = drawn(SACRIFICE.format(bombs=bomb), boxes=boxes)
    assert FIRST_MOVES.sacrifices(*position, 1) == 0
    assert choice("beam", position, NODES) != "up"


@pytest.mark.parametrize("rivals", ["0 2 12 10 1 3", "0 2 0 0 1 3"])
def test_nobody_is_sacrificed_while_another_opponent_lives(rivals):
    position = drawn(SACRIFICE.format(bombs=f"{rivals}\n    {MINE}"), boxes=(9, 0, 0))
    assert choice("beam", position, NODES) != "up"


def test_an_opponent_who_can_step_out_of_the_fire_is_no_reason_to_die():
    position = drawn(SACRIFICE.replace("0X0X", ".X0X").format(bombs=MINE), boxes=(9, 0))
    assert FIRST_MOVES.sacrifices(*position, 1) == 0


# Nothing survives: the upper bomb burns the three upper cells in two rounds, the lower one the whole column in five.
LOST = """
    .0
    .X
    .0
    .X
    .0
    .X
    .
    0 0 0 2 0 3
    0 1 12 10 1 3
    1 1 0 0 2 3
    1 1 0 6 5 8
    """


@pytest.mark.parametrize("spec", ["beam", "beam:zh", "beam:all"])
def test_who_can_not_survive_dies_as_late_as_possible(spec):
    assert FIRST_MOVES.survivable(*drawn(LOST)) == 0
    assert choice(spec, drawn(LOST), NODES) == "down"
    assert player_of(played(spec, drawn(LOST), 4).state, 0)
