"""Scenes: positions that a bot may meet, each the start of a short game.

A scene is drawn far from real games where that shows a bot something that real games show seldom: many bombs, long
ranges, players who are gone. Nothing known on its board kills the bot on the first turns.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.game import Game
from engine.maps import CORNERS, START_BOMBS, START_RANGE, draw_boxes
from engine.position import BOMB_ITEM, RANGE_ITEM, Bomb, Cell, Item, Player
from engine.state import FUSE, MAX_TURNS

SEED = 20160924  # of the boards
LIVELY, QUIET = "simple", "still"  # rivals


class Scene(NamedTuple):
    """Where a bot is put, and for how many turns."""

    name: str
    game: Game
    seat: int
    turns: int = 8
    rival: str = QUIET
    is_kept_alive: bool = False  # orders that mean death are not carried out


def seats_of(players: int) -> Iterator[Scene]:
    """A game of so many players from every seat."""
    for seat in range(players):
        yield Scene(f"{players} players, seat {seat}", Game.start(SEED + players, players), seat, rival=LIVELY)


def with_dead() -> Iterator[Scene]:
    """Players who are not among the entities: from the start, or from the second turn on."""
    for seat, dead in ((3, (0, 1)), (1, (0, 2)), (0, (1, 2))):
        living = [corner_player(at) for at in range(4) if at not in dead]
        gone = f"players {dead[0]} and {dead[1]} dead"
        yield Scene(f"4 seats, seat {seat}, {gone}", Game.build(boxes_far(), living, seats=4), seat)
    dying = Bomb(1, *CORNERS[1], 1, START_RANGE)
    players = [corner_player(at) for at in range(3)]
    yield Scene("3 players, one dies on turn 0", Game.build(boxes_far(), players, [dying], seats=3), 0)


def crowded() -> Iterator[Scene]:
    """As many bombs as there can be at once, far from the bot, and items everywhere."""
    columns = range(6, 12, 2)
    bombs = [Bomb(owner, columns[owner - 1], timer, timer, 3) for owner in (1, 2, 3) for timer in range(2, FUSE + 1, 2)]
    taken = {bomb.cell for bomb in bombs} | set(CORNERS)
    kinds = (RANGE_ITEM, BOMB_ITEM)
    free = [(x, y) for y in range(0, 11, 2) for x in range(0, 13, 2) if (x, y) not in taken]
    items = [Item(x, y, kinds[at % 2]) for at, (x, y) in enumerate(free)]
    players = [corner_player(at) for at in range(4)]
    yield Scene("many bombs and items", Game.build({(2, 3): 0}, players, bombs, items, seats=4), 0)


def far_reaching() -> Iterator[Scene]:
    """Ranges above 10, of the bot and of bombs, and many bombs in hand."""
    own, other = Player(0, 0, 0, 6, 12, 0), Player(1, 12, 10, 3, 14, 0)
    bombs = [Bomb(1, 12, 8, 6, 14), Bomb(1, 10, 10, 8, 13)]
    yield Scene("ranges above 10", Game.build(boxes_far(), [own, other], bombs, seats=2), 0)
    yield Scene("no bomb in hand", Game.build(boxes_far(), [own._replace(bombs_left=0), other], bombs, seats=2), 0)


def contents() -> Iterator[Scene]:
    """Both kinds of items beside the bot, boxes of all contents, and no box at all."""
    players = [corner_player(at) for at in range(2)]
    items = [Item(1, 0, RANGE_ITEM), Item(0, 1, BOMB_ITEM), Item(11, 10, BOMB_ITEM)]
    boxes = {(3, 0): 0, (0, 3): RANGE_ITEM, (2, 2): BOMB_ITEM, (8, 4): 0, (6, 7): RANGE_ITEM, (4, 8): BOMB_ITEM}
    yield Scene("items and boxes of every kind", Game.build(boxes, players, [], items, seats=2), 0)
    yield Scene("no boxes left", Game.build({}, players, [], items, seats=2), 1)


def alone() -> Iterator[Scene]:
    yield Scene("nobody else left", Game.build(boxes_far(), [corner_player(2)], seats=3), 2)


def whole_game(number: int = 0) -> Scene:
    """All 200 turns, if the bot can be kept alive for so long."""
    return Scene("a whole game", Game.start(SEED + number, 3), number % 3, MAX_TURNS, LIVELY, is_kept_alive=True)


def first_turn() -> Scene:
    return Scene("4 players, seat 0", Game.start(SEED, 4), 0, 1)


def short_game(turns: int) -> Scene:
    return Scene("a short game", Game.start(SEED + 7, 2), 0, turns, LIVELY)


def corner_player(seat: int) -> Player:
    return Player(seat, *CORNERS[seat], START_BOMBS, START_RANGE, 0)


def boxes_far() -> dict[Cell, int]:
    """Those of a board that leave a way around every corner."""
    drawn = draw_boxes(SEED)
    return {cell: content for cell, content in drawn.items() if all(distance(cell, corner) > 2 for corner in CORNERS)}


def distance(cell: Sequence[int], other: Sequence[int]) -> int:
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])
