"""A game of the arena becomes a replay: from the start that fits, with what the rules say about its record.

A game is tried from every start that its record allows, and the first that fits is taken: the seed alone, the seed
with the count of boxes (which changes the items of some boards), or, without a seed, the first board as it was
recorded. A console's text doesn't say how many play: two to four are tried.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from engine.errors import EngineError
from engine.game import Game
from engine.maps import CORNERS, START_BOMBS, START_RANGE, Options, parse_options
from engine.notation import digest
from engine.position import Cell, Player, boxes_on
from replays.arena.formats import MOST_PLAYERS, ArenaError, ArenaRecord, parse_record
from replays.arena.rebuild import LIMITS, ComparedCount, Rebuilt, RecordDifference, echoes_in, rebuild, replay_of
from replays.files import read_source
from replays.inputs import Inputs
from replays.playback import Playback, game_from, play_moves, result_of, start_of
from replays.replay import FORMAT, VERSION, PlayerInfo, Replay, ReplayError, Turn, write
from replays.store import fixed_name, remember

SEATS = range(2, MOST_PLAYERS + 1)


@dataclass
class Imported:
    """A game of the arena: as a replay if the rules play it to an end, with the first difference if there is one."""

    source: str
    names: list[str]
    options: Options | None  # of the board it was played on; None: as it was recorded
    turns: int  # played
    compared: ComparedCount
    replay: Replay | None
    difference: RecordDifference | None


def import_game(data: bytes, seed: int | None, version: str = "") -> Imported:
    """The game in the bytes of a file. `seed` is for those that don't tell it, `version` is what the replay names."""
    return rebuild_game(parse_record(data), seed, version)


# Which start


def rebuild_game(record: ArenaRecord, seed: int | None, version: str) -> Imported:
    """Try every start; if none fits, report the one that comes furthest."""
    check_beginning(record)
    best: tuple[Rebuilt, Options | None, Game] | None = None
    for options, start in starts_of(record, choose_options(record, seed)):
        rebuilt = rebuild(record, start)
        if best is None or is_better(rebuilt, best[0]):
            best = rebuilt, options, start
        if rebuilt.difference is None:
            break
    assert best is not None
    rebuilt, options, start = best
    names = names_of(record, rebuilt, start.seats)
    replay = None
    if rebuilt.game is not None:
        players = [PlayerInfo(name, False, is_own=seat in record.own) for seat, name in enumerate(names)]
        replay = replay_of(rebuilt, start_of(start), options.seed if options else None, players, version)
    source, turns = record.source, len(rebuilt.turns)
    return Imported(source, names, options, turns, rebuilt.compared, replay, rebuilt.difference)


def check_beginning(record: ArenaRecord) -> None:
    """Refuse a copied text whose first counter is not that of the first answer: a game is played from its start."""
    if record.is_copied and record.frames and (first := record.frames[0].number) > record.first_frame:
        raise ArenaError(
            f"the beginning is missing: its first frame is {first} instead of {record.first_frame}; "
            "copy the text from the top of the console"
        )


def is_better(rebuilt: Rebuilt, than: Rebuilt) -> bool:
    return rebuilt.difference is None or rebuilt.compared.frames > than.compared.frames


def choose_options(record: ArenaRecord, seed: int | None) -> Options | None:
    """The options of the record, or the seed that was given; None if there is neither."""
    if not record.options.strip():
        return None if seed is None else Options(seed)
    try:
        options = parse_options(record.options)
    except EngineError as error:
        raise ArenaError(str(error)) from None
    if seed not in (None, options.seed):
        raise ArenaError(f"seed {seed}: the record has seed={options.seed}; drop --seed")
    return options


def starts_of(record: ArenaRecord, options: Options | None) -> Iterator[tuple[Options | None, Game]]:
    """Where the game may have begun, the likeliest first."""
    for seats in seat_counts(record):
        if options is not None:
            yield Options(options.seed), Game.start(options.seed, seats)
            if options.boxes is not None:
                yield options, Game.start(options.seed, seats, options.boxes)
        else:
            yield None, start_on(first_board(record), seats)


def seat_counts(record: ArenaRecord) -> list[int]:
    """How many may play: as the record says, or as many as the first summary ends a round after, or any."""
    if record.seats is not None:
        if record.seats not in SEATS:
            raise ArenaError(f"{record.seats} players: a game of Hypersonic has 2 to {MOST_PLAYERS}")
        return [record.seats]
    seats = [frame.seat for frame in record.frames if frame.seat is not None]
    if seats:
        return [max(2, max(seats) + 1)]
    echoed = [len(found.game.living) for frame in record.frames[:MOST_PLAYERS] for found in echoes_in(frame.stderr)]
    likely = [*echoed[:1], *(summary.last + 1 for summary in record.summaries[:1])]
    return list(dict.fromkeys(count for count in (*likely, *SEATS) if count in SEATS))


def first_board(record: ArenaRecord) -> dict[Cell, int]:
    """The boxes of the first turn, as the arena drew them or a player's program echoed them."""
    if record.board:
        return record.board
    for frame in record.frames[:MOST_PLAYERS]:
        for found in echoes_in(frame.stderr):
            return boxes_on(found.game.state, found.game.map)
    raise ArenaError(
        "no seed and no echoed first input: expected --seed N (the console's page has it in its options, seed=N)"
    )


def start_on(boxes: dict[Cell, int], seats: int) -> Game:
    players = [Player(seat, *CORNERS[seat], START_BOMBS, START_RANGE, 0) for seat in range(seats)]
    return Game.build(boxes, players, seats=seats)


# Who is who


def names_of(record: ArenaRecord, rebuilt: Rebuilt, seats: int) -> list[str]:
    """The players' names by seat: as the record lists them, or by their ranks, or as its summaries call them."""
    if record.names:
        return record.names
    if record.places and rebuilt.game is not None:
        ranks = rebuilt.game.ranks()
        if [rank for _, rank in record.places] == ranks:
            return [name for name, _ in record.places]
        left = list(record.places)
        names = []
        for seat, rank in enumerate(ranks):
            found = next((place for place in left if place[1] == rank), None)
            names.append(found[0] if found else f"player {seat}")
            left = [place for place in left if place is not found]
        return names
    learnt = rebuilt.names.by_seat()
    return [learnt.get(seat, f"player {seat}") for seat in range(seats)]


# Files with games of the arena: imported one by one, and kept as replays.


EQUAL, MISMATCH, UNREADABLE = "equal", "MISMATCH", "not readable"


@dataclass
class ImportedFile:
    """A file and what came of it: a game, or the reason why there is none."""

    path: Path
    imported: Imported | None = None
    saved: Path | None = None
    error: str = ""

    @property
    def verdict(self) -> str:
        if self.imported is None:
            return UNREADABLE
        return EQUAL if self.imported.difference is None else MISMATCH


def import_file(path: Path, seed: int | None, folder: Path, version: str) -> ImportedFile:
    """Import a file and keep its game; raises ReplayError if it can't be read. Again, it has the same name."""
    data = read_source(path)
    try:
        imported = import_game(data, seed, version)
    except ArenaError as error:
        raise ReplayError(f"{path}: {error}") from None
    saved = None
    if imported.replay is not None:
        digest = hashlib.blake2b(data, digest_size=4).hexdigest()
        saved = folder / fixed_name(f"arena {' '.join(imported.names)}", digest)
        write(saved, imported.replay)
        remember(saved)
    return ImportedFile(path, imported, saved)


def import_folder(folder: Path, out: Path, version: str) -> Iterator[ImportedFile]:
    """Every file of a folder, in order of their names; files that can't be read are reported and skipped."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    for path in files:
        try:
            yield import_file(path, None, out, version)
        except ReplayError as error:
            yield ImportedFile(path, error=str(error))


# Inputs of one player as a game: the longest stretch of turns that follow from each other by the rules.
#
# Actions are inferred, and the game is unfinished where the log ends before it does.


class Inferred(Playback):
    """Such a game."""

    def __init__(self, replay: Replay, own_seat: int | None) -> None:
        super().__init__(replay)
        self._own_seat = own_seat

    @property
    def own_seat(self) -> int | None:
        return self._own_seat


def game_of(record: Inputs) -> Inferred:
    """The game, with the turns numbered as in the record; raises ReplayError if no input follows from another."""
    turns = longest_stretch(record)
    if len(turns) < 2:
        raise ReplayError("no input follows from the one before it; give the inputs of a game, turn by turn")
    first = record.game_at(turns[0])
    first.death_rounds = [None if seat in first.living else 0 for seat in range(first.seats)]
    start = start_of(first)
    game = game_from(start)
    played: list[Turn] = []
    for turn in turns[:-1]:
        if game.is_over:
            break
        moves = record.moves_at(turn)
        played.append(Turn(digest(game), moves))
        play_moves(game, moves)
    players = [PlayerInfo(spec, False) for spec in record.specs]
    replay = Replay(FORMAT, VERSION, "", None, start, players, LIMITS, played, result_of(game))
    return Inferred(replay, record.own_seat)


def longest_stretch(record: Inputs) -> range:
    """The turns between two breaks; of equally many the last."""
    breaks = [turn for turn in range(1, record.end_turn + 1) if record.notes_before(turn)]
    edges = [0, *breaks, record.end_turn + 1]
    stretches = [range(*pair) for pair in pairwise(edges)]
    return max(reversed(stretches), key=len)
