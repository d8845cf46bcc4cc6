"""What the model weighs: the features of a player, bent where they must not grow without end.

A lead counts by how large it is for the boxes that are left, and flattens out: of a lead of twenty boxes nothing is
left to win, only to lose by dying.
"""

import numpy as np

from engine.jit import inline
from engine.state import MAX_PLAYERS
from search.winning.features import (
    BOMB_ITEMS,
    BOMBS,
    BURNS,
    CLAIMED,
    CLOSER,
    DOOMED,
    EARLY,
    ESCAPES,
    FORCED,
    LEFT,
    NEARER,
    RACE,
    RANGE,
    RANGE_ITEMS,
    REACH,
    RIVAL,
    ROOM,
    SCORED,
    SPOT,
    STOCK,
)

TERMS = (
    "lead",  # over the best other once the known bombs have exploded, flattened
    "wide lead",  # the same, flattened later
    "race lead",  # the lead after the race, flattened
    "won",  # 1: nobody can catch up with this lead any more
    "lost",  # 1: the best other can't be caught up with any more
    "boxes",  # once the known bombs have exploded
    "share",  # of the boxes of all who live
    "claimed",
    "burns",
    "doomed",
    "one escape",  # 1: at most one move survives the known bombs
    "two escapes",
    "trapped",  # 1: no move survives if one rival drops a bomb now
    "nearly trapped",  # 1: at most one
    "range",
    "bombs",
    "root of bombs",
    "stock",
    "room",
    "nearer",
    "closer",
    "reach",
    "spot",
    "range items",
    "bomb items",
    "rival",
    "race",
    "early",
)
MOST_BOMBS = 8.0  # more are of no use
WIDE = 3.0


@inline
def flatten(x):
    """Between -1 and 1; near 0 it is x."""
    return x / np.sqrt(1.0 + x * x)


@inline
def lead_of(features, state, player, with_race):
    """Boxes that a living player has more than the best other living one once the known bombs have exploded."""
    best, mine = -1.0, 0.0
    for other in range(MAX_PLAYERS):
        boxes = features[other, SCORED] + features[other, CLAIMED] + with_race * features[other, RACE]
        if other == player:
            mine = boxes
        elif state.players[other] != 0:
            best = max(best, boxes)
    return mine - best if best >= 0.0 else 0.0


@inline
def boxes_of_living(features, state):
    """The boxes of all who live once the known bombs have exploded."""
    total = 0.0
    for player in range(MAX_PLAYERS):
        if state.players[player] != 0:
            total += features[player, SCORED] + features[player, CLAIMED]
    return total


@inline
def fill_terms(state, features, player, terms):
    """The terms of one living player."""
    row = features[player]
    spread = np.sqrt(row[LEFT] + 1.0)
    lead = lead_of(features, state, player, 0.0)
    terms[0] = flatten(lead / spread)
    terms[1] = flatten(lead / spread / WIDE)
    terms[2] = flatten(lead_of(features, state, player, 1.0) / spread)
    terms[3] = lead > row[LEFT]
    terms[4] = lead < -row[LEFT]
    terms[5] = row[SCORED] + row[CLAIMED]
    terms[6] = terms[5] / (boxes_of_living(features, state) + 1.0)
    terms[7] = row[CLAIMED]
    terms[8] = row[BURNS]
    terms[9] = row[DOOMED]
    terms[10] = row[ESCAPES] <= 1.0
    terms[11] = row[ESCAPES] <= 2.0
    terms[12] = row[FORCED] <= 0.0
    terms[13] = row[FORCED] <= 1.0
    terms[14] = row[RANGE]
    terms[15] = min(row[BOMBS], MOST_BOMBS)
    terms[16] = np.sqrt(row[BOMBS])
    terms[17] = row[STOCK]
    terms[18] = row[ROOM]
    terms[19] = row[NEARER]
    terms[20] = row[CLOSER]
    terms[21] = row[REACH]
    terms[22] = row[SPOT]
    terms[23] = row[RANGE_ITEMS]
    terms[24] = row[BOMB_ITEMS]
    terms[25] = row[RIVAL]
    terms[26] = row[RACE]
    terms[27] = row[EARLY]
