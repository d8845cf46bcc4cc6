"""Inputs of one player as a game: the longest stretch of turns that follow from each other by the rules.

Actions are inferred, and the game is unfinished where the log ends before it does.
"""

from itertools import pairwise

from engine.notation import digest
from replays.arena.rebuild import LIMITS
from replays.inputs import Inputs
from replays.playback import Playback, game_from, play_moves, result_of, start_of
from replays.replay import FORMAT, VERSION, PlayerInfo, Replay, ReplayError, Turn


class Inferred(Playback):
    """Such a game."""

    def __init__(self, replay: Replay, own_seat: int | None) -> None:
        super().__init__(replay)
        self._own_seat = own_seat

    @property
    def own_seat(self) -> int | None:
        return self._own_seat


def game_of(record: Inputs) -> Inferred:
    """The game, with the turns numbered as in the record; raises ReplayError if no input follows from another."""
    turns = longest_stretch(record)
    if len(turns) < 2:
        raise ReplayError("no input follows from the one before it, expected those of a game, turn by turn")
    first = record.game_at(turns[0])
    first.death_rounds = [None if seat in first.living else 0 for seat in range(first.seats)]
    start = start_of(first)
    game = game_from(start)
    played: list[Turn] = []
    for turn in turns[:-1]:
        if game.is_over:
            break
        moves = record.moves_at(turn)
        played.append(Turn(digest(game), moves))
        play_moves(game, moves)
    players = [PlayerInfo(spec, False) for spec in record.specs]
    replay = Replay(FORMAT, VERSION, "", None, start, players, LIMITS, played, result_of(game))
    return Inferred(replay, record.own_seat)


def longest_stretch(record: Inputs) -> range:
    """The turns between two breaks; of equally many the last."""
    breaks = [turn for turn in range(1, record.end_turn + 1) if record.notes_before(turn)]
    edges = [0, *breaks, record.end_turn + 1]
    stretches = [range(*pair) for pair in pairwise(edges)]
    return max(reversed(stretches), key=len)
