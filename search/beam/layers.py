"""The layers of a beam search: expand every state of a layer, keep the best, go on.

    layer d       states kept at depth d, best first             parent[d], action[d], root[d], score[d]
    children      every legal action of each of them             generated =
      - duplicates   the same state was there already              duplicates
      - dead         the own player burnt                          + dead
      - unsurvivable first moves that were ruled out               + unsurvivable
      - local cut    enough states with the own player there       + local_cut
      - global cut   the layer is full                             + global_cut
    layer d + 1   the rest                                         + kept

A child differs from its siblings by the own action alone. So each parent is played as far as all its children have in
common (its `base`: the fire, then the others' actions), and children are scored and compared by what the own action
adds to that. Only those that are kept become states: everything that is touched often stays small enough for the cache.

States of a layer that differ by the own player alone (nobody has dropped a bomb or taken an item since their lines
parted: about every second one) share their future, and so they share their base: it leaves the own player out.

What is kept of each layer stays behind after the search: `hsctl explain` reads it, the search knows nothing of that.
"""

from typing import NamedTuple

import numpy as np

from engine.board import (
    BIT_MASK,
    CLASS_SHIFT,
    FOUR,
    NEIGHBOURS,
    ONE,
    SEVEN,
    U64,
    ZERO,
    count_bits,
    is_in,
    lowest_bit,
)
from engine.jit import inline, kernel
from engine.rules import ACTIONS, BOMB, burn, choose, finish_round, has, legal_actions
from engine.state import BYTE, FUSE, MAX_PLAYERS, MAX_TURNS, ONE_BOMB, ONE_RANGE, SLOT, STATE, record
from engine.survival import common, count_set, flood, is_empty, read, single, without, write
from engine.zobrist import KEYS, finish, mix, sum_items, sum_players, sum_rest
from search.common.evaluate import box_distance, box_distance_after, kit_terms, own_bombs, place_term, players_term
from search.common.forecast import (
    FUTURE,
    follow_items,
    follow_others,
    foresee,
    foresee_bomb,
    pass_round,
    survivable_from,
    survives,
    worth_of,
)

GENERATED, DUPLICATES, DEAD, UNSURVIVABLE, LOCAL_CUT, GLOBAL_CUT, KEPT = range(7)
COUNTERS = ("generated", "duplicates", "dead", "unsurvivable", "local_cut", "global_cut", "kept")

# Scores are sorted as the distance to the layer's best, in 22 bits: two rounds of counting.
DIGIT_BITS, DIGITS = 11, 2048
LAST_DIGIT = DIGITS - 1
PAIR_BITS, CHILD = 32, (1 << 32) - 1  # a key and a child in one number: sorting never looks elsewhere
UNITS_PER_POINT = 65536.0
WORST_KEY = (1 << 2 * DIGIT_BITS) - 1
NO_SCORE = -1.0e9

BOMB_SHIFT, MOVES = U64(BOMB), U64((1 << BOMB) - 1)  # actions are moves, without a bomb and with one

NO_FUTURE = -1
NOBODY = -1
FEWEST_SEEN = 64  # places for hashes
PLAYER_KEYS = 3  # where the keys of the players begin
ROW_KEYS = U64(7)  # and those of the rows of bombs

# Room for states that are asked about and forgotten: a base with the own bomb, a child that took an item.
DROPPED, TAKEN, ROOMS = range(3)
PLAYERS, PLACE = range(2)


class Layers(NamedTuple):
    """All memory of a beam search. `capacity` children fit into it, all actions of each state of a layer."""

    states: np.ndarray  # [2, width], kept; one half for even depths, one for odd
    bases: np.ndarray  # [width], what the children of each state have in common, without the own player
    boards: np.ndarray  # [width], what is known of each base
    base: np.ndarray  # [width], the base of each state: its own, or that of the first with the same future
    first: np.ndarray  # [2 * capacity], the first state expanded with this future, or NOBODY
    rooms: np.ndarray  # [ROOMS]
    walls: np.ndarray  # [FUSE, 3], for survivable_from
    places: np.ndarray  # [PLAYERS | PLACE, move], terms of the evaluation
    futures: np.ndarray  # [2 * capacity], shared by children of one parent; halves as above
    child_score: np.ndarray  # [capacity]
    child_bonus: np.ndarray  # [capacity], of the score: what was won on the way
    child_me: np.ndarray  # [capacity], the own player's number
    child_parent: np.ndarray  # [capacity], place in the layer above
    child_action: np.ndarray  # [capacity]
    child_future: np.ndarray  # [capacity], place in futures
    pairs: np.ndarray  # [2, capacity], children with their keys, sorted
    digits: np.ndarray  # [2, DIGITS]
    seen: np.ndarray  # [a power of two], hashes of this layer's children, 0 = free
    per_cell: np.ndarray  # [256], children kept with the own player there
    future: np.ndarray  # [depth, width], place in futures
    parent: np.ndarray  # [depth, width], place in the layer above
    action: np.ndarray  # [depth, width]
    root: np.ndarray  # [depth, width], the first action
    score: np.ndarray  # [depth, width]
    bonus: np.ndarray  # [2, width], halves as above
    counters: np.ndarray  # [depth, counter]; those of the children that became layer `depth`
    others: np.ndarray  # [depth], packed actions of the other players


# What is known of a base.
BOARD = record(
    [
        ("items", np.uint64, 3),  # before the others take any: who enters together gets it
        ("future", np.int64),  # place in futures, if the own player drops no bomb
        ("returned", np.uint64),  # to the own player, as added to his number
        ("bombs", np.uint64),  # of the own player
        ("box_count", np.int64),
        ("rivalry", np.float64),
        ("rest", np.uint64),  # of the hash: all but the own player, the items and this round's bombs
        ("lying", np.uint64),  # of the hash: the items
        ("safe", np.uint64, 3),  # where anybody can survive, while traps are looked for
    ]
)

SEARCH = record(
    [
        ("player", np.int64),
        ("depth", np.int64),  # the last complete layer
        ("max_depth", np.int64),
        ("held", np.int64),  # states in that layer
        ("cursor", np.int64),  # how many of them are expanded
        ("children", np.int64),
        ("futures", np.int64),
        ("nodes", np.int64),
        ("roots", np.uint64),  # first actions that may be tried, ten bits
        ("width", np.int64),
        ("local", np.int64),
        ("seen_mask", np.uint64),
        ("drops_duplicates", np.bool_),
        ("has_local", np.bool_),
        ("checks_survival", np.bool_),
        ("finished", np.bool_),
        ("mates", np.uint64),  # who is on the player's side, four bits
        ("unsurvivable", np.float64),
        ("kits", np.float64, MAX_PLAYERS),  # what each player's range and bombs are worth at the start
        ("ends", np.bool_),
        ("trap", np.float64),
        ("trust", np.float64),  # how much of it goes by where rivals are predicted
        ("trap_depth", np.int64),  # up to which traps are looked for
        ("decay", np.float64, MAX_TURNS + 1),  # of a trap, by turn
    ]
)


def make_layers(width: int, others: np.ndarray, depth: int = MAX_TURNS) -> Layers:
    """Memory for so many layers of this width. `others` is the caller's, [MAX_TURNS + 1]: what the other players do."""
    capacity = ACTIONS * width
    depth += 1
    return Layers(
        states=np.zeros((2, width), STATE),
        bases=np.zeros(width, STATE),
        boards=np.zeros(width, BOARD),
        base=np.zeros(width, np.int32),
        first=np.zeros(2 * capacity, np.int32),
        rooms=np.zeros(ROOMS, STATE),
        walls=np.zeros((FUSE, 3), np.uint64),
        places=np.zeros((2, BOMB)),
        futures=np.zeros(2 * capacity, FUTURE),
        child_score=np.zeros(capacity),
        child_bonus=np.zeros(capacity),
        child_me=np.zeros(capacity, np.uint32),
        child_parent=np.zeros(capacity, np.int32),
        child_action=np.zeros(capacity, np.uint8),
        child_future=np.zeros(capacity, np.int32),
        pairs=np.zeros((2, capacity), np.int64),
        digits=np.zeros((2, DIGITS), np.int32),
        seen=np.zeros(max(FEWEST_SEEN, 1 << (2 * capacity).bit_length()), np.uint64),
        per_cell=np.zeros(256, np.int32),
        future=np.zeros((depth, width), np.int32),
        parent=np.zeros((depth, width), np.int32),
        action=np.zeros((depth, width), np.uint8),
        root=np.zeros((depth, width), np.uint8),
        score=np.zeros((depth, width)),
        bonus=np.zeros((2, width)),
        counters=np.zeros((depth, len(COUNTERS)), np.int64),
        others=others,
    )


@kernel
def begin(layers, search, state, map_, weights, roots):
    """Start afresh from a state. `roots` are the first actions to try, ten bits, 0 = all."""
    layers.states[0, 0] = state
    foresee(state, map_, search.player, weights, layers.futures[0], 0)
    layers.future[0, 0] = 0
    layers.first[0] = NOBODY
    layers.bonus[0, 0] = 0.0
    for other in range(MAX_PLAYERS):
        he = U64(state.players[other])
        search.kits[other] = kit_terms(he, own_bombs(state, other), weights) if he != ZERO else 0.0
    search.depth = 0
    search.held = 1
    search.nodes = 0
    search.roots = roots if roots != ZERO else ~ZERO
    search.finished = search.max_depth == 0
    begin_layer(layers, search)


@inline
def begin_layer(layers, search):
    search.cursor = 0
    search.children = 0
    search.futures = 0
    size = FEWEST_SEEN
    while size < 16 * search.held and size < layers.seen.size:
        size *= 2
    search.seen_mask = U64(size - 1)
    for k in range(size):
        layers.seen[k] = ZERO
    layers.counters[search.depth + 1, :] = 0


@inline
def is_new(seen, mask, number):
    """Whether no child of this layer had the same hash; remembers it."""
    number |= ONE  # 0 means free
    at = (number >> U64(32)) & mask
    while seen[at] != ZERO:
        if seen[at] == number:
            return False
        at = (at + ONE) & mask
    seen[at] = number
    return True


@inline
def number_after(map_, me, to, drops, takes):
    """The player's number after an action."""
    now = me + to - (me & BYTE) - ONE_BOMB * U64(drops)
    if takes:
        now += ONE_RANGE if has(map_.range_items, to) else ONE_BOMB
    return now


@inline
def new_actions(layers, search, map_, base, board, me, legal):
    """Those of the legal actions whose child this layer doesn't have yet; remembers them.

    Before anything else is done for a child: in so short a loop the tables are looked up for several at once.
    """
    home, row = me & BYTE, (U64(base.turn) - ONE) & SEVEN
    my_key, row_key = KEYS[PLAYER_KEYS + search.player], KEYS[ROW_KEYS + row]
    bombs, bomb = base.bombs[row], (me & SLOT) << (U64(search.player) << FOUR)
    rest = board.rest + board.lying
    plain, dropped = rest + mix(bombs, row_key), rest + mix(bombs | bomb, row_key)
    fresh, moves = ZERO, (legal | legal >> BOMB_SHIFT) & MOVES
    while moves != ZERO:
        move = lowest_bit(moves)
        moves &= moves - ONE
        to = U64(NEIGHBOURS[home, move])
        takes = to != home and has(board.items, to)
        taken = ZERO
        if takes:
            word = to >> CLASS_SHIFT
            lying = base.items[word]
            taken = mix(lying & ~(ONE << (to & BIT_MASK)), KEYS[word]) - mix(lying, KEYS[word])
        now = number_after(map_, me, to, False, takes)
        if (legal >> move) & ONE != ZERO:
            number = finish(plain + taken + mix(now, my_key))
            fresh |= U64(is_new(layers.seen, search.seen_mask, number)) << move
        if (legal >> (move + BOMB_SHIFT)) & ONE != ZERO:
            number = finish(dropped + taken + mix(now - ONE_BOMB, my_key))
            fresh |= U64(is_new(layers.seen, search.seen_mask, number)) << (move + BOMB_SHIFT)
    return fresh


@inline
def copy_future(layers, search, known):
    """A future of this layer's children that begins as a copy of a known one."""
    future = ((search.depth + 1) & 1) * layers.child_score.size + search.futures
    search.futures += 1
    layers.futures[future] = layers.futures[known]
    layers.first[future] = NOBODY
    return future


@inline
def drop(state, player, me, row):
    """The player (his number before) leaves a bomb where he stands."""
    cell = me & BYTE
    state.bombs[row] |= (me & SLOT) << (U64(player) << FOUR)
    state.blocked[cell >> CLASS_SHIFT] |= ONE << (cell & BIT_MASK)


@inline
def take_away(state, cell):
    """No item lies on the cell any more."""
    state.items[cell >> CLASS_SHIFT] &= ~(ONE << (cell & BIT_MASK))


@inline
def make_child(child, player, me, now, drops):
    """Complete a copy of a base by the own action that makes the player's number `now` of `me`."""
    if drops:
        drop(child, player, me, (U64(child.turn) - ONE) & SEVEN)
    if now & BYTE != me & BYTE:
        take_away(child, now & BYTE)
    child.players[player] = now


@inline
def rivals_term(state, player, search, weights):
    """What the others' boxes, ranges and bombs cost, and what those of a mate are worth.

    A rival who is dead keeps what he had: there is nothing to win by a death that is only predicted. A mate does not.
    """
    total = 0.0
    if weights.rivals != 0.0:
        for other in range(MAX_PLAYERS):
            if other != player:
                he = U64(state.players[other])
                is_mate = (search.mates >> U64(other)) & ONE != ZERO
                kit = 0.0 if is_mate else search.kits[other]
                if he != ZERO:
                    kit = kit_terms(he, own_bombs(state, other), weights)
                points = weights.box * state.scored[other] + kit
                total += -points if is_mate else points
    return -weights.rivals * total


@inline
def trap_of(layers, search, parent, base, board, around, future):
    """Points for the own bomb `around` which all of this is known: rivals whom it leaves no way out.

    Each by whether he is caught where he is predicted, and by how many of the cells that he might be on.
    """
    before = read(board.safe)
    trapped = without(before, survivable_from(around, future, layers.walls))
    if is_empty(trapped):
        return 0.0
    share = 0.0
    for other in range(MAX_PLAYERS):
        he, was = U64(base.players[other]), U64(parent.players[other])
        if other == search.player or he == ZERO or (search.mates >> U64(other)) & ONE != ZERO:
            continue
        might = common(flood(single(was & BYTE), read(parent.blocked)), before)
        count = count_set(might)
        if count != 0:
            share += (1.0 - search.trust) * count_set(common(might, trapped)) / count
            if is_in(he & BYTE, trapped[0], trapped[1], trapped[2]):
                share += search.trust
    return search.trap * search.decay[search.depth] * share


@inline
def make_base(layers, search, map_, weights, place):
    """Play a state as far as all its children have in common, and note what they need to know of that."""
    player, depth = search.player, search.depth
    parent, base, board = layers.states[depth & 1, place], layers.bases[place], layers.boards[place]
    row = U64(parent.turn) & SEVEN
    layers.bases[place] = parent
    base.players[player] = 0
    if parent.bombs[row] != ZERO:
        burn(base, map_, row)
    write(board.items, read(base.items))
    board.bombs = own_bombs(base, player)
    board.returned = (own_bombs(parent, player) - board.bombs) * ONE_BOMB
    others = layers.others[depth]
    finish_round(base, map_, others, choose(parent, others), row)
    board.future = copy_future(layers, search, layers.future[depth, place])
    pass_round(layers.futures[board.future], row, weights)
    if others != ZERO:
        follow_others(base, read(board.items), map_, player, weights, layers.futures[board.future])
    board.box_count = count_set(read(base.boxes))
    board.rivalry = rivals_term(base, player, search, weights)
    board.rest = sum_rest(base, row) + sum_players(base)
    board.lying = sum_items(base)
    if depth < search.trap_depth:
        write(board.safe, survivable_from(base, layers.futures[board.future], layers.walls))


@inline
def value_places(layers, player, weights, base, box_count, home, moves):
    """The terms of the evaluation that depend on where the own player goes, for each of his moves."""
    boxes = read(base.boxes)
    home_distance = box_distance(boxes, home) if box_count <= weights.many_boxes else 0
    while moves != ZERO:
        move = lowest_bit(moves)
        moves &= moves - ONE
        to = U64(NEIGHBOURS[home, move])
        distance = box_distance_after(boxes, box_count, home, home_distance, to)
        layers.places[PLAYERS, move] = players_term(base, player, to, weights)
        layers.places[PLACE, move] = place_term(box_count, to, distance, weights)


@inline
def expand(layers, search, map_, weights, place):
    """Make all children of one state of the layer."""
    player, depth = search.player, search.depth
    parent = layers.states[depth & 1, place]
    counters = layers.counters[depth + 1]
    legal = legal_actions(parent, player)
    counters[GENERATED] += np.int64(count_bits(legal))
    if depth == 0:
        counters[UNSURVIVABLE] += np.int64(count_bits(legal & ~search.roots))
        legal &= search.roots
    row = U64(parent.turn) & SEVEN
    home = U64(parent.players[player]) & BYTE
    known = layers.future[depth, place]
    if has(layers.futures[known].fires[row], home):
        counters[DEAD] += np.int64(count_bits(legal))
        search.nodes += 1
        return
    if layers.first[known] == NOBODY:
        layers.first[known] = place
        make_base(layers, search, map_, weights, place)
    layers.base[place] = layers.first[known]
    base, board = layers.bases[layers.base[place]], layers.boards[layers.base[place]]
    me = U64(parent.players[player]) + board.returned
    plain_future = board.future
    points = weights.box * base.scored[player]
    bombs = board.bombs
    home_kit = kit_terms(me, bombs, weights)
    bonus = layers.bonus[depth & 1, place]
    rivalry = board.rivalry
    left = MAX_TURNS - np.int64(base.turn)
    fresh = legal
    if search.drops_duplicates:
        fresh = new_actions(layers, search, map_, base, board, me, legal)
        counters[DUPLICATES] += np.int64(count_bits(legal ^ fresh))
    search.nodes += np.int64(count_bits(legal))
    value_places(layers, player, weights, base, board.box_count, home, (fresh | fresh >> BOMB_SHIFT) & MOVES)
    bomb_future, trap = NO_FUTURE, 0.0
    while fresh != ZERO:
        action = np.int64(lowest_bit(fresh))
        fresh &= fresh - ONE
        drops, move = action >= BOMB, action % BOMB
        to = U64(NEIGHBOURS[home, move])
        takes = to != home and has(board.items, to)
        now = number_after(map_, me, to, drops, takes)
        future, around = plain_future, base
        if drops:
            around = layers.rooms[DROPPED]
            if bomb_future == NO_FUTURE:
                layers.rooms[DROPPED] = base
                drop(around, player, me, row)
                bomb_future = copy_future(layers, search, plain_future)
                foresee_bomb(around, map_, player, weights, layers.futures[bomb_future])
                if depth < search.trap_depth:
                    trap = trap_of(layers, search, parent, base, board, around, layers.futures[bomb_future])
            future = bomb_future
        kit = home_kit
        if takes:
            around = layers.rooms[TAKEN]
            layers.rooms[TAKEN] = base
            make_child(around, player, me, now, drops)
            kit = kit_terms(now, bombs + U64(drops), weights)
            future = copy_future(layers, search, future)
            follow_items(around, read(base.items), map_, player, weights, layers.futures[future])
        worth = layers.futures[future].worth
        if search.ends and left < FUSE:
            in_time = (ONE << U64(8 * left)) - ONE
            worth = worth_of(layers.futures[future].hits & in_time, layers.futures[future].losses & in_time, weights)
        score = points + kit + worth + layers.places[PLAYERS, move] + layers.places[PLACE, move]  # see evaluate.py
        here = bonus
        if drops:
            here += trap
        score += here + rivalry
        if search.checks_survival and not survives(around, to, layers.futures[future]):
            score += search.unsurvivable
        slot = search.children
        layers.child_future[slot] = future
        layers.child_score[slot] = score
        layers.child_bonus[slot] = here
        layers.child_me[slot] = now
        layers.child_parent[slot] = place
        layers.child_action[slot] = action
        search.children += 1


@inline
def sort_children(scores, count, pairs, digits):
    """Leave the children in pairs[0] as (key << 32 | child), best first; equal ones as they were made."""
    best = NO_SCORE
    for k in range(count):
        best = max(best, scores[k])
    digits[:] = 0
    for k in range(count):
        key = np.int64(min(np.float64(WORST_KEY), (best - scores[k]) * UNITS_PER_POINT))
        pairs[0, k] = key << PAIR_BITS | k
        digits[0, key & LAST_DIGIT] += 1
        digits[1, key >> DIGIT_BITS] += 1
    for digit in range(2):
        total = 0
        for k in range(DIGITS):
            here = digits[digit, k]
            digits[digit, k] = total
            total += here
        shift = PAIR_BITS + digit * DIGIT_BITS
        for k in range(count):
            pair = pairs[digit, k]
            at = (pair >> shift) & LAST_DIGIT
            pairs[1 - digit, digits[digit, at]] = pair
            digits[digit, at] += 1


@inline
def select(layers, search):
    """Keep the best children as the next layer."""
    count = search.children
    sort_children(layers.child_score, count, layers.pairs, layers.digits)
    depth = search.depth
    below = depth + 1
    counters = layers.counters[below]
    layers.per_cell[:] = 0
    kept = 0
    for k in range(count):
        child = layers.pairs[0, k] & CHILD
        now = U64(layers.child_me[child])
        if search.has_local and layers.per_cell[now & BYTE] >= search.local:
            counters[LOCAL_CUT] += 1
        elif kept >= search.width:
            counters[GLOBAL_CUT] += 1
        else:
            layers.per_cell[now & BYTE] += 1
            parent = layers.child_parent[child]
            action = layers.child_action[child]
            me = U64(layers.states[depth & 1, parent].players[search.player])
            layers.states[below & 1, kept] = layers.bases[layers.base[parent]]
            make_child(layers.states[below & 1, kept], search.player, me, now, action >= BOMB)
            layers.future[below, kept] = layers.child_future[child]
            layers.parent[below, kept] = parent
            layers.action[below, kept] = action
            layers.root[below, kept] = action if depth == 0 else layers.root[depth, parent]
            layers.score[below, kept] = layers.child_score[child]
            layers.bonus[below & 1, kept] = layers.child_bonus[child]
            kept += 1
    counters[KEPT] = kept
    return kept


@kernel
def advance(layers, search, map_, weights, limit):
    """Go on until the search is finished or has made `limit` nodes (looked at before each state)."""
    while not search.finished:
        while search.cursor < search.held:
            if search.nodes >= limit:
                return
            expand(layers, search, map_, weights, search.cursor)
            search.cursor += 1
        kept = select(layers, search)
        if kept == 0:  # all lines end here: the last complete layer lived longest
            search.finished = True
            return
        search.depth += 1
        search.held = kept
        if search.depth >= search.max_depth:
            search.finished = True
            return
        begin_layer(layers, search)


def best_line(layers: Layers, depth: int, place: int = 0) -> list[int]:
    """The actions that lead to a state of a layer."""
    actions = []
    while depth > 0:
        actions.append(int(layers.action[depth, place]))
        place = int(layers.parent[depth, place])
        depth -= 1
    return actions[::-1]
