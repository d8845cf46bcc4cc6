"""One walk of the search: down by UCT, one new node, a simulation, and up with the score negated at every node.

A node is first simulated when it is made, the root too; its actions are looked for when a walk stops there again.

Valid actions are the legal ones that don't end where a known bomb burns in the next round: this game's collision. A
player without a valid action takes any legal one; a dead player stays.

Cautious actions can be survived whatever an opponent does at the same moment. Both sides act at once, though the tree
lets us move first. An opponent's action affects us in two ways only: by the bomb they drop, and by the item they take,
which no longer stops a blast.

The score of a position is our side's points minus the other side's:

    length    box x boxes destroyed + item x items taken       a dead player's items are gone
    health    life while alive
    dead end  -dead_end on a cell that hangs on the free cells by one way only
    space     space x cells within 8 steps, the time a bomb takes
"""

import numpy as np

from engine.blast import burn_away, due_in, explode
from engine.board import NEIGHBOURS, ONE, U64, ZERO, has_bit
from engine.cells import NOTHING, count_cells, flood, has, is_empty, read, single, union, with_two_neighbours
from engine.instructions import occupied
from engine.jit import entry, inline, kernel
from engine.maps import START_BOMBS, START_RANGE
from engine.random import PICKS, SHARES, below, next_random
from engine.rules import ACTIONS, FIVE, can_drop, legal_actions, legal_moves, pack, play_round
from engine.state import FUSE, MAX_TURNS, cell_of, range_of, row_in
from engine.survival import is_survivable, joint
from search.common.evaluate import owned_bombs
from search.common.others import mates_lost
from search.common.uct import NO_NODE, best_child, pick_from, scratch_place
from search.duel.tree import (
    NONE_PENDING,
    UNOPENED,
    key_of,
    leave_out_losses,
    new_node,
    remember_all,
    slot_of,
    team_moves,
)


@kernel
def fire_ahead(state, map_):
    """The fire of the round after the coming one, which burns players that walk into it now: a set of cells."""
    row, due = row_in(state, 0), row_in(state, 1)
    if state.bombs[due] == ZERO:
        return NOTHING
    blocked, boxes, items = read(state.blocked), read(state.boxes), read(state.items)
    live = occupied(state.bombs)
    if state.bombs[row] != ZERO:
        fire, live, _hits = explode(state.bombs, due_in(live, row), live, union(blocked, items), boxes)
        blocked, boxes, items = burn_away(fire, blocked, boxes, items, map_)
    fire, _live, _hits = explode(state.bombs, due_in(live, due), live, union(blocked, items), boxes)
    return fire


@inline
def valid_moves(state, cell, fire):
    """Five bits: the legal moves that don't end in the fire, or all if they do."""
    legal = legal_moves(state, cell)
    if is_empty(fire):
        return legal
    valid = legal
    for move in range(5):
        if has(fire, U64(NEIGHBOURS[cell, move])):
            valid &= ~(ONE << U64(move))
    return valid if valid != ZERO else legal


@inline
def valid_actions(state, map_, player):
    """Ten bits; staying for a dead player."""
    me = U64(state.players[player])
    if me == ZERO:
        return ONE
    moves = valid_moves(state, cell_of(me), fire_ahead(state, map_))
    return moves | (moves << FIVE) * can_drop(state, me)


@inline
def pick_valid(state, player, fire, random):
    """A valid action, all equally likely."""
    me = U64(state.players[player])
    if me == ZERO:
        return ZERO
    move = U64(PICKS[valid_moves(state, cell_of(me), fire), below(random, SHARES)])
    return move + FIVE * (can_drop(state, me) & random)


@inline
def felt_actions(state, rival):
    """The opponent's actions that affect others: staying with or without a bomb, and taking an item with or without."""
    cell = cell_of(state.players[rival])
    moves = ONE
    for move in range(1, 5):
        if has(state.items, U64(NEIGHBOURS[cell, move])):
            moves |= ONE << U64(move)
    return legal_actions(state, rival) & (moves | moves << FIVE) | ONE


@inline
def is_cautious(tree, walk, map_, node, player, action, rival, replies):
    """Whether an action can be survived after each of an opponent's replies (ten bits)."""
    state = tree.states[scratch_place(tree)]
    for reply in range(ACTIONS):
        if has_bit(replies, reply):
            tree.states[scratch_place(tree)] = tree.states[node]
            play_round(state, map_, joint(player, action, rival, reply))
            walk.nodes += 1
            if not is_survivable(state, map_, player):
                return False
    return True


@kernel
def cautious_actions(tree, walk, map_, node, player):
    """Our player's cautious actions; or else those that are deadly only if an opponent acts; or else the valid ones."""
    state = tree.states[node]
    legal = legal_actions(state, player)
    acting = felt_actions(state, walk.rival) & ~ONE
    seconds = felt_actions(state, walk.second) & ~ONE if walk.joint else ZERO
    survivable, cautious = ZERO, ZERO
    for action in range(ACTIONS):
        bit = ONE << U64(action)
        if legal & bit != ZERO and is_cautious(tree, walk, map_, node, player, action, walk.rival, ONE):
            survivable |= bit
            if is_cautious(tree, walk, map_, node, player, action, walk.rival, acting) and is_cautious(
                tree, walk, map_, node, player, action, walk.second, seconds
            ):
                cautious |= bit
    if cautious != ZERO:
        return cautious
    return survivable if survivable != ZERO else valid_actions(state, map_, player)


@inline
def is_over(state, walk):
    """Whether nothing that follows counts: one of the sides is dead, or the game has ended."""
    ours, theirs = state.players[walk.player] | state.players[walk.mate], state.players[walk.rival]
    is_dead = ours == 0 or ((theirs | state.players[walk.second]) == 0 and walk.alone == 0)
    return is_dead or state.turn >= MAX_TURNS


@inline
def items_of(state, player):
    """How many items a living player has taken."""
    return np.int64(range_of(state.players[player])) - START_RANGE + owned_bombs(state, player) - START_BOMBS


@inline
def is_dead_end(state, cell):
    """Whether the cell is lost when cells with one way out are closed again and again."""
    blocked = read(state.blocked)
    free = union((~blocked[0], ~blocked[1], ~blocked[2]), single(cell))
    while has(free, cell):
        left = with_two_neighbours(free)
        if left == free:
            return False
        free = left
    return True


@inline
def count_space(state, cell):
    """How many cells can be reached within the time of a bomb."""
    reach = single(cell)
    for _ in range(FUSE):
        reach = flood(reach, read(state.blocked))
    return count_cells(reach)


@inline
def side_of(state, player, walk):
    """A player's points."""
    points = walk.box * state.scored[player]
    if state.players[player] == 0:
        return points
    cell = cell_of(state.players[player])
    points += walk.life + walk.item_points * items_of(state, player)
    if walk.dead_end != 0.0 and is_dead_end(state, cell):
        points -= walk.dead_end
    if walk.space != 0.0:
        points += walk.space * count_space(state, cell)
    return points


@kernel
def score(state, walk):
    """The points of our side against the other; where sides are players, a dead teammate costs `life`."""
    if walk.joint:
        ours = side_of(state, walk.player, walk) + side_of(state, walk.mate, walk)
        return ours - side_of(state, walk.rival, walk) - side_of(state, walk.second, walk)
    lost = walk.life * mates_lost(state, walk.mates)
    return side_of(state, walk.player, walk) - side_of(state, walk.rival, walk) - lost


@inline
def pick_move(state, walk, player, mate, fire, random):
    """Random valid actions of a side, packed, and the random numbers' new state."""
    random = next_random(random)
    move = pack(player, pick_valid(state, player, fire, random))
    if walk.joint:
        random = next_random(random)
        move |= pack(mate, pick_valid(state, mate, fire, random))
    return move, random


@kernel
def simulate(tree, walk, map_, node):
    """The score after 12 rounds of random valid actions from a node; a pending move is replied to first."""
    state = tree.states[scratch_place(tree)]
    tree.states[scratch_place(tree)] = tree.states[node]
    random = tree.random[node]
    if tree.pending[node] != NONE_PENDING:
        reply, random = pick_move(state, walk, walk.rival, walk.second, fire_ahead(state, map_), random)
        play_round(state, map_, tree.actions[node] | reply)
        walk.nodes += 1
    for _ in range(walk.rounds):
        if is_over(state, walk):
            break
        fire = fire_ahead(state, map_)
        move, random = pick_move(state, walk, walk.player, walk.mate, fire, random)
        reply, random = pick_move(state, walk, walk.rival, walk.second, fire, random)
        play_round(state, map_, move | reply)
        walk.nodes += 1
    tree.random[node] = random
    return score(state, walk)


@inline
def actions_of(tree, walk, map_, node, player):
    """The actions of a player to move: valid ones, or for a cautious side of ours the cautious ones."""
    if walk.caution and tree.pending[node] == NONE_PENDING:
        return cautious_actions(tree, walk, map_, node, player)
    return valid_actions(tree.states[node], map_, player)


@inline
def open_node(tree, walk, map_, node):
    """Look for the moves of the side to move."""
    is_ours = tree.pending[node] == NONE_PENDING
    first, second = (walk.player, walk.mate) if is_ours else (walk.rival, walk.second)
    if is_over(tree.states[node], walk):
        tree.untried[node] = ZERO
        return
    actions = actions_of(tree, walk, map_, node, first)
    if walk.joint:
        others = actions_of(tree, walk, map_, node, second)
        actions = team_moves(tree, walk, map_, node, first, second, actions, others)
        if is_ours and walk.caution:
            actions = leave_out_losses(tree, walk, map_, node, actions)
    tree.untried[node] = actions


@inline
def packed_move(tree, walk, node, number, player):
    """A move of the side to move, of which this is the player or the first of two."""
    return U64(tree.moves[node, number]) if walk.joint else pack(player, number)


@inline
def reply_with(tree, walk, map_, node, reply):
    """The node after the opponent's reply: one step, and a new node unless the position is known."""
    state = tree.states[scratch_place(tree)]
    tree.states[scratch_place(tree)] = tree.states[node]
    play_round(state, map_, tree.actions[node] | packed_move(tree, walk, node, reply, walk.rival))
    walk.nodes += 1
    key = key_of(state)
    walk.deepest = max(walk.deepest, np.int64(state.turn) - np.int64(tree.states[walk.root].turn))
    if not walk.share:
        return new_node(tree, walk, state, key, NONE_PENDING, ZERO)
    slot = slot_of(tree, key)
    if tree.table[slot] == NO_NODE:
        tree.table[slot] = new_node(tree, walk, state, key, NONE_PENDING, ZERO)
    else:
        walk.shared += 1
    return np.int64(tree.table[slot])


@inline
def grow(tree, walk, map_, node):
    """The child of one of the untried moves, at random."""
    tree.random[node] = next_random(tree.random[node])
    number = pick_from(tree.untried[node], tree.random[node])
    tree.untried[node] &= ~(ONE << number)
    if tree.pending[node] == NONE_PENDING:
        actions = packed_move(tree, walk, node, number, walk.player)
        child = new_node(tree, walk, tree.states[node], tree.key[node], np.int64(number), actions)
    else:
        child = reply_with(tree, walk, map_, node, number)
    tree.child[node, number] = child
    return child


@inline
def carry_up(tree, walk, plies, points, began, reached):
    """Add a simulation to the nodes of the walk, negated from one to the next.

    `began` and `reached` are the nodes of the budget when the walk began and when it reached its last node.
    """
    for ply in range(plies + 1):
        at = tree.path[ply]
        tree.visits[at] += 1
        tree.total[at] += points if ply & 1 else -points
        tree.spent[at] += walk.nodes - (began if ply < plies else reached)


@inline
def iterate(tree, walk, map_):
    """One walk down, one new node, one simulation, one walk up."""
    node, plies, began = walk.root, 0, walk.nodes
    tree.path[0] = node
    while tree.untried[node] == ZERO:
        child = best_child(tree, node, walk.c)
        if child == NO_NODE:
            break
        node = np.int64(child)
        plies += 1
        tree.path[plies] = node
    reached = began
    if tree.visits[node] > 0:
        if tree.untried[node] == UNOPENED:
            open_node(tree, walk, map_, node)
        if tree.untried[node] != ZERO and walk.tree_size < tree.child.shape[0]:
            node = grow(tree, walk, map_, node)
            plies += 1
            tree.path[plies] = node
            reached = walk.nodes
    points = simulate(tree, walk, map_, node)
    if walk.nodes == began:
        walk.nodes += 1  # a position where all is over: still an end
    carry_up(tree, walk, plies, points, began, reached)
    walk.iterations += 1


@entry
def begin(tree, walk, state):
    """Start afresh from a state."""
    walk.tree_size = 0
    walk.deepest = 0
    walk.root = new_node(tree, walk, state, key_of(state), NONE_PENDING, ZERO)
    if walk.share:
        remember_all(tree, walk)


@entry
def advance(tree, walk, map_, limit):
    """Iterate until `limit` nodes are spent (checked before each iteration)."""
    while walk.nodes < limit:
        iterate(tree, walk, map_)
