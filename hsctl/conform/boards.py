"""Small boards beside each other: the part of a position where something is, with the numbers of its rows and columns.

before            theirs            ours
    0  1  2  3        0  1  2  3        0  1  2  3
 0 ●1⁵ ·  R [ ]    0  ·  ·  ·  ·     0 ▒▒▒▒▒▒▒▒▒[ ]
 1  · ███ · ███    1  · ███ · ███    1 ▒▒▒███ · ███
1 0 0 0 1 5
2 0 2 0 1 1
"""

from collections.abc import Iterable, Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

from engine.around.events import Death, fire_of, round_events
from engine.board import HEIGHT, WIDTH
from engine.game import Game
from engine.position import Bomb, Cell
from engine.state import MAX_PLAYERS
from hsctl.conform.case import Actions
from hsctl.conform.position import Position, entity_lines
from replays.look.board import FRAME, BoardView, Mark, Size

MARGIN = 1  # cells around what is shown
LEAST = 3  # cells in each direction
CELL = Size(3, 1)
EDGE = 3  # characters before the first cell of a line
GAP = 3  # characters between boards
WRONG = "on #8a6d00"


class Corner:
    """A rectangle of cells that holds all that positions have on them."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        shown = [*cells] or [(0, 0)]
        self.columns = reach([x for x, _ in shown], WIDTH)
        self.rows = reach([y for _, y in shown], HEIGHT)


def reach(numbers: Sequence[int], limit: int) -> range:
    """From the least to the greatest of the numbers, with a margin, inside of the board."""
    first = max(0, min(numbers) - MARGIN)
    last = min(limit - 1, max(max(numbers) + MARGIN, first + LEAST - 1))
    return range(max(0, min(first, last - LEAST + 1)), last + 1)


class SmallBoard(BoardView):
    """The corner of a position, which need not be possible; with the fire and the deaths of the round before it."""

    def __init__(
        self,
        position: Position,
        corner: Corner,
        wrong: Iterable[Cell] = (),
        fire: Iterable[Cell] = (),
        dead: dict[Cell, list[int]] | None = None,
    ) -> None:
        self.corner = corner
        self.entities = entity_lines(position)
        self.size, self.has_frame = CELL, True
        self.overlay = {cell: Mark("", WRONG) for cell in wrong}
        self.boxes = position.boxes
        self.items = {item.cell: item.kind for item in position.items}
        self.bombs: dict[Cell, list[Bomb]] = {}
        for bomb in position.bombs:
            self.bombs.setdefault(bomb.cell, []).append(bomb._replace(range=max(bomb.range, 0)))
        self.players: dict[Cell, list[int]] = {}
        for player in position.players:
            self.players.setdefault(player.cell, []).append(player.id)
        self.dead = dead or {}
        self.fire = set(fire)  # type: ignore[assignment]

    def lines(self) -> list[Text]:
        """The corner without a frame."""
        numbers, _, *rows, _ = super().lines()
        first, last = self.corner.columns[0], self.corner.columns[-1]
        span = slice(EDGE + first * self.size.width, EDGE + (last + 1) * self.size.width)
        return [
            Text(" " * EDGE, no_wrap=True) + numbers[span],
            *(Text(f"{y:>2} ", style=FRAME.style, no_wrap=True) + rows[y][span] for y in self.corner.rows),
        ]

    @property
    def width(self) -> int:
        return EDGE + len(self.corner.columns) * self.size.width


def after_board(
    before: Position, actions: Actions, after: Position, corner: Corner, wrong: Iterable[Cell]
) -> SmallBoard:
    """The position after a round as the rules have it, with its fire and its dead."""
    game = Game.build(before.boxes, before.players, before.bombs, before.items, seats=MAX_PLAYERS)
    living = {player.id for player in before.players}
    events = round_events(game, [actions.get(seat, 0) if seat in living else None for seat in range(MAX_PLAYERS)])
    dead: dict[Cell, list[int]] = {}
    for event in events:
        if isinstance(event, Death):
            dead.setdefault((event.x, event.y), []).append(event.player)
    return SmallBoard(after, corner, wrong, fire_of(events), dead)


def side_by_side(boards: dict[str, SmallBoard], width: int) -> Group:
    """The boards under their titles and above their entities, as many in a row as fit."""
    rows: list[list[str]] = [[]]
    for title, board in boards.items():
        if rows[-1] and sum(width_of(boards[other]) + GAP for other in rows[-1]) + width_of(board) > width:
            rows.append([])
        rows[-1].append(title)
    return Group(*(one_row({title: boards[title] for title in row}) for row in rows))


def width_of(board: SmallBoard) -> int:
    return max([board.width, *map(len, board.entities)])


def one_row(boards: dict[str, SmallBoard]) -> Table:
    grid = Table.grid(padding=(0, GAP, 0, 0))
    for _ in boards:
        grid.add_column(no_wrap=True)
    grid.add_row(*(Text(title, "bold") for title in boards))
    grid.add_row(*boards.values())
    grid.add_row(*(Text("\n".join(board.entities), FRAME.style) for board in boards.values()))
    return grid
