"""Timing in short slices, the best of many, all tasks taking turns; and the positions that are measured.

A slice of a few milliseconds often runs undisturbed, half a second never does. A task does the same work in every
slice, so its shortest time is its cost; by taking turns, all tasks meet the same good and bad moments.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter_ns
from typing import NamedTuple

import numpy as np

from engine.errors import HsctlError
from engine.game import Game
from engine.notation import parse_position
from engine.position import boxes_on
from engine.state import copy_state
from hsctl.behaviour import MIDGAMES
from hsctl.files import read_text

SLICE_NS = 3_000_000
MOST = 1 << 30  # a slice never does more


@dataclass
class Task:
    """Something done `count` times per call, and the shortest time it took."""

    run: Callable[[int], object]
    count: int = 1  # in a slice
    best_ns: float = field(default=float("inf"))

    def time(self) -> int:
        """Run one slice; nanoseconds."""
        started = perf_counter_ns()
        self.run(self.count)
        return perf_counter_ns() - started

    def calibrate(self) -> None:
        """Find the count that fills a slice. The first call isn't timed, because it may compile."""
        self.run(self.count)
        while (taken := min(self.time(), self.time())) < SLICE_NS // 4 and self.count < MOST:
            self.count *= 2
        self.count = max(1, self.count * SLICE_NS // max(taken, 1))

    def measure(self) -> None:
        self.best_ns = min(self.best_ns, self.time() / self.count)


def measure(tasks: Iterable[Task], rounds: int, on_round: Callable[[], None]) -> None:
    """Measure all tasks in turn, `rounds` times."""
    tasks = list(tasks)
    for task in tasks:
        task.calibrate()
    for _ in range(rounds):
        for task in tasks:
            task.measure()
        on_round()


def mean(values: Iterable[float]) -> float:
    values = list(values)
    return sum(values) / len(values)


# Positions: midgames of 2, 3 and 4 players, or those in files that the user names.


class Measured(NamedTuple):
    """A position to measure from."""

    players: int  # living
    state: np.record
    map: np.record


def measured_from(game: Game) -> Measured:
    """A game's position, with players renamed so that player 0 is alive (their numbers never matter)."""
    living = game.living
    if len(living) < 2:
        raise HsctlError(f"{len(living)} living players: a position needs 2 to 4")
    if 0 not in living:
        game = exchange(game, 0, living[0])
    return Measured(len(living), game.state, game.map)


def exchange(game: Game, one: int, other: int) -> Game:
    """The same position with two players swapped."""
    names = {one: other, other: one}
    boxes = boxes_on(game.state, game.map)
    players = [player._replace(id=names.get(player.id, player.id)) for player in game.players()]
    bombs = [bomb._replace(owner=names.get(bomb.owner, bomb.owner)) for bomb in game.bombs]
    return Game.build(boxes, players, bombs, game.items, seats=game.seats, turn=game.turn)


def midgames() -> list[Measured]:
    return [measured_from(parse_position(text)) for text in MIDGAMES.values()]


def read_positions(paths: list[Path]) -> list[Measured]:
    """The positions in files, each in the arena's text format."""
    return [read_position(path) for path in paths]


def read_position(path: Path) -> Measured:
    text = read_text(path, "a file with a position in the arena's text")
    try:
        return measured_from(parse_position(text))
    except HsctlError as error:
        raise HsctlError(f"{path}: {error}") from None


class Recorded(NamedTuple):
    """A position of a recorded game, and the one before it, from which some agents learn."""

    name: str
    before: np.record
    state: np.record
    map: np.record


# Two games as far as they matter, a digit for each action. GAMES has their seeds, seats and turns of interest.
# beam mcts --seed 11 --nodes 60000
GAME_2 = (
    "418720000304030000109941914349010102418035303227238332222156050419114193732389377727424363149349141176062590"
    "413147132418658337772843914246762890432166863666161621449327273338121712171725202244401024222222202228250000"
    "001003212101010100000001"
)
# beam mcts rhea beam:paper --seed 12 --nodes 40000
GAME_4 = (
    "411385552000020000200000034004040302103144134113810537702200032000000014040403221041403399684103311423422342"
    "503500401401130149834403723722225325344433447407730748630010914820822212611611011011240223011352332486443004"
    "41482962206739039139605712423324332599804983713106067144312484280423057800431391589111911641139340139413"
)
GAMES = (
    (11, 2, {10: "2 early", 60: "2 middle", 120: "2 late"}, GAME_2),
    (12, 4, {10: "4 early", 40: "4 middle", 80: "4 late"}, GAME_4),
)


def recorded_positions() -> list[Recorded]:
    """Early, in the middle and late in a game of two and in one of four players."""
    found = []
    for seed, seats, turns, actions in GAMES:
        game = Game.start(seed, seats)
        for at in range(0, len(actions), seats):
            before = copy_state(game.state)
            game.step([int(action) for action in actions[at : at + seats]])
            if game.turn in turns:
                found.append(Recorded(turns[game.turn], before, copy_state(game.state), game.map))
    return found
