"""A player who is alive where an unfinished record ends, and has no way out any more: the death is still to come."""

from engine.rules import ACTION_NAMES
from hsctl.analysis.review.report import DEATH, Mistake
from replays.landmarks import Landmarks
from replays.playback import Playback
from search.common.first_moves import FirstMoves, members


def lost_way_out(playback: Playback, seat: int) -> Mistake | None:
    """The move that gave the last way out away; None if there is one still, or never was."""
    landmarks = Landmarks(playback)
    turn = landmarks.last_way_out(seat) if landmarks.is_lost(seat) else None
    move = None if turn is None else playback.moves_at(turn)[seat]
    if turn is None or move is None or move.action is None:
        return None
    game = playback.seen_at(turn, seat) or playback.game_at(turn)
    safe = [ACTION_NAMES[action] for action in members(FirstMoves().survivable(game.state, game.map, seat))]
    why = f"last turn with a way out (safe: {', '.join(safe)}); the record ends before the death"
    return Mistake(turn, DEATH, ACTION_NAMES[move.action], safe[0], None, why, safe=safe) if safe else None
