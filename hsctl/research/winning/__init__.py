"""How the win probability is made: games, rows, fit, judgement, page."""
