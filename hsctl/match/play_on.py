"""Games played on from a turn of a recorded one: by the same players, by others, or with another move on that turn.

    recorded game    0 ... 41 | 42 43 ...     to its end
    played on        the same | whatever the players, or an order given to one of them, make of it

One game is exactly as recorded. Several games have the seeds S+1, S+2, ..., and agents that are limited by nodes get
more or fewer in every decision, by the seed, for many of them don't care for it. The recorded game is none of these:
its result is why the position was chosen, so it is no fair draw.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from msgspec.structs import replace as with_fields

from engine.errors import HsctlError
from hsctl.budget import ARENA_LIMITS, choose_clock, is_timed
from hsctl.match.bots.limits import ORDINARY, BotLimits
from hsctl.match.past import Past, recorded_spec
from hsctl.match.players import GHOST, PlayerError, PlayerText, names_person, read_player
from hsctl.match.runner import GameTask
from hsctl.match.trust import NOBODY, Trust
from replays.files import STDIN
from replays.playback import Playback
from replays.replay import MOST_PARENTS, Limits, Parent, PlayerInfo, Replay, parents_of
from replays.text import clean, shorten

LONGEST_NAME = 40
PLAYED_ON_ARENA = "played on the arena"
NOT_TRUSTED = "hsctl did not save this file for you"
CANNOT_RUN = "its program can't be run here"

# Players


def player_on(info: PlayerInfo, seat: int, limits: Limits, file: str, trust: Trust) -> tuple[PlayerText, str]:
    """A recorded player that plays on. One that can't run here is replaced by its ghost; the text says why."""
    if names_person(info.spec):
        return ghost_for(info, seat, file, "a person"), "a person"
    if not info.is_agent and info.faithful_turns is None and limits.startup_ms is None:
        return ghost_for(info, seat, file, PLAYED_ON_ARENA), PLAYED_ON_ARENA
    if not trust.may_run(info):
        return ghost_for(info, seat, file, NOT_TRUSTED), NOT_TRUSTED
    if info.is_agent:
        return PlayerText(info.spec, recorded_spec(info, seat, f"--swap {seat}={{name}} for")), ""
    try:
        return read_player(info.spec), ""
    except PlayerError:
        return ghost_for(info, seat, file, CANNOT_RUN), CANNOT_RUN


def ghost_for(info: PlayerInfo, seat: int, file: str, why: str) -> PlayerText:
    """The player that repeats the recorded moves of one that doesn't run."""
    what = f"player {seat} ({shorten(clean(info.spec), LONGEST_NAME)}) doesn't run here: {why}"
    instead = f"{'add --trust, or ' if why == NOT_TRUSTED else ''}name another player with --swap {seat}=PLAYER"
    if file == STDIN:
        raise PlayerError(f"{what}. Name the file instead of {STDIN} to let a ghost repeat its moves, or {instead}")
    try:
        return read_player(f"{GHOST}{file}#{seat}")
    except PlayerError as error:
        raise PlayerError(f"{what}; a ghost can't repeat its moves: {error}; {instead}") from None


def describe_ghosts(file: str, replay: Replay, ghosts: Mapping[int, str]) -> list[str]:
    """Which recorded players don't run, why, and what happens instead, line by line."""
    to_trust = ["Add --trust to run the recorded commands."] if NOT_TRUSTED in ghosts.values() else []
    return [
        f"{clean(file)}: ghosts repeat the recorded moves of",
        *(f"  player {seat}, {clean(replay.players[seat].spec)}: {why}" for seat, why in ghosts.items()),
        "Where a recorded move is impossible or deadly, beam plays until the ghost can follow the recording again.",
        *to_trust,
    ]


def limits_for(recorded: Limits, players: Sequence[PlayerText | None]) -> Limits:
    """The recorded limits; bots that come into a game without a clock, or from the arena, get what they need."""
    if not any(player is not None and player.spec is None for player in players):
        return recorded
    if recorded.startup_ms is None and recorded.nodes is not None:
        return with_fields(ARENA_LIMITS, nodes=recorded.nodes, vision=recorded.vision)
    return with_fields(recorded, startup_ms=recorded.startup_ms or ARENA_LIMITS.startup_ms)


def is_by_clock(player: PlayerText, limits: Limits) -> bool:
    """Whether an agent thinks by the clock, so that no two games need be the same."""
    spec = player.spec
    return spec is not None and spec.name not in ("random", "still", "simple") and is_timed(spec, limits)


# Games


def series_from(tasks: Sequence[GameTask], games: int) -> list[GameTask]:
    """Games of one position, from all tasks in turn, by the clock of a series: game 0 has the recorded seed."""
    return [numbered_task(with_clock_of_series(task), number) for number in range(1, games + 1) for task in tasks]


def numbered_task(task: GameTask, number: int) -> GameTask:
    """Another game from the same position."""
    assert task.past is not None and task.past.parent is not None
    past = replace(task.past, parent=with_fields(task.past.parent, number=number))
    return replace(task, seed=task.seed + number, block_number=number, past=past)


def with_clock_of_series(task: GameTask) -> GameTask:
    specs = [player.spec for player in task.living]
    return replace(task, limits=choose_clock(specs, task.limits, is_series=True))


def parent_of(
    playback: Playback,
    file: str,
    digest: str,
    turn: int,
    orders: Mapping[int, str],
    spread: float | None = None,
    trust: Trust = NOBODY,
) -> Parent:
    """How a game that is played on from this turn names the recorded one; of its own parents those that came before.

    `spread`: of the nodes of a decision; None: what it was on that turn.
    """
    older = [parent for parent in parents_of(playback.replay) if parent.turn <= turn]
    if len(older) >= MOST_PARENTS:
        raise HsctlError(f"{clean(file)}: played on {len(older)} times already; start from one of the games before it")
    players = [playback.info_at(turn - 1, seat) for seat in range(playback.seats)]
    moves = [orders.get(seat, "") for seat in range(playback.seats)] if orders else []
    if spread is None:
        spread = older[0].spread if older else 0.0
    parents = trust.keep_parents(older[0]) if older else None
    return Parent(file, digest, turn, trust.keep(players), moves, spread=spread, parent=parents)


def task_on(
    playback: Playback,
    parent: Parent,
    swaps: Mapping[int, PlayerText],
    trust: Trust,
    bot_limits: BotLimits = ORDINARY,
    folder: Path | None = None,
) -> GameTask:
    """The game that goes on: with the recorded players, or those in `swaps`, by seat; the dead stay dead."""
    playback.check_open_turn(parent.turn)
    game, replay = playback.game_at(parent.turn), playback.replay
    players: list[PlayerText | None] = [None] * playback.seats
    ghosts: dict[int, str] = {}
    foreign: set[int] = set()
    for seat in game.living:
        info = playback.info_at(parent.turn, seat)
        if seat in swaps:
            players[seat] = swaps[seat]
            continue
        players[seat], why = player_on(info, seat, replay.limits, parent.file, trust)
        if why:
            ghosts[seat] = why
        elif trust.is_foreign(info):
            foreign.add(seat)
    past = Past(replay, parent.turn, parent, trust.keep(replay.players), frozenset(swaps), ghosts, frozenset(foreign))
    return GameTask(
        tuple(players),
        limits_for(replay.limits, players),
        playback.seed_at(parent.turn),
        bot_limits,
        folder,
        spread=parent.spread,
        past=past,
    )
