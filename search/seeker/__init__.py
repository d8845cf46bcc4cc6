"""A goal-seeker: which item to fetch, which boxes to bomb next, and the way there by A*.

    a goal     a cell with an item on it, or from which a bomb hits boxes, or both
    a way      A* over cells and rounds, around and through the fires that the known bombs will make
    a plan     goal after goal, 24 rounds ahead: walk there, drop the bomb, look for the next from there

Plans are tried depth first: with the one most promising goal of every state, then with the best two of each, and so on
until the time is up. A goal is worth its boxes and items, less for each round until it is reached. Nobody is predicted.

A sparring partner: by its author's account the sixth of the 2016 contest planned so, 20 to 25 rounds ahead. It
didn't describe the worth of goals; the weights are those of another bot, whose weights are public.
"""
