"""What stands on a board, as a list of things to draw from below to above.

A thing has a name that says all about it, so that a page holds every drawing once and the name can be read back:

    box-1   item-2   fire   death-0   player-3   bomb-0-4-8 (owner, fuse, range)   player-3-s2 (in slot 2 of a cell)
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.around.events import Death, Event, fire_of
from engine.position import Cell, bombs_on, boxes_on, items_on, living_players


class Thing(NamedTuple):
    kind: str  # fire, box, item, death, bomb, player
    number: int = 0  # content of a box, kind of an item, seat of all others
    fuse: int = 0
    range: int = 0
    slot: int | None = None  # a quarter of the cell, where several share one

    @property
    def name(self) -> str:
        if self.kind == "fire":
            return self.kind
        parts = [self.kind, str(self.number)]
        parts += [str(self.fuse), str(self.range)] if self.kind == "bomb" else []
        parts += [] if self.slot is None else [f"s{self.slot}"]
        return "-".join(parts)


class Placed(NamedTuple):
    thing: Thing
    x: int
    y: int


def things_on(state: np.record, map_: np.record, events: Sequence[Event] = ()) -> list[Placed]:
    """The things of a position; `events` led to it: their fire and deaths show."""
    ground = [Placed(Thing("fire"), x, y) for x, y in sorted(fire_of(events))]
    ground += [Placed(Thing("box", content), x, y) for (x, y), content in boxes_on(state, map_).items()]
    ground += [Placed(Thing("item", item.kind), item.x, item.y) for item in items_on(state, map_)]
    standing = [Placed(Thing("death", event.player), event.x, event.y) for event in events if isinstance(event, Death)]
    standing += [Placed(Thing("bomb", bomb.owner, bomb.timer, bomb.range), bomb.x, bomb.y) for bomb in bombs_on(state)]
    standing += [Placed(Thing("player", player.id), player.x, player.y) for player in living_players(state)]
    return ground + share_cells(standing)


def share_cells(placed: Sequence[Placed]) -> list[Placed]:
    """Give a quarter of the cell to each of those that share one."""
    crowd = Counter((x, y) for _, x, y in placed)
    taken: Counter[Cell] = Counter()
    shared = []
    for thing, x, y in placed:
        if crowd[x, y] > 1:
            thing = thing._replace(slot=taken[x, y] % 4)
            taken[x, y] += 1
        shared.append(Placed(thing, x, y))
    return shared
