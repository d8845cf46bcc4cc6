"""A mistake becomes a test: an entry for a suite that a bot can be held against.

    {"format": "hsctl-suite-entry", "version": 1, "name": "game-player0-turn31", "player": 0, "turn": 31,
     "inputs": "13 11 0\n...", "demand": "survive", "actions": [0, 2], "within_ms": 100, "why": "..."}

`inputs` is all that the bot read up to the turn, for bots that remember. The answer to the last of them is an order of
the arena; what it does there must be one of `actions` (demand `survive`) or none of them (demand `avoid`). Actions are
numbers: stay, left, right, up, down, +5 with a bomb.
"""

import re
from pathlib import Path
from typing import Final, Literal

import msgspec

from engine.rules import ACTION_NAMES
from hsctl.review.report import DEATH, Mistake, Review
from replays.export import format_input
from replays.playback import Playback
from replays.replay import write_bytes

FORMAT: Final = "hsctl-suite-entry"
VERSION: Final = 1
WITHIN_MS = 100.0  # the arena's clock
FIRST_WITHIN_MS = 1000.0


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """One test."""

    format: Literal["hsctl-suite-entry"]
    version: Literal[1]
    name: str
    player: int
    turn: int
    inputs: str
    demand: Literal["survive", "avoid"]
    actions: list[int]
    within_ms: float
    why: str


def write_suite(playback: Playback, review: Review, folder: Path) -> list[Path]:
    """An entry for each mistake of a review."""
    paths = []
    for mistake in review.mistakes:
        entry = entry_of(playback, review, mistake)
        paths.append(folder / f"{entry.name}.json")
        write_bytes(paths[-1], msgspec.json.format(msgspec.json.encode(entry), indent=1) + b"\n")
    return paths


def entry_of(playback: Playback, review: Review, mistake: Mistake) -> Entry:
    turns = range(playback.first_turn, mistake.turn + 1)
    safe = next((death.safe for death in review.deaths if death.last_turn == mistake.turn), [])
    is_death = mistake.kind == DEATH
    return Entry(
        FORMAT,
        VERSION,
        f"{name_of(review.file)}-player{review.player}-turn{mistake.turn}",
        review.player,
        mistake.turn,
        format_input(playback, turns, review.player),
        "survive" if is_death else "avoid",
        [ACTION_NAMES.index(name) for name in (safe if is_death else [mistake.played])],
        FIRST_WITHIN_MS if mistake.turn == playback.first_turn else WITHIN_MS,
        mistake.why,
    )


def name_of(file: str) -> str:
    """A file's name without its ending, fit for the name of another."""
    return re.sub(r"[^\w.-]+", "-", Path(file).stem)[:60] or "game"
