"""One turn as an SVG file, dark or light as the viewer prefers, and the pieces that a page is made of.

Drawings of bots go in two layers: colours below the things on the board, paths and texts above them.
"""

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from engine.board import HEIGHT, WIDTH
from replays.annotations import BotDrawing
from replays.export.shapes import (
    CELL,
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
from replays.record import Record, drawing_of
from replays.render.overlays import colour_of
from replays.replay import Move
from replays.text import clean

SHARE = 0.62  # of its size, the width of a character
LARGEST = 15  # size of a text, which shrinks to fit into its cell


def format_marks(moves: Sequence[Move | None]) -> Iterator[str]:
    for seat, drawn in drawings_of(moves):
        for (x, y), label in drawn.cells.items():
            place = f'x="{x * CELL + 1}" y="{y * CELL + 1}" width="{CELL - 2}" height="{CELL - 2}"'
            yield f'<rect {place} rx="5" fill="{colour_of(label.colour, seat)}" fill-opacity="0.55"/>'


def format_lines(moves: Sequence[Move | None]) -> Iterator[str]:
    """A path ends in a dot."""
    for seat, drawn in drawings_of(moves):
        for path in drawn.paths:
            points = [(x * CELL + CELL // 2, y * CELL + CELL // 2) for x, y in path.cells]
            colour, (end_x, end_y) = colour_of(path.colour, seat), points[-1]
            line = " ".join(f"{x},{y}" for x, y in points)
            yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="4" stroke-linejoin="round"/>'
            yield f'<circle cx="{end_x}" cy="{end_y}" r="6" fill="{colour}"/>'
        for (x, y), label in drawn.cells.items():
            if label.text:
                size = min(LARGEST, (CELL - 3) / (SHARE * len(label.text)))
                place = f'x="{x * CELL + CELL // 2}" y="{(y + 1) * CELL - 4}" font-size="{size:.1f}"'
                yield f'<text {place} text-anchor="middle" class="f-ink">{escape(label.text)}</text>'


def drawings_of(moves: Sequence[Move | None]) -> Iterator[tuple[int, BotDrawing]]:
    return ((seat, drawing_of(move)) for seat, move in enumerate(moves))


# A turn


FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
NAMESPACE = "http://www.w3.org/2000/svg"
MARGIN = 26
TITLE_HEIGHT = 30
LINE_HEIGHT = 24


def format_turn(record: Record, turn: int) -> str:
    """A whole SVG document: title, board with what bots drew on it, a line per player."""
    game, moves = record.game_at(turn), record.moves_at(turn)
    placed = things_on(game.state, game.map, record.events_before(turn))
    board = [format_shape(shape) for shape in draw_ground()]
    board += format_marks(moves)
    board += [format_placed(draw(thing), x * CELL, y * CELL) for thing, x, y in placed]
    board += format_lines(moves)
    width = WIDTH * CELL + 2 * MARGIN
    below = TITLE_HEIGHT + MARGIN + HEIGHT * CELL
    height = below + MARGIN + LINE_HEIGHT * record.seats
    lines = [player_line(record, turn, seat, below + LINE_HEIGHT * (seat + 1)) for seat in range(record.seats)]
    return "\n".join(
        [
            f'<svg xmlns="{NAMESPACE}" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
            f"<style>{format_style()}</style>",
            f'<rect width="{width}" height="{height}" class="f-page"/>',
            f'<text x="{MARGIN}" y="32" font-size="16" class="f-ink">{escape(clean(record.title_at(turn)))}</text>',
            f'<g transform="translate({MARGIN} {TITLE_HEIGHT + MARGIN})">',
            *board,
            "</g>",
            *lines,
            "</svg>\n",
        ]
    )


def player_line(record: Record, turn: int, seat: int, y: int) -> str:
    game = record.game_at(turn)
    dead = "" if seat in game.living else " (dead)"
    text = escape(f"{seat} {clean(record.specs[seat])}{dead}")
    return (
        f'<text x="{MARGIN}" y="{y}" font-size="15" class="f-seat{seat}">{text}</text>'
        f'<text x="{MARGIN + WIDTH * CELL}" y="{y}" font-size="15" text-anchor="end" class="f-ink">'
        f"boxes {game.boxes[seat]}</text>"
    )


def format_style() -> str:
    """Both palettes; a class per use of a colour."""
    rules = [
        f"text {{ font-family: {FONT}; }}",
        ".none { fill: none; }",
        f"[class*='s-'] {{ stroke-width: {STROKE}; }}",
    ]
    rules += [f".f-{name} {{ fill: var(--{name}); }} .s-{name} {{ stroke: var(--{name}); }}" for name in PALETTE]
    return format_palette() + "\n".join(rules)


def format_palette() -> str:
    dark = " ".join(f"--{name}: {colour.dark};" for name, colour in PALETTE.items())
    light = " ".join(f"--{name}: {colour.light};" for name, colour in PALETTE.items())
    return f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"


def format_placed(shapes: list[Shape], x: int, y: int) -> str:
    return f'<g transform="translate({x} {y})">{"".join(map(format_shape, shapes))}</g>'


def format_shape(shape: Shape) -> str:
    if isinstance(shape, TextShape):
        middle = shape.y + shape.size * 0.35
        return (
            f'<text x="{shape.x:g}" y="{middle:g}" font-size="{shape.size:g}" font-weight="600" text-anchor="middle" '
            f'class="f-{shape.fill}">{escape(shape.text)}</text>'
        )
    stroke = f" s-{shape.stroke}" if shape.stroke else ""
    classes = f'class="{f"f-{shape.fill}" if shape.fill else "none"}{stroke}"'
    if isinstance(shape, Circle):
        return f'<circle cx="{shape.x:g}" cy="{shape.y:g}" r="{shape.radius:g}" {classes}/>'
    if isinstance(shape, Polygon):
        points = " ".join(f"{x:g},{y:g}" for x, y in shape.points)
        return f'<polygon points="{points}" stroke-linejoin="round" {classes}/>'
    assert isinstance(shape, Rect)
    return (
        f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}" '
        f'rx="{shape.radius:g}" {classes}/>'
    )
