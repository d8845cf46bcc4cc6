"""Rows of a recorded game; `game` is what the rows call it, usually its file."""

from collections.abc import Iterator
from typing import Any

from engine.position import player_of
from engine.rules import ACTION_NAMES
from replays.events import events_of, to_json
from replays.playback import Playback

Row = dict[str, Any]


def game_rows(playback: Playback, game: str = "") -> Iterator[Row]:
    """One per seat."""
    replay, end = playback.replay, playback.game_at(playback.end_turn)
    for seat, info in enumerate(replay.players):
        yield {
            "game": game,
            "seed": replay.seed,
            "seat": seat,
            "player": info.spec,
            "rank": replay.result.ranks[seat],
            "boxes": replay.result.boxes[seat],
            "death_turn": end.death_turns[seat],
            "turns": len(replay.turns),
            "reason": replay.result.reason,
            "players": len(replay.players),
            "nodes": replay.limits.nodes,
            "turn_ms": replay.limits.turn_ms,
            "clock": replay.limits.clock,
            "first_turn": playback.first_turn,
        }


def turn_rows(playback: Playback, game: str = "") -> Iterator[Row]:
    """One per turn and living player."""
    for turn in range(playback.first_turn, playback.end_turn):
        state = playback.game_at(turn).state
        for seat, move in enumerate(playback.moves_at(turn)):
            me = player_of(state, seat)
            if move is None or me is None:
                continue
            yield {
                "game": game,
                "turn": turn,
                "seat": seat,
                "x": me.x,
                "y": me.y,
                "bombs_left": me.bombs_left,
                "range": me.range,
                "boxes": me.boxes,
                "action": move.action,
                "name": None if move.action is None else ACTION_NAMES[move.action],
                "line": move.line or None,
                "message": move.message or None,
                "time_ms": move.time_ms,
                "failure": None if move.failure is None else f"{move.failure.cause}: {move.failure.detail}",
            }


def decision_rows(playback: Playback, game: str = "") -> Iterator[Row]:
    """One per decision that an agent told of."""
    for turn in range(playback.first_turn, playback.end_turn):
        for seat, move in enumerate(playback.moves_at(turn)):
            if move is None or move.thought is None:
                continue
            thought = move.thought
            yield {
                "game": game,
                "turn": turn,
                "seat": seat,
                "action": move.action,
                "value": thought.value,
                "nodes": thought.nodes,
                "depth": thought.depth,
                "plan": join(thought.plan),
                "time_ms": move.time_ms,
            }


def event_rows(playback: Playback, game: str = "") -> Iterator[Row]:
    """One per thing that happened."""
    for turn in range(playback.first_turn, playback.end_turn):
        for event in events_of(playback.game_at(turn), playback.moves_at(turn)):
            told = to_json(event)
            owners = told.pop("owners", None)
            row = {name: told.pop(name, None) for name in ("event", "x", "y", "player")}
            told.pop("cells", None)
            detail = ", ".join(f"{name} {value}" for name, value in told.items())
            yield {
                "game": game,
                "turn": turn,
                **row,
                "owners": None if owners is None else join(owners),
                "detail": detail or None,
            }


def join(numbers: Any) -> str:
    return " ".join(map(str, numbers))


MAKERS = {"games": game_rows, "turns": turn_rows, "decisions": decision_rows, "events": event_rows}
