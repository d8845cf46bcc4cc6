"""A ghost: a player of a recorded game that repeats its moves for as long as they make sense.

    ghost:game.json#2                    player 2 of the game, by seat, name or a part of it; then beam
    ghost:game.json#2,then=mcts:c=0.7    then this agent

The file is anything that holds a whole game. The ghost follows the recording while its move is legal and can be
survived in the game as it is now. Where it can't, the agent plays, and the ghost returns to the recorded path as soon
as a way leads there:

    recorded    a  b  c  d  e  f        cells, turn by turn
    here        a  b  x  x  e  f        x: the recorded move was blocked, or deadly; from e on it follows again

In a position exactly as recorded it always follows, even into death. The order in which items are listed doesn't count.
"""

import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from engine.game import Game
from engine.notation import digest
from engine.position import Cell, Player, player_of, target_of
from engine.rules import BOMB
from engine.survival import is_survivable
from hsctl.match.past import Earlier
from hsctl.match.players import GhostText, PlayerText
from hsctl.match.seats import Act, AgentSeat
from replays.opening import open_game, seat_of
from replays.playback import Playback, is_open
from replays.replay import Limits, Move, PlayerInfo, Start

GAMES_KEPT = 8
LONGEST_WAY = 8  # turns: how far ahead a ghost looks for a way back to the recorded path
STEPS = range(5)  # stay, and the four directions


@lru_cache(GAMES_KEPT)
def open_once(path: str, changed: int) -> tuple[Playback, list[str]]:
    """The game in a file as it was changed last; several ghosts of one game open it once."""
    return open_game(Path(path))


def open_ghost(ghost: GhostText) -> tuple[Playback, int, list[str]]:
    """The game, the player's seat in it, and notes on the file."""
    path = Path(ghost.file)
    playback, notes = open_once(ghost.file, path.stat().st_mtime_ns if path.is_file() else 0)
    return playback, seat_of(ghost.player, playback.specs), notes


def start_of_ghosts(players: Sequence[PlayerText]) -> tuple[Start | None, int | None]:
    """Where the game of the first ghost began, if as many played in it, and its seed."""
    for player in players:
        if player.ghost is not None:
            playback, _, _ = open_ghost(player.ghost)
            start = playback.replay.start
            return start if start.seats == len(players) else None, playback.seed
    return None, None


def notes_on_ghosts(players: Sequence[PlayerText]) -> list[str]:
    """What to report before a game: files that differ from their record, ghosts that can't follow the recording."""
    notes = []
    for at, player in enumerate(players):
        if player.ghost is not None:
            playback, seat, found = open_ghost(player.ghost)
            notes += [f"{player.ghost.file}: {note}" for note in found]
            if (seat, playback.seats) != (at, len(players)):
                recorded = f"it was recorded in seat {seat} of {playback.seats}, and here it sits in {at} of"
                notes.append(f"{player.text} can't follow the recording: {recorded} {len(players)}")
    return list(dict.fromkeys(notes))


class GhostSeat:
    """A ghost in a seat."""

    def __init__(self, player: PlayerText) -> None:
        assert player.ghost is not None and player.spec is not None
        self.text = player.text
        self.playback, self.recorded_seat, _ = open_ghost(player.ghost)
        self.agent = AgentSeat(PlayerText(player.spec.text, player.spec))
        self.seat = 0
        self.can_follow = True  # it sits where it was recorded
        self.info = self.new_info()

    def new_info(self) -> PlayerInfo:
        return PlayerInfo(self.text, False, self.agent.info.params, faithful_turns=0)

    def warm_up(self) -> None:
        self.agent.warm_up()

    def begin(self, game: Game, seat: int, seed: int, limits: Limits) -> None:
        self.seat = seat
        self.info = self.new_info()
        self.can_follow = (seat, game.seats) == (self.recorded_seat, self.playback.seats)
        self.agent.begin(game, seat, seed, limits)

    def recall(self, earlier: Earlier) -> str | None:
        return self.agent.recall(earlier)

    def act(self, game: Game, limits: Limits, is_first: bool) -> Act:
        started = time.perf_counter()
        followed = self.recorded_move(game) if self.can_follow else None
        move = followed or (self.way_back(game) if self.can_follow else None)
        if move is None:
            return self.agent.act(game, limits, is_first)
        self.agent.recall(Earlier(game, None))  # the agent may have to go on from here
        return Act(move, (time.perf_counter() - started) * 1000, is_followed=followed is not None)

    def recorded_move(self, game: Game) -> Move | None:
        """What the player did on this turn, if the position is as recorded or the move is legal and survivable."""
        playback, turn = self.playback, game.turn
        if not playback.first_turn <= turn < playback.end_turn:
            return None
        recorded = playback.moves_at(turn)[self.seat]
        if recorded is None:
            return None
        before = playback.game_at(turn)
        move = Move(recorded.action, line=recorded.line, message=recorded.message, failure=recorded.failure)
        if seen(before) == seen(game):
            return move
        player, was = self.player_in(game), self.player_in(before)
        if move.action is None or player is None or was is None or player.cell != was.cell:
            return None
        has_bomb = move.action < BOMB or player.bombs_left > 0
        is_legal = has_bomb and is_open(game, player, move.action % BOMB)
        return move if is_legal and can_survive(game, self.seat, move.action) else None

    def way_back(self, game: Game) -> Move | None:
        """The first step of the shortest way to where the recorded player is by then; None if there is none."""
        reached: dict[Cell, int] = {}  # cell -> the first step towards it
        player = self.player_in(game)
        assert player is not None
        for step in STEPS:
            if is_open(game, player, step) and can_survive(game, self.seat, step):
                reached.setdefault(player.cell if step == 0 else target_of(game.state, player, step), step)
        for turn in range(game.turn + 1, min(game.turn + 1 + LONGEST_WAY, self.playback.end_turn)):
            goal = self.player_in(self.playback.game_at(turn))
            if goal is None:
                return None
            if goal.cell in reached:
                return Move(reached[goal.cell])
            for cell, step in list(reached.items()):
                for direction in STEPS:
                    moved = player._replace(x=cell[0], y=cell[1])
                    reached.setdefault(target_of(game.state, moved, direction), step)
        return None

    def player_in(self, game: Game) -> Player | None:
        return player_of(game.state, self.seat)

    def end(self) -> None:
        self.agent.end()


def can_survive(game: Game, seat: int, action: int) -> bool:
    """Whether a player that acts so can get away from all known bombs, if the others stand still."""
    after = game.copy()
    after.step([action if at == seat else 0 for at in range(game.seats)])
    return seat in after.living and bool(is_survivable(after.state, after.map, np.int64(seat)))


def seen(game: Game) -> str:
    """A hash of the position, whatever the order of its items."""
    sorted_ = game.copy()
    sorted_.item_order.sort()
    return digest(sorted_)
