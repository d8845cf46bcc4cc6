"""Duplicates: children whose state another child of the same layer already has, found by their Zobrist hash.

The hash of a child is that of its base, plus what the own action adds: nothing has to be made to compare it.
"""

from engine.board import CLASS_SHIFT, NEIGHBOURS, ONE, U64, ZERO, bit_of, has_bit, lowest_bit
from engine.cells import has
from engine.jit import inline
from engine.rules import FIVE
from engine.state import ONE_BOMB, cell_of, dropped_by, row_in, slot_of
from engine.zobrist import KEYS, finish, mix
from search.beam.child import LAST_DROPPED, moves_of, player_after
from search.common.seen import is_new

PLAYER_KEYS = 3  # where the keys of the players begin
ROW_KEYS = U64(7)  # and those of the rows of bombs


@inline
def change_by_item(items, cell):
    """What taking the item on a cell adds to the hash."""
    word = cell >> CLASS_SHIFT
    return mix(items[word] & ~bit_of(cell), KEYS[word]) - mix(items[word], KEYS[word])


@inline
def new_actions(layers, search, map_, base, facts, me, legal):
    """Those of the legal actions whose child this layer doesn't have yet; remembers them.

    Before anything else is done for a child: in so short a loop the tables are looked up for several at once.
    """
    home, row = cell_of(me), row_in(base, LAST_DROPPED)
    my_key, row_key = KEYS[PLAYER_KEYS + search.player], KEYS[ROW_KEYS + row]
    bombs, bomb = base.bombs[row], slot_of(dropped_by(me), search.player)
    rest = facts.rest_hash + facts.items_hash
    plain, dropped = rest + mix(bombs, row_key), rest + mix(bombs | bomb, row_key)
    fresh, moves = ZERO, moves_of(legal)
    while moves != ZERO:
        move = lowest_bit(moves)
        moves &= moves - ONE
        to = U64(NEIGHBOURS[home, move])
        takes = to != home and has(facts.items, to)
        taken = change_by_item(base.items, to) if takes else ZERO
        after = player_after(map_, me, to, False, takes)
        if has_bit(legal, move):
            hash_ = finish(plain + taken + mix(after, my_key))
            fresh |= U64(is_new(layers.seen, search.seen_mask, hash_)) << move
        if has_bit(legal, move + FIVE):
            hash_ = finish(dropped + taken + mix(after - ONE_BOMB, my_key))
            fresh |= U64(is_new(layers.seen, search.seen_mask, hash_)) << (move + FIVE)
    return fresh
