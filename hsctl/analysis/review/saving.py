"""Could a player who died have lived? An exact search over the known game.

Up to the turn of the death the others do what they really did (who really was gone stands still), then they stand
still. The player lives if some own actions lead to a board without bombs, or to the end of the game: they outlive all
rivals, or the turns are over. A bomb may be dropped on any turn up to that of the death: it can stop a blast.

    turn   last way out ...      death ...              no bomb left, or the end
    own    any action            moves                  alive
    others as recorded           none

Positions are looked up, so that no position is searched twice, whatever led to it.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from engine.errors import HsctlError
from engine.game import ARENA, Game
from engine.position import box_count
from engine.rules import ACTIONS, BOMB, legal_actions, play_round
from engine.state import MAX_TURNS, copy_state
from engine.variants import mates_of
from replays.playback import Playback

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
        self.rivals = [at for at in range(start.seats) if at not in (seat, *mates_of(start, seat))]
        self.end = MAX_TURNS  # the turn that is never played, in what is searched
        self.nodes = MOST_POSITIONS
        self.walks: dict[bytes, int] = {}  # state -> what to do without bombs; HOPELESS if nothing helps
        self.ways: dict[bytes, int] = {}  # the same with bombs
        self.others: dict[int, tuple[np.uint64, list[int]]] = {}  # turn -> packed actions, and who is eliminated

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
        is_over = state.turn >= self.end or not any(state.players[at] for at in self.rivals)
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
        """What the others did on a turn, packed, and who was eliminated for an error."""
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
