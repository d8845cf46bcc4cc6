"""A span of turns as an animated GIF: the same shapes as the SVG, on the dark palette.

Needs Pillow, which is an extra. Shapes are drawn three times as large and then made smaller, which smooths the edges.
"""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from engine.board import HEIGHT, WIDTH
from replays.export.shapes import (
    CELL,
    EDGE,
    PALETTE,
    STROKE,
    Circle,
    Polygon,
    Rect,
    Shape,
    TextShape,
    draw,
    draw_ground,
    things_on,
)
from replays.files import write_bytes
from replays.record import Record
from replays.render.turn import short_names
from replays.replay import ReplayError

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

SMOOTHING = 3
SCALE = 0.75  # of the SVG's size
ZOOM = SCALE * SMOOTHING
TITLE = 24
LINE = 22
TURN_MS = 300
END_MS = 2000


def write_gif(record: Record, turns: Sequence[int], path: Path) -> None:
    """Write the turns one after the other, then again from the start."""
    check_pillow()
    ground = draw_empty(record)
    frames = [smooth(draw_turn(record, turn, ground)) for turn in turns]
    waits = [TURN_MS] * (len(frames) - 1) + [END_MS]
    drawn = BytesIO()
    frames[0].save(drawn, "GIF", save_all=True, append_images=frames[1:], duration=waits, loop=0, optimize=False)
    write_bytes(path, drawn.getvalue(), with_folder=False)


def check_pillow() -> None:
    try:
        import PIL  # noqa: F401
    except ImportError:
        raise ReplayError("--gif needs Pillow: pip install 'hsctl[plot]'") from None


def draw_empty(record: Record) -> "Image":
    """The board without anything on it."""
    from PIL import Image, ImageDraw

    width = WIDTH * CELL + 2 * EDGE
    height = TITLE + HEIGHT * CELL + 2 * EDGE + LINE * record.seats
    image = Image.new("RGB", (round(width * ZOOM), round(height * ZOOM)), PALETTE["page"].dark)
    canvas = ImageDraw.Draw(image)
    for shape in draw_ground():
        draw_shape(canvas, shape, EDGE, EDGE + TITLE)
    return image


def draw_turn(record: Record, turn: int, ground: "Image") -> "Image":
    from PIL import ImageDraw

    image = ground.copy()
    canvas = ImageDraw.Draw(image)
    game = record.game_at(turn)
    for thing, x, y in things_on(game.state, game.map, record.events_before(turn)):
        for shape in draw(thing):
            draw_shape(canvas, shape, x * CELL + EDGE, y * CELL + EDGE + TITLE)
    draw_text(canvas, EDGE, 18, f"turn {turn}", 15, "ink", "lm")
    for seat, name in enumerate(short_names(record.specs)):
        y = TITLE + 2 * EDGE + HEIGHT * CELL + LINE * seat
        dead = "" if seat in game.living else "  (dead)"
        draw_text(canvas, EDGE, y, f"{seat} {name.replace('…', '...')}{dead}", 15, f"seat{seat}", "lm")
        draw_text(canvas, EDGE + WIDTH * CELL, y, f"boxes {game.boxes[seat]}", 15, "ink", "rm")
    return image


def smooth(image: "Image") -> "Image":
    from PIL import Image

    size = (image.width // SMOOTHING, image.height // SMOOTHING)
    return image.resize(size, Image.Resampling.BOX).quantize(128, dither=Image.Dither.NONE)


def draw_shape(canvas: "ImageDraw", shape: Shape, left: float, top: float) -> None:
    if isinstance(shape, TextShape):
        draw_text(canvas, left + shape.x, top + shape.y, shape.text, shape.size, shape.fill, "mm")
        return
    fill = PALETTE[shape.fill].dark if shape.fill else None
    outline = PALETTE[shape.stroke].dark if shape.stroke else None
    width = round(STROKE * ZOOM) if outline else 0
    if isinstance(shape, Circle):
        radius = shape.radius + (STROKE / 2 if outline else 0)  # SVG strokes half outside
        x, y = left + shape.x, top + shape.y
        canvas.ellipse(scaled(x - radius, y - radius, x + radius, y + radius), fill, outline, width)
    elif isinstance(shape, Rect):
        x, y = left + shape.x, top + shape.y
        canvas.rounded_rectangle(
            scaled(x, y, x + shape.width, y + shape.height), shape.radius * ZOOM, fill, outline, width
        )
    elif isinstance(shape, Polygon):
        points = [((left + x) * ZOOM, (top + y) * ZOOM) for x, y in shape.points]
        canvas.polygon(points, fill)
        if outline:
            canvas.line([*points, *points[:2]], outline, width, joint="curve")


def draw_text(canvas: "ImageDraw", x: float, y: float, text: str, size: float, fill: str, anchor: str) -> None:
    canvas.text((x * ZOOM, y * ZOOM), text, PALETTE[fill].dark, font_of(size), anchor)


def font_of(size: float) -> "FreeTypeFont":
    from PIL import ImageFont

    return ImageFont.load_default(size * ZOOM)  # type: ignore[return-value]


def scaled(left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
    return left * ZOOM, top * ZOOM, right * ZOOM, bottom * ZOOM
