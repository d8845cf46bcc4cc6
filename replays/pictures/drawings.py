"""What bots drew on a turn, as SVG: colours below the things on the board, paths and texts above them."""

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from replays.look.overlays import colour_of, drawing_of
from replays.pictures.shapes import CELL
from replays.remarks.drawings import Drawing
from replays.replay import Move

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


def drawings_of(moves: Sequence[Move | None]) -> Iterator[tuple[int, Drawing]]:
    return ((seat, drawing_of(move)) for seat, move in enumerate(moves))
