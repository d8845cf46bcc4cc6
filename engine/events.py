"""The events of a round, one by one: explosions, deaths, drops, boxes and items.

    explosions    bombs that are due, and every bomb in their blasts, on the frozen board
    deaths        players in a blast
    drops         new bombs of the survivors
    boxes, items  burnt, picked up or freed

This repeats the rules, slowly and by name; the tests compare it with the engine's `step`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.game import Explosion, Game, explosions_of
from engine.position import Cell, Player, boxes_on, target_of
from engine.rules import BOMB


@dataclass(frozen=True, slots=True)
class Drop:
    """A player dropped a bomb."""

    x: int
    y: int
    player: int
    range: int


@dataclass(frozen=True, slots=True)
class BoxDestroyed:
    """A box burnt; each owner of a blast that hit it scores."""

    x: int
    y: int
    owners: tuple[int, ...]
    content: int  # RANGE_ITEM, BOMB_ITEM or 0


@dataclass(frozen=True, slots=True)
class ItemBurnt:
    """A visible item is gone."""

    x: int
    y: int
    kind: int
    owners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ItemPicked:
    """A player walked onto an item; several may get the same."""

    x: int
    y: int
    player: int
    kind: int


@dataclass(frozen=True, slots=True)
class ItemFreed:
    """An item appeared in place of its box."""

    x: int
    y: int
    kind: int


@dataclass(frozen=True, slots=True)
class Death:
    """A player died: in the blasts of these owners, or eliminated for an error."""

    x: int
    y: int
    player: int
    owners: tuple[int, ...] = ()
    own_bomb: bool = False  # whether the player is one of the owners
    failure: str = ""
    detail: str = ""  # of the failure


Event = Explosion | Death | Drop | BoxDestroyed | ItemBurnt | ItemPicked | ItemFreed
Fire = dict[Cell, tuple[int, ...]]  # burning cells, with the owners of the blasts that cover them
Actors = list[tuple[Player, int]]  # players, each with their action


def round_events(game: Game, actions: Sequence[int | None]) -> list[Event]:
    """All events of the round, in the order of the rules. Players without an action (None) take no part in it.

    Leaves the game unchanged.
    """
    acting = [(player, action) for player in game.players() if (action := actions[player.id]) is not None]
    explosions = explosions_of(game.state, game.bombs)
    fire = fire_of(explosions)
    survivors = [(player, action) for player, action in acting if player.cell not in fire]
    return [
        *explosions,
        *(death_of(player, fire[player.cell]) for player, _ in acting if player.cell in fire),
        *drops_of(game, survivors),
        *burn(game, fire),
        *pick_up(game, survivors, fire),
        *free_items(game, fire),
    ]


def death_of(player: Player, owners: tuple[int, ...]) -> Death:
    return Death(player.x, player.y, player.id, owners, player.id in owners)


def fire_of(events: Iterable[Event]) -> Fire:
    """The burning cells of a round, each with the owners of its blasts, ascending."""
    owners: dict[Cell, set[int]] = {}
    for event in events:
        if isinstance(event, Explosion):
            for cell in event.cells:
                owners.setdefault(cell, set()).add(event.owner)
    return {cell: tuple(sorted(found)) for cell, found in owners.items()}


def drops_of(game: Game, survivors: Actors) -> list[Drop]:
    bombs = {bomb.cell for bomb in game.bombs}
    return [
        Drop(player.x, player.y, player.id, player.range)
        for player, action in survivors
        if action >= BOMB and player.bombs_left and player.cell not in bombs
    ]


def burn(game: Game, fire: Fire) -> list[Event]:
    """Boxes hit, row by row, and items hit."""
    boxes = boxes_on(game.state, game.map)
    return [
        *(BoxDestroyed(*cell, fire[cell], content) for cell, content in boxes.items() if cell in fire),
        *(ItemBurnt(*item.cell, item.kind, fire[item.cell]) for item in game.items if item.cell in fire),
    ]


def pick_up(game: Game, survivors: Actors, fire: Fire) -> list[ItemPicked]:
    kinds = {item.cell: item.kind for item in game.items if item.cell not in fire}
    entered = [(player, target_of(game.state, player, action)) for player, action in survivors]
    return [
        ItemPicked(*cell, player.id, kinds[cell]) for player, cell in entered if cell in kinds and cell != player.cell
    ]


def free_items(game: Game, fire: Fire) -> list[ItemFreed]:
    boxes = boxes_on(game.state, game.map)
    return [ItemFreed(*cell, content) for cell, content in boxes.items() if content and cell in fire]
