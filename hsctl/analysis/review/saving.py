"""Could a player that died have lived? An exact search over the known game, and the game that proves it.

Up to the turn of the death the others do what they really did (those that were gone stand still), then they stand
still. The player lives if some own actions lead to a board without bombs, or to the end of the game: it outlives all
opponents, or the turns are over. It may drop a bomb on any turn up to that of the death: a bomb can stop a blast.

    turn   last way out ...      death ...              no bomb left, or the end
    own    any action            moves                  alive
    others as recorded           none

No position is searched twice, whatever led to it. In a proof everybody but the saved player stands still after the
turn of the death, until the game ends by its rules; it is also played on the plain rules.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from engine.errors import HsctlError
from engine.game import ARENA, Game, pack_actions
from engine.notation import digest
from engine.position import box_count
from engine.rules import ACTIONS, BOMB, legal_actions, play_round
from engine.state import MAX_TURNS, copy_state
from engine.variants import mates_of
from replays.playback import Playback, game_from, is_open, play_moves, result_of
from replays.replay import FORMAT, VERSION, Move, Replay, Turn

MOST_POSITIONS = 400_000  # positions that are looked at for one death


class SearchSpent(HsctlError):
    """Too many positions to tell."""


class Saving:
    """One player's death in a game, and what could have been done."""

    def __init__(self, playback: Playback, seat: int, death: int) -> None:
        self.playback = playback
        self.seat = seat
        self.death = death  # the turn
        start = playback.game_at(playback.first_turn)
        self.map = start.map
        self.opponents = [at for at in range(start.seats) if at not in (seat, *mates_of(start, seat))]
        self.end = MAX_TURNS  # the turn that is never played, in what is searched
        self.nodes = MOST_POSITIONS
        self.walks: dict[bytes, int] = {}  # state -> what to do without bombs; HOPELESS if nothing helps
        self.ways: dict[bytes, int] = {}  # the same with bombs
        self.others: dict[int, tuple[np.uint64, list[int]]] = {}  # turn -> packed actions, eliminated players

    def safe_moves(self, turn: int) -> list[int]:
        """The actions on this turn after which the player can live on; whatever was done before is as recorded."""
        state = self.begin(turn)
        return [action for action in legal(state, self.seat, ACTIONS) if self.is_safe(self.after(state, action))]

    def is_safe_on(self, turn: int) -> bool:
        """Whether the player can live on from this turn."""
        return self.is_safe(self.begin(turn))

    def begin(self, turn: int) -> np.record:
        """The position that is searched from; what is known by another end of the game is forgotten."""
        game = self.playback.game_at(turn)
        if (end := end_of(game)) != self.end:
            self.end = end
            self.walks.clear()
            self.ways.clear()
        return game.state

    def is_safe(self, state: np.record) -> bool:
        """By walking, or else by dropping bombs too."""
        return self.lives(state, self.walks, BOMB) or self.lives(state, self.ways, ACTIONS)

    def last_chance(self) -> tuple[int, list[int]] | None:
        """The last turn on which there was a safe move, with all of them; None if there was none in the whole game."""
        for turn in range(self.death, self.playback.first_turn - 1, -1):
            if safe := self.safe_moves(turn):
                return turn, safe
        return None

    def line_from(self, turn: int, action: int) -> list[int]:
        """Own actions from a safe one on, until nothing can happen any more."""
        state = self.after(self.begin(turn), action)
        line = [action]
        is_walk = self.lives(state, self.walks, BOMB)
        while not self.is_saved(state):
            ways, most = (self.walks, BOMB) if is_walk else (self.ways, ACTIONS)
            if not self.lives(state, ways, most):
                raise AssertionError("a line is asked for only from a safe move")
            line.append(ways[state.tobytes()])
            state = self.after(state, line[-1])
        return line

    # The search

    def lives(self, state: np.record, known: dict[bytes, int], most: int) -> bool:
        """Whether the player can live on; `known` then has what to do. Actions are those below `most`."""
        if not state.players[self.seat]:
            return False
        if self.is_saved(state):
            return True
        key = state.tobytes()
        if key not in known:
            self.spend()
            allowed = most if state.turn <= self.death else BOMB
            found = (action for action in legal(state, self.seat, allowed) if self.goes_on(state, action, known, most))
            known[key] = next(found, HOPELESS)
        return known[key] != HOPELESS

    def goes_on(self, state: np.record, action: int, known: dict[bytes, int], most: int) -> bool:
        return self.lives(self.after(state, action), known, most)

    def is_saved(self, state: np.record) -> bool:
        """Whether nothing threatens any more: the game is over, or after the turn of the death no bomb is left."""
        is_over = state.turn >= self.end or not any(state.players[at] for at in self.opponents)
        is_quiet = state.turn > self.death and not state.bombs.any()
        return bool(state.players[self.seat] and (is_over or is_quiet))

    def after(self, state: np.record, action: int) -> np.record:
        """The position after an own action, and what the others did."""
        packed, eliminated = self.recorded(int(state.turn))
        after = copy_state(state)
        for other in eliminated:
            after.players[other] = 0
        play_round(after, self.map, packed | np.uint64(action << 4 * self.seat))
        return after

    def recorded(self, turn: int) -> tuple[np.uint64, list[int]]:
        """What the others did on a turn, packed, and the players that were eliminated for an error."""
        if turn > self.death or turn >= self.playback.end_turn:
            return np.uint64(0), []
        if turn not in self.others:
            moves = [(at, move) for at, move in enumerate(self.playback.moves_at(turn)) if move and at != self.seat]
            packed = sum(self.deed(turn, at, move.action or 0) << 4 * at for at, move in moves)
            self.others[turn] = np.uint64(packed), [at for at, move in moves if move.action is None]
        return self.others[turn]

    def deed(self, turn: int, other: int, action: int) -> int:
        """What another does on a turn on which they did this."""
        return action

    def spend(self) -> None:
        self.nodes -= 1
        if self.nodes < 0:
            raise SearchSpent(f"more than {MOST_POSITIONS} positions")


class Spared(Saving):
    """The same if some of the others had held back from a turn on: without their bombs, or standing still."""

    def __init__(
        self, playback: Playback, seat: int, death: int, held_back: Sequence[int], since: int, is_still: bool
    ) -> None:
        super().__init__(playback, seat, death)
        self.held_back, self.since, self.is_still = held_back, since, is_still

    def deed(self, turn: int, other: int, action: int) -> int:
        if other not in self.held_back or turn < self.since:
            return action
        return 0 if self.is_still else action % BOMB


HOPELESS = -1


def end_of(game: Game) -> int:
    """The turn on which a game is over at the latest. While boxes are left, when they are gone depends on what is done,
    and so does how long the game then goes on: that end is left out."""
    if game.ends == ARENA and box_count(game.state) == 0:
        return min(game.turn + game.last_box_counter, MAX_TURNS)
    return MAX_TURNS


def legal(state: np.record, seat: int, most: int) -> Iterator[int]:
    """What a player can do, of the actions below `most`."""
    mask = int(legal_actions(state, seat))
    return (action for action in range(most) if mask >> action & 1)


# The proof


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
    from engine.spec.bridge import from_state
    from engine.spec.naive import step

    game = game_from(replay.start)
    naive = from_state(game.state, game.map)
    for turn in replay.turns:
        for at, move in enumerate(turn.moves):
            if move is not None and move.action is None:
                naive.players[at].alive = False
        actions = [0 if move is None or move.action is None else move.action for move in turn.moves]
        step(naive, np.uint64(pack_actions(actions)))
    return bool(naive.players[seat].alive)
