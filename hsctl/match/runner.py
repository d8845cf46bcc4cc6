"""One game: `GameTask -> play -> GameResult`.

    GameTask    players, limits, seed, start, and the turns that were played before, if any
    play        asks the players turn by turn and follows the rules, whatever they answer
    GameResult  how the game went; its replay, encoded, if the task has a folder for it

Every game of hsctl is played here: single games and series, leagues, comparisons and tuning, games that play on from a
recorded turn, games with people, rollouts of a review, experiments. Players think one after the other, never at the
same time, and the garbage collector works only between turns.
"""

import gc
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict
from msgspec.structs import replace as with_fields

from engine.errors import MOST_NODES
from engine.events import Death
from engine.game import ARENA, Game
from engine.notation import digest
from engine.state import FUSE
from engine.variants import MATES, TeamGame, in_teams
from hsctl import __version__
from hsctl.budget import clock_of
from hsctl.match.bots.build import program_words
from hsctl.match.bots.limits import ORDINARY, BotLimits
from hsctl.match.cores import cores_apart
from hsctl.match.identity import Identity, SeatIdentity, check_digest, version_of_game
from hsctl.match.past import Past, Reliving, fork_of
from hsctl.match.players import PlayerText, names_person
from hsctl.match.result import Fate, Foresight, GameResult, Misdrawn, SlowStart, fate_of, thinking_of
from hsctl.match.seats import AbsentSeat, Act, BotSeat, Seat, varied, warm_seat, warm_seats
from hsctl.shell import parse_command
from replays import store
from replays.annotations import Predictions, read_drawing
from replays.events import events_of
from replays.faults import count_faults
from replays.playback import game_from, play_moves, result_of, start_of, stderr_of
from replays.replay import FORMAT, VERSION, ClockName, FaultCount, Limits, Move, PlayerInfo, Replay, Start, Turn, encode
from replays.store import new_name
from search.warm import play_a_round

if TYPE_CHECKING:
    from hsctl.match.compiling import Show

MOST_RETRIES = 3  # of a game that the machine delays
DEAD = PlayerInfo("dead", True)  # in the seat of a player that the start doesn't name

OnTurn = Callable[[Replay, Game], None]  # the record so far, and the game that it has led to


@dataclass(frozen=True)
class GameTask:
    """A game to be played, on any machine."""

    players: tuple[PlayerText | None, ...]  # by seat; None: dead at the start
    limits: Limits
    seed: int = 0  # of the board, and of all decisions
    bot_limits: BotLimits = ORDINARY  # of external bots
    folder: Path | None = None  # for the replay; None: it is not saved
    start: Start | None = None  # None: the board of the seed
    ends: str | None = None  # when the game ends and what it ranks by; None: as in the start, or as in the arena
    is_teamed: bool = False  # seats 0 and 1 are a team, 2 and 3 the other
    retries_delayed: bool = False  # play again if the machine delayed the players
    spread: float = 0.0  # agents get up to this share more or fewer nodes in each decision, by the seed
    past: Past | None = None  # the turns that were played before
    seating: tuple[int, ...] = ()  # the number of the player in each seat, among those of a league
    block_number: int = 0  # the place in a league: which block, and which rotation of the seats
    rotation: int = 0
    seat_identities: tuple[SeatIdentity, ...] = ()  # under which a ledger keeps the game; empty: none does

    @property
    def living(self) -> list[PlayerText]:
        return [player for player in self.players if player is not None]

    @property
    def agents(self) -> list[str]:
        """Those among the players, by name."""
        return agents_among(self.living)

    @property
    def names(self) -> list[str]:
        """Names of the players, the dead included, by seat."""
        return [info_of_dead(self, at).spec if each is None else each.name for at, each in enumerate(self.players)]

    @property
    def label(self) -> str:
        """What the file of its replay is named after."""
        is_on = self.past is not None and self.past.parent is not None
        where = f"on from turn {self.past.turn}" if is_on and self.past else f"seed {self.seed}"
        return f"{' '.join(self.names)} {where}"

    @property
    def clock(self) -> ClockName | None:
        """By which players think: wall or cpu; None if nodes limit all of them."""
        return clock_of([player.spec for player in self.living], self.limits)

    @cached_property
    def identity(self) -> Identity:
        """Under which a ledger keeps the game."""
        return Identity(
            self.seed,
            self.seat_identities,
            self.limits,
            is_teamed=self.is_teamed,
            ends=self.ends or ARENA,
            hsctl=version_of_game(self.living, self.limits),
            **asdict(self.bot_limits),
        )

    @cached_property
    def key(self) -> str:
        return self.identity.key


def agents_among(players: Iterable[PlayerText]) -> list[str]:
    return [player.spec.name for player in players if player.spec is not None]


def info_of_dead(task: GameTask, seat: int) -> PlayerInfo:
    return task.past.players[seat] if task.past is not None else DEAD


def new_game(task: GameTask) -> Game:
    """The position in which the game begins, before the turns that were played before."""
    if task.past is not None:
        return game_from(task.past.replay.start)
    game = Game.start(task.seed, len(task.players)) if task.start is None else game_from(task.start)
    game.ends = task.ends or game.ends
    return in_teams(game) if task.is_teamed else game


def seats_of(task: GameTask) -> list[Seat]:
    """All players, ready for their first turn."""
    ready = iter(warm_seats(task.living, task.bot_limits))
    return [AbsentSeat(info_of_dead(task, at)) if each is None else next(ready) for at, each in enumerate(task.players)]


def warm_up(
    players: Sequence[PlayerText],
    announce: Callable[[str], None],
    is_playing_here: bool,
    show: "Show | None" = None,
    bot_limits: BotLimits = ORDINARY,
) -> None:
    """Build bots that are given as source, compile what agents need, and report or show it; load everything if games
    are played in this process."""
    from hsctl.match.compiling import compile_for

    for player in players:
        if player.is_bot:
            program_words(parse_command(player.text), announce)
    compile_for(agents_among(players), announce, show)
    if is_playing_here:
        play_a_round()
        for at, player in enumerate(players):
            if player.spec is not None:
                warm_seat(players[:at].count(player), player, bot_limits)


# Playing


def play(task: GameTask, on_turn: OnTurn | None = None) -> GameResult:
    """Play a game, if its players are still those of its identity.

    A game that the machine delayed is played again, as long as that halves the delays. The least delayed one counts.
    """
    for player, seat_identity in zip(task.living if task.seat_identities else (), task.seat_identities, strict=True):
        check_digest(player, seat_identity.digest, task.bot_limits)
    retries = 0
    replay, result = play_once(task, on_turn)
    while task.retries_delayed and result.is_delayed and retries < MOST_RETRIES:
        retries += 1
        again = play_once(task, on_turn)
        is_worthwhile = again[1].delays.share <= result.delays.share / 2  # else the machine stays busy
        if again[1].is_less_delayed_than(result):
            replay, result = again
        if not is_worthwhile:
            break
    return replace(result, retries=retries, encoded=None if task.folder is None else encode(replay))


def play_once(
    task: GameTask, on_turn: OnTurn | None = None, seats: Sequence[Seat] | None = None
) -> tuple[Replay, GameResult]:
    """Play a game in this process, whatever delays it; its replay comes with the result. `seats`: its players."""
    seats = seats_of(task) if seats is None else seats
    with varied(seats, task.spread):
        replay, result = play_game(seats, new_game(task), task.limits, task.seed, on_turn, task.past)
    seating = task.seating or result.seating
    return replay, replace(result, task=task, seating=seating, block_number=task.block_number, rotation=task.rotation)


def save_replay(result: GameResult) -> GameResult:
    """Save the replay of a game that no ledger keeps, under a new name each time."""
    assert result.task is not None
    path = store_replay(result.task.folder, new_name(result.task.label), result.encoded)
    return replace(result, replay=path, encoded=None)


def store_replay(folder: Path | None, name: str, encoded: bytes | None) -> Path | None:
    """Where the replay is now; None if it is not to be saved."""
    if folder is None or encoded is None:
        return None
    store.save(folder / name, encoded)
    return folder / name


def play_game(
    seats: Sequence[Seat],
    game: Game,
    limits: Limits,
    seed: int,
    on_turn: OnTurn | None = None,
    past: Past | None = None,
) -> tuple[Replay, GameResult]:
    """Play a game to its end, or on from where its `past` ends. `game`, its start, is changed; `seed` is that of all
    decisions; `on_turn` is called before the first turn, and after each, when no player's clock runs."""
    start, log = start_of(game), GameLog(len(seats))
    turns: list[Turn] = []
    replay = Replay(FORMAT, VERSION, __version__, seed, start, [], limits, turns, result_of(game))
    replay.parent = None if past is None else past.parent
    reliving = None if past is None else Reliving(past)
    started = time.perf_counter()
    with all_seated(seats), collector_at_rest():
        for at in game.living:
            seats[at].begin(game, at, seed, limits)
        turns += reliving.lead(seats, game, log.follow) if reliving else []
        replay.players, replay.result = infos_of(seats, past), result_of(game)
        if on_turn is not None:
            on_turn(replay, game)
        while not game.is_over:
            before = game.copy()
            turns.append(play_turn(seats, game, limits, log, is_first=not turns, past=past))
            log.follow(before, turns[-1].moves, game)
            if on_turn is not None:
                replay.result = result_of(game)
                on_turn(replay, game)
            gc.collect(1)
    replay.players, replay.result = infos_of(seats, past), result_of(game)
    result = log.finish(game, seed, len(turns), round(time.perf_counter() - started, 6))
    faithful = [info.faithful_turns for info in replay.players]
    return replay, replace(
        result,
        first_turn=start.turn,
        course=replay.course,
        faithful_turns=[] if faithful.count(None) == len(faithful) else faithful,
        strays=reliving.strays if reliving else [],
        fork=fork_of(past.replay, replay) if past else None,
    )


def infos_of(seats: Sequence[Seat], past: Past | None) -> list[PlayerInfo]:
    """The players as the replay names them: those that ran only because of --trust stay foreign."""
    infos = [seat.info for seat in seats]
    foreign = past.foreign if past is not None else frozenset[int]()
    return [with_fields(info, is_foreign=True) if at in foreign else info for at, info in enumerate(infos)]


@contextmanager
def all_seated(seats: Sequence[Seat]) -> Iterator[None]:
    """Bots on cores of their own, where there are enough; every player ended when it is over."""
    bots = [seat for seat in seats if isinstance(seat, BotSeat)]
    with cores_apart(len(bots)) as cores:
        for bot, core in zip(bots, cores, strict=True):
            bot.core = core
        try:
            yield
        finally:
            for seat in seats:
                seat.end()


@contextmanager
def collector_at_rest() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def play_turn(
    seats: Sequence[Seat], game: Game, limits: Limits, log: "GameLog", is_first: bool, past: Past | None = None
) -> Turn:
    """Ask every living player, people last so that no player's thinking follows theirs; then play the round."""
    sent = digest(game)
    moves: list[Move | None] = [None] * len(seats)
    living = game.living
    for at in sorted(living, key=lambda at: names_person(seats[at].info.spec)):
        act = seats[at].act(game, limits, is_first)
        moves[at] = act.move
        is_given = past is not None and past.overrule(game, at, act.move)
        if act.is_followed and not is_given:
            seats[at].info.faithful_turns = (seats[at].info.faithful_turns or 0) + 1
        log.add(at, act, is_first)
    play_moves(game, moves)
    for at in set(living) - set(game.living):
        seats[at].end()
    return Turn(sent, moves)


class GameLog:
    """What happened to each seat while a game was played, as far as its last position doesn't show it."""

    def __init__(self, seats: int) -> None:
        self.fates: list[Fate | None] = [None] * seats
        self.bombs = [0] * seats
        self.times_ms = [array("d") for _ in range(seats)]  # of every turn, also where the replay has none
        self.late: list[Counter[str]] = [Counter() for _ in range(seats)]  # turns, by culprit
        self.beyond_ms = [0.0] * seats  # CPU time above the time of the turns
        self.depths = [0] * seats  # of the searches of all turns, added up
        self.nodes = [0] * seats  # of all turns
        self.delayed = [0] * seats  # turns, by the machine
        self.has_first = [False] * seats  # whether the first turn was played here
        self.faults: list[dict[str, FaultCount]] = [{} for _ in range(seats)]
        self.slow_starts: list[SlowStart | None] = [None] * seats
        self.predictions = Predictions()
        self.misdrawn: list[Misdrawn | None] = [None] * seats

    @property
    def thinking(self) -> tuple[Sequence[Any], ...]:
        """By seat, in the order of what `thinking_of` takes."""
        return self.times_ms, self.late, self.beyond_ms, self.has_first, self.depths, self.nodes, self.delayed

    def add(self, seat: int, act: Act, is_first: bool) -> None:
        """Note what a turn took; the CPU time of the first includes the start."""
        self.times_ms[seat].append(act.ms)
        self.has_first[seat] |= is_first
        self.slow_starts[seat] = self.slow_starts[seat] or act.slow_start
        if act.move.thought is not None:
            self.depths[seat] += act.move.thought.depth
            self.nodes[seat] += min(max(0, act.move.thought.nodes), MOST_NODES)  # user agents may claim anything
        self.delayed[seat] += act.is_delayed
        if act.move.late is not None:
            self.late[seat][act.move.late.culprit] += 1
        if act.cpu_ms is not None and not is_first:
            self.beyond_ms[seat] += act.cpu_ms - act.ms

    def follow(self, before: Game, moves: Sequence[Move | None], after: Game) -> None:
        """Note bombs dropped, silent faults and deaths of a turn."""
        for seat, move in enumerate(moves):
            count_faults(self.faults[seat], before, seat, move)
        said = stderr_of(moves)
        self.predictions.follow(said, after)
        self.misdrawn = [add_drawing(*each, before.turn) for each in zip(self.misdrawn, said, strict=True)]
        for bomb in after.bombs:
            self.bombs[bomb.owner] += bomb.timer == FUSE
        if before.living != after.living:
            for event in events_of(before, moves):
                if isinstance(event, Death):
                    move = moves[event.player]
                    culprit = move.late.culprit if move and move.late and move.failure else ""
                    self.fates[event.player] = fate_of(before.turn, event, culprit)

    def finish(self, game: Game, seed: int, turns: int, seconds: float) -> GameResult:
        """The game with the players numbered by their seats."""
        return GameResult(
            seed,
            tuple(range(game.seats)),
            game.ranks(),
            game.boxes,
            self.bombs,
            self.fates,
            list(map(thinking_of, *self.thinking)),
            turns,
            game.reason or "",
            seconds,
            team_size_of(game),
            faults=self.faults,
            foresight=[foresight_of(self.predictions, seat) for seat in range(game.seats)],
            misdrawn=self.misdrawn,
            slow_starts=self.slow_starts,
        )


def team_size_of(game: Game) -> int:
    return MATES if isinstance(game, TeamGame) else 1


def foresight_of(predictions: Predictions, seat: int) -> Foresight | None:
    """None if the player made no predictions."""
    checked, wrong = predictions.checked.get(seat, 0), predictions.count_wrong(seat)
    first = predictions.first_wrong(seat)
    return Foresight(checked, wrong, first.describe() if first else "") if checked or wrong else None


def add_drawing(so_far: Misdrawn | None, stderr: str, turn: int) -> Misdrawn | None:
    """The drawing lines that can't be read, with those of one more turn."""
    drawing = read_drawing(stderr)
    if not drawing.wrong:
        return so_far
    if so_far is None:
        return Misdrawn(drawing.wrong, f"turn {turn}: {drawing.first_wrong}")
    return replace(so_far, count=so_far.count + drawing.wrong)
