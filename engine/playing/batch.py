"""Many independent games stepped together: what a learner or a sweep needs.

    batch = Batch.of(games, threads=2)
    batch.step(pack_actions(actions))        # [game, seat] of actions; one round of every game
    batch.states["players"] != 0             # who lives; every field is an array over the games

The games lie behind one another in memory, each with a map of its own, and a round of all of them is one call of a
kernel. Kernels hold no lock of Python's, so plain threads share a batch, each a piece of it: no game ever waits for
another, and the outcome doesn't depend on how many threads there are.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from engine.errors import HsctlError
from engine.game import Game
from engine.jit import entry
from engine.rules import ACTIONS, legal_actions, step
from engine.state import MAP, MAX_PLAYERS, STATE

PIECE = 1024  # games for a thread at least: for fewer, waking it takes longer than playing them


@entry
def step_games(states, maps, joints, first, last):
    """One round of the games from `first` to before `last`; joints are the packed actions of each."""
    for game in range(first, last):
        step(states[game], maps[game], joints[game])


@entry
def find_legal(states, legal):
    """The legal actions of every player in every game, ten bits each; 0 for the dead. legal: [game, seat]."""
    for game in range(len(states)):
        for player in range(MAX_PLAYERS):
            legal[game, player] = legal_actions(states[game], player)


def pack_actions(actions: np.ndarray) -> np.ndarray:
    """Actions 0 to 9 of up to four seats, [game, seat], as one word for each game. What the dead do doesn't matter."""
    actions = np.asarray(actions)
    if actions.ndim != 2 or actions.shape[1] > MAX_PLAYERS or actions.dtype.kind not in "iu":
        raise HsctlError(f"actions of shape {actions.shape} and type {actions.dtype}, expected integers [game, seat]")
    if actions.size and not 0 <= actions.min() <= actions.max() < ACTIONS:
        raise HsctlError(f"actions from {actions.min()} to {actions.max()}, expected 0 to {ACTIONS - 1}")
    shifts = 4 * np.arange(actions.shape[1], dtype=np.uint64)
    return np.bitwise_or.reduce(actions.astype(np.uint64) << shifts, axis=1)


class Batch:
    """States and maps of many games, stepped in place by up to so many threads."""

    def __init__(self, states: np.ndarray, maps: np.ndarray, threads: int = 1) -> None:
        if states.dtype != STATE or maps.dtype != MAP or states.ndim != 1 or states.shape != maps.shape:
            raise HsctlError("expected as many maps as states, each in an array of its own record type")
        if threads < 1:
            raise HsctlError(f"{threads} threads, expected at least 1")
        self.states = states
        self.maps = maps
        count = max(1, min(threads, len(states) // PIECE))
        self.pieces = [len(states) * k // count for k in range(count + 1)]
        self.helpers = ThreadPoolExecutor(count - 1) if count > 1 else None

    @classmethod
    def of(cls, games: Sequence[Game], threads: int = 1) -> "Batch":
        """The positions of these games, copied."""
        states, maps = np.zeros(len(games), STATE), np.zeros(len(games), MAP)
        for at, game in enumerate(games):
            states[at], maps[at] = game.state, game.map
        return cls(states, maps, threads)

    def __len__(self) -> int:
        return len(self.states)

    def step(self, joints: np.ndarray) -> None:
        """Play one round of every game. joints: one word of packed actions for each (`pack_actions`)."""
        if joints.shape != self.states.shape or joints.dtype != np.uint64:
            raise HsctlError(f"{joints.dtype} of shape {joints.shape}, expected a uint64 for each of {len(self)} games")
        self.share(lambda first, last: step_games(self.states, self.maps, joints, first, last))

    def share(self, work: Callable[[int, int], object]) -> None:
        """Have all games worked on, by each thread a piece of them: `work` is given its first game and its end."""
        pieces = list(zip(self.pieces, self.pieces[1:], strict=False))
        waiting = [self.helpers.submit(work, *piece) for piece in pieces[1:]] if self.helpers else []
        work(*pieces[0])
        for piece in waiting:
            piece.result()

    def legal(self) -> np.ndarray:
        """The legal actions of everybody now: [game, seat] of ten bits, 0 for the dead."""
        legal = np.zeros((len(self), MAX_PLAYERS), np.uint16)
        find_legal(self.states, legal)
        return legal
