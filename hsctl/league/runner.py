"""Blocks of games, each played once: hsctl reads those in the ledger, plays the others and files them.

    league = League(tuple(read_league(["beam", "mcts"])), Limits(nodes=1000))
    with Ledger(path) as ledger:
        for game in run_blocks(league, blocks, ledger, play_here(league, jobs, print)):      # in order of completion
            ...
        for block in whole_blocks(run_blocks(...)):                           # in order of the blocks
            ...

The caller chooses where games are played: in worker processes here (`play_here`), or on a cluster (cluster.py). Workers
only play. The process that runs the league writes replays and rows, each replay before its row, under a name that
depends only on the game. So whenever it is killed, playing the same games again leaves the same files and rows. It
claims each game in the ledger first; games that another process claimed come from the ledger later.
"""

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import chain

from msgspec.structs import asdict

from engine.variants import MATES
from hsctl.league.games import Block, League, tasks_of
from hsctl.league.ledger import Ledger, Row, new_row
from hsctl.match.compiling import Progress, is_worth_workers, ready_first
from hsctl.match.cores import usual_jobs
from hsctl.match.pool import run_games
from hsctl.match.result import GameResult
from hsctl.match.runner import GameTask, play, store_replay, warm_up
from replays.store import fixed_name
from search.spec import AGENTS
from search.warm import compile_part, missing_parts, play_a_round

LOOK_S = 1.0  # between two looks at games that other processes play
NAME_DIGITS = 12  # of a game's key in the name of its replay

Runner = Callable[[Iterator[list[GameTask]]], Generator[GameResult]]  # each list: what a block lacks


def play_here(league: League, wanted: int | None, announce: Callable[[str], None]) -> Runner:
    """Warm worker processes on this machine, None: as many as it can hold; with one job, this process."""

    def run(blocks: Iterator[list[GameTask]]) -> Generator[GameResult]:
        jobs = wanted or usual_jobs(league.clock, announce)
        tasks = chain.from_iterable(blocks)
        if jobs > 1 and is_untimed(league) and is_worth_workers(league.agents):
            return (yield from play_while_compiling(tasks, league.agents, jobs, announce))
        warm_up(league.players, announce, is_playing_here=jobs == 1, bot_limits=league.bot_limits)
        return (yield from run_games(tasks, jobs, play))

    return run


def is_untimed(league: League) -> bool:
    """Whether no player has a clock, so that other work on the cores doesn't matter."""
    return league.clock is None and all(player.spec and player.spec.name in AGENTS for player in league.players)


def play_while_compiling(
    tasks: Iterator[GameTask], agents: list[str], jobs: int, announce: Callable[[str], None]
) -> Generator[GameResult]:
    """Whoever has nothing left to compile begins to play, first the games of agents that are ready."""
    parts = missing_parts(agents)
    announce(Progress(parts, min(jobs, len(parts))).announcement)
    games: Iterator[GameTask] = ready_first(tasks, lambda task: task.agents)
    work: Iterator[str | GameTask] = chain(parts, games)
    with closing(run_games(work, jobs, compile_or_play)) as results:
        for result in results:
            if result is not None:
                yield result


def compile_or_play(task: str | GameTask) -> GameResult | None:
    """A part is compiled, and that is all; a game is played as soon as its agents are ready."""
    if isinstance(task, str):
        compile_part(task)
        return None
    play_a_round()
    return play(task)


def run_blocks(league: League, blocks: Iterable[Block], ledger: Ledger, runner: Runner) -> Generator[GameResult]:
    """Every game of the blocks once: immediately if the ledger has it, else when it is finished and filed.

    `blocks` may be endless: they are read as needed, and no game starts before all complete blocks in front of it that
    the ledger has were yielded. Closing the iterator ends the games that are being played.
    """
    numbered = enumerate(blocks)
    unplayed = Unplayed(league, ledger)
    for number, block in numbered:
        lacking = unplayed.take(number, block)
        if lacking or unplayed.held:
            break
        yield from unplayed.drain()
    else:
        return

    def tasks() -> Iterator[list[GameTask]]:
        yield lacking
        for number, block in numbered:
            yield unplayed.look_again()
            yield unplayed.take(number, block)

    try:
        yield from play_and_file(tasks(), unplayed, runner)
        while unplayed.held:
            if free := unplayed.look_again():
                yield from play_and_file(iter([free]), unplayed, runner)
            elif unplayed.held:
                time.sleep(LOOK_S)
        yield from unplayed.drain()
    finally:
        ledger.release()


def play_and_file(tasks: Iterator[list[GameTask]], unplayed: "Unplayed", runner: Runner) -> Iterator[GameResult]:
    results = runner(filter(None, tasks))
    try:
        for result in results:
            unplayed.collect()
            yield from unplayed.drain()
            yield file_game(unplayed.ledger, result)
        yield from unplayed.drain()
    finally:
        results.close()


class Unplayed:
    """The games of a league on their way: known from the ledger, to be played here, or being played by others."""

    def __init__(self, league: League, ledger: Ledger) -> None:
        self.league = league
        self.ledger = ledger
        self.known: deque[GameResult] = deque()
        self.held: list[GameTask] = []  # which other processes play

    def take(self, block_number: int, block: Block) -> list[GameTask]:
        """What is to be played of a block here, claimed."""
        known, lacking = look_up(self.league, self.ledger, block_number, block)
        self.known.extend(known)
        return self.claim(lacking)

    def look_again(self) -> list[GameTask]:
        """The games to play here after all, because the process that claimed them is gone."""
        held, self.held = self.held, []
        return self.claim(held)

    def claim(self, tasks: list[GameTask]) -> list[GameTask]:
        free = self.ledger.claim([task.key for task in tasks])
        self.held += tasks
        self.collect()  # games that were filed before they were claimed
        ours = [task for task in self.held if task.key in free]
        self.held = [task for task in self.held if task.key not in free]
        return ours

    def collect(self) -> None:
        """Take in the games that others have filed."""
        found = [(task, find_game(self.league, self.ledger, task)) for task in self.held]
        self.known.extend(game for _, game in found if game is not None)
        self.held = [task for task, game in found if game is None]

    def drain(self) -> Iterator[GameResult]:
        while self.known:
            yield self.known.popleft()


def look_up(league: League, ledger: Ledger, block_number: int, block: Block) -> tuple[list[GameResult], list[GameTask]]:
    """What the ledger has of a block, and what it lacks."""
    known, lacking = [], []
    for task in tasks_of(league, block_number, block):
        task = replace(task, seat_identities=tuple(league.seat_identities[player] for player in task.seating))
        game = find_game(league, ledger, task)
        if game is None:
            lacking.append(task)
        else:
            known.append(game)
    return known, lacking


def find_game(league: League, ledger: Ledger, task: GameTask) -> GameResult | None:
    """The game, if the ledger has it and it need not be played again."""
    row = ledger.find(task.identity)
    game = None if row is None else game_of(task, row, is_new=False)
    return None if game is None or (league.replaces_delayed and game.is_delayed) else game


def game_of(task: GameTask, row: Row, is_new: bool) -> GameResult:
    """The game as the ledger has it."""
    return GameResult(
        seed=task.seed,
        seating=task.seating,
        **asdict(row.outcome),
        team_size=MATES if task.is_teamed else 1,
        replay=row.replay,
        block_number=task.block_number,
        rotation=task.rotation,
        is_new=is_new,
    )


def file_game(ledger: Ledger, game: GameResult) -> GameResult:
    """Save the replay, then the row: a row never names a file that doesn't exist.

    If another process filed the same game in the meantime, its row and replay stay, unless the machine delayed
    that one more.
    """
    task = game.task
    assert task is not None and task.seat_identities

    def make() -> Row:
        name = fixed_name(task.label, task.key[:NAME_DIGITS])
        return new_row(task.identity, game, store_replay(task.folder, name, game.encoded))

    def keeps(row: Row) -> bool:
        filed = game_of(task, row, is_new=False)
        return not (filed.is_delayed and game.is_less_delayed_than(filed))

    row = ledger.file(task.identity, make, keeps)
    return replace(game_of(task, row, is_new=True), slow_starts=game.slow_starts)


def whole_blocks(games: Iterable[GameResult]) -> Iterator[list[GameResult]]:
    """The games block by block, in order of the blocks, whichever finished first.

    A test that may stop after any block must not see short games before long ones.
    """
    begun: dict[int, list[GameResult]] = {}
    next_block = 0
    for game in games:
        begun.setdefault(game.block_number, []).append(game)
        while next_block in begun and len(begun[next_block]) == len(begun[next_block][0].seating):
            yield begun.pop(next_block)
            next_block += 1
