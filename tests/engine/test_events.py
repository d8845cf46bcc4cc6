"""Events: told from the position and the actions alone, they make exactly the position the engine makes."""

from collections import Counter

import numpy as np
import pytest

from engine.events import (
    BoxDestroyed,
    Death,
    Drop,
    Event,
    Explosion,
    ItemBurnt,
    ItemFreed,
    ItemPicked,
    round_events,
)
from engine.game import Game
from engine.position import BOMB_ITEM, RANGE_ITEM, boxes_on
from engine.rules import action_of
from engine.spec.wild import make_position, new_random, random_actions
from engine.state import new_map, new_state
from tests.kernels import entries_in

globals().update(entries_in(globals()))


def of(events: list[Event], kind: type) -> list:
    return [event for event in events if isinstance(event, kind)]


def check_events(before: Game, events: list[Event], after: Game) -> None:
    check_boxes(before, events, after)
    check_items(before, events, after)
    check_bombs(before, events, after)
    check_players(before, events, after)


def check_boxes(before: Game, events: list[Event], after: Game) -> None:
    gone = {(event.x, event.y): event for event in of(events, BoxDestroyed)}
    boxes = boxes_on(before.state, before.map)
    assert all(boxes[cell] == event.content for cell, event in gone.items())
    left = {cell: content for cell, content in boxes.items() if cell not in gone}
    assert left == boxes_on(after.state, after.map)
    scored = [sum(seat in event.owners for event in gone.values()) for seat in range(before.seats)]
    assert scored == [now - then for now, then in zip(after.boxes, before.boxes, strict=True)]


def check_items(before: Game, events: list[Event], after: Game) -> None:
    items = {item.cell: item.kind for item in before.items}
    for event in [*of(events, ItemBurnt), *of(events, ItemPicked)]:
        assert items[event.x, event.y] == event.kind
    taken = {(event.x, event.y) for event in [*of(events, ItemBurnt), *of(events, ItemPicked)]}
    freed = {(event.x, event.y): event.kind for event in of(events, ItemFreed)}
    left = {cell: kind for cell, kind in items.items() if cell not in taken} | freed
    assert left == {item.cell: item.kind for item in after.items}


def check_bombs(before: Game, events: list[Event], after: Game) -> None:
    """Bombs of one owner, place and range count as the same."""
    spent = Counter((event.owner, event.x, event.y, event.range) for event in of(events, Explosion))
    new = Counter((event.player, event.x, event.y, event.range) for event in of(events, Drop))
    were = Counter((bomb.owner, *bomb.cell, bomb.range) for bomb in before.bombs)
    assert spent <= were
    assert were - spent + new == Counter((bomb.owner, *bomb.cell, bomb.range) for bomb in after.bombs)


def check_players(before: Game, events: list[Event], after: Game) -> None:
    dead = {event.player for event in of(events, Death)}
    now = {player.id: player for player in after.players()}
    assert set(before.living) - dead == set(now)
    for player in before.players():
        if player.id in now:
            kinds = [event.kind for event in of(events, ItemPicked) if event.player == player.id]
            returned = sum(event.owner == player.id for event in of(events, Explosion))
            dropped = sum(event.player == player.id for event in of(events, Drop))
            assert now[player.id].range == player.range + kinds.count(RANGE_ITEM)
            assert now[player.id].bombs_left == player.bombs_left + kinds.count(BOMB_ITEM) + returned - dropped


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_events_of_a_round_lead_from_a_wild_position_to_the_next(seats: int) -> None:
    random = new_random(seats)
    met: set[type] = set()
    for _ in range(60):
        map_, state = new_map(), new_state()
        make_position(state, map_, random, seats)
        game = Game(map_, state, seats)
        for _ in range(4):
            packed = np.uint64(random_actions(game.state, random, 50))
            actions = [int(action_of(packed, seat)) for seat in range(seats)]
            before, events = game.copy(), round_events(game, actions)
            game.step(actions)
            check_events(before, events, game)
            met |= {type(event) for event in events}
    assert met == {BoxDestroyed, Death, Drop, Explosion, ItemBurnt, ItemFreed, ItemPicked}


def test_who_has_no_action_takes_no_part() -> None:
    game = Game.start(1, 2)
    assert [type(event) for event in round_events(game, [5, 5])] == [Drop, Drop]
    assert [event.player for event in of(round_events(game, [None, 5]), Drop)] == [1]
