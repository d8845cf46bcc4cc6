"""A rule bot after the Pommerman framework's own, the baseline of Zhou et al. 2018.

The first rule that applies decides. It foresees no fuses, chains or moves.

    1 in line of a bomb, whatever its fuse: a step out of all lines, or away from them, or else any
    2 an opponent one step away: bomb
    3 an opponent within 3 steps: towards them
    4 an item within 2 steps: towards it
    5 a box next to it: bomb
    6 a box within 2 steps, and a bomb left: towards it
    7 any step into no bomb's line, if possible onto no cell of the last 6 turns

A bomb is dropped only with a way to some cell that its own fire doesn't reach. Unlike in
Pommerman, players don't block steps, fire doesn't stay, and the bot sees all bombs on the board.
"""
