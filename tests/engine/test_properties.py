"""What holds for every position: no player comes first, no direction is special, text and State say the same."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import HEIGHT, OPEN_CELLS, WIDTH, is_wall
from engine.game import Game
from engine.notation import format_position, parse_position
from engine.position import Bomb, Item, Player, bombs_on, boxes_on, items_on, living_players
from engine.spec.bridge import from_state
from engine.spec.naive import step as slow_step
from engine.state import MAX_PLAYERS
from tests.engine.draw import assert_same, play_on, text_of

SEEN_OFTEN = settings(max_examples=100, deadline=None, derandomize=True)
LEFT_RIGHT = (0, 2, 1, 3, 4)  # [move]: its mirror image
UP_DOWN = (0, 1, 2, 4, 3)

cells = st.sampled_from(OPEN_CELLS)
middle = st.sampled_from([(x, y) for x, y in OPEN_CELLS if 3 <= x <= 7 and 3 <= y <= 6])  # where everything meets
ids = st.integers(0, MAX_PLAYERS - 1)
places = st.one_of(cells, middle)
ranges = st.integers(1, 16)
joint_actions = st.tuples(*[st.integers(0, 9)] * MAX_PLAYERS)


class Drawn(NamedTuple):
    """All of a position, in an order of its own."""

    boxes: dict[tuple[int, int], int]
    players: list[Player]
    bombs: list[Bomb]
    items: list[Item]
    scored: list[int]


def make_bomb(owner, cell, timer, bomb_range):
    return Bomb(owner, cell[0], cell[1], timer, bomb_range)


def make_player(player, cell, bombs_left, bomb_range):
    return Player(player, cell[0], cell[1], bombs_left, bomb_range, 0)


def fuse_order(bomb):
    """As the arena lists them: by placement, then owner."""
    return bomb.timer, bomb.owner


@st.composite
def positions(draw):
    boxes = draw(st.dictionaries(cells, st.integers(0, 2), max_size=40))
    floor = places.filter(lambda cell: cell not in boxes)
    items = draw(st.dictionaries(floor, st.integers(1, 2), max_size=6))
    bombs = st.builds(make_bomb, ids, floor, st.integers(1, 8), ranges)
    players = st.builds(make_player, ids, floor, st.integers(0, 9), ranges)
    return Drawn(
        boxes,
        sorted(draw(st.lists(players, min_size=1, unique_by=lambda player: player.id))),
        sorted(draw(st.lists(bombs, max_size=12, unique_by=fuse_order)), key=fuse_order),
        sorted((Item(x, y, kind) for (x, y), kind in items.items()), key=lambda item: (item.y, item.x)),
        [0] * MAX_PLAYERS,
    )


def build(drawn):
    return Game.build(drawn.boxes, drawn.players, drawn.bombs, drawn.items, seats=MAX_PLAYERS)


def observe(state, map_):
    """What a State holds, the players' own scores apart."""
    players = [player._replace(boxes=0) for player in living_players(state)]
    scored = [int(count) for count in state.scored]
    return Drawn(boxes_on(state, map_), players, bombs_on(state), items_on(state, map_), scored)


def play_both(drawn, actions):
    """The position after a round, on both engines."""
    game = build(drawn)
    packed = np.uint64(sum(action << 4 * player for player, action in enumerate(actions)))
    naive = from_state(game.state, game.map)
    slow_step(naive, packed)
    state = play_on(game.state, game.map, packed)
    assert_same(naive, state, game.map)
    return observe(state, game.map)


def moved(drawn, to):
    """The same position with every cell moved."""
    return drawn._replace(
        boxes={to(*cell): content for cell, content in drawn.boxes.items()},
        players=[place(player, to) for player in drawn.players],
        bombs=[place(bomb, to) for bomb in drawn.bombs],
        items=sorted((place(item, to) for item in drawn.items), key=lambda item: (item.y, item.x)),
    )


def place(entity, to):
    x, y = to(entity.x, entity.y)
    return entity._replace(x=x, y=y)


def renamed(drawn, order):
    """The same position with player i called order[i]."""
    return drawn._replace(
        players=sorted(player._replace(id=order[player.id]) for player in drawn.players),
        bombs=sorted((bomb._replace(owner=order[bomb.owner]) for bomb in drawn.bombs), key=fuse_order),
        scored=renamed_list(drawn.scored, order),
    )


def renamed_list(values, order):
    return [values[order.index(player)] for player in range(MAX_PLAYERS)]


def mirrored_action(action, mirror):
    return action - action % 5 + mirror[action % 5]


@pytest.mark.slow
@SEEN_OFTEN
@given(positions(), joint_actions, st.permutations(range(MAX_PLAYERS)))
def test_the_order_of_players_never_matters(drawn, actions, order):
    other = play_both(renamed(drawn, order), renamed_list(actions, order))
    assert other == renamed(play_both(drawn, actions), order)


@pytest.mark.parametrize(
    ("to", "mirror"),
    [(lambda x, y: (WIDTH - 1 - x, y), LEFT_RIGHT), (lambda x, y: (x, HEIGHT - 1 - y), UP_DOWN)],
)
@SEEN_OFTEN
@given(positions(), joint_actions)
def test_a_mirrored_game_has_the_mirrored_result(to, mirror, drawn, actions):
    other = play_both(moved(drawn, to), [mirrored_action(action, mirror) for action in actions])
    assert other == moved(play_both(drawn, actions), to)


@SEEN_OFTEN
@given(positions(), st.integers(0, 199))
def test_text_becomes_a_state_and_the_same_text_again(drawn, turn):
    text = write(drawn)
    game = parse_position(text, turn)
    assert format_position(game) == text
    assert text_of(game.state, game.map) == text


def write(drawn):
    """The arena's text, written without the engine."""
    rows = [
        "".join("X" if is_wall(x, y) else str(drawn.boxes.get((x, y), ".")) for x in range(WIDTH))
        for y in range(HEIGHT)
    ]
    entities = [
        *(f"0 {me.id} {me.x} {me.y} {me.bombs_left} {me.range}" for me in drawn.players),
        *(f"1 {bomb.owner} {bomb.x} {bomb.y} {bomb.timer} {bomb.range}" for bomb in drawn.bombs),
        *(f"2 0 {item.x} {item.y} {item.kind} {item.kind}" for item in drawn.items),
    ]
    return "\n".join([*rows, str(len(entities)), *entities]) + "\n"
