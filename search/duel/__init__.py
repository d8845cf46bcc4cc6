"""Monte Carlo tree search for two sides that move in turn: the agent `duel`."""
