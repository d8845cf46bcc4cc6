"""`duel`: Monte Carlo tree search for two sides, as in a report on Battlesnake (Jonsson and Strimbold 2024).

    the report                                    here
    a team moves, then the other                  we move, the opponents reply knowing it, then one step
    at most nine moves of a team                  tree.py: in a team of two nine at most, three actions of each teammate
                                                  else ten actions against the nearest opponent; all others stay
    invalid: a move that collides                 walk.py: an action that ends in the next round's fire
    UCB with C = sqrt 2, unvisited first          tree.py and walk.py, the same
    12 or 12.5 rounds of random valid moves       walk.py, the same
    length of the snakes                          boxes destroyed and items taken
    health of the snakes, times 10                life, 10 points
    the score negated from node to node           walk.py, the same
    never risk a head-on collision, they may      walk.py: lost if they bomb or take an item at the same moment
    to do: reuse parts of the tree                tree.py, `keep`
    to do: information of identical states        tree.py, `share`
    to do: dead ends, the opponent's space        walk.py, `dead_end` and `space`

The report doesn't say how to choose the final move. We take the most visited one, then the one with the highest mean.
"""
