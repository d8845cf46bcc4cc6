"""A whole game as one HTML page that needs nothing else: the stepper for people without hsctl.

Everything is computed here and embedded in the page; its script only shows and moves. A thing is drawn once, and a
turn lists which things are where.
"""

import json
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from engine.board import HEIGHT, OPEN_CELLS, WIDTH
from engine.events import ItemFreed
from engine.game import Game
from engine.position import BOMB_ITEM, RANGE_ITEM, Cell, player_of
from replays.events import describe
from replays.export.shapes import CELL, EDGE, Placed, Thing, draw, draw_ground, things_on
from replays.export.svg import format_shape, format_style
from replays.forecast import Forecast
from replays.keys import NOT_FOUND, ON_A_PAGE, SPEEDS, START_SPEED, STATUS
from replays.landmarks import Landmarks
from replays.playback import Playback, focus_of
from replays.record import Record, drawing_of, value_of
from replays.render.board import PLAYERS
from replays.render.overlays import HEAT, REACHED, SAFE, TICK, better, colour_of, describe_drawing, plan_marks
from replays.render.turn import (
    format_death,
    format_effort,
    format_move,
    format_stock,
    format_value_or_faults,
    output_parts,
    short_names,
)
from replays.replay import Move
from replays.text import clean

TEMPLATE = Path(__file__).with_name("document.html")


def format_document(title: str, body: str, style: str, data: Mapping[str, Any], script: str) -> str:
    """The whole page; its script finds the data in the element of that name."""
    parts = {"title": title, "body": body, "style": style, "data": format_data(data), "script": script}
    return fill(TEMPLATE, parts)


def fill(template: Path, parts: Mapping[str, str]) -> str:
    """The text of the template with a part in the place of each comment that names it."""
    return re.sub(r"/\*(\w+)\*/", lambda match: parts[match[1]], template.read_text(encoding="utf-8"))


def format_data(data: Mapping[str, Any]) -> str:
    """JSON that can stand inside a script element, whatever bots write."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


# The game


FOLDER = Path(__file__).parent
# Textual's names of keys as browsers call them; single letters are the same.
BROWSER_KEYS = {
    "right": "ArrowRight",
    "left": "ArrowLeft",
    "shift+right": "Shift+ArrowRight",
    "shift+left": "Shift+ArrowLeft",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "pagedown": "PageDown",
    "pageup": "PageUp",
    "home": "Home",
    "end": "End",
    "space": " ",
    "plus": "+",
    "equals_sign": "=",
    "minus": "-",
    "question_mark": "?",
}
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
NOT_ON_A_PAGE = ("quit()", "sight()")

SCRIPTS = ("page.js", "page_marks.js", "page_chart.js", "page_keys.js")
# What the things on the board mean.
KEY = (
    (Thing("player", 0), "player 0; the others: square, triangle, diamond"),
    (Thing("bomb", 0, fuse=3, range=5), "bomb of player 0: fuse 3, range 5"),
    (Thing("box", 0), "box"),
    (Thing("box", RANGE_ITEM), "box with a range item"),
    (Thing("box", BOMB_ITEM), "box with a bomb item"),
    (Thing("item", RANGE_ITEM), "range item"),
    (Thing("item", BOMB_ITEM), "bomb item"),
    (Thing("fire"), "fire of the turn before"),
    (Thing("death", 0), "player 0 died here"),
)

WORD_COLOURS = """
:root { --fire-word: #c07d12; --halo: color-mix(in srgb, var(--page) 70%, transparent); }
.f-fire-word { fill: var(--fire-word); }
"""


class PageFindings(NamedTuple):
    """What a review found, above the board of a page: mistakes are links to their turns."""

    verdict: str = ""
    mistakes: Sequence[tuple[int, str]] = ()


def format_page(record: Record, findings: PageFindings = PageFindings()) -> str:
    """The text of the page."""
    turns = range(record.first_turn, record.end_turn + 1)
    boards = [board_of(record, turn) for turn in turns]
    things = sorted({placed.thing for board in boards for placed in board}, key=lambda thing: thing.name)
    numbers = {thing: number for number, thing in enumerate(things)}
    frames = [
        {"things": [[numbers[thing], x, y] for thing, x, y in board], **frame_of(record, turn)}
        for turn, board in zip(turns, boards, strict=True)
    ]
    body = {
        "view": f"{-EDGE} {-EDGE} {WIDTH * CELL + EDGE + 2} {HEIGHT * CELL + EDGE + 2}",
        "defs": "".join(format_symbol(thing) for thing in things),
        "ground": "".join(format_shape(shape) for shape in draw_ground()),
        "key": "".join(format_entry(thing, words) for thing, words in KEY),
    }
    return format_document(
        title=escape(describe_result(record)),
        body=fill(FOLDER / "page.html", body),
        style=format_style() + WORD_COLOURS + (FOLDER / "page.css").read_text(encoding="utf-8"),
        data={
            **game_of(record),
            **findings_data(findings),
            "things": [thing.name for thing in things],
            "frames": frames,
        },
        script="".join((FOLDER / name).read_text(encoding="utf-8") for name in SCRIPTS),
    )


def findings_data(findings: PageFindings) -> dict[str, Any]:
    mistakes = [(turn, clean(words)) for turn, words in findings.mistakes]
    return {"verdict": clean(findings.verdict), "mistakes": mistakes}


def describe_result(record: Record) -> str:
    """The title of the page: players in the order of their places, or all of them if that is not known."""
    names = [clean(name) for name in short_names(record.specs)]
    seed = "" if record.seed is None else f", seed {record.seed}"
    if not isinstance(record, Playback):
        return f"{', '.join(names)}{seed} - hsctl"
    ranks = record.replay.result.ranks
    placed = [
        f"{ranks[seat]} {names[seat]}" for seat in sorted(range(len(names)), key=lambda seat: (ranks[seat], seat))
    ]
    return f"{', '.join(placed)}{seed} - hsctl"


def format_symbol(thing: Thing) -> str:
    shapes = "".join(format_shape(shape) for shape in draw(thing))
    return f'<g id="{thing.name}">{shapes}</g>'


def format_entry(thing: Thing, words: str) -> str:
    """A line of the legend."""
    shapes = "".join(format_shape(shape) for shape in draw(thing))
    return f'<li><svg viewBox="0 0 {CELL} {CELL}" aria-hidden="true">{shapes}</svg>{words}</li>'


def board_of(record: Record, turn: int) -> list[Placed]:
    game = record.game_at(turn)
    return things_on(game.state, game.map, record.events_before(turn))


def game_of(record: Record) -> dict[str, Any]:
    """What is the same on all turns."""
    landmarks = Landmarks(record)
    return {
        "first": record.first_turn,
        "own": focus_of(record),
        "specs": [clean(spec) for spec in record.specs],
        "symbols": [look.symbol for look in PLAYERS],
        "cells": OPEN_CELLS,
        "deaths": landmarks.deaths,
        "explosions": landmarks.explosions,
        "stderr": landmarks.stderr,
        "notes": landmarks.notes,
        "drawings": landmarks.drawings,
        "died": [landmarks.died.get(seat) for seat in range(record.seats)],
        "ways_out": [landmarks.tell_way_out(seat) for seat in range(record.seats)],
        "words": NOT_FOUND,
        "heat": HEAT,
        "safe": SAFE,
        "tick": TICK,
        "reached": REACHED,
        "speeds": SPEEDS,
        "speed": START_SPEED,
        "status": STATUS.replace("a ask  ", ""),  # a page has no agents
        "keys": browser_keys(),
        "help": [
            {
                "title": title,
                "keys": [(key.shown, key.words) for key in keys if key.shown and key.action not in NOT_ON_A_PAGE],
            }
            for title, keys in ON_A_PAGE
        ],
    }


def browser_keys() -> dict[str, dict[str, Any]]:
    """Each key with the name and values of its action."""
    return {
        BROWSER_KEYS.get(name, name): parse_action(key.action)
        for section in ON_A_PAGE
        for key in section.keys
        for name in key.names
        if key.action not in NOT_ON_A_PAGE
    }


def parse_action(action: str) -> dict[str, Any]:
    """`seek('deaths', -1)` as its name and values."""
    name, _, values = action.rstrip(")").partition("(")
    return {"name": name, "values": json.loads(f"[{values}]".replace("'", '"'))}


def frame_of(record: Record, turn: int) -> dict[str, Any]:
    """All that a turn shows but the things on its board."""
    game, moves = record.game_at(turn), record.moves_at(turn)
    forecast = Forecast(game)
    names = short_names(record.specs)
    seats = range(record.seats)
    told = [event for event in record.events_before(turn) if not isinstance(event, ItemFreed)]
    return {
        "title": clean(record.title_at(turn)),
        "events": [clean(describe(event, names)) for event in told],
        "notes": [clean(note) for note in record.notes_before(turn)],
        "players": [player_card(game, seat, moves[seat]) for seat in seats],
        "output": [list(output_parts(move)) if (move := moves[seat]) else [] for seat in seats],
        "danger": format_cells(forecast.burning_turns()),
        "survivable": [format_cells(forecast.survivable_turns(seat)) for seat in seats],
        "reachable": [format_cells(forecast.reachable_turns(seat)) for seat in seats],
        "better": better_of(record, turn, game),
        "drawings": [drawing_on(moves[seat], seat) for seat in seats],
        "plans": [[(x, y, text) for (x, y), text in plan_marks(game, seat, moves[seat]).items()] for seat in seats],
    }


def drawing_on(move: Move | None, seat: int) -> dict[str, Any] | None:
    """What a player drew, every colour by its number; None if that is nothing."""
    drawn = drawing_of(move)
    if drawn.is_empty:
        return None
    return {
        "cells": [(x, y, label.text, colour_of(label.colour, seat)) for (x, y), label in drawn.cells.items()],
        "paths": [(colour_of(path.colour, seat), path.cells) for path in drawn.paths],
        "texts": drawn.texts,
        "legend": describe_drawing(drawn, seat),
    }


def better_of(record: Record, turn: int, game: Game) -> dict[str, Any] | None:
    """The better line of a turn as marks with a legend, if there is one."""
    found = record.better_at(turn)
    if found is None:
        return None
    marks, legend = better(game, found)
    return {"marks": [(x, y, mark.text) for (x, y), mark in marks.items()], "legend": legend}


def player_card(game: Game, seat: int, move: Move | None) -> dict[str, Any]:
    player = player_of(game.state, seat)
    return {
        "alive": player is not None,
        "boxes": game.boxes[seat],
        "has": format_stock(game, player) if player else format_death(game, seat),
        "move": format_move(move),
        "effort": format_effort(move),
        "value": format_value_or_faults(game, seat, move),
        "worth": value_of(move),
        "message": f"“{clean(move.message)}”" if move and move.message else "",
    }


def format_cells(turns: dict[Cell, int]) -> str:
    """A character per open cell, row by row: the number in base 36 (z for more), a dot for none."""
    return "".join(DIGITS[min(turns[cell], 35)] if cell in turns else "." for cell in OPEN_CELLS)
