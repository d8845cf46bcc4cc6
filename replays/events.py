"""What happened in a turn, in plain words: computed from the position that was sent and what each player did.

    failures      players eliminated for an error act no more
    explosions    bombs that are due, and every bomb in their blasts, on the frozen board
    deaths        who stands in a blast
    drops         new bombs of the survivors
    boxes, items  what burns, what is picked up, what is freed

The rules again, slowly and by name; the tests hold it against the engine's own step.
"""

from collections.abc import Sequence

import msgspec

from engine.board import DELTAS
from engine.explosions import explosions_of
from engine.game import Game
from engine.notation import is_free
from engine.position import RANGE_ITEM, Cell, Player, boxes_on
from engine.rules import BOMB
from replays.replay import Move


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Something that happened at a cell."""

    x: int
    y: int


class Drop(Event, frozen=True, tag="drop"):
    """A player dropped a bomb."""

    player: int
    range: int


class Explosion(Event, frozen=True, tag="explosion"):
    """A bomb went off, by itself or lit by another bomb (given as [owner, x, y])."""

    owner: int
    range: int
    cells: tuple[Cell, ...]  # that burn, its own first
    lit_by: tuple[int, int, int] | None = None


class BoxDestroyed(Event, frozen=True, tag="box"):
    """A box burnt; each owner of a blast that hit it scores."""

    owners: tuple[int, ...]
    content: int  # RANGE_ITEM, BOMB_ITEM or 0


class ItemBurnt(Event, frozen=True, tag="burnt"):
    """An item that lay about is gone."""

    kind: int
    owners: tuple[int, ...]


class ItemPicked(Event, frozen=True, tag="picked"):
    """A player walked onto an item; several may get the same."""

    player: int
    kind: int


class ItemFreed(Event, frozen=True, tag="freed"):
    """An item appeared where a box stood."""

    kind: int


class Death(Event, frozen=True, tag="death"):
    """A player died: in the blasts of these owners, or by a failure of his own."""

    player: int
    owners: tuple[int, ...] = ()
    own_bomb: bool = False  # whether he is one of the owners
    failure: str = ""  # cause, as in the replay
    detail: str = ""


Fire = dict[Cell, tuple[int, ...]]  # burning cells, with the owners of the blasts that cover them


def events_of(game: Game, moves: Sequence[Move | None]) -> list[Event]:
    """All that happens when these moves answer this position, in the order of the rules. The game is not changed."""
    players = game.players()
    failed = {player.id: failure_of(player, moves[player.id]) for player in players if has_failed(moves[player.id])}
    explosions = explode(game)
    fire = fire_of(explosions)
    acting = [player for player in players if player.id not in failed]
    survivors = [player for player in acting if (player.x, player.y) not in fire]
    deaths = [death_of(player, fire[player.x, player.y]) for player in acting if (player.x, player.y) in fire]
    return [
        *failed.values(),
        *explosions,
        *deaths,
        *drops_of(game, survivors, moves),
        *burn(game, fire),
        *pick_up(game, survivors, moves, fire),
        *free_items(game, fire),
    ]


def has_failed(move: Move | None) -> bool:
    return move is None or move.action is None


def failure_of(player: Player, move: Move | None) -> Death:
    failure = move.failure if move else None
    cause, detail = (failure.cause, failure.detail) if failure else ("failure", "")
    return Death(player.x, player.y, player.id, failure=cause, detail=detail)


def death_of(player: Player, owners: tuple[int, ...]) -> Death:
    return Death(player.x, player.y, player.id, owners, player.id in owners)


def explode(game: Game) -> list[Explosion]:
    """Everything that goes off in this round, in the arena's order."""
    stops = {(bomb.x, bomb.y) for bomb in game.bombs} | set(boxes_on(game.state, game.map)) | set(game.item_order)
    return [
        Explosion(bomb.x, bomb.y, bomb.owner, bomb.range, cells, lit_by and (lit_by.owner, lit_by.x, lit_by.y))
        for bomb, cells, lit_by in explosions_of(game.bombs, stops)
    ]


def fire_of(events: Sequence[Event]) -> Fire:
    """The burning cells of a round, each with the owners of its blasts, ascending."""
    owners: dict[Cell, set[int]] = {}
    for event in events:
        if isinstance(event, Explosion):
            for cell in event.cells:
                owners.setdefault(cell, set()).add(event.owner)
    return {cell: tuple(sorted(found)) for cell, found in owners.items()}


def drops_of(game: Game, survivors: list[Player], moves: Sequence[Move | None]) -> list[Event]:
    bombs = {(bomb.x, bomb.y) for bomb in game.bombs}
    return [
        Drop(player.x, player.y, player.id, player.range)
        for player in survivors
        if action_of(moves, player) >= BOMB and player.bombs_left and (player.x, player.y) not in bombs
    ]


def burn(game: Game, fire: Fire) -> list[Event]:
    """Boxes and items hit, row by row."""
    boxes = boxes_on(game.state, game.map)
    return [
        *(BoxDestroyed(x, y, fire[x, y], boxes[x, y]) for x, y in boxes if (x, y) in fire),
        *(ItemBurnt(item.x, item.y, item.kind, fire[item.x, item.y]) for item in game.items if item[:2] in fire),
    ]


def pick_up(game: Game, survivors: list[Player], moves: Sequence[Move | None], fire: Fire) -> list[Event]:
    lying = {(item.x, item.y): item.kind for item in game.items if (item.x, item.y) not in fire}
    entered = [(player, target_of(game, player, action_of(moves, player))) for player in survivors]
    return [
        ItemPicked(*cell, player.id, lying[cell])
        for player, cell in entered
        if cell in lying and cell != (player.x, player.y)
    ]


def action_of(moves: Sequence[Move | None], player: Player) -> int:
    move = moves[player.id]
    return 0 if move is None or move.action is None else move.action


def target_of(game: Game, player: Player, action: int) -> Cell:
    """Where an action leads: the next cell, or the own one if that is blocked."""
    dx, dy = DELTAS[action % BOMB]
    x, y = player.x + dx, player.y + dy
    return (x, y) if is_free(game.state, x, y) else (player.x, player.y)


def free_items(game: Game, fire: Fire) -> list[Event]:
    boxes = boxes_on(game.state, game.map)
    return [ItemFreed(x, y, content) for (x, y), content in boxes.items() if content and (x, y) in fire]


# In words


def describe(event: Event, names: Sequence[str]) -> str:
    """One event as a sentence without its full stop; `names` by seat."""
    at = f"{event.x},{event.y}"
    match event:
        case Drop():
            return f"{names[event.player]} drops a bomb at {at}"
        case Explosion():
            lit = event.lit_by
            chain = f", lit by {names[lit[0]]}'s at {lit[1]},{lit[2]}" if lit else ""
            return f"{names[event.owner]}'s bomb at {at} explodes{chain}"
        case BoxDestroyed():
            verb = "destroys" if len(event.owners) == 1 else "destroy"
            freed = f" ({item_name(event.content)})" if event.content else ""
            return f"{join([names[owner] for owner in event.owners])} {verb} the box at {at}{freed}"
        case ItemBurnt():
            return f"{item_name(event.kind)} at {at} burns"
        case ItemPicked():
            return f"{names[event.player]} picks up a {item_name(event.kind)} at {at}"
        case ItemFreed():
            return f"{item_name(event.kind)} appears at {at}"
        case Death():
            verb = "is eliminated:" if event.failure else "dies by"
            return f"{names[event.player]} {verb} {describe_cause(event, names)}"
    raise TypeError(f"no words for {event!r}")


def describe_cause(death: Death, names: Sequence[str]) -> str:
    """Whose bombs it was, or which failure."""
    if death.failure:
        return death.failure + (f" ({death.detail})" if death.detail else "")
    others = [f"{names[owner]}'s" for owner in death.owners if owner != death.player]
    return f"{join((['his own'] if death.own_bomb else []) + others)} bomb"


def item_name(kind: int) -> str:
    return "range item" if kind == RANGE_ITEM else "bomb item"


def join(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
