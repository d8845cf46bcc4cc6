"""The history that the browser extension CGSpunk exports.

    {"results": {"options": "seed=1\nboxes=34\n", "rankings": [{"name": "ann", "rank": 1}, ...],
                 "history": {"data": [{"stdout": [...], "stderr": [...], "summary": ...}, ...]}}}

An entry has room for one answer per seat and is filled in order of frames. After a death it is no longer a round: all
answers are put in a row and dealt out to the living.
"""

from typing import Any

from replays.arena.game_result import read_fields, text_of
from replays.arena.recorded import MOST_FRAMES, MOST_PLAYERS, ArenaError, Frame, Recorded, Summary


def is_history(document: object) -> bool:
    return isinstance(history_of(document), list)


def history_of(document: object) -> object:
    for name in ("results", "history", "data"):
        document = document.get(name) if isinstance(document, dict) else None
    return document


def parse_history(document: dict[str, Any]) -> Recorded:
    """The game in a history; raises where it is none."""
    entries: list[Any] = history_of(document)  # type: ignore[assignment]
    if len(entries) > MOST_FRAMES:
        raise ArenaError(f"{len(entries)} entries of a history: a game of Hypersonic has {MOST_FRAMES} at most")
    record = Recorded("CGSpunk history", [], has_round_summaries=False)
    for number, entry in enumerate(entries):
        add_entry(record, number, read_fields(number, entry))
    record.padding = count_padding(entries)
    results = document["results"]
    record.options = text_of(results.get("options"))
    record.places = read_places(results.get("rankings"))
    record.seats = len(record.places) or record.seats
    return record


def add_entry(record: Recorded, number: int, entry: dict[str, Any]) -> None:
    answers, errors = entry.get("stdout"), entry.get("stderr")
    if not isinstance(answers, list) or len(answers) > MOST_PLAYERS:
        raise ArenaError(f"entry {number}: its stdout is {str(answers)[:40]}, expected a list of the players' lines")
    if not record.frames and not any(text_of(answer) for answer in answers):
        return  # the opening
    record.seats = record.seats or len(answers)
    errors = errors if isinstance(errors, list) else []
    for at, answer in enumerate(answers):
        stderr = text_of(errors[at]) if at < len(errors) else ""
        record.frames.append(Frame(len(record.frames) + 1, None, text_of(answer) or None, stderr))
    summary = entry.get("summary")
    if isinstance(summary, list):
        summary = "\n".join(map(text_of, summary))
    if text_of(summary):
        record.summaries.append(Summary(len(record.frames) - 1, text_of(summary)))


def count_padding(entries: list[Any]) -> int:
    """How many answers the last entry lacks: room that was left, or players who sent nothing."""
    last = [text_of(answer) for answer in entries[-1]["stdout"]] if entries else []
    return next((at for at, answer in enumerate(reversed(last)) if answer), len(last))


def read_places(rankings: object) -> list[tuple[str, int]]:
    """Names and ranks, from 1."""
    if not isinstance(rankings, list):
        return []
    if not 2 <= len(rankings) <= MOST_PLAYERS:
        raise ArenaError(f"{len(rankings)} rankings: a game of Hypersonic has 2 to {MOST_PLAYERS} players")
    places = []
    for number, place in enumerate(rankings):
        rank = read_fields(number, place).get("rank")
        if type(rank) is not int:
            raise ArenaError(f"rankings: rank {str(rank)[:40]!r}, expected a number from 1 on")
        places.append((text_of(place.get("name")), rank))
    return places
