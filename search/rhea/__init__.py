"""A rolling horizon evolutionary algorithm, as the paper's section 6.2 has it.

An individual is a list of actions. It is worth the section-5 value of the state it leads to, skipping actions that
are invalid or deadly; if that state can't be survived, it is punished, the more the earlier its line came to be
unsurvivable. Parents are drawn by roulette, children made by crossover and mutation, and the best live on.
"""
