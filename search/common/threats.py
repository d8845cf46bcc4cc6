"""Find moves that hold, and moves that win, against any reply: a small exact search for two at the root.

    a move holds for n rounds     if after any reply the known bombs can be survived, and (n > 1) some move holds on
    a move wins within n rounds   if after any reply the opponent is lost, or (n > 1) some move wins from there

The opponent replies knowing our move. A proof of winning needs that; for holding it is too pessimistic. So the search
keeps the moves that hold longest, not only those that hold for good, and if none holds, those that the fewest replies
refute. A reply that also kills the opponent counts only if it may win: they are the last opponent, both die together,
and they may have more boxes.

It deepens round by round until its nodes are spent. In the last round it saves half of the work: there only
bombs (and items taken, which let fire pass) change survival, not moves.
"""

from typing import NamedTuple

import numpy as np

from engine.board import NEIGHBOURS, ONE, U64, ZERO, distance, has_bit
from engine.cells import has
from engine.jit import entry, inline, kernel
from engine.rules import ACTIONS, BOMB, legal_actions, play_round
from engine.state import STATE, cell_of, range_of
from engine.survival import is_surely_survivable, is_survivable, joint
from search.clock import Stage
from search.common.first_moves import members, pack_actions

MOST_ROUNDS = 6  # what `threats` may ask for
MARGIN = 4  # boxes that the last fire may bring the opponent more than us
REACH = 5  # cells beyond the range of a bomb from which it can still matter: both may walk

PASSED, FAILED, OPEN = range(3)  # OPEN: the next round decides
OURS, THEIRS, ESCAPED = range(3)  # the entries of a line for each round
ROUND, FINISHED = range(2)  # how far a search got that was interrupted
NOT_BEGUN = -1  # a round


class Proof(NamedTuple):
    """The claim that a search proves, its players, and its stack."""

    states: np.ndarray  # [round], the state in which it is played
    line: np.ndarray  # [OURS | THEIRS | ESCAPED, round]
    nodes: np.ndarray  # [1], left until somebody looks at the clock
    progress: np.ndarray  # [ROUND | FINISHED], where it was interrupted, and the first moves that were finished by then
    player: int
    rival: int
    attacks: bool  # whether we want to win, or to hold
    counts_deaths: bool  # dying together can win: for us if we attack, else for the opponent


@inline
def is_legal(state, player, action):
    """Whether the action is legal; the dead can only stay."""
    return has_bit(legal_actions(state, player) | U64(state.players[player] == 0), action)


@inline
def changes_fire(state, player, action):
    """Whether the player's move changes fires: onto an item, which then no longer stops them."""
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
    """Whether the opponent lives on after our action and some reply that differs from this one by the move alone."""
    for move in range(BOMB):
        other = reply - reply % BOMB + move
        if is_legal(proof.states[k], proof.rival, other):
            try_both(proof, k, map_, action, other)
            if is_survivable(proof.states[k + 1], map_, proof.rival):
                return True
    return False


@inline
def is_safe(state, map_, player, is_last):
    """Whether we can survive. Later rounds, if any, show how taking an item changes fires."""
    return is_surely_survivable(state, map_, player) if is_last else is_survivable(state, map_, player)


@inline
def judge_holding(proof, k, map_, action, reply, is_last):
    """Whether we hold after both actions in states[k]; the first round's replies count for themselves alone."""
    if is_safe(proof.states[k + 1], map_, proof.player, is_last):
        if is_last or not (proof.counts_deaths or is_survivable(proof.states[k + 1], map_, proof.rival)):
            return PASSED
        return OPEN
    if proof.counts_deaths:
        return FAILED
    if k == 0:
        return FAILED if is_survivable(proof.states[1], map_, proof.rival) else PASSED
    return FAILED if can_live(proof, k, map_, action, reply) else PASSED


@inline
def judge_winning(proof, at, map_, is_last):
    """Whether the opponent in states[at] is lost and we are not; where deaths count, boxes decide if both burn."""
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

    In the last round of an attack only bombs can work, and an opponent that escapes one does so wherever we move.
    """
    state, action = proof.states[k], proof.line[OURS, k] + 1
    while action < ACTIONS:
        can_matter = not (proof.attacks and is_last) or (action >= BOMB and proof.line[ESCAPED, k] == 0)
        if is_legal(state, proof.player, action) and (can_matter or changes_fire(state, proof.player, action)):
            break
        action += 1
    return action


@inline
def next_reply(proof, k, is_last):
    """The next reply in states[k] that is worth trying: counted down, bombs first; -1 if there is none."""
    state, reply = proof.states[k], proof.line[THEIRS, k] - 1
    while reply >= 0:
        can_matter = proof.attacks or not is_last or k == 0 or reply % BOMB == 0
        if is_legal(state, proof.rival, reply) and (can_matter or changes_fire(state, proof.rival, reply)):
            break
        reply -= 1
    return reply


@inline
def next_move(moves, action):
    """The next of our first moves after this one; ACTIONS if there is none."""
    action += 1
    while action < ACTIONS and not has_bit(moves, action):
        action += 1
    return action


@inline
def start_round(proof, k, action):
    proof.line[OURS, k], proof.line[THEIRS, k], proof.line[ESCAPED, k] = action, ACTIONS, 0


@entry
def refute(proof, map_, moves, rounds, counts):
    """Add to the count of each move in states[0] the replies that refute it within so many rounds.

    Returns whether it is done with all moves. If the nodes are spent before that, it goes on when called again with
    more. An attack is finished by the first reply that refutes it, a defence when all replies are counted. In later
    rounds one reply that fails ends an action, and one action that passes ends the reply before it. All of this is one
    kernel: each level would be compiled again with all below it.
    """
    k, last, line, finished = proof.progress[ROUND], rounds - 1, proof.line, U64(proof.progress[FINISHED])
    if k == NOT_BEGUN:
        k, finished = 0, ZERO
        start_round(proof, 0, next_move(moves, -1))
    while line[OURS, 0] < ACTIONS:
        verdict, action = FAILED, line[OURS, k]
        if action == ACTIONS:  # no action is left: the reply before was right
            k -= 1
        else:
            reply = next_reply(proof, k, k == last)
            line[THEIRS, k] = reply
            if reply < 0 and k > 0:  # our action passed all replies
                k -= 1
                continue
            if reply < 0:
                finished |= ONE << U64(action)
                start_round(proof, 0, next_move(moves, action))
                continue
            if proof.nodes[0] <= 0 and (k > 0 or proof.attacks):
                line[THEIRS, k] = reply + 1  # it is the next one still
                proof.progress[ROUND], proof.progress[FINISHED] = k, finished
                return False
            try_both(proof, k, map_, action, reply)
            if proof.attacks:
                verdict = judge_winning(proof, k + 1, map_, k == last)
                if verdict == FAILED and action == BOMB and proof.states[k + 1].players[proof.rival] != 0:
                    line[ESCAPED, k] = is_survivable(proof.states[k + 1], map_, proof.rival)
            else:
                verdict = judge_holding(proof, k, map_, action, reply, k == last)
        if verdict == OPEN:
            k += 1
            start_round(proof, k, -1)
            line[OURS, k] = next_action(proof, k, k == last)
        elif verdict == FAILED and k > 0:
            line[OURS, k] = next_action(proof, k, k == last)
            line[THEIRS, k] = ACTIONS
        elif verdict == FAILED:
            counts[line[OURS, 0]] += 1
            if proof.attacks:
                line[THEIRS, 0] = 0  # no more replies
    proof.progress[ROUND], proof.progress[FINISHED] = k, finished
    return True


class FirstMoveProofs(NamedTuple):
    """Proven facts about first moves, as sets of ten bits."""

    winning: int  # moves that surely kill an opponent; 0 if there is none
    safe: int  # of the winning ones, if any, else of all: those that hold longest
    nodes: int


class Threats:
    """Judges first moves; holds the memory for that."""

    def __init__(self, rounds: int) -> None:
        assert 0 <= rounds <= MOST_ROUNDS
        self.rounds = rounds
        self.is_alone = True  # without a teammate, dying together with the last opponent can win by boxes
        self.states = np.zeros(MOST_ROUNDS + 2, STATE)
        self.line = np.zeros((3, MOST_ROUNDS + 1), np.int64)
        self.nodes = np.zeros(1, np.int64)  # left until the next look at the clock
        self.progress = np.zeros(2, np.int64)
        self.counts = np.zeros(ACTIONS, np.int64)
        self.limit = 0  # nodes up to the next look at the clock
        self.stage: Stage | None = None  # None: it is over

    def judge(
        self, state: np.record, map_: np.record, player: int, rivals: list[int], moves: int, stage: Stage
    ) -> FirstMoveProofs:
        """The first moves (of `moves`, 0 = all) that win by force, and those that hold longest, as far as a stage goes.

        One round of defence is looked at even in a stage without any time.
        """
        legal = int(legal_actions(state, player))
        moves = moves or legal
        near = [rival for rival in rivals if is_near(state, player, rival)]
        if not near:
            return FirstMoveProofs(0, moves, 0)
        self.stage = stage
        self.limit = self.nodes[0] = stage.next_limit(0) or 0
        if len(near) > 1:
            moves = moves & ~self.lost_to_all(state, map_, player, near, moves) or moves
        attacks, defences = (self.proofs(state, player, rivals, is_attack) for is_attack in (True, False))
        winning, fewest = 0, 0
        for rounds in range(1, self.rounds + 1):
            # With several opponents a kill decides nothing, so only moves that hold may kill.
            if len(rivals) == 1 and (winning := self.winning(attacks, map_, legal, rounds)):
                moves = winning
            if not fewest and has_many(moves) and (refuted := self.refutations(defences, map_, moves, rounds)):
                fewest = min(refuted.values())
                moves = sum(1 << action for action, count in refuted.items() if count == fewest)
            if len(rivals) > 1 and (winning := self.winning(attacks, map_, moves, rounds)):
                moves = winning
            if winning or not self.can_go_on():
                break
        return FirstMoveProofs(winning, moves, self.limit - max(0, int(self.nodes[0])))  # may exceed the limit a little

    def can_go_on(self) -> bool:
        """Whether there are nodes left, or time for more of them."""
        if self.nodes[0] > 0:
            return True
        spent = self.limit - int(self.nodes[0])
        more = None if self.stage is None else self.stage.next_limit(spent)
        if more is None:
            self.stage = None
            return False
        self.limit, self.nodes[0] = more, more - spent
        return True

    def proofs(self, state: np.record, player: int, rivals: list[int], attacks: bool) -> list[Proof]:
        """A proof against each opponent near, from this state on."""
        self.states[0] = state
        wins_dead = self.is_alone and len(rivals) == 1
        counts_deaths = wins_dead if attacks else fears_sacrifice(state, player, rivals)
        return [
            Proof(self.states, self.line, self.nodes, self.progress, player, rival, attacks, counts_deaths)
            for rival in rivals
            if is_near(state, player, rival)
        ]

    def winning(self, proofs: list[Proof], map_: np.record, moves: int, rounds: int) -> int:
        """The first moves that surely kill an opponent near within so many rounds, as far as the nodes suffice."""
        winning = 0
        for proof in proofs:
            self.counts[:] = 0
            finished = self.refute(proof, map_, moves, rounds)
            winning |= sum(1 << action for action in members(finished) if not self.counts[action])
        return winning

    def refutations(self, proofs: list[Proof], map_: np.record, moves: int, rounds: int) -> dict[int, int]:
        """For each first move, how many replies of opponents near refute it so soon; empty if nodes are spent."""
        self.counts[:] = 0
        if not all(self.refute(proof, map_, moves, rounds) == moves for proof in proofs):
            return {}
        return {action: int(self.counts[action]) for action in members(moves)}

    def refute(self, proof: Proof, map_: np.record, moves: int, rounds: int) -> int:
        """Count refutations, with a look at the clock now and then; returns the moves that were finished."""
        self.progress[ROUND] = NOT_BEGUN
        while not refute(proof, map_, np.uint64(moves), rounds, self.counts) and self.can_go_on():
            pass
        return int(self.progress[FINISHED])

    def lost_to_all(self, state: np.record, map_: np.record, player: int, rivals: list[int], moves: int) -> int:
        """Those of the first moves that can't be survived if every opponent drops a bomb now."""
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


@entry
def is_near(state, player, rival):
    """Whether a bomb of the opponent could matter to the player soon."""
    me, them = state.players[player], state.players[rival]
    return distance(cell_of(me), cell_of(them)) <= np.int64(range_of(them)) + REACH


def fears_sacrifice(state: np.record, player: int, rivals: list[int]) -> bool:
    """Whether the last opponent may want to die together with us: they could have more boxes then."""
    return len(rivals) == 1 and int(state.scored[rivals[0]]) + MARGIN > int(state.scored[player])
