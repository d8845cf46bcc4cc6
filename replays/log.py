"""Positions found in a bot's log, as people paste it: with or without the first line, with anything around and between.

Lines are told apart by their form alone, whatever stands before it (a time, a `>`); what has no form, or begins with
a `#`, is noise. A board that stands on one line is unfolded first.

    13 11 0                header: starts another game
    .X.X.X.X.X.X.          row of a board: 11 of them in a row are one
    4                      number of entities (may be missing)
    0 1 12 10 1 3          entity
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.board import HEIGHT, WIDTH
from engine.errors import EngineError
from engine.game import Game
from engine.notation import parse_entities, parse_grid

ROW = re.compile(rf"[.X012]{{{WIDTH}}}")
OTHER_ROW = re.compile(r"(?=.*[.X])[.X012]{5,}")
OTHER_ROWS = 5  # so many of one width are a board of another game, fewer are noise
NUMBER = re.compile(r"-?\d{1,9}", re.ASCII)
QUOTES = "\"',;"
SEPARATORS = re.compile(r"\\n|[\"',;|/\[\]]")  # also a line's end as programs write it
ENTITY_FIELDS = 6
MANY = 1000
Numbered = tuple[int, str]  # a line's number in the log, and what matters of it


class LogLine(NamedTuple):
    kind: str  # header, row, other row, count, entity or noise
    text: str  # without what stood around it
    raw: str = ""  # with it; empty for a part of a line


class Found(NamedTuple):
    """A position of the log."""

    line: int  # where its board starts
    game: Game
    starts_game: bool  # whether a first line stood before it
    own_seat: int | None  # as the last first line said
    said: Sequence[str] = ()  # what stands between it and the next, line by line


class Log(NamedTuple):
    """What a log holds, and what was wrong with the rest of it."""

    found: list[Found]
    skipped: list[str]


class PositionBlock(NamedTuple):
    """The lines of one position."""

    rows: list[Numbered]
    total: list[Numbered]  # of the entities; empty if the log doesn't say
    entities: list[Numbered]
    header: int | None  # the own id, if a first line stood right before
    said: list[str]  # what belongs to no position: until the next one, and before the first


def parse_log(text: str) -> Log:
    """All positions of a text, with the lines of those that are none."""
    found: list[Found] = []
    skipped: list[str] = []
    own_seat = None
    for block in blocks_of(text):
        own_seat = own_seat if block.header is None else block.header
        try:
            game = game_of(block)
        except EngineError as error:
            skipped.append(f"board at line {block.rows[0][0]} skipped: {error}")
        else:
            found.append(Found(block.rows[0][0], game, block.header is not None, own_seat, block.said))
    return Log(found, [*skipped, *other_boards(text)])


def other_boards(text: str) -> Iterator[str]:
    """A word about boards of another width: rows of one width, one after the other."""
    run: list[Numbered] = []
    for number, (kind, line, _) in [*lines_of(text), (0, LogLine("noise", ""))]:
        if kind == "other row" and (not run or len(run[-1][1]) == len(line)):
            run.append((number, line))
            continue
        if len(run) >= OTHER_ROWS:
            start, row = run[0]
            yield f"board at line {start} skipped: expected rows of {WIDTH} characters, found {len(row)}"
        run = []


def lines_of(text: str) -> Iterator[tuple[int, LogLine]]:
    """Every line with its number, and what it is."""
    for number, raw in enumerate(text.splitlines(), 1):
        lines = unfold(raw)
        for line in lines:
            yield number, classify(line)._replace(raw=raw if len(lines) == 1 else "")


def unfold(line: str) -> list[str]:
    """The lines of a position that stands on one: header, rows, count, entities. Any other line is left as it is."""
    words = SEPARATORS.sub(" ", line).split() if len(line) > HEIGHT * WIDTH else []
    if sum(ROW.fullmatch(word) is not None for word in words) < HEIGHT:
        return [line]
    lines: list[str] = []
    numbers: list[str] = []
    for word in [*words, ""]:
        if NUMBER.fullmatch(word):
            numbers.append(word)
            continue
        lines += fold(numbers)
        numbers = []
        if ROW.fullmatch(word):
            lines.append(word)
    return lines


def fold(numbers: list[str]) -> list[str]:
    """Numbers between rows: the count and six for each entity, then what may be the next header."""
    has_count = bool(numbers) and 1 + ENTITY_FIELDS * int(numbers[0]) in range(1, len(numbers) + 1)
    first = 1 if has_count else 0
    last = first + (ENTITY_FIELDS * int(numbers[0]) if has_count else len(numbers) // ENTITY_FIELDS * ENTITY_FIELDS)
    entities = [" ".join(numbers[at : at + ENTITY_FIELDS]) for at in range(first, last, ENTITY_FIELDS)]
    return [*numbers[:first], *entities, " ".join(numbers[last:])]


def classify(line: str) -> LogLine:
    """What a line is, by its last words."""
    words = line.replace(",", " ").split()
    if not words or words[0].startswith("#"):
        return LogLine("noise", "")
    last = words[-1].strip(QUOTES)
    if ROW.fullmatch(last) or OTHER_ROW.fullmatch(last):
        return LogLine("row" if len(last) == WIDTH else "other row", last)
    numbers: list[str] = []
    for word in reversed(words):
        if not NUMBER.fullmatch(word.strip(QUOTES)):
            break
        numbers.append(word.strip(QUOTES))
        if len(numbers) > ENTITY_FIELDS:
            return LogLine("noise", "")
    numbers.reverse()
    kinds = {1: "count", 3: "header", ENTITY_FIELDS: "entity"}
    kind = kinds.get(len(numbers), "noise")
    if kind == "header" and numbers[:2] != [str(WIDTH), str(HEIGHT)]:
        kind = "noise"
    return LogLine(kind, " ".join(numbers))


def blocks_of(text: str) -> Iterator[PositionBlock]:
    """Cut the text into positions: a board begins with a row after none, and ends before the next or a header."""
    header: int | None = None
    block: PositionBlock | None = None
    before: list[str] = []  # what stands above the first
    for number, (kind, line, raw) in lines_of(text):
        if kind == "header" or (kind == "row" and block and is_complete(block)):
            if block:
                yield block
            block = None
        if kind == "header":
            header = parse_own_seat(line)
        elif kind == "row":
            if block is None:
                block, header, before = PositionBlock([], [], [], header, before), None, []
            block.rows.append((number, line))
        elif block is None or not add_to(block, kind, (number, line)):
            (before if block is None else block.said).append(raw)
    if block:
        yield block


def parse_own_seat(header: str) -> int | None:
    seat = int(header.split()[2])
    return seat if 0 <= seat < 4 else None


def is_complete(block: PositionBlock) -> bool:
    """Whether a further row belongs to another board."""
    return len(block.rows) >= HEIGHT or bool(block.total or block.entities)


def add_to(block: PositionBlock, kind: str, line: Numbered) -> bool:
    """The first number after the rows is the count, and as many entities as it says belong to the position; whether
    the line was one of them."""
    if kind == "count" and len(block.rows) == HEIGHT and not block.total and not block.entities:
        block.total.append(line)
    elif kind == "entity" and len(block.entities) < (int(block.total[0][1]) if block.total else MANY):
        block.entities.append(line)
    else:
        return False
    return True


def game_of(block: PositionBlock) -> Game:
    """The position of a block; raises with the line and what was expected there."""
    grid = parse_grid(block.rows, block.rows[0][0])
    last = (block.entities or block.rows)[-1][0]
    total = block.total or [(block.rows[-1][0] + 1, str(len(block.entities)))]
    players, bombs, items = parse_entities([*total, *block.entities], grid, last)
    return Game.build(grid, players, bombs, items, seats=4)
