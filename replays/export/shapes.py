"""How positions are drawn: the things on a board, and the shapes of each in a cell of 40 x 40, with colours by name.

A thing has a name that describes it fully, so that a page holds every drawing once and the name can be read back:

    box-1   item-2   fire   death-0   player-3   bomb-0-4-8 (owner, fuse, range)   player-3-s2 (in slot 2 of a cell)

SVG and GIF draw the same shapes. A seat has a form as well as a colour: circle, square, triangle, diamond. A player is
filled, a bomb is an outline around its fuse, with the range in the corner.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.board import HEIGHT, WIDTH, is_wall
from engine.events import Death, Event, fire_of
from engine.position import RANGE_ITEM, Cell, bombs_on, boxes_on, items_on, living_players
from replays.render.board import PLAYERS


class Thing(NamedTuple):
    kind: str  # fire, box, item, death, bomb, player
    number: int = 0  # content of a box, kind of an item, seat of all others
    fuse: int = 0
    range: int = 0
    slot: int | None = None  # a quarter of the cell, where several share one

    @property
    def name(self) -> str:
        if self.kind == "fire":
            return self.kind
        parts = [self.kind, str(self.number)]
        parts += [str(self.fuse), str(self.range)] if self.kind == "bomb" else []
        parts += [] if self.slot is None else [f"s{self.slot}"]
        return "-".join(parts)


class Placed(NamedTuple):
    thing: Thing
    x: int
    y: int


def things_on(state: np.record, map_: np.record, events: Sequence[Event] = ()) -> list[Placed]:
    """The things of a position; `events` led to it: their fire and deaths show."""
    ground = [Placed(Thing("fire"), x, y) for x, y in sorted(fire_of(events))]
    ground += [Placed(Thing("box", content), x, y) for (x, y), content in boxes_on(state, map_).items()]
    ground += [Placed(Thing("item", item.kind), item.x, item.y) for item in items_on(state, map_)]
    standing = [Placed(Thing("death", event.player), event.x, event.y) for event in events if isinstance(event, Death)]
    standing += [Placed(Thing("bomb", bomb.owner, bomb.timer, bomb.range), bomb.x, bomb.y) for bomb in bombs_on(state)]
    standing += [Placed(Thing("player", player.id), player.x, player.y) for player in living_players(state)]
    return ground + share_cells(standing)


def share_cells(placed: Sequence[Placed]) -> list[Placed]:
    """Give a quarter of the cell to each of those that share one."""
    crowd = Counter((x, y) for _, x, y in placed)
    taken: Counter[Cell] = Counter()
    shared = []
    for thing, x, y in placed:
        if crowd[x, y] > 1:
            thing = thing._replace(slot=taken[x, y] % 4)
            taken[x, y] += 1
        shared.append(Placed(thing, x, y))
    return shared


# Shapes


CELL = 40
EDGE = 22  # around the board, for the numbers
Point = tuple[float, float]


class Colour(NamedTuple):
    dark: str
    light: str


PALETTE = {
    "page": Colour("#15171b", "#fbfaf7"),
    "ink": Colour("#dfe1e4", "#2a2c30"),
    "quiet": Colour("#858b95", "#77746d"),
    "line": Colour("#2b2f36", "#e3e0d8"),
    "floor": Colour("#1e2126", "#f3f1ec"),
    "wall": Colour("#3d434c", "#cbc7be"),
    "box": Colour("#6d5639", "#d9b98f"),
    "edge": Colour("#a27b4f", "#a27b4f"),
    "item": Colour("#1a9aa8", "#12808c"),
    "fire": Colour("#7d5518", "#f2cf94"),
    "white": Colour("#ffffff", "#ffffff"),
    **{f"seat{seat}": Colour(look.style, look.style) for seat, look in enumerate(PLAYERS)},
}


class Polygon(NamedTuple):
    points: tuple[Point, ...]
    fill: str = ""
    stroke: str = ""


class Circle(NamedTuple):
    x: float
    y: float
    radius: float
    fill: str = ""
    stroke: str = ""


class Rect(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    radius: float = 0
    fill: str = ""
    stroke: str = ""


class TextShape(NamedTuple):
    """A text centred on a point."""

    x: float
    y: float
    text: str
    size: float
    fill: str


Shape = Polygon | Circle | Rect | TextShape
SLOTS = ((11.0, 11.0), (29.0, 29.0), (29.0, 11.0), (11.0, 29.0))  # centres of the quarters
ALONE, SHARED = 14.0, 9.0  # radius of a player or a bomb
STROKE = 2.5


def draw_ground() -> list[Shape]:
    """Floor and walls of the whole board, with the numbers of columns and rows on its edge."""
    cells: list[Shape] = [Rect(0, 0, WIDTH * CELL, HEIGHT * CELL, 6, "floor")]
    walls = [(x, y) for y in range(HEIGHT) for x in range(WIDTH) if is_wall(x, y)]
    cells += [Rect(x * CELL + 1, y * CELL + 1, CELL - 2, CELL - 2, 5, "wall") for x, y in walls]
    floor = [(x, y) for y in range(HEIGHT) for x in range(WIDTH) if not is_wall(x, y)]
    cells += [Circle(x * CELL + CELL / 2, y * CELL + CELL / 2, 1.5, "line") for x, y in floor]
    cells += [TextShape(x * CELL + CELL / 2, -EDGE / 2, str(x), 11, "quiet") for x in range(WIDTH)]
    return cells + [TextShape(-EDGE / 2, y * CELL + CELL / 2, str(y), 11, "quiet") for y in range(HEIGHT)]


def draw(thing: Thing) -> list[Shape]:
    """The shapes of a thing, in its cell."""
    match thing.kind:
        case "fire":
            return [Rect(0, 0, CELL, CELL, 0, "fire")]
        case "box":
            letter = [TextShape(20, 20, item_letter(thing.number), 18, "ink")] if thing.number else []
            return [Rect(4, 4, 32, 32, 5, "box", "edge"), *letter]
        case "item":
            return [Circle(20, 20, 12, "", "item"), TextShape(20, 20, item_letter(thing.number), 17, "item")]
        case "death":
            return draw_death(thing)
        case "bomb":
            return draw_bomb(thing)
        case "player":
            return draw_player(thing)
    raise ValueError(f"no drawing for {thing.name}")


def item_letter(kind: int) -> str:
    return "R" if kind == RANGE_ITEM else "B"


def place_of(thing: Thing) -> tuple[float, float, float]:
    """Centre and radius of what stands in a cell, alone or in its quarter."""
    return (20.0, 20.0, ALONE) if thing.slot is None else (*SLOTS[thing.slot], SHARED)


def draw_player(thing: Thing) -> list[Shape]:
    x, y, radius = place_of(thing)
    return [seat_shape(thing.number, x, y, radius, f"seat{thing.number}"), seat_label(thing, x, y, radius, "white")]


def draw_bomb(thing: Thing) -> list[Shape]:
    x, y, radius = place_of(thing)
    colour = f"seat{thing.number}"
    shapes = [seat_shape(thing.number, x, y, radius - 1, "floor", colour)]
    shapes.append(seat_label(thing, x, y, radius, colour, str(thing.fuse)))
    if thing.slot is None:
        shapes.append(TextShape(34, 7, str(thing.range), 11, "quiet"))
    return shapes


def draw_death(thing: Thing) -> list[Shape]:
    """A cross in the colour of the seat."""
    x, y, radius = place_of(thing)
    colour, half, thick = f"seat{thing.number}", radius * 0.8, radius * 0.14
    upright = Rect(x - thick, y - half, 2 * thick, 2 * half, 0, colour)
    return [upright, Rect(x - half * 0.6, y - half * 0.5 - thick, half * 1.2, 2 * thick, 0, colour)]


def seat_label(thing: Thing, x: float, y: float, radius: float, fill: str, text: str = "") -> TextShape:
    lower = radius * 0.22 if thing.number == 2 else 0  # a triangle is wider below
    return TextShape(x, y + lower, text or str(thing.number), radius * 1.15, fill)


def seat_shape(seat: int, x: float, y: float, radius: float, fill: str, stroke: str = "") -> Shape:
    """Circle, square, triangle or diamond, all about equally large."""
    if seat == 0:
        return Circle(x, y, radius, fill, stroke)
    if seat == 1:
        half = radius * 0.9
        return Rect(x - half, y - half, 2 * half, 2 * half, 3, fill, stroke)
    if seat == 2:
        top, bottom, half = y - radius * 1.1, y + radius * 0.9, radius * 1.15
        return Polygon(((x, top), (x + half, bottom), (x - half, bottom)), fill, stroke)
    half = radius * 1.15
    return Polygon(((x, y - half), (x + half, y), (x, y + half), (x - half, y)), fill, stroke)
