"""What a player did too often: moves there and back, bombs that hit nothing, turns near the end of their time."""

from typing import NamedTuple

from engine.around.events import BoxDestroyed, Death, Drop, ItemPicked
from engine.explosions import Explosion
from engine.position import player_of
from engine.state import FUSE
from replays.playback import Playback

NEAR_THE_END = 0.9  # of the clock


class Habits(NamedTuple):
    """Each a list of turns."""

    wasted: list[int]  # back on the cell of two turns before, without a bomb or an item in between
    idle_bombs: list[int]  # dropped, and hit neither a box nor a player
    slow: list[int]  # took more than nine tenths of the time


def habits_of(playback: Playback, seat: int) -> Habits:
    return Habits(wasted_moves(playback, seat), idle_bombs(playback, seat), slow_turns(playback, seat))


def wasted_moves(playback: Playback, seat: int) -> list[int]:
    found = []
    for turn in range(playback.first_turn, playback.end_turn - 2):
        players = [player_of(playback.game_at(each).state, seat) for each in (turn, turn + 1, turn + 2)]
        cells = [player.cell if player else None for player in players]
        if None in cells or cells[0] != cells[2] or cells[0] == cells[1]:
            continue
        events = [*playback.events_at(turn), *playback.events_at(turn + 1)]
        if not any(isinstance(event, Drop | ItemPicked) and event.player == seat for event in events):
            found.append(turn)
    return found


def idle_bombs(playback: Playback, seat: int) -> list[int]:
    """The turns on which bombs were dropped that hit nothing; those that never exploded are left out."""
    found = []
    for turn in range(playback.first_turn, playback.end_turn):
        events = playback.events_at(turn)
        hit = {(event.x, event.y) for event in events if isinstance(event, BoxDestroyed | Death)}
        timers = {(bomb.owner, bomb.cell): bomb.timer for bomb in playback.game_at(turn).bombs}
        for event in events:
            if isinstance(event, Explosion) and event.owner == seat and not hit.intersection(event.cells):
                found.append(turn - 1 - FUSE + timers[seat, (event.x, event.y)])
    return [turn for turn in found if turn >= playback.first_turn]


def slow_turns(playback: Playback, seat: int) -> list[int]:
    limits = playback.replay.limits
    found = []
    for turn in range(playback.first_turn, playback.end_turn):
        limit = limits.first_turn_ms if turn == playback.first_turn else limits.turn_ms
        move = playback.moves_at(turn)[seat]
        if move is not None and move.time_ms is not None and limit is not None and move.time_ms > NEAR_THE_END * limit:
            found.append(turn)
    return found
