"""A game of the arena played again from its start and everybody's outputs, and compared with the record on the way.

The rules say whose answer comes next, and each frame must be that player's. What is compared: every echoed input and
every line of the summaries, then the number of rounds, scores and ranks. The first difference ends the comparison.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from engine.game import Game
from engine.notation import NotationError, digest, parse_order, resolve
from engine.position import boxes_on
from replays.arena.echo import OTHER_ORDER, compare_echo, echoes_in, is_whole
from replays.arena.mismatch import Difference, Mismatch
from replays.arena.recorded import Frame, Recorded, plain
from replays.arena.summaries import Names, Round, compare_summary, expected_summary
from replays.playback import play_moves, result_of
from replays.replay import FORMAT, VERSION, Failure, Limits, Move, PlayerInfo, Replay, Start, Turn

LIMITS = Limits(first_turn_ms=1000.0, turn_ms=100.0)  # the arena's clock
LONGEST_MESSAGE = 200  # characters
OUT = re.compile(r"no longer be active|^\s*(?:timeout|invalid input)\b", re.IGNORECASE)
SEAT = re.compile(r"\$([0-3])")


class Compared(msgspec.Struct):
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

    compared: Compared
    names: Names
    turns: list[Turn] = field(default_factory=list)
    game: Game | None = None  # at its end, or where a copied text ends
    difference: Difference | None = None

    @property
    def is_equal(self) -> bool:
        return self.difference is None


def rebuild(record: Recorded, start: Game) -> Rebuilt:
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

    def __init__(self, record: Recorded, game: Game) -> None:
        self.record = record
        self.game = game
        self.start_turn = game.turn
        self.rebuilt = Rebuilt(Compared(), Names())
        self.at = 0  # the next frame
        self.failed: dict[int, Frame] = {}  # by seat
        self.rounds: list[Round] = []  # not told by a summary yet
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
            raise Mismatch(Difference(more, ended, frame.number, self.game.turn))

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
            raise Mismatch(Difference("has no frame after this one", expected, last, turn))
        frame = frames[self.at]
        number = frames[self.at - 1].number + 1 if self.at else self.record.first_frame
        if frame.seat is None and frame.number != number:
            raise Mismatch(Difference(f"goes on with frame {frame.number}", expected, number, turn))
        if frame.seat not in (None, seat):
            raise Mismatch(self.wrong_player(frame, expected))
        self.at += 1
        self.rebuilt.compared.frames += 1
        return frame

    def wrong_player(self, frame: Frame, expected: str) -> Difference:
        failed = self.failed.get(frame.seat) if frame.seat is not None else None
        if failed is not None:
            answer = (failed.stdout or "").strip()[:40]
            why = f"the answer {answer!r}" if answer else "no answer"
            expected = f"eliminated that player for {why} in frame {failed.number} and {expected}"
        return Difference(f"has player {frame.seat}'s answer", expected, frame.number, self.game.turn)

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
                raise Mismatch(Difference(f"has {sides[0]}", f"have {sides[1]}", 0, self.game.turn, cell))

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
            if not equal and isinstance(result, Difference) and (is_whole(each) or not self.rebuilt.turns):
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
        """A round is told on its last frame."""
        early = next((at for at in self.summaries if at < last), None)
        if early is not None:
            expected = f"expect it on frame {self.record.frames[last].number}"
            number = self.record.frames[early].number
            raise Mismatch(Difference("has the summary of a round", expected, number, self.rounds[-1].turn))

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
                raise Mismatch(Difference(f"has {sides[0]}", f"{sides[1]} (player {seat})", frame, game.turn - 1))
        compared.has_scores, compared.has_ranks = bool(record.scores), bool(record.ranks or record.places)


def format_number(value: float) -> str:
    """In full, so that numbers which differ are written differently."""
    return str(int(value)) if value == int(value) else repr(value)


def round_of(before: Game, moves: Sequence[Move | None], after: Game) -> Round:
    dying = [seat for seat in before.living if seat not in after.living]
    dead = [seat for seat in range(before.seats) if seat not in before.living]
    return Round(before.turn, expected_summary(before, moves, after.living), dying, dead)


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
