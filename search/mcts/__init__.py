"""Single-player Monte Carlo tree search."""
