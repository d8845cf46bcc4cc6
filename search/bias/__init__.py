"""Monte Carlo tree search with progressive bias and decaying reward."""
