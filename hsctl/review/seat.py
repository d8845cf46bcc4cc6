"""Whose game is reviewed if nobody is named."""

from replays.playback import Playback


def default_seat(playback: Playback) -> int:
    """Whose record it is (of a game of the arena, the code in the editor), else the external bot with output of its own
    (on the arena only one's own is told), else the last of the bots, else of all."""
    if playback.own_seat is not None:
        return playback.own_seat
    bots = [seat for seat, info in enumerate(playback.replay.players) if not info.is_agent]
    talking = [
        seat for seat in bots if any((move := turn.moves[seat]) and move.stderr for turn in playback.replay.turns)
    ]
    ranks = playback.replay.result.ranks
    if len(talking) == 1:
        return talking[0]
    return max(bots or range(playback.seats), key=lambda seat: (ranks[seat], -seat))
