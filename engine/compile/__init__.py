"""What is compiled and where it is kept: below the game, which it knows nothing of."""
