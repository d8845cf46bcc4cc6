"""Blocks of games, played once: what the ledger has is read, what it lacks is played and filed.

    league = League(tuple(read_league(["beam", "mcts"])), Limits(nodes=1000))
    with Ledger(path) as ledger:
        for game in run_blocks(league, blocks, ledger, play_here(league, jobs, print)):      # in order of completion
            ...
        for block in whole_blocks(run_blocks(...)):                           # in order of the blocks
            ...

Who plays is a choice of the caller: worker processes here (`play_here`), or a cluster (cluster.py). Workers only
play; replays and rows are written by the process that runs the league, each replay before its row, under a name that
depends on the game alone. So whenever it is killed, the same games played again leave the same files and rows.
"""

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from engine.errors import HsctlError
from engine.teams import MATES
from hsctl.arena.match import Tally
from hsctl.arena.players import FEWEST, PlayerText, names_of, read_player, read_teams, team_names
from hsctl.league.identity import Identity, Sitting, check_digest, sittings_of
from hsctl.league.ledger import Fate, Ledger, Outcome, Row, Thinking, new_row
from hsctl.league.lineups import Block
from hsctl.league.pool import run_games
from hsctl.league.series import GameTask, Match, play, warm_seats, warm_up
from hsctl.stats.score import cause_of
from replays.replay import Limits, encode, write_bytes
from replays.store import fixed_name

NAME_DIGITS = 12  # of a game's key in the name of its replay


@dataclass(frozen=True)
class League:
    """Who plays, and what all games share."""

    players: tuple[PlayerText, ...]
    limits: Limits
    folder: Path | None = None  # for the replays; None: they aren't kept
    memory_mb: int | None = None
    is_teamed: bool = False  # players 0 and 1 are a team, 2 and 3, ...

    @cached_property
    def sittings(self) -> list[Sitting]:
        return sittings_of(self.players, MATES if self.is_teamed else 1)

    @property
    def names(self) -> list[str]:
        """Of those that are rated: players, or teams."""
        return team_names(self.players) if self.is_teamed else names_of(self.players)


@dataclass(frozen=True)
class LeagueTask:
    """A game to be played, on any machine; its number is that of its block."""

    block: Block
    game: GameTask
    identity: Identity
    is_kept: bool  # whether its replay is wanted


@dataclass(frozen=True)
class Finished:
    """What a worker sends back."""

    task: LeagueTask
    outcome: Outcome
    replay: bytes | None


@dataclass(frozen=True)
class LeagueGame:
    """A finished game of a block: `seating` tells which player of the league sat in each seat, `row` how it went."""

    number: int  # of its block
    block: Block
    seating: tuple[int, ...]
    row: Row
    is_new: bool  # not from the ledger
    rotation: int = 0  # of the seats


Runner = Callable[[Iterator[list[LeagueTask]]], Generator[Finished]]  # lists hold what a block still lacks


def read_league(texts: Sequence[str], is_teamed: bool = False) -> list[PlayerText]:
    """Check all players, or teams, before anything starts; there may be more than sit in one game."""
    if len(texts) < FEWEST:
        what = "team" if is_teamed else "player"
        raise HsctlError(f"{len(texts)} {what if len(texts) == 1 else f'{what}s'}: expected {FEWEST} or more")
    return read_teams(texts) if is_teamed else [read_player(text) for text in texts]


# Playing


def play_here(league: League, jobs: int, announce: Callable[[str], None]) -> Runner:
    """Warm worker processes on this machine; with one job, this process."""

    def run(blocks: Iterator[list[LeagueTask]]) -> Generator[Finished]:
        warm_up(Match(league.players, league.limits, memory_mb=league.memory_mb), announce, is_playing_here=jobs == 1)
        return (yield from run_games(chain.from_iterable(blocks), jobs, play_league_task))

    return run


def play_league_task(task: LeagueTask) -> Finished:
    """Play one game, if the players are still those that it is to be filed under."""
    seated = [task.game.match.players[number] for number in task.game.seating]
    for player, sitting in zip(seated, task.identity.seats, strict=True):
        check_digest(player, sitting.digest)
    warm_seats(task.game.match)  # not counted as time of the game
    started = time.perf_counter()
    played = play(task.game)
    seconds = time.perf_counter() - started
    result, turns = played.replay.result, len(played.replay.turns)
    outcome = Outcome(
        result.ranks,
        result.boxes,
        played.tally.bombs,
        [fate_of(played.tally, seat) for seat in range(len(seated))],
        [thinking_of(times) for times in played.tally.times_ms],
        turns,
        result.reason,
        round(seconds, 6),
    )
    return Finished(task, outcome, encode(played.replay) if task.is_kept else None)


def fate_of(tally: Tally, seat: int) -> Fate | None:
    if seat not in tally.deaths:
        return None
    turn, death = tally.deaths[seat]
    return Fate(turn, cause_of(death), death.failure, death.detail)


def thinking_of(times_ms: Sequence[float]) -> Thinking:
    return Thinking(len(times_ms), round(sum(times_ms), 3), round(max(times_ms, default=0.0), 3))


# Running


def run_blocks(league: League, blocks: Iterable[Block], ledger: Ledger, runner: Runner) -> Generator[LeagueGame]:
    """Every game of the blocks once: at once if the ledger has it, else when it is finished and filed.

    `blocks` may be endless: they are read as games are needed, and no game is begun before all whole blocks that the
    ledger has in front of it were yielded. Closing the iterator ends the games that are being played.
    """
    numbered = enumerate(blocks)
    waiting: deque[LeagueGame] = deque()
    for number, block in numbered:
        known, lacking = look_up(league, ledger, number, block)
        waiting.extend(known)
        if lacking:
            break
        yield from drain(waiting)
    else:
        return

    def tasks() -> Iterator[list[LeagueTask]]:
        yield lacking
        for number, block in numbered:
            known, more = look_up(league, ledger, number, block)
            waiting.extend(known)
            if more:
                yield more

    results = runner(tasks())
    try:
        for finished in results:
            yield from drain(waiting)
            yield file_game(league, ledger, finished)
        yield from drain(waiting)
    finally:
        results.close()


def drain(games: deque[LeagueGame]) -> Iterator[LeagueGame]:
    while games:
        yield games.popleft()


def look_up(league: League, ledger: Ledger, number: int, block: Block) -> tuple[list[LeagueGame], list[LeagueTask]]:
    """What the ledger has of a block, and what it lacks."""
    known, lacking = [], []
    seated = tuple(league.players[player] for player in block.lineup)
    match = Match(seated, league.limits, memory_mb=league.memory_mb, is_teamed=league.is_teamed)
    for rotation in range(len(block.lineup)):
        task = task_of(league, block, GameTask(match, number, block.seed, rotation))
        row = ledger.find(task.identity)
        if row is None:
            lacking.append(task)
        else:
            known.append(game_of(task, row, is_new=False))
    return known, lacking


def task_of(league: League, block: Block, game: GameTask) -> LeagueTask:
    seats = tuple(league.sittings[block.lineup[player]] for player in game.seating)
    identity = Identity(block.seed, seats, league.limits, league.memory_mb, league.is_teamed)
    return LeagueTask(block, game, identity, league.folder is not None)


def game_of(task: LeagueTask, row: Row, is_new: bool) -> LeagueGame:
    seating = tuple(task.block.lineup[player] for player in task.game.seating)
    return LeagueGame(task.game.number, task.block, seating, row, is_new, task.game.rotation)


def file_game(league: League, ledger: Ledger, finished: Finished) -> LeagueGame:
    """The replay first, then the row: a row never names a file that isn't there.

    If another process filed the same game meanwhile, its row and replay stay.
    """
    identity, path = finished.task.identity, None
    if (known := ledger.find(identity)) is not None:
        return game_of(finished.task, known, is_new=True)
    if league.folder is not None and finished.replay is not None:
        texts = " ".join(sitting.spec for sitting in identity.seats)
        path = league.folder / fixed_name(f"{texts} seed {identity.seed}", identity.key[:NAME_DIGITS])
        write_bytes(path, finished.replay)
    row = ledger.add(new_row(identity, finished.outcome, path))
    return game_of(finished.task, row, is_new=True)


def whole_blocks(games: Iterable[LeagueGame]) -> Iterator[list[LeagueGame]]:
    """The games block by block, in order of the blocks, whichever finished first.

    A test that may stop after any block must not see short games before long ones.
    """
    begun: dict[int, list[LeagueGame]] = {}
    turn = 0
    for game in games:
        begun.setdefault(game.number, []).append(game)
        while turn in begun and len(begun[turn]) == len(begun[turn][0].seating):
            yield begun.pop(turn)
            turn += 1
