"""The inputs that a bot had, as a record to step through: states as they came, actions inferred between them.

From one input to the next, whoever is one cell further moved there, and a new bomb on the cell they left is
theirs; whoever is gone died, in a blast or for an error. Then the round is played by the rules and compared with what
came: where it differs, a note says how. Boxes scored are those since the first input, as far as the rules tell.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.board import DELTAS, HEIGHT, WIDTH
from engine.errors import EngineError
from engine.events import Event, fire_of
from engine.game import Game, explosions_of
from engine.notation import parse_entities, parse_grid
from engine.position import Bomb, Player, boxes_on
from engine.rules import BOMB
from engine.state import FUSE, MAX_TURNS
from replays.annotations import Words, action_of, likely_seat, own_words, read_order
from replays.events import events_of
from replays.playback import play_moves
from replays.record import Better
from replays.replay import Failure, Move, ReplayError

# Finding positions in a log


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
    said: Sequence[str] = ()  # the lines between it and the next


class Log(NamedTuple):
    """What a log holds, and what was wrong with the rest of it."""

    found: list[Found]
    skipped: list[str]


class PositionBlock(NamedTuple):
    """The lines of one position."""

    rows: list[Numbered]
    total: list[Numbered]  # of the entities; empty if the log doesn't say
    entities: list[Numbered]
    header: int | None  # the player's id, if a first line came right before
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
    """The lines of a position written on one: header, rows, count, entities. Any other line is left as it is."""
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
    before: list[str] = []  # the lines above the first
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


# A log as a record


TOLD = 4  # differences that a note lists
ANOTHER_GAME = "another game starts here"


class Inputs:
    """A log as a Record. Inputs are numbered from 0, as the turns of a game that was logged whole."""

    own_seat: int | None

    def __init__(self, log: Log) -> None:
        self.skipped = log.skipped
        self.lines = [found.line for found in log.found]
        self.own_seat = next((found.own_seat for found in log.found if found.own_seat is not None), None)
        self.seats = max(2, *(seats_of(found.game) for found in log.found))
        self._games = [renumber(found.game, turn, self.seats) for turn, found in enumerate(log.found)]
        self._moves: list[list[Move | None]] = []
        self._events: list[list[Event]] = [[]]
        self._notes: list[list[str]] = [[]]
        for before, after, found in zip(self._games, self._games[1:], log.found[1:], strict=False):
            self._follow(before, after, found)
        self._moves.append([None] * self.seats)
        self._add_own_words([own_words(found.said) for found in log.found])

    def _add_own_words(self, words: list[Words]) -> None:
        """Give the player whose log it is their outputs and stderr; whose it is, a header or the outputs tell."""
        lines = [line for line, _ in words]
        if self.own_seat is None:
            actions = [[move.action if move else None for move in moves] for moves in self._moves]
            self.own_seat = likely_seat(lines, self._games, actions)
        own = self.own_seat
        if own is None or own >= self.seats:
            return
        for game, moves, (line, stderr) in zip(self._games, self._moves, words, strict=True):
            move = moves[own]
            if move is None and (action := action_of(line, game, own)) is not None:
                move = moves[own] = Move(action)  # of the last input, or before a gap: only the output tells
            if move is not None:
                order = read_order(line)
                move.line, move.stderr, move.message = line, stderr, order.message if order else ""

    def _follow(self, before: Game, after: Game, found: Found) -> None:
        """Infer what was done between two inputs, and what must be said about it."""
        another = found.starts_game or is_another_game(before, after)
        gap = ANOTHER_GAME if another else missing_between(before, after)
        moves: list[Move | None] = [None] * self.seats if gap else infer_moves(before, after)
        self._moves.append(moves)
        self._events.append([] if gap else events_of(before, moves))
        self._notes.append([gap] if gap else play_and_compare(before, after, moves))

    @property
    def specs(self) -> list[str]:
        return [f"player {seat}{' (own)' if seat == self.own_seat else ''}" for seat in range(self.seats)]

    @property
    def seed(self) -> int | None:
        """Nobody told it."""
        return None

    @property
    def first_turn(self) -> int:
        return 0

    @property
    def end_turn(self) -> int:
        return len(self._games) - 1

    def game_at(self, turn: int) -> Game:
        if not 0 <= turn <= self.end_turn:
            raise ReplayError(f"turn {turn}: expected 0 to {self.end_turn}")
        return self._games[turn].copy()

    def seen_at(self, turn: int, seat: int) -> Game | None:
        """Nothing was left out that is known here."""
        return None

    def moves_at(self, turn: int) -> list[Move | None]:
        return self._moves[turn]

    def events_before(self, turn: int) -> list[Event]:
        return self._events[turn]

    def notes_before(self, turn: int) -> list[str]:
        return self._notes[turn]

    def better_at(self, turn: int) -> Better | None:
        """Nobody looked."""
        return None

    def title_at(self, turn: int) -> str:
        return f"input {turn} of {self.end_turn}, line {self.lines[turn]}, actions inferred"


def seats_of(game: Game) -> int:
    """As many as the ids seen need."""
    return max([0, *(player.id + 1 for player in game.players()), *(bomb.owner + 1 for bomb in game.bombs)])


def renumber(game: Game, turn: int, seats: int) -> Game:
    """The same position as a turn of its record; who is not there may have been dead before."""
    boxes = boxes_on(game.state, game.map)
    turn = min(turn, MAX_TURNS - 1)  # a log of several games has more turns than any of them
    copied = Game.build(boxes, game.players(), game.bombs, game.items, seats=seats, turn=turn)
    copied.death_rounds = [None] * seats
    return copied


# Breaks


def is_another_game(before: Game, after: Game) -> bool:
    """Boxes never come, and the dead stay dead."""
    grown = boxes_on(after.state, after.map).keys() - boxes_on(before.state, before.map).keys()
    return bool(grown) or not set(after.living) <= set(before.living)


def missing_between(before: Game, after: Game) -> str:
    """What the fuses say: bombs in both inputs must be one round older."""
    old = {(bomb.owner, bomb.x, bomb.y, bomb.range): bomb.timer for bomb in before.bombs}
    ages = {old[key] - bomb.timer for bomb in after.bombs if (key := (bomb.owner, bomb.x, bomb.y, bomb.range)) in old}
    if ages == {0}:
        return "the fuses stand still: the same turn again"
    if len(ages) == 1 and (rounds := ages.pop()) > 1:
        return f"{rounds - 1} input{'s are' if rounds > 2 else ' is'} missing: the fuses are {rounds} rounds further"
    return ""


# Inference


def infer_moves(before: Game, after: Game) -> list[Move | None]:
    """What everybody did, as far as the next input shows it."""
    there = {player.id: player for player in after.players()}
    fire = fire_of(explosions_of(before.state, before.bombs))
    moves: list[Move | None] = [None] * before.seats
    for player in before.players():
        moves[player.id] = infer_move(player, there.get(player.id), after.bombs, player.cell in fire)
    return moves


def infer_move(player: Player, later: Player | None, bombs: Sequence[Bomb], burns: bool) -> Move:
    if later is None:
        if burns:
            return Move(0)  # whatever was done no longer mattered
        return Move(failure=Failure("error", "no blast reached the player"))
    dropped = any((bomb.owner, bomb.x, bomb.y, bomb.timer) == (player.id, player.x, player.y, FUSE) for bomb in bombs)
    step = (later.x - player.x, later.y - player.y)
    return Move((DELTAS.index(step) if step in DELTAS else 0) + (BOMB if dropped else 0))


def play_and_compare(before: Game, after: Game, moves: Sequence[Move | None]) -> list[str]:
    """Play the round, take scores and deaths over into the next input, and tell what else differs."""
    played = before.copy()
    play_moves(played, moves)
    after.set_scores(played.boxes)
    gone = [seat not in after.living for seat in range(after.seats)]
    after.death_rounds = [died if is_gone else None for died, is_gone in zip(played.death_rounds, gone, strict=True)]
    after.death_turns = [died if is_gone else None for died, is_gone in zip(played.death_turns, gone, strict=True)]
    found = list(differences(before, played, after))
    if not found:
        return []
    more = f", and {len(found) - TOLD} more" if len(found) > TOLD else ""
    return [f"does not follow from the rules: {'; '.join(found[:TOLD])}{more}"]


def differences(before: Game, played: Game, came: Game) -> Iterator[str]:
    """What the rules expect and what came instead."""
    yield from player_differences(before, played, came)
    yield from other_differences(played, came)


def player_differences(before: Game, played: Game, came: Game) -> Iterator[str]:
    was = {player.id: player for player in before.players()}
    expected = {player.id: player for player in played.players()}
    seen = {player.id: player for player in came.players()}
    for seat in was:
        if seat not in seen:
            continue  # gone: in a blast, or for an error
        if seat not in expected:
            yield f"player {seat} is alive after standing in a blast"
        elif seen[seat][1:3] != expected[seat][1:3]:
            (x, y), (to_x, to_y) = was[seat][1:3], seen[seat][1:3]
            yield f"player {seat} went from {x},{y} to {to_x},{to_y}"
        elif seen[seat][3:5] != expected[seat][3:5]:
            yield f"player {seat} has {describe_stock(seen[seat])} instead of {describe_stock(expected[seat])}"


def describe_stock(player: Player) -> str:
    return f"{player.bombs_left} bombs and range {player.range}"


def other_differences(played: Game, came: Game) -> Iterator[str]:
    expected, seen = things_of(played), things_of(came)
    yield from (f"{thing} is not there" for thing in expected if thing not in seen)
    yield from (f"{thing} is there" for thing in seen if thing not in expected)


def things_of(game: Game) -> list[str]:
    """Boxes, bombs and items in words, each thing once."""
    return [
        *(f"a box at {x},{y} with content {content}" for (x, y), content in boxes_on(game.state, game.map).items()),
        *(f"a bomb of player {b.owner} at {b.x},{b.y} with fuse {b.timer} and range {b.range}" for b in game.bombs),
        *(f"an item of kind {item.kind} at {item.x},{item.y}" for item in game.items),
    ]
