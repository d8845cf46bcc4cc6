"""What a bot says to hsctl on stderr: lines that begin with @, a word, and what the word is about.

    @predict 3,4 .             @ and a word of small letters at the very start of the line,
    @cell 3 4 12.5 red         then arguments to its end, separated by spaces

One grammar for all of them, read here and nowhere else; each word's arguments are read by whoever knows the word. Other
lines, and words that nobody knows, are just text.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from unicodedata import category, east_asian_width

from engine.board import HEIGHT, WIDTH, is_on_board
from engine.errors import EngineError
from engine.game import Game
from engine.notation import NotationError, Order, format_position, parse_order, resolve
from engine.position import Cell
from engine.state import MAX_TURNS
from replays.text import clean, is_shown, shorten

REMARK = re.compile(r"@([a-z]+)(?: +(\S.*?))? *\r?")

PREDICT = "predict"
DRAWING = ("cell", "path", "value", "text")


class Annotation(NamedTuple):
    word: str
    arguments: tuple[str, ...]

    @property
    def text(self) -> str:
        """As it was written, but for the spaces."""
        return " ".join([f"@{self.word}", *self.arguments])


def annotations_in(stderr: str, *words: str) -> Iterator[Annotation]:
    """The annotations with these words among all that a bot wrote on a turn."""
    if "@" in stderr:
        for line in stderr.split("\n"):
            match = REMARK.fullmatch(line) if line.startswith("@") else None
            if match and match[1] in words:
                yield Annotation(match[1], tuple((match[2] or "").split()))


def read_cell(text: str) -> Cell | None:
    """`3,4` as a cell of the board."""
    x, _, y = text.partition(",")
    return cell_at(x, y)


def cell_at(x: str, y: str) -> Cell | None:
    """The cell of two numbers, if it is on the board."""
    if not (is_small(x) and is_small(y) and is_on_board(int(x), int(y))):
        return None
    return int(x), int(y)


def is_small(text: str) -> bool:
    """Whether it is a number of one or two digits."""
    return len(text) < 3 and text.isdecimal()


# What a bot draws on stderr: marks on cells, paths, a value of the position, words.
#
#     @cell 3 4 12.5 red         a mark on x=3, y=4: a short text and a colour, each may be left out
#     @path 0,0 0,1 1,1 blue     a path along these cells; the colour may be left out
#     @value 7.3                 what the position is worth to the bot: a chart over the game
#     @text going for the box    words next to the board
#
# A drawing is of one turn. Everything in it has a bound, whatever the text holds; a line that can't be read, or that is
# one too many, is counted and told.


# Middle tones, which show on dark and on light; dark ink can be read on all of them.
COLOURS = {
    "red": "#d9705f",
    "orange": "#de8038",
    "yellow": "#c7a23a",
    "green": "#4f9e63",
    "cyan": "#1a9aa8",
    "blue": "#5f8fc4",
    "purple": "#a878d0",
    "grey": "#8f8f8f",
}
MOST_PATHS, MOST_CELLS = 16, 100  # of a turn; of a path
MOST_TEXTS, TEXT_WIDTH = 8, 200
LABEL_WIDTH = 8  # of the text on a cell
HIGHEST = 1e12  # of a value, up or down
SHOWN = 60  # characters of a line that can't be read
DRAWING_FORMS = {
    "cell": "`@cell x y`, then perhaps a text of up to 8 characters and a colour",
    "path": "`@path x,y x,y ...` with 2 to 100 cells, then perhaps a colour",
    "value": "`@value` and a number",
}


class Label(NamedTuple):
    """What stands on a cell; without a colour it has the player's."""

    text: str = ""
    colour: str = ""


class Path(NamedTuple):
    cells: tuple[Cell, ...]
    colour: str = ""


@dataclass
class BotDrawing:
    """All that a bot drew on a turn."""

    cells: dict[Cell, Label] = field(default_factory=dict)  # the last of each cell
    paths: list[Path] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    value: float | None = None  # the last
    wrong: int = 0  # lines that should draw and don't
    first_wrong: str = ""  # what is wrong with the first of them

    @property
    def is_empty(self) -> bool:
        return not (self.cells or self.paths or self.texts or self.value is not None)

    def take(self, annotation: Annotation) -> None:
        """Draw what a line says, or note what is wrong with it."""
        match annotation.word:
            case "cell" if label := read_label(annotation.arguments):
                self.cells[label[0]] = label[1]
            case "path" if path := read_path(annotation.arguments):
                if self._has_room(annotation, len(self.paths), MOST_PATHS):
                    self.paths.append(path)
            case "value" if (number := read_value(annotation.arguments)) is not None:
                self.value = number
            case "text":
                if self._has_room(annotation, len(self.texts), MOST_TEXTS):
                    self.texts.append(shorten(clean(" ".join(annotation.arguments)), TEXT_WIDTH))
            case word:
                self._note(f"cannot read {annotation.text[:SHOWN]!r}: expected {DRAWING_FORMS[word]}")

    def _has_room(self, annotation: Annotation, count: int, most: int) -> bool:
        if count >= most:
            self._note(f"one @{annotation.word} too many: {most} are shown for a turn")
        return count < most

    def _note(self, words: str) -> None:
        self.first_wrong = self.first_wrong or words
        self.wrong += 1


def read_drawing(stderr: str) -> BotDrawing:
    """What is drawn among all that a bot wrote on a turn."""
    drawing = BotDrawing()
    for annotation in annotations_in(stderr, *DRAWING):
        drawing.take(annotation)
    return drawing


def read_label(arguments: Sequence[str]) -> tuple[Cell, Label] | None:
    *rest, colour = split_colour(arguments)
    cell = cell_at(*rest[:2]) if len(rest) in (2, 3) else None
    text = rest[2] if len(rest) == 3 else ""
    if cell is None or len(text) > LABEL_WIDTH or not all(map(is_narrow, text)):
        return None
    return cell, Label(text, colour)


def read_path(arguments: Sequence[str]) -> Path | None:
    *rest, colour = split_colour(arguments)
    cells = [cell for text in rest[: MOST_CELLS + 1] if (cell := read_cell(text))]
    return Path(tuple(cells), colour) if 2 <= len(cells) == len(rest) <= MOST_CELLS else None


def read_value(arguments: Sequence[str]) -> float | None:
    try:
        (value,) = map(float, arguments)
    except ValueError:
        return None
    return value if math.isfinite(value) and abs(value) <= HIGHEST else None


def split_colour(arguments: Sequence[str]) -> list[str]:
    """The arguments with a colour at the end, an empty one if there was none."""
    return list(arguments) if arguments and arguments[-1] in COLOURS else [*arguments, ""]


def is_narrow(character: str) -> bool:
    """Whether it takes exactly one column of a terminal."""
    return is_shown(character) and east_asian_width(character) not in "WF" and category(character)[0] != "M"


def tell_wrong(said: Sequence[str]) -> list[str]:
    """A note about each seat's drawing of a turn that has a fault."""
    drawings = [read_drawing(stderr) for stderr in said]
    return [
        f"player {seat}: {drawing.first_wrong}{f' (and {drawing.wrong - 1} more)' if drawing.wrong > 1 else ''}"
        for seat, drawing in enumerate(drawings)
        if drawing.wrong
    ]


# What a bot predicted on stderr, and where it was wrong.
#
#     @predict 3,4 .                   the grid of the next input has . at x=3, y=4 (or 0, 1, 2: a box)
#     @predict row 4 ..0..????....     row 4 of its grid; ? is not predicted
#     @predict 1 0 3 4 7 3             this line is among its entities; ? is not predicted, nor is what is left out
#     @predict no 0 1                  no such line is: player 1 is dead
#     @predict +3 no 1 ? 3 4           the same for the input three turns later
#
# All in the words of the arena's input, so that a simulator's own text can be printed line by line.


ANY = "?"
PREDICTION_FORMS = "`x,y .`, `row y .X..`, `type owner x y ...` or `no type owner ...`, perhaps after `+turns`"
FIELDS = 6  # of an entity


class Wrong(NamedTuple):
    """A prediction that didn't come true, or one that can't be read (`turn` is then that on which it was made)."""

    seat: int
    made: int  # the turn on which it was printed
    turn: int  # whose position it is about
    cell: Cell | None
    words: str

    def describe(self) -> str:
        return f"turn {self.turn}{self.detail}"

    def note(self) -> str:
        """What is to be said on the turn itself."""
        return f"player {self.seat}{self.detail}"

    @property
    def detail(self) -> str:
        at = "" if self.cell is None else f", cell {self.cell[0]},{self.cell[1]}"
        made = "" if self.turn - self.made <= 1 else f" (predicted on turn {self.made})"
        return f"{at}: {self.words}{made}"


class Pending(NamedTuple):
    """A prediction whose turn has not come."""

    seat: int
    made: int
    annotation: Annotation
    facts: tuple[str, ...]


class Predictions:
    """Those of a game, followed turn by turn. One for a turn after the end is never looked at."""

    def __init__(self) -> None:
        self.checked: dict[int, int] = {}  # by seat
        self.wrong: list[Wrong] = []  # in order of turns
        self._pending: dict[int, list[Pending]] = {}  # by the turn that they are about

    def follow(self, said: Sequence[str], after: Game) -> None:
        """Take in what each seat wrote to stderr on a turn, then look at the position after it."""
        made = after.turn - 1
        for seat, stderr in enumerate(said):
            for annotation in annotations_in(stderr, PREDICT):
                self._take(seat, made, annotation)
        if due := self._pending.pop(after.turn, []):
            lines = format_position(after).splitlines()
            for pending in due:
                self._check(pending, after.turn, lines)

    def wrong_about(self, turn: int) -> list[Wrong]:
        return [each for each in self.wrong if each.turn == turn]

    def first_wrong(self, seat: int) -> Wrong | None:
        return next((each for each in self.wrong if each.seat == seat), None)

    def count_wrong(self, seat: int) -> int:
        return sum(each.seat == seat for each in self.wrong)

    def _take(self, seat: int, made: int, annotation: Annotation) -> None:
        facts, ahead = list(annotation.arguments), 1
        if facts and facts[0].startswith("+"):
            ahead = int(facts[0][1:]) if facts[0][1:].isdecimal() and len(facts[0]) < 5 else 0
            del facts[0]
        if not 1 <= ahead <= MAX_TURNS or not is_readable(facts):
            words = f"cannot read {annotation.text[:SHOWN]!r}: expected @predict and {PREDICTION_FORMS}"
            self.wrong.append(Wrong(seat, made, made, None, words))
            return
        pending = Pending(seat, made, annotation, tuple(facts))
        self._pending.setdefault(made + ahead, []).append(pending)

    def _check(self, pending: Pending, turn: int, lines: Sequence[str]) -> None:
        seat = pending.seat
        self.checked[seat] = self.checked.get(seat, 0) + 1
        if found := contradict(pending.facts, lines):
            cell, words = found
            self.wrong.append(Wrong(seat, pending.made, turn, cell, words))


def is_readable(facts: Sequence[str]) -> bool:
    match list(facts):
        case ["row", y, row]:
            return y.isdecimal() and int(y) < HEIGHT and len(row) == WIDTH and set(row) <= set(".X012?")
        case ["no", *pattern]:
            return is_pattern(pattern)
        case [cell, mark]:
            return (read_cell(cell) is not None and mark in tuple(".X012")) or is_pattern([cell, mark])
        case pattern:
            return is_pattern(pattern)


def is_pattern(pattern: Sequence[str]) -> bool:
    """The first fields of an entity of a known type."""
    numbers = all(field == ANY or field.removeprefix("-").isdecimal() for field in pattern)
    return 2 <= len(pattern) <= FIELDS and numbers and pattern[0] in ("0", "1", "2")


def contradict(facts: Sequence[str], lines: Sequence[str]) -> tuple[Cell | None, str] | None:
    """Where and how an input differs from what was predicted of it; None if it doesn't."""
    entities = lines[HEIGHT + 1 :]
    if facts[0] == "row":
        return contradict_row(int(facts[1]), facts[2], lines)
    if facts[0] == "no":
        found = [line for line in entities if fits(facts[1:], line)]
        return (cell_of(found[0]), f"predicted no `{' '.join(facts[1:])}`, found `{found[0]}`") if found else None
    cell = read_cell(facts[0])
    if cell is not None:
        mark = lines[cell[1]][cell[0]]
        return None if mark == facts[1] else (cell, f"predicted `{facts[1]}`, found `{mark}`")
    if any(fits(facts, line) for line in entities):
        return None
    nearest = nearest_to(facts, entities)
    words = f"predicted `{' '.join(facts)}`, found {f'`{nearest}`' if nearest else 'no such line'}"
    return predicted_cell(facts) or (cell_of(nearest) if nearest else None), words


def contradict_row(y: int, row: str, lines: Sequence[str]) -> tuple[Cell, str] | None:
    """The first cell of a row that is another."""
    for x, (mark, found) in enumerate(zip(row, lines[y], strict=True)):
        if mark not in (ANY, found):
            return (x, y), f"predicted `{mark}`, found `{found}`"
    return None


def fits(pattern: Sequence[str], line: str) -> bool:
    return all(wanted in (ANY, found) for wanted, found in zip(pattern, line.split(), strict=False))


def nearest_to(facts: Sequence[str], entities: Sequence[str]) -> str | None:
    """The entity of the same type that agrees in the most fields, if one agrees in owner or cell."""
    alike = [line for line in entities if fits(facts[:1], line) and (fits(facts[:2], line) or is_there(facts, line))]
    return max(alike, key=lambda line: agreement(facts, line), default=None)


def agreement(facts: Sequence[str], line: str) -> int:
    return sum(wanted == found for wanted, found in zip(facts, line.split(), strict=False))


def is_there(facts: Sequence[str], line: str) -> bool:
    """Whether an entity is on the predicted cell."""
    return predicted_cell(facts) == cell_of(line)


def predicted_cell(facts: Sequence[str]) -> Cell | None:
    numbers = facts[2:4]
    return (int(numbers[0]), int(numbers[1])) if len(numbers) == 2 and ANY not in numbers else None


def cell_of(line: str) -> Cell:
    x, y = line.split()[2:4]
    return int(x), int(y)


# What a log holds apart from inputs: the player's own output and stderr.


STDERR, STDOUT, SUMMARY, INFORMATION = "stderr", "stdout", "summary", "information"
HEADERS = {  # of the arena's console
    "standard error stream:": STDERR,
    "standard output stream:": STDOUT,
    "game summary:": SUMMARY,
    "game information:": INFORMATION,
}

Words = tuple[str, str]  # the output line, or nothing; and stderr


def own_words(said: Sequence[str]) -> Words:
    """The text between two inputs. In a console's text the output has a header, and the others' come after it;
    elsewhere it is the last line that reads as an order."""
    kept: list[str] = []
    lines = iter(said)
    for line in lines:
        kind = HEADERS.get(line.strip().lower())
        if kind == STDOUT:
            return next(lines, "").strip(), join(kept)
        if kind is None:
            kept.append(line)
    order = next((at for at in reversed(range(len(kept))) if read_order(kept[at])), None)
    return (kept.pop(order).strip() if order is not None else ""), join(kept)


def join(lines: Sequence[str]) -> str:
    """Lines without empty ones around them."""
    text = "\n".join(lines).strip("\n")
    return f"{text}\n" if text.strip() else ""


def read_order(line: str) -> Order | None:
    try:
        return parse_order(line.strip())
    except NotationError:
        return None


def action_of(line: str, game: Game, seat: int) -> int | None:
    """What an output does in a position, if it is an order and the player is alive."""
    order = read_order(line)
    try:
        return None if order is None else resolve(game.state, seat, order)
    except EngineError:
        return None


def likely_seat(lines: Sequence[str], games: Sequence[Game], actions: Sequence[Sequence[int | None]]) -> int | None:
    """Whose outputs these are: the one player who did, more often than not, what they say. `actions` by turn, seat."""
    hits = [
        sum(
            action is not None and action == done[seat]
            for line, game, done in zip(lines, games, actions, strict=True)
            for action in [action_of(line, game, seat)]
        )
        for seat in range(len(actions[0]))
    ]
    best = max(hits)
    is_clear = hits.count(best) == 1 and 2 * best > sum(map(bool, lines[:-1]))
    return hits.index(best) if best and is_clear else None
