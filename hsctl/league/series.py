"""Many games of the same players: which seed is played from which seat, and how one of them is played.

Game i has seed S + i // k and is rotated by i % k, with k players: each seed is played from every seat.

    k = 3    game 0  seed S    A B C           player j sits in seat (j + rotation) % k
             game 1  seed S    C A B
             game 2  seed S    B C A
             game 3  seed S+1  A B C

Teams A+B and C+D swap seats among themselves and with each other: A B C D, C D A B, B A D C, D C B A.
"""

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from engine.game import Game
from engine.jit import check_sources, compiling, is_compiled
from engine.teams import MATES, in_teams
from hsctl.arena.match import OnTurn, Played, play_game
from hsctl.arena.players import PlayerText
from hsctl.arena.seats import Seat, make_seat
from replays.events import Death
from replays.playback import game_from
from replays.replay import Limits, Start, write
from replays.store import new_name

SEATS_KEPT = 16  # agents that stay warm in a process
TEAM_SEATINGS = ((0, 1, 2, 3), (2, 3, 0, 1), (1, 0, 3, 2), (3, 2, 1, 0))  # [rotation, seat]
CORE = "the game"  # what the compile cache calls the kernels that every game needs


@dataclass(frozen=True)
class Match:
    """What all games of a series share."""

    players: tuple[PlayerText, ...]
    limits: Limits
    start: Start | None = None  # None: the board of the seed
    folder: Path | None = None  # for the replays; None: they aren't kept
    memory_mb: int | None = None
    is_teamed: bool = False  # the first two players against the others


@dataclass(frozen=True)
class GameTask:
    """One game of a match."""

    match: Match
    number: int
    seed: int
    rotation: int

    @property
    def seating(self) -> tuple[int, ...]:
        """Which player sits in each seat."""
        if self.match.is_teamed:
            return TEAM_SEATINGS[self.rotation]
        count = len(self.match.players)
        return tuple((seat - self.rotation) % count for seat in range(count))


@dataclass(frozen=True)
class GameResult:
    """How a game went, in order of seats; `seating` tells who sat there."""

    number: int
    seed: int
    seating: tuple[int, ...]
    ranks: list[int]
    boxes: list[int]
    bombs: list[int]
    deaths: dict[int, tuple[int, Death]]  # seat -> turn, how
    times_ms: list[array]
    turns: int
    reason: str
    replay: Path | None
    is_teamed: bool = False

    @property
    def is_drawn(self) -> bool:
        """Whether more than one player, or team, came first."""
        return self.ranks.count(1) > (MATES if self.is_teamed else 1)


def tasks_of(match: Match, seed: int, games: int) -> list[GameTask]:
    count = len(match.players)
    return [GameTask(match, number, seed + number // count, number % count) for number in range(games)]


@lru_cache(SEATS_KEPT)
def warm_seat(copy: int, player: PlayerText, memory_mb: int | None) -> Seat:
    """A player ready for his first clock. Players of a match never share an agent: the same again is another copy."""
    seat = make_seat(player, memory_mb)
    if player.spec is not None:
        check_sources()
    seat.warm_up()
    return seat


def warm_up(match: Match, announce: Callable[[str], None], is_playing_here: bool) -> None:
    """Compile what is not compiled yet, saying so; load all of it if the games are played in this process."""
    if is_playing_here or not is_compiled(CORE):
        with compiling(CORE, announce):
            Game.start(0, 2).step([0, 0])
    for number, player in enumerate(match.players):
        if player.spec is not None and (is_playing_here or not is_compiled(player.spec.name)):
            with compiling(player.spec.name, announce):
                seat_of(match, number)


def seat_of(match: Match, number: int) -> Seat:
    player = match.players[number]
    return warm_seat(match.players[:number].count(player), player, match.memory_mb)


def warm_seats(match: Match) -> list[Seat]:
    """All players of a match, made if they aren't there yet."""
    return [seat_of(match, number) for number in range(len(match.players))]


def play(task: GameTask, on_turn: OnTurn | None = None) -> Played:
    """Play one game."""
    match = task.match
    players = warm_seats(match)
    seats = [players[number] for number in task.seating]
    game = Game.start(task.seed, len(seats)) if match.start is None else game_from(match.start)
    if match.is_teamed:
        game = in_teams(game)
    return play_game(seats, game, match.limits, task.seed, on_turn)


def play_task(task: GameTask, on_turn: OnTurn | None = None) -> GameResult:
    """Play one game of a series and save its replay."""
    played = play(task, on_turn)
    return result_of(task, played, save(task, played))


def save(task: GameTask, played: Played) -> Path | None:
    if task.match.folder is None:
        return None
    texts = [task.match.players[number].text for number in task.seating]
    path = task.match.folder / new_name(f"{' '.join(texts)} seed {task.seed}")
    write(path, played.replay)
    return path


def result_of(task: GameTask, played: Played, replay: Path | None) -> GameResult:
    result, tally = played.replay.result, played.tally
    return GameResult(
        task.number,
        task.seed,
        task.seating,
        result.ranks,
        result.boxes,
        tally.bombs,
        tally.deaths,
        [array("f", times) for times in tally.times_ms],
        len(played.replay.turns),
        result.reason,
        replay,
        task.match.is_teamed,
    )
