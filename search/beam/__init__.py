"""Beam search: the paper's, first of 2,300 bots, and what goes beyond it.

    zh    duplicates are dropped by their hash             op    opponents are predicted (planning.py)
    lb    at most 12 states per own cell in a layer        sc    states that can't be survived lose score
    fmp   first moves are pruned before the search (first_moves.py)

The paper's beam is one pass over layers of 500 states to the end of the game. Ours looks `horizon` turns ahead and
widens: a narrow first pass shows what a pass costs, the next is as wide as the rest of the budget allows.

    start 60   ▸ ▸ ▸ ▸ ▸ ▸        24 layers
    then 1900  ▶ ▶ ▶ ▶ ▶ ▶        the same 24 layers, for all the time that is left

Beyond that: what the others gain is our loss (`rivals`), first moves must hold against any answer and win where they
can (`threats`, threats.py), bombs that explode after the end count nothing (`ends`), and once the boxes are decided
only life counts (`settled`). The search itself is in layers.py.
"""
