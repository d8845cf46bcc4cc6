"""How fast the engine is on this machine, and one number that tells whether it still behaves the same."""
