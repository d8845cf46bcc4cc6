"""What a player wasted: moves there and back, idle bombs, boxes and items that were near, slow turns.

Also what it did at all, with the silent faults of its answers (replays/faults.py).
"""

from collections import deque
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from engine.board import DELTAS
from engine.events import BoxDestroyed, Death, Drop, Event, ItemFreed, ItemPicked
from engine.game import Explosion, Game
from engine.position import Cell, is_free, player_of
from engine.state import FUSE
from hsctl.analysis.review.document import Habits
from replays.faults import PLAYED_DIFFERENTLY, count_faults
from replays.playback import Playback
from replays.replay import FaultCount

NEAR_THE_END = 0.9  # of the clock
FAR = 1000  # steps: not to be reached


class Deeds(NamedTuple):
    """What a player did at all."""

    moves: int  # turns on which it changed its cell
    bombs: int  # that it dropped
    faults: dict[str, FaultCount]  # silent ones of its answers, by name


def habits_of(playback: Playback, seat: int) -> Habits:
    events = {turn: playback.events_at(turn) for turn in range(playback.first_turn, playback.end_turn)}
    return Habits(
        wasted_moves(playback, seat, events),
        idle_bombs(playback, seat, events),
        lost_boxes(playback, seat, events),
        items_left(playback, seat, events),
        slow_turns(playback, seat),
    )


Events = dict[int, list[Event]]  # by turn


def wasted_moves(playback: Playback, seat: int, events: Events) -> list[int]:
    players = [player_of(playback.game_at(turn).state, seat) for turn in (*events, playback.end_turn)]
    cells = [player.cell if player else None for player in players]
    used = {
        turn
        for turn, happened in events.items()
        if any(isinstance(event, Drop | ItemPicked) and event.player == seat for event in happened)
    }
    return [
        turn
        for turn, one, two, three in zip(events, cells, cells[1:], cells[2:], strict=False)
        if three is not None and one == three and one != two and not used & {turn, turn + 1}
    ]


def idle_bombs(playback: Playback, seat: int, events: Events) -> list[int]:
    """The turns on which bombs were dropped that hit nothing; those that never exploded are left out."""
    found = []
    for turn, happened in events.items():
        own = [event for event in happened if isinstance(event, Explosion) and event.owner == seat]
        if not own:
            continue
        hit = {(event.x, event.y) for event in happened if isinstance(event, BoxDestroyed | Death)}
        timers = {(bomb.owner, bomb.cell): bomb.timer for bomb in playback.game_at(turn).bombs}
        found += [
            turn - 1 - FUSE + timers[seat, (event.x, event.y)] for event in own if not hit.intersection(event.cells)
        ]
    return sorted(turn for turn in found if turn >= playback.first_turn)


def lost_boxes(playback: Playback, seat: int, events: Events) -> list[int]:
    found = []
    for turn, happened in events.items():
        taken = [event for event in happened if isinstance(event, BoxDestroyed) and seat not in event.owners]
        if not taken:
            continue
        game = playback.game_at(max(playback.first_turn, turn - 2 * FUSE))
        steps = {at: steps_from(game, at) for at in {seat, *(at for event in taken for at in event.owners)}}
        found += [
            turn
            for event in taken
            if near(steps[seat], (event.x, event.y)) < min(near(steps[at], (event.x, event.y)) for at in event.owners)
        ]
    return found


def items_left(playback: Playback, seat: int, events: Events) -> list[int]:
    found = []
    for turn, happened in events.items():
        freed = [(event.x, event.y) for event in happened if isinstance(event, ItemFreed)]
        game = playback.game_at(turn + 1)
        if not freed or seat not in game.living:
            continue
        steps = {at: steps_from(game, at) for at in game.living}
        for cell in freed:
            nearest = min((steps[at].get(cell, FAR) for at in game.living if at != seat), default=FAR)
            if steps[seat].get(cell, FAR) < nearest and not is_taken(events, turn, cell, seat):
                found.append(turn)
    return found


def is_taken(events: Events, since: int, cell: Cell, seat: int) -> bool:
    """Whether the player takes the item that comes free then; no other can come free on its cell."""
    later: Iterable[Event] = (event for turn, happened in events.items() if turn > since for event in happened)
    return any(isinstance(e, ItemPicked) and e.player == seat and (e.x, e.y) == cell for e in later)


def steps_from(game: Game, seat: int) -> dict[Cell, int]:
    """The cells that a player can walk to as things stand, with the steps it takes; none for the dead."""
    me = player_of(game.state, seat)
    if me is None:
        return {}
    steps, queue = {me.cell: 0}, deque([me.cell])
    while queue:
        x, y = queue.popleft()
        for dx, dy in DELTAS[1:]:
            to = (x + dx, y + dy)
            if to not in steps and is_free(game.state, *to):
                steps[to] = steps[x, y] + 1
                queue.append(to)
    return steps


def near(steps: dict[Cell, int], box: Cell) -> int:
    """The steps to a cell next to a box."""
    return min(steps.get((box[0] + dx, box[1] + dy), FAR) for dx, dy in DELTAS[1:])


def slow_turns(playback: Playback, seat: int) -> list[int]:
    limits = playback.replay.limits
    found = []
    for turn in range(playback.first_turn, playback.end_turn):
        limit = limits.first_turn_ms if turn == playback.first_turn else limits.turn_ms
        move = playback.moves_at(turn)[seat]
        if move is not None and move.time_ms is not None and limit is not None and move.time_ms > NEAR_THE_END * limit:
            found.append(turn)
    return found


def deeds_of(playback: Playback, seat: int) -> Deeds:
    turns = range(playback.first_turn, playback.end_turn)
    cells = [player.cell if (player := player_of(playback.game_at(turn).state, seat)) else None for turn in turns]
    drops = [e for turn in turns for e in playback.events_at(turn) if isinstance(e, Drop) and e.player == seat]
    moves = sum(one != two for one, two in pairwise(cells) if two is not None)
    return Deeds(moves, len(drops), silent_faults(playback, seat))


def silent_faults(playback: Playback, seat: int) -> dict[str, FaultCount]:
    """The faults of a player's answers by name, the worst first."""
    found: dict[str, FaultCount] = {}
    for turn in range(playback.first_turn, playback.end_turn):
        count_faults(found, playback.game_at(turn), seat, playback.moves_at(turn)[seat])
    order = [*PLAYED_DIFFERENTLY, *found]
    return {name: found[name] for name in sorted(found, key=order.index)}
