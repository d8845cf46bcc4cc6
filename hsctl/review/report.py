"""A review as one document: the verdict in a sentence, mistakes worst first, deaths, values, habits.

Its JSON Schema is docs/review.schema.json; after a change of the format, write it again with

    python -m hsctl.review.report > docs/review.schema.json
"""

import sys
from typing import Any, Final, Literal

import msgspec

from engine.rules import ACTION_NAMES
from hsctl.review.deaths import (
    CHAIN,
    ERROR,
    ITEM,
    NOTHING,
    OWN_BOMB,
    ROUNDS,
    SAME_MOMENT,
    STAYED,
    TRAPPED,
    UNKNOWN,
    WALKED,
    Death,
    trap_of,
)
from hsctl.review.habits import Habits
from hsctl.review.regret import Regret, Regrets
from replays.playback import Playback
from replays.schema import DIALECT

FORMAT: Final = "hsctl-review"
VERSION: Final = 1
TOLD = 3  # mistakes that the verdict names
DEATH: Final = "death"
FAILED: Final = "error"
VALUE: Final = "value"

WORDS = {
    OWN_BOMB: "a bomb of its own closed the way out",
    WALKED: "it walked into a known blast",
    STAYED: "it stayed in a known blast",
    CHAIN: "a bomb exploded before its time, in a chain that was not seen",
    ITEM: "it took an item that had stopped a blast",
    TRAPPED: "it was trapped",
    SAME_MOMENT: "a bomb came at the same moment",
    NOTHING: "nothing could be done",
    UNKNOWN: "there are too many positions to tell whether it could be avoided",
}


class Bomb(msgspec.Struct):
    """One that killed: whose, dropped when and where, and whose bomb set it off before its time."""

    owner: int
    turn: int
    x: int
    y: int
    lit_by: int | None


class Chance(msgspec.Struct):
    """How often games that went on from a move were won, with a 95 % interval."""

    wins: int
    games: int
    low: float
    high: float


class DeathRecord(msgspec.Struct):
    """A death. Actions are by name: stay, left, right, up, down, with +bomb."""

    turn: int
    x: int
    y: int
    cause: str
    why: str
    is_avoidable: bool
    is_won: bool  # first all the same
    bombs: list[Bomb]
    last_turn: int | None  # on which the player could be saved, given what the others did
    played: str | None  # then
    safe: list[str]  # what would have saved them then
    held_turn: int | None  # the last on which a move held against any answer of each single rival ...
    held_rounds: int  # ... for so many rounds
    rival: int | None  # who trapped the player
    trap: list[tuple[int, str]]  # what that rival did: turns and actions
    proof: str | None = None  # a replay in which the player lives


class Mistake(msgspec.Struct):
    """A move that cost something; cost is in points of the agent's value, about a box each."""

    turn: int
    kind: Literal["death", "error", "value"]
    played: str  # an action by name; after an error, its kind (timeout, crash, ...)
    better: str  # an action by name; after an error: an order in time
    cost: float | None  # None: the game, by a death
    why: str
    chance_played: Chance | None = None
    chance_better: Chance | None = None


class HabitRecord(msgspec.Struct):
    """Turns, see habits.py."""

    wasted: list[int]
    idle_bombs: list[int]
    slow: list[int]


class Review(msgspec.Struct):
    """The review of one player in one game."""

    format: Literal["hsctl-review"]
    version: Literal[1]
    file: str
    seed: int | None
    player: int
    name: str
    names: list[str]
    rank: int
    boxes: list[int]
    turns: int
    verdict: str
    mistakes: list[Mistake]
    deaths: list[DeathRecord]
    agent: str
    nodes: int
    noise: float  # points
    threshold: float  # what a mistake must exceed
    values: list[list[float | None]]  # [seat][turn]: what the position was worth, by the agent
    first_turn: int
    death_turns: list[int | None]
    habits: HabitRecord


def review_of(
    playback: Playback, seat: int, file: str, deaths: list[Death], regrets: Regrets, habits: Habits
) -> Review:
    """Everything in one place."""
    result = playback.replay.result
    told = [death_record(playback, death) for death in deaths]
    mistakes = [death_mistake(each) for each in told if each.is_avoidable and not each.is_won]
    mistakes += [error_mistake(each) for each in deaths if each.cause == ERROR]
    doomed = {turn for each in told if each.last_turn is not None for turn in range(each.last_turn, each.turn + 1)}
    mistakes += [value_mistake(regret) for regret in regrets.mistakes if regret.turn not in doomed]
    review = Review(
        FORMAT,
        VERSION,
        file,
        playback.seed,
        seat,
        playback.specs[seat],
        playback.specs,
        result.ranks[seat],
        result.boxes,
        len(playback.replay.turns),
        "",
        mistakes,
        told,
        regrets.agent,
        regrets.nodes,
        regrets.noise,
        regrets.threshold,
        [[None if value is None else round(value, 3) for value in values] for values in regrets.values],
        playback.first_turn,
        playback.game_at(playback.end_turn).death_turns,
        HabitRecord(*habits),
    )
    review.verdict = verdict_of(review)
    return review


def death_record(playback: Playback, death: Death) -> DeathRecord:
    return DeathRecord(
        death.turn,
        *death.cell,
        death.cause,
        why_dead(death, playback.specs),
        death.is_avoidable,
        playback.replay.result.ranks[death.seat] == 1,
        [Bomb(killer.owner, killer.turn, *killer.cell, killer.lit_by) for killer in death.killers],
        death.last_turn,
        None if death.played is None else ACTION_NAMES[death.played],
        [ACTION_NAMES[action] for action in death.safe],
        death.held_turn,
        ROUNDS,
        death.rival,
        [(turn, ACTION_NAMES[action]) for turn, action in trap_of(playback, death)],
    )


def why_dead(death: Death, names: list[str]) -> str:
    """The cause in words, with the bombs."""
    if death.cause == ERROR:
        return why_failed(death)
    words = WORDS[death.cause]
    if death.rival is not None:
        by = f" by player {death.rival} ({names[death.rival]})"
        words += f"{by} from turn {death.last_turn} on" if death.cause == TRAPPED else f" ({by.strip()})"
    bombs = ", ".join(
        f"{'its own' if killer.owner == death.seat else f'player {killer.owner}'}"
        f" of turn {killer.turn} at {killer.cell[0]},{killer.cell[1]}"
        for killer in death.killers
    )
    return f"{words}; bombs: {bombs}"


def why_failed(death: Death) -> str:
    return f"eliminated for an error: {death.failure}{f' ({death.detail})' if death.detail else ''}"


def death_mistake(death: DeathRecord) -> Mistake:
    assert death.last_turn is not None and death.played is not None
    why = f"last turn on which it could be saved: died on turn {death.turn}, {death.why}"
    return Mistake(death.last_turn, DEATH, death.played, death.safe[0], None, why)


def error_mistake(death: Death) -> Mistake:
    return Mistake(death.turn, FAILED, death.failure, "an order in time", None, why_failed(death))


def value_mistake(regret: Regret) -> Mistake:
    played, better = ACTION_NAMES[regret.played], ACTION_NAMES[regret.better]
    why = f"{better} is worth {regret.cost:.1f} points more than {played} (a box is about one)"
    return Mistake(regret.turn, VALUE, played, better, round(regret.cost, 2), why)


# The verdict


def verdict_of(review: Review) -> str:
    """What happened, in a sentence."""
    parts = [describe_result(review)]
    costly = [mistake for mistake in review.mistakes if mistake.kind == VALUE][:TOLD]
    if costly:
        turns = join_turns(sorted(mistake.turn for mistake in costly))
        parts.append(f"{turns} cost about {sum(mistake.cost or 0.0 for mistake in costly):.1f} boxes")
    parts += [describe_death(death) for death in review.deaths]
    if len(parts) == 1:
        parts.append(f"no mistake above the noise of the search ({review.threshold:.1f} points)")
    return "; ".join(parts)


def describe_result(review: Review) -> str:
    own = review.boxes[review.player]
    best = max(boxes for seat, boxes in enumerate(review.boxes) if seat != review.player)
    word = "won" if review.rank == 1 else f"came {('first', 'second', 'third', 'fourth')[review.rank - 1]}"
    how = "" if review.deaths else " on boxes" if review.rank > 1 else ""
    return f"{review.name} {word} {own}:{best}{how}"


def describe_death(death: DeathRecord) -> str:
    if death.cause == ERROR:
        return f"{death.why} on turn {death.turn}"
    if death.last_turn is None:
        return f"dead on turn {death.turn}: {WORDS[death.cause]}"
    words = WORDS[death.cause] + (f" by player {death.rival}" if death.cause == TRAPPED else "")
    return f"on turn {death.last_turn} {words} ({death.played}; {death.safe[0]} was safe), dead on turn {death.turn}"


def join_turns(turns: list[int]) -> str:
    """`turn 3`, `turns 3 and 7`, `turns 3, 7 and 9`."""
    head = ", ".join(map(str, turns[:-1]))
    return f"turns {head} and {turns[-1]}" if head else f"turn {turns[0]}"


def encode(document: Any) -> str:
    """A review, or several in a document of a folder, as JSON."""
    return msgspec.json.format(msgspec.json.encode(document), indent=1).decode() + "\n"


def format_schema() -> bytes:
    """The schema as the bytes of its file."""
    schema = {"$schema": DIALECT, "title": f"{FORMAT} version {VERSION}", **msgspec.json.schema(Review)}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(format_schema())
