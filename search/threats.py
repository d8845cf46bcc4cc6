"""Moves that hold, and moves that win, whatever an opponent answers: a small exact search for two at the root.

    a move holds for n rounds     if after any answer the known bombs can be survived, and (n > 1) some move holds on
    a move wins within n rounds   if after any answer the opponent is lost, or (n > 1) some move wins from there

He is supposed to know our move when he answers. For winning that is what it takes; for holding it is too pessimistic.
So the moves that hold longest are kept, not only those that hold for good, and where none holds those that the fewest
answers refute. An answer that is the end of the opponent too counts only if he may win by it: when he is the last
rival, both die together, and the boxes could be his.
"""

import numpy as np

from engine.board import ONE, U64, X_OF, Y_OF, ZERO
from engine.jit import inline, kernel
from engine.rules import ACTIONS, BOMB, legal_actions, play_round
from engine.state import BYTE, RANGE_SHIFT, STATE
from engine.survival import is_survivable, joint
from search.first_moves import members

MOST_ROUNDS = 3  # what `threats` may ask for
MARGIN = 4  # boxes that the last fire may bring him more than us
REACH = 5  # cells beyond the range of a bomb from which it can still matter: both may walk

PASSED, FAILED, OPEN = range(3)  # our move, after one answer; OPEN: the next round will tell


@inline
def judge_holding(room, at, map_, player, enemy, is_last, fears):
    """Whether we hold in room[at]."""
    if is_survivable(room[at], map_, player):
        return PASSED if is_last or not (fears or is_survivable(room[at], map_, enemy)) else OPEN
    return FAILED if fears or is_survivable(room[at], map_, enemy) else PASSED


@inline
def judge_winning(room, at, map_, player, enemy, is_last, is_last_rival):
    """Whether the enemy in room[at] is lost and we are not, or he is the last, both burn at once and the boxes win."""
    if is_survivable(room[at], map_, enemy):
        return FAILED if is_last or room[at].players[player] == 0 else OPEN
    if is_survivable(room[at], map_, player):
        return PASSED
    if not is_last_rival:
        return FAILED
    room[at + 1] = room[at]
    play_round(room[at + 1], map_, ZERO)
    burnt = room[at + 1]
    is_ours = burnt.scored[player] > burnt.scored[enemy]
    return PASSED if burnt.players[player] == 0 and burnt.players[enemy] == 0 and is_ours else FAILED


@inline
def next_legal(legal, action):
    """The next legal action after this one, or ACTIONS."""
    action += 1
    while action < ACTIONS and (legal >> U64(action)) & ONE == ZERO:
        action += 1
    return action


@kernel
def count_refutations(room, line, map_, player, enemy, action, rounds, attacks, counts_deaths, enough):
    """After how many answers our action in room[0] fails to win (or to hold) within so many rounds; `enough` end it.

    A search with a stack of its own: room[k] is the state of round k, line[0, k] our action, line[1, k] his answer
    (counted down: bombs first, they are what hurts). One answer that fails ends an action, one action that passes ends
    the answer before it. `counts_deaths`: dying together can win, for us if we attack, else for him.
    """
    count, k = 0, 0
    line[0, 0], line[1, 0] = action, ACTIONS
    while True:
        line[1, k] -= 1
        if line[1, k] < 0:  # our action passed all answers
            if k == 0:
                return count
            k -= 1
            continue
        his = legal_actions(room[k], enemy) | U64(room[k].players[enemy] == 0)
        if (his >> U64(line[1, k])) & ONE == ZERO:
            continue
        room[k + 1] = room[k]
        play_round(room[k + 1], map_, joint(player, line[0, k], enemy, line[1, k]))
        is_last = k + 1 == rounds
        if attacks:
            verdict = judge_winning(room, k + 1, map_, player, enemy, is_last, counts_deaths)
        else:
            verdict = judge_holding(room, k + 1, map_, player, enemy, is_last, counts_deaths)
        if verdict == PASSED:
            continue
        if verdict == OPEN:
            k += 1
            line[0, k] = -1
        while k > 0:  # on to our next action; without one, his answer before was right
            line[0, k], line[1, k] = next_legal(legal_actions(room[k], player), line[0, k]), ACTIONS
            if line[0, k] < ACTIONS:
                break
            k -= 1
            if k == 0:
                verdict = FAILED
        if k == 0 and verdict == FAILED:
            count += 1
            if count == enough:
                return count


class Threats:
    """Finds dangerous first moves; holds the room that it needs."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.room = np.zeros(MOST_ROUNDS + 2, STATE)
        self.line = np.zeros((2, MOST_ROUNDS + 1), np.int64)

    def safe(self, state: np.record, map_: np.record, player: int, enemies: list[int], moves: int) -> int:
        """Those of the first moves (0 = all) that hold longest."""
        moves = moves or int(legal_actions(state, player))
        near = [enemy for enemy in enemies if is_near(state, player, enemy)]
        if len(near) > 1:
            moves = moves & ~self.lost_to_all(state, map_, player, near, moves) or moves
        if not near:
            return moves
        for rounds in range(1, self.rounds + 1):
            if has_one_left(moves):
                break
            answers = self.answers(state, map_, player, enemies, moves, rounds)
            fewest = min(answers.values())
            moves = sum(1 << action for action, count in answers.items() if count == fewest)
            if fewest:
                break
        return moves

    def winning(self, state: np.record, map_: np.record, player: int, enemies: list[int]) -> int:
        """The first moves that surely kill an opponent near, the fewest rounds first; 0 if there is none."""
        self.room[0] = state
        for rounds in range(1, self.rounds + 1):
            winning = 0
            for enemy in enemies:
                if is_near(state, player, enemy):
                    for action in members(int(legal_actions(state, player))):
                        if not self.count(map_, player, enemy, action, rounds, True, len(enemies) == 1):
                            winning |= 1 << action
            if winning:
                return winning
        return 0

    def answers(
        self, state: np.record, map_: np.record, player: int, enemies: list[int], moves: int, rounds: int
    ) -> dict[int, int]:
        """For each of the first moves, how many answers of the opponents near don't let it hold for so many rounds."""
        fears = fears_sacrifice(state, player, enemies)
        near = [enemy for enemy in enemies if is_near(state, player, enemy)]
        self.room[0] = state
        return {
            action: sum(self.count(map_, player, enemy, action, rounds, False, fears) for enemy in near)
            for action in members(moves)
        }

    def count(
        self, map_: np.record, player: int, enemy: int, action: int, rounds: int, attacks: bool, counts_deaths: bool
    ) -> int:
        """The answers that refute an action in room[0]; one is enough for an attack."""
        enough = 1 if attacks else ACTIONS
        counted = count_refutations(
            self.room, self.line, map_, player, enemy, action, rounds, attacks, counts_deaths, enough
        )
        return int(counted)

    def lost_to_all(self, state: np.record, map_: np.record, player: int, enemies: list[int], moves: int) -> int:
        """Those of the first moves that can't be survived if every opponent drops a bomb now."""
        bombs = sum(BOMB << 4 * enemy for enemy in enemies)
        lost = 0
        for action in members(moves):
            self.room[0] = state
            play_round(self.room[0], map_, np.uint64(bombs | action << 4 * player))
            if not is_survivable(self.room[0], map_, player):
                lost |= 1 << action
        return lost


def has_one_left(moves: int) -> bool:
    return moves & (moves - 1) == 0


def is_near(state: np.record, player: int, enemy: int) -> bool:
    """Whether a bomb of the enemy could matter to the player soon."""
    me, he = int(state.players[player]), int(state.players[enemy])
    mine, his = me & int(BYTE), he & int(BYTE)
    distance = abs(int(X_OF[mine]) - int(X_OF[his])) + abs(int(Y_OF[mine]) - int(Y_OF[his]))
    return distance <= (he >> int(RANGE_SHIFT) & int(BYTE)) + REACH


def fears_sacrifice(state: np.record, player: int, enemies: list[int]) -> bool:
    """Whether the only opponent left may not mind dying together with us: the boxes could be his by then."""
    return len(enemies) == 1 and int(state.scored[enemies[0]]) + MARGIN > int(state.scored[player])
