"""Games played on from a turn of a recorded one: by the same players, by others, or with another move on that turn.

    recorded game    0 ... 41 | 42 43 ...     to its end
    played on        the same | whatever the players, or an order given to one of them, make of it

Several games from one turn have the seeds S, S+1, ...; agents that are limited by nodes get a few more or fewer in
each, for many of them don't care for the seed. The first is exactly as recorded.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace as with_fields

from engine.errors import HsctlError
from engine.game import Game
from engine.rules import ACTION_NAMES
from hsctl.arena.finished import FinishedGame
from hsctl.arena.match import OnTurn, play_game
from hsctl.arena.past import Past, Stray, recorded_spec
from hsctl.arena.players import GHOST, PlayerError, PlayerText, names_person, read_player
from hsctl.arena.seats import AbsentSeat, AgentSeat, Seat
from hsctl.bots.terms import ORDINARY, Terms
from hsctl.league.games import warm_seats
from hsctl.own.spec import names_own_place
from replays.playback import Playback, game_from
from replays.replay import Limits, Parent, PlayerInfo, Replay, encode
from replays.text import clean, shorten

SPREAD = 0.05  # of the nodes, either way
GOLDEN = 0.6180339887498949  # shares drawn by it are spread evenly, however many there are
LONGEST_NAME = 40
ARENA_LIMITS = Limits(1000.0, 100.0, 5000.0)  # for a bot in a game that had no clock


@dataclass(frozen=True, eq=False)
class Continuation:
    """A turn of a recorded game, and who plays on from there."""

    replay: Replay
    parent: Parent  # how games played on name it
    players: tuple[PlayerText | None, ...]  # by seat; None: died before
    limits: Limits
    seed: int  # of the first game
    share: float = 1.0  # of the nodes, in the first game
    swapped: frozenset[int] = frozenset()
    terms: Terms = ORDINARY
    folder: Path | None = None  # for the replays; None: they are not saved

    @property
    def turn(self) -> int:
        return self.parent.turn

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
    """A game to be played on; `arm` tells several continuations of a series apart."""

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
    hash: str  # of the last position


# Who plays


def recorded_player(info: PlayerInfo, seat: int, limits: Limits, is_own: bool) -> PlayerText:
    """A player of a record, if it can be run; `is_own`: the file was saved here, so that its commands may be run."""
    name = shorten(clean(info.spec), LONGEST_NAME)
    if info.is_agent:
        if names_own_place(info.spec) and not is_own:
            raise PlayerError(
                f"player {seat} is an agent of somebody's own ({name}), which is not run because this file was not "
                f"saved by hsctl here; expected --swap {seat}=AGENT if you trust it"
            )
        return PlayerText(info.spec, recorded_spec(info, seat, f"--swap {seat}={{name}} for"))
    instead = f"expected --swap {seat}=PLAYER, or --swap {seat}={GHOST}FILE#{seat} to repeat the record"
    if names_person(info.spec):
        raise PlayerError(f"player {seat} ({name}) is a person; {instead}")
    if info.faithful_turns is None:
        if limits.startup_ms is None:
            raise PlayerError(f"player {seat} ({name}) played on the arena and can't be run here; {instead}")
        if not is_own:
            raise PlayerError(
                f"player {seat} is the command {clean(info.spec)!r}, which is not run because this file was not saved "
                f"by hsctl here; expected --swap {seat}=COMMAND if you trust it"
            )
    try:
        return read_player(info.spec)
    except PlayerError as error:
        raise PlayerError(f"player {seat} can't be run: {error}; {instead}") from None


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
    if spec is None or spec.name in ("random", "still", "simple"):
        return False
    return spec.nodes is None and (spec.ms is not None or limits.nodes is None)


# Playing


def tasks_of(continuation: Continuation, games: int, arm: int = 0) -> list[OnTask]:
    return [OnTask(continuation, number, arm) for number in range(games)]


def play_on(task: OnTask, on_turn: OnTurn | None = None) -> PlayedOn:
    """Play one game on to its end."""
    plan, number = task.continuation, task.number
    playback = Playback(plan.replay)
    past = Past(playback, plan.turn, plan.swapped, plan.orders)
    seats, parent = seats_of(plan), with_fields(plan.parent, number=number)

    def tell(replay: Replay, game: Game) -> None:
        replay.parent = parent
        if on_turn is not None:
            on_turn(replay, game)

    with varied(seats, plan.share * share_of_nodes(number)):
        replay, game = play_game(seats, game_from(plan.replay.start), plan.limits, plan.seed + number, tell, past)
    return PlayedOn(
        task,
        replace(game, block_number=number, first_turn=replay.start.turn),
        None if plan.folder is None else encode(replay),
        past.strays,
        fork_of(plan.replay, replay),
        replay.result.hash,
    )


def seats_of(plan: Continuation) -> list[Seat]:
    living = [player for player in plan.players if player is not None]
    ready = iter(warm_seats(living, plan.terms))
    recorded = zip(plan.players, plan.replay.players, strict=True)
    return [AbsentSeat(info) if player is None else next(ready) for player, info in recorded]


def share_of_nodes(number: int) -> float:
    """How many of its nodes an agent gets in a game of several."""
    return 1.0 if number == 0 else 1.0 + SPREAD * (2 * (number * GOLDEN % 1) - 1)


def share_at(replay: Replay, turn: int) -> float:
    """How many of its nodes an agent had on a turn of a record that may be one of several itself."""
    share, parent = 1.0, replay.parent
    while parent is not None:
        share *= share_of_nodes(parent.number) if parent.turn <= turn else 1.0
        parent = parent.parent
    return share


@contextmanager
def varied(seats: Sequence[Seat], share: float) -> Iterator[None]:
    agents = [seat for seat in seats if isinstance(seat, AgentSeat)]
    try:
        for agent in agents:
            agent.share = share
        yield
    finally:
        for agent in agents:
            agent.share = 1.0


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
        raise HsctlError(f"turn {turn}: the game was over, expected {first} to {last}")
    if not first <= turn <= last:
        raise HsctlError(f"turn {turn}: this game has turns {first} to {last}")


def parent_of(playback: Playback, file: str, digest: str, turn: int, orders: Mapping[int, str]) -> Parent:
    """How a game that is played on from this turn names the recorded one; of its own parents those that came before."""
    older = playback.replay.parent
    while older is not None and older.turn > turn:
        older = older.parent
    players = [playback.info_at(turn - 1, seat) for seat in range(playback.seats)]
    moves = [orders.get(seat, "") for seat in range(playback.seats)] if orders else []
    return Parent(file, digest, turn, players, moves, parent=older)


def plan_on(
    playback: Playback,
    parent: Parent,
    swaps: Mapping[int, PlayerText],
    is_own: bool,
    terms: Terms = ORDINARY,
    folder: Path | None = None,
) -> Continuation:
    """Who plays on: the recorded players, or those in `swaps`, by seat; the dead stay dead."""
    check_turn(playback, parent.turn)
    game, replay = playback.game_at(parent.turn), playback.replay
    players: list[PlayerText | None] = [None] * playback.seats
    for seat in game.living:
        info = playback.info_at(parent.turn, seat)
        players[seat] = swaps.get(seat) or recorded_player(info, seat, replay.limits, is_own)
    limits = limits_for(replay.limits, players)
    seed, share = playback.seed_at(parent.turn), share_at(replay, parent.turn)
    return Continuation(replay, parent, tuple(players), limits, seed, share, frozenset(swaps), terms, folder)
