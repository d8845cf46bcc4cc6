"""A game of the arena played again from its start and everybody's outputs, and compared with the record on the way.

The rules say whose answer comes next, and each frame must be that player's. What is compared: every echoed input and
every line of the summaries, then the number of rounds, scores and ranks. The first difference ends the comparison.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

import msgspec

from engine.board import HEIGHT
from engine.game import Game
from engine.notation import NotationError, digest, format_position, parse_order, resolve
from engine.position import Cell, Player, boxes_on, target_of
from engine.rules import BOMB
from replays.arena.formats import ArenaRecord, Frame, plain
from replays.inputs import Found, parse_log
from replays.playback import play_moves, result_of
from replays.replay import FORMAT, VERSION, Failure, Limits, Move, PlayerInfo, Replay, Start, Turn
from replays.text import clean, shorten

# Where a record of the arena and our rules differ: the frame, the turn, the cell, and both sides.


LONGEST = 120  # characters of a side


class RecordDifference(msgspec.Struct, frozen=True, omit_defaults=True):
    """One difference. A frame is numbered as its source does it."""

    arena: str  # what the record says
    rules: str  # what follows from the rules
    frame: int | None = None
    turn: int | None = None
    cell: Cell | None = None

    def describe(self) -> str:
        """One line, whatever characters the record has."""
        places = [
            f"frame {self.frame}" if self.frame is not None else "",
            f"turn {self.turn}" if self.turn is not None else "",
            f"cell {self.cell[0]},{self.cell[1]}" if self.cell is not None else "",
        ]
        where = ", ".join(filter(None, places))
        arena, rules = (shorten(clean(side), LONGEST) for side in (self.arena, self.rules))
        return f"{where}{': ' if where else ''}the arena {arena}, the rules {rules}"


class Mismatch(Exception):
    """Raised at the first difference of a game: what comes after it follows from it."""

    def __init__(self, difference: RecordDifference) -> None:
        super().__init__(difference.describe())
        self.difference = difference


# Inputs that a player's program wrote on its stderr, against the position that it was sent by the rules.


SAME, OTHER_ORDER = "same", "other order"


def echoes_in(stderr: str) -> list[Found]:
    """The positions in a player's stderr; usually one or none."""
    return parse_log(stderr).found if stderr else []


def is_whole(found: Found) -> bool:
    """Whether the players are in it, not the board alone."""
    return bool(found.game.living)


def compare_echo(found: Found, game: Game, frame: int) -> str | RecordDifference:
    """SAME, OTHER_ORDER (of items only), or where both differ."""
    echoed, expected = format_position(found.game).splitlines(), format_position(game).splitlines()
    if difference := first_other_cell(echoed, expected, game.turn, frame):
        return difference
    if not is_whole(found) or echoed == expected:
        return SAME
    there, here = echoed[HEIGHT + 1 :], expected[HEIGHT + 1 :]
    if sorted(there) == sorted(here):
        return (
            OTHER_ORDER if without_items(there) == without_items(here) else first_other_line(there, here, game, frame)
        )
    more = [line for line in there if line not in here]
    less = [line for line in here if line not in there]
    return first_other_line(more, less, game, frame)


def first_other_cell(echoed: list[str], expected: list[str], turn: int, frame: int) -> RecordDifference | None:
    """A cell of the board on which a box, or its content, is another."""
    for y, (there, here) in enumerate(zip(echoed[:HEIGHT], expected[:HEIGHT], strict=True)):
        for x, (one, other) in enumerate(zip(there, here, strict=True)):
            if one != other:
                return RecordDifference(f"shows {one!r}", f"show {other!r}", frame, turn, (x, y))
    return None


def first_other_line(echoed: list[str], expected: list[str], game: Game, frame: int) -> RecordDifference:
    """The first entity that differs, as the text of the input has it."""
    pairs = zip_longest(echoed, expected, fillvalue="")
    there, here = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
    sides = [f"{line!r} in the input" if line else "no such line" for line in (there, here)]
    return RecordDifference(f"has {sides[0]}", f"have {sides[1]}", frame, game.turn, cell_of(there or here))


def cell_of(line: str) -> Cell:
    x, y = line.split()[2:4]
    return int(x), int(y)


def without_items(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("2 ")]


# The arena's summary of a round, line by line, against what happened by the rules.
#
#     $0 moves to 1,0                       the seat in the JSON; in the console a name in its place,
#     ann wants to place a bomb but cannot  which is learnt from the first line that fits only one player
#     ann: Disintegrated!
#
# The arena reports no players that stay. What it says about a player's action in the round of their death
# isn't compared: the rules drop it.


ACTION = r" (?P<what>moves to \d+,\d+|places a bomb|wants to place a bomb but cannot)"
LINE = re.compile(rf"(?P<who>.*?)(?:{ACTION}|: (?:Disintegrated|Eliminated)!)", re.ASCII)
SEAT = re.compile(r"\$([0-3])")
DEATH = "dies"


class SummaryLine(NamedTuple):
    """What somebody did: their name as written, and the rest of the line."""

    who: str
    what: str


class Did(NamedTuple):
    """What a player did by the rules, and where."""

    seat: int
    what: str
    cell: Cell


def parse_summary(text: str) -> list[SummaryLine]:
    """The lines that speak of actions and deaths; others are left out."""
    matches = [LINE.fullmatch(line.rstrip("\r")) for line in text.split("\n")]
    return [SummaryLine(match["who"], match["what"] or DEATH) for match in matches if match]


def expected_summary(game: Game, moves: Sequence[Move | None], survivors: Sequence[int]) -> list[Did]:
    """What the arena says about those who live on, in its order; `game` is the position that they answered."""
    bombs = {bomb.cell for bomb in game.bombs}
    done: list[Did] = []
    for player in game.players():
        move = moves[player.id]
        if player.id in survivors and move is not None and move.action is not None:
            done += actions_of(game, player, move.action, bombs)
    return done


def actions_of(game: Game, player: Player, action: int, bombs: set[Cell]) -> Iterator[Did]:
    cell = player.cell
    if action >= BOMB:
        can_drop = player.bombs_left > 0 and cell not in bombs
        yield Did(player.id, "places a bomb" if can_drop else "wants to place a bomb but cannot", cell)
    to = target_of(game.state, player, action)
    if to != cell:
        yield Did(player.id, f"moves to {to[0]},{to[1]}", to)


class ReplayedRound(NamedTuple):
    """A round as the rules played it."""

    turn: int
    done: list[Did]  # by those who live on
    dying: list[int]  # seats that were lost in this round
    dead: list[int]  # and before


class Names:
    """Who is who: the names that lines begin with, by seat."""

    def __init__(self) -> None:
        self.seats: dict[str, int] = {}

    def seat_of(self, line: SummaryLine, rounds: Sequence[ReplayedRound]) -> int | None:
        """Whom a line speaks of. A new name is that of the first player without one whom the line fits."""
        if match := SEAT.fullmatch(line.who):
            return int(match[1])
        if line.who not in self.seats:
            free = [seat for seat in fitting(line, rounds) if seat not in self.seats.values()]
            if not free:
                return None
            self.seats[line.who] = free[0]
        return self.seats[line.who]

    def name(self, seat: int) -> str:
        """As the arena's text has it; `$2` if it is not known."""
        return self.by_seat().get(seat, f"${seat}")

    def by_seat(self) -> dict[int, str]:
        return {seat: name for name, seat in self.seats.items()}


def fitting(line: SummaryLine, rounds: Sequence[ReplayedRound]) -> list[int]:
    """The seats that may have done this; what the lost did in their last round is open."""
    lost = [seat for each in rounds for seat in (*each.dying, *each.dead)]
    if line.what == DEATH:
        return lost
    return [did.seat for each in rounds for did in each.done if did.what == line.what] + lost


def compare_summary(text: str, rounds: Sequence[ReplayedRound], names: Names, frame: int, is_whole: bool) -> int:
    """Raise Mismatch unless each line reports an action of one of the rounds. Returns how many were compared.

    `is_whole`: and everything done must be told.
    """
    lines = parse_summary(text)
    left = [did for each in rounds for did in each.done]
    for line in lines:
        seat = names.seat_of(line, rounds)
        done = next((did for did in left if (did.seat, did.what) == (seat, line.what)), None)
        if done is not None:
            left.remove(done)
        elif not is_open(line, seat, rounds):
            raise Mismatch(contradiction(line, seat, rounds, names, frame))
    if left and is_whole:
        did = left[0]
        told = f"say {names.name(did.seat)} {did.what}"
        raise Mismatch(RecordDifference("says nothing of it", told, frame, rounds[-1].turn, did.cell))
    return len(lines)


def is_open(line: SummaryLine, seat: int | None, rounds: Sequence[ReplayedRound]) -> bool:
    """Whether a line tells of a death that there was, or of a player's last round."""
    dying = any(seat in each.dying for each in rounds)
    return dying or (line.what == DEATH and any(seat in each.dead for each in rounds))


def contradiction(
    line: SummaryLine, seat: int | None, rounds: Sequence[ReplayedRound], names: Names, frame: int
) -> RecordDifference:
    """A line that doesn't follow from the rules, with what the player did by them."""
    said = f"says {line.who}{' ' if line.what != DEATH else ': '}{line.what}"
    turn = rounds[-1].turn
    if seat is None:
        return RecordDifference(said, "know of nobody who did that", frame, turn, cell_in(line))
    done = [did for each in rounds for did in each.done if did.seat == seat]
    own = f"say {names.name(seat)} " + (" and ".join(did.what for did in done) or "stands still or is dead")
    return RecordDifference(said, own, frame, turn, cell_in(line) or (done[0].cell if done else None))


def cell_in(line: SummaryLine) -> Cell | None:
    match = re.search(r"(\d{1,3}),(\d{1,3})$", line.what, re.ASCII)
    return (int(match[1]), int(match[2])) if match else None


LIMITS = Limits(first_turn_ms=1000.0, turn_ms=100.0)  # the arena's clock
LONGEST_MESSAGE = 200  # characters
OUT = re.compile(r"no longer be active|^\s*(?:timeout|invalid input)\b", re.IGNORECASE)


class ComparedCount(msgspec.Struct):
    """How much of a record was held against the rules."""

    frames: int = 0
    inputs: int = 0  # echoed
    inputs_in_other_order: int = 0  # of items only
    summary_lines: int = 0
    has_first_board: bool = False
    has_scores: bool = False
    has_ranks: bool = False


@dataclass
class Rebuilt:
    """What came of it: the game as the rules play it, if it came to its end, and the first difference, if any."""

    compared: ComparedCount
    names: Names
    turns: list[Turn] = field(default_factory=list)
    game: Game | None = None  # at its end, or where a copied text ends
    difference: RecordDifference | None = None

    @property
    def is_equal(self) -> bool:
        return self.difference is None


def rebuild(record: ArenaRecord, start: Game) -> Rebuilt:
    """Play the outputs of a record from a start."""
    rebuilder = Rebuilder(record, start.copy())
    rebuilt = rebuilder.rebuilt
    try:
        rebuilder.play()
        rebuilt.game = rebuilder.game
        rebuilder.compare_end()
    except Mismatch as mismatch:
        rebuilt.difference = rebuilt.difference or mismatch.difference
    return rebuilt


class Rebuilder:
    """The game on its way through the frames."""

    def __init__(self, record: ArenaRecord, game: Game) -> None:
        self.record = record
        self.game = game
        self.start_turn = game.turn
        self.rebuilt = Rebuilt(ComparedCount(), Names())
        self.at = 0  # the next frame
        self.failed: dict[int, Frame] = {}  # by seat
        self.rounds: list[ReplayedRound] = []  # not told by a summary yet
        self.summaries = {summary.last: summary.text for summary in record.summaries}

    def play(self) -> None:
        self.compare_first_board()
        while not (self.game.is_over or self.is_cut_off):
            before = self.game.copy()
            try:
                self.play_turn()
            except Mismatch:
                if not self.is_torn:
                    raise
                self.game = before
                del self.rebuilt.turns[before.turn - self.start_turn :]
                return
        if self.game.is_over and self.at < len(self.record.frames) - self.record.padding:
            frame = self.record.frames[self.at]
            more = "goes on with " + ("an answer" if frame.seat is None else f"player {frame.seat}'s answer")
            ended = f"end the game after turn {self.game.turn - 1} ({self.game.reason})"
            raise Mismatch(RecordDifference(more, ended, frame.number, self.game.turn))

    @property
    def is_cut_off(self) -> bool:
        """Whether a text that somebody copied ends before the game does; what of it was compared must be right."""
        compared = self.rebuilt.compared
        has_more = self.at + len(self.game.living) <= len(self.record.frames)
        return self.record.is_copied and not has_more and bool(compared.inputs or compared.summary_lines)

    @property
    def is_torn(self) -> bool:
        """Whether a copied text ends within the round that was just played, which it then need not tell whole."""
        return self.is_cut_off and self.at == len(self.record.frames) and not self.game.is_over

    def play_turn(self) -> None:
        before = self.game.copy()
        moves: list[Move | None] = [None] * before.seats
        for seat in before.living:
            frame = self.next_frame(seat)
            self.compare_echoes(frame)
            moves[seat] = read_move(frame, before, seat)
            if moves[seat].failure:  # type: ignore[union-attr]
                self.failed[seat] = frame
        self.rebuilt.turns.append(Turn(digest(before), moves))
        play_moves(self.game, moves)
        self.rounds.append(round_of(before, moves, self.game))
        self.compare_summaries()

    def next_frame(self, seat: int) -> Frame:
        """The next frame, which must be this player's answer."""
        turn, frames = self.game.turn, self.record.frames
        expected = f"expect player {seat}'s answer"
        if self.at == len(frames):
            last = frames[-1].number if frames else 0
            raise Mismatch(RecordDifference("has no frame after this one", expected, last, turn))
        frame = frames[self.at]
        number = frames[self.at - 1].number + 1 if self.at else self.record.first_frame
        if frame.seat is None and frame.number != number:
            raise Mismatch(RecordDifference(f"goes on with frame {frame.number}", expected, number, turn))
        if frame.seat not in (None, seat):
            raise Mismatch(self.wrong_player(frame, expected))
        self.at += 1
        self.rebuilt.compared.frames += 1
        return frame

    def wrong_player(self, frame: Frame, expected: str) -> RecordDifference:
        failed = self.failed.get(frame.seat) if frame.seat is not None else None
        if failed is not None:
            answer = (failed.stdout or "").strip()[:40]
            why = f"the answer {answer!r}" if answer else "no answer"
            expected = f"eliminated that player for {why} in frame {failed.number} and {expected}"
        return RecordDifference(f"has player {frame.seat}'s answer", expected, frame.number, self.game.turn)

    # Comparing

    def compare_first_board(self) -> None:
        if not self.record.board:
            return
        self.rebuilt.compared.has_first_board = True
        here, there = boxes_on(self.game.state, self.game.map), self.record.board
        for cell in sorted(here.keys() | there.keys()):
            one, other = there.get(cell), here.get(cell)
            if one != other:
                sides = ["no box" if side is None else f"a box with content {side}" for side in (one, other)]
                raise Mismatch(RecordDifference(f"has {sides[0]}", f"have {sides[1]}", 0, self.game.turn, cell))

    def compare_echoes(self, frame: Frame) -> None:
        """One of the boards in a player's stderr must be the input; a bare board may be something else later on."""
        found = echoes_in(frame.stderr)
        results = [(each, compare_echo(each, self.game, frame.number)) for each in found]
        equal = [result for _, result in results if isinstance(result, str)]
        compared = self.rebuilt.compared
        if equal:
            compared.inputs += 1
            compared.inputs_in_other_order += OTHER_ORDER in equal and len(set(equal)) == 1
            compared.has_first_board |= self.game.turn == 0
        for each, result in results:
            if not equal and isinstance(result, RecordDifference) and (is_whole(each) or not self.rebuilt.turns):
                raise Mismatch(result)

    def compare_summaries(self) -> None:
        """The summary of the frame that ended the round; where one stands for a group of frames, when that ends."""
        last = self.at - 1
        compared, is_whole_told = self.rebuilt.compared, self.record.has_round_summaries
        frame = self.record.frames[last].number
        if not self.record.summaries:
            return
        if is_whole_told:
            self.refuse_early_summary(last)
            text = self.summaries.pop(last, "")
            compared.summary_lines += compare_summary(text, self.rounds, self.rebuilt.names, frame, True)
            self.rounds = []
            return
        for group in [group for group in self.summaries if group <= last]:
            text = self.summaries.pop(group)
            is_round = len(self.rounds) == 1 and group == last
            compared.summary_lines += compare_summary(text, self.rounds, self.rebuilt.names, frame, is_round)
            self.rounds = self.rounds[-1:] if group < last else []

    def refuse_early_summary(self, last: int) -> None:
        """Report a round on its last frame."""
        early = next((at for at in self.summaries if at < last), None)
        if early is not None:
            expected = f"expect it on frame {self.record.frames[last].number}"
            number = self.record.frames[early].number
            raise Mismatch(RecordDifference("has the summary of a round", expected, number, self.rounds[-1].turn))

    def compare_end(self) -> None:
        """Scores and ranks, which only the record of a finished game has."""
        record, game, compared = self.record, self.game, self.rebuilt.compared
        ranks = [rank - 1 for rank in game.ranks()]
        sides_of: list[tuple[str, Sequence[float], Sequence[float]]] = [
            ("scores", record.scores, game.values()),
            ("ranks", record.ranks, ranks),
            ("ranks", sorted(rank - 1 for _, rank in record.places), sorted(ranks)),
        ]
        for name, there, here in sides_of:
            if there and [*there] != here:
                seat = next((at for at, pair in enumerate(zip(there, here, strict=False)) if pair[0] != pair[1]), 0)
                sides = [f"{name} {', '.join(map(format_number, values))}" for values in (there, here)]
                frame = record.frames[-1].number
                raise Mismatch(RecordDifference(f"has {sides[0]}", f"{sides[1]} (player {seat})", frame, game.turn - 1))
        compared.has_scores, compared.has_ranks = bool(record.scores), bool(record.ranks or record.places)


def format_number(value: float) -> str:
    """In full, so that numbers which differ are written differently."""
    return str(int(value)) if value == int(value) else repr(value)


def round_of(before: Game, moves: Sequence[Move | None], after: Game) -> ReplayedRound:
    dying = [seat for seat in before.living if seat not in after.living]
    dead = [seat for seat in range(before.seats) if seat not in before.living]
    return ReplayedRound(before.turn, expected_summary(before, moves, after.living), dying, dead)


# Answers


def read_move(frame: Frame, game: Game, seat: int) -> Move:
    """What a player did, or why they were lost, as the arena recorded it."""
    line = (frame.stdout or "").lstrip("\r\n").split("\n", 1)[0].rstrip("\r")
    move = Move(line=line, stderr=frame.stderr)
    said = plain(frame.information)
    if not line.strip():
        cause = "crash" if frame.error else "timeout"
        move.failure = Failure(cause, said or plain(frame.error) or "no answer was recorded")
        return move
    try:
        order = parse_order(line)
    except NotationError as error:
        move.failure = Failure("invalid", said or str(error))
        return move
    if is_put_out(frame, seat):
        move.failure = Failure("timeout" if "timeout" in said.lower() else "invalid", said)
        return move
    move.action, move.message = resolve(game.state, seat, order), order.message[:LONGEST_MESSAGE]
    return move


def is_put_out(frame: Frame, seat: int) -> bool:
    """Whether the arena says that the player of this frame is out, though the answer reads well."""
    if frame.seat is None or not OUT.search(plain(frame.information)):
        return False
    named = SEAT.search(frame.information)
    return named is None or int(named[1]) == seat


# The replay


def replay_of(rebuilt: Rebuilt, start: Start, seed: int | None, players: list[PlayerInfo], version: str) -> Replay:
    """The game as an ordinary replay."""
    assert rebuilt.game is not None
    return Replay(FORMAT, VERSION, version, seed, start, players, LIMITS, rebuilt.turns, result_of(rebuilt.game))
