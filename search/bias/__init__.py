"""Monte Carlo tree search with progressive bias and decaying reward (Park, Shruti and Asif 2021).

Plain UCT with two changed terms: a heuristic's opinion of an action counts while it has few visits, and rewards count
less the later they come. The report's game and ours:

    there                                          here
    -----                                          ----
    Pommerman: win = the last one living           the reward of section 6.1, as in `mcts`: boxes and bombs
    a loss is the worst result                     dead = -2, below the value of any life (mcts has the paper's 0)
    equation 3 with C = sqrt 2                     the same, over the player's actions
    CUSTOM_HEURISTIC 0, ADVANCED_HEURISTIC 1       h=0 (custom), h=1 (advanced)
    "other heuristic values" (its future work)     heuristic=value: section 5 after the action, less that of the root,
                                                   5 points as 1, kept between -1 and 1; asked once, when the child is
                                                   added; h is its weight
    R x gamma^k at every step (3.4)                decays=rewards: each round's reward by its distance from the root
    R x gamma^k at the end of a roll-out,          decays=value: the value of the whole roll-out, by the depth of the
      k the depth of the current node (4.1.3)        node from which it began
    roll-out depth 12, 20                          a walk ends so many rounds from the root, tree and roll-out together
    states computed again on the way down (3.2)    the same: a node is a sequence of actions, not a state
    the others move at random                      the same, in the tree and in the roll-out: any legal action
    BESTCHILD of the root with C = 0               choose=mean: the first move of highest mean
    UCT over Q(s, a), no scale given               the means as they are; the framework that the report used scales them
                                                   by the parent's lowest and highest value, and plays the first move of
                                                   most visits: preset framework (normalise, choose=visits)
    "vanilla MCTS", its baseline                   preset plain: the same search without bias and decay
    200 iterations                                 preset paper; without it the budget decides
"""
