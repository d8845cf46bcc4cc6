"""Rows to learn from: every fourth position of a game, with what the model weighs and how the game ended."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from engine.cells import count_cells
from engine.game import LAST_BOX_ROUNDS
from engine.rules import play_round
from engine.state import MAX_PLAYERS, MAX_TURNS
from hsctl.research.winning.lineups import is_unseen
from replays.playback import game_from
from replays.replay import Replay, Turn
from search.winning.features import LEFT, SCORED
from search.winning.model import JudgeMemory, judge, new_judge_memory, new_weights
from search.winning.places import ABSENT

EVERY = 4  # turns
NO_RANK = 0  # of a seat that nobody has


class Rows(NamedTuple):
    """Positions in which at least two players live, as arrays with one row each."""

    terms: np.ndarray  # [row, player, term]
    living: np.ndarray  # [row, player]
    scored: np.ndarray  # [row, player]
    ranks: np.ndarray  # [row, player], at the end of the game
    left: np.ndarray  # boxes that known bombs leave: the model's phase
    boxes: np.ndarray  # boxes on the board
    turn: np.ndarray
    seats: np.ndarray
    seed: np.ndarray  # of the board
    game: np.ndarray  # number of the game
    has_unseen: np.ndarray  # whether a player plays that no training game has

    def of(self, chosen: np.ndarray) -> "Rows":
        """Some of the rows."""
        return Rows(*(column[chosen] for column in self))

    @property
    def games(self) -> int:
        return len(np.unique(self.game))


def rows_of(replays: Iterable[Replay]) -> Rows:
    """The rows of games."""
    memory = new_judge_memory(new_weights())
    rows = [row for number, replay in enumerate(replays) for row in rows_of_game(replay, number, memory)]
    return Rows(*(np.array(column) for column in zip(*rows, strict=True)))


def rows_of_game(replay: Replay, number: int, memory: JudgeMemory) -> Iterator[tuple[Any, ...]]:
    """The rows of one game, which is played again without being checked."""
    game, seed = game_from(replay.start), replay.seed or 0
    state, map_, counter = game.state, game.map, LAST_BOX_ROUNDS
    values = np.full(MAX_PLAYERS, ABSENT, np.int64)
    ranks = np.full(MAX_PLAYERS, NO_RANK)
    ranks[: game.seats] = replay.result.ranks
    has_unseen = any(is_unseen(info.spec) for info in replay.players)
    for turn in replay.turns:
        boxes, left = int(count_cells(state.boxes)), MAX_TURNS - int(state.turn)
        living = state.players != 0
        if (int(state.turn) + seed) % EVERY == 0 and living.sum() > 1:
            judge(state, map_, left if boxes else min(left, counter), values, memory)
            terms, features = memory.terms * living[:, None], memory.features.features
            scored, open_boxes = features[:, SCORED].copy(), features[living, LEFT].max()
            common = (open_boxes, boxes, int(state.turn), game.seats, seed, number, has_unseen)
            yield (terms.astype(np.float32), living, scored, ranks, *common)
        play_turn(state, map_, turn)
        counter -= not count_cells(state.boxes)


def play_turn(state: np.record, map_: np.record, turn: Turn) -> None:
    """A recorded round; a player that was eliminated for an error goes first."""
    actions = 0
    for player, move in enumerate(turn.moves):
        if move is not None and move.action is None:
            state.players[player] = 0
        elif move is not None:
            actions |= int(move.action or 0) << 4 * player
    play_round(state, map_, np.uint64(actions))
