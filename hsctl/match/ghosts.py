"""A ghost: a player of a recorded game who repeats what they did, as long as every position is the recorded one.

    ghost:game.json#2                    player 2 of the game, by seat, name or a part of it; then beam
    ghost:game.json#2,then=mcts:c=0.7    then this agent

The file is anything that holds a whole game. From the first position that differs the agent plays; there is no way
back. The order in which items are listed doesn't count.
"""

import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from engine.game import Game
from engine.notation import digest
from engine.variants import Sight
from hsctl.match.past import Earlier
from hsctl.match.players import GhostText, PlayerText
from hsctl.match.seats import Act, AgentSeat
from replays.opening import open_game, seat_of
from replays.playback import Playback
from replays.replay import Limits, Move, PlayerInfo, Start

GAMES_KEPT = 8


@lru_cache(GAMES_KEPT)
def open_once(path: str, changed: int) -> tuple[Playback, list[str]]:
    """The game in a file as it was changed last; several ghosts of one game open it once."""
    return open_game(Path(path))


def open_ghost(ghost: GhostText) -> tuple[Playback, int, list[str]]:
    """The game, the player's seat in it, and what must be said about the file."""
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
    """What must be said before a game: files that differ from their record, ghosts who can't be faithful."""
    notes = []
    for at, player in enumerate(players):
        if player.ghost is not None:
            playback, seat, found = open_ghost(player.ghost)
            notes += [f"{player.ghost.file}: {note}" for note in found]
            if (seat, playback.seats) != (at, len(players)):
                recorded = f"it was recorded in seat {seat} of {playback.seats}, and here it sits in {at} of"
                notes.append(f"{player.text} can't be faithful: {recorded} {len(players)}")
    return list(dict.fromkeys(notes))


class GhostSeat:
    """A ghost in a seat."""

    def __init__(self, player: PlayerText) -> None:
        assert player.ghost is not None and player.spec is not None
        self.text = player.text
        self.playback, self.recorded_seat, _ = open_ghost(player.ghost)
        self.agent = AgentSeat(PlayerText(player.spec.text, player.spec))
        self.seat = 0
        self.is_faithful = True
        self.info = self.new_info()

    def new_info(self) -> PlayerInfo:
        return PlayerInfo(self.text, False, self.agent.info.params, faithful_turns=0)

    def warm_up(self) -> None:
        self.agent.warm_up()

    def begin(self, game: Game, seat: int, seed: int, limits: Limits) -> None:
        self.seat = seat
        self.info = self.new_info()
        self.is_faithful = (seat, game.seats) == (self.recorded_seat, self.playback.seats)
        self.agent.begin(game, seat, seed, limits)

    def recall(self, earlier: Earlier) -> str | None:
        return self.agent.recall(earlier)

    def act(self, game: Game, limits: Limits, is_first: bool) -> Act:
        started = time.perf_counter()
        move = self.recorded_move(game) if self.is_faithful else None
        if move is None:
            self.is_faithful = False
            return self.agent.act(game, limits, is_first)
        self.keep_sight(self.agent.sight, game)
        assert self.info.faithful_turns is not None
        self.info.faithful_turns += 1
        return Act(move, (time.perf_counter() - started) * 1000)

    def recorded_move(self, game: Game) -> Move | None:
        """What the player did in this position; None if it is another, or if the record ended before."""
        playback, turn = self.playback, game.turn
        if not playback.first_turn <= turn < playback.end_turn or seen(playback.game_at(turn)) != seen(game):
            return None
        recorded = playback.moves_at(turn)[self.seat]
        if recorded is None:
            return None
        return Move(recorded.action, line=recorded.line, message=recorded.message, failure=recorded.failure)

    def keep_sight(self, sight: Sight | None, game: Game) -> None:
        """Let the agent know what would have been seen."""
        if sight is not None:
            sight.look(game)

    def end(self) -> None:
        self.agent.end()


def seen(game: Game) -> str:
    """A hash of the position, whatever the order of its items."""
    sorted_ = game.copy()
    sorted_.item_order.sort()
    return digest(sorted_)
