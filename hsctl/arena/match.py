"""One game: players are asked turn by turn, the rules go on whatever they answer, all is kept as a Replay.

Everybody thinks alone, one after the other, and the garbage collector works only between turns.
"""

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.game import Game
from engine.notation import digest
from engine.state import FUSE
from hsctl import __version__
from hsctl.arena.seats import Seat
from replays.events import Death, events_of
from replays.playback import play_moves, result_of, start_of
from replays.replay import FORMAT, VERSION, Limits, Move, Replay, Turn

OnTurn = Callable[[Game, list[Move | None], Game], None]  # before, moves, after


@dataclass
class Tally:
    """What tables want to know of a game, by seat."""

    deaths: dict[int, tuple[int, Death]]  # seat -> turn, how
    bombs: list[int]  # dropped
    times_ms: list[list[float]]  # of every turn, also where the record has none


@dataclass
class Played:
    """A finished game."""

    replay: Replay
    tally: Tally


def play_game(seats: Sequence[Seat], game: Game, limits: Limits, seed: int, on_turn: OnTurn | None = None) -> Played:
    """Play a game to its end. `game` is changed; `seed` is that of all decisions."""
    start = start_of(game)
    tally = Tally({}, [0] * len(seats), [[] for _ in seats])
    turns: list[Turn] = []
    gc.disable()
    try:
        for at in game.living:
            seats[at].begin(game, at, seed, limits)
        while not game.is_over:
            before = game.copy()
            turns.append(play_turn(seats, game, limits, tally, is_first=not turns))
            follow(tally, before, turns[-1].moves, game)
            if on_turn is not None:
                on_turn(before, turns[-1].moves, game)
            gc.collect(1)
    finally:
        gc.enable()
        for seat in seats:
            seat.end()
    players = [seat.info for seat in seats]
    return Played(Replay(FORMAT, VERSION, __version__, seed, start, players, limits, turns, result_of(game)), tally)


def play_turn(seats: Sequence[Seat], game: Game, limits: Limits, tally: Tally, is_first: bool) -> Turn:
    """Ask everybody who lives, then play the round."""
    sent = digest(game)
    moves: list[Move | None] = [None] * len(seats)
    living = game.living
    for at in living:
        moves[at], ms = seats[at].act(game, limits, is_first)
        tally.times_ms[at].append(ms)
    play_moves(game, moves)
    for at in set(living) - set(game.living):
        seats[at].end()
    return Turn(sent, moves)


def follow(tally: Tally, before: Game, moves: Sequence[Move | None], after: Game) -> None:
    """Note bombs dropped and deaths of a turn."""
    for bomb in after.bombs:
        tally.bombs[bomb.owner] += bomb.timer == FUSE
    if before.living != after.living:
        for event in events_of(before, moves):
            if isinstance(event, Death):
                tally.deaths[event.player] = (before.turn, event)
