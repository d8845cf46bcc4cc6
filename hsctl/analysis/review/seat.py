"""Whose game is reviewed if nobody is named, and who has none in the record."""

from replays.playback import Playback


def default_seat(playback: Playback) -> int:
    """Whose record it is (of a game of the arena, the code in the editor), else the external bot with output of its own
    (on the arena only one's own is told), else the last of the bots, else of all; never who was dead from the start."""
    players = [seat for seat in range(playback.seats) if not is_dead_from_start(playback, seat)]
    if playback.own_seat in players:
        return playback.own_seat
    bots = [seat for seat in players if not playback.replay.players[seat].is_agent]
    talking = [
        seat for seat in bots if any((move := turn.moves[seat]) and move.stderr for turn in playback.replay.turns)
    ]
    ranks = playback.replay.result.ranks
    if len(talking) == 1:
        return talking[0]
    return max(bots or players, key=lambda seat: (ranks[seat], -seat))


def is_dead_from_start(playback: Playback, seat: int) -> bool:
    """Whether the record begins after a player's death."""
    return playback.game_at(playback.first_turn).death_rounds[seat] is not None
