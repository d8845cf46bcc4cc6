"""Single-player Monte Carlo tree search, as in section 6.1 of the paper.

The tree holds only the player's actions; the others follow predicted plans. Each iteration walks down by UCT, adds one
node, plays on at random until the 15th round and carries the value up: the mean steers the walk, the maximum chooses
the move.

    value = 1/400 (sum over rounds r from the root of reward_r * 50 * 0.98^r + 200 - mean distance to boxes), 0 if dead
    reward_r = boxes destroyed in round r, and 1 for another bomb while fewer than 4
"""
