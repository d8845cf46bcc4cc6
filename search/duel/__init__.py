"""`duel`: Monte Carlo tree search for two sides, as a report on Battlesnake has it (Jonsson and Strimbold 2024).

    the report                                    here
    a team moves, then the other                  we act, the nearest opponent answers knowing it, then one step
    at most nine moves of a team                  at most ten actions of a player; all others stand still
    invalid: a move that collides                 valid.py: an action that ends in the next round's fire
    UCB with C = sqrt 2, unvisited first          tree.py and walk.py, the same
    12 or 12.5 rounds of random valid moves       walk.py, the same
    length of the snakes                          boxes destroyed and items taken
    health of the snakes, times 10                life, 10 points
    the score negated from node to node           walk.py, the same
    never risk a head-on collision, he may        caution.py: lost if he bombs or takes an item at the same moment
    to do: reuse parts of the tree                kept.py, `keep`
    to do: information of identical states        tree.py, `share`
    to do: dead ends, the space of the enemy      score.py, `dead_end` and `space`

Which move is played at last the report doesn't say: here the most visited, of those the one of the highest mean.
"""
