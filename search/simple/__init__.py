"""A rule bot: goes to the best bomb spot or item, bombs boxes, flees blasts, never bombs itself in.

Every cell gets a worth: boxes that a bomb there would hit (and no bomb on the board will), or an item. Each
action after which the player can survive is valued by the boxes it bombs and the best cell it can reach,
discounted per step.
"""
