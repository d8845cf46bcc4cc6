"""Which dress a game of the arena comes in, told by its content: JSON in its shapes, or the console's text."""

import json
import re
from typing import Any

from engine.notation import NotationError, parse_order
from replays.arena.console import is_console, parse_console
from replays.arena.game_result import parse_game_result
from replays.arena.recorded import ArenaError, Recorded
from replays.arena.spunk import is_history, parse_history

BEFORE_FRAME = re.compile(r"[\s,]*(?=\{)")


def parse_record(data: bytes) -> Recorded:
    """What the arena recorded; raises ArenaError if it isn't the arena's."""
    text = data.decode("utf-8-sig", "replace")
    if text.lstrip()[:1] in ("{", "["):
        document = parse_json(text)
        record = parse_history(document) if is_history(document) else parse_game_result(document)
    elif is_console(text):
        record = parse_console(text)
    else:
        raise ArenaError("no game of the arena: expected its JSON, or a console's text with `Standard Output Stream:`")
    check_game(record)
    return record


def parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError) and is_cut_off(text, error):
            frame = count_frames(text)
            raise ArenaError(
                f"cut off in frame {frame}: expected the rest of its JSON after {len(text)} characters"
            ) from None
        raise ArenaError(f"no JSON: {str(error)[:80]}, expected the JSON of a game of the arena") from None


def is_cut_off(text: str, error: json.JSONDecodeError) -> bool:
    """Whether the text ends where something is expected: at the place of the error, or in a string begun there."""
    return not text[error.pos :].strip() or error.msg.startswith("Unterminated string")


def count_frames(text: str) -> int:
    """How many frames a text that is cut off holds whole."""
    decoder = json.JSONDecoder()
    count = 0
    at = text.find("[", max(0, text.find('"frames"'))) + 1
    try:
        while at and (found := BEFORE_FRAME.match(text, at)):
            at = decoder.raw_decode(text, found.end())[1]
            count += 1
    except (ValueError, RecursionError):
        pass
    return count


def check_game(record: Recorded) -> None:
    """Whether anybody plays Hypersonic in it."""
    answers = [frame for frame in record.frames if frame.stdout]
    if not answers:
        raise ArenaError(f"{record.source} without an answer of any player: expected frames with MOVE or BOMB")
    if not any(is_order(frame.stdout or "") for frame in answers):
        first = answers[0]
        found = (first.stdout or "").strip().split("\n")[0][:40]
        raise ArenaError(
            f"frame {first.number}: the answer {found!r}, expected `MOVE x y` or `BOMB x y`: no Hypersonic"
        )


def is_order(stdout: str) -> bool:
    try:
        return bool(parse_order(stdout.lstrip("\r\n").split("\n", 1)[0]))
    except NotationError:
        return False
