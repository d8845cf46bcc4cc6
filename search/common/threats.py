"""Moves that hold, and moves that win, whatever an opponent answers: a small exact search for two at the root.

    a move holds for n rounds     if after any answer the known bombs can be survived, and (n > 1) some move holds on
    a move wins within n rounds   if after any answer the opponent is lost, or (n > 1) some move wins from there

He is supposed to know our move when he answers. For winning that is what it takes; for holding it is too pessimistic.
So the moves that hold longest are kept, not only those that hold for good, and where none holds those that the fewest
answers refute. An answer that is the end of the opponent too counts only if he may win by it: when he is the last
rival, both die together, and the boxes could be his.

It deepens round by round until its nodes are spent. Half of the work is saved in the last round: there only bombs
change who can survive (and items taken, which let fire pass), not where anybody goes.
"""

from functools import reduce
from operator import or_
from typing import NamedTuple

import numpy as np

from engine.board import NEIGHBOURS, ONE, U64, X_OF, Y_OF, ZERO
from engine.jit import inline, kernel
from engine.rules import ACTIONS, BOMB, has, legal_actions, play_round
from engine.state import BYTE, RANGE_SHIFT, STATE
from engine.survival import is_surely_survivable, is_survivable, joint
from search.common.first_moves import members

MOST_ROUNDS = 6  # what `threats` may ask for
MARGIN = 4  # boxes that the last fire may bring him more than us
REACH = 5  # cells beyond the range of a bomb from which it can still matter: both may walk

PASSED, FAILED, OPEN, SPENT = range(4)  # OPEN: the next round will tell; SPENT: no nodes are left to find out
OURS, HIS, ESCAPED = range(3)  # what a line holds of each round


class Duel(NamedTuple):
    """Whom a search is about, and the room for its stack."""

    room: np.ndarray  # [round], the state in which it is played
    line: np.ndarray  # [OURS | HIS | ESCAPED, round]
    nodes: np.ndarray  # [1], left
    player: int
    enemy: int
    attacks: bool  # whether we want to win, or to hold
    counts_deaths: bool  # dying together can win, for us if we attack, else for him


@inline
def is_legal(state, player, action):
    """Whether a player can do this; the dead can only stand still."""
    return ((legal_actions(state, player) | U64(state.players[player] == 0)) >> U64(action)) & ONE != ZERO


@inline
def changes_fire(state, player, action):
    """Whether it matters to the fire where the player goes: onto an item, which then no longer stops it."""
    move = action % BOMB
    return move != 0 and has(state.items, U64(NEIGHBOURS[U64(state.players[player]) & BYTE, move]))


@inline
def try_both(duel, k, map_, action, answer):
    """room[k + 1] is room[k] after both actions."""
    duel.nodes[0] -= 1
    duel.room[k + 1] = duel.room[k]
    play_round(duel.room[k + 1], map_, joint(duel.player, action, duel.enemy, answer))


@kernel
def can_live(duel, k, map_, action, answer):
    """Whether the enemy lives on after our action and some answer that differs from this one by the move alone."""
    for move in range(BOMB):
        other = answer - answer % BOMB + move
        if is_legal(duel.room[k], duel.enemy, other):
            try_both(duel, k, map_, action, other)
            if is_survivable(duel.room[k + 1], map_, duel.enemy):
                return True
    return False


@inline
def is_safe(state, map_, player, is_last):
    """Whether we can survive. What taking an item does to the fires is seen in the rounds to come, if there are any."""
    return is_surely_survivable(state, map_, player) if is_last else is_survivable(state, map_, player)


@inline
def judge_holding(duel, k, map_, action, answer, is_last):
    """Whether we hold after both actions in room[k]."""
    if is_safe(duel.room[k + 1], map_, duel.player, is_last):
        if is_last or not (duel.counts_deaths or is_survivable(duel.room[k + 1], map_, duel.enemy)):
            return PASSED
        return OPEN
    return FAILED if duel.counts_deaths or can_live(duel, k, map_, action, answer) else PASSED


@inline
def judge_winning(duel, at, map_, is_last):
    """Whether the enemy in room[at] is lost and we are not, or he is the last, both burn at once and the boxes win."""
    room = duel.room
    if is_survivable(room[at], map_, duel.enemy):
        return FAILED if is_last or room[at].players[duel.player] == 0 else OPEN
    if is_surely_survivable(room[at], map_, duel.player):
        return PASSED
    if not duel.counts_deaths:
        return FAILED
    room[at + 1] = room[at]
    play_round(room[at + 1], map_, ZERO)
    burnt = room[at + 1]
    is_ours = burnt.scored[duel.player] > burnt.scored[duel.enemy]
    return PASSED if burnt.players[duel.player] == 0 and burnt.players[duel.enemy] == 0 and is_ours else FAILED


@inline
def next_action(duel, k, is_last):
    """Our next action in room[k] that is worth trying; ACTIONS if there is none.

    Of the last round's attacks only bombs can work, and if he escapes from one he does so wherever we go.
    """
    state, action = duel.room[k], duel.line[OURS, k] + 1
    while action < ACTIONS:
        is_idle = duel.attacks and is_last and (action < BOMB or duel.line[ESCAPED, k] != 0)
        if is_legal(state, duel.player, action) and not (is_idle and not changes_fire(state, duel.player, action)):
            break
        action += 1
    return action


@inline
def next_answer(duel, k, is_last):
    """His next answer in room[k] that is worth trying: counted down, bombs first; -1 if there is none."""
    state, answer = duel.room[k], duel.line[HIS, k] - 1
    while answer >= 0:
        is_idle = not duel.attacks and is_last and answer % BOMB != 0
        if is_legal(state, duel.enemy, answer) and not (is_idle and not changes_fire(state, duel.enemy, answer)):
            break
        answer -= 1
    return answer


@inline
def start_round(duel, k, action):
    duel.line[OURS, k], duel.line[HIS, k], duel.line[ESCAPED, k] = action, ACTIONS, 0


@kernel
def search(duel, map_, top, last):
    """Whether our action in room[top], or if that is -1 any, passes all answers up to the round `last`.

    One answer that fails ends an action, one action that passes ends the answer before it.
    """
    k, only = top, duel.line[OURS, top] >= 0
    if not only:
        duel.line[OURS, k] = next_action(duel, k, k == last)
    while True:
        if duel.line[OURS, k] == ACTIONS:  # no action is left: his answer before was right
            if k == top:
                return FAILED
            k -= 1
            verdict = FAILED
        else:
            answer = next_answer(duel, k, k == last)
            duel.line[HIS, k] = answer
            if answer < 0:  # our action passed all answers
                if k == top:
                    return PASSED
                k -= 1
                continue
            if duel.nodes[0] <= 0:
                return SPENT
            action = duel.line[OURS, k]
            try_both(duel, k, map_, action, answer)
            if duel.attacks:
                verdict = judge_winning(duel, k + 1, map_, k == last)
                if verdict == FAILED and action == BOMB and duel.room[k + 1].players[duel.enemy] != 0:
                    duel.line[ESCAPED, k] = is_survivable(duel.room[k + 1], map_, duel.enemy)
            else:
                verdict = judge_holding(duel, k, map_, action, answer, k == last)
        if verdict == OPEN:
            k += 1
            start_round(duel, k, -1)
            duel.line[OURS, k] = next_action(duel, k, k == last)
        elif verdict == FAILED:
            if k == top and only:
                return FAILED
            duel.line[OURS, k] = next_action(duel, k, k == last)
            duel.line[HIS, k] = ACTIONS


@kernel
def winning_moves(duel, map_, moves, rounds):
    """Those of our moves in room[0] that surely win within so many rounds, as far as the nodes suffice."""
    winning = ZERO
    for action in range(ACTIONS):
        if (moves >> U64(action)) & ONE != ZERO:
            start_round(duel, 0, action)
            if search(duel, map_, 0, rounds - 1) == PASSED:
                winning |= ONE << U64(action)
    return winning


@kernel
def count_refutations(duel, map_, action, rounds):
    """How many answers to our action in room[0] don't let it hold for so many rounds; -1 if the nodes are spent."""
    count = 0
    for answer in range(ACTIONS):
        if not is_legal(duel.room[0], duel.enemy, answer):
            continue
        try_both(duel, 0, map_, action, answer)
        if not is_safe(duel.room[1], map_, duel.player, rounds == 1):
            count += duel.counts_deaths or is_survivable(duel.room[1], map_, duel.enemy)
        elif rounds > 1 and (duel.counts_deaths or is_survivable(duel.room[1], map_, duel.enemy)):
            start_round(duel, 1, -1)
            verdict = search(duel, map_, 1, rounds - 1)
            if verdict == SPENT:
                return -1
            count += verdict == FAILED
    return count


@kernel
def add_refutations(duel, map_, moves, rounds, counts):
    """Add to each move's count how many answers refute it; false if the nodes are spent."""
    for action in range(ACTIONS):
        if (moves >> U64(action)) & ONE != ZERO:
            count = count_refutations(duel, map_, action, rounds)
            if count < 0:
                return False
            counts[action] += count
    return True


class Judgement(NamedTuple):
    """What is certain about first moves, as sets of ten bits."""

    winning: int  # moves that surely kill an opponent; 0 if there is none
    safe: int  # of the winning ones, if any, else of all: those that hold longest
    nodes: int


class Threats:
    """Judges first moves; holds the room that it needs."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.is_alone = True  # without a mate: then dying together with the last rival wins by the own boxes
        self.room = np.zeros(MOST_ROUNDS + 2, STATE)
        self.line = np.zeros((3, MOST_ROUNDS + 1), np.int64)
        self.nodes = np.zeros(1, np.int64)  # left
        self.counts = np.zeros(ACTIONS, np.int64)

    def judge(
        self, state: np.record, map_: np.record, player: int, enemies: list[int], moves: int, limit: int
    ) -> Judgement:
        """The first moves (of `moves`, 0 = all) that win by force, and those that hold longest, for so many nodes."""
        legal = int(legal_actions(state, player))
        moves = moves or legal
        near = [enemy for enemy in enemies if is_near(state, player, enemy)]
        if not near:
            return Judgement(0, moves, 0)
        self.nodes[0] = limit
        if len(near) > 1:
            moves = moves & ~self.lost_to_all(state, map_, player, near, moves) or moves
        attacks, defences = (self.duels(state, player, enemies, is_attack) for is_attack in (True, False))
        winning, fewest = 0, 0
        for rounds in range(1, self.rounds + 1):
            # With more rivals than one a kill decides nothing: it is taken only by a move that holds.
            if len(enemies) == 1 and (winning := self.winning(attacks, map_, legal, rounds)):
                moves = winning
            if not fewest and has_many(moves) and (answers := self.answers(defences, map_, moves, rounds)):
                fewest = min(answers.values())
                moves = sum(1 << action for action, count in answers.items() if count == fewest)
            if len(enemies) > 1 and (winning := self.winning(attacks, map_, moves, rounds)):
                moves = winning
            if winning or self.nodes[0] <= 0:
                break
        return Judgement(winning, moves, limit - max(0, int(self.nodes[0])))  # a piece of work may end a little later

    def duels(self, state: np.record, player: int, enemies: list[int], attacks: bool) -> list[Duel]:
        """The player against each of those near, from this state on."""
        self.room[0] = state
        wins_dead = self.is_alone and len(enemies) == 1
        counts_deaths = wins_dead if attacks else fears_sacrifice(state, player, enemies)
        return [
            Duel(self.room, self.line, self.nodes, player, enemy, attacks, counts_deaths)
            for enemy in enemies
            if is_near(state, player, enemy)
        ]

    def winning(self, duels: list[Duel], map_: np.record, moves: int, rounds: int) -> int:
        """The first moves that surely kill an opponent near within so many rounds."""
        return reduce(or_, (int(winning_moves(duel, map_, np.uint64(moves), rounds)) for duel in duels))

    def answers(self, duels: list[Duel], map_: np.record, moves: int, rounds: int) -> dict[int, int]:
        """For each first move, how many answers of those near don't let it hold so long; empty if nodes are spent."""
        self.counts[:] = 0
        if not all(add_refutations(duel, map_, np.uint64(moves), rounds, self.counts) for duel in duels):
            return {}
        return {action: int(self.counts[action]) for action in members(moves)}

    def lost_to_all(self, state: np.record, map_: np.record, player: int, enemies: list[int], moves: int) -> int:
        """Those of the first moves that can't be survived if every opponent drops a bomb now."""
        bombs = sum(BOMB << 4 * enemy for enemy in enemies)
        lost = 0
        for action in members(moves):
            self.room[0] = state
            play_round(self.room[0], map_, np.uint64(bombs | action << 4 * player))
            self.nodes[0] -= 1
            if not is_surely_survivable(self.room[0], map_, player):
                lost |= 1 << action
        return lost


def has_many(moves: int) -> bool:
    return moves & (moves - 1) != 0


def is_near(state: np.record, player: int, enemy: int) -> bool:
    """Whether a bomb of the enemy could matter to the player soon."""
    me, he = int(state.players[player]), int(state.players[enemy])
    mine, his = me & int(BYTE), he & int(BYTE)
    distance = abs(int(X_OF[mine]) - int(X_OF[his])) + abs(int(Y_OF[mine]) - int(Y_OF[his]))
    return distance <= (he >> int(RANGE_SHIFT) & int(BYTE)) + REACH


def fears_sacrifice(state: np.record, player: int, enemies: list[int]) -> bool:
    """Whether the only opponent left may not mind dying together with us: the boxes could be his by then."""
    return len(enemies) == 1 and int(state.scored[enemies[0]]) + MARGIN > int(state.scored[player])
