"""Moves that hold, and moves that win, whatever a rival replies: a small exact search for two at the root.

    a move holds for n rounds     if after any reply the known bombs can be survived, and (n > 1) some move holds on
    a move wins within n rounds   if after any reply the rival is lost, or (n > 1) some move wins from there

The rival is supposed to know our move when they reply. For winning that is what it takes; for holding it is too
pessimistic. So the moves that hold longest are kept, not only those that hold for good, and where none holds those
that the fewest replies refute. A reply that is the end of the rival too counts only if they may win by it: when they
are the last rival, both die together, and the boxes could be theirs.

It deepens round by round until its nodes are spent. Half of the work is saved in the last round: there only bombs
change who can survive (and items taken, which let fire pass), not where anybody goes.
"""

from functools import reduce
from operator import or_
from typing import NamedTuple

import numpy as np

from engine.board import NEIGHBOURS, ONE, U64, ZERO, distance, has_bit
from engine.cells import has
from engine.jit import inline, kernel
from engine.rules import ACTIONS, BOMB, legal_actions, play_round
from engine.state import STATE, cell_of, range_of
from engine.survival import is_surely_survivable, is_survivable, joint
from search.common.first_moves import members, pack_actions

MOST_ROUNDS = 6  # what `threats` may ask for
MARGIN = 4  # boxes that the last fire may bring the rival more than us
REACH = 5  # cells beyond the range of a bomb from which it can still matter: both may walk

PASSED, FAILED, OPEN, SPENT = range(4)  # OPEN: the next round will tell; SPENT: no nodes are left to find out
OURS, THEIRS, ESCAPED = range(3)  # what a line holds of each round


class Proof(NamedTuple):
    """What a search is to prove, about whom, and its stack."""

    states: np.ndarray  # [round], the state in which it is played
    line: np.ndarray  # [OURS | THEIRS | ESCAPED, round]
    nodes: np.ndarray  # [1], left
    player: int
    rival: int
    attacks: bool  # whether we want to win, or to hold
    counts_deaths: bool  # dying together can win, for us if we attack, else for the rival


@inline
def is_legal(state, player, action):
    """Whether a player can do this; the dead can only stand still."""
    return has_bit(legal_actions(state, player) | U64(state.players[player] == 0), action)


@inline
def changes_fire(state, player, action):
    """Whether it matters to the fire where the player goes: onto an item, which then no longer stops it."""
    move = action % BOMB
    return move != 0 and has(state.items, U64(NEIGHBOURS[cell_of(state.players[player]), move]))


@inline
def try_both(proof, k, map_, action, reply):
    """states[k + 1] is states[k] after both actions."""
    proof.nodes[0] -= 1
    proof.states[k + 1] = proof.states[k]
    play_round(proof.states[k + 1], map_, joint(proof.player, action, proof.rival, reply))


@kernel
def can_live(proof, k, map_, action, reply):
    """Whether the rival lives on after our action and some reply that differs from this one by the move alone."""
    for move in range(BOMB):
        other = reply - reply % BOMB + move
        if is_legal(proof.states[k], proof.rival, other):
            try_both(proof, k, map_, action, other)
            if is_survivable(proof.states[k + 1], map_, proof.rival):
                return True
    return False


@inline
def is_safe(state, map_, player, is_last):
    """Whether we can survive. What taking an item does to the fires is seen in the rounds to come, if there are any."""
    return is_surely_survivable(state, map_, player) if is_last else is_survivable(state, map_, player)


@inline
def judge_holding(proof, k, map_, action, reply, is_last):
    """Whether we hold after both actions in states[k]."""
    if is_safe(proof.states[k + 1], map_, proof.player, is_last):
        if is_last or not (proof.counts_deaths or is_survivable(proof.states[k + 1], map_, proof.rival)):
            return PASSED
        return OPEN
    return FAILED if proof.counts_deaths or can_live(proof, k, map_, action, reply) else PASSED


@inline
def judge_winning(proof, at, map_, is_last):
    """Whether the rival in states[at] is lost and we are not; where deaths count, by the boxes if both burn at once."""
    states = proof.states
    if is_survivable(states[at], map_, proof.rival):
        return FAILED if is_last or states[at].players[proof.player] == 0 else OPEN
    if is_surely_survivable(states[at], map_, proof.player):
        return PASSED
    if not proof.counts_deaths:
        return FAILED
    states[at + 1] = states[at]
    play_round(states[at + 1], map_, ZERO)
    burnt = states[at + 1]
    is_ours = burnt.scored[proof.player] > burnt.scored[proof.rival]
    return PASSED if burnt.players[proof.player] == 0 and burnt.players[proof.rival] == 0 and is_ours else FAILED


@inline
def next_action(proof, k, is_last):
    """Our next action in states[k] that is worth trying; ACTIONS if there is none.

    Of the last round's attacks only bombs can work, and a rival who escapes from one does so wherever we go.
    """
    state, action = proof.states[k], proof.line[OURS, k] + 1
    while action < ACTIONS:
        is_idle = proof.attacks and is_last and (action < BOMB or proof.line[ESCAPED, k] != 0)
        if is_legal(state, proof.player, action) and not (is_idle and not changes_fire(state, proof.player, action)):
            break
        action += 1
    return action


@inline
def next_reply(proof, k, is_last):
    """The next reply in states[k] that is worth trying: counted down, bombs first; -1 if there is none."""
    state, reply = proof.states[k], proof.line[THEIRS, k] - 1
    while reply >= 0:
        is_idle = not proof.attacks and is_last and reply % BOMB != 0
        if is_legal(state, proof.rival, reply) and not (is_idle and not changes_fire(state, proof.rival, reply)):
            break
        reply -= 1
    return reply


@inline
def start_round(proof, k, action):
    proof.line[OURS, k], proof.line[THEIRS, k], proof.line[ESCAPED, k] = action, ACTIONS, 0


@kernel
def prove(proof, map_, top, last):
    """Whether our action in states[top], or if that is -1 any, passes all replies up to the round `last`.

    One reply that fails ends an action, one action that passes ends the reply before it.
    """
    k, only = top, proof.line[OURS, top] >= 0
    if not only:
        proof.line[OURS, k] = next_action(proof, k, k == last)
    while True:
        if proof.line[OURS, k] == ACTIONS:  # no action is left: the reply before was right
            if k == top:
                return FAILED
            k -= 1
            verdict = FAILED
        else:
            reply = next_reply(proof, k, k == last)
            proof.line[THEIRS, k] = reply
            if reply < 0:  # our action passed all replies
                if k == top:
                    return PASSED
                k -= 1
                continue
            if proof.nodes[0] <= 0:
                return SPENT
            action = proof.line[OURS, k]
            try_both(proof, k, map_, action, reply)
            if proof.attacks:
                verdict = judge_winning(proof, k + 1, map_, k == last)
                if verdict == FAILED and action == BOMB and proof.states[k + 1].players[proof.rival] != 0:
                    proof.line[ESCAPED, k] = is_survivable(proof.states[k + 1], map_, proof.rival)
            else:
                verdict = judge_holding(proof, k, map_, action, reply, k == last)
        if verdict == OPEN:
            k += 1
            start_round(proof, k, -1)
            proof.line[OURS, k] = next_action(proof, k, k == last)
        elif verdict == FAILED:
            if k == top and only:
                return FAILED
            proof.line[OURS, k] = next_action(proof, k, k == last)
            proof.line[THEIRS, k] = ACTIONS


@kernel
def winning_moves(proof, map_, moves, rounds):
    """Those of our moves in states[0] that surely win within so many rounds, as far as the nodes suffice."""
    winning = ZERO
    for action in range(ACTIONS):
        if has_bit(moves, action):
            start_round(proof, 0, action)
            if prove(proof, map_, 0, rounds - 1) == PASSED:
                winning |= ONE << U64(action)
    return winning


@kernel
def count_refutations(proof, map_, action, rounds):
    """How many replies to our action in states[0] don't let it hold for so many rounds; -1 if the nodes are spent."""
    count = 0
    for reply in range(ACTIONS):
        if not is_legal(proof.states[0], proof.rival, reply):
            continue
        try_both(proof, 0, map_, action, reply)
        if not is_safe(proof.states[1], map_, proof.player, rounds == 1):
            count += proof.counts_deaths or is_survivable(proof.states[1], map_, proof.rival)
        elif rounds > 1 and (proof.counts_deaths or is_survivable(proof.states[1], map_, proof.rival)):
            start_round(proof, 1, -1)
            verdict = prove(proof, map_, 1, rounds - 1)
            if verdict == SPENT:
                return -1
            count += verdict == FAILED
    return count


@kernel
def add_refutations(proof, map_, moves, rounds, counts):
    """Add to each move's count how many replies refute it; false if the nodes are spent."""
    for action in range(ACTIONS):
        if has_bit(moves, action):
            count = count_refutations(proof, map_, action, rounds)
            if count < 0:
                return False
            counts[action] += count
    return True


class Judgement(NamedTuple):
    """What is certain about first moves, as sets of ten bits."""

    winning: int  # moves that surely kill a rival; 0 if there is none
    safe: int  # of the winning ones, if any, else of all: those that hold longest
    nodes: int


class Threats:
    """Judges first moves; holds the memory that it needs."""

    def __init__(self, rounds: int) -> None:
        assert 0 <= rounds <= MOST_ROUNDS
        self.rounds = rounds
        self.is_alone = True  # without a mate: then dying together with the last rival wins by the own boxes
        self.states = np.zeros(MOST_ROUNDS + 2, STATE)
        self.line = np.zeros((3, MOST_ROUNDS + 1), np.int64)
        self.nodes = np.zeros(1, np.int64)  # left
        self.counts = np.zeros(ACTIONS, np.int64)

    def judge(
        self, state: np.record, map_: np.record, player: int, rivals: list[int], moves: int, limit: int
    ) -> Judgement:
        """The first moves (of `moves`, 0 = all) that win by force, and those that hold longest, for so many nodes."""
        legal = int(legal_actions(state, player))
        moves = moves or legal
        near = [rival for rival in rivals if is_near(state, player, rival)]
        if not near:
            return Judgement(0, moves, 0)
        self.nodes[0] = limit
        if len(near) > 1:
            moves = moves & ~self.lost_to_all(state, map_, player, near, moves) or moves
        attacks, defences = (self.proofs(state, player, rivals, is_attack) for is_attack in (True, False))
        winning, fewest = 0, 0
        for rounds in range(1, self.rounds + 1):
            # With more rivals than one a kill decides nothing: it is taken only by a move that holds.
            if len(rivals) == 1 and (winning := self.winning(attacks, map_, legal, rounds)):
                moves = winning
            if not fewest and has_many(moves) and (refuted := self.refutations(defences, map_, moves, rounds)):
                fewest = min(refuted.values())
                moves = sum(1 << action for action, count in refuted.items() if count == fewest)
            if len(rivals) > 1 and (winning := self.winning(attacks, map_, moves, rounds)):
                moves = winning
            if winning or self.nodes[0] <= 0:
                break
        return Judgement(winning, moves, limit - max(0, int(self.nodes[0])))  # a piece of work may end a little later

    def proofs(self, state: np.record, player: int, rivals: list[int], attacks: bool) -> list[Proof]:
        """The player against each of those near, from this state on."""
        self.states[0] = state
        wins_dead = self.is_alone and len(rivals) == 1
        counts_deaths = wins_dead if attacks else fears_sacrifice(state, player, rivals)
        return [
            Proof(self.states, self.line, self.nodes, player, rival, attacks, counts_deaths)
            for rival in rivals
            if is_near(state, player, rival)
        ]

    def winning(self, proofs: list[Proof], map_: np.record, moves: int, rounds: int) -> int:
        """The first moves that surely kill a rival near within so many rounds."""
        return reduce(or_, (int(winning_moves(proof, map_, np.uint64(moves), rounds)) for proof in proofs))

    def refutations(self, proofs: list[Proof], map_: np.record, moves: int, rounds: int) -> dict[int, int]:
        """For each first move, how many replies of those near don't let it hold so long; empty if nodes are spent."""
        self.counts[:] = 0
        if not all(add_refutations(proof, map_, np.uint64(moves), rounds, self.counts) for proof in proofs):
            return {}
        return {action: int(self.counts[action]) for action in members(moves)}

    def lost_to_all(self, state: np.record, map_: np.record, player: int, rivals: list[int], moves: int) -> int:
        """Those of the first moves that can't be survived if every rival drops a bomb now."""
        bombs, lost = pack_actions(dict.fromkeys(rivals, BOMB)), 0
        for action in members(moves):
            self.states[0] = state
            play_round(self.states[0], map_, bombs | pack_actions({player: action}))
            self.nodes[0] -= 1
            if not is_surely_survivable(self.states[0], map_, player):
                lost |= 1 << action
        return lost


def has_many(moves: int) -> bool:
    return moves & (moves - 1) != 0


@kernel
def is_near(state, player, rival):
    """Whether a bomb of the rival could matter to the player soon."""
    me, them = state.players[player], state.players[rival]
    return distance(cell_of(me), cell_of(them)) <= np.int64(range_of(them)) + REACH


def fears_sacrifice(state: np.record, player: int, rivals: list[int]) -> bool:
    """Whether the only rival left may not mind dying together with us: the boxes could be theirs by then."""
    return len(rivals) == 1 and int(state.scored[rivals[0]]) + MARGIN > int(state.scored[player])
