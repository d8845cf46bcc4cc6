"""A replay as text for other programs: the arena's input of each turn, and the events as JSON."""

from collections.abc import Iterable
from typing import Any

from engine.notation import format_header, format_position
from replays.events import to_json
from replays.playback import Playback
from replays.record import Record
from replays.replay import ReplayError, format_document


def format_frames(record: Record, turns: Iterable[int]) -> str:
    """Positions in the arena's text, one after the other."""
    return "".join(format_position(record.game_at(turn)) for turn in turns)


def format_input(playback: Playback, turns: Iterable[int], seat: int) -> str:
    """What a bot in this seat had on its stdin: the first line once, then these turns as long as it lived."""
    played = range(playback.first_turn, playback.end_turn)  # the end was sent to nobody
    sent = [turn for turn in played if seat in playback.game_at(turn).living]
    wanted = [turn for turn in turns if turn in sent]
    if not wanted:
        lived = f"player {seat} had turns {sent[0]} to {sent[-1]}" if sent else f"player {seat} was dead from the start"
        raise ReplayError(f"no input to print: {lived}")
    views = [playback.seen_at(turn, seat) or playback.game_at(turn) for turn in wanted]
    return format_header(seat) + "".join(format_position(view) for view in views)


def format_events(playback: Playback, turns: Iterable[int]) -> str:
    """What was done and what happened in these turns, with players and result around it, as JSON."""
    replay = playback.replay
    played = [turn for turn in turns if turn != playback.end_turn]
    report: dict[str, Any] = {
        "seed": replay.seed,
        "players": [info.spec for info in replay.players],
        "turns": [
            {
                "turn": turn,
                "actions": [move.action if move else None for move in playback.moves_at(turn)],
                "events": [to_json(event) for event in playback.events_at(turn)],
            }
            for turn in played
        ],
        "result": result_record(playback),
    }
    return format_document(report, rows=("turns",))


def result_record(playback: Playback) -> dict[str, Any]:
    """How it ended; a death turn is null for the living and for who was dead from the start."""
    result = playback.replay.result
    return {
        "reason": result.reason,
        "ranks": result.ranks,
        "boxes": result.boxes,
        "death_turns": playback.game_at(playback.end_turn).death_turns,
        "hash": result.hash,
    }
