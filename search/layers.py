"""The layers of a beam search: expand every state of a layer, keep the best, go on.

    layer d       states kept at depth d, best first             parent[d], action[d], root[d], score[d]
    children      every legal action of each of them             generated =
      - duplicates   the same state was there already              duplicates
      - dead         the own player burnt                          + dead
      - unsurvivable first moves that were ruled out               + unsurvivable
      - local cut    enough states with the own player there       + local_cut
      - global cut   the layer is full                             + global_cut
    layer d + 1   the rest                                         + kept

What is kept of each layer stays behind after the search: `hsctl explain` reads it, the search knows nothing of that.
States live in two pools, one for even, one for odd depths, and are never copied after they were made.
"""

from typing import NamedTuple

import numpy as np

from engine.board import ONE, SEVEN, TWO, U64, ZERO, count_bits, count_cells
from engine.jit import inline, kernel
from engine.rules import ACTIONS, FIVE, burn, legal_actions, step_burnt
from engine.state import BYTE, MAX_TURNS, RANGE_SHIFT, STATE, STOCK_SHIFT, record
from engine.survival import read
from engine.zobrist import finish, sum_items, sum_players, sum_rest, sum_row
from search.evaluate import box_distance, box_distance_after, evaluate, kit_terms, own_bombs
from search.future import FUTURE, add_own_bomb, copy_future, follow_items, foresee, pass_round, survives

GENERATED, DUPLICATES, DEAD, UNSURVIVABLE, LOCAL_CUT, GLOBAL_CUT, KEPT = range(7)
COUNTERS = ("generated", "duplicates", "dead", "unsurvivable", "local_cut", "global_cut", "kept")

# Scores are sorted as the distance to the layer's best, in 22 bits: two rounds of counting.
DIGIT_BITS, DIGITS = 11, 2048
UNITS_PER_POINT = 65536.0
WORST_KEY = (1 << 2 * DIGIT_BITS) - 1
NO_SCORE = -1.0e9

NO_FUTURE = -1
FEWEST_SEEN = 64  # places for hashes

# Room before the two pools: the parent after its fire, after the others' actions too, and after an own bomb.
BURNT, WAITED, DROPPED, POOLS = range(4)


class Layers(NamedTuple):
    """All memory of a beam search. `capacity` children fit into a pool."""

    states: np.ndarray  # [POOLS + 2 * capacity]
    futures: np.ndarray  # [POOLS + 2 * capacity], shared by children of one parent
    child_score: np.ndarray  # [capacity]
    child_parent: np.ndarray  # [capacity], place in the layer above
    child_action: np.ndarray  # [capacity]
    child_future: np.ndarray  # [capacity], place in futures
    keys: np.ndarray  # [capacity]
    order: np.ndarray  # [2, capacity], children sorted
    digits: np.ndarray  # [DIGITS]
    seen: np.ndarray  # [a power of two], hashes of this layer's children, 0 = free
    per_cell: np.ndarray  # [256], children kept with the own player there
    node: np.ndarray  # [depth, width], place in the pool
    future: np.ndarray  # [depth, width], place in futures
    parent: np.ndarray  # [depth, width], place in the layer above
    action: np.ndarray  # [depth, width]
    root: np.ndarray  # [depth, width], the first action
    score: np.ndarray  # [depth, width]
    counters: np.ndarray  # [depth, counter]; those of the children that became layer `depth`
    others: np.ndarray  # [depth], packed actions of the other players


SEARCH = record(
    [
        ("player", np.int64),
        ("depth", np.int64),  # the last complete layer
        ("max_depth", np.int64),
        ("size", np.int64),  # states in that layer
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
        ("unsurvivable", np.float64),
    ]
)


def make_layers(width: int, others: np.ndarray) -> Layers:
    """Memory for layers of this width. `others` is the caller's, [MAX_TURNS + 1]: what the other players do."""
    capacity = ACTIONS * width
    depth = MAX_TURNS + 1
    return Layers(
        states=np.zeros(POOLS + 2 * capacity, STATE),
        futures=np.zeros(POOLS + 2 * capacity, FUTURE),
        child_score=np.zeros(capacity),
        child_parent=np.zeros(capacity, np.int32),
        child_action=np.zeros(capacity, np.uint8),
        child_future=np.zeros(capacity, np.int32),
        keys=np.zeros(capacity, np.int32),
        order=np.zeros((2, capacity), np.int32),
        digits=np.zeros(DIGITS, np.int32),
        seen=np.zeros(max(FEWEST_SEEN, 1 << (2 * capacity).bit_length()), np.uint64),
        per_cell=np.zeros(256, np.int32),
        node=np.zeros((depth, width), np.int32),
        future=np.zeros((depth, width), np.int32),
        parent=np.zeros((depth, width), np.int32),
        action=np.zeros((depth, width), np.uint8),
        root=np.zeros((depth, width), np.uint8),
        score=np.zeros((depth, width)),
        counters=np.zeros((depth, len(COUNTERS)), np.int64),
        others=others,
    )


@inline
def pool_start(depth, capacity):
    """Where the states of a depth begin."""
    return POOLS if depth % 2 == 0 else POOLS + capacity


@kernel
def begin(layers, search, state, map_, weights, roots):
    """Start afresh from a state. `roots` are the first actions to try, ten bits, 0 = all."""
    layers.states[POOLS] = state
    foresee(state, map_, search.player, weights, layers.futures[POOLS])
    layers.node[0, 0] = 0
    layers.future[0, 0] = POOLS
    search.depth = 0
    search.size = 1
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
    while size < 16 * search.size and size < layers.seen.size:
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
def new_future(search, capacity):
    """A free place for a future of this layer's children."""
    search.futures += 1
    return pool_start(search.depth + 1, capacity) + search.futures - 1


@inline
def expand(layers, search, map_, weights, place):
    """Make all children of one state of the layer."""
    player, depth = search.player, search.depth
    capacity = layers.child_score.size
    at = pool_start(depth, capacity) + layers.node[depth, place]
    to = pool_start(depth + 1, capacity)
    parent, burnt, waited = layers.states[at], layers.states[BURNT], layers.states[WAITED]
    counters = layers.counters[depth + 1]
    legal = legal_actions(parent, player)
    counters[GENERATED] += np.int64(count_bits(legal))
    if depth == 0:
        counters[UNSURVIVABLE] += np.int64(count_bits(legal & ~search.roots))
        legal &= search.roots
    row = U64(parent.turn) & SEVEN
    layers.states[BURNT] = parent
    if parent.bombs[row] != ZERO:
        burn(burnt, map_, row)
        if burnt.players[player] == 0:
            counters[DEAD] += np.int64(count_bits(legal))
            search.nodes += 1
            return
    others = layers.others[depth]
    next_future = new_future(search, capacity)
    copy_future(layers.futures[next_future], layers.futures[layers.future[depth, place]])
    pass_round(layers.futures[next_future], weights)
    if others != ZERO:
        layers.states[WAITED] = burnt
        step_burnt(parent, waited, map_, others)
        if waited.bombs[row] != ZERO:
            foresee(waited, map_, player, weights, layers.futures[next_future])
        else:
            follow_items(waited, burnt, map_, player, weights, layers.futures[next_future])
        before = waited
    else:
        before = burnt
    boxes = read(burnt.boxes)
    box_count = np.int64(count_cells(boxes[0], boxes[1], boxes[2]))
    home = U64(burnt.players[player]) & BYTE
    home_distance = box_distance(boxes, home) if box_count <= weights.many_boxes else 0
    me = U64(burnt.players[player])
    bombs = own_bombs(burnt, player)
    home_kit = kit_terms(me, bombs, weights)
    rest = sum_rest(burnt, row)
    bomb_future = NO_FUTURE
    for action in range(ACTIONS):
        if (legal >> U64(action)) & ONE == ZERO:
            continue
        slot = search.children
        child = layers.states[to + slot]
        layers.states[to + slot] = burnt
        step_burnt(parent, child, map_, others | U64(action) << (U64(player) << TWO))
        search.nodes += 1
        if search.drops_duplicates:
            number = finish(rest + sum_row(child, row) + sum_items(child) + sum_players(child))
            if not is_new(layers.seen, search.seen_mask, number):
                counters[DUPLICATES] += 1
                continue
        future = next_future
        drops = U64(action >= FIVE)
        if drops != ZERO:
            if bomb_future == NO_FUTURE:
                bomb_future = new_future(search, capacity)
                copy_future(layers.futures[bomb_future], layers.futures[next_future])
                dropped = child
                if action != FIVE:  # this child may have taken an item that the others will still find
                    dropped = layers.states[DROPPED]
                    layers.states[DROPPED] = burnt
                    step_burnt(parent, dropped, map_, others | FIVE << (U64(player) << TWO))
                if before.bombs[row] != ZERO:  # bombs of one round explode together, on one board
                    foresee(dropped, map_, player, weights, layers.futures[bomb_future])
                else:
                    add_own_bomb(dropped, map_, player, home, weights, layers.futures[bomb_future])
            future = bomb_future
        now = U64(child.players[player])
        kit = home_kit
        if (now + (drops << STOCK_SHIFT)) >> RANGE_SHIFT != me >> RANGE_SHIFT:  # an item was taken
            kit = kit_terms(now, bombs + drops, weights)
            plain, future = future, new_future(search, capacity)
            copy_future(layers.futures[future], layers.futures[plain])
            follow_items(child, before, map_, player, weights, layers.futures[future])
        distance = box_distance_after(boxes, box_count, home, home_distance, now & BYTE)
        score = evaluate(child, player, kit, layers.futures[future].worth, distance, weights)
        if search.checks_survival and not survives(child, map_, player, layers.futures[future]):
            score += search.unsurvivable
        layers.child_future[slot] = future
        layers.child_score[slot] = score
        layers.child_parent[slot] = place
        layers.child_action[slot] = action
        search.children += 1


@inline
def sort_children(scores, count, keys, order, digits):
    """Fill order[0] with the children, best first; equal ones as they were made."""
    best = NO_SCORE
    for k in range(count):
        best = max(best, scores[k])
    for k in range(count):
        keys[k] = np.int32(min(np.float64(WORST_KEY), (best - scores[k]) * UNITS_PER_POINT))
        order[0, k] = k
    for digit in range(2):
        shift = digit * DIGIT_BITS
        digits[:] = 0
        for k in range(count):
            digits[(keys[k] >> shift) & (DIGITS - 1)] += 1
        total = 0
        for k in range(DIGITS):
            here = digits[k]
            digits[k] = total
            total += here
        for k in range(count):
            child = order[digit, k]
            key = (keys[child] >> shift) & (DIGITS - 1)
            order[1 - digit, digits[key]] = child
            digits[key] += 1


@inline
def select(layers, search):
    """Keep the best children as the next layer."""
    count = search.children
    sort_children(layers.child_score, count, layers.keys, layers.order, layers.digits)
    depth = search.depth
    below = depth + 1
    to = pool_start(below, layers.child_score.size)
    counters = layers.counters[below]
    layers.per_cell[:] = 0
    kept = 0
    for k in range(count):
        child = layers.order[0, k]
        cell = U64(layers.states[to + child].players[search.player]) & BYTE
        if search.has_local and layers.per_cell[cell] >= search.local:
            counters[LOCAL_CUT] += 1
        elif kept >= search.width:
            counters[GLOBAL_CUT] += 1
        else:
            layers.per_cell[cell] += 1
            parent = layers.child_parent[child]
            action = layers.child_action[child]
            layers.node[below, kept] = child
            layers.future[below, kept] = layers.child_future[child]
            layers.parent[below, kept] = parent
            layers.action[below, kept] = action
            layers.root[below, kept] = action if depth == 0 else layers.root[depth, parent]
            layers.score[below, kept] = layers.child_score[child]
            kept += 1
    counters[KEPT] = kept
    return kept


@kernel
def advance(layers, search, map_, weights, limit):
    """Go on until the search is finished or has made `limit` nodes (looked at before each state)."""
    while not search.finished:
        while search.cursor < search.size:
            if search.nodes >= limit:
                return
            expand(layers, search, map_, weights, search.cursor)
            search.cursor += 1
        kept = select(layers, search)
        if kept == 0:  # all lines end here: the last complete layer lived longest
            search.finished = True
            return
        search.depth += 1
        search.size = kept
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
