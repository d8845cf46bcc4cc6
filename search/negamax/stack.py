"""The memory of the search: its states, the plies of the line under way, the log of each depth, the table."""

from typing import NamedTuple

import numpy as np

from engine.rules import ACTIONS
from engine.state import STATE, record
from engine.survival import FORECAST
from search.negamax.evaluate import TERMS
from search.negamax.params import NegamaxParams
from search.negamax.table import make_table

MAX_PLIES = 64
KILLERS = 2  # remembered per ply

# A deepening: what it found and what it took.
ITERATION = record(
    [
        ("depth", np.int64),
        ("nodes", np.int64),
        ("value", np.float64),
        ("action", np.int64),
        ("hits", np.int64),  # positions whose value the table gave
        ("cutoffs", np.int64),
        ("first_cutoffs", np.int64),  # of these by the first action tried
        ("is_complete", np.bool_),
    ]
)
ITERATIONS = 2 + MAX_PLIES // 2

# One ply of the line under way.
PLY = record(
    [
        ("key", np.uint64),
        ("alpha", np.float64),  # what the side to move has for sure
        ("beta", np.float64),  # the other side won't let it get above that
        ("first_alpha", np.float64),  # as it was at the beginning
        ("value", np.float64),  # the best so far
        ("action", np.int64),  # that of the best value
        ("trying", np.int64),  # the action under way
        ("count", np.int64),  # of actions to be tried
        ("cursor", np.int64),  # how many of them were begun
        ("length", np.int64),  # of the best line from here
        ("moves", np.int64, ACTIONS),  # actions in the order to be tried
        ("killers", np.int64, KILLERS),
        ("line", np.int8, MAX_PLIES + 1),
    ]
)

SEARCH = record(
    [
        ("nodes", np.int64),  # looked at: calls of step
        ("finished", np.bool_),
        ("iteration", np.int64),  # the deepening under way
        ("depth", np.int64),  # its plies
        ("max_depth", np.int64),
        ("is_fixed", np.bool_),  # one depth only
        ("ply", np.int64),
        ("is_new", np.bool_),  # the ply has just been reached: its actions are not listed yet
        ("try_first", np.int64),  # the action to begin with there
        ("generation", np.int32),
        ("found_depth", np.int64),  # of the deepening that counts; its line is that of ply 0. 0: none
        ("found_value", np.float64),
        ("root_values", np.float64, ACTIONS),  # of its first moves; nan: not finished
        ("root_exact", np.uint8, ACTIONS),  # 0: the value is at most that
        ("prunes", np.bool_),
        ("has_table", np.bool_),
        ("has_order", np.bool_),
        ("has_killers", np.bool_),
    ]
)


class Stack(NamedTuple):
    """The memory of a search."""

    states: np.ndarray  # [round]
    plies: np.ndarray  # [ply]
    iterations: np.ndarray  # [depth after depth]
    table: np.ndarray
    forecasts: np.ndarray  # one, scratch for the evaluation
    terms: np.ndarray  # likewise


def make_stack(params: NegamaxParams) -> Stack:
    return Stack(
        states=np.zeros(MAX_PLIES // 2 + 2, STATE),
        plies=np.zeros(MAX_PLIES + 1, PLY),
        iterations=np.zeros(ITERATIONS, ITERATION),
        table=make_table(params.table_bits),
        forecasts=np.zeros(1, FORECAST),
        terms=np.zeros(len(TERMS)),
    )


def make_search(params: NegamaxParams) -> np.record:
    search = np.zeros(1, SEARCH)[0]
    search.is_fixed = params.depth > 0
    search.prunes = params.pruning
    search.has_table = params.table
    search.has_order = params.ordering
    search.has_killers = params.killers
    return search
