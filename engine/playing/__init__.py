"""For whoever plays many rounds: random numbers and actions, the hash of a state, batches of games."""
