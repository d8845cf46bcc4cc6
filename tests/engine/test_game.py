"""A whole game: its four ends, ranks, the order of items, and what an elimination means."""

import pytest

from engine.errors import EngineError
from engine.game import IDLE, NO_BOXES, NONE_LEFT, ONE_LEFT, TURN_LIMIT, Game, pack_actions
from engine.notation import format_position, parse_position
from engine.rules import ACTION_NAMES
from tests.engine.draw import board

STAY, LEFT, RIGHT, BOMB = (ACTION_NAMES.index(name) for name in ("stay", "left", "right", "stay+bomb"))
FAR_BOX = "............0"  # so that boxes never run out


def start(drawn, turn=0, seats=None):
    return parse_position(board(drawn), turn, seats=seats)


def play_until_over(game, actions_of):
    """Updates played until the end; `actions_of` gives the actions of each turn."""
    updates = 0
    while not game.is_over:
        game.step(actions_of(updates))
        updates += 1
    return updates


def pace(update):
    """Player 0 walks to and fro, nobody else moves: no round is idle."""
    return [RIGHT if update % 2 == 0 else LEFT, STAY]


# Ends

TWO = f"{FAR_BOX}\n0 0 0 0 1 3\n0 1 12 10 1 3"


@pytest.mark.parametrize(
    ("drawn", "reason", "living"),
    [
        (f"{TWO}\n1 1 1 0 1 3", ONE_LEFT, [1]),
        (f"{FAR_BOX}\n0 0 0 0 1 3\n0 1 2 0 1 3\n1 1 1 0 1 3", NONE_LEFT, []),
        (f"{TWO}\n0 2 12 2 1 3\n1 1 1 0 1 3", None, [1, 2]),
    ],
)
def test_the_game_ends_when_fewer_than_two_live(drawn, reason, living):
    game = start(drawn)
    game.step([STAY] * game.seats)
    assert (game.reason, game.living, game.turn) == (reason, living, 1)


def wait(_update):
    return [STAY, STAY]


@pytest.mark.parametrize(
    ("drawn", "actions_of", "updates", "reason"),
    [
        pytest.param(TWO, pace, 200, TURN_LIMIT, id="200 updates"),
        pytest.param("....0\n0 0 0 0 1 3\n0 1 12 10 1 3\n1 1 4 2 3 3", pace, 3 + 19, NO_BOXES, id="the last box"),
        pytest.param("0 0 0 0 1 3\n0 1 12 10 1 3", pace, 20, NO_BOXES, id="no box from the start"),
        pytest.param(TWO, wait, 20, IDLE, id="idle"),
        pytest.param(
            TWO.replace("0 0 0 0 1 3", "0 0 0 0 0 3"),
            lambda update: [LEFT if update % 2 else BOMB, STAY],
            20,
            IDLE,
            id="blocked moves and bombs that can't be dropped are idle",
        ),
        pytest.param(
            TWO, lambda update: [RIGHT if update == 15 else STAY, STAY], 16 + 20, IDLE, id="a move starts again"
        ),
        pytest.param(
            f"{TWO}\n0 2 6 10 1 3",
            lambda update: [BOMB if update == 0 else STAY, STAY, STAY],
            9 + 20,  # it is on the board at the start of updates 1 to 8
            IDLE,
            id="rounds with a bomb are not idle",
        ),
    ],
)
def test_the_game_ends_after_so_many_updates(drawn, actions_of, updates, reason):
    game = start(drawn)
    assert (play_until_over(game, actions_of), game.reason) == (updates, reason)


def test_bombs_left_when_the_game_ends_no_longer_explode():
    game = start("""
        0...........0
        0 0 2 0 1 3
        0 1 12 10 1 3
        1 1 1 0 2 3
        1 1 3 0 1 2
        """)
    game.step([STAY, STAY])
    assert game.is_over
    assert (game.boxes, len(game.bombs)) == ([0, 0], 1)


# Ranks


def test_a_survivor_is_worth_a_million_and_a_dead_player_100_a_round():
    game = start(
        f"""
        {FAR_BOX}
        0 0 0 0 1 3
        0 1 12 10 1 3
        1 1 1 0 1 3
        """,
        turn=30,
    )
    game.set_scores([7, 3])
    game.step([STAY, STAY])
    assert game.death_rounds == [31, None]
    assert game.values() == [3107, 1_000_003]
    assert game.ranks() == [2, 1]


def test_who_dies_later_ranks_higher_and_boxes_break_ties():
    game = start(f"""
        {FAR_BOX}
        0 0 0 0 1 3
        0 1 2 0 1 3
        0 2 12 10 1 3
        0 3 12 8 1 3
        1 1 1 0 1 3
        1 2 12 9 2 3
        """)
    game.set_scores([5, 6, 0, 0])
    game.step([STAY] * 4)
    game.step([STAY] * 4)
    assert game.values() == [105, 106, 200, 200]
    assert game.ranks() == [4, 3, 1, 1]


def test_equal_values_share_a_rank_and_the_next_one_counts_on():
    game = start(f"{FAR_BOX}\n0 0 0 0 1 3\n0 1 12 10 1 3\n0 2 6 6 1 3")
    game.set_scores([4, 9, 4])
    assert game.ranks() == [2, 1, 2]


def test_an_elimination_ranks_below_a_death_by_blast_in_the_same_turn():
    game = start(
        f"""
        {FAR_BOX}
        0 0 0 0 1 3
        0 1 12 10 1 3
        0 2 12 2 1 3
        1 1 1 0 1 3
        """,
        turn=10,
    )
    game.eliminate(1)
    game.step([STAY] * 3)
    assert game.death_rounds == [11, 10, None]
    assert game.ranks() == [2, 3, 1]
    assert game.reason == ONE_LEFT


def test_bombs_of_the_dead_and_the_eliminated_explode_and_score_for_them():
    game = start("""
        0....0......0
        0 0 4 10 1 3
        0 1 12 10 1 3
        0 2 8 10 1 3
        1 0 1 0 2 3
        1 0 4 9 1 2
        1 1 6 0 3 3
        """)
    game.eliminate(1)
    for _ in range(3):
        game.step([STAY] * 3)
    assert game.death_rounds == [1, 0, None]
    assert game.boxes == [1, 1, 0]


def test_a_seat_without_a_player_counts_as_dead_from_the_start():
    game = start(f"{FAR_BOX}\n0 0 0 0 1 3\n0 1 12 10 1 3", seats=3)
    assert game.death_rounds == [None, None, 0]
    assert game.ranks() == [1, 1, 3]


# Order


def items_of(game: Game) -> list[tuple[int, int]]:
    """As the text lists them."""
    lines = [line.split() for line in format_position(game).splitlines()]
    return [(int(line[2]), int(line[3])) for line in lines if line[0] == "2" and len(line) == 6]


def test_items_freed_together_come_in_the_arenas_order_after_those_that_lie_there():
    """By (961 + 31x + y) mod 16: (2, 4) and (4, 6) give 3, (4, 2) and (6, 4) give 15; then left, right, up, down."""
    game = start("""
        ............0
        .X.X.X.X.X.X.
        ....1
        .X.X.X.X.X.X.
        ..2...2
        .X.X.X.X.X.X.
        ....1
        0 0 0 0 1 3
        0 1 12 10 1 3
        1 1 4 4 1 3
        2 0 12 6 1 1
        2 0 10 0 2 2
        """)
    game.step([STAY, STAY])
    assert items_of(game) == [(12, 6), (10, 0), (2, 4), (4, 6), (6, 4), (4, 2)]


def test_items_of_a_bucket_come_in_the_order_in_which_the_chain_reached_their_boxes():
    """(0, 2) and (4, 6) share a bucket. The bomb at 6,4 is due and lights that to its left before the older one above,
    so the lower box is found first."""
    game = start("""
        ............0
        .X.X.X.X.X.X.
        1............
        .X.X.X.X.X.X.
        .............
        .X.X.X.X.X.X.
        ....1........
        0 0 0 0 1 3
        0 1 12 10 1 3
        1 0 6 4 1 3
        1 1 6 2 3 7
        1 0 4 4 4 3
        """)
    game.step([STAY, STAY])
    assert items_of(game) == [(4, 6), (0, 2)]


def test_bombs_of_one_round_are_listed_by_owner():
    game = start(f"{FAR_BOX}\n0 0 0 0 1 3\n0 1 12 10 1 3\n0 2 6 6 1 3")
    game.step([STAY, BOMB, BOMB])
    game.step([BOMB, STAY, STAY])
    assert [(bomb.owner, bomb.timer) for bomb in game.bombs] == [(1, 7), (2, 7), (0, 8)]


# Copies and wrong arguments


def test_a_copy_goes_its_own_way():
    game = start(f"{FAR_BOX}\n0 0 0 0 1 3\n0 1 12 10 1 3\n1 1 1 0 1 3\n2 0 6 0 1 1")
    before = format_position(game)
    other = game.copy()
    other.step([STAY, BOMB])
    assert other.is_over and not game.is_over
    assert format_position(game) == before != format_position(other)
    assert game.death_rounds == [None, None]


@pytest.mark.parametrize("action", [-1, 10])
def test_an_action_that_is_none_is_refused(action):
    with pytest.raises(EngineError, match=f"player 1: action {action} is none of 0 to 9"):
        pack_actions([0, action])


@pytest.mark.parametrize("seats", [1, 5])
def test_a_game_has_two_to_four_players(seats):
    with pytest.raises(EngineError, match=f"2 to 4 players, not {seats}"):
        Game.start(0, seats)
