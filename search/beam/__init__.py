"""Beam search: the paper's, first of 2,300 bots, and our additions.

    zh    duplicates are dropped by their hash (expand.py)        op    the others are predicted (common/planning.py)
    lb    at most 12 states per cell in a layer                   sc    states that can't be survived lose points
    fmp   first moves are pruned before the search (common/first_moves.py)

The paper's beam is one pass over layers of 500 states to the end of the game. Ours looks `horizon` turns ahead and
widens: a narrow first pass shows what a pass costs, the next is as wide as the rest of the budget allows.

    start 60   ▸ ▸ ▸ ▸ ▸ ▸        32 layers
    then 1400  ▶ ▶ ▶ ▶ ▶ ▶        the same 32 layers, for all the time that is left

Our additions: opponents' gains count as losses (`rivals`), first moves must hold against any reply and win where they
can (`threats`, common/threats.py), a bomb that leaves an opponent no way out earns points (`trap`), bombs that explode
after the end count nothing (`ends`), and once the race for boxes is decided, it keeps away or hunts (`settled`,
race.py). It predicts others by the weights that foresaw them best in this game (`models`, models.py).

    agent.py     the agent: decisions before the search, and its passes
    layers.py    one pass: layer after layer; which children make the next one
    expand.py    the children of a state: their common base, duplicates, traps, scores
    memory.py    the arrays that all of this works on
    models.py    the weights that others seem to play by
    race.py      the race for boxes, as far as it is decided
    terms.py     the terms of a score one by one, for explanations
"""
