"""Events: told from the position and the moves alone, they make exactly the position the engine makes."""

import pytest

from engine.game import Game
from engine.notation import parse_position
from engine.position import BOMB_ITEM, RANGE_ITEM, boxes_on
from replays.events import (
    BoxDestroyed,
    Death,
    Drop,
    Event,
    Explosion,
    ItemBurnt,
    ItemFreed,
    ItemPicked,
    describe,
    events_of,
)
from replays.playback import Playback
from replays.replay import Failure, Move
from tests.replays.recorded import record_game

NAMES = ["ann", "bob", "cid", "dee"]
OPEN_ROW, WALL_ROW = ".............", ".X.X.X.X.X.X."


def of(events: list[Event], kind: type) -> list:
    return [event for event in events if isinstance(event, kind)]


# Against the engine


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
    lying = {(item.x, item.y): item.kind for item in before.items}
    for event in [*of(events, ItemBurnt), *of(events, ItemPicked)]:
        assert lying[event.x, event.y] == event.kind
    taken = {(event.x, event.y) for event in [*of(events, ItemBurnt), *of(events, ItemPicked)]}
    freed = {(event.x, event.y): event.kind for event in of(events, ItemFreed)}
    left = {cell: kind for cell, kind in lying.items() if cell not in taken} | freed
    assert left == {(item.x, item.y): item.kind for item in after.items}


def check_bombs(before: Game, events: list[Event], after: Game) -> None:
    spent = [(event.owner, event.x, event.y, event.range) for event in of(events, Explosion)]
    new = [(event.player, event.x, event.y, 8, event.range) for event in of(events, Drop)]
    left = [
        (bomb.owner, bomb.x, bomb.y, bomb.timer - 1, bomb.range)
        for bomb in before.bombs
        if (bomb.owner, bomb.x, bomb.y, bomb.range) not in spent
    ]
    assert sorted(left + new) == sorted(tuple(bomb) for bomb in after.bombs)
    assert len(spent) == len(set(spent)) == len(before.bombs) - len(left)


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
@pytest.mark.parametrize(("failures", "care"), [(0.0, 1.0), (0.01, 0.97), (0.0, 0.5)])
def test_events_lead_from_each_position_to_the_next(seats: int, failures: float, care: float) -> None:
    for seed in range(3):
        playback = Playback(record_game(100 * seats + seed, seats, failures, care=care))
        for turn in range(playback.end_turn):
            check_events(playback.game_at(turn), playback.events_at(turn), playback.game_at(turn + 1))


# Drawn positions


def position(row: str, *entities: str) -> Game:
    """A board that is empty but for its first row."""
    rows = [row, *(WALL_ROW if y % 2 else OPEN_ROW for y in range(1, 11))]
    return parse_position("\n".join([*rows, str(len(entities)), *entities]))


def all_stay(game: Game) -> list[Move | None]:
    return [Move(0) if seat in game.living else None for seat in range(game.seats)]


def told(game: Game, moves: list[Move | None] | None = None) -> list[str]:
    return [describe(event, NAMES) for event in events_of(game, moves or all_stay(game))]


def test_a_chain_tells_which_bomb_lit_which() -> None:
    game = position(
        OPEN_ROW, "0 0 0 10 1 3", "0 1 12 10 1 3", "1 0 2 0 1 3", "1 1 4 0 5 3", "1 0 6 0 7 3", "1 1 9 0 2 3"
    )
    assert told(game) == [
        "ann's bomb at 2,0 explodes",
        "bob's bomb at 4,0 explodes, lit by ann's at 2,0",
        "ann's bomb at 6,0 explodes, lit by bob's at 4,0",
    ]


def test_bombs_of_one_cell_go_together() -> None:
    game = position(OPEN_ROW, "0 0 0 10 1 3", "0 1 12 10 1 3", "1 0 2 0 1 3", "1 1 2 0 4 3")
    assert told(game) == ["ann's bomb at 2,0 explodes", "bob's bomb at 2,0 explodes, lit by ann's at 2,0"]


def test_an_explosion_names_the_cells_it_burns() -> None:
    game = position("..0..........", "0 0 0 10 1 3", "0 1 12 10 1 3", "1 0 4 0 1 4", "2 0 4 2 1 1")
    (explosion,) = of(events_of(game, all_stay(game)), Explosion)
    assert explosion.cells == ((4, 0), (3, 0), (2, 0), (5, 0), (6, 0), (7, 0), (4, 1), (4, 2))


def test_a_box_between_two_bombs_scores_for_both_owners() -> None:
    game = position("...1.........", "0 0 0 10 1 3", "0 1 12 10 1 3", "1 0 1 0 1 3", "1 1 5 0 1 3")
    assert told(game)[2:] == ["ann and bob destroy the box at 3,0 (range item)", "range item appears at 3,0"]


def test_an_item_burns_before_anybody_can_take_it() -> None:
    game = position(OPEN_ROW, "0 0 6 0 1 3", "0 1 12 10 1 3", "1 1 3 0 1 3", "2 0 5 0 2 2")
    assert told(game, [Move(1), Move(0)]) == ["bob's bomb at 3,0 explodes", "bomb item at 5,0 burns"]


def test_two_who_come_together_both_get_the_item() -> None:
    game = position(OPEN_ROW, "0 0 4 0 1 3", "0 1 6 0 1 3", "2 0 5 0 2 2")
    assert told(game, [Move(2), Move(6)]) == [
        "bob drops a bomb at 6,0",
        "ann picks up a bomb item at 5,0",
        "bob picks up a bomb item at 5,0",
    ]


def test_a_player_dies_by_all_whose_blasts_meet_on_him() -> None:
    game = position(
        OPEN_ROW, "0 0 3 0 1 3", "0 1 12 10 1 3", "0 2 0 10 1 3", "1 0 2 0 1 3", "1 1 4 0 1 3", "1 2 5 0 1 3"
    )
    assert told(game)[-1] == "ann dies by his own and bob's bomb"
    (death,) = of(events_of(game, all_stay(game)), Death)
    assert (death.owners, death.own_bomb) == ((0, 1), True)  # cid's blast ends on bob's bomb


def test_who_dies_neither_drops_nor_picks_up() -> None:
    game = position(OPEN_ROW, "0 0 3 0 1 3", "0 1 12 10 1 3", "1 1 2 0 1 3", "2 0 3 2 1 1")
    assert told(game, [Move(9), Move(0)]) == ["bob's bomb at 2,0 explodes", "ann dies by bob's bomb"]


def test_who_fails_is_not_killed_again_and_does_nothing() -> None:
    game = position(OPEN_ROW, "0 0 3 0 1 3", "0 1 12 10 1 3", "1 1 2 0 1 3")
    failed = Move(failure=Failure("timeout", "no answer in 100 ms"))
    assert told(game, [failed, Move(0)]) == [
        "ann is eliminated: timeout (no answer in 100 ms)",
        "bob's bomb at 2,0 explodes",
    ]


def test_a_bomb_that_cannot_be_dropped_is_no_event() -> None:
    game = position(OPEN_ROW, "0 0 3 0 0 3", "0 1 12 10 1 3", "1 1 12 10 5 3")
    assert told(game, [Move(5), Move(5)]) == []


def test_a_move_that_is_blocked_picks_nothing_up() -> None:
    game = position("...0.........", "0 0 4 0 1 3", "0 1 12 10 1 3", "2 0 4 0 1 1")
    assert told(game, [Move(1), Move(0)]) == []
