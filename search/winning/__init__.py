"""Who is winning: from a position the probability of every place for every player."""
