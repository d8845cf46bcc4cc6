"""A round of the game as phases, and the one `step` that everything calls.

    choose   every player's move and bomb are read off the state that was sent
    burn     bombs that are due explode, with chains; players, boxes and items in the fire go
    act      the survivors drop their bombs, move, and pick up items they walk onto

A search that tries all actions of a state burns once and finishes many times (`step_burnt`).

An action is one number: the move (stay, left, right, up, down = 0..4), plus 5 to drop a bomb first. The
actions of all players are packed into one number, four bits each, player 0 lowest.

This order is exact although the rules name seven phases: burning things vanish only after all choices are
read; new bombs are never in the fire (a player in it is dead); freed items appear in place of boxes, where
nobody could walk in this round.
"""

from engine.blast import THREE, burn_away, explode, hits_of
from engine.board import (
    BIT_MASK,
    CLASS_SHIFT,
    FOUR,
    MOVES,
    NEIGHBOURS,
    ONE,
    SEVEN,
    TURNS,
    TWO,
    U64,
    ZERO,
    count_bits,
    lowest_bit,
    turn_right,
)
from engine.cells import has, holds, read, remove, union, write
from engine.instructions import empty_slots, occupied, occupied_in
from engine.jit import entry, inline, kernel
from engine.state import (
    BYTE,
    ONE_BOMB,
    ONE_RANGE,
    RANGE_SHIFT,
    SLOT_BITS,
    STOCK_SHIFT,
    cell_of,
    dropped_by,
    row_in,
    slot_of,
)

ACTIONS = 10
BOMB = 5  # added to a move
ACTION_NAMES = (*MOVES, *(f"{move}+bomb" for move in MOVES))
ACTION_BITS = U64(4)
ACTION_MASK = U64(15)
FIVE = U64(5)
ACTS = U64(1 << 9)  # set in every `choice`
ONE_OWNER = U64(0x11111111)  # the slots of player 0 in the whole ring


@entry
@inline
def pack(player, action):
    """A player's action among the packed actions of all: or them together for `step`."""
    return U64(action) << (U64(player) << TWO)


@inline
def action_of(actions, player):
    """A player's action out of the packed actions of all."""
    return (actions >> (U64(player) << TWO)) & ACTION_MASK


@inline
def can_drop(state, me):
    """1 if a player (packed) has a bomb left and is on none, else 0."""
    cell = cell_of(me)
    kind = cell >> CLASS_SHIFT
    on_bomb = (state.blocked[kind] & ~state.boxes[kind]) >> (cell & BIT_MASK)
    return U64(me >= ONE_BOMB) & ~on_bomb & ONE


@inline
def legal_moves(state, cell):
    """Five bits, one per move that changes the cell, and one for staying.

    The neighbours left and right are next to each other in one word, those up and down seven bits apart in another. To
    turn both words by table is branch-free: the class of a player's cell changes with nearly every move.
    """
    beside = ~turn_right(state.blocked[TURNS[cell, 0]], U64(TURNS[cell, 1]))
    above = ~turn_right(state.blocked[TURNS[cell, 2]], U64(TURNS[cell, 3]))
    return ONE | (beside & THREE) << ONE | (above & ONE) << THREE | (above >> SEVEN & ONE) << FOUR


@entry
@inline
def legal_actions(state, player):
    """Ten bits, one per action that means something; none for a dead player."""
    me = U64(state.players[player])
    if me == ZERO:
        return ZERO
    moves = legal_moves(state, cell_of(me))
    return moves | (moves << FIVE) * can_drop(state, me)


@inline
def target_of(state, cell, move):
    """Where a move ends: the next cell, or the same cell if that is blocked."""
    to = U64(NEIGHBOURS[cell, move])
    return cell if has(state.blocked, to) else to


@inline
def choice(target, drops):
    """One player's move and bomb as 16 bits. They are never 0, so that a loop finds all players that act."""
    return ACTS | target | drops << RANGE_SHIFT


@inline
def choose(state, actions):
    """Each player's target cell and whether they drop a bomb. Players that stay may be left out."""
    chosen = ZERO
    at = ZERO
    while actions != ZERO:
        action = actions & ACTION_MASK
        me = U64(state.players[at])
        drops = U64(action >= FIVE)
        target = target_of(state, cell_of(me), action - FIVE * drops)
        chosen |= choice(target, drops & can_drop(state, me)) << (at << FOUR)
        actions >>= ACTION_BITS
        at += ONE
    return chosen


@kernel
def burn(state, map_, row):
    """Explode the bombs that are due and remove everything that burns."""
    blocked, boxes, items = read(state.blocked), read(state.boxes), read(state.items)
    due, live = occupied_in(state.bombs, row), occupied(state.bombs)
    fire, left, hits = explode(state.bombs, due, live, union(blocked, items), boxes)
    exploded = live ^ left
    blocked, boxes, items = burn_away(fire, blocked, boxes, items, map_)
    write(state.blocked, blocked)
    write(state.boxes, boxes)
    write(state.items, items)
    empty_slots(state.bombs, exploded)
    for at in range(4):
        me = U64(state.players[at])
        if me != ZERO:
            returned = count_bits(exploded & (ONE_OWNER << U64(at)))
            state.players[at] = ZERO if holds(fire, cell_of(me)) else me + returned * ONE_BOMB
        state.scored[at] += hits_of(hits, at)


@inline
def act(state, map_, chosen, row):
    """The living drop their bombs and move. Returns the players that walked onto an item, one bit each."""
    takers = ZERO
    dropped = ZERO
    at = ZERO
    while chosen != ZERO:
        me = U64(state.players[at])
        if me != ZERO:
            cell, to = cell_of(me), chosen & BYTE
            drops = (chosen >> RANGE_SHIFT) & ONE
            dropped |= slot_of(dropped_by(me) * drops, at)
            state.blocked[cell >> CLASS_SHIFT] |= drops << (cell & BIT_MASK)
            me += to - cell - (drops << STOCK_SHIFT)
            if has(state.items, to):  # rare, so tested first: whether somebody moved is a coin toss
                comes = U64(to != cell)
                takers |= comes << at
                me += comes * (ONE_RANGE if has(map_.range_items, to) else ONE_BOMB)
            state.players[at] = me
        chosen >>= SLOT_BITS
        at += ONE
    state.bombs[row] |= dropped
    return takers


@inline
def finish_round(state, map_, chosen, row):
    """The last phase: carry out the choices, on the state after the fire."""
    takers = act(state, map_, chosen, row)
    while takers != ZERO:  # only now: all players that arrive together get the item
        remove(state.items, cell_of(state.players[lowest_bit(takers)]))
        takers &= takers - ONE
    state.turn += 1


@inline
def step_chosen(state, map_, chosen):
    """`step` for callers that have chosen among the legal actions. Not checked."""
    row = row_in(state, 0)
    if state.bombs[row] != ZERO:
        burn(state, map_, row)
    finish_round(state, map_, chosen, row)


@inline
def step(state, map_, actions):
    """Play one round in place. A blocked move stays; a bomb that can't be dropped is left out."""
    step_chosen(state, map_, choose(state, actions))


@inline
def step_burnt(state, burnt, map_, actions):
    """`step` for one of many children: `burnt` is a copy of the parent `state` after its `burn`, made once for all
    (the fire doesn't depend on anybody's action); it becomes the child."""
    finish_round(burnt, map_, choose(state, actions), row_in(state, 0))


@entry
def play_round(state, map_, actions):
    """`step` as a call: for Python, and for kernels that aren't hot enough to pay for a copy of it in compile time."""
    step(state, map_, actions)
