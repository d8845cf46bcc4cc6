"""A rule bot after the one that the Pommerman framework brings along, against which Zhou et al. 2018 measured.

The first of these rules that applies decides. Nothing is foreseen: no fuse, no chain and no rival's move.

    1 in line of a bomb, whatever its fuse: a step out of all lines, or away from them, or else any
    2 a rival one step away: bomb
    3 a rival within 3 steps: towards them
    4 an item within 2 steps: towards it
    5 a box beside: bomb
    6 a box within 2 steps, and a bomb left: towards it
    7 any step into no bomb's line, if possible onto no cell of the last 6 turns

A bomb is dropped only with a way to some cell that its own fire doesn't reach. What is different here: steps are not
blocked by players, there is no fire that stays, and all bombs on the board are seen.
"""
