"""A rolling horizon evolutionary algorithm, as in section 6.2 of the paper.

An individual is a list of actions. It is worth the section-5 value of the state it leads to, skipping actions that
are invalid or deadly; if that state can't be survived, it is punished, and more so the earlier its line became
unsurvivable. Parents are drawn by roulette, children are made by crossover and mutation, and the best live on.
"""
