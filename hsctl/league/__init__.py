"""Many games: who meets whom, each game once, here or on a cluster."""
