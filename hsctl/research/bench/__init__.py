"""How fast the engine is on this machine, and one number that says whether it still behaves the same."""
