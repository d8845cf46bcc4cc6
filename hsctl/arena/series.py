"""Many games of the same players: which seed is played from which seat, and how one of them is played.

Game i has seed S + i // k and is rotated by i % k, with k players: each seed is played from every seat.

    k = 3    game 0  seed S    A B C           player j sits in seat (j + rotation) % k
             game 1  seed S    C A B
             game 2  seed S    B C A
             game 3  seed S+1  A B C
"""

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from engine.game import Game
from engine.jit import compiling, is_compiled
from hsctl.arena.match import OnTurn, Played, play_game
from hsctl.arena.players import PlayerText
from hsctl.arena.seats import Seat, make_seat
from replays.events import Death
from replays.playback import game_from
from replays.replay import Limits, Start, write
from replays.store import new_name

SEATS_KEPT = 16  # agents that stay warm in a process
CORE = "the game"  # what the compile cache calls the kernels that every game needs


@dataclass(frozen=True)
class Match:
    """What all games of a series share."""

    players: tuple[PlayerText, ...]
    limits: Limits
    start: Start | None = None  # None: the board of the seed
    folder: Path | None = None  # for the replays; None: they aren't kept
    memory_mb: int | None = None


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


def tasks_of(match: Match, seed: int, games: int) -> list[GameTask]:
    count = len(match.players)
    return [GameTask(match, number, seed + number // count, number % count) for number in range(games)]


@lru_cache(SEATS_KEPT)
def warm_seat(number: int, player: PlayerText, memory_mb: int | None) -> Seat:
    """A player ready for his first clock. Players of a match never share an agent, hence the number."""
    seat = make_seat(player, memory_mb)
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
                warm_seat(number, player, match.memory_mb)


def play_task(task: GameTask, on_turn: OnTurn | None = None) -> GameResult:
    """Play one game of a series and save its replay."""
    match = task.match
    players = [(number, match.players[number]) for number in task.seating]
    seats = [warm_seat(number, player, match.memory_mb) for number, player in players]
    game = Game.start(task.seed, len(seats)) if match.start is None else game_from(match.start)
    played = play_game(seats, game, match.limits, task.seed, on_turn)
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
    )
