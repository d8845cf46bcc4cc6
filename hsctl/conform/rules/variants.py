"""A drawn case as it is sent: in several mirror images, with other seats, and never with fewer than two players.

A simulator may be right in one direction and wrong in another. And it may rely on there being two players, as there are
in every input of the arena: bystanders who do nothing join a drawing with fewer.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from engine.board import DELTAS, HEIGHT, WIDTH
from engine.maps import START_BOMBS, START_RANGE
from engine.position import Cell, Player
from engine.rules import BOMB
from engine.state import MAX_PLAYERS
from hsctl.conform.case import Case, play_reference
from hsctl.conform.position import Position

LEAST_PLAYERS = 2
STANDS = [(x, y) for y in range(HEIGHT - 1, -1, -2) for x in range(WIDTH - 1, -1, -2)]  # the far corner first


def flip_x(cell: Cell) -> Cell:
    return WIDTH - 1 - cell[0], cell[1]


def flip_y(cell: Cell) -> Cell:
    return cell[0], HEIGHT - 1 - cell[1]


def swap_axes(cell: Cell) -> Cell:
    return cell[1], cell[0]


def variants_of(case: Case) -> Iterator[Case]:
    """As it is drawn first, then its images: each of the four directions comes to point into every other."""
    yield with_bystanders(case)
    yield with_bystanders(image(case, flip_x, is_reversed=True))
    yield with_bystanders(image(case, flip_y, is_reversed=False))
    if all(max(cell) < HEIGHT for cell in case.start.cells):
        swapped = image(case, swap_axes, is_reversed=True)
        yield with_bystanders(swapped)
        yield with_bystanders(image(swapped, flip_y, is_reversed=True))


def image(case: Case, to: Callable[[Cell], Cell], is_reversed: bool) -> Case:
    """The case with every cell elsewhere, and the seats in reverse if asked for."""

    def seat_of(seat: int) -> int:
        return MAX_PLAYERS - 1 - seat if is_reversed else seat

    def action_of(action: int) -> int:
        (zero_x, zero_y), (x, y) = to((0, 0)), to(DELTAS[action % BOMB])
        return DELTAS.index((x - zero_x, y - zero_y)) + action // BOMB * BOMB

    start = case.start
    moved = Position(
        {to(cell): content for cell, content in start.boxes.items()},
        tuple(p._replace(id=seat_of(p.id), x=to(p.cell)[0], y=to(p.cell)[1]) for p in start.players),
        tuple(b._replace(owner=seat_of(b.owner), x=to(b.cell)[0], y=to(b.cell)[1]) for b in start.bombs),
        tuple(i._replace(x=to(i.cell)[0], y=to(i.cell)[1]) for i in start.items),
    )
    rounds = ({seat_of(seat): action_of(action) for seat, action in actions.items()} for actions in case.rounds)
    return Case(moved.sorted(), tuple(rounds))


def with_bystanders(case: Case) -> Case:
    """The case with two players at least, as far as seats are free: those who join own no bomb and are not hit."""
    for seat in range(MAX_PLAYERS):
        start = case.start
        taken = {*(player.id for player in start.players), *(bomb.owner for bomb in start.bombs)}
        if len(start.players) < LEAST_PLAYERS and seat not in taken:
            case = next(joined for joined in joined_by(case, seat) if is_left_alone(joined, seat))
    return case


def joined_by(case: Case, seat: int) -> Iterator[Case]:
    """The case with one player more, at one place after the other."""
    start = case.start
    for x, y in STANDS:
        if (x, y) not in start.cells:
            player = Player(seat, x, y, START_BOMBS, START_RANGE, 0)
            yield replace(case, start=start._replace(players=tuple(sorted((*start.players, player)))))


def is_left_alone(case: Case, seat: int) -> bool:
    """Whether a player who only stands there lives through all of it."""
    return all(any(player.id == seat for player in after.players) for _, _, after in play_reference(case))
