"""One turn as an SVG file, dark or light as the viewer likes it; and the pieces a page is made of."""

from xml.sax.saxutils import escape

from engine.board import HEIGHT, WIDTH
from replays.pictures.drawings import format_lines, format_marks
from replays.pictures.shapes import CELL, PALETTE, STROKE, Circle, Label, Polygon, Rect, Shape, draw, draw_ground
from replays.pictures.things import things_on
from replays.record import Record
from replays.text import clean

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
    if isinstance(shape, Label):
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
