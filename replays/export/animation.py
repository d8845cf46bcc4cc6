"""A span of turns as one SVG file that plays by itself, by CSS alone: it also runs as a picture on a web page.

Everything is drawn once. What looks the same for several turns, such as a box until it burns, is one element, and
elements that come and go together are a group. An animation shows each group from its first turn to its last:

    title     turn 7 |turn 8 |turn 9         a group each
    boxes     (2 4)- (6 8)---------------    groups of turns 7 to 7 and 7 to 9

Viewers that don't animate, and people who prefer less motion, see one turn.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from engine.board import HEIGHT, WIDTH
from replays.export.shapes import CELL, Thing, draw, draw_ground, things_on
from replays.export.svg import (
    LINE_HEIGHT,
    MARGIN,
    NAMESPACE,
    TITLE_HEIGHT,
    format_lines,
    format_marks,
    format_shape,
    format_style,
    player_line,
)
from replays.record import Record
from replays.text import clean

TURN_S = 0.3
END_S = 2.0  # how long the last turn stays
BOARD = f'<g transform="translate({MARGIN} {TITLE_HEIGHT + MARGIN})">'

# What covers what, from below: drawings of bots around the things on the board, then what is written around it.
MARKS, FIRE, LYING, STANDING, LINES, AROUND = range(6)
LAYERS = {"fire": FIRE, "box": LYING, "item": LYING}


class Element(NamedTuple):
    """A piece of the picture as it is in one turn."""

    layer: int
    text: str


class Span(NamedTuple):
    """The turns in which something shows, by their place among those drawn: from `start` up to `stop`."""

    start: int
    stop: int


def format_animation(record: Record, turns: Sequence[int]) -> str:
    """A whole SVG document that plays these turns again and again."""
    groups = group_spans([list(elements_of(record, turn)) for turn in turns])
    spans = sorted({span for _, span in groups} - {Span(0, len(turns))})
    width = WIDTH * CELL + 2 * MARGIN
    height = TITLE_HEIGHT + 2 * MARGIN + HEIGHT * CELL + LINE_HEIGHT * record.seats
    things = sorted({thing for turn in turns for thing in things_at(record, turn)}, key=lambda thing: thing.name)
    return "\n".join(
        [
            f'<svg xmlns="{NAMESPACE}" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
            f"<style>{format_style()}\n{format_motion(spans, len(turns))}</style>",
            f"<defs>{''.join(map(format_definition, things))}</defs>",
            f'<rect width="{width}" height="{height}" class="f-page"/>',
            BOARD,
            *map(format_shape, draw_ground()),
            "</g>",
            *(format_group(layer, span, groups[layer, span], len(turns)) for layer, span in sorted(groups)),
            "</svg>\n",
        ]
    )


def things_at(record: Record, turn: int) -> Iterator[Thing]:
    game = record.game_at(turn)
    return (placed.thing for placed in things_on(game.state, game.map, record.events_before(turn)))


def elements_of(record: Record, turn: int) -> Iterator[Element]:
    """All that a turn shows on the empty board."""
    game, moves = record.game_at(turn), record.moves_at(turn)
    yield from (Element(MARKS, text) for text in format_marks(moves))
    for thing, x, y in things_on(game.state, game.map, record.events_before(turn)):
        text = f'<use href="#{thing.name}" x="{x * CELL}" y="{y * CELL}"/>'
        yield Element(LAYERS.get(thing.kind, STANDING), text)
    yield from (Element(LINES, text) for text in format_lines(moves))
    title = escape(clean(record.title_at(turn)))
    yield Element(AROUND, f'<text x="{MARGIN}" y="32" font-size="16" class="f-ink">{title}</text>')
    below = TITLE_HEIGHT + MARGIN + HEIGHT * CELL
    for seat in range(record.seats):
        yield Element(AROUND, player_line(record, turn, seat, below + LINE_HEIGHT * (seat + 1)))


def group_spans(frames: Sequence[Iterable[Element]]) -> dict[tuple[int, Span], list[str]]:
    """What each frame shows, sorted by layer and by the span in which it shows without a break."""
    groups: dict[tuple[int, Span], list[str]] = {}
    since: dict[Element, int] = {}
    for at, frame in enumerate([*frames, ()]):
        shown = dict.fromkeys(frame)
        for element in [element for element in since if element not in shown]:
            groups.setdefault((element.layer, Span(since.pop(element), at)), []).append(element.text)
        for element in shown:
            since.setdefault(element, at)
    return groups


def format_group(layer: int, span: Span, texts: Sequence[str], count: int) -> str:
    always, poster = span == (0, count), span.start <= poster_of(count) < span.stop
    classes = "" if always else f' class="turn{" poster" if poster else ""}" style="animation-name:{name_of(span)}"'
    body = f"<g{classes}>{''.join(texts)}</g>"
    return body if layer == AROUND else f"{BOARD}{body}</g>"


def format_motion(spans: Sequence[Span], count: int) -> str:
    """An animation for each span, and the turn that shows without any."""
    total = (count - 1) * TURN_S + END_S
    rules = [
        f".turn {{ visibility: hidden; animation: {total:g}s step-end infinite; }}",
        ".poster { visibility: visible; }",
        "@media (prefers-reduced-motion: reduce) { .turn { animation: none; } }",
    ]
    for span in spans:
        start, stop = (f"{100 * at * TURN_S / total:.4g}%" for at in span)
        before = "0%{visibility:hidden}" if span.start else ""
        after = f"{stop}{{visibility:hidden}}" if span.stop < count else ""
        end = "hidden" if after else "visible"
        rules.append(
            f"@keyframes {name_of(span)}{{{before}{start}{{visibility:visible}}{after}100%{{visibility:{end}}}}}"
        )
    return "\n".join(rules)


def poster_of(count: int) -> int:
    """The turn that represents the game where nothing moves: early enough that boxes are left."""
    return count // 4


def name_of(span: Span) -> str:
    return f"t{span.start}-{span.stop}"


def format_definition(thing: Thing) -> str:
    return f'<g id="{thing.name}">{"".join(map(format_shape, draw(thing)))}</g>'
