"""The moves of a team of two: an action of each mate in one node, nine at most, as in the report.

A snake goes left, right or straight on, so two of them have nine moves. A player here has up to ten actions, a pair a
hundred. So each mate keeps three: of those worth trying (cautious for our side, valid for the other), the ones whose
position is worth most by the main paper's evaluation, everybody else standing still. A player whose mate is dead
keeps nine. Moves of ours after which one of both could not survive are left out: neither mate would see that alone.
"""

from engine.board import ONE, U64, ZERO, has_bit
from engine.jit import inline, kernel
from engine.rules import ACTIONS, pack, play_round
from engine.survival import is_survivable
from search.common.evaluate import value_of
from search.common.uct import scratch_place

EACH, ALONE = 3, 9  # actions of a player beside their mate, and without
WORST = -1e300


@inline
def value_after(tree, walk, map_, node, player, action):
    """What a player's action leads to if everybody else stands still; the dead are worth least."""
    state = tree.states[scratch_place(tree)]
    tree.states[scratch_place(tree)] = tree.states[node]
    play_round(state, map_, pack(player, action))
    walk.nodes += 1
    return value_of(state, map_, player, tree.weights[0]) if state.players[player] != 0 else WORST


@kernel
def keep_best(tree, walk, map_, node, player, actions, most):
    """The best of these actions (ten bits), at most so many; of equal ones the lowest."""
    for action in range(ACTIONS):
        if has_bit(actions, action):
            tree.values[action] = value_after(tree, walk, map_, node, player, action)
    kept = ZERO
    for _ in range(most):
        best = -1
        for action in range(ACTIONS):
            if has_bit(actions & ~kept, action) and (best < 0 or tree.values[action] > tree.values[best]):
                best = action
        if best < 0:
            break
        kept |= ONE << U64(best)
    return kept


@inline
def survive_together(tree, walk, map_, node, move):
    """Whether all of our side who live can survive after a move of both."""
    state = tree.states[scratch_place(tree)]
    tree.states[scratch_place(tree)] = tree.states[node]
    play_round(state, map_, U64(move))  # as all others call it, so that it is compiled once
    walk.nodes += 1
    mine = tree.states[node].players[walk.player] == 0 or is_survivable(state, map_, walk.player)
    return mine and (tree.states[node].players[walk.mate] == 0 or is_survivable(state, map_, walk.mate))


@inline
def add_moves(tree, node, first, second, actions, others):
    """Write down all pairs of actions (ten bits each) and return how many there are."""
    count = 0
    for action in range(ACTIONS):
        for other in range(ACTIONS):
            if has_bit(actions, action) and has_bit(others, other):
                tree.moves[node, count] = pack(first, action) | pack(second, other)
                count += 1
    return count


@inline
def share_of_each(state, other):
    """How many actions a player keeps beside this mate."""
    return ALONE if state.players[other] == 0 else EACH


@kernel
def team_moves(tree, walk, map_, node, first, second, actions, others):
    """Write down the moves of a team, given what either player may do (ten bits each); they are returned as bits."""
    state = tree.states[node]
    kept = keep_best(tree, walk, map_, node, first, actions, share_of_each(state, second))
    others_kept = keep_best(tree, walk, map_, node, second, others, share_of_each(state, first))
    count = add_moves(tree, node, first, second, kept, others_kept)
    return (ONE << U64(count)) - ONE


@kernel
def leave_out_losses(tree, walk, map_, node, moves):
    """Those of our moves (bits) after which both mates can survive, or all if there is none."""
    safe = ZERO
    for number in range(ALONE):
        if has_bit(moves, number) and survive_together(tree, walk, map_, node, tree.moves[node, number]):
            safe |= ONE << U64(number)
    return safe if safe != ZERO else moves
