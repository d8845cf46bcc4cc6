"""A State as a rich renderable: the board as a grid of cells, with the fire of the round just played.

    ███ wall    [R] box with a range item    (0) player 0         ▒▒▒ fire of the round just played
     ·  floor   [B] box with a bomb item     ●3⁸ player 0's bomb: †0  where player 0 died in it
     R  item    [ ] empty box                    fuse 3, range 8

Symbols and colours stand in one table. Every thing has a shape of its own, so the board reads the same without
colour; the colours are middle tones, which show on dark and on light terminals.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from engine.board import HEIGHT, WIDTH, is_wall
from engine.events import Death, Event, fire_of
from engine.position import BOMB_ITEM, RANGE_ITEM, Bomb, Cell, bombs_on, boxes_on, items_on, living_players
from replays.text import fit


class Look(NamedTuple):
    symbol: str
    style: str


PLAYERS = (Look("●", "#4a86e8"), Look("■", "#d9573f"), Look("▲", "#3a9d5d"), Look("◆", "#a45fd6"))  # by seat
WALL = Look("█", "#7f7f7f")
FLOOR = Look("·", "#7f7f7f")
BOX = Look("[]", "#a27b4f")
ITEMS = {0: Look(" ", ""), RANGE_ITEM: Look("R", "bold #1a9aa8"), BOMB_ITEM: Look("B", "bold #1a9aa8")}
FIRE = Look("▒", "#d08a1d")
DEATH = Look("†", "bold")
FRAME = Look("", "#7f7f7f")
DUE = "bold underline"  # the fuse of a bomb that explodes in the coming round

LEGEND = (
    "(0) player   ●3⁸ bomb of player 0, fuse 3, range 8 (a = 10, b = 11 ...)\n"
    "[R] [B] [ ] boxes   R range item   B bomb item   ▒ fire just now   † died there"
)


def seat_mark(seat: int) -> tuple[str, str]:
    """A seat with its symbol, and their style."""
    return f"{PLAYERS[seat].symbol} {seat}", f"bold {PLAYERS[seat].style}"


class Mark(NamedTuple):
    """Something to show on a cell: a short text, a style, or both."""

    text: str = ""
    style: str = ""


class Size(NamedTuple):
    """Of one cell, in characters."""

    width: int
    height: int


SIZES = {1: Size(3, 1), 2: Size(5, 2)}  # by scale

Line = list[tuple[str, str]]  # pieces of text, each with its style


class BoardView:
    """The board of a state. `events` are those of the round that led to it: their fire and deaths are drawn.

    `overlay` marks cells: its text stands on cells that are otherwise empty (at scale 2 below anything), its style
    is laid over everything but players, a background over the whole cell. Scale 1 draws cells of 3 x 1
    characters, scale 2 of 5 x 2. Without its frame the board has no numbers either.
    """

    def __init__(
        self,
        state: np.record,
        map_: np.record,
        events: Sequence[Event] = (),
        overlay: Mapping[Cell, Mark] | None = None,
        scale: int = 1,
        has_frame: bool = True,
    ) -> None:
        self.size = SIZES[scale]
        self.has_frame = has_frame
        self.overlay = overlay or {}
        self.boxes = boxes_on(state, map_)
        self.items = {(item.x, item.y): item.kind for item in items_on(state, map_)}
        self.bombs: dict[Cell, list[Bomb]] = {}
        for bomb in bombs_on(state):
            self.bombs.setdefault((bomb.x, bomb.y), []).append(bomb)
        self.players: dict[Cell, list[int]] = {}
        for player in living_players(state):
            self.players.setdefault((player.x, player.y), []).append(player.id)
        self.dead: dict[Cell, list[int]] = {}
        for event in events:
            if isinstance(event, Death):
                self.dead.setdefault((event.x, event.y), []).append(event.player)
        self.fire = fire_of(events)

    @property
    def width(self) -> int:
        """In characters, with frame and row numbers."""
        return WIDTH * self.size.width + (4 if self.has_frame else 0)

    @property
    def height(self) -> int:
        return HEIGHT * self.size.height + (3 if self.has_frame else 0)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(self.width, self.width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.lines()

    def lines(self) -> list[Text]:
        """The whole board, line by line."""
        if not self.has_frame:
            return [line for y in range(HEIGHT) for line in self.row(y)]
        numbers = "".join(str(x).center(self.size.width) for x in range(WIDTH))
        edge = "─" * (WIDTH * self.size.width)
        return [
            line_of([(f"   {numbers} ", FRAME.style)]),
            line_of([(f"  ┌{edge}┐", FRAME.style)]),
            *(line for y in range(HEIGHT) for line in self.row(y)),
            line_of([(f"  └{edge}┘", FRAME.style)]),
        ]

    def row(self, y: int) -> list[Text]:
        cells = [self.cell(x, y) for x in range(WIDTH)]
        lines = []
        for k in range(self.size.height):
            number = str(y) if k == 0 else ""
            pieces = [piece for cell in cells for piece in cell[k]]
            left, right = (
                ((f"{number:>2}│", FRAME.style), ("│", FRAME.style)) if self.has_frame else (("", ""), ("", ""))
            )
            lines.append(line_of([left, *pieces, right]))
        return lines

    def cell(self, x: int, y: int) -> list[Line]:
        """A cell's lines, each filled to its width, with what is laid over it."""
        if is_wall(x, y):
            return [[(WALL.symbol * self.size.width, WALL.style)]] * self.size.height
        mark = self.overlay.get((x, y), Mark())
        lines = self.things((x, y), mark)
        fill = FIRE if (x, y) in self.fire else Look(" ", "")
        lines += [[] for _ in range(self.size.height - len(lines))]
        if mark.text and not lines[-1]:
            lines[-1] = [(fit(mark.text, self.size.width), mark.style)]
        if " on " in f" {mark.style}":
            fill = Look(fill.symbol, lay_over(fill.style, mark.style))
        marked = [[(text, lay_over(style, mark.style)) for text, style in line] for line in lines]
        return [fill_line(line, self.size.width, fill) for line in marked]

    def things(self, cell: Cell, mark: Mark) -> list[Line]:
        """What stands on a cell; at scale 1 the most important of it, in one line."""
        standing = [player_piece(seat) for seat in self.players.get(cell, [])]
        bombs = self.bombs.get(cell, [])
        if cell in self.boxes:
            return self.box(self.boxes[cell])
        if standing and bombs:
            return self.player_on_bomb(standing, bombs)
        if standing:
            return [standing_line(standing, self.size.width)]
        if bombs:
            return self.bomb(bombs)
        if cell in self.dead:
            return [[(DEATH.symbol, DEATH.style), *(player_piece(seat) for seat in self.dead[cell])]]
        if cell in self.items:
            item = ITEMS[self.items[cell]]
            return [[(item.symbol, item.style)]]
        return [] if cell in self.fire or mark.text else [[(FLOOR.symbol, FLOOR.style)]]

    def box(self, content: int) -> list[Line]:
        item = ITEMS[content]
        if self.size.height == 1:
            return [[(BOX.symbol[0], BOX.style), (item.symbol, item.style), (BOX.symbol[1], BOX.style)]]
        top: Line = [("╭───╮", BOX.style)]
        if not content:
            return [top, [("╰───╯", BOX.style)]]
        return [top, [("╰╴", BOX.style), (item.symbol, item.style), ("╶╯", BOX.style)]]

    def bomb(self, bombs: list[Bomb]) -> list[Line]:
        """Shapes of the owners, fuse, range."""
        if self.size.height == 1:
            ranges = [(range_symbol(bomb.range), owner_style(bomb)) for bomb in bombs]
            return [[*bomb_shapes(bombs), fuse_piece(bombs[0]), *ranges]]
        return [[*bomb_shapes(bombs), fuse_piece(bombs[0])], [("r", ""), *range_pieces(bombs)]]

    def player_on_bomb(self, standing: Line, bombs: list[Bomb]) -> list[Line]:
        """At scale 1 there is room for the fuse, not for the range."""
        if self.size.height == 1:
            return [[*standing, *bomb_shapes(bombs), fuse_piece(bombs[0])]]
        under = [*bomb_shapes(bombs), fuse_piece(bombs[0]), ("r", ""), *range_pieces(bombs)]
        return [standing_line(standing, self.size.width), under]


def line_of(pieces: Line) -> Text:
    return Text.assemble(*pieces, no_wrap=True, end="\n")


def fill_line(line: Line, width: int, fill: Look) -> Line:
    """Cut or pad to the width, centred, with spaces or fire."""
    kept: Line = []
    space = width
    for text, style in line:
        kept.append((text[:space], style))
        space -= len(kept[-1][0])
    left, right = space // 2, space - space // 2
    return [(fill.symbol * left, fill.style), *kept, (fill.symbol * right, fill.style)]


def lay_over(style: str, mark: str) -> str:
    return style if "reverse" in style else f"{style} {mark}".strip()


def player_piece(seat: int) -> tuple[str, str]:
    return str(seat), f"bold reverse {PLAYERS[seat].style}"


def standing_line(standing: Line, width: int) -> Line:
    """(0), or as many as fit."""
    if len(standing) + 2 > width:
        return standing if len(standing) <= width else [*standing[: width - 1], ("+", "bold")]
    return [("(", standing[0][1]), *standing, (")", standing[-1][1])]


def owner_style(bomb: Bomb) -> str:
    return PLAYERS[bomb.owner].style


def bomb_shapes(bombs: list[Bomb]) -> Line:
    return [(PLAYERS[bomb.owner].symbol, owner_style(bomb)) for bomb in bombs]


def fuse_piece(bomb: Bomb) -> tuple[str, str]:
    return str(bomb.timer), f"{owner_style(bomb)} {DUE if bomb.timer == 1 else ''}".strip()


def range_pieces(bombs: list[Bomb]) -> Line:
    """Ranges in full, a comma between those of bombs that share a cell."""
    pieces: Line = []
    for bomb in bombs:
        pieces += [(",", "")] if pieces else []
        pieces.append((str(bomb.range), owner_style(bomb)))
    return pieces


def range_symbol(range_: int) -> str:
    """One character, raised to tell it from the fuse: 1 to 9, then a to z for 10 to 35."""
    return "⁰¹²³⁴⁵⁶⁷⁸⁹abcdefghijklmnopqrstuvwxyz+"[min(range_, 36)]
