"""What happened in a turn, in words and as JSON: failures to answer, then the events of the round."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from engine.events import (
    BoxDestroyed,
    Death,
    Drop,
    Event,
    ItemBurnt,
    ItemFreed,
    ItemPicked,
    round_events,
)
from engine.game import Explosion, Game
from engine.position import RANGE_ITEM, Player
from replays.replay import Move

# How JSON calls them
NAMES: dict[type, str] = {
    Drop: "drop",
    Explosion: "explosion",
    BoxDestroyed: "box",
    ItemBurnt: "burnt",
    ItemPicked: "picked",
    ItemFreed: "freed",
    Death: "death",
}


def events_of(game: Game, moves: Sequence[Move | None]) -> list[Event]:
    """All that happens when these moves answer this position: who fails is eliminated first. The game isn't changed."""
    failed = [failure_of(player, moves[player.id]) for player in game.players() if action_of(moves[player.id]) is None]
    return [*failed, *round_events(game, [action_of(move) for move in moves])]


def action_of(move: Move | None) -> int | None:
    return None if move is None else move.action


def failure_of(player: Player, move: Move | None) -> Death:
    failure = move.failure if move else None
    cause, detail = (failure.cause, failure.detail) if failure else ("failure", "")
    return Death(player.x, player.y, player.id, failure=cause, detail=detail)


def to_json(event: Event) -> dict[str, Any]:
    """An event as JSON has it: its name, then its fields but for those that say nothing."""
    told = {field.name: getattr(event, field.name) for field in fields(event)}
    said = {field.name for field in fields(event) if told[field.name] != field.default}
    return {"event": NAMES[type(event)], **{name: value for name, value in told.items() if name in said}}


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
    return f"{join((['their own'] if death.own_bomb else []) + others)} bomb"


def item_name(kind: int) -> str:
    return "range item" if kind == RANGE_ITEM else "bomb item"


def join(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
