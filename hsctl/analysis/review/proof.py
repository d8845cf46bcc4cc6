"""The proof that a death could be avoided: the same game with other moves of one player, who lives.

The others do what they really did up to the turn of the death, then everybody but the saved player stands still, until
the game ends by its rules. What is written was played on the plain rules too.
"""

from collections.abc import Sequence

import numpy as np

from engine.errors import HsctlError
from engine.game import Game, pack_actions
from engine.notation import digest
from engine.rules import BOMB
from engine.spec.bridge import from_state
from engine.spec.naive import step
from replays.playback import Playback, game_from, is_open, play_moves, result_of
from replays.replay import FORMAT, VERSION, Move, Replay, Turn


def proof_of(playback: Playback, seat: int, turn: int, line: Sequence[int], death: int, version: str) -> Replay:
    """The game with `line` in place of the player's actions from `turn` on; raises if the player doesn't live."""
    replay = playback.replay
    game = game_from(replay.start)
    turns: list[Turn] = []
    while not game.is_over:
        own = line[game.turn - turn] if turn <= game.turn < turn + len(line) else 0
        moves = moves_of(game, playback, seat, own if game.turn >= turn else None, death)
        turns.append(Turn(digest(game), moves))
        play_moves(game, moves)
    proof = Replay(
        FORMAT, VERSION, version, replay.seed, replay.start, replay.players, replay.limits, turns, result_of(game)
    )
    Playback(proof)
    if not lives_by_plain_rules(proof, seat):
        raise HsctlError(f"player {seat} does not live on in the line from turn {turn}: this is a bug in review")
    return proof


def moves_of(game: Game, playback: Playback, seat: int, own: int | None, death: int) -> list[Move | None]:
    """What everybody does: as recorded up to the turn of the death, where that is still possible."""
    moves: list[Move | None] = [None] * game.seats
    is_recorded = game.turn <= death and game.turn < playback.end_turn
    recorded = playback.moves_at(game.turn) if is_recorded else moves
    for player in game.players():
        move = recorded[player.id]
        if player.id == seat and own is not None:
            moves[seat] = Move(own)
        elif move is None:
            moves[player.id] = Move(0)
        elif move.action is not None and not is_open(game, player, move.action % BOMB):
            moves[player.id] = Move(move.action - move.action % BOMB)
        else:
            moves[player.id] = move
    return moves


def lives_by_plain_rules(replay: Replay, seat: int) -> bool:
    """Whether the player is alive at the end of the game as the specification of the rules plays it."""
    game = game_from(replay.start)
    naive = from_state(game.state, game.map)
    for turn in replay.turns:
        for at, move in enumerate(turn.moves):
            if move is not None and move.action is None:
                naive.players[at].alive = False
        actions = [0 if move is None or move.action is None else move.action for move in turn.moves]
        step(naive, np.uint64(pack_actions(actions)))
    return bool(naive.players[seat].alive)
