"""A game of the arena becomes a replay: from the start that fits, with what the rules say about its record.

A game is tried from every start that its record allows, and the first that fits is taken: the seed alone, the seed
with the count of boxes (which changes the items of some boards), or, without a seed, the first board as it was
recorded. A console's text doesn't say how many play: two to four are tried.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.errors import EngineError
from engine.game import Game
from engine.maps import CORNERS, START_BOMBS, START_RANGE, Options, parse_options
from engine.position import Cell, Player, boxes_on
from replays.arena.dress import parse_record
from replays.arena.echo import echoes_in
from replays.arena.mismatch import Difference
from replays.arena.rebuild import Compared, Rebuilt, rebuild, replay_of
from replays.arena.recorded import MOST_PLAYERS, ArenaError, Recorded
from replays.playback import start_of
from replays.replay import PlayerInfo, Replay

SEATS = range(2, MOST_PLAYERS + 1)


@dataclass
class Imported:
    """A game of the arena: as a replay if the rules play it to an end, with the first difference if there is one."""

    source: str
    names: list[str]
    options: Options | None  # of the board it was played on; None: as it was recorded
    turns: int  # played
    compared: Compared
    replay: Replay | None
    difference: Difference | None


def import_game(data: bytes, seed: int | None, version: str = "") -> Imported:
    """The game in the bytes of a file. `seed` is for those that don't tell it, `version` is what the replay names."""
    return rebuild_game(parse_record(data), seed, version)


# Which start


def rebuild_game(record: Recorded, seed: int | None, version: str) -> Imported:
    """Try every start; of those that don't fit, the one that comes furthest is told."""
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


def check_beginning(record: Recorded) -> None:
    """Refuse a copied text whose first counter is not that of the first answer: a game is played from its start."""
    if record.is_copied and record.frames and (first := record.frames[0].number) > record.first_frame:
        raise ArenaError(
            f"the beginning is missing: its first frame is {first}, expected {record.first_frame}; "
            "copy the text from the top of the console"
        )


def is_better(rebuilt: Rebuilt, than: Rebuilt) -> bool:
    return rebuilt.difference is None or rebuilt.compared.frames > than.compared.frames


def choose_options(record: Recorded, seed: int | None) -> Options | None:
    """The options of the record, or the seed that was given; None if there is neither."""
    if not record.options.strip():
        return None if seed is None else Options(seed)
    try:
        options = parse_options(record.options)
    except EngineError as error:
        raise ArenaError(str(error)) from None
    if seed not in (None, options.seed):
        raise ArenaError(f"seed {seed}: the record has seed={options.seed}, expected no other one")
    return options


def starts_of(record: Recorded, options: Options | None) -> Iterator[tuple[Options | None, Game]]:
    """Where the game may have begun, the likeliest first."""
    for seats in seat_counts(record):
        if options is not None:
            yield Options(options.seed), Game.start(options.seed, seats)
            if options.boxes is not None:
                yield options, Game.start(options.seed, seats, options.boxes)
        else:
            yield None, start_on(first_board(record), seats)


def seat_counts(record: Recorded) -> list[int]:
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


def first_board(record: Recorded) -> dict[Cell, int]:
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


def names_of(record: Recorded, rebuilt: Rebuilt, seats: int) -> list[str]:
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
