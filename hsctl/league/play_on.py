"""Games played on from a turn of a recorded one: by the same players, by others, or with another move on that turn.

    recorded game    0 ... 41 | 42 43 ...     to its end
    played on        the same | whatever the players, or an order given to one of them, make of it

One game is exactly as recorded. Several games have the seeds S+1, S+2, ..., and agents that are limited by nodes get
more or fewer in every decision, by the seed, for many of them don't care for it. The recorded game is none of these:
its result is why the position was chosen, so it is no fair draw.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace as with_fields

from engine.errors import HsctlError
from engine.game import Game
from engine.rules import ACTION_NAMES
from hsctl.budget import choose_clock, clock_of, is_timed
from hsctl.league.games import warm_seats
from hsctl.match.bots.terms import ORDINARY, Terms
from hsctl.match.finished import FinishedGame
from hsctl.match.past import Past, Stray, recorded_spec
from hsctl.match.players import GHOST, PlayerError, PlayerText, names_person, read_player
from hsctl.match.runner import OnTurn, play_game
from hsctl.match.seats import AbsentSeat, Seat, varied
from hsctl.match.trust import NOBODY, Trust
from replays.files import STDIN
from replays.playback import Playback, game_from
from replays.replay import MOST_PARENTS, Limits, Parent, PlayerInfo, Replay, encode, parents_of
from replays.text import clean, shorten
from search.spec import Spec

LONGEST_NAME = 40
ARENA_LIMITS = Limits(1000.0, 100.0, 5000.0)  # for a bot in a game that had no clock


@dataclass(frozen=True, eq=False)
class Continuation:
    """A turn of a recorded game, and who plays on from there."""

    replay: Replay
    parent: Parent  # how games played on name it
    players: tuple[PlayerText | None, ...]  # by seat; None: died before
    limits: Limits
    seed: int  # of game 0
    recorded: Sequence[PlayerInfo]  # by seat, as the games played on take over the dead
    ghosts: Mapping[int, PlayerInfo]  # recorded players that may not run, by seat: ghosts play in their place
    foreign: frozenset[int] = frozenset()  # seats of recorded players that run only because of --trust
    swapped: frozenset[int] = frozenset()
    terms: Terms = ORDINARY
    folder: Path | None = None  # for the replays; None: they are not saved

    @property
    def turn(self) -> int:
        return self.parent.turn

    @property
    def specs(self) -> list[Spec | None]:
        """Of those who play on; None for a bot."""
        return [player.spec for player in self.players if player is not None]

    @property
    def clock(self) -> str | None:
        """By which those who play on think; None if nodes limit all of them."""
        return clock_of(self.specs, self.limits)

    def as_series(self) -> "Continuation":
        """The same by the clock of a series."""
        return replace(self, limits=choose_clock(self.specs, self.limits, is_series=True))

    @property
    def orders(self) -> dict[int, str]:
        return {seat: order for seat, order in enumerate(self.parent.moves) if order}

    @property
    def is_changed(self) -> bool:
        return bool(self.swapped or self.orders)

    @property
    def names(self) -> list[str]:
        """Who plays, or played until they died, by seat."""
        pairs = zip(self.players, self.replay.players, strict=True)
        return [info.spec if player is None else player.text for player, info in pairs]


@dataclass(frozen=True)
class OnTask:
    """A game to be played on: 0 is as recorded, 1, 2, ... are those of a series; `arm` tells continuations apart."""

    continuation: Continuation
    number: int = 0
    arm: int = 0


class Fork(NamedTuple):
    """Where a game leaves the recorded one: what some players did instead of what is recorded."""

    turn: int
    seats: list[int]
    played: list[str]
    recorded: list[str]


class PlayedOn(NamedTuple):
    """What a worker sends back."""

    task: OnTask
    game: FinishedGame
    replay: bytes | None  # if it is to be saved
    strays: list[Stray]
    fork: Fork | None  # None: it is the recorded game to the end


# Who plays


def recorded_player(info: PlayerInfo, seat: int, limits: Limits, file: str, trust: Trust) -> PlayerText:
    """A player of a record, if it can be run; a ghost in the place of one that may not."""
    name = shorten(clean(info.spec), LONGEST_NAME)
    instead = f"name another with --swap {seat}=PLAYER, or use --swap {seat}={GHOST}FILE#{seat} to repeat the record"
    if names_person(info.spec):
        raise PlayerError(f"player {seat} ({name}) is a person; {instead}")
    if not info.is_agent and info.faithful_turns is None and limits.startup_ms is None:
        raise PlayerError(f"player {seat} ({name}) played on the arena and can't be run here; {instead}")
    if not trust.may_run(info):
        return ghost_for(info, seat, file)
    if info.is_agent:
        return PlayerText(info.spec, recorded_spec(info, seat, f"--swap {seat}={{name}} for"))
    try:
        return read_player(info.spec)
    except PlayerError as error:
        raise PlayerError(f"player {seat} can't be run: {error}; {instead}") from None


def ghost_for(info: PlayerInfo, seat: int, file: str) -> PlayerText:
    """What repeats the recorded moves of a player that may not run."""
    if file == STDIN:
        raise PlayerError(
            f"player {seat} is {clean(info.spec)!r}, which does not run because hsctl did not save this game for you; "
            f"name the file instead of {STDIN}, or add --trust or --swap {seat}=PLAYER"
        )
    return read_player(f"{GHOST}{file}#{seat}")


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


# Playing


def series_of(continuations: Sequence[Continuation], games: int) -> list[OnTask]:
    """Games of one position, from all continuations in turn."""
    return [OnTask(plan, number, arm) for number in range(1, games + 1) for arm, plan in enumerate(continuations)]


def play_on(task: OnTask, on_turn: OnTurn | None = None) -> PlayedOn:
    """Play one game on to its end."""
    plan, number = task.continuation, task.number
    playback = Playback(plan.replay)
    past = Past(playback, plan.turn, plan.swapped | plan.ghosts.keys(), plan.orders)
    seats, parent = seats_of(plan), with_fields(plan.parent, number=number)

    def complete(replay: Replay) -> None:
        """Add what only games that were played on have."""
        replay.parent, infos = parent, [seat.info for seat in seats]
        replay.players = [
            with_fields(info, is_foreign=True) if at in plan.foreign else info for at, info in enumerate(infos)
        ]

    def tell(replay: Replay, game: Game) -> None:
        complete(replay)
        if on_turn is not None:
            on_turn(replay, game)

    with varied(seats, plan.parent.spread):
        replay, game = play_game(seats, game_from(plan.replay.start), plan.limits, plan.seed + number, tell, past)
    complete(replay)
    return PlayedOn(
        task,
        replace(game, block_number=number, first_turn=replay.start.turn, course=replay.course),
        None if plan.folder is None else encode(replay),
        past.strays,
        fork_of(plan.replay, replay),
    )


def seats_of(plan: Continuation) -> list[Seat]:
    living = [player for player in plan.players if player is not None]
    ready = iter(warm_seats(living, plan.terms))
    recorded = zip(plan.players, plan.recorded, strict=True)
    return [AbsentSeat(info) if player is None else next(ready) for player, info in recorded]


def fork_of(recorded: Replay, played: Replay) -> Fork | None:
    """The first turn on which somebody did something else."""
    for at, (old, new) in enumerate(zip(recorded.turns, played.turns, strict=False), recorded.start.turn):
        actions = [[name_action(move.action if move else None) for move in turn.moves] for turn in (old, new)]
        seats = [seat for seat, (was, now) in enumerate(zip(*actions, strict=True)) if was != now]
        if seats:
            return Fork(at, seats, [actions[1][seat] for seat in seats], [actions[0][seat] for seat in seats])
    return None


def name_action(action: int | None) -> str:
    return "fail" if action is None else ACTION_NAMES[action]


def check_turn(playback: Playback, turn: int) -> None:
    """An unfinished game can also be played on from where it was stopped."""
    first, end = playback.first_turn, playback.end_turn
    last = end - 1 if playback.is_finished else end
    if turn == end > last:
        raise HsctlError(f"turn {turn}: the game was over; name a turn from {first} to {last}")
    if not first <= turn <= last:
        raise HsctlError(f"turn {turn}: this game has turns {first} to {last}")


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


def plan_on(
    playback: Playback,
    parent: Parent,
    swaps: Mapping[int, PlayerText],
    trust: Trust,
    terms: Terms = ORDINARY,
    folder: Path | None = None,
) -> Continuation:
    """Who plays on: the recorded players, or those in `swaps`, by seat; the dead stay dead."""
    check_turn(playback, parent.turn)
    game, replay = playback.game_at(parent.turn), playback.replay
    players: list[PlayerText | None] = [None] * playback.seats
    ghosts: dict[int, PlayerInfo] = {}
    foreign: set[int] = set()
    for seat in game.living:
        info = playback.info_at(parent.turn, seat)
        players[seat] = swaps.get(seat) or recorded_player(info, seat, replay.limits, parent.file, trust)
        if seat not in swaps and trust.is_foreign(info):
            if trust.may_run(info):
                foreign.add(seat)
            else:
                ghosts[seat] = info
    limits = limits_for(replay.limits, players)
    return Continuation(
        replay,
        parent,
        tuple(players),
        limits,
        playback.seed_at(parent.turn),
        trust.keep(replay.players),
        ghosts,
        frozenset(foreign),
        frozenset(swaps),
        terms,
        folder,
    )
