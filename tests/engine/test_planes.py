"""Planes show what stands on the board, seen from a seat."""

import numpy as np

from engine.batch import GIVEN, PLANES, STILL, Episodes
from engine.board import HEIGHT, WIDTH, is_wall
from engine.game import Game, explosions_of
from engine.position import BOMB_ITEM, RANGE_ITEM, boxes_on
from engine.rules import ACTIONS, legal_actions

PLAYERS = 3


def empty() -> dict[str, np.ndarray]:
    return {name: np.zeros((HEIGHT, WIDTH), np.uint8) for name in PLANES}


def draw_slowly(game: Game, seat: int) -> np.ndarray:
    """The planes again, cell by cell, from the position in plain words."""
    planes = empty()
    for y in range(HEIGHT):
        for x in range(WIDTH):
            planes["walls"][y, x] = is_wall(x, y)
    boxes = boxes_on(game.state, game.map)
    for x, y in boxes:
        planes["boxes"][y, x] = 1
    for (x, y), kind in [*boxes.items(), *((item.cell, item.kind) for item in game.items)]:
        planes["range items"][y, x] = kind == RANGE_ITEM
        planes["bomb items"][y, x] = kind == BOMB_ITEM
    for bomb in game.bombs:
        spot = bomb.y, bomb.x
        planes["fuse"][spot] = min(bomb.timer, int(planes["fuse"][spot]) or bomb.timer)
        planes["blast"][spot] = max(bomb.range, int(planes["blast"][spot]))
        planes["own bombs"][spot] |= bomb.owner == seat
    for player in game.players():
        k = (player.id - seat) % PLAYERS
        planes[f"player {k}"][player.y, player.x] = player.range
        planes[f"stock {k}"][player.y, player.x] = player.bombs_left
        planes[f"score {k}"][player.y, player.x] = player.boxes
    planes["turn"][:] = game.turn
    draw_danger(game, planes["danger"])
    return np.array([planes[name] for name in PLANES])


def draw_danger(game: Game, danger: np.ndarray) -> None:
    """Nobody acts until the last bomb has exploded."""
    ahead = game.copy()
    for round_ in range(1, 9):
        due = explosions_of(ahead.state, ahead.bomb_order)
        for explosion in due:
            for x, y in explosion.cells:
                danger[y, x] = danger[y, x] or round_
        ahead.step([0] * PLAYERS)


def test_planes_are_those_drawn_cell_by_cell() -> None:
    games = 8
    episodes = Episodes(games, (GIVEN,) * PLAYERS, {})
    episodes.start(range(games))
    played, random = [Game.start(seed, PLAYERS) for seed in range(games)], np.random.default_rng(3)
    seen = np.zeros(len(PLANES), bool)
    for _ in range(40):
        actions = random.integers(0, ACTIONS, (games, PLAYERS))
        episodes.step(actions)
        for at, game in enumerate(played):
            if game.is_over:
                continue
            legal = [int(legal_actions(game.state, seat)) | 1 for seat in range(PLAYERS)]
            game.step([int(a) if legal[seat] >> int(a) & 1 else 0 for seat, a in enumerate(actions[at])])
            for seat in range(PLAYERS):
                expected = draw_slowly(game, seat)
                for plane, name in enumerate(PLANES):
                    assert np.array_equal(episodes.planes[at, seat, plane], expected[plane]), (name, at, seat)
                seen |= expected.any(axis=(1, 2))
    missing = {name for name, is_seen in zip(PLANES, seen, strict=True) if not is_seen}
    assert missing == {"player 3", "stock 3", "score 3"}


def test_the_mask_is_what_is_legal_and_staying_is_left_to_the_dead() -> None:
    episodes = Episodes(1, (GIVEN, GIVEN, STILL), {})
    episodes.start([1])
    legal = int(legal_actions(episodes.batch.states[0], 0))
    assert episodes.masks[0, 0].tolist() == [legal >> action & 1 for action in range(ACTIONS)]
    episodes.step(np.array([[5, 0]]))
    for _ in range(8):
        episodes.step(np.array([[0, 0]]))
    assert episodes.batch.states[0].players[0] == 0
    assert episodes.masks[0].tolist() == [[1] + [0] * 9, episodes.masks[0, 1].tolist()]
    assert episodes.masks[0, 1].sum() > 1


def test_only_given_seats_are_shown() -> None:
    both, second = Episodes(2, (GIVEN, GIVEN), {}), Episodes(2, (STILL, GIVEN), {})
    both.start([4, 5])
    second.start([4, 5])
    assert np.array_equal(second.planes[:, 0], both.planes[:, 1])
    assert not np.array_equal(both.planes[:, 0], both.planes[:, 1])
