"""A review as one document: mistakes worst first, deaths, values, habits; verdict.py adds the verdict.

Its JSON Schema is docs/reference/schemas/review.schema.json; after a change of the format, write it again with

    python -m hsctl.analysis.review.report > docs/reference/schemas/review.schema.json
"""

import json
import sys
from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from engine.game import ARENA
from engine.rules import ACTION_NAMES
from engine.variants import mates_of
from hsctl.analysis.review.deaths import (
    ERROR,
    ROUNDS,
    Killer,
    ReviewedDeath,
    better_than,
    trap_of,
    why_dead,
    why_failed,
)
from hsctl.analysis.review.habits import Habits, deeds_of
from hsctl.analysis.review.regret import Regret, Regrets
from hsctl.analysis.review.seat import is_dead_from_start
from replays.playback import Playback
from replays.schema import format_schema

FORMAT: Final = "hsctl-review"
VERSION: Final = 1
DEATH: Final = "death"
FAILED: Final = "error"
VALUE: Final = "value"


class Link(msgspec.Struct):
    """A bomb of a chain: whose, dropped when and where."""

    owner: int
    turn: int
    x: int
    y: int


class KillingBomb(msgspec.Struct):
    """One that killed: whose, dropped when and where, and what set it off before its time."""

    owner: int
    turn: int
    x: int
    y: int
    lit_by: int | None  # whose bomb lit it
    chain: list[Link] = []  # the bomb whose time had come, then each that the one before lit, without this one


class Chance(msgspec.Struct):
    """How often games that went on from a move were won, with a 95 % interval."""

    wins: float  # a shared first place is half of one
    games: int
    low: float
    high: float
    distinct: int  # games; identical ones count once


class DeathRecord(msgspec.Struct):
    """A death. Actions are by name: stay, left, right, up, down, with +bomb."""

    turn: int
    x: int
    y: int
    cause: str
    why: str
    is_avoidable: bool  # on the last turn with moves that held, another was played; or there are `open_moves`
    is_won: bool  # first all the same
    bombs: list[KillingBomb]
    last_turn: int | None  # on which the player could be saved, given what the others did
    played: str | None  # then
    safe: list[str]  # what would have saved them then
    held_turn: int | None  # the last on which moves held against any answer of each single rival ...
    held_rounds: int  # ... for so many rounds
    held: list[str]  # which they were
    held_played: str | None  # what was played then
    rival: int | None  # who trapped the player
    trap: list[tuple[int, str]]  # what that rival did: turns and actions
    proof: str | None = None  # a replay in which the player lives
    failure: str = ""  # the kind of an error: timeout, crash, ...
    open_moves: list[str] = []  # of `safe`: what survives the known bombs alone, where what was played does not


class Mistake(msgspec.Struct):
    """A move that cost something."""

    turn: int
    kind: Literal["death", "error", "value"]
    played: str  # an action by name; after an error, its kind (timeout, crash, ...)
    better: str  # an action by name; after an error: what should have come
    cost: float | None  # boxes, by the reference search; None: the game, by a death
    why: str
    line: list[str] = []  # own actions from the better one on, as far as they were looked at
    repeats: list[int] = []  # further turns with the same position and the same move
    safe: list[str] = []  # before a death: every action that would have saved the player, `better` first
    chance_played: Chance | None = None
    chance_better: Chance | None = None


class Doubt(msgspec.Struct):
    """A move that looked like a mistake and is within the noise."""

    turn: int
    played: str
    better: str
    cost: float  # boxes


class HabitRecord(msgspec.Struct):
    """Turns, see habits.py."""

    wasted: list[int]
    idle_bombs: list[int]
    lost_boxes: list[int]
    items_left: list[int]
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
    firsts: int  # players who share the first place
    boxes: list[int]
    turns: int
    verdict: str
    mistakes: list[Mistake]
    deaths: list[DeathRecord]
    agent: str | None  # None: only deaths were looked at
    nodes: int
    noise: float  # boxes
    threshold: float  # what a mistake must exceed
    values: list[list[float | None]]  # [seat][turn]: what the position was worth, in boxes, by the agent
    doubtful: list[Doubt]  # what may have cost most first
    first_turn: int
    death_turns: list[int | None]  # None: alive at the end, or dead from the start
    habits: HabitRecord
    ends: str = ARENA  # survival: boxes didn't rank
    is_finished: bool = True  # False: stopped before its end; ranks and boxes are those of that moment
    is_drawn: bool = False  # first, and so is a rival
    moves: int = 0  # turns on which the player changed its cell
    bombs: int = 0  # that it dropped
    faults: list[str] = []  # silent ones of its answers: taken without a word, but not what they say
    is_dead_from_start: bool = False  # the record begins after the player's death, which it doesn't tell


def review_of(
    playback: Playback, seat: int, file: str, deaths: list[ReviewedDeath], regrets: Regrets, habits: Habits
) -> Review:
    """Everything in one place but the verdict."""
    result = playback.replay.result
    told = [death_record(playback, death) for death in deaths]
    mistakes = [
        death_mistake(each, death)
        for each, death in zip(told, deaths, strict=True)
        if each.last_turn is not None and not each.is_won
    ]
    mistakes += [error_mistake(each) for each in deaths if each.cause == ERROR]
    doomed = {turn for each in told if each.last_turn is not None for turn in range(each.last_turn, each.turn + 1)}
    mistakes += value_mistakes([each for each in regrets.mistakes if each.turn not in doomed], regrets.horizon)
    review = Review(
        FORMAT,
        VERSION,
        file,
        playback.seed,
        seat,
        playback.specs[seat],
        playback.specs,
        result.ranks[seat],
        result.ranks.count(1),
        result.boxes,
        len(playback.replay.turns),
        "",
        mistakes,
        told,
        regrets.agent,
        regrets.nodes,
        regrets.noise,
        regrets.threshold,
        regrets.values,
        [doubt_of(regret) for regret in regrets.doubtful if regret.turn not in doomed],
        playback.first_turn,
        playback.game_at(playback.end_turn).death_turns,
        HabitRecord(*habits),
        playback.replay.start.ends,
        playback.is_finished,
        is_drawn(playback, seat),
        *deeds_of(playback, seat),
        is_dead_from_start(playback, seat),
    )
    return review


def is_drawn(playback: Playback, seat: int) -> bool:
    """Whether a player shares the first place with a rival."""
    ranks, side = playback.replay.result.ranks, (seat, *mates_of(playback.game_at(playback.first_turn), seat))
    return ranks[seat] == 1 and any(rank == 1 for at, rank in enumerate(ranks) if at not in side)


def death_record(playback: Playback, death: ReviewedDeath) -> DeathRecord:
    return DeathRecord(
        death.turn,
        *death.cell,
        death.cause,
        why_dead(death, playback.specs),
        death.is_avoidable,
        playback.replay.result.ranks[death.seat] == 1,
        [bomb_record(killer) for killer in death.killers],
        death.last_turn,
        None if death.played is None else ACTION_NAMES[death.played],
        [ACTION_NAMES[action] for action in death.safe],
        death.held_turn,
        ROUNDS,
        [ACTION_NAMES[action] for action in death.held],
        None if death.held_played is None else ACTION_NAMES[death.held_played],
        death.rival,
        [(turn, ACTION_NAMES[action]) for turn, action in trap_of(playback, death)],
        failure=death.failure,
        open_moves=[ACTION_NAMES[action] for action in death.open_moves],
    )


def bomb_record(killer: Killer) -> KillingBomb:
    chain = [Link(each.owner, each.turn, *each.cell) for each in killer.chain]
    return KillingBomb(killer.owner, killer.turn, *killer.cell, killer.lit_by, chain)


def death_mistake(told: DeathRecord, death: ReviewedDeath) -> Mistake:
    assert told.last_turn is not None and told.played is not None
    why = f"last turn on which it could be saved: died on turn {told.turn}, {told.why}"
    return Mistake(told.last_turn, DEATH, told.played, told.safe[0], None, why, names_of(death.line), safe=told.safe)


def names_of(line: Sequence[int]) -> list[str]:
    return [ACTION_NAMES[action] for action in line]


def error_mistake(death: ReviewedDeath) -> Mistake:
    return Mistake(death.turn, FAILED, death.failure, better_than(death.failure), None, why_failed(death))


def value_mistakes(regrets: list[Regret], horizon: int) -> list[Mistake]:
    """Worst first; what was done again and again in one position is one mistake."""
    found: dict[tuple[float | None, ...], Mistake] = {}
    for regret in sorted(regrets, key=lambda each: (-each.cost, each.turn)):
        same = regret.played, regret.better, regret.first, regret.again
        if same in found:
            found[same].repeats.append(regret.turn)
        else:
            played, better = ACTION_NAMES[regret.played], ACTION_NAMES[regret.better]
            line = names_of(regret.prospects[0].line if regret.prospects else (regret.better,))
            why = why_costly(regret, horizon)
            found[same] = Mistake(regret.turn, VALUE, played, better, round(regret.cost, 2), why, line)
    return list(found.values())


def doubt_of(regret: Regret) -> Doubt:
    return Doubt(regret.turn, ACTION_NAMES[regret.played], ACTION_NAMES[regret.better], round(regret.cost, 2))


def why_costly(regret: Regret, horizon: int) -> str:
    """What the best lines after both moves bring."""
    if regret.prospects is None:
        return f"the best line after it is worth {regret.cost:.1f} boxes less"
    better, played = regret.prospects
    if better.boxes > played.boxes:
        told = f"{count_boxes(better.boxes)} instead of {played.boxes}"
    elif better.items > played.items:
        told = f"{better.items} item{'s' * (better.items != 1)} instead of {played.items}"
    else:
        told = "no more boxes, but earlier ones or a better place"
    return f"within {horizon} turns {told}, by the best lines against what the others did"


def count_boxes(number: float) -> str:
    return f"{number:g} box{'' if number == 1 else 'es'}"


def encode(document: Any) -> str:
    """A review, or several in a document of a folder, as JSON of plain characters: names are strangers'."""
    return json.dumps(msgspec.to_builtins(document), indent=1) + "\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(format_schema(Review, FORMAT, VERSION))
