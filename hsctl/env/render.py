"""How a position is rendered: on the terminal, as text with colours, as a picture of 423 x 363 pixels."""

from collections.abc import Sequence
from io import StringIO

import numpy as np
from PIL import Image, ImageDraw
from rich.console import Console, Group
from rich.text import Text

from engine.around.events import Event
from engine.board import HEIGHT, WIDTH
from engine.errors import HsctlError
from engine.position import living_players
from replays.look.board import BoardView, seat_mark
from replays.pictures.gif import SMOOTHING, ZOOM, draw_shape
from replays.pictures.shapes import CELL, EDGE, PALETTE, draw, draw_ground
from replays.pictures.things import things_on

RENDER_MODES = ["human", "ansi", "rgb_array"]


def check_mode(mode: str | None) -> None:
    if mode is not None and mode not in RENDER_MODES:
        raise HsctlError(f"render_mode={mode!r}, expected one of {', '.join(RENDER_MODES)}")


def render(mode: str | None, state: np.record, map_: np.record, events: Sequence[Event]) -> str | np.ndarray | None:
    """The position as the mode wants it; `events` are those of the round that led to it."""
    if mode == "rgb_array":
        return draw_picture(state, map_, events)
    if mode == "ansi":
        console = Console(file=StringIO(), force_terminal=True, color_system="truecolor", width=80)
        with console.capture() as written:
            console.print(view_of(state, map_, events))
        return written.get()
    if mode == "human":
        Console().print(view_of(state, map_, events))
    return None


def view_of(state: np.record, map_: np.record, events: Sequence[Event]) -> Group:
    """The board under a line that tells the turn and who has how many boxes."""
    line = Text(f"turn {int(state.turn)}")
    for player in living_players(state):
        line.append("   ").append(*seat_mark(player.id))
        line.append(f"  boxes {player.boxes}, bombs {player.bombs_left}, range {player.range}")
    return Group(line, BoardView(state, map_, events))


def draw_picture(state: np.record, map_: np.record, events: Sequence[Event]) -> np.ndarray:
    """The drawing of the GIFs as pixels: [y, x, colour]."""
    size = round((WIDTH * CELL + 2 * EDGE) * ZOOM), round((HEIGHT * CELL + 2 * EDGE) * ZOOM)
    image = Image.new("RGB", size, PALETTE["page"].dark)
    canvas = ImageDraw.Draw(image)
    for shape in draw_ground():
        draw_shape(canvas, shape, EDGE, EDGE)
    for thing, x, y in things_on(state, map_, events):
        for shape in draw(thing):
            draw_shape(canvas, shape, x * CELL + EDGE, y * CELL + EDGE)
    return np.array(image.reduce(SMOOTHING))
