"""Recorded games in short: who played, how it ended, and why a player lost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import get_args

from hsctl.arena.finished import CAUSES, ERROR, Fate, fate_of
from hsctl.bots.answer import Cause
from replays.opening import open_game
from replays.players import fitting_seats
from replays.replay import ReplayError
from replays.store import saved_at
from replays.text import counted
from replays.viewer.shelf import Short, read_short

BOXES = "boxes"  # lost alive, or longest alive, by fewer of them
DEAD = "dead"  # from the start: the record begins after the player's death
CAUSES_OF_LOSS = (*CAUSES, BOXES, DEAD, *get_args(Cause))


@dataclass(frozen=True)
class Filter:
    """Which games are wanted; a player is a name or a part of it, not a seat: seats change from game to game."""

    player: str | None = None
    is_lost: bool = False
    cause: str | None = None  # one of CAUSES_OF_LOSS


@dataclass(frozen=True)
class Listed:
    """A game of the list."""

    path: Path
    saved: datetime
    short: Short
    seats: list[int]  # of the players that it is listed for
    fates: dict[int, Fate]  # of all who died, by seat

    @property
    def losers(self) -> list[int]:
        return [seat for seat in self.seats if self.short.has_lost(seat)]

    def cause_of(self, seat: int) -> str:
        """Why a player lost, in a word; empty for who didn't."""
        if not self.short.has_lost(seat):
            return ""
        fate = self.fates.get(seat)
        if fate is None:
            return DEAD if self.short.is_dead_from_start(seat) else BOXES
        return fate.failure or fate.cause


def listed_seats(short: Short, player: str | None) -> list[int]:
    """Who is meant: the players of that name; without one the external bots, or everybody if there are none."""
    if player is not None:
        return [seat for seat in fitting_seats(player, short.names) if not player.isdecimal()]
    return [seat for seat, info in enumerate(short.players) if not info.is_agent] or list(range(len(short.players)))


def list_games(paths: Sequence[Path], wanted: Filter) -> Iterator[Listed | None]:
    """In the given order; None for files that hold no game, or none that is wanted."""
    for path in paths:
        yield list_game(path, wanted)


def list_game(path: Path, wanted: Filter) -> Listed | None:
    short = read_short(path)
    if short is None:
        return None
    seats = listed_seats(short, wanted.player)
    if not seats or ((wanted.is_lost or wanted.cause) and not any(map(short.has_lost, seats))):
        return None
    game = Listed(path, datetime.fromtimestamp(saved_at(path) / 1e9), short, seats, fates_of(path, short))
    return game if wanted.cause is None or is_cause(game, wanted.cause) else None


def describe_none(paths: Sequence[Path], wanted: Filter, where: str) -> str:
    """Why no game is listed."""
    games = [short for path in paths if (short := read_short(path))]
    if not games:
        return f"no game {where}" + (f" ({counted(len(paths), 'file')} looked at)" if paths else "")
    none = f"none of the games {where} ({len(games)})"
    if wanted.player is not None and not any(listed_seats(short, wanted.player) for short in games):
        return f"{none} has a player called {wanted.player!r}"
    by = "" if wanted.player is None else f" by {wanted.player!r}"
    return f"{none} was lost{by}" + ("" if wanted.cause is None else f" with the cause {wanted.cause}")


def is_cause(game: Listed, cause: str) -> bool:
    return any(
        cause == game.cause_of(seat) or (cause == ERROR and seat in game.fates and game.fates[seat].failure)
        for seat in game.losers
    )


def fates_of(path: Path, short: Short) -> dict[int, Fate]:
    """How players died; who must be played again to know is, and whose game doesn't play again has none."""
    if not any(died is not None for died in short.result.death_rounds):
        return {}
    try:
        playback, _ = open_game(path)
    except ReplayError:
        return {}
    return {seat: fate_of(turn, death) for seat, (turn, death) in playback.deaths().items()}
